import assert from "node:assert/strict";
import { test } from "node:test";
import { clock, gap, ranking } from "../src/panels/phantom_text.ts";

test("times and gaps read as on a race's board", () => {
    assert.deepEqual([8.414, 62.345, 59.999, 0].map(clock), ["8.41", "1:02.35", "1:00.00", "0.00"]);
    assert.deepEqual([0.314, -1.2, 0.004, -0.001].map(gap), ["+0.31", "−1.20", "±0.00", "±0.00"]);
});

test("the record board begins with the fastest lap; runs without a lap keep their order at its end", () => {
    const run = (laps: number[]) => ({ name: "", look: 0, length: 10, driven: 3, laps });
    assert.deepEqual(ranking([run([]), run([9.5, 8.5]), run([]), run([8.1])]), [3, 1, 0, 2]);
});
