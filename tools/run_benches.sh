#!/bin/sh
# Runs every benchmark of a build folder, one after the other, also when one fails: those that do are named at the end.
#
#   tools/run_benches.sh BUILD_FOLDER [--quick]    quick: each round once, which shows that all run, but not how fast
set -eu
[ "${2:-}" != --quick ] || export HALYARD_BENCH_QUICK=1
found=
failed=
for bench in "$1"/bench/bench_*; do
    [ -f "$bench" ] && [ -x "$bench" ] || continue
    found=1
    echo "== $(basename "$bench")"
    "$bench" || failed="$failed $(basename "$bench")"
    echo
done
[ -n "$found" ] || { echo "there are no benchmarks in $1/bench" >&2; exit 1; }
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
