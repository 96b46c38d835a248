#!/bin/sh
# Builds a robot program of a user's own: `make my_robot` makes my_robot of my_robot.c.
#
#   tools/build_program.sh BUILD_FOLDER SOURCE PROGRAM
#
# With what finds mistakes: the sanitizers name the line of an index out of range that only shows when the program runs; one that the
# compiler can see, a misspelt function, a wrong printf() and an = where == was meant do not compile.
set -eu

build=$1
source=$2
program=$3

# The programs that somebody could have meant: every C file here and among the examples.
if [ ! -e "$source" ]; then
    echo "there is no $source to make $program of, and no other target of that name ('make help' lists them). Programs that are here:" >&2
    for file in *.c examples/*.c; do
        [ ! -e "$file" ] || echo "  make ${file%.c}" >&2
    done
    exit 2
fi

rm -f "$program" # so that one that does not compile is never run by mistake
object=$(mktemp)
trap 'rm -f "$object"' EXIT
PKG_CONFIG_PATH=$build/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046 # the flags are words
"${CC:-cc}" -std=c11 -O2 -g -fno-omit-frame-pointer -fsanitize=address,undefined -Wall -Wextra -Wno-unused-parameter -Wno-unknown-warning-option \
    -Werror=implicit-function-declaration -Werror=format -Werror=array-bounds -Werror=stringop-overflow -Werror=parentheses \
    $(pkg-config --cflags halyard) -c "$source" -o "$object"
# shellcheck disable=SC2046
"${CC:-cc}" -fsanitize=address,undefined $(pkg-config --cflags halyard) "$object" "$(dirname "$0")/program_reports.c" \
    -o "$program" $(pkg-config --libs halyard)

# What no recording has: a replay of the program could differ although the program is the same.
unrecorded='time|clock|clock_gettime|gettimeofday|timespec_get|hy_clock_now_us|rand|random|drand48|lrand48|mrand48|arc4random|arc4random_uniform|getrandom|getentropy'
nm -u "$object" 2>/dev/null | sed -nE "s/^ *U _?($unrecorded)(@.*)?\$/\1/p" | while read -r name; do
    echo "$source calls $name(), whose result is in no recording: a replay may differ. docs/guide/replay.md says what to use instead" >&2
done
