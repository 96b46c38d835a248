#!/bin/sh
# Counts the instructions of each operation of bench_cost by callgrind and compares them with bench/cost.txt. More than
# 5 % more fails. Instructions do not depend on how busy a machine is; they do on the compiler, so that what another
# compiler made is printed, not judged.
#
#   tools/check_cost.sh BUILD_FOLDER [--write]      --write makes the table anew
#
# Whatever the compiler is, no reader may cost more for each thing in its text when there are four times as many of them, but for a
# logarithm: 30 % (bench/cost_readers.c).
set -eu
cd "$(dirname "$0")/.."
build=$1
table=bench/cost.txt
work=$build/cost
rm -rf "$work" && mkdir -p "$work"

compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
# gcc says the name that it was called by.
made_by="$("$compiler" --version | sed -n '1s/^[^ ]* (/gcc (/p; 1{/^[^ ]* (/!p}'), $(uname -m)"

# The C library chooses its memcpy by the processor, too: always the one of x86-64's baseline.
GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX,-AVX2,-AVX2_Usable,-AVX_Fast_Unaligned_Load,-ERMS,-FSRM,-SSSE3,-SSE4_1,-SSE4_2 \
    valgrind --tool=callgrind --callgrind-out-file="$work/out" --toggle-collect=cost_run --dump-after=cost_run \
    "$build/bench/cost/bench_cost" worlds >"$work/operations" 2>"$work/valgrind.log" || {
    cat "$work/valgrind.log" >&2
    exit 1
}

# Callgrind's n-th file is the n-th operation's.
n=0
while IFS="$(printf '\t')" read -r name count; do
    n=$((n + 1))
    awk -v name="$name" -v count="$count" '/^(summary|totals):/ { sum = $2 } END {
        if (sum == 0) exit 1
        printf "%-44s %11.1f\n", name, sum / count }' "$work/out.$n"
done <"$work/operations" >"$work/now"

awk '{ value = $NF; name = $0; sub(/ +[0-9.]+$/, "", name); cost[name] = value }
    END {
        suffix = ", of 4 n"
        for (name in cost) {
            few = substr(name, 1, length(name) - length(suffix))
            if (few suffix == name && cost[name] > 1.3 * cost[few]) {
                printf "%s: %s instructions each, and of four times as many %s: the time grows faster than the text\n", few, cost[few], cost[name]
                bad++
            }
        }
        exit bad > 0 }' "$work/now"

if [ "${2:-}" = --write ]; then
    {
        echo "# Instructions per operation of the release preset, by callgrind: bench/bench_cost.c says what each is."
        echo "# Compared by 'make check-cost', written by 'make cost-table'."
        echo "# $made_by"
        cat "$work/now"
    } >"$table"
    cat "$table"
    exit 0
fi

same=$(grep -Fxq "# $made_by" "$table" && echo 1 || echo 0)
awk -v same="$same" '
    { value = $NF; name = $0; sub(/ +[0-9.]+$/, "", name) }
    FNR == NR { if (!/^#/) { was[name] = value } ; next }
    { ratio = name in was ? value / was[name] : 0; seen[name] = 1
      verdict = ratio == 0 ? "is not in the table" : ratio > 1.05 ? "TOO MUCH" : ""
      printf "%-44s %11.1f %11.1f %7.3f %s\n", name, was[name], value, ratio, verdict
      if (verdict != "") bad++ }
    END {
        for (name in was) if (!(name in seen)) { printf "%-44s is in the table, but was not measured\n", name; bad++ }
        exit same && bad > 0 }' "$table" "$work/now" || {
    echo "the columns are: the table, now, their ratio. An operation costs over 5 % more: reduce it, or give the reason in the commit message and run 'make cost-table'"
    exit 1
}
if [ "$same" = 1 ]; then
    echo "no operation executes over 5 % more instructions than $table says"
else
    echo "not judged: $table is of another compiler than this one, $made_by"
fi
