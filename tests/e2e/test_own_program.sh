#!/bin/sh
# A program of a user's own, built as `make my_robot` does, runs with its robot in the same process: --sim, and with faults.
set -eu

command -v pkg-config >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$HALYARD_TEST_DATA/../examples/line_follow.c" "$folder/my_robot.c"
build() {
    (cd "$folder" && "$HALYARD_TEST_DATA/../tools/build_program.sh" "$HALYARD_BUILD_DIR" "$1.c" "$1")
}

fail() {
    echo "test_own_program: $*" >&2
    exit 1
}

build my_robot 2>"$folder/said" || fail "it was not built: $(cat "$folder/said")"
[ ! -s "$folder/said" ] || fail "it was built with words: $(cat "$folder/said")"

# with STATEMENT: changed.c, whose periodic call begins with it.
with() {
    awk -v statement="$1" '{ print } /^static void follow/ { getline; print; print "    int value = 0;"; print "    " statement; print "    (void)value;" }' \
        "$folder/my_robot.c" >"$folder/changed.c"
}

# mistake STATEMENT WORDS: that program is not built, and the one of before is gone.
mistake() {
    with "$1"
    : >"$folder/changed"
    if build changed 2>"$folder/said"; then
        fail "'$1' was built"
    fi
    grep -q "$2" "$folder/said" || fail "'$1': no '$2' in $(cat "$folder/said")"
    [ ! -e "$folder/changed" ] || fail "'$1': the program of before is still there"
}

mistake "xrp.motor[4].effort = 1;" "array"
mistake "xrp.encoder[-1].count = 1;" "array"
mistake "hy_motor_set(&xrp.motor[4], 0.5, now_us);" "hy_motor_set"
mistake "if (value = 1) { return; }" "parentheses"
mistake "hy_motor_sett(&xrp.motor[0], 1.0, now_us);" "did you mean"
with "value = rand();"
sed -i 's/^#include <halyard/#include <stdlib.h>\n&/' "$folder/changed.c"
build changed 2>"$folder/said" || fail "rand() is a mistake: $(cat "$folder/said")"
grep -q "changed.c calls rand(), whose result is in no recording" "$folder/said" || fail "no word of rand(): $(cat "$folder/said")"
if build my_robt 2>"$folder/said"; then
    fail "a program without a source was built"
fi
grep -q "there is no my_robt.c" "$folder/said" && grep -q "make my_robot" "$folder/said" || fail "no word of my_robot: $(cat "$folder/said")"

# hint STATEMENT WORDS: that program is built, and says so once.
hint() {
    with "$1"
    build changed 2>"$folder/said" || fail "'$1' was not built: $(cat "$folder/said")"
    "$folder/changed" --sim xrp-line --speed max --duration 2 --json >"$folder/outcome" 2>"$folder/said" || fail "'$1': exit status $?"
    [ "$(grep -c "$2" "$folder/said")" = 1 ] || fail "'$1': not once '$2' in $(cat "$folder/said")"
    [ "$(wc -l <"$folder/outcome")" = 1 ] || fail "'$1': $(cat "$folder/outcome")"
}

hint "volatile int index = 4; hy_motor_set(&xrp.motor[index], 0.5, now_us);" "hy_motor_set() did nothing: .* no device of the robot"
hint "volatile int index = 4; hy_encoder_reset(&xrp.encoder[index]);" "hy_encoder_reset() did nothing"
hint "volatile int index = 4; hy_servo_set_angle(&xrp.servo[index], 1.0);" "hy_servo_set_angle() did nothing"
hint "hy_motor_set(&xrp.motor[2], 50, now_us);" "motor 2: 50 limited to 1$"
hint "hy_motor_set(&xrp.motor[2], -50, now_us);" "motor 2: -50 limited to -1$"
hint "hy_motor_set(&xrp.motor[2], 0.0 / value, now_us);" "motor 2: -*nan limited to 0$"
hint "hy_servo_set_angle(&xrp.servo[1], 90);" "servo 1: 28.6479 of its range limited to 1"
hint "static int calls; if (calls++ == 0) { hy_motor_set(&xrp.motor[3], 0.5, now_us); }" "motor 3 was set only once; set it in every periodic call$"

# again STATEMENT UNTIL WORDS: in a terminal, those words stand behind the screen when the program is gone.
again() {
    with "$1"
    build changed 2>"$folder/said" || fail "'$1' was not built: $(cat "$folder/said")"
    python3 "$HALYARD_TEST_DATA/e2e/in_terminal.py" "$2" "$folder/changed" --sim xrp-line >"$folder/said" || fail "'$1': exit status $?"
    grep -q "$3" "$folder/said" || fail "'$1': no '$3' behind the screen in $(cat "$folder/said")"
}

again "hy_motor_set(&xrp.motor[2], 50, now_us);" "limited" "motor 2: 50 limited to 1"
again "volatile int index = 4; xrp.motor[index].effort = 1;" "ENABLED" "changed.c:[0-9]*: [Ii]ndex 4 out of bounds for type 'hy_motor \[4\]'"
again "double a[3]; for (volatile int i = 0; i < 5; i++) { *(a + i) = 1.0; }" "never" "changed.c:[0-9]*: follow() used memory that is not its own (stack-buffer-overflow)"
grep -q "ERROR: AddressSanitizer: stack-buffer-overflow" "$folder/said" || fail "no report behind the screen"

run() {
    "$folder/my_robot" --sim xrp-line --speed max --duration 20 --json "$@"
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
