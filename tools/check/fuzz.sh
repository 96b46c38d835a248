#!/bin/sh
# Every target for FUZZ_SECONDS (60), as many at a time as there are cores. New inputs stay in the build folder; the corpus in fuzz/corpus
# is what people chose to keep. Ends with what all runs in this folder have tried, and what is to be tried once (docs/searches.md).
set -eu
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzz/all
find build/fuzz/fuzz -maxdepth 1 -name 'fuzz_*' -type f -perm -u+x | sort >build/fuzz/targets
[ -s build/fuzz/targets ] || { echo "there are no fuzz targets"; exit 1; }
xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 1 tools/run_fuzz.sh <build/fuzz/targets
sort build/fuzz-counts.txt | awk '
    { inputs[$1] += $2; seconds[$1] += $3 }
    END { for (name in inputs) printf "%-20s %12d inputs of %9d in %7d s\n", name, inputs[name],
              name ~ /wire_decode|board/ ? 1e8 : 1e7, seconds[name] }' | sort
