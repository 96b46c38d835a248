#!/bin/sh
# Log files that are not as they should be, or use more than most do: what can be read of them is exported, and what not is said.
set -eu

halyard=${HALYARD_BINARY:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$work/log.wpilog

fail() {
    echo "test_odd_logs: $*; it says: $(cat "$work/error")" >&2
    exit 1
}

# le NUMBER BYTES: little-endian.
le() {
    number=$1
    for _ in $(seq "$2"); do
        # shellcheck disable=SC2059
        printf "\\$(printf %03o $((number & 255)))"
        number=$((number >> 8))
    done
}

# record ENTRY TIME SIZE: what is in front of its value.
record() {
    le 127 1
    le "$1" 4
    le "$3" 4
    le "$2" 8
}

# start ENTRY NAME TYPE
start() {
    record 0 0 $((17 + ${#2} + ${#3}))
    le 0 1
    le "$1" 4
    le ${#2} 4
    printf %s "$2"
    le ${#3} 4
    printf %s "$3"
    le 0 4
}

header() {
    printf 'WPILOG\000\001\000\000\000\000'
}

# text ENTRY TIME TEXT
text() {
    record "$1" "$2" ${#3}
    printf %s "$3"
}

# int ENTRY TIME NUMBER
int() {
    record "$1" "$2" 8
    le "$3" 8
}

# export_says STATUS LINE...: the export of the log has these lines, and no others.
export_says() {
    wanted=$1
    shift
    status=0
    "$halyard" replay "$log" --export csv >"$work/csv" 2>"$work/error" || status=$?
    [ $status -eq "$wanted" ] || fail "the export ended with $status"
    printf '%s\n' Timestamp,Key,Value "$@" | diff - "$work/csv" >&2 || fail "the export is another one"
}

error_has() {
    grep -qF -e "$1" "$work/error" || fail "nothing says '$1'"
}

# A record that cannot be read, between two values.
{
    header
    start 1 NT:/a int64
    int 1 1000000 5
    record 0 1500000 3
    printf abc
    int 1 2000000 6
} >"$log"
export_says 0 "1.000000,NT:/a,5" "2.000000,NT:/a,6"
error_has "1 record cannot be read and is skipped, the first at offset $((12 + 44 + 25)): it is too short for a control record"

# ControlWord of WPILib 2027, characters, and a struct whose schema comes last; a struct without one and raw bytes are named.
{
    header
    start 1 NT:/.schema/struct:ControlWord structschema
    text 1 0 "uint64 opModeHash:56;enum{unknown=0,autonomous=1,teleoperated=2,utility=3}uint64 robotMode:2;bool enabled:1;bool eStop:1"
    start 2 NT:/DS struct:ControlWord
    int 2 1000000 $((7 | 2 << 56 | 1 << 58))
    start 3 NT:/Named struct:Named
    text 3 2000000 "abXY"
    start 4 NT:/Lost struct:Missing
    text 4 2000000 "abcd"
    text 4 2000000 "abcd"
    start 5 NT:/Raw raw
    text 5 2000000 "x"
    start 6 /.schema/struct:Named structschema
    text 6 3000000 "char name[2]; Inner i"
    start 7 /.schema/struct:Inner structschema
    text 7 3000000 "uint8 x;int8 y;"
} >"$log"
export_says 0 "1.000000,NT:/DS/opModeHash,7" "1.000000,NT:/DS/robotMode,2" "1.000000,NT:/DS/enabled,true" "1.000000,NT:/DS/eStop,false" \
    '2.000000,NT:/Named/name,"ab"' "2.000000,NT:/Named/i/x,88" "2.000000,NT:/Named/i/y,89"
error_has "3 values of 2 channels are left out"
error_has ": NT:/Lost, NT:/Raw"

# One value at a wild time.
{
    header
    start 1 NT:/a int64
    start 2 NT:/wild int64
    for at in 1 2 3 4 5 6; do
        int 1 ${at}000000 $at
    done
    int 2 1000000000000000 9
    int 1 7000000 7
} >"$log"
export_says 0 "1.000000,NT:/a,1" "2.000000,NT:/a,2" "3.000000,NT:/a,3" "4.000000,NT:/a,4" "5.000000,NT:/a,5" "6.000000,NT:/a,6" "7.000000,NT:/a,7"
error_has "1 value is left out, for the others are far away, from 1.000 s to 7.000 s: the first is of 'NT:/wild', at 1000000000.000 s"
"$halyard" replay "$log" --export csv --from 8 2>"$work/error" | grep -qxF "1000000000.000000,NT:/wild,9" || fail "--from does not export an outlier"
[ ! -s "$work/error" ] || fail "something is said of an outlier that was asked for"

# Files that are packed.
for packed in '\3757zXZ\000:xz -d' '\037\213\010:gzip -d' '(\265/\375:zstd -d' 'BZh9:bzip2 -d' 'PK\003\004:unzip'; do
    # shellcheck disable=SC2059
    printf "${packed%%:*}rest" >"$log"
    status=0
    "$halyard" replay "$log" --export csv >/dev/null 2>"$work/error" || status=$?
    [ $status -eq 1 ] || fail "a packed file ended the export with $status"
    error_has "unpack it with ${packed#*:}"
    status=0
    "$halyard" replay "$log" --verify 2>"$work/error" || status=$?
    [ $status -eq 2 ] || fail "a packed file ended --verify with $status"
    error_has "unpack it with ${packed#*:}"
    "$halyard" calibrate --from "$log" --out "$work/robot.yaml" 2>"$work/error" && fail "a packed file is calibrated"
    error_has "unpack it with ${packed#*:}"
done
