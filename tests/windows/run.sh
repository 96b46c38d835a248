#!/bin/sh
# The WPILib extensions as Windows has them: built by MinGW, what they import and export checked, and run
# by Wine over WPILib's own wpiHal.dll.
#
#   tests/windows/run.sh [--all]      FOLDER=build/windows SEASONS="2025 2026 2027"
#
# --all adds what takes minutes: every defect of WPILib's extension, and 3000 random sequences through
# WPILib's halsim_xrp.dll and through ours.
# Needs x86_64-w64-mingw32-gcc and wine; 'make setup-ci' installs both.
set -eu
cd "$(dirname "$0")/../.."
build=${FOLDER:-build/windows}
deps=${HALYARD_DEPS_DIR:-build/deps}
python=${PYTHON:-python3}
extensions="halsim_xrp halsim_teensy halsim_myboard"
# Parts of every Windows since 7. A library of the compiler's would have to be installed beside ours.
may_import="KERNEL32.DLL MSVCRT.DLL MSWSOCK.DLL WS2_32.DLL"
stripped_max=80000 # bytes

for tool in x86_64-w64-mingw32-gcc wine; do
    command -v "$tool" >/dev/null || { echo "tests/windows: $tool is not installed; 'make setup-ci' installs it" >&2; exit 1; }
done
rm -rf "$build/wine" # 700 MB, and soon made again

imports_of() {
    x86_64-w64-mingw32-objdump -p "$1" | sed -n 's/^\tDLL Name: //p' | tr a-z A-Z | LC_ALL=C sort | xargs
}

exports_of() {
    x86_64-w64-mingw32-objdump -p "$1" | awk '/Name Pointer\] Table/ { inside = 1; next } inside && NF == 0 { exit } inside { print $NF }' | xargs
}

# Flags of the file's head, in the order of their bits.
flags_of() {
    x86_64-w64-mingw32-objdump -p "$1" |
        awk '/^DllCharacteristics/ { inside = 1; next } inside && NF != 1 { exit } inside { print $1 }' | xargs
}

check_library() {
    imports=$(imports_of "$build/$1")
    exports=$(exports_of "$build/$1")
    x86_64-w64-mingw32-strip -o "$build/stripped.dll" "$build/$1"
    size=$(wc -c <"$build/stripped.dll")
    echo "$1: $size bytes stripped; imports $imports; exports $exports"
    [ "$imports" = "$may_import" ] || { echo "FAILED: it may import $may_import" >&2; exit 1; }
    [ "$exports" = HALSIM_InitExtension ] || { echo "FAILED: it must export HALSIM_InitExtension alone" >&2; exit 1; }
    [ "$(flags_of "$build/$1")" = "HIGH_ENTROPY_VA DYNAMIC_BASE NX_COMPAT" ] || {
        echo "FAILED: it must be loaded at a random address and execute no data, not: $(flags_of "$build/$1")" >&2
        exit 1
    }
    [ "$size" -le $stripped_max ] || { echo "FAILED: it must have less than $stripped_max bytes" >&2; exit 1; }
}

# fetch_wpilib SEASON: WPILib's own libraries for Windows, out of RobotPy's wheels, in one folder as a
# robot project has them.
fetch_wpilib() {
    requirements=tests/windows/requirements-$1.txt
    folder=$deps/wpilib-windows/$1
    pinned=$(sha256sum <"$requirements")
    [ "$(cat "$folder/.pinned" 2>/dev/null)" != "$pinned" ] || return 0
    rm -rf "$folder"
    mkdir -p "$folder"
    tag=$(sed -n 's/^# cp/cp/p' "$requirements") # of the Python that its XRP package is for
    "$python" -m pip --quiet --disable-pip-version-check download --no-deps --only-binary :all: \
        --platform win_amd64 --implementation cp --python-version "${tag#cp}" --abi "$tag" --abi none \
        --require-hashes -r "$requirements" -d "$folder/wheels" || {
        echo "SKIPPED: WPILib $1 for Windows cannot be downloaded"
        [ "${CI:-}" != true ] || exit 1
        exit 0
    }
    for wheel in "$folder"/wheels/*.whl; do
        "$python" -m zipfile -e "$wheel" "$folder/wheels"
    done
    find "$folder/wheels" -name '*.dll' -exec mv {} "$folder/" \;
    rm -rf "$folder/wheels"
    echo "$pinned" >"$folder/.pinned"
}

cmake -S . -B "$build" -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/mingw.cmake -DCMAKE_BUILD_TYPE=Release \
    "-DHALYARD_ONLY=base;wire;link;halsim" -DBUILD_TESTING=OFF >/dev/null
cmake --build "$build" --target $extensions
for extension in $extensions; do
    check_library "ext/$extension.dll"
done
rm -rf "$build/wine" # 700 MB, and soon made again

mkdir -p "$build/tests/interop"
x86_64-w64-mingw32-gcc -std=c11 -O2 -Wall -Wextra -Werror -Itests/windows/unix tests/interop/ext_host/hal_host.c \
    -o "$build/tests/interop/ext_hal_host.exe" -static -lws2_32 -lpthread
HALYARD_BUILD_DIR=$(cd "$build" && pwd)
export HALYARD_BUILD_DIR
for season in ${SEASONS:-2025 2026 2027}; do
    fetch_wpilib "$season"
    echo "== WPILib $season"
    "$python" -B tests/windows/run_wine.py --season "$season" --wpilib "$deps/wpilib-windows/$season" \
        --halyard "${HALYARD_BINARY:-build/halyard}" "$@"
done
rm -rf "$build/wine" # 700 MB, and soon made again
