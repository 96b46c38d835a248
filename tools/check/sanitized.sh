#!/bin/sh
# A WPILib program drives with our extension built for each sanitizer.
set -eu
for preset in asan tsan; do
    cmake --preset $preset >/dev/null
    cmake --build --preset $preset --target halyard halsim_xrp
    tools/run_tests.py build/$preset sanitized
done
