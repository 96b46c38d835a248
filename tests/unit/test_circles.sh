#!/bin/sh
# tools/check_circles.sh on trees of its own: it lets one without a circle pass, and prints the circle of another.
set -eu

check=$(dirname "$HALYARD_TEST_DATA")/tools/check_circles.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
objects=$tree/build/src/wire/CMakeFiles/halyard_wire.dir

fail() {
    echo "check_circles.sh $*"
    cat "$tree/said"
    exit 1
}

# Three files, of which the first uses the second and the second the third.
plant() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/include/halyard" "$tree/src/wire/parts" "$objects/parts"
    echo '#include "b.h"' >"$tree/src/wire/a.h"
    echo '#include "parts/c.h"' >"$tree/src/wire/b.h"
    echo '#include <halyard/wire.h>' >"$tree/src/wire/parts/c.h"
    echo '#include <stdint.h>' >"$tree/include/halyard/wire.h"
    echo 'int b(void); int a(void); int a(void) { return b(); }' >"$tree/src/wire/a.c"
    echo 'extern const int c[1]; int b(void); int b(void) { return c[0]; }' >"$tree/src/wire/b.c"
    echo 'extern const int c[1]; const int c[1] = { 1 };' >"$tree/src/wire/parts/c.c"
}

run() {
    for file in a b parts/c; do
        ${CC:-cc} -c "$tree/src/wire/$file.c" -o "$objects/$file.c.o"
    done
    printf '%s\n' "$objects/a.c.o" "$objects/b.c.o" "$objects/parts/c.c.o" |
        sh "$check" "$tree" nm >"$tree/said" 2>&1
}

# refuses LINE...: the circle's lines, as they are printed.
refuses() {
    ! run || fail "let pass: $1"
    printf '%s\n' "a circle of files:" "$@" >"$tree/wanted"
    cmp -s "$tree/wanted" "$tree/said" || fail "did not print the circle"
}

plant
run || fail "refused a tree without a circle"

plant # by includes, through a folder and a public header
echo '#include "a.h"' >>"$tree/src/wire/parts/c.h"
refuses '  src/wire/a.h  includes' '  src/wire/b.h  includes' '  src/wire/parts/c.h  includes' '  src/wire/a.h'

plant # by calls and tables
echo 'int a(void); int d(void); int d(void) { return a(); }' >>"$tree/src/wire/parts/c.c"
refuses '  src/wire/a.c  uses b of' '  src/wire/b.c  uses c of' '  src/wire/parts/c.c  uses a of' '  src/wire/a.c'

plant # none of whose objects can be read
! echo "$objects/none.c.o" | sh "$check" "$tree" nm >"$tree/said" 2>&1 || fail "let pass what it could not read"
