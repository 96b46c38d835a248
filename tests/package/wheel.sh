#!/bin/sh
# The wheel in a clean virtual environment, without this project, a compiler or anything of the system's but Python: what
# python/README.md promises works.
#
#   tests/package/wheel.sh WHEEL FOLDER      FOLDER is emptied
set -eu
wheel=$1
work=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$work" && mkdir -p "$work" && work=$(cd "$work" && pwd)

fail() {
    echo "tests/package: $*" >&2
    exit 1
}

[ "$(wc -c <"$wheel")" -le 8000000 ] || fail "$wheel has more than 8 MB"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check --no-index "$wheel"
cp "$root/examples/xrp/square.py" "$root/tests/package/wheel_play.py" "$work"
cd "$work"
in_venv() { env -i PATH="$work/venv/bin" HOME="$work" LANG=C.UTF-8 "$@"; }

# Every library that its files load is the C library's family, or lies in the wheel.
files=$("$work/venv/bin/python" -c 'from halyard_sim import _native; print(_native.files())')
for file in "$files/bin/halyard" "$files/lib/libhalyard_python.so" "$files"/lib/halyard/*.so; do
    ldd "$file" | while read -r name arrow path rest; do
        case $name in
        linux-vdso* | /lib*/ld-linux* | ld-linux* | libc.so* | libm.so* | statically) continue ;;
        esac
        [ "$arrow" = '=>' ] && [ "$(dirname "$(realpath "$path")")" = "$(realpath "$files/lib")" ] ||
            fail "$(basename "$file") takes $name from ${path:-nowhere}"
    done
done

in_venv halyard --version | grep -q "^halyard [0-9]" || fail "halyard --version"
test -r "$(in_venv halyard extension xrp)" || fail "halyard extension xrp names no file"
in_venv halyard board xrp --duration 0.2 >board.txt 2>&1 || fail "halyard board: $(cat board.txt)"
in_venv halyard xrp square.py --world xrp-open --json >square.txt || fail "halyard xrp"
in_venv python -m halyard_sim xrp square.py --world xrp-open --json >again.txt || fail "python -m halyard_sim xrp"
cmp square.txt again.txt || fail "two equal runs differ"
in_venv python -c 'import halyard_sim; w = halyard_sim.World("xrp-arena", robot="typical", seed=3); w.step([0.5, 0.5], 100); assert w.pose.x_m > 1'
in_venv python wheel_play.py || fail "halyard play serves no page"
echo "the wheel works in a clean environment"
