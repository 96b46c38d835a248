#!/bin/sh
# The tests of `make test` under the address and the undefined-behaviour sanitizer.
set -eu
cmake --preset asan >/dev/null
cmake --build --preset asan
tools/run_tests.py build/asan 'unit|golden|replay|e2e'
