#!/bin/sh
# Installs what this project needs from the system, and nothing that is already there.
#
#   tools/setup.sh build|test|ci [--check]
#
# build: compile and play. test: what `make test` adds. ci: what `make check` adds.
# --check only says what is missing (exit status 1) and changes nothing.
#
# Each need is found by what it offers, not by a package's name, so that a system without apt is
# served by a sentence that names what is missing.
set -eu

kind=${1:?usage: tools/setup.sh build|test|ci [--check]}
mode=${2:-install}

# Lines of: how to find it, the Debian package that brings it.
needs() {
    case $1 in
    build) cat <<'LIST' ;;
command:cc gcc
header:stdio.h libc6-dev
command:cmake cmake
command:ninja ninja-build
command:pkg-config pkg-config
module:pip python3-pip
library:yaml-0.1 libyaml-dev
library:libpng libpng-dev
library:libpcap libpcap-dev
LIST
    test) cat <<'LIST' ;;
library:cmocka libcmocka-dev
library:cminpack libcminpack-dev
LIST
    ci) cat <<'LIST' ;;
command:g++ g++
module:ensurepip python3-venv
command:clang clang
command:clang-format clang-format
command:clang-tidy clang-tidy
library:sdl2 libsdl2-dev
clang-runtime: libclang-rt-dev
command:cppcheck cppcheck
command:valgrind valgrind
command:arm-none-eabi-gcc gcc-arm-none-eabi
arm-header:stdio.h libnewlib-arm-none-eabi
command:qemu-system-arm qemu-system-arm
command:x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
command:wine wine
command:tshark tshark
command:frama-c frama-c-base
browser:any chromium-headless-shell
LIST
    *) echo "setup: '$1' is not one of build, test, ci" >&2; exit 2 ;;
    esac
}

has() {
    case $1 in
    command:*) command -v "${1#*:}" ;;
    library:*) pkg-config --exists "${1#*:}" ;;
    module:*) python3 -c "import ${1#*:}" ;;
    header:*) echo "#include <${1#*:}>" | cc -E - ;;
    arm-header:*) echo "#include <${1#*:}>" | arm-none-eabi-gcc -E - ;;
    browser:*) command -v chromium-headless-shell || command -v chromium || command -v chromium-browser ||
        command -v google-chrome ;;
    clang-runtime:*) ls "$(clang -print-runtime-dir)" | grep -q asan ||
        test -e "$(clang -print-file-name=libclang_rt.asan-x86_64.a)" ;;
    esac >/dev/null 2>&1
}

missing=$(needs "$kind" | while read -r probe package; do has "$probe" || echo "$package"; done)
[ -n "$missing" ] || exit 0
missing=$(echo $missing) # one line

if [ "$mode" = --check ]; then
    echo "missing: $missing"
    exit 1
fi
if ! command -v apt-get >/dev/null; then
    echo "setup: please install, with your system's package manager, what Debian calls: $missing" >&2
    exit 1
fi
become=
if [ "$(id -u)" != 0 ]; then
    become=sudo
    command -v sudo >/dev/null || {
        echo "setup: not root, and no sudo. As root: apt-get install --no-install-recommends $missing" >&2
        exit 1
    }
fi

echo "setup: installing $missing ..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
$become apt-get update -qq >"$log" 2>&1 &&
    $become env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >>"$log" 2>&1 || {
    tail -20 "$log" >&2
    echo "setup: apt-get could not install $missing (its last lines are above)" >&2
    exit 1
}
