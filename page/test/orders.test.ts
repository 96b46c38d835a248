import assert from "node:assert/strict";
import { test } from "node:test";
import { Orders } from "../src/drive/orders.ts";
import { Resets } from "../src/match/resets.ts";
import type { Scene, State } from "../src/net/protocol.ts";
import { parseSettings } from "../src/settings.ts";
import { Store } from "../src/store.ts";

function bench(kind: Scene["kind"]): {
    store: Store;
    orders: Orders;
    said: string[];
    sent: string[];
} {
    const store = new Store(parseSettings(null, ["en"]));
    const said: string[] = [];
    const sent: string[] = [];
    store.scene = { kind, replay: null } as Scene;
    store.seats.mayCommand = true;
    const orders = new Orders(store, {
        hands: { drive: () => {}, pulse: () => false, stop: () => sent.push("let go") },
        show: { phase: "running", startPressed: () => false, whyDead: () => null },
        resets: new Resets(),
        send: (text) => sent.push(text),
        say: (text) => said.push(text.slice(0, 23)),
        follow: () => {},
        now: () => 0,
    });
    return { store, orders, said, sent };
}

function robot(enabled: boolean, stopped: boolean): State {
    return { robots: [{ enabled, stopped }] } as State;
}

test("that a robot is stopped is said once: when it stands, and only where no sentence stays", () => {
    for (const isHeld of [true, false]) {
        const { store, orders, said, sent } = bench("board");
        store.live = robot(true, false);
        assert.ok(orders.stopKey(true, false));
        orders.update();
        assert.deepEqual([sent, said], [["stop"], []], "it still drives");
        store.live = robot(false, isHeld);
        orders.update();
        orders.update();
        assert.deepEqual(said, isHeld ? [] : ["The robot is stopped. T"]);
        orders.stop();
        assert.deepEqual(said.slice(1), isHeld ? [] : ["The robot is disabled: "]);
        assert.deepEqual(sent, ["stop", "stop"], "what this page shows may be old");
    }
});

test("Space is the focus's own where nothing is enabled; in a match it releases the sticks", () => {
    const board = bench("board");
    board.store.live = robot(false, false);
    assert.ok(!board.orders.stopKey(true, false));
    const match = bench("match");
    assert.ok(match.orders.stopKey(false, false));
    assert.deepEqual([match.sent, match.said], [["let go"], ["All sticks are released"]]);
    assert.ok(match.orders.stopKey(false, true), "a key that repeats");
    assert.equal(match.said.length, 1);
});
