#!/bin/sh
# Tests that compute for minutes, and the long runs of others: in the build that users have.
set -eu
cmake --build build
tools/run_tests.py build slow
