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

# The page's packages, against the hashes that were taken when npm had verified them.
packages=$work/deps/page/node_modules
mkdir -p "$packages/a" "$packages/.cache"
echo one >"$packages/a/index.js"
echo two >"$packages/a/b c.js"
verify_page() {
    DEPS=$work/deps "$root/tools/page.sh" verify 2>"$work/out"
}
(cd "$work/deps/page" && find node_modules/a -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) >"$work/deps/page/.hashes"
echo cached >"$packages/.cache/x"
verify_page || { echo "test_verify: refused the packages that were installed: $(cat "$work/out")" >&2; exit 1; }
for change in 'echo 1 >a/index.js' 'echo 1 >new.js' 'rm a/index.js'; do
    (cd "$packages" && eval "$change")
    ! verify_page || { echo "test_verify: accepted after $change" >&2; exit 1; }
    grep -q "has not the files that npm installed" "$work/out"
    rm -f "$packages/new.js"
    echo one >"$packages/a/index.js"
    verify_page || { echo "test_verify: refused what is whole again" >&2; exit 1; }
done
