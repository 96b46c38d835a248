#!/bin/sh
# Public headers compile in C++17, if there is a compiler: all in one file, in both orders, and in the long run each alone. That each
# compiles alone in C11 is seen where the examples in their comments are compiled: tools/check_headers.sh.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root/include"
cxx=${CXX:-c++}
command -v "$cxx" >/dev/null || { echo "no C++ compiler"; exit 0; }

# compiles WHAT HEADER...
compiles() {
    what=$1
    shift
    printf '#include <%s>\n' "$@" | "$cxx" -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I. -fsyntax-only - || {
        echo "FAILED: $what does not compile as C++17"
        exit 1
    }
}
count=$(printf '%s\n' halyard/*.h | wc -l)
[ "$count" -gt 20 ] && [ "$count" -le 30 ] || {
    echo "FAILED: $count public headers; at most 30 are installed, others belong into src/PART"
    exit 1
}
compiles "all in one file" halyard/*.h
# shellcheck disable=SC2046 # no header has a space in its name
compiles "all in one file, the last one first" $(printf '%s\n' halyard/*.h | LC_ALL=C sort -r)
if [ "${HY_LONG:-}" = 1 ]; then
    for header in halyard/*.h; do
        compiles "$header alone" "$header"
    done
fi
