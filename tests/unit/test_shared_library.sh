#!/bin/sh
# The shared library exports what the public headers declare, all of it and nothing else.
#
#   test_shared_library.sh LIBRARY NM
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$root/tools/public_names.sh" >"$work/declared"
"$2" -D --defined-only "$1" | awk '{ print $NF }' | LC_ALL=C sort >"$work/exported"
[ "$(wc -l <"$work/declared")" -gt 600 ] || { echo "FAILED: tools/public_names.sh does not see the headers"; exit 1; }
if ! diff "$work/declared" "$work/exported" >"$work/differences"; then
    echo "FAILED: declared by a public header but not exported (<), exported but not declared (>):"
    grep '^[<>]' "$work/differences"
    exit 1
fi
echo "$(wc -l <"$work/exported") names, as the headers declare them"
