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
cmp "$work/with" "$work/without" || fail "mismatch: recording changes the run"
run --record "$work/b.wpilog" >/dev/null
cmp "$work/a.wpilog" "$work/b.wpilog" || fail "mismatch: equal runs give different files"
"$HALYARD_BINARY" replay "$work/a.wpilog" --verify | grep -q "11 hashes agree, up to step 500 (5.000 s)" || fail "mismatch: the recording cannot be verified"
run --record "$work/c.wpilog" --seed 2 >/dev/null
if cmp -s "$work/a.wpilog" "$work/c.wpilog"; then fail "the seed changes nothing in the file"; fi
run --record "$work/robot.wpilog" --robot 7 >/dev/null
"$HALYARD_BINARY" replay "$work/robot.wpilog" --verify | grep -q "11 hashes agree" || fail "mismatch: the recording of robot 7 cannot be verified"
"$HALYARD_BINARY" replay "$work/robot.wpilog" --export csv | grep -qxF '0.000000,/Metadata/Options,"--robot 7"' || fail "the recording does not say that it is robot 7's"
if cmp -s "$work/a.wpilog" "$work/robot.wpilog"; then fail "robot 7 drives as an ideal one"; fi

run --record "$work/beta.wpilog" --hardware beta >/dev/null
"$HALYARD_BINARY" replay "$work/beta.wpilog" --verify | grep -q "11 hashes agree" || fail "mismatch: the recording of a beta cannot be verified"
"$program" --what-if "$work/beta.wpilog" | grep -q "all 500 steps are equal" || fail "mismatch: a beta again is another robot"
status=0
run --hardware gamma 2>"$work/error" || status=$?
[ $status -eq 2 ] && grep -q "type xrp is prod or beta, not 'gamma'" "$work/error" || fail "--hardware gamma: $status, $(cat "$work/error")"

cp "$work/a.wpilog" "$work/kept"
status=0
run --seed 3 --record "$work/a.wpilog" >/dev/null 2>"$work/error" || status=$?
[ $status -eq 2 ] || fail "exit status $status for a file that is there"
grep -q "a.wpilog: the file exists already" "$work/error" || fail "no sentence: $(cat "$work/error")"
cmp "$work/a.wpilog" "$work/kept" || fail "the file was overwritten"
run --seed 2 --record "$work/a.wpilog" --overwrite >/dev/null
cmp "$work/a.wpilog" "$work/c.wpilog" || fail "--overwrite does not replace the file"

# Over a network: what the program knows of its robot, and no truth.
"$HALYARD_BINARY" board xrp --world xrp-line --listen 127.0.0.1:0 --duration 60 >"$work/board" &
board=$!
trap 'kill $board 2>/dev/null || true; rm -rf "$work"' EXIT
until grep -q "^halyard: ready " "$work/board"; do sleep 0.05; done
address=xrp://$(sed -n 's/^halyard: ready udp=\([^ ]*\).*/\1/p' "$work/board")
status=0
"$program" "$address" --enable --duration 2 --record "$work/d.wpilog" >/dev/null 2>"$work/error" || status=$?
[ $status -eq 0 ] || fail "over a network: $status, $(cat "$work/error")"
for channel in NT:/Robot/Sensors/Encoders NT:/Robot/Motors NT:/Robot/Link/StatusRate DS:enabled DS:autonomous DS:test systemTime messages; do
    grep -aq "$channel" "$work/d.wpilog" || fail "the log of a run over a network has no $channel"
done
if grep -aq "/Truth/" "$work/d.wpilog"; then fail "a program over a network knows no truth"; fi
"$HALYARD_BINARY" drive "$address" --duration 1 --record "$work/e.wpilog" </dev/null >/dev/null 2>"$work/error" || fail "drive: $(cat "$work/error")"
grep -aq NT:/Robot/Motors "$work/e.wpilog" || fail "the log of drive has no motors"
status=0
"$program" "$address" --enable --record "$work/d.wpilog" 2>"$work/error" || status=$?
[ $status -eq 2 ] && grep -q "exists already" "$work/error" || fail "over a network, a file that is there: $status, $(cat "$work/error")"
status=0
run --overwrite 2>"$work/error" || status=$?
[ $status -eq 2 ] && grep -q "needs --record FILE" "$work/error" || fail "--overwrite without --record: $status"
mkfifo "$work/pipe"
status=0
timeout 60 "$program" --sim xrp-line --speed max --duration 5 --record "$work/pipe" --overwrite 2>"$work/error" || status=$?
[ $status -eq 2 ] && grep -q "pipe: not a regular file" "$work/error" || fail "a named pipe: $status, $(cat "$work/error")"
status=0
(ulimit -f 40 && run --record "$work/limited.wpilog") >"$work/full" 2>"$work/error" || status=$?
[ $status -eq 1 ] && grep -q "File too large" "$work/error" || fail "a limit of the size of files: $status, $(cat "$work/error")"
status=0
(ulimit -f 40 && "$program" --replay "$work/a.wpilog" --record "$work/copy.wpilog") >"$work/full" 2>"$work/error" || status=$?
[ $status -eq 2 ] && grep -q "copy.wpilog: not all of it could be written" "$work/error" && [ ! -e "$work/copy.wpilog" ] || fail "a copy under that limit: $status, $(cat "$work/error")"
if [ -c /dev/full ]; then
    status=0
    run --record /dev/full --overwrite >"$work/full" 2>"$work/error" || status=$?
    [ $status -eq 1 ] && grep -q "No space left on device" "$work/error" || fail "a full disk: $status, $(cat "$work/error")"
fi
