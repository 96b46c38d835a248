import { strict as assert } from "node:assert";
import { test } from "node:test";
import { bit, combine, encode, equal, FULL, ZERO } from "../src/drive/sticks.ts";

test("the wire text has exactly the keys of joystick -> core", () => {
    const text = encode({
        lx: 1,
        ly: -2,
        rx: 3,
        ry: -4,
        lt: 5,
        rt: 6,
        buttons: bit("up") | bit("a") | bit("guide"),
    });
    assert.deepEqual(JSON.parse(text), {
        leftJoystick: [1, -2],
        rightJoystick: [3, -4],
        dpad: [1, 0, 0, 0],
        leftTrigger: 5,
        rightTrigger: 6,
        leftBumper: 0,
        rightBumper: 0,
        a: 1,
        b: 0,
        x: 0,
        y: 0,
        back: 0,
        start: 0,
        guide: 1,
    });
});

test("sources add up and stay within the range", () => {
    const a = { ...ZERO, lx: 400, lt: 100, buttons: bit("a") };
    const b = { ...ZERO, lx: 400, ly: -700, lt: 50, rt: 512, buttons: bit("b") };
    assert.deepEqual(combine([a, b]), {
        ...ZERO,
        lx: FULL,
        ly: -FULL,
        lt: 100,
        rt: 512,
        buttons: bit("a") | bit("b"),
    });
    assert.deepEqual(combine([]), ZERO);
});

test("equal sees every part", () => {
    for (const key of ["lx", "ly", "rx", "ry", "lt", "rt", "buttons"] as const) {
        assert.equal(equal(ZERO, { ...ZERO, [key]: 1 }), false, key);
    }
    assert.equal(equal(ZERO, { ...ZERO }), true);
});
