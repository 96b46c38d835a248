#!/bin/sh
# --record of board and sim: a log file that begins as one, that is the same for equal runs, and that no other run overwrites unless asked.
set -eu

halyard=${HALYARD_BINARY:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "test_record_option: $*" >&2
    exit 1
}

# ends_with STATUS TEXT COMMAND...: its exit status, and what it says on standard error.
ends_with() {
    wanted=$1
    text=$2
    shift 2
    status=0
    timeout 60 "$halyard" "$@" >/dev/null 2>"$work/error" || status=$?
    [ $status -eq "$wanted" ] || fail "'$*' ended with $status: $(cat "$work/error")"
    grep -q "$text" "$work/error" || fail "'$*' does not say '$text': $(cat "$work/error")"
}

board="board xrp --listen 127.0.0.1:0 --duration 0.5"

# record_sim FILE: five simulated seconds. Other tests use ports that end with 0 or 5, and this one such that end with 7.
record_sim() {
    for try in 1 2 3 4 5 6; do
        shift_by=$((12007 + ($$ + try) % 60 * 100))
        status=0
        "$halyard" sim --players 2 --speed max --duration 5 --shift $shift_by --record "$1" >/dev/null 2>"$work/error" || status=$?
        [ $status -ne 0 ] && grep -q "in use" "$work/error" || break
        rm -f "$1"
    done
    [ $status -eq 0 ] || fail "sim ended with $status: $(cat "$work/error")"
}

ends_with 0 "ran" $board --record "$work/board.wpilog"
[ "$(head -c 6 "$work/board.wpilog")" = WPILOG ] || fail "the board's file is no log"
ends_with 0 "ran" $board --pwm 50 --robot 7 --bugs stock --record "$work/asked.wpilog"
grep -aqF -e "--robot 7 --pwm 50 --bugs stock" "$work/asked.wpilog" || fail "the board's file does not say which robot it is"
grep -aq "NT:/Robot/Truth/Pose" "$work/board.wpilog" || fail "the board's file has no pose"
ends_with 2 "board.wpilog: the file exists already" $board --record "$work/board.wpilog"
ends_with 0 "ran" $board --record "$work/board.wpilog" --overwrite
ends_with 2 "needs --record FILE" $board --overwrite

# A limit of the size of files is like a full disk: the run goes on to its end, and a sentence says what is missing.
(
    ulimit -f 40
    ends_with 1 "truth.jsonl: not all of it could be written" $board --duration 1 --truth "$work/truth.jsonl"
    grep -q "ran 1" "$work/error" || fail "the run did not go on without its file: $(cat "$work/error")"
    ends_with 1 "limited.wpilog" $board --duration 1 --record "$work/limited.wpilog"
    grep -q "File too large" "$work/error" && grep -q "ran 1" "$work/error" || fail "--record: $(cat "$work/error")"
)
ends_with 2 "name the same file" $board --record "$work/both" --truth "$work/both"
ends_with 2 "record-lidar needs --record FILE" $board --record-lidar
grep -aq systemTime "$work/board.wpilog" || fail "the file of a run in real time does not say when that was"
! grep -aq "scanner/Points" "$work/board.wpilog" || fail "lidar points are recorded without --record-lidar"
mkdir "$work/folder-of-ann"
cp "${HALYARD_TEST_DATA:?}/../worlds/xrp-line.yaml" "$work/folder-of-ann/mine.yaml"
HALYARD_SECRET=word-of-ann ends_with 0 "ran" $board --world "$work/folder-of-ann/mine.yaml" --record "$work/mine.wpilog"
grep -aq "mine.yaml" "$work/mine.wpilog" || fail "the file does not name its world"
! grep -aq "of-ann" "$work/mine.wpilog" || fail "the file has the path of its world, or the environment"
ends_with 0 "ran" $board --world xrp-sensors --record "$work/lidar.wpilog" --record-lidar
grep -aq "NT:/Robot/Sensors/scanner/Points" "$work/lidar.wpilog" || fail "--record-lidar records no points"
ends_with 1 "cannot be written (No such" $board --record "$work/nowhere/board.wpilog"
mkfifo "$work/pipe.wpilog"
ends_with 2 "pipe.wpilog: not a regular file" $board --record "$work/pipe.wpilog" --overwrite
ends_with 2 "pipe.wpilog: not a regular file" sim --record "$work/pipe.wpilog" --overwrite --duration 1

# Over a network a program counts what its --faults did, under the names that a simulation has.
"$halyard" board xrp --listen 127.0.0.1:0 --duration 20 >"$work/ready" &
board_pid=$!
for try in $(seq 200); do
    grep -q "^halyard: ready" "$work/ready" && break
    sleep 0.05
