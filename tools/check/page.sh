#!/bin/sh
# The page's layout by Prettier, linter, types, unit tests and size.
set -eu
tools/page.sh test
