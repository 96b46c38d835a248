#!/bin/sh
# Instructions per operation, compared with bench/cost.txt: a busy machine does not change them.
set -eu
cmake --build build --target bench_cost
tools/check_cost.sh build
