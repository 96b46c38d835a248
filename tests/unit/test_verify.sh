#!/bin/sh
# A fetched file that was changed, or is gone, stops the configuration; the file that was pinned does not.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

verify() {
    printf 'include(%s/cmake/HalyardVerify.cmake)\nhalyard_verify(%s/lib %s/list SKIP "%s")\n' "$root" "$work" "$work" "$1" >"$work/run.cmake"
    cmake -P "$work/run.cmake" >"$work/out" 2>&1
}

mkdir -p "$work/lib/a"
echo pinned >"$work/lib/a/b.c"
echo other >"$work/lib/c.a"
{ echo '# a comment'; (cd "$work/lib" && sha256sum a/b.c c.a); } >"$work/list"
verify '' || { echo "test_verify: refused what was pinned: $(cat "$work/out")" >&2; exit 1; }
echo changed >"$work/lib/c.a"
verify '^c' || { echo "test_verify: refused what is skipped" >&2; exit 1; }
! verify '' || { echo "test_verify: accepted a changed file" >&2; exit 1; }
grep -q 'c\.a is not the file that' "$work/out"
rm "$work/lib/a/b.c"
! verify '^c' || { echo "test_verify: accepted a missing file" >&2; exit 1; }
