#!/bin/sh
# The same seed gives the same run in 20 processes, in the long run in 100, and at real time; another seed another one.
set -eu

program=$1
count=20
[ "${HY_LONG:-}" != 1 ] || count=100
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() {
    "$program" --sim xrp-line --duration 3 --json "$@"
}

run --speed max --seed 5 >"$work/first"
grep -q '"hash":"[0-9a-f]\{16\}"' "$work/first" || {
    echo "test_run_processes: no hash in $(cat "$work/first")" >&2
    exit 1
}
i=0
while [ $i -lt $((count - 1)) ]; do
    run --speed max --seed 5
    i=$((i + 1))
done >"$work/others"
[ "$(sort -u "$work/others")" = "$(cat "$work/first")" ] && [ "$(wc -l <"$work/others")" -eq $((count - 1)) ] || {
    echo "test_run_processes: mismatch: not all runs are equal:" >&2
    sort "$work/others" | uniq -c >&2
    exit 1
}
run --speed 1 --seed 5 | cmp - "$work/first" || {
    echo "test_run_processes: mismatch: the run at real time is another one" >&2
    exit 1
}
if run --speed max --seed 6 | cmp -s - "$work/first"; then
    echo "test_run_processes: the seed changes nothing" >&2
    exit 1
fi
