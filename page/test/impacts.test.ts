import { strict as assert } from "node:assert";
import { test } from "node:test";
import { ImpactFinder, type Impact } from "../src/match/impacts.ts";
import { decode, type Scene, type State } from "../src/net/protocol.ts";
import { spread } from "../src/scene/spread.ts";

const BOX = [-0.4, -0.35, 0.4, -0.35, 0.4, 0.35, -0.4, 0.35];

function sceneOf(robots: number): Scene {
    const scene = {
        floor: [0, 0, 8, 16],
        walls: [{ height: 0.6, points: [0, 0, 8, 0, 8, 16, 0, 16] }],
        robots: Array.from({ length: robots }, () => ({
            kind: "tank",
            parts: [{ role: "bumper", low: 0, high: 0.2, points: BOX }],
        })),
    };
    const message = decode(JSON.stringify({ type: "hello", scene }));
    assert.ok(message?.type === "hello");
    return message.scene;
}

/** Feeds robots that move as `at(t)` says, 60 states a second. */
function run(
    robots: number,
    seconds: number,
    at: (t: number, robot: number) => [number, number, number],
): Impact[] {
    const finder = new ImpactFinder(sceneOf(robots));
    const found: Impact[] = [];
    for (let t = 0; t < seconds; t += 1 / 60) {
        const state = decode(
            JSON.stringify({
                type: "state",
                t,
                robots: Array.from({ length: robots }, (_, i) => ({ at: at(t, i) })),
            }),
        );
        assert.ok(state?.type === "state");
        found.push(...finder.see(state.state as State));
    }
    return found;
}

test("a robot that drives into a wall at 3 m/s: one impact, where its front touches the wall", () => {
    const found = run(1, 2, (t) => [Math.min(5 + 3 * t, 8 - 0.4), 8, 0]);
    assert.equal(found.length, 1);
    const [{ x, y, speed }] = found as [Impact];
    assert.ok(Math.abs(x - 8) < 0.05 && Math.abs(y - 8) < 0.4, `${x} ${y}`);
    assert.ok(speed > 2.5 && speed < 3.5, String(speed));
});

test("two robots that meet: an impact between them", () => {
    const found = run(2, 2, (t, i) =>
        i === 0 ? [Math.min(2 + 2 * t, 3.6), 8, 0] : [Math.max(6 - 2 * t, 4.4), 8, 0],
    );
    assert.ok(found.length >= 1 && found.length <= 2, String(found.length));
    assert.ok(
        found.every(({ x }) => Math.abs(x - 4) < 0.1),
        JSON.stringify(found),
    );
});

test("stopping in the open, a steady drive along a wall and a reset are no impacts", () => {
    assert.deepEqual(
        run(1, 2, (t) => [Math.min(2 + 3 * t, 4), 8, 0]),
        [],
    );
    assert.deepEqual(
        run(1, 2, (t) => [2 + 2 * t, 0.35, 0]),
        [],
    );
    assert.deepEqual(
        run(1, 2, (t) => (t < 1 ? [7.6, 8, 0] : [2, 2, 0])),
        [],
    );
});

test("labels that would cover each other go up, and no more than they must", () => {
    const label = (
        x: number,
        y: number,
    ): { x: number; y: number; width: number; height: number } => ({ x, y, width: 60, height: 24 });
    assert.deepEqual(spread([label(0, 100), label(200, 100), null]), [0, 0, 0]);
    const row = [label(0, 100), label(30, 101), label(55, 100), label(300, 100)];
    const up = spread(row);
    const boxes = row.map((l, i) => ({ ...l, y: l.y - up[i]! }));
    boxes.forEach((a, i) =>
        boxes.slice(i + 1).forEach((b) => {
            assert.ok(
                Math.abs(a.x - b.x) >= 60 || Math.abs(a.y - b.y) >= 24,
                JSON.stringify([a, b]),
            );
        }),
    );
    assert.deepEqual([up[1], up[3]], [0, 0]);
    assert.ok(Math.max(...up) < 60);
});
