#!/bin/sh
# Recordings whose program was killed (kill -9) at 100 moments, in short runs at 20 of them: each is verified up to its end.
set -eu

program=$1
halyard=${HALYARD_BINARY:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "test_replay_killed: $*" >&2
    exit 1
}

# size FILE: its bytes; 0 if it is not there yet.
size() {
    if [ -f "$1" ]; then wc -c <"$1"; else echo 0; fi
}

apart=5
[ "${HY_LONG:-}" != 1 ] || apart=1

with_hashes=0
with_loops=0
for kill in $(seq $apart $apart 100); do
    "$program" --sim xrp-line --speed max --duration 100000 --seed "$kill" --record "$work/run.wpilog" --overwrite >/dev/null 2>&1 &
    pid=$!
    wanted=$((kill * 2000)) # bytes: moments that do not depend on how busy the machine is
    while [ "$(size "$work/run.wpilog")" -lt $wanted ] && kill -0 $pid 2>/dev/null; do :; done
    kill -9 $pid
    wait $pid 2>/dev/null || true
    status=0
    "$halyard" replay "$work/run.wpilog" --verify >"$work/said" 2>"$work/error" || status=$?
    case $status in
    0) with_hashes=$((with_hashes + 1)) ;;
    2) grep -q "no hashes" "$work/error" || fail "kill $kill: $(cat "$work/error")" ;;
    *) fail "mismatch: kill $kill: status $status, $(cat "$work/error")" ;;
    esac
    # The program, too, is run again up to there.
    status=0
    "$program" --replay "$work/run.wpilog" >"$work/said" 2>"$work/error" || status=$?
    case $status in
    0) grep -q "loops are equal, up to .* s; " "$work/said" && with_loops=$((with_loops + 1)) || fail "mismatch: kill $kill: $(cat "$work/said")" ;;
    2) grep -q "no inputs of a robot program" "$work/error" || fail "kill $kill: $(cat "$work/error")" ;;
    *) fail "mismatch: kill $kill: the program: status $status, $(cat "$work/error")" ;;
    esac
    rm -f "$work/run.wpilog"
done
[ $with_loops -ge $((50 / apart)) ] || fail "only $with_loops of $((100 / apart)) recordings got as far as a loop"
[ $with_hashes -ge $((50 / apart)) ] || fail "only $with_hashes of $((100 / apart)) recordings got as far as a hash"
