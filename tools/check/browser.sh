#!/bin/sh
# The page in Chromium, over the programs that serve it. Its pictures stay in build/artifacts.
set -eu
cmake --build build >/dev/null
tools/page.sh node tests/browser/run.mjs build build/artifacts
