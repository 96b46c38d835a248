#!/bin/sh
# The thread sanitizer, for what has threads in itself or in its test. Only that is built, and the programs that such tests start.
set -eu
kinds='unit|e2e'
names='_(halsim|link|nt|robot|simple|telemetry|view|web|world_many|board_process|drive_stop)|^test_record$'
cmake --preset tsan >/dev/null
ctest --test-dir build/tsan -N -L "^($kinds)\$" -R "$names" |
    sed -n 's/^ *Test *#[0-9]*: \(test_[a-z0-9_]*[a-z0-9]\)$/\1/p' | sed 's/_[0-9]*$//' | sort -u >build/tsan/wanted
cmake --build build/tsan --target help | sed -n 's/^\(test_[a-z0-9_]*\): .*/\1/p' | sort -u >build/tsan/known
cmake --build build/tsan --target halyard blink drive_square first line_follow trajectory $(comm -12 build/tsan/wanted build/tsan/known)
tools/run_tests.py build/tsan "$kinds" "$names"
