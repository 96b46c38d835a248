import assert from "node:assert/strict";
import { test } from "node:test";
import { limited, shownNumber, stepOf } from "../src/panels/tuning_text.ts";

test("a tuned number stays within its limits, if it has any", () => {
    assert.deepEqual(
        [-1, 0.5, 3].map((value) => limited(value, { low: 0, high: 2 })),
        [0, 0.5, 2],
    );
    assert.equal(limited(-1e6, { low: null, high: 2 }), -1e6);
});

test("it is shown with at most six digits, without those that a computer adds", () => {
    assert.deepEqual([0.1 + 0.2, 2, -0.000001].map(shownNumber), ["0.3", "2", "-0.000001"]);
});

test("a slider has 200 to 400 steps of a round size; without two limits there is none", () => {
    assert.deepEqual(
        [
            stepOf({ low: 0, high: 2 }),
            stepOf({ low: -10, high: 10 }),
            stepOf({ low: 0, high: 0.5 }),
        ],
        [0.01, 0.1, 0.002],
    );
    assert.deepEqual(
        [
            stepOf({ low: 0, high: null }),
            stepOf({ low: 1, high: 1 }),
            stepOf({ low: null, high: null }),
        ],
        [null, null, null],
    );
});
