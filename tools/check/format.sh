#!/bin/sh
# Every C file is laid out by .clang-format; `make format` does it.
set -eu
tools/sources.sh | xargs clang-format --dry-run --Werror
echo "every file is laid out by .clang-format"
