#!/bin/sh
# Compiles a C file that is not ours once per compiler and flags and copies the object to OUTPUT, so that the presets,
# which all need it, do not each compile it again. Objects are kept in FOLDER under a checksum of compiler, flags and
# source.
#
#   tools/compile_once.sh FOLDER OUTPUT SOURCE COMPILER FLAGS...
set -eu
folder=$1 output=$2 source=$3
shift 3
key=$({ "$1" --version; echo "$@"; cat "$source" "${source%.c}.h"; } | cksum | tr -d ' ')
kept=$folder/$(basename "$source" .c)-$key.o
if [ ! -e "$kept" ]; then
    mkdir -p "$folder"
    "$@" -c "$source" -o "$kept.$$"
    mv "$kept.$$" "$kept" # two presets at once end with one of the two
fi
cp "$kept" "$output"
