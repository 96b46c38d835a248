#!/bin/sh
# Calibrates twenty robots whose numbers are hidden, and prints how well it predicts laps that it has not seen.
set -eu
cmake --build build --target bench_calibrate
build/bench/bench_calibrate
