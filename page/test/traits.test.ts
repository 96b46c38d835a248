import assert from "node:assert/strict";
import { test } from "node:test";
import type { Traits } from "../src/net/protocol.ts";
import { percent, traitRows } from "../src/panels/traits_text.ts";

const IDEAL: Traits = {
    name: "ideal",
    strength: [1, 1],
    speed: [1, 1],
    friction: [1, 1],
    breakaway: 0,
    wheelSize: [1, 1],
    track: 1,
    mass: 1,
    volts: 0,
    ohm: 0,
    capacity: 0,
    white: [0, 0],
    black: [1, 1],
    gyroScale: 1,
    gyroBias: 0,
    gyroWarmUp: 0,
    echoes: 0,
    spikes: 0,
    azimuthPlay: 0,
};

test("a factor is a percentage with its sign", () => {
    assert.deepEqual([1.0275, 0.9725, 1, 1.6, 1.00001].map(percent), [
        "+2.8 %",
        "−2.7 %",
        "±0.0 %",
        "+60.0 %",
        "±0.0 %",
    ]);
});

test("an ideal robot has nothing to tell", () => {
    assert.deepEqual(traitRows(IDEAL), []);
});

test("only what differs is told, left before right", () => {
    const rows = traitRows({
        ...IDEAL,
        strength: [1.03, 0.97],
        volts: 5.8,
        ohm: 0.9,
        gyroBias: -0.01,
        spikes: 0.1,
        echoes: 1,
        azimuthPlay: 0.0262,
    });
    assert.deepEqual(rows, [
        ["traits.strength", "+3.0 %  −3.0 %"],
        ["traits.battery", "5.80 V  0.90 Ω"],
        ["traits.drift", "−0.573 °/s"],
        ["traits.echoes", "misses some"],
        ["traits.spikes", "every 10 s"],
        ["traits.azimuthPlay", "1.5°"],
    ]);
});
