#!/bin/sh
# --replay of a robot program: equal, changed, with hidden clocks and chance, over a network, killed, cut and damaged.
set -eu

program=$1
other=$2
work=$(mktemp -d)
board=
stopped=
trap 'kill -9 $board $stopped 2>/dev/null || true; rm -rf "$work"' EXIT

fail() {
    echo "test_program_replay: $*" >&2
    exit 1
}

# record VERSION FILE OPTION...: a run in simulated time.
record() {
    version=$1
    file=$2
    shift 2
    "$program" "$version" --sim xrp-line --speed max --duration 5 --record "$work/$file" --overwrite "$@" >/dev/null
}

# replay STATUS SENTENCE VERSION FILE OPTION...
replay() {
    wanted=$1
    sentence=$2
    version=$3
    file=$4
    shift 4
    status=0
    timeout 60 "$program" "$version" --replay "$work/$file" "$@" >"$work/said" 2>&1 || status=$?
    [ $status -eq "$wanted" ] || fail "$version, $file: status $status instead of $wanted: $(cat "$work/said")"
    grep -q "$sentence" "$work/said" || fail "$version, $file: '$sentence' is not in: $(cat "$work/said")"
    [ "$(wc -l <"$work/said")" -eq 1 ] || fail "$version, $file: more than one line: $(cat "$work/said")"
}

record plain a.wpilog
replay 0 "a.wpilog: 250 loops are equal, up to 5.000 s$" plain a.wpilog

# Changed code: the first loop is named, with what differs, recorded and now.
replay 1 "loop [0-9]* ([0-9.]* s), robot 1: motor [01]: recorded 0.[0-9]*, now 0.[0-9]*; [0-9]* of 250 loops differ" gain a.wpilog
replay 1 "loop 100 ([0-9.]* s), robot 1: motors, servos and LED: recorded" late a.wpilog
replay 1 "teleop periodic: /SmartDashboard/more: not recorded, now 0.*; 2[0-9]* of 250 loops differ" more a.wpilog
replay 1 'teleop periodic: what it says: recorded "[-0-9.]*", now "[-0-9.]* in all"' words a.wpilog
record more more.wpilog
replay 1 "/SmartDashboard/more: recorded, now not published" plain more.wpilog

# The dialect of the recording is that of the replay.
record plain new.wpilog --nt-dialect 2027
replay 0 "new.wpilog: 250 loops are equal, up to 5.000 s$" plain new.wpilog
replay 1 "teleop periodic: /Telemetry/more: not recorded, now 0" more new.wpilog

# What the program does now beside what it did then.
replay 1 "loops differ" gain a.wpilog --record "$work/copy.wpilog"
"$HALYARD_BINARY" replay "$work/copy.wpilog" --export csv >"$work/csv"
for channel in NT:/Replay/Robot/Motors NT:/Replay/SmartDashboard/sum NT:/Replay/SmartDashboard/pose/translation/x /Replay/messages NT:/SmartDashboard/sum; do
    grep -q ",$channel[/,]" "$work/csv" || fail "the copy has no $channel"
done
"$HALYARD_BINARY" replay "$work/copy.wpilog" --verify >/dev/null 2>&1 || fail "mismatch: the copy cannot be verified"
status=0
"$program" gain --replay "$work/a.wpilog" --record "$work/copy.wpilog" >"$work/said" 2>&1 || status=$?
[ $status -eq 2 ] && grep -q "exists already" "$work/said" || fail "a copy that is there: $status"
cp "$work/a.wpilog" "$work/self.wpilog"
replay 0 "equal" plain self.wpilog --record "$work/self.wpilog" --overwrite
replay 0 "equal" plain self.wpilog

# Tunables of a file, and a program that supervises itself.
printf 'tunables:\n  - {name: bias, value: 0.125}\n' >"$work/bias.yaml"
record plain tuned.wpilog --tunables "$work/bias.yaml"
replay 0 "250 loops are equal" plain tuned.wpilog
record supervised own.wpilog
replay 0 "10[01] loops are equal" supervised own.wpilog

