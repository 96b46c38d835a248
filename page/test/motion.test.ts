import { strict as assert } from "node:assert";
import { test } from "node:test";
import { DELAY_S, Motion, SimClock, Track, type Spot } from "../src/scene/motion.ts";

/** A random number generator with a seed, 0 .. 1. */
function dice(seed: number): () => number {
    return () => {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        return seed / 2147483648;
    };
}

interface Arrival {
    t: number;
    nowS: number;
    at: Spot;
}

/**
 * States as the program sends them: the simulator steps every 10 ms, 60 of its states a second go out, and each arrives
 * 1 to `lateMs` + 1 ms later.
 */
function arrivals(seconds: number, lateMs: number, at: (t: number) => Spot): Arrival[] {
    const roll = dice(7);
    const list: Arrival[] = [];
    let due = 0;
    for (let step = 0; step * 0.01 < seconds; step++) {
        const t = step * 0.01;
        if (t >= due - 1e-9) {
            due += 1 / 60;
            list.push({ t, nowS: 100 + t + 0.001 + (roll() * lateMs) / 1000, at: at(t) });
        }
    }
    return list.toSorted((a, b) => a.nowS - b.nowS);
}

/** The spots that are shown, one a frame, once the clock has settled. */
function shown(
    hz: number,
    isOwn: boolean,
    lateMs: number,
    at: (t: number) => Spot,
): { nowS: number; spot: Spot }[] {
    const motion = new Motion([1]);
    const list = arrivals(6, lateMs, at);
    const spots: { nowS: number; spot: Spot }[] = [];
    let next = 0;
    for (let frame = 0; frame < 5.8 * hz; frame++) {
        const nowS = 100.05 + frame / hz;
        while (next < list.length && list[next]!.nowS <= nowS) {
            const { t, at: spot, nowS: heardS } = list[next++]!;
            motion.hear(t, [spot], [], heardS);
        }
        motion.read(nowS);
        const spot = motion.robot(0, isOwn, 1 / hz);
        if (spot !== null && frame > 3 * hz) {
            spots.push({ nowS, spot });
        }
    }
    return spots;
}

function speeds(spots: { nowS: number; spot: Spot }[]): number[] {
    return spots.slice(1).map(({ nowS, spot }, i) => {
        const before = spots[i]!;
        return (
            Math.hypot(spot[0] - before.spot[0], spot[1] - before.spot[1]) / (nowS - before.nowS)
        );
    });
}

/** What an interface with four decimals makes of a place. */
const rounded = (x: number, y: number, turn: number): Spot =>
    [x, y, turn].map((v) => Math.round(v * 1e4) / 1e4) as unknown as Spot;

for (const hz of [60, 90, 144]) {
    for (const isOwn of [false, true]) {
        test(`a steady robot is shown at a steady speed: ${hz} frames a second, ${isOwn ? "one's own" : "somebody else's"}`, () => {
            for (const lateMs of [0, 6]) {
                const values = speeds(shown(hz, isOwn, lateMs, (t) => rounded(3 * t, 1, 0)));
                const variation = (Math.max(...values) - Math.min(...values)) / 3;
                assert.ok(
                    variation < 0.03,
                    `late by up to ${lateMs} ms: ${(variation * 100).toFixed(1)} %`,
                );
            }
        });
    }
}

test("others are shown 25 to 30 ms ago, one's own robot now", () => {
    assert.ok(DELAY_S >= 0.025 && DELAY_S <= 0.03);
    const behind = (isOwn: boolean): number => {
        const { nowS, spot } = shown(60, isOwn, 0, (t) => [2 * t, 0, 0]).at(-1)!;
        return nowS - 100 - 0.001 - spot[0] / 2;
    };
    assert.ok(Math.abs(behind(false) - DELAY_S) < 0.002, String(behind(false)));
    assert.ok(Math.abs(behind(true)) < 0.002, String(behind(true)));
});

test("a circle is shown on the circle, and turning does not swing", () => {
    const spots = shown(144, false, 6, (t) =>
        rounded(2 * Math.cos(2 * t), 2 * Math.sin(2 * t), 2 * t),
    );
    for (const { spot } of spots) {
        assert.ok(Math.abs(Math.hypot(spot[0], spot[1]) - 2) < 0.002);
    }
    const turns = spots.slice(1).map(({ spot }, i) => (spot[2] - spots[i]!.spot[2]) * 144);
    assert.ok(
        Math.max(...turns) - Math.min(...turns) < 0.06,
        `${Math.min(...turns)} .. ${Math.max(...turns)}`,
    );
});

test("one's own robot that stops dead at a wall is back at the wall within a fifth of a second, never far beyond", () => {
    const spots = shown(60, true, 0, (t) => [Math.min(3 * t, 12), 0, 0]);
    const most = Math.max(...spots.map(({ spot }) => spot[0]));
    assert.ok(most < 12 + 3 * 0.05, String(most));
    const later = spots.filter(({ nowS }) => nowS > 100 + 4.2);
    assert.ok(later.every(({ spot }) => Math.abs(spot[0] - 12) < 0.01));
});

test("what was put somewhere else is there at once; a simulator that began anew starts a new clock", () => {
    const track = new Track(0.8);
    track.push(0, [0, 0, 0]);
    track.push(0.01, [0.01, 0, 0]);
    track.push(0.02, [5, 5, 1]);
    assert.deepEqual(track.at(0), [5, 5, 1]);
    assert.deepEqual(track.now(0.03, 0.016), [5, 5, 1]);
    const clock = new SimClock();
    for (let i = 0; i < 100; i++) clock.hear(i * 0.016, 50 + i * 0.016);
    assert.ok(Math.abs(clock.read(51.6) - 1.6) < 0.02);
    clock.hear(0, 51.7);
    assert.ok(Math.abs(clock.read(51.71) - 0.01) < 0.001);
});

test("the clock never goes back and never runs wrong by more than a hundredth, however late states come", () => {
    const roll = dice(3);
    const clock = new SimClock();
    let before = -Infinity;
    for (let i = 1; i < 600; i++) {
        clock.hear(i / 60, 10 + i / 60 + 0.001 + (i % 97 === 0 ? 0.1 : 0) + roll() * 0.004);
        const t = clock.read(10 + i / 60 + 0.005);
        const step = t - before;
        assert.ok(before === -Infinity || (step > 0.99 / 60 && step < 1.01 / 60), `${i}: ${step}`);
        before = t;
    }
});
