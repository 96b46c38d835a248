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
# Few freed blocks wait for a use after they were freed, and a report shows four calls that led to one: else the sanitizer needs more
# processor time than most parsers.
export ASAN_OPTIONS="quarantine_size_mb=4:malloc_context_size=4${ASAN_OPTIONS:+:$ASAN_OPTIONS}"

seconds=${FUZZ_SECONDS:-60}
limit=$((seconds > 1 ? seconds - 1 : 1)) # a target ends a second later than it is told
if ! "$target" "$found" $corpus -max_total_time=$limit -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="build/fuzz/$name-" >"build/fuzz/$name.log" 2>&1; then
    tail -40 "build/fuzz/$name.log"
    echo "$name: FAILED, the input is in build/fuzz/$name-*"
    exit 1
fi
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$name.log")
echo "$name $runs $seconds" >>build/fuzz-counts.txt
echo "$name: $runs inputs in $seconds s, nothing found"
