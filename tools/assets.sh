#!/bin/sh
# AdvantageScope's assets (docs/guide/advantagescope.md): fields, robots and layouts, of the same geometry as the page; and the
# models of worlds/xrp-town.yaml.
#
#   tools/assets.sh OUT [WORLD_SCENE]    WORLD_SCENE: the program of tools/assets/world_scene.c (default build/tools/assets/world_scene)
#
# What is in assets/ and, of OUT/models, in worlds/models/ is what this writes: tests/e2e/test_assets.sh compares them.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:?usage: tools/assets.sh OUT [WORLD_SCENE]}
world_scene=${2:-$root/build/tools/assets/world_scene}
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/scenes"
for world in field2020 teensy-field xrp-arena xrp-course xrp-line; do
    "$world_scene" "$root/worlds/$world.yaml" "$work/scenes/$world.pgm" >"$work/scenes/$world.json"
done
grep -v gltf: "$root/worlds/xrp-town.yaml" >"$work/xrp-town.yaml" # its models may not be there yet
"$world_scene" "$work/xrp-town.yaml" "$work/scenes/xrp-town.pgm" >"$work/scenes/xrp-town.json"
"$root/tools/page.sh" modules
"$root/tools/page.sh" stage "$work/page"
cd "$work/page"
"$root/tools/page.sh" node dev/assets.mjs "$work/scenes" "$out"
