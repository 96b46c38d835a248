#!/bin/sh
# Makes the pictures of README and of the first course from the page, in headless Chromium: tests/browser/pictures.mjs says what each
# shows. It takes some minutes; look at them before you commit them.
#
#   tools/pictures.sh [BUILD_FOLDER]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}

cmake --build "$build" --target halyard page line_follow halyard_shared
tools/page.sh node tests/browser/run.mjs "$build" "$build/artifacts" pictures.mjs
for name in line play course-start course-wall course-sensors course-lost course-plot; do
    cp "$build/artifacts/$name.webp" "docs/pictures/$name.webp"
done
ls -l docs/pictures/*.webp
