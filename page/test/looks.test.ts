import { strict as assert } from "node:assert";
import { test } from "node:test";
import { decode } from "../src/net/protocol.ts";
import { looksOf } from "../src/scene/looks.ts";

const WHEEL = { x: 0, y: 0, radius: 0.03, width: 0.02 };
const part = (role: string) => ({ role, low: 0, high: 0.1, points: [0, 0, 1, 0, 1, 1] });

function robot(fields: object) {
    const message = decode(
        JSON.stringify({ type: "hello", scene: { floor: [0, 0, 1, 2], robots: [fields] } }),
    );
    assert.ok(message?.type === "hello");
    return message.scene.robots[0]!;
}

test("looks follow from parts and wheels, not from a name", () => {
    for (const kind of ["rover", "tank", "xrp", "swerve", ""]) {
        assert.equal(
            looksOf(robot({ kind, parts: [part("body")], wheels: [WHEEL, WHEEL] })),
            "sides",
            kind,
        );
        assert.equal(
            looksOf(robot({ kind, parts: [part("body")], wheels: [WHEEL, WHEEL, WHEEL, WHEEL] })),
            "modules",
            kind,
        );
        assert.equal(
            looksOf(
                robot({
                    kind,
                    parts: [part("body"), part("bumper")],
                    wheels: [WHEEL, WHEEL, WHEEL, WHEEL],
                }),
            ),
            "match",
            kind,
        );
        assert.equal(
            looksOf(robot({ kind, alliance: "Red", parts: [part("body")], wheels: [] })),
            "match",
            kind,
        );
    }
});