# What no recording has shows as a difference, and the usual causes are named.
for version in clock halyard-clock; do
    record $version unrecorded.wpilog
    replay 1 "loops differ.* such as rand() or time(): docs/guide/replay.md" $version unrecorded.wpilog
done

# A run over a network, which ends in order; and one that is killed.
"$HALYARD_BINARY" board xrp --world xrp-line --listen 127.0.0.1:0 --duration 300 >"$work/board" &
board=$!
until grep -q "^halyard: ready " "$work/board"; do sleep 0.05; done
address=xrp://$(sed -n 's/^halyard: ready udp=\([^ ]*\).*/\1/p' "$work/board")
"$program" plain "$address" --enable --duration 2 --record "$work/udp.wpilog" >/dev/null 2>&1 || true # a busy machine may disable it
replay 0 "[0-9]* loops are equal" plain udp.wpilog
replay 1 "loops differ" words udp.wpilog
"$program" plain "$address" --enable --record "$work/killed.wpilog" >/dev/null 2>&1 &
pid=$!
while [ "$(wc -c <"$work/killed.wpilog" 2>/dev/null || echo 0)" -lt 20000 ] && kill -0 $pid 2>/dev/null; do sleep 0.05; done
kill -9 $pid
wait $pid 2>/dev/null || true
replay 0 "[0-9]* loops are equal, up to [0-9.]* s; \(behind offset\|the recording ends at offset\) [0-9]*" plain killed.wpilog
for bytes in 40000 60000 80000 100000 500000; do # behind the setup and the names of 30,000, that is
    rm -f "$work/killed.wpilog" # whose size must not be taken for that of the next one
    "$program" plain --sim xrp-line --speed max --duration 100000 --record "$work/killed.wpilog" >/dev/null 2>&1 &
    pid=$!
    while [ "$(wc -c <"$work/killed.wpilog" 2>/dev/null || echo 0)" -lt $bytes ] && kill -0 $pid 2>/dev/null; do :; done
    kill -9 $pid
    wait $pid 2>/dev/null || true
    replay 0 "[0-9]* loops are equal, up to [0-9.]* s; " plain killed.wpilog
done

# A call that never returns ends the replay; one that lasts as long because the whole program is stopped, as in a debugger, does not.
"$program" stopped --replay "$work/a.wpilog" >"$work/stopped" 2>&1 &
stopped=$!
status=0
timeout 60 "$program" endless --replay "$work/a.wpilog" >"$work/said" 2>&1 || status=$?
[ $status -eq 1 ] && grep -q "robot periodic never returned" "$work/said" || fail "endless: $status, $(cat "$work/said")"
kill -CONT $stopped
status=0
wait $stopped || status=$?
stopped=
[ $status -eq 0 ] && grep -q "a.wpilog: 250 loops are equal" "$work/stopped" && [ "$(wc -l <"$work/stopped")" -eq 1 ] ||
    fail "stopped: $status, $(cat "$work/stopped")"

# Cut, damaged and foreign files.
head -c 30000 "$work/a.wpilog" >"$work/cut.wpilog"
replay 0 "loops are equal, up to [0-9.]* s; behind offset 2[0-9]* nothing can be read: the file ends in a record$" plain cut.wpilog
head -c 500 "$work/a.wpilog" >"$work/short.wpilog"
replay 2 "it has no inputs of a robot program" plain short.wpilog
"$other" --sim xrp-line --speed max --duration 1 --record "$work/other.wpilog" >/dev/null
replay 1 "it is a recording of another program: 'line_follow' with xrp" plain other.wpilog
echo nothing >"$work/foreign.wpilog"
replay 2 "it is no log file (WPILOG)" plain foreign.wpilog
: >"$work/empty.wpilog"
replay 2 "it is no log file (WPILOG)" plain empty.wpilog
replay 2 "cannot be opened" plain none.wpilog
status=0
"$program" plain --replay "$work/a.wpilog" --sim xrp-line >"$work/said" 2>&1 || status=$?
[ $status -eq 2 ] && grep -q "leave --sim out" "$work/said" || fail "--replay with --sim: $status"

