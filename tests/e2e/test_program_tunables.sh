#!/bin/sh
# --save-tunables and --tunables of a robot program: what was kept is what the next run begins with.
set -eu

program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "test_program_tunables: $*" >&2
    exit 1
}

run() {
    "$program" --sim xrp-line --speed max --duration 5 "$@"
}

# refuses "SENTENCE" TEXT: a file with that text ends the program before it begins.
refuses() {
    printf "$2" >"$work/bad.yaml"
    status=0
    run --tunables "$work/bad.yaml" >"$work/out" 2>"$work/error" || status=$?
    [ $status -eq 2 ] || fail "exit status $status for: $2"
    [ "$(wc -l <"$work/error")" -eq 1 ] || fail "more than one sentence: $(cat "$work/error")"
    grep -q "$1" "$work/error" || fail "$(cat "$work/error")"
}

run >"$work/default"
run --record "$work/a.wpilog" --save-tunables "$work/kept.yaml" >"$work/saving"
cmp "$work/default" "$work/saving" || fail "mismatch: saving changes the run"
grep -q '  - name: "kP"' "$work/kept.yaml" && grep -q '    value: 0.15$' "$work/kept.yaml" || fail "$(cat "$work/kept.yaml")"
run --tunables "$work/kept.yaml" >"$work/again"
cmp "$work/default" "$work/again" || fail "mismatch: the kept values are not those of the run"

sed 's/0\.15$/0.3/' "$work/kept.yaml" >"$work/other.yaml"
run --tunables "$work/other.yaml" >"$work/changed"
if cmp -s "$work/default" "$work/changed"; then fail "--tunables changes nothing"; fi
run --record "$work/b.wpilog" --tunables "$work/other.yaml" --save-tunables "$work/kept.yaml" >/dev/null
cmp "$work/other.yaml" "$work/kept.yaml" || fail "mismatch: what was read is not what was kept: $(cat "$work/kept.yaml")"
sed 's/0\.15$/7/; s/0\.3$/7/' "$work/kept.yaml" >"$work/high.yaml"
run --record "$work/c.wpilog" --tunables "$work/high.yaml" --save-tunables "$work/high.yaml" >/dev/null
grep -q 'value: 2$' "$work/high.yaml" || fail "a value beyond the limits: $(cat "$work/high.yaml")"
printf 'tunables:\n  - {name: gone, value: 1}\n' >"$work/gone.yaml"
run --tunables "$work/gone.yaml" >"$work/again"
cmp "$work/default" "$work/again" || fail "mismatch: a tunable that the program lacks changes the run"

refuses "bad.yaml:3:12: .*number" 'tunables:\n  - name: kP\n    value: fast\n'
refuses "bad.yaml:2:" 'tunables:\n  - name: kP\n'
refuses "bad.yaml:2:" 'tunables:\n  - {name: kP, valve: 1}\n'
refuses "bad.yaml:" 'tunables: {\n'
refuses "bad.yaml:" ''
status=0
run --tunables "$work/none.yaml" 2>"$work/error" || status=$?
[ $status -eq 2 ] && grep -q "none.yaml: .*cannot be opened" "$work/error" || fail "a file that is not there: $status"
status=0
"$program" --tunables "$work/none.yaml" --enable 2>"$work/error" || status=$?
[ $status -eq 2 ] && grep -q "none.yaml: .*cannot be opened" "$work/error" || fail "over a network: $status"
status=0
run --record "$work/d.wpilog" --save-tunables "$work/no/folder.yaml" >/dev/null 2>"$work/error" || status=$?
[ $status -eq 1 ] && grep -q "cannot be saved" "$work/error" || fail "a folder that is not there: $status"
run --save-tunables "$work/plain.yaml" >"$work/again" || fail "nothing is published: $?"
cmp "$work/default" "$work/again" || fail "mismatch: saving changes a run that publishes nothing"
grep -q '    value: 0.15$' "$work/plain.yaml" || fail "$(cat "$work/plain.yaml")"
status=0
"${program%/*}/wall_stop" --sim xrp-open --speed max --duration 1 --save-tunables "$work/nothing.yaml" >/dev/null 2>"$work/error" || status=$?
[ $status -eq 1 ] && grep -q "no tunables to save" "$work/error" && [ ! -e "$work/nothing.yaml" ] || fail "a program without tunables: $status"
