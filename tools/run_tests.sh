#!/bin/sh
# Runs the tests of the kinds that the regular expression names and says aloud what was skipped.
# With CI=true in the environment a skipped test is a failed one.
#
#   tools/run_tests.sh BUILD_FOLDER KINDS [NAMES]
set -eu

build=$1
kinds=$2
names=${3:-.}
log=$build/ctest-$(echo "$kinds" | tr '|' '-').log
cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
jobs=$((8 * cores)) # most of the time tests wait for clocks and sockets
! grep -qs '^HALYARD_SANITIZE:[A-Z]*=.' "$build/CMakeCache.txt" || jobs=$((4 * cores)) # and compute more
[ "$kinds" != interop ] || jobs=$((2 * cores)) # WPILib's programs run at 50 Hz, and are disabled when they are held up

# The pipe would swallow ctest's exit status.
rm -f "$log.passed"
{ ctest --test-dir "$build" -L "^($kinds)\$" -R "$names" --output-on-failure --no-tests=error -j "$jobs" &&
    touch "$log.passed"; } 2>&1 | tee "$log"

# Whole tests that ctest knows of, and the cases that cmocka skipped inside of tests that passed.
skipped=$(grep '\*\*\*Skipped' "$log" | sed 's/^.*: /  /; s/ \.*\*\*\*Skipped.*//'
    sed -n 's/^\[  SKIPPED \] \([^ ]*\)$/  \1/p' "$build/Testing/Temporary/LastTest.log" | sort -u)
if [ -n "$skipped" ]; then
    echo
    echo "================ SKIPPED, so not tested: ================"
    echo "$skipped"
    [ "${CI:-}" != true ] || { echo "CI does not accept skipped tests."; exit 1; }
fi
[ -e "$log.passed" ]
