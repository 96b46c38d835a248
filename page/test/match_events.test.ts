import { strict as assert } from "node:assert";
import { test } from "node:test";
import { Countdown } from "../src/match/countdown.ts";
import { MatchWatcher, phaseOf, type MatchEvent } from "../src/match/match_events.ts";
import { decode, type MatchState, type Scene, type State } from "../src/net/protocol.ts";

function scene(more: object = {}): Scene {
    const robots = [1, 2].map((player) => ({
        kind: "tank",
        name: String(player),
        alliance: player === 1 ? "Blue" : "Red",
        player,
    }));
    const message = decode(
        JSON.stringify({ type: "hello", scene: { floor: [0, 0, 8, 16], robots, ...more } }),
    );
    assert.ok(message?.type === "hello");
    return message.scene;
}

/** A match that is told in states 0.1 s apart: `say()` returns the events of the next one. */
function story(more: object = {}): {
    say(match: Partial<MatchState>, pieces?: number[][]): MatchEvent[];
    watcher: MatchWatcher;
} {
    const watcher = new MatchWatcher(scene(more));
    let match: MatchState = { blue: 0, red: 0, runs: false, timer: 135, collision: false };
    let pieces: number[][] = [];
    let t = 0;
    return {
        watcher,
        say(change, newPieces) {
            match = { ...match, ...change };
            pieces = newPieces ?? pieces;
            t += 0.1;
            const robots = [
                [2, 2, 0],
                [6, 12, 0],
            ].map((at) => ({ at }));
            const message = decode(JSON.stringify({ type: "state", t, match, robots, pieces }));
            assert.ok(message?.type === "state");
            return watcher.see(message.state as State);
        },
    };
}

const kinds = (events: MatchEvent[]): string[] => events.map((event) => event.kind);

test("the phase of a match: ready, running, paused, over", () => {
    const at = (timer: number, runs: boolean): string =>
        phaseOf({ blue: 0, red: 0, timer, runs, collision: false }, 135);
    assert.deepEqual(
        [at(135, false), at(134.9, true), at(134.9, false), at(0, false), at(0, true)],
        ["ready", "running", "paused", "over", "over"],
    );
});

test("start, pause, resume, the last ten seconds, the end and the reset are told once each", () => {
    const { say } = story();
    assert.deepEqual(kinds(say({})), []);
    assert.deepEqual(kinds(say({ runs: true, timer: 134.9 })), ["start"]);
    assert.deepEqual(kinds(say({ timer: 20 })), []);
    assert.deepEqual(kinds(say({ runs: false, timer: 19.9 })), ["pause"]);
    assert.deepEqual(kinds(say({ runs: true })), ["resume"]);
    assert.deepEqual(kinds(say({ timer: 9.95 })), ["ten"]);
    assert.deepEqual(kinds(say({ timer: 9.9 })), []);
    assert.deepEqual(kinds(say({ timer: 0, runs: false })), ["over"]);
    assert.deepEqual(kinds(say({})), []);
    assert.deepEqual(kinds(say({ timer: 135 })), ["reset"]);
});

test("a page that is opened while a match is paused knows so from the scene's match length", () => {
    const { say, watcher } = story({ match_seconds: 135 });
    say({ timer: 60 });
    assert.equal(watcher.phase, "paused");
    const young = story();
    young.say({ timer: 60 });
    assert.equal(young.watcher.phase, "ready", "nobody said how long a match is");
});

test("a score belongs to the player whose robot carried the ball", () => {
    const { say, watcher } = story();
    const ball = (x: number, y: number, z: number, where: number): number[][] => [
        [x, y, z, where],
        [1, 1, 0, 0],
    ];
    say({ runs: true, timer: 100 }, ball(6, 12, 0, 0));
    for (let i = 0; i < 4; i++) {
        say({}, ball(6, 12, 0.1, 4));
    }
    assert.deepEqual(
        [watcher.aboard(1), watcher.aboard(0), watcher.holder(0), watcher.holder(1)],
        [1, 0, 1, -1],
    );
    say({}, ball(6, 14, 0.4, 0)); // in the air
    assert.equal(watcher.aboard(1), 0);
    const events = say({ red: 1 }, ball(6, 15, 0.4, 6));
    assert.deepEqual(events, [{ kind: "score", alliance: "red", player: 2 }]);
    assert.deepEqual([...watcher.balls], [[2, 1]]);
    say({ blue: 0, red: 0, runs: false, timer: 135 }, ball(1, 1, 0, 0));
    assert.equal(watcher.balls.size, 0, "a reset begins a new count");
});

test("a ball that a robot only drives over is not aboard, and its score is nobody's", () => {
    const { say, watcher } = story();
    say({ runs: true, timer: 100 }, [[2, 2, 0, 0]]);
    say({}, [[2, 2, 0, 4]]);
    say({}, [[2, 2, 0, 4]]);
    assert.equal(watcher.aboard(0), 0);
    say({}, [[2, 2, 0, 0]]);
    say({}, [[2, 2, 0, 4]]);
    assert.equal(watcher.aboard(0), 0, "twice for a moment is not held either");
    const none = story();
    none.say({ runs: true, timer: 100 });
    assert.deepEqual(
        none.say({ blue: 2 }),
        [1, 2].map(() => ({ kind: "score", alliance: "blue", player: 0 })),
    );
});

test("three, two, one, go, each once; a cancelled count-down says nothing", () => {
    const count = new Countdown();
    count.begin(1000);
    const said = [];
    for (let now = 1000; now <= 5000; now += 8) {
        const step = count.step(now);
        if (step !== null) said.push([now - 1000 - ((now - 1000) % 1000), step]);
    }
    assert.deepEqual(said, [
        [0, 3],
        [1000, 2],
        [2000, 1],
        [3000, "go"],
    ]);
    count.begin(0);
    count.cancel();
    assert.deepEqual([count.step(4000), count.isRunning], [null, false]);
});
