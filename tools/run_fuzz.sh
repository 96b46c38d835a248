#!/bin/sh
# Fuzzes with one target: its corpus first, then FUZZ_SECONDS (60) of new inputs.
# What it finds goes to build/fuzz/found; a crash is printed whole. The number of inputs and seconds is added to build/fuzz-counts.txt.
#
#   tools/run_fuzz.sh build/fuzz/fuzz/fuzz_wire
set -eu

target=$1
name=$(basename "$target")
found=build/fuzz/found/$name
corpus=fuzz/corpus/$name
mkdir -p "$found"
[ -d "$corpus" ] || corpus=

if ! "$target" "$found" $corpus -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="build/fuzz/$name-" >"build/fuzz/$name.log" 2>&1; then
    tail -40 "build/fuzz/$name.log"
    echo "$name: FAILED, the input is in build/fuzz/$name-*"
    exit 1
fi
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$name.log")
echo "$name $runs ${FUZZ_SECONDS:-60}" >>build/fuzz-counts.txt
echo "$name: $runs inputs in ${FUZZ_SECONDS:-60} s, nothing found"
