#!/bin/sh
# A program of a user's own, built as `make my_robot` does, runs with its robot in the same process: --sim, and with faults.
set -eu

command -v pkg-config >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$HALYARD_TEST_DATA/../examples/line_follow.c" "$folder/my_robot.c"
# shellcheck disable=SC2046 # the flags are words
cc -std=c11 -Og -g "$folder/my_robot.c" -o "$folder/my_robot" \
    $(PKG_CONFIG_PATH=$HALYARD_BUILD_DIR/pkgconfig pkg-config --cflags --libs halyard)

run() {
    "$folder/my_robot" --sim xrp-line --speed max --duration 20 --json "$@"
}

fail() {
    echo "test_own_program: $*" >&2
    exit 1
}

good=$(run)
[ "$good" = "$(run)" ] || fail "mismatch: two runs differ: $good"
echo "$good" | grep -q '"watchdog_trips":0' || fail "the robot was not driven: $good"
bad=$(run --faults bad-wifi,seed=3)
[ "$bad" = "$(run --faults bad-wifi,seed=3)" ] || fail "mismatch: two runs with the same faults differ: $bad"
[ "$bad" != "$good" ] || fail "faults change nothing: $bad"
[ "$bad" != "$(run --faults bad-wifi,seed=4)" ] || fail "the seed of the faults changes nothing: $bad"
if run --faults nonsense 2>"$folder/said"; then
    fail "nonsense was accepted"
fi
grep -q "no such file" "$folder/said" || fail "$(cat "$folder/said")"
echo "two runs agree to the bit, with faults and without"
