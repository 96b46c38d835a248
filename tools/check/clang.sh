#!/bin/sh
# Everything compiled by clang, the benchmarks too, which are not run. Whole programs behave as with gcc; what differs is arithmetic and
# warnings, so the tests of whole programs are left out.
set -eu
cmake --preset clang >/dev/null
cmake --build --preset clang
cmake --build --preset clang --target benches bench_cost halsim_robot
tools/run_tests.py build/clang 'unit|golden|replay'
