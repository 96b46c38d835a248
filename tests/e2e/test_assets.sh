#!/bin/sh
# AdvantageScope's assets: what is in the tree is what tools/assets.sh makes of the page's geometry, byte by byte; models are valid
# glTF 2.0, three.js loads them, and they have the size of what they stand for.
#
#   test_assets.sh WORLD_SCENE
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
tree=$root/assets
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "test_assets: $*" >&2
    exit 1
}

[ -n "$(ls "$tree"/advantagescope/*/model.glb)" ] || fail "there are no models in $tree"
python3 -B "$root/tests/e2e/check_glb.py" "$tree"/advantagescope/*/*.glb "$root"/worlds/models/*.glb
head -c 2000 "$tree/advantagescope/Robot_Halyard_XRP/model.glb" >"$work/cut.glb"
! python3 -B "$root/tests/e2e/check_glb.py" "$work/cut.glb" 2>/dev/null || fail "a cut model is taken for a valid one"
python3 -B "$root/tests/e2e/check_config.py" "$tree"/advantagescope/*
mkdir "$work/Field2d_wrong"
sed 's/"widthInches": [0-9.]*/"widthInches": 10/' "$tree/advantagescope/Field2d_Halyard_xrp-line/config.json" >"$work/Field2d_wrong/config.json"
cp "$tree/advantagescope/Field2d_Halyard_xrp-line/image.png" "$work/Field2d_wrong"
! python3 -B "$root/tests/e2e/check_config.py" "$work/Field2d_wrong" 2>/dev/null || fail "a picture of another shape than its field is taken for right"
for layout in "$tree"/layouts/*.json; do
    python3 -m json.tool "$layout" >/dev/null || fail "$layout is no JSON"
done

if ! "$root/tools/page.sh" has-node || ! "$root/tools/page.sh" modules; then
    [ "${CI:-}" != true ] && [ "${HALYARD_NO_SKIP:-}" != 1 ] || fail "no Node here; a skip counts as a failure"
    echo "SKIPPED: no Node to make the assets with"
    exit 77
fi
"$root/tools/page.sh" node "$root/tests/e2e/load_glb.mjs" "$tree"/advantagescope/*/*.glb "$root"/worlds/models/*.glb >"$work/sizes"
# is NAME LENGTH WIDTH: in metres, to a centimetre (glTF's x and z).
is() {
    awk -v name="$1" -v length_m="$2" -v width_m="$3" 'function off(a, b) { return (a > b ? a - b : b - a) > 0.01 }
        index($1, name) { found = 1; if (off($2, length_m) || off($4, width_m)) exit 1 }
        END { exit !found }' "$work/sizes" || fail "$1 is not $2 m by $3 m: $(grep "$1" "$work/sizes")"
}
is Robot_Halyard_XRP 0.186 0.168
is Robot_Halyard_Teensy_swerve 0.300 0.300
is Field3d_Halyard_field2020/model_0 0.178 0.178
is models/town 3.020 2.020

"$root/tools/assets.sh" "$work/assets" "$1"
diff -r "$root/worlds/models" "$work/assets/models" || fail "worlds/models/ is not what tools/assets.sh makes as models/"
rm -r "$work/assets/models"
diff -r "$tree" "$work/assets" || fail "assets/ is not what tools/assets.sh makes: run 'tools/assets.sh assets'"
