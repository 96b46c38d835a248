import { strict as assert } from "node:assert";
import { test } from "node:test";
import { commandOf, isDriveKey, KeySticks } from "../src/drive/keys.ts";
import { bit, FULL, ZERO } from "../src/drive/sticks.ts";

function held(...codes: string[]): KeySticks {
    const keys = new KeySticks();
    codes.forEach((code) => keys.down(code));
    return keys;
}

test("WASD drives and steers in both modes of a core", () => {
    assert.deepEqual(held("KeyW", "KeyD").sticks(), { ...ZERO, ly: FULL, lx: FULL, rx: FULL });
    assert.deepEqual(held("KeyS", "KeyA").sticks(), { ...ZERO, ly: -FULL, lx: -FULL, rx: -FULL });
});

test("the arrows are the right stick, and overrule A and D there", () => {
    assert.deepEqual(held("ArrowUp", "ArrowLeft").sticks(), { ...ZERO, ry: FULL, rx: -FULL });
    assert.deepEqual(held("KeyD", "ArrowLeft").sticks(), { ...ZERO, lx: FULL, rx: -FULL });
});

test("of two opposite keys the later counts, and the earlier again when it is let go", () => {
    const keys = held("KeyW", "KeyS");
    assert.equal(keys.sticks().ly, -FULL);
    keys.up("KeyS");
    assert.equal(keys.sticks().ly, FULL);
    keys.up("KeyW");
    assert.deepEqual(keys.sticks(), ZERO);
});

test("repeats change nothing, unknown keys neither, clear lets all go", () => {
    const keys = held("KeyW", "KeyQ");
    assert.equal(keys.down("KeyW"), false);
    assert.equal(keys.down("KeyP"), false);
    keys.clear();
    assert.deepEqual(keys.sticks(), ZERO);
    assert.equal(keys.up("KeyW"), false);
});

test("triggers and buttons", () => {
    assert.deepEqual(held("KeyQ", "KeyE", "Slash", "Enter").sticks(), {
        ...ZERO,
        lt: FULL,
        rt: FULL,
        buttons: bit("a") | bit("start"),
    });
});

test("the reference's keys command the page", () => {
    const expected: [string, string][] = [
        ["Digit1", "top"],
        ["Digit2", "orbit"],
        ["KeyL", "lidar"],
        ["KeyR", "reset"],
        ["KeyF", "fullscreen"],
        ["Digit6", "home"],
    ];
    for (const [code, command] of expected) {
        assert.equal(commandOf(code, "", true), command);
        assert.equal(isDriveKey(code), false, `${code} must not drive too`);
    }
});

test("S is statistics only where nobody can be driven; ? is help wherever it lies", () => {
    assert.equal(commandOf("KeyS", "s", false), "stats");
    assert.equal(commandOf("KeyS", "s", true), null);
    assert.equal(commandOf("Minus", "?", true), "help");
});
