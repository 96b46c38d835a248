#!/bin/sh
# A recording on a file system that fills up: one sentence, the robot drives on to its end, exit status 1, and what is in the file can
# be read up to where it ends, which the reader names.
#
#   test_record_tmpfs.sh DAMAGE    the program of record_damage.c
set -eu

halyard=${HALYARD_BINARY:?}
damage=$1
if [ "${2:-}" != inside ]; then
    for flags in -m -rm; do
        if unshare $flags true 2>/dev/null; then
            exec unshare $flags sh "$0" "$damage" inside
        fi
    done
    [ "${CI:-}" != true ] && [ "${HALYARD_NO_SKIP:-}" != 1 ] || { echo "no mount namespace here; a skip counts as a failure"; exit 1; }
    echo "SKIPPED: no mount namespace here"
    exit 77
fi

fail() {
    echo "test_record_tmpfs: $*" >&2
    exit 1
}

work=$(mktemp -d)
trap 'umount "$work" 2>/dev/null || true; rm -rf "$work"' EXIT
mount -t tmpfs -o size=32k tmpfs "$work"
file=$work/run.wpilog
status=0
timeout 60 "$halyard" board xrp --listen 127.0.0.1:0 --duration 6 --record "$file" >/dev/null 2>"$work.err" || status=$?
err=$(cat "$work.err")
rm -f "$work.err"
[ $status -eq 1 ] || fail "exit status $status: $err"
[ "$(echo "$err" | grep -c "cannot be written: No space left on device")" = 1 ] || fail "not one sentence: $err"
echo "$err" | grep -q "ran 6.0 s" || fail "the board did not run to its end: $err"
[ "$(stat -c %s "$file")" -gt 16000 ] || fail "the file has $(stat -c %s "$file") bytes"
"$damage" "$file" || fail "what is in the file cannot be read"
