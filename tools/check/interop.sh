#!/bin/sh
# Other people's software with ours: WPILib of three seasons, Wireshark, and the guides' own commands.
set -eu
cmake --build build
tools/run_tests.py build interop
