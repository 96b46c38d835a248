#!/bin/sh
# Puts WPILib of one season, as RobotPy brings it, into a folder of the build.
#
#   setup.sh 2025|2026|2027 FOLDER      makes FOLDER/2026; for 2027 FOLDER/debian13 too
#
# Does nothing for what is already there as requirements-SEASON.txt pins it.
# Exit status: 0 ready, 77 the network cannot be reached, or is of no use here (skip), 1 anything else.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
usage="usage: setup.sh 2025|2026|2027 FOLDER"
season=${1:?"$usage"}
mkdir -p "${2:?"$usage"}"
folder=$(cd "$2" && pwd)
python=${PYTHON:-python3}
requirements=$here/requirements-$season.txt
log=$folder/$season.log

skip() {
    rm -rf "$folder"/*.partial
    echo "interop: $*" >&2
    exit 77
}

fail() {
    cat "$log" >&2
    echo "interop: $*" >&2
    exit 1
}

# Tools have one exit status for everything; only their words tell a missing network from the rest.
is_offline() {
    grep -qiE 'connection (broken|refused|reset|failed)|could not connect|failed to (establish|fetch)|resolv|name resolution|unreachable|timed out|proxyerror|SSLError' "$log" &&
        ! grep -qE 'DO NOT MATCH|Hash Sum mismatch|BADSIG' "$log"
}

# fresh_folder NAME: filled aside and then renamed, a set-up that was interrupted is never taken for
# a whole one.
fresh_folder() {
    rm -rf "${folder:?}/$1.partial"
    mkdir -p "$folder/$1.partial"
}

finish_folder() {
    echo "$2" >"$folder/$1.partial/.pinned"
    rm -rf "${folder:?}/$1"
    mv "$folder/$1.partial" "$folder/$1"
}

is_there() {
    [ "$(cat "$folder/$1/.pinned" 2>/dev/null)" = "$2" ]
}

# What 2027 is built for is newer than Debian 12: Debian 13's C and C++ libraries and its Python,
# unpacked and run where they lie, through their own dynamic linker. apt works in a root of its own
# there, and checks Debian's signatures as always.
debian13_packages="python3 libstdc++6"

install_debian13() {
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    is_there debian13 "$debian13_packages" && return
    [ "$(uname -m)" = x86_64 ] || skip "WPILib 2027 is run on x86-64 alone"
    command -v apt-get >/dev/null && [ -e $keys ] ||
        skip "WPILib 2027 needs Debian 13's libraries, and they need apt-get and debian-archive-keyring"
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -n 1)
    fresh_folder debian13
    root=$folder/debian13.partial
    apt=$root/apt
    mkdir -p "$apt/etc/preferences.d" "$apt/lists/partial" "$apt/archives/partial"
    : >"$apt/status"
    echo "deb [signed-by=$keys] ${mirror:-http://deb.debian.org/debian/} trixie main" >"$apt/etc/sources.list"
    set -- -qq -y --no-install-recommends -o "Dir::Etc=$apt/etc" -o Dir::Etc::sourceparts=- \
        -o "Dir::State=$apt" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt" \
        -o Acquire::Languages=none -o Acquire::Retries=2 -o APT::Sandbox::User=
    # A missing index is only a warning to apt-get.
    if ! { apt-get "$@" -o APT::Update::Error-Mode=any update &&
        apt-get "$@" --download-only install $debian13_packages; } >"$log" 2>&1; then
        is_offline && skip "Debian's archive cannot be reached"
        fail "downloading Debian 13's libraries failed"
    fi
    for package in "$apt"/archives/*.deb; do
        dpkg-deb -x "$package" "$root" || exit 1
    done
    rm -rf "$apt"
    finish_folder debian13 "$debian13_packages"
}

# Naming Python and platform makes pip take what Debian 13 will run, whatever runs pip.
foreign=
if [ "$season" = 2027 ]; then
    foreign="--python-version 3.13 --implementation cp --abi cp313 --platform manylinux_2_35_x86_64 --no-compile"
    install_debian13
fi

if ! "$python" -m pip --version >/dev/null 2>&1; then
    echo "interop: $python has no pip; install it (Debian: apt-get install python3-pip), or set PYTHON" >&2
    exit 1
fi
pinned=$({ cat "$requirements"; "$python" -c 'import sys; print(sys.implementation.cache_tag)'; } | sha256sum)
is_there "$season" "$pinned" && exit
fresh_folder "$season"
if ! "$python" -m pip install --quiet --disable-pip-version-check --root-user-action ignore \
    --timeout 20 --retries 2 --target "$folder/$season.partial" --no-deps --only-binary :all: $foreign \
    --require-hashes -r "$requirements" >"$log" 2>&1; then
    is_offline && skip "the Python registry cannot be reached"
    fail "installing requirements-$season.txt failed"
fi
finish_folder "$season" "$pinned"
