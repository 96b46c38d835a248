#!/bin/sh
# The WPILib extensions as Windows has them, under Wine, over WPILib's own HAL, with our virtual robot.
set -eu
cmake --build build >/dev/null
tests/windows/run.sh
clang-tidy --quiet -p build/windows --warnings-as-errors='*' src/*/*_windows.c 2>build/windows/tidy.err
