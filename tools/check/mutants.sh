#!/bin/sh
# Ten minutes of changed places in the code, which tests must notice. `make mutants` tries all.
set -eu
python3 -B tools/mutants.py ${MUTANTS:---seconds 600}
