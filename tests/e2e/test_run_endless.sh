#!/bin/sh
# A call that does not return is named, and ends a program that runs as fast as it goes. It waits for 5 s, and one that computes is at the
# speed of the clock.
set -eu

said=$(mktemp)
trap 'rm -f "$said"' EXIT

status=0
WAITS=1 "$1" --sim xrp-open --speed max 2>"$said" || status=$?
if [ $status -ne 1 ] || ! grep -q 'endless: teleop periodic has not returned for 0.5 s\.' "$said" ||
    ! grep -q 'endless: teleop periodic never returned; the program ends' "$said"; then
    echo "test_run_endless: exit status $status, and it said:" >&2
    cat "$said" >&2
    exit 1
fi

# At the speed of the clock it does not end by itself, and its loop hears of no signal: the signal ends it all the same.
"$1" --sim xrp-open --speed 1 2>"$said" &
program=$!
for _ in $(seq 1 300); do
    grep -q 'Ctrl-C ends the program' "$said" && break
    sleep 0.1
done
kill -TERM $program
status=0
wait $program || status=$?
if [ $status -ne 143 ]; then
    echo "test_run_endless: SIGTERM ended it with $status, and it said:" >&2
    cat "$said" >&2
    exit 1
fi
