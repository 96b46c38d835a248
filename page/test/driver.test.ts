import { strict as assert } from "node:assert";
import { test } from "node:test";
import { Driver, LEAST_PRESS_MS, REPEAT_MS } from "../src/drive/driver.ts";
import type { PlayerStatus } from "../src/net/protocol.ts";
import { bit, FULL, ZERO } from "../src/drive/sticks.ts";

function bench(): { driver: Driver; lines: string[]; ly(): number | null } {
    const lines: string[] = [];
    const driver = new Driver({ send: (text) => lines.push(text) });
    const ly = (): number | null => {
        const last = lines.at(-1) ?? "";
        return last.startsWith("sticks")
            ? JSON.parse(last.slice(last.indexOf("{"))).leftJoystick[1]
            : null;
    };
    return { driver, lines, ly };
}

function status(player: number, owner: PlayerStatus["owner"]): PlayerStatus {
    return {
        player,
        owner,
        name: "",
        core: null,
        sim: null,
        rateHz: null,
        ageMs: null,
        loss: null,
        latencyMs: null,
        heard: null,
        coreRateHz: null,
        coreAgeMs: null,
        coreLatencyMs: null,
    };
}

const AHEAD = { ...ZERO, ly: FULL };

test("a page that may not drive any more owns nobody, and sends nothing when its keys are pressed", () => {
    const { driver, lines } = bench();
    driver.own(1);
    driver.giveUp();
    assert.deepEqual(driver.owned(), []);
    lines.length = 0;
    driver.set("keys", 1, AHEAD, 1000);
    driver.connected();
    assert.deepEqual(lines, []);
});

test("sticks go out at once when they change and are repeated in time", () => {
    const { driver, lines, ly } = bench();
    driver.own(1);
    driver.tick(0);
    assert.deepEqual([lines[0], ly()], ["own 1", 0]);
    driver.set("keys", 1, AHEAD, 5);
    assert.equal(ly(), FULL);
    const before = lines.length;
    driver.set("keys", 1, AHEAD, 6);
    driver.tick(5 + REPEAT_MS - 1);
    assert.equal(lines.length, before, "nothing is new or due");
    driver.tick(5 + REPEAT_MS);
    assert.equal(lines.length, before + 1);
    assert.ok(REPEAT_MS <= 50);
});

test("nothing is sent for players that are not owned", () => {
    const { driver, lines } = bench();
    driver.set("keys", 2, AHEAD, 0);
    driver.tick(100);
    assert.deepEqual(lines, []);
});

test("hushed, the sticks are zero at once, stay so, and do not come back by themselves", () => {
    const { driver, lines, ly } = bench();
    driver.own(1);
    driver.set("keys", 1, AHEAD, 0);
    driver.hush(true, 1);
    assert.equal(ly(), 0);
    driver.set("pad 0", 1, AHEAD, 2);
    driver.tick(1 + REPEAT_MS);
    assert.equal(ly(), 0);
    driver.drop("pad 0", 50);
    driver.hush(false, 60);
    driver.tick(200);
    assert.equal(ly(), 0);
    assert.ok(lines.every((line) => /^(own|ping|sticks) /.test(line)));
});

test("two sources drive one player, one lets go", () => {
    const { driver, ly } = bench();
    driver.own(1);
    driver.set("keys", 1, AHEAD, 0);
    driver.set("pad 0", 1, { ...ZERO, ly: -100 }, 1);
    assert.equal(ly(), FULL - 100);
    driver.drop("keys", 2);
    assert.equal(ly(), -100);
});

test("after a lost connection nothing is held, and the same players are asked for", () => {
    const { driver, lines, ly } = bench();
    driver.own(3);
    driver.set("keys", 3, AHEAD, 0);
    driver.disconnected();
    lines.length = 0;
    driver.connected();
    driver.tick(1001);
    assert.deepEqual([lines[0], ly()], ["own 3", 0]);
});

test("a player that the server gives to another is given up, but not before the server has heard of us", () => {
    const { driver, lines } = bench();
    driver.own(1);
    assert.deepEqual(lines, ["own 1", "ping own 1"]);
    for (let late = 0; late < 10; late++) {
        driver.learn([status(1, "nobody")]);
    }
    assert.equal(driver.owns(1), true);
    assert.equal(driver.pong("own 1"), true);
    driver.learn([status(1, "nobody")]); // this one was on its way
    driver.learn([status(1, "you")]);
    driver.learn([status(1, "other")]);
    assert.equal(driver.owns(1), true);
    driver.learn([status(1, "other")]);
    assert.equal(driver.owns(1), false);
    assert.equal(driver.pong("12.5"), false);
});

test("release says so once", () => {
    const { driver, lines } = bench();
    driver.own(1);
    driver.release(1);
    driver.release(1);
    assert.deepEqual(lines, ["own 1", "ping own 1", "release 1"]);
});

test("a button that was held while the page stood still is not pressed a second time", () => {
    const { driver, lines } = bench();
    const last = (): { start: number; leftJoystick: number[] } =>
        JSON.parse(lines.at(-1)!.slice(lines.at(-1)!.indexOf("{")));
    const held = { ...AHEAD, buttons: bit("start") };
    driver.own(1);
    driver.set("keys", 1, held, 0);
    assert.equal(last().start, 1);
    driver.tick(400); // the server has let go in the meantime
    assert.deepEqual([last().start, last().leftJoystick[1]], [0, FULL]);
    driver.tick(440);
    assert.equal(last().start, 0);
    driver.set("keys", 1, AHEAD, 450);
    driver.set("keys", 1, held, 460);
    assert.equal(last().start, 1);
});

test("a tap is a press of a button that nobody overlooks; sticks and triggers are let go of at once", () => {
    const { driver, lines } = bench();
    driver.own(1);
    const sent = (): { ly: number; lt: number; start: number } => {
        const { leftJoystick, leftTrigger, start } = JSON.parse(
            lines.at(-1)!.slice(lines.at(-1)!.indexOf("{")),
        );
        return { ly: leftJoystick[1], lt: leftTrigger, start };
    };
    driver.set("keys", 1, { ...AHEAD, lt: FULL, buttons: bit("start") }, 10);
    assert.deepEqual(sent(), { ly: FULL, lt: FULL, start: 1 });
    driver.set("keys", 1, ZERO, 12);
    assert.deepEqual(sent(), { ly: 0, lt: 0, start: 1 });
    driver.tick(10 + LEAST_PRESS_MS - 1);
    assert.equal(sent().start, 1);
    driver.tick(10 + LEAST_PRESS_MS);
    assert.equal(sent().start, 0);
    driver.set("keys", 1, { ...ZERO, buttons: bit("start") }, 200);
    driver.hush(true, 201);
    assert.equal(sent().start, 0, "nobody looks at the page");
});
