#!/bin/sh
# The Python package: strict types, pictures, which need numpy, and the wheel in a clean environment.
set -eu
venv=build/python-venv
if ! cmp -s tools/deps/python.txt "$venv/.requirement"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r tools/deps/python.txt
    cp tools/deps/python.txt "$venv/.requirement"
fi
# The modules in xrp/robot are for MicroPython, which has no types.
"$venv/bin/mypy" --strict --no-error-summary --cache-dir build/mypy --exclude xrp/robot python/halyard_sim
cmake --build build --target halyard_python
HALYARD_BUILD_DIR=$PWD/build "$venv/bin/python" -B tests/unit/python_render.py
make --silent wheel
tests/package/wheel.sh build/wheel/halyard_sim-*.whl build/wheel/test
