#!/bin/sh
# The page's linter, types, unit tests and size.
set -eu
tools/page.sh test
