#!/bin/sh
# Runs steps of `make check`. Each is a file in tools/check, which can also be run by itself: tools/check/format.sh
#
#   tools/check.sh STEP[+STEP]...
#
# One group after the other, also when one fails. The second step of a group runs beside the first, at the lowest priority: the first
# mostly waits for clocks and sockets, or has work for one processor only. The last lines say what each took, and which failed;
# build/check has what each printed.
set -u
cd "$(dirname "$0")/.."

steps=$(echo "$@" | tr + ' ')
for step in ${steps:-none}; do
    [ -x "tools/check/$step.sh" ] && continue
    echo "check: there is no step '$step'; there are: $(ls tools/check | sed 's/\.sh$//' | xargs)" >&2
    exit 2
done

# run_step STEP [COMMAND THAT RUNS IT]
run_step() {
    step=$1
    shift
    echo
    echo "==== check: $step"
    began=$(date +%s)
    verdict=ok
    "$@" "tools/check/$step.sh" || verdict=FAILED
    echo "==== check: $step $verdict"
    printf '%-12s %-6s %4d s\n' "$step" $verdict $(($(date +%s) - began)) >>build/check/table.txt
}

mkdir -p build/check
: >build/check/table.txt
for group in "$@"; do
    first=${group%%+*}
    second=${group#"$first"}
    second=${second#+}
    if [ -n "$second" ]; then
        # Who must run a test alone waits for the lock (tools/run_tests.py).
        run_step "$second" flock build/check/beside.lock nice -n 19 >"build/check/$second.log" 2>&1 &
    fi
    run_step "$first" 2>&1 | tee "build/check/$first.log"
    wait
    [ -z "$second" ] || cat "build/check/$second.log"
done

echo
cat build/check/table.txt
failed=$(for step in $steps; do grep -q "^$step *ok " build/check/table.txt || echo "$step"; done)
[ -n "$failed" ] || exit 0
echo "failed:" $failed
for step in $failed; do
    grep -h '^failed\|: FAILED' "build/check/$step.log" # the tests and fuzz targets, which are far above
done
exit 1
