#!/bin/sh
# Puts RobotPy with WPILib's XRP extension into a folder of the build.
#
#   setup.sh DIR        DIR: for example build/interop/2026
#
# Does nothing if DIR already holds what requirements-2026.txt pins for this Python.
# Exit status: 0 ready, 77 the registry cannot be reached (skip), 1 anything else.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
target=${1:?"usage: setup.sh DIR"}
python=${PYTHON:-python3}
requirements=$here/requirements-2026.txt

if ! "$python" -m pip --version >/dev/null 2>&1; then
    echo "interop: $python has no pip; install it (Debian: apt-get install python3-pip), or set PYTHON" >&2
    exit 1
fi

pinned=$({ cat "$requirements"; "$python" -c 'import sys; print(sys.implementation.cache_tag)'; } | sha256sum)
if [ "$(cat "$target/.pinned" 2>/dev/null)" = "$pinned" ]; then
    exit 0
fi

# Installed aside and then renamed: a set-up that was interrupted is never taken for a whole one.
partial=$target.partial
rm -rf "$partial"
mkdir -p "$partial"
if ! "$python" -m pip install --quiet --disable-pip-version-check --root-user-action ignore \
    --timeout 20 --retries 2 --target "$partial" --no-deps --only-binary :all: \
    --require-hashes -r "$requirements" >"$target.log" 2>&1; then
    cat "$target.log" >&2
    rm -rf "$partial"
    # pip has one exit status for everything; only its words tell a missing network from a wrong hash.
    if grep -qiE 'connection (broken|refused|reset)|failed to establish|name resolution|unreachable|timed out|proxyerror|SSLError' \
        "$target.log" && ! grep -q 'DO NOT MATCH' "$target.log"; then
        echo "interop: the Python registry cannot be reached" >&2
        exit 77
    fi
    echo "interop: installing requirements-2026.txt failed" >&2
    exit 1
fi
echo "$pinned" >"$partial/.pinned"
rm -rf "$target"
mv "$partial" "$target"
