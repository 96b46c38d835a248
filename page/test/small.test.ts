import { strict as assert } from "node:assert";
import { test } from "node:test";
import { LatencyMeter, median } from "../src/drive/latency.ts";
import { axisOf, PadGate, PadSeats, padSticks } from "../src/drive/pads.ts";
import { bit, FULL, ZERO } from "../src/drive/sticks.ts";
import { clock, degrees, milliseconds } from "../src/text.ts";
import { stickOf } from "../src/drive/touchpad.ts";

test("the clock counts down to 0:00 and no farther", () => {
    const cases: [number, string][] = [
        [135, "2:15"],
        [134.2, "2:15"],
        [120, "2:00"],
        [119.5, "2:00"],
        [60, "1:00"],
        [59.9, "1:00"],
        [9.01, "0:10"],
        [0.02, "0:01"],
        [0, "0:00"],
        [-1, "0:00"],
    ];
    for (const [seconds, text] of cases) {
        assert.equal(clock(seconds), text, String(seconds));
    }
});

test("headings are shown within a turn, unknown is a word", () => {
    assert.deepEqual([degrees(-142), degrees(Math.PI * 4), degrees(-1e-9)], ["144°", "0°", "0°"]);
    assert.deepEqual(
        [milliseconds(null), milliseconds(9.46), milliseconds(17.4)],
        ["unknown", "9.5 ms", "17 ms"],
    );
});

test("latency: from a stick that leaves zero to another drive speed of that robot", () => {
    const meter = new LatencyMeter();
    const ahead = { ...ZERO, ly: FULL };
    meter.seen(1, [0, 0], 0);
    meter.sent(1, ahead, ZERO, 100);
    meter.sent(1, { ...ahead, ly: 300 }, ahead, 103); // still on its way: the first one counts
    meter.seen(1, [0, 0], 110);
    meter.seen(2, [5, 5], 111); // another robot
    assert.equal(meter.medianMs(), null);
    meter.seen(1, [3, 3], 118);
    assert.equal(meter.medianMs(), 18);
    meter.sent(1, ZERO, ahead, 200);
    meter.seen(1, [0, 0], 210); // stopping is not measured
    assert.equal(meter.count(), 1);
});

test("latency: let go before it was seen, or never seen, is no sample", () => {
    const meter = new LatencyMeter();
    const ahead = { ...ZERO, ly: FULL };
    meter.sent(1, ahead, ZERO, 0);
    meter.sent(1, ZERO, ahead, 5);
    meter.seen(1, [1, 1], 10);
    meter.sent(1, ahead, ZERO, 20);
    meter.seen(1, [1, 1], 5000);
    meter.seen(1, [2, 2], 5001);
    assert.equal(meter.count(), 0);
    assert.deepEqual([median([]), median([3, 1, 2]), median([4, 1])], [null, 2, 2.5]);
});

test("a gamepad's axes have a dead middle, no jump at its rim, and y up", () => {
    assert.deepEqual(
        [axisOf(0.1), axisOf(-0.05), axisOf(1), axisOf(-1.2), axisOf(NaN), axisOf(undefined)],
        [0, 0, FULL, -FULL, 0, 0],
    );
    assert.ok(axisOf(0.105) > 0 && axisOf(0.105) < 10);
    const buttons = Array.from({ length: 17 }, (_, i) => ({
        pressed: i === 0 || i === 9,
        value: i === 6 ? 0.5 : 0,
    }));
    const sticks = padSticks({ axes: [0, -1, 0.55, 0], buttons });
    assert.deepEqual(sticks, {
        lx: 0,
        ly: FULL,
        rx: 256,
        ry: 0,
        lt: 256,
        rt: 0,
        buttons: bit("a") | bit("start"),
    });
    assert.deepEqual(padSticks({ axes: [], buttons: [] }), ZERO);
});

test("after a closed gate a gamepad's axis counts once it was at rest, a button once it was released", () => {
    const gate = new PadGate();
    const held = { ...ZERO, ly: FULL, rx: 7, lt: 3, buttons: bit("a") | bit("start") };
    assert.deepEqual(gate.pass(held), held);
    gate.close();
    assert.deepEqual(gate.pass(held), ZERO);
    assert.deepEqual(gate.pass({ ...held, ly: 0, buttons: bit("a") }), ZERO);
    assert.deepEqual(gate.pass(held), { ...ZERO, ly: FULL, buttons: bit("start") });
    assert.deepEqual(gate.pass(ZERO), ZERO);
    assert.deepEqual(gate.pass(held), held);
});

test("each gamepad gets a player of its own while there are any", () => {
    const seats = new PadSeats();
    assert.deepEqual(
        [seats.arrive(0, [1, 2]), seats.arrive(3, [1, 2]), seats.arrive(1, [1, 2])],
        [1, 2, 0],
    );
    seats.leave(0);
    assert.deepEqual([seats.arrive(4, [1, 2]), seats.player(3), seats.player(9)], [1, 2, 0]);
});

test("a stick on the screen: full at its rim, beyond it too, and at rest near the middle", () => {
    assert.deepEqual(stickOf(0, -50, 50), { x: 0, y: FULL });
    const far = stickOf(300, 400, 50);
    assert.deepEqual([Math.round(Math.hypot(far.x, far.y)), far.y < 0], [FULL, true]);
    assert.deepEqual(
        [stickOf(2, 2, 50), stickOf(0, 0, 50)],
        [
            { x: 0, y: 0 },
            { x: 0, y: 0 },
        ],
    );
});
