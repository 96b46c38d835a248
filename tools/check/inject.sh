#!/bin/sh
# The first two allocations and system calls of each kind fail, one a run, in every program. `make inject` tries hundreds.
set -eu
cmake --build build >/dev/null
python3 -B tests/inject/run.py ${INJECT:---most 2 --seconds 120}