done
address=$(sed -n 's/.* udp=\([^ ]*\).*/\1/p' "$work/ready")
printf '0.2 enable\n+0 drive 0.4 0.4\n+1 quit\n' >"$work/script"
"$halyard" drive "xrp://$address" --faults loss=50% --script "$work/script" --record "$work/drive.wpilog" >/dev/null 2>"$work/error" ||
    fail "drive ended with $?: $(cat "$work/error")"
kill $board_pid
"$halyard" replay "$work/drive.wpilog" --export csv >"$work/csv" 2>/dev/null
for count in ToRobot/arrived ToRobot/lost FromRobot/arrived FromRobot/lost; do
    awk -F, -v name="NT:/Robot/Faults/$count" '$2 == name { last = $3 } END { exit last + 0 < 5 }' "$work/csv" || fail "$count is not counted"
done

# A board that stood still goes on where it was, and says again what the clock of the day shows.
"$halyard" board xrp --listen 127.0.0.1:0 --duration 60 --record "$work/stalled.wpilog" >"$work/ready" 2>"$work/error" &
board_pid=$!
for try in $(seq 200); do
    grep -aqs systemTime "$work/stalled.wpilog" && break
    sleep 0.05
done
kill -STOP $board_pid
sleep 1
kill -CONT $board_pid
for try in $(seq 200); do
    grep -q "host stalled" "$work/error" && break
    sleep 0.05
done
sleep 0.2
kill $board_pid
wait $board_pid || true
"$halyard" replay "$work/stalled.wpilog" --export csv 2>/dev/null | awk -F, '
    $2 == "systemTime" { apart = $3 / 1e6 - $1; if (!count++) first = apart; last = apart }
    END { exit !(count > 1 && last - first > 0.5) }' || fail "a stalled board does not say what time it is: $(cat "$work/error")"

record_sim "$work/a.wpilog"
record_sim "$work/b.wpilog"
! grep -aq systemTime "$work/a.wpilog" || fail "a file of simulated time has a date"
verify() {
    "$halyard" replay "$1" --verify 2>"$work/error" || fail "mismatch: $1 differs from what it recorded: $(cat "$work/error")"
}
verify "$work/board.wpilog" | grep -q ": [0-9]* hashes agree" || fail "the board's file has no hashes"
verify "$work/a.wpilog" >/dev/null
values() { # without the recorded inputs, which say when they arrived
    "$halyard" replay "$1" --export csv 2>/dev/null | grep -v ",/Halyard/"
}
head -c $(($(wc -c <"$work/a.wpilog") - 1)) "$work/a.wpilog" >"$work/cut.wpilog" # at a fixed size a record may happen to end
values "$work/a.wpilog" >"$work/a"
grep -qxF '0.000000,/Metadata/Options,"--players 2"' "$work/a" || fail "the file does not say how the sim was asked: $(grep Metadata "$work/a")"
grep -q "NT:/Robot2/Truth/Pose/translation/x," "$work/a" || fail "no values in: $(head -3 "$work/a")"
values "$work/b.wpilog" | cmp - "$work/a" || fail "mismatch: equal runs of sim give different values"
"$halyard" replay "$work/a.wpilog" --export csv --from 2 --to 3 2>/dev/null | awk -F, 'NR > 1 && ($1 < 2 || $1 > 3) { exit 1 } END { exit NR < 100 }' ||
    fail "--from and --to choose something else"
ends_with 2 "leave out --verify" replay "$work/a.wpilog" --from 2 --verify
ends_with 2 "nothing is left" replay "$work/a.wpilog" --from 2 --to 1
mkdir "$work/page"
echo page >"$work/page/index.html"
ends_with 1 "leave nothing of it" replay "$work/a.wpilog" --view=127.0.0.1:0 --page "$work/page" --from 2000
ends_with 2 "do not go together" replay "$work/a.wpilog" --verify --export csv
ends_with 1 "no log file" replay "$0" --export csv
foreign=$(dirname "$0")/../../fuzz/corpus/fuzz_wpilog/every_kind
"$halyard" replay "$foreign" --export csv 2>/dev/null >"$work/foreign"
for line in '507.341157,int64s/3,4644123440725764753' '0.905794,texts/1,"é€"' '0.737066,boolean,true' '0.905794,float,-0.0515365452' \
    '83892.611732,string,"""quoted""|a||"'; do
    grep -qxF -e "$line" "$work/foreign" || fail "a foreign file is exported without $line"
done
ends_with 0 "behind offset" replay "$work/cut.wpilog" --export csv
ends_with 2 "no hashes\|no log file" replay "$0" --verify
ends_with 2 "No such file" replay "$work/nowhere.wpilog" --verify
grep -aq "NT:/Match/Blue" "$work/a.wpilog" || fail "the sim's file has no score"
