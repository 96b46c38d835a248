#!/bin/sh
# Prints our C files, one a line: what the formatter and the linters read. With names of folders
# only what lies there.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- include src ext python apps examples tests fuzz bench
for folder in "$@"; do
    [ -d "$folder" ] && find "$folder" -name '*.[ch]'
done | LC_ALL=C sort
