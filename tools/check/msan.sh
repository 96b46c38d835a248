#!/bin/sh
# The memory sanitizer, for parts that call nothing but us and the C library: memory from elsewhere looks uninitialised.
set -eu
cmake --preset msan >/dev/null
cmake --build --preset msan
tools/run_tests.py build/msan 'unit|golden'
