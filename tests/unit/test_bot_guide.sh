#!/bin/sh
# Every piece of C in docs/guide/bot.md compiles as it stands there, and nothing in it is unused or converted silently.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

awk -v work="$work" '
    /^```c$/ { inside = 1; file = sprintf("%s/piece%02d.c", work, ++pieces); next }
    /^```$/  { inside = 0 }
    inside   { print > file }' "$root/docs/guide/bot.md"

count=0
for piece in "$work"/piece*.c; do
    "${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I"$root/include" -c "$piece" -o "$work/out.o" || {
        echo "FAILED: a piece of docs/guide/bot.md does not compile:"
        cat "$piece"
        exit 1
    }
    count=$((count + 1))
done
echo "$count pieces of docs/guide/bot.md compile"
[ "$count" -ge 9 ]
