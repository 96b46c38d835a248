#!/bin/sh
# What `make install` puts down serves somebody else's project, and is hardened.
set -eu
prefix=$PWD/build/install/prefix
rm -rf build/install
mkdir -p build/install
cmake --build build >/dev/null
cmake --install build --strip --prefix "$prefix" >/dev/null
tests/package/run.sh "$prefix" build/install/work
"$prefix/bin/halyard" --version
tools/check_hardening.sh "$prefix/bin/halyard" $(find "$prefix" -name "*.so") \
    $(find "$prefix" -name "libhalyard_*.a" | grep -Ev "_(base|wire|bot|board|world|dep_box2d)\.a$")
