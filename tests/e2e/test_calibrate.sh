#!/bin/sh
# `halyard calibrate`: a virtual robot from the script to a robot file that --robot takes, and what is refused.
set -eu
halyard=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "test_calibrate: $*" >&2
    exit 1
}

# refuse STATUS SENTENCE ARGUMENT...
refuse() {
    wanted=$1 sentence=$2
    shift 2
    status=0
    "$halyard" calibrate "$@" >"$folder/said" 2>&1 </dev/null || status=$?
    [ "$status" -eq "$wanted" ] || fail "$*: ended with $status: $(cat "$folder/said")"
    grep -q -- "$sentence" "$folder/said" || fail "$*: said $(cat "$folder/said")"
}

printf 'bridge: { decay: brake }\nmotors: { left_strength: 1.1 }\nwheels: { track: 1.02 }\n' >"$folder/hidden.yaml"
"$halyard" calibrate sim://xrp-open --robot "$folder/hidden.yaml" --volts 6 --out "$folder/found.yaml" \
    --record "$folder/drive.wpilog" >"$folder/report"
grep -q '^bridge: brakes; ' "$folder/report" || fail "$(cat "$folder/report")"
grep -q '^  battery: volts  *[56][0-9.]* +- ' "$folder/report" || fail "$(cat "$folder/report")"
grep -q 'bridge: inductance_h: not determined, without effect' "$folder/report" || fail "$(cat "$folder/report")"
grep -q '^  square  *[0-9.]* cm a metre, [0-9.]* degrees$' "$folder/report" || fail "$(cat "$folder/report")"
grep -q '^name: "found"' "$folder/found.yaml" || fail "$(cat "$folder/found.yaml")"
grep -q 'echoes: 1$' "$folder/found.yaml" || fail "not a typical rangefinder: $(cat "$folder/found.yaml")"
grep -q 'left_white: 0.06$' "$folder/found.yaml" || fail "no typical reflectance sensors: $(cat "$folder/found.yaml")"
grep -q 'decay: brake' "$folder/found.yaml" || fail "$(cat "$folder/found.yaml")"
echo '0 quit' >"$folder/script"
"$halyard" drive virtual --robot "$folder/found.yaml" --script "$folder/script" >"$folder/said" 2>&1 ||
    fail "--robot refuses the file: $(cat "$folder/said")"
# The ideal robot breaks away as easily as it runs, less than is tried.
grep -q '^at its bound: motors: breakaway: 0.00' "$folder/report" || fail "$(cat "$folder/report")"
python3 -c 'import sys, xml.etree.ElementTree as x; x.parse(sys.argv[1])' "$folder/found.svg" || fail "plots are no XML"
[ "$(grep -c 'class="measured"' "$folder/found.svg")" -eq 18 ] || fail "not 18 lines in the plots"

# A recording says the same as the drive; one without pivots does not know the track.
"$halyard" calibrate --from "$folder/drive.wpilog" --volts 6 --out "$folder/again.yaml" >"$folder/again"
grep -v '^sim:\|^written' "$folder/report" >"$folder/one"
grep -v 'wpilog: \|^written' "$folder/again" | diff "$folder/one" - || fail "another report from the recording"
grep -v '^name' "$folder/found.yaml" >"$folder/one"
grep -v '^name' "$folder/again.yaml" | diff "$folder/one" - || fail "another robot from the recording"
head -c 24000 "$folder/drive.wpilog" >"$folder/short.wpilog"
"$halyard" calibrate --from "$folder/short.wpilog" --volts 6 --out "$folder/short.yaml" >"$folder/report"
grep -q 'wheels: track: not determined, no turns in the recording' "$folder/report" || fail "$(cat "$folder/report")"

refuse 1 'not a log file' --from "$folder/found.yaml" --out "$folder/new.yaml"
head -c 500 "$folder/drive.wpilog" >"$folder/empty.wpilog"
refuse 1 'nothing is recorded as /Robot/' --from "$folder/empty.wpilog" --out "$folder/new.yaml"
refuse 1 'No such file' --from "$folder/nowhere" --out "$folder/new.yaml"
refuse 2 'do not go together' sim://xrp-open --from "$folder/drive.wpilog" --out "$folder/new.yaml"
refuse 2 'leave --record out' --from "$folder/drive.wpilog" --record "$folder/other" --out "$folder/new.yaml"
refuse 2 "give a robot's URL, or --from" --out "$folder/new.yaml"
refuse 1 'cannot be written' sim://xrp-open --out "$folder/nowhere/new.yaml"
refuse 1 'cannot be written' xrp://127.0.0.1:9 --record "$folder/nowhere/new.wpilog" --out "$folder/new.yaml"
refuse 1 'not a regular file' --from "$folder/drive.wpilog" --overwrite --out "$folder"
refuse 1 'the file exists already; give another name, or --overwrite' sim://xrp-open --out "$folder/found.yaml"
# Only trying shows that nothing can be made in /proc, whoever asks.
refuse 1 'proc/new.yaml: cannot be written' xrp://127.0.0.1:9 --out /proc/new.yaml
refuse 1 'proc/new.wpilog: cannot be written' xrp://127.0.0.1:9 --record /proc/new.wpilog --out "$folder/new.yaml"
refuse 2 'is the robot file or its plots' xrp://127.0.0.1:9 --record "$folder/new.svg" --out "$folder/new.yaml"
touch "$folder/other.svg"
refuse 1 'other.svg: the file exists already' sim://xrp-open --out "$folder/other.yaml"
refuse 1 'nowhere' sim://nowhere --out "$folder/new.yaml"
refuse 2 'give --yes if it has room' xrp://127.0.0.1:9 --out "$folder/new.yaml"
refuse 2 'is no XRP' teensy://127.0.0.1:9 --out "$folder/new.yaml"
refuse 2 'is for a virtual robot' xrp://127.0.0.1:9 --yes --robot 7 --out "$folder/new.yaml"
refuse 2 'out is missing' sim://xrp-open
[ ! -e "$folder/new.yaml" ] && [ ! -e "$folder/new.svg" ] || fail "a refused calibration wrote a file"
