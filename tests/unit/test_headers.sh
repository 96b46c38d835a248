#!/bin/sh
# Each public header compiles alone, in C11 and, if there is a compiler, in C++17.
#
#   test_headers.sh C_COMPILER
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root/include"
cxx=${CXX:-c++}
command -v "$cxx" >/dev/null || { echo "no C++ compiler: C alone"; cxx=; }

# compiles COMPILER LANGUAGE HEADER
compiles() {
    echo "#include <$3>" | "$1" -x "${2%:*}" -std="${2#*:}" -Wall -Wextra -Wpedantic -Werror -I. -fsyntax-only - || {
        echo "FAILED: $3 does not compile alone as ${2#*:}"
        exit 1
    }
}
count=0
for header in halyard/*.h; do
    compiles "$1" c:c11 "$header"
    [ -z "$cxx" ] || compiles "$cxx" c++:c++17 "$header"
    count=$((count + 1))
done
echo "$count headers compile alone"
[ "$count" -gt 40 ]
