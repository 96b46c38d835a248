#!/bin/sh
# What a program loads before its first line runs is in its start: SDL2 and the libraries behind it only when a game pad is asked for.
set -eu

if [ -z "$(LD_TRACE_LOADED_OBJECTS=1 "$1" | grep libc)" ]; then
    echo "test_start: this system's loader does not say what it loads" >&2
    exit 77
fi
if LD_TRACE_LOADED_OBJECTS=1 "$1" | grep -i sdl; then
    echo "test_start: $1 is linked with SDL2" >&2
    exit 1
fi
