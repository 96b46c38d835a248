#!/bin/sh
# Ten million damaged packets under the address sanitizer, and every change of a byte; the step `asan` tries 100,000 and every fifth.
set -eu
cmake --preset asan >/dev/null
cmake --build --preset asan --target test_wire_damage test_board_damage
HY_LONG=1 HY_PACKETS=10000000 ctest --test-dir build/asan --output-on-failure --no-tests=error -j 2 -R '^test_(wire|board)_damage$'
