import { strict as assert } from "node:assert";
import { test } from "node:test";
import { approach, curve, KeyRamp } from "../src/drive/ramp.ts";
import { bit, FULL, ZERO, type Sticks } from "../src/drive/sticks.ts";

const FAST = { sensitivity: 1, slow: false };
const AHEAD = { ...ZERO, ly: FULL };

/** The sticks after `ms` of holding `keys`, stepped every 8 ms as the page does. */
function held(keys: Sticks, ms: number, options = FAST, ramp = new KeyRamp(), from = 0): Sticks {
    let last = ramp.step(keys, options, from, true)!;
    for (let now = from + 8; now <= from + ms; now += 8) {
        last = ramp.step(keys, options, now, false) ?? last;
    }
    return last;
}

test("a press shows at once, grows, and is full after a fifth of a second", () => {
    const values = [0, 50, 100, 150, 300].map((ms) => held(AHEAD, ms).ly);
    assert.ok(values[0]! > 0.1 * FULL && values[0]! < 0.25 * FULL, String(values));
    assert.deepEqual(
        values,
        values.toSorted((a, b) => a - b),
    );
    assert.equal(values.at(-1), FULL);
});

test("letting go ends in less than a tenth of a second, the other direction begins at rest", () => {
    const ramp = new KeyRamp();
    held(AHEAD, 400, FAST, ramp);
    const reversed = held({ ...ZERO, ly: -FULL }, 0, FAST, ramp, 410);
    assert.ok(reversed.ly < 0 && reversed.ly > -0.3 * FULL, String(reversed.ly));
    held(AHEAD, 400, FAST, ramp, 500);
    assert.equal(held(ZERO, 100, FAST, ramp, 910).ly, 0);
});

test("Shift and the sensitivity limit the sticks, not the triggers and buttons", () => {
    const keys = { ...AHEAD, lt: FULL, buttons: bit("a") };
    assert.deepEqual(held(keys, 400, { sensitivity: 1, slow: true }), {
        ...keys,
        ly: Math.round(0.4 * FULL),
    });
    assert.equal(held(keys, 400, { sensitivity: 0.5, slow: false }).ly, FULL / 2);
    assert.equal(held({ ...ZERO, rx: FULL, lx: FULL }, 400).rx, Math.round(0.75 * FULL));
});

test("a ramp is at most one message in 16 ms, and none when nothing changes", () => {
    const ramp = new KeyRamp();
    ramp.step(AHEAD, FAST, 0, true);
    let messages = 0;
    for (let now = 1; now <= 1000; now++) {
        messages += ramp.step(AHEAD, FAST, now, false) === null ? 0 : 1;
    }
    assert.ok(messages >= 5 && messages <= 15, String(messages));
});

test("the curve is gentle near the middle, odd, and full at the end; the way never leaves -1..1", () => {
    assert.deepEqual(
        [curve(0), curve(1), curve(-1)].map((x) => x + 0),
        [0, 1, -1],
    );
    assert.ok(curve(0.25) < 0.2 && curve(-0.25) > -0.2);
    assert.equal(approach(0.9, 1, 1000), 1);
    assert.equal(approach(-0.9, 0, 1000) + 0, 0);
});
