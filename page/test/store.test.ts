import assert from "node:assert/strict";
import { test } from "node:test";
import type { LinkParts, SocketLike } from "../src/net/link.ts";
import type { State } from "../src/net/protocol.ts";
import { Session } from "../src/net/session.ts";
import { classesOf } from "../src/panels/frame.ts";
import { statusKey } from "../src/panels/status.ts";
import { parseSettings } from "../src/settings.ts";
import { Store } from "../src/store.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";

/** A page without a browser, over a program that the test plays. */
function bench(): {
    store: Store;
    happened: string[];
    say(message: object): void;
    connect(): void;
    hangUp(reason?: string): void;
    clock: { ms: number };
    tokens: string[];
} {
    const store = new Store(parseSettings(null, ["en"]));
    const happened: string[] = [];
    const tokens: string[] = [];
    const clock = { ms: 1000 };
    let socket: SocketLike | null = null;
    const parts: LinkParts & { now(): number } = {
        open: (token) => {
            tokens.push(token);
            socket = {
                send: () => {},
                close: () => {},
                onopen: null,
                onmessage: null,
                onclose: null,
            };
            return socket;
        },
        later: () => 0,
        cancel: () => {},
        now: () => clock.ms,
    };
    const session = new Session(store, TOKEN, parts, {
        lost: () => happened.push("lost"),
        met: (is) => happened.push(`met ${is.newScene} ${is.newConnection}`),
        token: (token) => happened.push(`token ${token}`),
        state: () => happened.push("state"),
        players: () => happened.push("players"),
        reset: (player, name) => happened.push(`reset ${player} ${name}`),
        pong: (text) => text === "own 1",
        recording: ({ type }) => happened.push(type),
        say: (text) => happened.push(`say ${text}`),
        worked: () => {},
    });
    session.link.start();
    return {
        store,
        happened,
        clock,
        tokens,
        say: (message) => socket!.onmessage!({ data: JSON.stringify(message) }),
        connect: () => {
            session.link.retryNow();
            socket!.onopen!();
        },
        hangUp: (reason = "") => socket!.onclose!({ reason }),
    };
}

const ROBOTS = [{ name: "a" }, { name: "b", player: 2 }, { name: "c", player: 3 }];
const MATCH = { kind: "match", title: "A match", floor: [0, 0, 1, 1], robots: ROBOTS };
const BOARD = { kind: "board", title: "A board", floor: [0, 0, 1, 1], robots: [{ name: "x" }] };

test("what the program says is in the store before anybody is told", () => {
    const { store, happened, say, clock } = bench();
    assert.equal(store.isLive, false);
    say({ type: "hello", scene: MATCH, may_command: true, watchers: true, addresses: "h:1" });
    assert.deepEqual(happened, ["lost", "met true true"]);
    assert.deepEqual([store.scene?.title, store.isMatch, store.isLive], ["A match", true, true]);
    assert.deepEqual([store.seats.drivable(), store.hasWholeToken], [[2, 3], true]);
    assert.deepEqual([store.watchers, store.addresses], [true, "h:1"]);
    clock.ms = 1200;
    say({ type: "state", t: 1, robots: [{ at: [1, 2, 3] }] });
    assert.deepEqual([store.live?.robots[0]?.at, store.silentMs], [[1, 2, 3], 200]);
    assert.equal(store.shown, null, "whether it is shown is not the connection's affair");
    say({ type: "pong", text: "own 1" });
    assert.equal(store.pingMs, null);
    say({ type: "pong", text: "1150" });
    assert.equal(store.pingMs, 50);
});

test("the same scene again keeps what is shown; another one does not, nor a robot that is not in it", () => {
    const { store, happened, say } = bench();
    say({ type: "hello", scene: MATCH });
    store.followed = 2;
    store.shown = { t: 1 } as State;
    const { scene } = store;
    say({ type: "hello", scene: MATCH });
    assert.deepEqual([store.scene === scene, store.shown?.t, store.followed], [true, 1, 2]);
    say({ type: "hello", scene: BOARD });
    assert.deepEqual([store.shown, store.followed, store.isBoard], [null, 0, true]);
    assert.deepEqual(happened, ["lost", "met true true", "met false false", "met true false"]);
});

test("a connection that is lost takes its players along; the token of a hello is the one to come back with", () => {
    const { store, happened, say, hangUp, connect, tokens } = bench();
    say({ type: "hello", scene: MATCH, token: "f".repeat(32) });
    say({ type: "players", players: [{ player: 2, owner: "other" }] });
    assert.equal(store.seats.players.length, 1);
    hangUp();
    assert.deepEqual([store.seats.players, store.isLive], [[], false]);
    connect();
    say({ type: "hello", scene: MATCH });
    assert.deepEqual(tokens, [TOKEN, "f".repeat(32)]);
    assert.deepEqual(happened.slice(-3), ["lost", "lost", "met false true"]);
});

test("listeners are called in the order of their subscriptions, but not for every state", () => {
    const { store, say } = bench();
    const heard: string[] = [];
    store.subscribe(() => heard.push(`first ${store.scene?.title ?? ""}`));
    store.subscribe(() => heard.push("second"));
    store.choose({ muted: true });
    assert.equal(store.settings.muted, true);
    say({ type: "hello", scene: BOARD });
    assert.deepEqual(heard.slice(0, 2), ["first ", "second"]);
    assert.deepEqual(heard.slice(-2), ["first A board", "second"]);
    const before = heard.length;
    say({ type: "state", t: 1, robots: [] });
    assert.equal(heard.length, before, "states come too often for that");
});

test("the robot that the keys drive is one that this page owns", () => {
    const { store, say } = bench();
    say({ type: "hello", scene: MATCH, may_command: true });
    store.active = 3;
    assert.equal(store.activeRobot(), -1);
    store.owned = [3];
    assert.deepEqual([store.activeRobot(), store.ownRobots(), store.drives(2)], [2, [2], false]);
});

test("one sentence says what keeps the picture from being the truth", () => {
    const { store, say, clock } = bench();
    assert.equal(statusKey(store, clock.ms), null, "that there is no connection is said elsewhere");
    say({ type: "hello", scene: MATCH });
    assert.equal(statusKey(store, clock.ms), "sim.waiting");
    store.shown = { robots: [] } as unknown as State;
    assert.equal(statusKey(store, clock.ms), null);
    assert.equal(statusKey(store, clock.ms + 1600), "sim.silent");
    store.pictureLostMs = clock.ms;
    assert.equal(statusKey(store, clock.ms + 10), "picture.lost");
    assert.equal(statusKey(store, clock.ms + 9000), "picture.lostLong");
    store.pictureLostMs = null;
    say({ type: "hello", scene: BOARD });
    say({ type: "state", t: 1, robots: [{ at: [0, 0, 0], stopped: true }] });
    assert.equal(statusKey(store, clock.ms + 1600), "stop.held");
});

test("the style sheet's classes follow from the store", () => {
    const { store, say } = bench();
    const on = (): string =>
        Object.entries(classesOf(store))
            .flatMap(([name, is]) => (is ? [name] : []))
            .join(" ");
    assert.equal(on(), "empty offline");
    say({ type: "hello", scene: MATCH });
    assert.equal(on(), "match watching");
    say({ type: "hello", scene: BOARD, may_command: true });
    store.shows.pad = store.shows.plots = true;
    assert.equal(on(), "board plotting pad");
    store.isAgain = true;
    store.replay = { from: 0, to: 1, events: [], leftOut: 0, outliers: 0 };
    assert.equal(on(), "board replay again plotting");
});
