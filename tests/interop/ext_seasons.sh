#!/bin/sh
# Our extensions over the HALs of other seasons: one binary must serve them all.
#
#   ext_seasons.sh 2025 BUILD       WPILib 2025, on this system
#   ext_seasons.sh 2027 BUILD       WPILib 2027 alpha, in a Debian 13 root (needs root and debootstrap)
#
# Exit status: 0 passed, 77 cannot be run here, 1 anything else.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
season=${1:?"usage: ext_seasons.sh 2025|2027 BUILD"}
build=$(cd "${2:?"usage: ext_seasons.sh 2025|2027 BUILD"}" && pwd)
python=${PYTHON:-python3}
folder=$build/interop/$season
pip="$python -m pip --quiet --disable-pip-version-check"
tests="run_ext_teensy run_ext_defects run_ext_differential"

install_2025() {
    tests="$tests run_ext_xrp"
    [ -d "$folder/native" ] || $pip install --root-user-action ignore --target "$folder" \
        robotpy-xrp==2025.3.2.3 pyfrc==2025.1.0 robotpy-halsim-ds-socket==2025.3.2.2
}

# Its libraries need a newer libstdc++ than Debian 12 has. The root sees the same paths.
install_2027() {
    root=$build/interop/trixie
    if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
        echo "SKIPPED: a Debian 13 root needs root and debootstrap"
        exit 77
    fi
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)
    [ -x "$root/bin/sh" ] || debootstrap --variant=minbase --include=libstdc++6 trixie "$root" "$mirror" >"$root.log"
    if [ ! -d "$folder/native" ]; then
        mkdir -p "$folder.wheels" "$folder"
        $pip download --pre --no-deps --python-version 3.13 --platform manylinux_2_35_x86_64 \
            --only-binary :all: --dest "$folder.wheels" robotpy-native-wpihal==2027.0.0a2 \
            robotpy-native-wpiutil==2027.0.0a2 robotpy-native-wpinet==2027.0.0a2 robotpy-xrp==2027.0.0a2
        for wheel in "$folder.wheels"/*.whl; do
            "$python" -m zipfile -e "$wheel" "$folder"
        done
    fi
    mkdir -p "$root$build/tests/interop" "$root$folder"
    cp -r "$build/ext" "$root$build/"
    cp "$build/tests/interop/ext_hal_host" "$root$build/tests/interop/"
    cp -r "$folder/." "$root$folder/"
    echo "127.0.0.1 localhost" >"$root/etc/hosts"
    export HALYARD_HAL_PREFIX="chroot $root"
}

"install_$season"
export HALYARD_ROBOTPY="$folder" HALYARD_BUILD_DIR="$build"
for test in $tests; do
    echo "== $test, WPILib $season"
    "$python" -B "$here/$test.py" --halyard "$build/halyard" --work "$build/interop/season-$season"
done
