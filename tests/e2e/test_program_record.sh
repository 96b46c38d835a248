#!/bin/sh
# --record of a robot program: equal runs give equal files, and no file is overwritten unless asked.
set -eu

program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "test_program_record: $*" >&2
    exit 1
}

run() {
    "$program" --sim xrp-line --speed max --duration 5 "$@"
}

run --record "$work/a.wpilog" >"$work/with"
run >"$work/without"
cmp "$work/with" "$work/without" || fail "recording changes the run"
run --record "$work/b.wpilog" >/dev/null
cmp "$work/a.wpilog" "$work/b.wpilog" || fail "equal runs give different files"
run --record "$work/c.wpilog" --seed 2 >/dev/null
if cmp -s "$work/a.wpilog" "$work/c.wpilog"; then fail "the seed changes nothing in the file"; fi

cp "$work/a.wpilog" "$work/kept"
status=0
run --seed 3 --record "$work/a.wpilog" >/dev/null 2>"$work/error" || status=$?
[ $status -eq 2 ] || fail "exit status $status for a file that is there"
grep -q "a.wpilog: the file exists already" "$work/error" || fail "no sentence: $(cat "$work/error")"
cmp "$work/a.wpilog" "$work/kept" || fail "the file was overwritten"
run --seed 2 --record "$work/a.wpilog" --overwrite >/dev/null
cmp "$work/a.wpilog" "$work/c.wpilog" || fail "--overwrite does not replace the file"

status=0
"$program" --record "$work/d.wpilog" 2>"$work/error" || status=$?
[ $status -eq 2 ] && grep -q "need --sim WORLD" "$work/error" || fail "--record without --sim: $status, $(cat "$work/error")"
status=0
run --overwrite 2>"$work/error" || status=$?
[ $status -eq 2 ] && grep -q "needs --record FILE" "$work/error" || fail "--overwrite without --record: $status"
if [ -c /dev/full ]; then
    status=0
    run --record /dev/full --overwrite >"$work/full" 2>"$work/error" || status=$?
    [ $status -eq 1 ] && grep -q "No space left on device" "$work/error" || fail "a full disk: $status, $(cat "$work/error")"
fi
