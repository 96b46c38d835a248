#!/bin/sh
# --bots of play: without a terminal two bots play one match, over real sockets, and its result is printed. How well they play is a matter of
# simulated time: tests/unit/test_player_bot.c.
set -eu

halyard=${HALYARD_BINARY:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "test_play_bots: $*" >&2
    cat "$work/out" >&2
    exit 1
}

# Other tests use ports that end with 0, 5 or 7, and this one such that end with 3.
play() {
    for try in 1 2 3 4 5 6; do
        status=0
        timeout 120 "$halyard" play --shift $((12003 + ($$ + try) % 60 * 100)) --listen 127.0.0.1:0 "$@" >"$work/out" 2>&1 || status=$?
        [ $status -ne 0 ] && grep -q "in use" "$work/out" || break
    done
}

play --players 0 --bots 2 --seconds 6 --record "$work/match.wpilog" --nt-dialect 2027
[ $status -eq 0 ] || fail "it ended with $status"
grep -qx 'blue [0-9]*, red [0-9]*' "$work/out" || fail "there is no result"
grep -q 'the bots play one match' "$work/out" || fail "it does not say what happens"
# Both have left their places, so the timer was started, and it was waited for.
for player in 1 2; do
    grep -q "player $player at" "$work/out" || fail "player $player is not told of"
    if grep -Eq "player $player at x 0.000 m, y -?5.00[0-9] m" "$work/out"; then
        fail "player $player has not moved"
    fi
done

# The match's file has the names of WPILib 2027 only.
for name in NT:/DriverStation/ControlWord NT:/Match/Blue NT:/Robot1/Commands NT:/AdvantageKit/DriverStation/Joystick0/AxisValues; do
    grep -aq "$name" "$work/match.wpilog" || fail "the recording has no $name"
done
if grep -aq "NT:/FMSInfo" "$work/match.wpilog"; then
    fail "the recording has names of WPILib 2026"
fi

for wrong in 0 7 3:medium x 2hard; do
    play --bots "$wrong"
    [ $status -eq 2 ] || fail "--bots $wrong ended with $status"
    grep -q "give how many" "$work/out" || fail "--bots $wrong is refused without a reason"
done
play --players 4 --bots 3
[ $status -eq 2 ] && grep -q "room for 6 robots" "$work/out" || fail "seven robots are not refused"
