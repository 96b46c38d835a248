#!/bin/sh
# tools/run_benches.sh runs all benchmarks of a folder, names those that fail, and is successful only if none does.
set -eu
run="$HALYARD_TEST_DATA/../tools/run_benches.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bench"
for name in a b c; do
    printf '#!/bin/sh\necho %s ran, quick=${HALYARD_BENCH_QUICK:-no}\n[ %s != b ]\n' $name $name >"$work/bench/bench_$name"
    chmod +x "$work/bench/bench_$name"
done
! "$run" "$work" >"$work/out" 2>&1 || { echo "a failing benchmark was not reported"; exit 1; }
[ "$(grep -c 'ran, quick=no' "$work/out")" = 3 ] && grep -qx 'failed: bench_b' "$work/out" || { cat "$work/out"; exit 1; }
rm "$work/bench/bench_b"
"$run" "$work" --quick >"$work/out" 2>&1 && [ "$(grep -c 'ran, quick=1' "$work/out")" = 2 ] || { cat "$work/out"; exit 1; }
rm "$work"/bench/*
! "$run" "$work" 2>/dev/null || { echo "no benchmarks are a failure"; exit 1; }
