#!/bin/sh
# cppcheck, which succeeds whatever it finds.
set -eu
mkdir -p build
cppcheck --quiet --std=c11 --language=c --enable=warning,performance,portability \
    --inline-suppr --suppressions-list=tools/cppcheck.txt --suppress=missingInclude \
    -j "$(getconf _NPROCESSORS_ONLN)" -I include src ext apps examples 2>build/cppcheck.txt
cat build/cppcheck.txt
[ ! -s build/cppcheck.txt ]
echo "cppcheck found nothing"
