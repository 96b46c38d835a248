#!/bin/sh
# What `make install` puts down serves somebody else's project: by find_package() and by pkg-config, in C11, C++17 and C++20,
# with the shared library and with static ones.
#
#   tests/package/run.sh PREFIX FOLDER      FOLDER is emptied
set -eu
prefix=$1
work=$2
rm -rf "$work" && mkdir -p "$work/headers" && work=$(cd "$work" && pwd)
cd "$(dirname "$0")"

fail() {
    echo "tests/package: $*" >&2
    exit 1
}

for header in "$prefix"/include/halyard/*.h; do
    echo "#include <halyard/${header##*/}>"
done >"$work/headers/every_header.h"
[ "$(ls ../../include/halyard | wc -l)" = "$(wc -l <"$work/headers/every_header.h")" ] || fail "not every header is installed"

# The C of the README's first screen.
awk '/^```c$/ && !seen { inside = 1; seen = 1; next } /^```$/ { inside = 0 } inside' ../../README.md >"$work/readme.c"
cmake -S . -B "$work/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DPROGRAM="$work/readme.c" \
    -DLINK_PROGRAM="$PWD/../../examples/first_drive.c" -DHEADERS="$work/headers" >/dev/null
cmake --build "$work/cmake" >"$work/build.log" || { cat "$work/build.log" >&2; fail "find_package(halyard) does not serve"; }
! ldd "$work/cmake/first_drive" | grep -vE 'linux-vdso|libc\.|libm\.|ld-linux' || fail "halyard::robot needs more than the system"

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name halyard.pc)")
export PKG_CONFIG_PATH
# by_pkg_config NAME MODULE COMPILER SOURCE
by_pkg_config() {
    # shellcheck disable=SC2046,SC2086 # the flags are words
    $3 -Wall -Wextra -Werror -I "$work/headers" "$4" -o "$work/cmake/$1" $(pkg-config --cflags --libs "$2")
}
for kind in halyard:shared halyard-static:static; do
    by_pkg_config "pc_c11_${kind#*:}" "${kind%:*}" "${CC:-cc} -std=c11" consumer.c
    by_pkg_config "pc_cxx17_${kind#*:}" "${kind%:*}" "${CXX:-c++} -std=c++17" consumer.cpp
    by_pkg_config "pc_cxx20_${kind#*:}" "${kind%:*}" "${CXX:-c++} -std=c++20" consumer.cpp
done
by_pkg_config pc_readme halyard-static "${CC:-cc} -std=c11" "$work/readme.c"

# It drives the eight in the world that the README names: 8 sides of 20 cm, and no wall.
HALYARD_WORLDS=$prefix/share/halyard/worlds "$work/cmake/readme" --sim xrp-arena --speed max >"$work/drove"
grep -Eq 'drove 1\.[6-9].* touched something 0 times' "$work/drove" || fail "README's program: $(cat "$work/drove")"

# A world that is nowhere but in the installed folder: it is found beside the shared library, wherever the program is, and beside
# a static program that is installed.
world=only-installed
cp "$prefix/share/halyard/worlds/xrp-arena.yaml" "$prefix/share/halyard/worlds/$world.yaml"
trap 'rm -f "$prefix/share/halyard/worlds/$world.yaml" "$prefix/bin/consumer"' EXIT
count=0
for program in "$work"/cmake/*_shared "$work"/cmake/*_static; do
    runs=$program
    case $program in *_static) cp "$program" "$prefix/bin/consumer" && runs=$prefix/bin/consumer ;; esac
    env -u HALYARD_WORLDS "$runs" $world >"$work/said" || fail "${program##*/}: $(cat "$work/said")"
    [ $count = 0 ] || cmp "$work/said" "$work/first" || fail "${program##*/} drives differently from the first program"
    cp "$work/said" "$work/first"
    case ${program##*/} in
    *_shared) ldd "$program" | grep -q 'libhalyard\.so\.0' || fail "${program##*/} does not use the shared library" ;;
    *) ! ldd "$program" | grep -q libhalyard || fail "${program##*/} uses the shared library" ;;
    esac
    count=$((count + 1))
done
[ $count = 12 ] || fail "$count programs were run, not 12"
echo "12 programs $(cat "$work/first")"