# What if: the recorded simulation with a program in it. The same program gives the same run, also with faults; another one another.
what_if() {
    wanted=$1
    sentence=$2
    shift 2
    status=0
    "$@" >"$work/said" 2>&1 || status=$?
    [ $status -eq "$wanted" ] || fail "$*: status $status instead of $wanted: $(cat "$work/said")"
    grep -q "$sentence" "$work/said" || fail "$*: '$sentence' is not in: $(cat "$work/said")"
}
what_if 0 "all 500 steps are equal, bit for bit" "$program" plain --what-if "$work/a.wpilog"
what_if 0 "different from step [0-9]* of 500 on" "$program" gain --what-if "$work/a.wpilog" --record "$work/now.wpilog"
"$HALYARD_BINARY" replay "$work/now.wpilog" --verify >/dev/null 2>&1 || fail "mismatch: what was recorded cannot be verified"
record plain faults.wpilog --faults bad-wifi,reboot=2s --seed 9
what_if 0 "all 500 steps are equal, bit for bit" "$program" plain --what-if "$work/faults.wpilog"
what_if 0 "all 100 steps are equal, bit for bit" "$HALYARD_BINARY" replay "$work/other.wpilog" --with "$other"
what_if 0 "equal, bit for bit; behind offset [0-9]* nothing can be read" "$program" plain --what-if "$work/cut.wpilog"
version=$("$HALYARD_BINARY" --version | sed "s/.* //; q")
LC_ALL=C sed "s/$version/9.9.9/" "$work/a.wpilog" >"$work/later.wpilog"
what_if 2 "by version 9.9.9 of Halyard, and this is version $version" "$program" plain --what-if "$work/later.wpilog"
what_if 0 "are equal" env HALYARD_NT= "$program" plain --what-if "$work/a.wpilog"
! grep -q "ready nt" "$work/said" || fail "a what-if, which runs as fast as it can, serves NetworkTables unasked"
what_if 2 "it has no simulation" "$program" plain --what-if "$work/udp.wpilog"
what_if 2 "it is no log file (WPILOG)" "$program" plain --what-if "$work/foreign.wpilog"
what_if 2 "cannot be started" "$HALYARD_BINARY" replay "$work/a.wpilog" --with "$work/none"
what_if 2 "nobody drove robot 1" "$other" --what-if "$HALYARD_TEST_DATA/replay/match-guests.wpilog"
what_if 2 "it has no board for robot 1 of this program (XRP)" "$other" --what-if "$HALYARD_TEST_DATA/replay/match-two.wpilog"
# A robot that another program drove over UDP: twice the same.
what_if 0 "different from step" "$other" --what-if "$HALYARD_TEST_DATA/replay/xrp-bumps.wpilog"
cp "$work/said" "$work/first"
what_if 0 "different from step" "$other" --what-if "$HALYARD_TEST_DATA/replay/xrp-bumps.wpilog"
cmp "$work/said" "$work/first" || fail "mismatch: the same program gives another run"

# A match: the other players do what they did.
for try in 1 2 3 4 5 6; do
    "$HALYARD_BINARY" play --scripted --players 2 --listen 127.0.0.1:0 --shift $((12011 + ($$ + try) % 60 * 100)) \
        --board xrp@127.0.0.1:0 --record "$work/match.wpilog" --overwrite </dev/null >"$work/play" 2>&1 &
    match=$!
    until grep -q "xrp listening on" "$work/play" || ! kill -0 $match 2>/dev/null; do sleep 0.05; done
    if kill -0 $match 2>/dev/null; then break; fi # else its ports are taken
done
address=xrp://$(sed -n 's/.*xrp listening on \([0-9.:]*\).*/\1/p' "$work/play" | head -n 1)
"$other" "$address" --enable --duration 2 >/dev/null 2>&1 || true
kill $match
wait $match || true
what_if 0 "score of blue" "$program" plain --what-if "$work/match.wpilog"
what_if 0 "different from step" "$other" --what-if "$work/match.wpilog" --record "$work/again.wpilog"
for file in match again; do
    "$HALYARD_BINARY" replay "$work/$file.wpilog" --export csv 2>/dev/null | grep "/Commands/" >"$work/$file.csv" || fail "$file: no commands"
done
cmp "$work/match.csv" "$work/again.csv" || fail "mismatch: the other players do something else"
