#!/bin/sh
# Makes the recordings of tests/replay again, with the programs in build/. To be run, and committed with the change, when the
# physics, a byte form or the version has changed on purpose.
#
#   tools/make_replays.sh [FOLDER]
#
# BUILD=build/debug takes the robot programs from there.
set -eu

cd "$(dirname "$0")/.."
out=${1:-tests/replay}
halyard=build/halyard
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT

# program NAME EXAMPLE OPTION...: an example in simulated time.
program() {
    name=$1
    example=$2
    shift 2
    "${BUILD:-build}"/examples/"$example" --speed max --overwrite --record "$out/$name.wpilog" "$@" >/dev/null
}

# board NAME ROBOT SCRIPT OPTION...: a virtual robot that a script drives over UDP, in real time.
board() {
    name=$1
    robot=$2
    printf '%s\n' "$3" >"$work/script"
    shift 3
    "$halyard" board "$robot" --listen 127.0.0.1:0 --duration 3 --overwrite --record "$out/$name.wpilog" "$@" >"$work/ready" 2>/dev/null &
    pid=$!
    until grep -q "^halyard: ready " "$work/ready"; do sleep 0.05; done
    address=$robot://$(sed -n 's/^halyard: ready udp=\([^ ]*\).*/\1/p' "$work/ready")
    "$halyard" drive "$address" --script "$work/script" >/dev/null 2>&1 || true # it may end after the board
    wait $pid
}

# match NAME SECONDS OPTION...: robots that play by themselves, in real time.
match() {
    name=$1
    seconds=$2
    shift 2
    status=0
    timeout -s INT "$seconds" "$halyard" play --scripted --listen 127.0.0.1:0 --shift 12457 --overwrite --record "$out/$name.wpilog" "$@" \
        </dev/null >/dev/null 2>&1 || status=$?
    [ $status -eq 124 ] || [ $status -eq 0 ] || exit 1
}

program xrp-line line_follow --sim xrp-line --duration 3
program xrp-line-noise line_follow --sim xrp-line --duration 3 --seed 77
program xrp-line-bad-wifi line_follow --sim xrp-line --duration 3 --faults bad-wifi
program xrp-line-defects line_follow --sim xrp-line --duration 3 --faults dying-battery,reboot=2s,outage=1s+300ms
program xrp-wall wall_stop --sim xrp-course --duration 3
program xrp-square drive_square --sim xrp-open --duration 4
program xrp-trajectory trajectory --sim xrp-open --duration 4
# Run again as programs, too (test_recorded_programs), with faults and another seed.
program program-line line_follow --sim xrp-line --duration 2 --seed 5 --faults bad-wifi,reboot=1s
program program-trajectory trajectory --sim xrp-open --duration 2
program program-swerve swerve_auto --sim teensy-field --duration 2
program teensy-trajectory swerve_auto --sim teensy-field --duration 3
board xrp-bumps xrp "0.2 enable
+0 drive 1 1
+1.2 drive -1 0.3
+1 disable" --press 0.5:1
board xrp-stock-bugs xrp "0.2 enable
+0 drive 0.6 0.5
+1 drive -0.2 0.7" --bugs stock --hardware beta --encoder short --faults jitter=60ms,loss=20%
board teensy-square teensy "0.2 enable
+0 motor 0 0.5
+0 motor 2 0.5
+1 motor 1 0.3" --seed 4
match match-two 4 --players 2
match match-guests 4 --players 1 --board xrp@127.0.0.1:0 --board teensy@127.0.0.1:0
# One whose program was killed: it ends somewhere in a record.
head -c 60011 "$out/xrp-square.wpilog" >"$out/cut.wpilog"
for file in "$out"/*.wpilog; do
    "$halyard" replay "$file" --verify 2>/dev/null
done
