import { strict as assert } from "node:assert";
import { test } from "node:test";
import { decode } from "../src/net/protocol.ts";
import { list } from "../src/panels/robot_panel.ts";

test("what is not a message of the protocol is null, never an exception", () => {
    for (const text of [
        "",
        "{",
        "[]",
        "null",
        "7",
        '"x"',
        "{}",
        '{"type":7}',
        '{"type":"other"}',
        '{"type":"hello"}',
        '{"type":"hello","scene":{"floor":[1,2,3]}}',
        '{"type":"hello","scene":null}',
    ]) {
        assert.equal(decode(text), null, text);
    }
});

test("a hello with nothing but a floor gets sane defaults", () => {
    const message = decode(
        '{"type":"hello","scene":{"floor":[0,0,1,2],"robots":[{"kind":"xrp"},7]}}',
    );
    assert.ok(message?.type === "hello");
    assert.equal(message.mayCommand, false);
    assert.deepEqual(
        [message.scene.kind, message.scene.mat, message.scene.walls.length],
        ["match", null, 0],
    );
    assert.deepEqual(
        [
            message.scene.robots.length,
            message.scene.robots[0]?.kind,
            message.scene.robots[0]?.player,
        ],
        [1, "xrp", 0],
    );
});

test("outlines become points; degenerate ones are left out", () => {
    const scene = {
        floor: [0, 0, 1, 1],
        walls: [
            { height: 0.5, points: [0, 0, 1, 0, 1, 1] },
            { height: 1, points: [1, 2] },
        ],
        goals: [{ points: [0, 0, 1, 1] }],
    };
    const message = decode(JSON.stringify({ type: "hello", may_command: true, scene }));
    assert.ok(message?.type === "hello");
    assert.deepEqual(message.scene.walls, [
        {
            height: 0.5,
            points: [
                [0, 0],
                [1, 0],
                [1, 1],
            ],
        },
    ]);
    assert.deepEqual(message.scene.goals, []);
});

test("a state keeps what is there and leaves out what is not", () => {
    const message = decode(
        '{"type":"state","t":1.5,"robots":[{"at":[1,2,3],"drive":[4,5],"lidar":[0.1,2]},{"at":["x"],"led":true,"range":0.5}],"pieces":[[1,2,0,4],[1]]}',
    );
    assert.ok(message?.type === "state");
    const { t, match, robots, pieces } = message.state;
    assert.deepEqual([t, match, pieces], [1.5, null, [[1, 2, 0, 4]]]);
    assert.deepEqual(
        [robots[0]?.at, robots[0]?.drive, robots[0]?.lidar, robots[0]?.led],
        [[1, 2, 3], [4, 5], [0.1, 2], undefined],
    );
    const unmeasured = decode(
        '{"type":"state","t":1,"robots":[{"at":[0,0,0],"range":null,"reflectance":[0.5,null]}],"pieces":[]}',
    );
    assert.ok(unmeasured?.type === "state");
    assert.deepEqual(
        [unmeasured.state.robots[0]?.range, unmeasured.state.robots[0]?.reflectance],
        [null, [0.5, null]],
    );
    assert.equal(
        list([0.5, null], (value) => value.toFixed(2)),
        "0.50  –",
    );
    assert.equal(
        list([90, 90, 100, -100], String),
        "90  90  100  -100",
        "all that fit beside the label",
    );
    assert.equal(
        list([90997, 90997, 101405, -101406], String),
        "90997  90997\n101405  -101406",
        "no row has one that the others have not",
    );
    assert.equal(
        list([1e19, 1], (value) => value.toFixed(0)),
        "10000000000000000000\n1",
    );
    assert.equal(list([], String), null);
    assert.deepEqual([robots[1]?.at, robots[1]?.led, robots[1]?.range], [[0, 0, 0], true, 0.5]);
});

test("sensors of a world file come with their places, scans and named readings", () => {
    const robot = {
        kind: "xrp",
        sensors: [{ name: "scanner", type: "lidar", at: [0.1, 0, 1.5], half_angle: 0, far: 4 }, 7],
    };
    const hello = decode(
        JSON.stringify({ type: "hello", scene: { floor: [0, 0, 1, 1], robots: [robot] } }),
    );
    assert.ok(hello?.type === "hello");
    assert.deepEqual(hello.scene.robots[0]?.sensors, [
        { name: "scanner", type: "lidar", at: [0.1, 0, 1.5], halfAngle: 0, far: 4 },
    ]);
    const message = decode(
        '{"type":"state","t":2,"simulated":1.5,"robots":[{"at":[1,2,3],"scans":[[0.1,2]],"readings":{"middle.reflectance":0.25,"x":"y"}}],"pieces":[]}',
    );
    assert.ok(message?.type === "state");
    assert.equal(message.state.simulated, 1.5);
    assert.deepEqual(message.state.robots[0]?.scans, [[0.1, 2]]);
    assert.deepEqual(message.state.robots[0]?.readings, { "middle.reflectance": 0.25 });
});

test("null of a link is unknown, not zero", () => {
    const message = decode(
        '{"type":"players","players":[{"player":1,"owner":"you","core":null,"sim":true,"rate_hz":99.8,"age_ms":null,"latency_ms":null,"heard":true,"core_rate_hz":100}]}',
    );
    assert.ok(message?.type === "players");
    assert.deepEqual(message.players, [
        {
            player: 1,
            owner: "you",
            name: "",
            core: null,
            sim: true,
            rateHz: 99.8,
            ageMs: null,
            loss: null,
            latencyMs: null,
            heard: true,
            coreRateHz: 100,
            coreAgeMs: null,
            coreLatencyMs: null,
        },
    ]);
});

test("a recording says how many events and values are not shown", () => {
    const replay = {
        from: 1,
        to: 3,
        events: [{ t: 2, kind: "enable", robot: 1 }],
        left_out: 4,
        outliers: 5,
    };
    const message = decode(
        JSON.stringify({ type: "hello", scene: { floor: [0, 0, 1, 1], replay } }),
    );
    assert.ok(message?.type === "hello");
    assert.deepEqual(message.scene.replay, {
        from: 1,
        to: 3,
        events: [{ t: 2, kind: "enable", robot: 1 }],
        leftOut: 4,
        outliers: 5,
    });
    const older = decode(
        JSON.stringify({
            type: "hello",
            scene: { floor: [0, 0, 1, 1], replay: { from: 0, to: 1, events: [] } },
        }),
    );
    assert.ok(older?.type === "hello");
    assert.equal(older.scene.replay?.outliers, 0);
});
