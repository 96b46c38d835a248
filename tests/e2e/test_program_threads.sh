#!/bin/sh
# A robot program without a page has two threads, its own and the watchdog's: over the network and with --sim.
#
#   test_program_threads.sh PROGRAM
set -eu

[ -r /proc/self/status ] || exit 77 # Linux counts threads there
program=$1
work=$(mktemp -d)
board=
trap '[ -z "$board" ] || kill $board; rm -rf "$work"' EXIT

fail() {
    echo "test_program_threads: $*" >&2
    exit 1
}

# counts WHAT ARGUMENTS...: how many threads the program is seen to have at most.
counts() {
    what=$1
    shift
    "$program" "$@" >"$work/said" 2>&1 </dev/null &
    most=0
    while threads=$(awk '/^Threads:/ { print $2 }' /proc/$!/status 2>/dev/null) && [ -n "$threads" ]; do
        [ "$threads" -le "$most" ] || most=$threads
        sleep 0.02
    done
    # On a busy machine the board may be silent for too long, which the program says and ends with.
    wait $! || grep -q 'no status from' "$work/said" || fail "$what: $(cat "$work/said")"
    [ "$most" = 2 ] || fail "$what: $most threads, not 2: $(cat "$work/said")"
}

: >"$work/board"
"$HALYARD_BINARY" board xrp --listen 127.0.0.1:0 >"$work/board" &
board=$!
until url=$(sed -n 's/^listening on \([^ ]*\).*/xrp:\/\/\1/p' "$work/board") && [ -n "$url" ]; do
    kill -0 $board 2>/dev/null || fail "the board has ended: $(cat "$work/board")"
    sleep 0.02
done
counts "over the network" "$url" --enable --duration 2
counts "--sim" --sim xrp-line --speed 1 --duration 2
echo "two threads"
