#!/bin/sh
# Every benchmark runs after `make bench` alone, in a build without tests: one quick round of each.
set -eu
cmake --preset release -B build/bench-alone -DBUILD_TESTING=OFF >/dev/null
cmake --build build/bench-alone
cmake --build build/bench-alone --target benches
tools/run_benches.sh build/bench-alone --quick
