#!/bin/sh
# Runs every benchmark of a build folder, one after the other, and keeps their words.
#
#   tools/run_benches.sh BUILD_FOLDER
set -eu
found=
for bench in "$1"/bench/bench_*; do
    [ -f "$bench" ] && [ -x "$bench" ] || continue
    found=1
    echo "== $(basename "$bench")"
    "$bench"
    echo
done
[ -n "$found" ] || { echo "there are no benchmarks in $1/bench" >&2; exit 1; }
