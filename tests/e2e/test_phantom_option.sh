#!/bin/sh
# --phantom with files that are whole, cut, of another world, of another program, and not there.
#
#   test_phantom_option.sh HALYARD RECORDINGS PROGRAM BEAT_THIS
set -eu

halyard=$1
recordings=$2
program=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "test_phantom_option: $*"
    cat "$work/errors"
    exit 1
}

# board STATUS SENTENCE OPTION...: runs a robot on the line with these options; SENTENCE "" wants none about phantoms.
board() {
    expected=$1
    sentence=$2
    shift 2
    status=0
    HALYARD_TOKEN=0123456789abcdef0123456789abcdef "$halyard" board xrp --world xrp-line --listen 127.0.0.1:0 --duration 0.2 "$@" \
        >"$work/output" 2>"$work/errors" || status=$?
    [ $status -eq "$expected" ] || fail "$*: exit status $status instead of $expected"
    if [ -n "$sentence" ]; then
        [ "$(grep -c -- "$sentence" "$work/errors")" -eq 1 ] || fail "$*: not one sentence with '$sentence'"
    elif grep -q phantom "$work/errors"; then
        fail "$*: a sentence about phantoms"
    fi
}

line=$recordings/xrp-line.wpilog
head -c 90000 "$line" >"$work/cut.wpilog"
printf 'no log' >"$work/text.wpilog"
: >"$work/empty.wpilog"
mkdir "$work/page"
echo page >"$work/page/index.html"
page="--view=127.0.0.1:0 --page $work/page"
board 0 "" $page --phantom "$line" --phantom "$line"
board 0 "cut.wpilog: behind offset [0-9]* nothing can be read" $page --phantom "$work/cut.wpilog"
board 0 "recorded in the world .*; it is not shown" $page --phantom "$recordings/xrp-square.wpilog" --phantom "$line"
board 0 "empty.wpilog: it is no log file .*; it is not shown" $page --phantom "$work/empty.wpilog"
board 0 "text.wpilog: it is no log file .*; it is not shown" $page --phantom "$work/text.wpilog"
board 0 "datalog.wpilog: .*; it is not shown" $page --phantom "$recordings/../golden/wpilib/datalog.wpilog"
board 2 "phantom needs --view" --phantom "$line"
board 2 "gone.wpilog: cannot be opened" $page --phantom "$work/gone.wpilog"

# run STATUS SENTENCE OPTION...: the same with a robot program.
run() {
    expected=$1
    sentence=$2
    shift 2
    status=0
    "$program" --sim xrp-line --duration 0.2 "$@" >"$work/output" 2>"$work/errors" </dev/null || status=$?
    [ $status -eq "$expected" ] || fail "a program with $*: exit status $status instead of $expected"
    if [ -n "$sentence" ]; then
        [ "$(grep -c -- "$sentence" "$work/errors")" -eq 1 ] || fail "a program with $*: not one sentence with '$sentence'"
    elif grep -q phantom "$work/errors"; then
        fail "a program with $*: a sentence about phantoms"
    fi
}

run 0 "" --view=127.0.0.1:0 --phantom "$line" --phantom "$line"
run 0 "recorded in the world .*; it is not shown" --view=127.0.0.1:0 --phantom "$recordings/xrp-square.wpilog" --phantom "$line"
run 0 "empty.wpilog: it is no log file .*; it is not shown" --view=127.0.0.1:0 --phantom "$work/empty.wpilog"
run 2 "phantom needs --view" --phantom "$line"
run 2 "phantom needs a value" --view=127.0.0.1:0 --phantom
run 2 "gone.wpilog: cannot be opened" --view=127.0.0.1:0 --phantom "$work/gone.wpilog"
# The run that comes with Halyard (not with sanitizers).
if [ -e "$4" ]; then
    run 0 "" --view=127.0.0.1:0 --phantom "$4"
    "$halyard" replay "$4" --verify >/dev/null 2>&1 || fail "mismatch: the run that comes with Halyard is of another version"
fi
echo "whole files are shown; of each other one a sentence says what is wrong"
