import { strict as assert } from "node:assert";
import { test } from "node:test";
import { History } from "../src/lookback/history.ts";
import { csvOf } from "../src/lookback/plot_source.ts";
import { WatchAgain } from "../src/lookback/watch_again.ts";
import { writeLog } from "../src/lookback/wpilog.ts";
import { decode, type State } from "../src/net/protocol.ts";
import { programPoses } from "../src/scene/program_poses.ts";
import { Trail } from "../src/scene/trail.ts";

interface Change {
    blue?: number;
    runs?: boolean;
    touching?: boolean;
    pieces?: number[][];
}

/** A robot that drives along x at 1 m/s. */
function state(
    t: number,
    {
        blue = 0,
        runs = true,
        touching = false,
        pieces = [
            [1, 2, 0.1, 0],
            [3, 4, 0.1, 5],
        ],
    }: Change = {},
): State {
    const robots = [
        { at: [t, 1, 0.5], drive: [10, 12], intake: [0, 1, 2], tube: 3, touching },
        { at: [0, 0, 0], range: null, battery: 6 - t, readings: { "a.range": t } },
    ];
    const message = decode(
        JSON.stringify({
            type: "state",
            t,
            match: { blue, red: 0, runs, timer: 100 - t },
            robots,
            pieces,
            values: { "SmartDashboard/wanted/x": 2 * t },
        }),
    );
    assert.ok(message?.type === "state");
    return message.state;
}

const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-5;

function historyOf(seconds: number, change: (t: number) => Change = () => ({})): History {
    const history = new History();
    for (let i = 0; i <= seconds * 100; i++) {
        history.push(state(i / 100, change(i / 100)));
    }
    return history;
}

test("kept states come back as they were, 50 a second", () => {
    const moving = (t: number): Change => ({
        pieces: [
            [1, 2, 0.1, 0],
            [3 + t, 4, 0.1, 5],
        ],
    });
    const history = historyOf(20, moving);
    assert.equal(history.count, 1001);
    for (const t of [0, 0.02, 5.13, 19.999, 20]) {
        const found = history.at(t)!;
        assert.ok(t - found.t < 0.021 && found.t <= t, `at ${t}`);
        const was = state(found.t, moving(found.t));
        assert.ok(
            near(found.robots[0]!.at[0], was.robots[0]!.at[0]) &&
                near(found.robots[1]!.readings["a.range"]!, found.t),
        );
        assert.deepEqual(found.robots[0]!.drive, [10, 12]);
        assert.equal(found.robots[1]!.range, null);
        assert.equal(found.robots[0]!.range, undefined);
        found.pieces.forEach((piece, i) =>
            piece.forEach((value, k) => assert.ok(near(value, was.pieces[i]![k]!), `piece ${i}`)),
        );
    }
    assert.equal(history.at(-1)!.t, 0);
    assert.equal(new History().at(0), null);
});

test("memory has its limit: the oldest states go", () => {
    const history = new History(200e3);
    for (let i = 0; i < 20000; i++) {
        history.push(state(i / 50, { touching: i % 100 === 0 }));
    }
    assert.ok(history.bytes <= 200e3 && history.bytes > 100e3, String(history.bytes));
    assert.ok(history.start > 300 && near(history.end, 399.98));
    assert.ok(
        history.events.every((event) => event.t >= history.start),
        "events of what is gone are gone",
    );
});

test("ten minutes of six robots and 90 pieces, five of them rolling, fit into 40 MB", () => {
    const history = new History();
    const robot = { at: [0, 0, 0], drive: [1, 2], intake: [0, 0, 0], tube: 0, touching: false };
    for (let i = 0; i < 30000; i++) {
        const t = i / 50;
        const pieces = Array.from({ length: 90 }, (_, k) =>
            k < 5 ? [t, k, 0.1, 0] : [k, k, 0.1, 0],
        );
        history.push({
            ...state(t),
            robots: Array.from({ length: 6 }, () => ({
                ...state(0).robots[0]!,
                ...robot,
            })) as State["robots"],
            pieces,
        });
    }
    assert.equal(history.count, 30000, "nothing was forgotten");
    assert.ok(history.bytes < 20e6, `${history.bytes} bytes`);
});

test("a clock that goes back, or stops for long, is another run", () => {
    const history = historyOf(2);
    history.push(state(0.5));
    assert.deepEqual([history.count, history.start], [1, 0.5]);
    history.push(state(100));
    assert.deepEqual([history.count, history.start], [1, 100]);
});

test("events: the clock, scores, contacts once each", () => {
    const history = historyOf(4, (t) => ({
        runs: t >= 1,
        blue: t >= 2 ? 1 : 0,
        touching: (t >= 3 && t < 3.2) || (t >= 3.4 && t < 3.5),
    }));
    assert.deepEqual(
        history.events.map(({ t, kind, robot }) => [Math.round(t * 100) / 100, kind, robot]),
        [
            [1, "start", 0],
            [2, "score_blue", 0],
            [3, "contact", 1],
        ],
    );
    assert.equal(history.matchStart, 1);
});

test("hundreds of contacts leave room for what is rare", () => {
    const history = new History();
    for (let t = 0; t < 1300; t++) {
        history.push(
            state(t, { runs: t >= 1, blue: t >= 2 ? 1 : 0, touching: t > 2 && t % 2 === 0 }),
        );
    }
    assert.deepEqual(
        history.events.slice(0, 2).map(({ kind }) => kind),
        ["start", "score_blue"],
    );
    assert.equal(history.events.length + history.leftOut, 650);
    assert.ok(history.events.length < 520, "they are thinned out with every 256 states");
});

test("series of a history: the values, fewer on demand, nothing of channels that are not there", () => {
    const history = historyOf(20);
    assert.ok(
        history.names().includes("robot1/x") &&
            history.names().includes("match/timer") &&
            history.names().includes("robot2/a.range"),
    );
    assert.ok(
        history.names().includes("SmartDashboard/wanted/x"),
        "what a program publishes is plotted, too",
    );
    const all = history.series(["robot1/x", "robot2/battery", "nothing"], 5, 10);
    assert.equal(all.times.length, 251);
    assert.ok(
        near(all.values[0]![0]!, 5) &&
            near(all.values[1]![0]!, 1) &&
            Number.isNaN(all.values[2]![0]!),
    );
    const few = history.series(["robot1/x"], 0, 20, 100);
    assert.ok(few.times.length <= 101 && few.times.length > 80);
    assert.ok(few.times.every((t, i) => near(few.values[0]![i]!, t)));
    const csv = csvOf(["robot1/x", 'a "b"'], {
        times: [0, 0.5],
        values: [
            [1, 2],
            [NaN, 3],
        ],
    });
    assert.equal(csv, 'Timestamp,robot1/x,"a ""b"""\n0.000000,1,\n0.500000,2,3\n');
});

test("watching again: from the start of the match, in slow motion, to the end and once more", () => {
    const history = historyOf(10, (t) => ({ runs: t >= 4 }));
    let shown: State | null = null;
    const again = new WatchAgain(history, (now) => {
        shown = now;
    });
    const replay = again.open(1000);
    assert.ok(near(replay.to, 10) && near(replay.events[0]!.t, 4));
    again.step(2000);
    assert.ok(
        near(shown!.replay!.at, 5) && near(shown!.robots[0]!.at[0], 5),
        JSON.stringify(shown!.replay),
    );
    again.obey("replay pace 100", 2000);
    again.step(3000);
    assert.ok(near(shown!.replay!.at, 5.1) && shown!.replay!.pace === 0.1);
    again.obey("replay seek 9990", 3000);
    again.obey("replay pace 1000", 3000);
    again.step(4000);
    assert.deepEqual(shown!.replay, { at: 10, pace: 0 });
    again.obey("replay pace 1000", 4000);
    assert.equal(shown!.replay!.at, 0);
});

/** The records of a log: entry, time, payload. */
function records(log: Uint8Array): { entry: number; us: number; data: DataView }[] {
    const view = new DataView(log.buffer, log.byteOffset, log.length);
    assert.equal(new TextDecoder().decode(log.subarray(0, 6)), "WPILOG");
    assert.equal(view.getUint16(6, true), 0x0100);
    const found = [];
    for (let at = 12 + view.getUint32(8, true); at < log.length;) {
        assert.equal(log[at], 0x7f);
        const size = view.getUint32(at + 5, true);
        found.push({
            entry: view.getUint32(at + 1, true),
            us: Number(view.getBigUint64(at + 9, true)),
            data: new DataView(log.buffer, log.byteOffset + at + 17, size),
        });
        at += 17 + size;
    }
    return found;
}

test("what is saved is a log file with poses in the field's corner frame", () => {
    const all = records(writeLog(historyOf(2), "field", [-4, -8]));
    const names = new Map<string, number>();
    for (const { entry, data } of all) {
        if (entry === 0) {
            const size = data.getUint32(5, true);
            names.set(
                new TextDecoder().decode(new Uint8Array(data.buffer, data.byteOffset + 9, size)),
                data.getUint32(1, true),
            );
        }
    }
    const poses = all.filter(({ entry }) => entry === names.get("NT:/Robot1/Truth/Pose"));
    assert.equal(poses.length, 101);
    const last = poses.at(-1)!;
    assert.equal(last.us, 2e6);
    assert.ok(
        near(last.data.getFloat64(0, true), 6) &&
            near(last.data.getFloat64(8, true), 9) &&
            near(last.data.getFloat64(16, true), 0.5),
    );
    assert.ok(names.has("NT:/.schema/struct:Pose2d") && names.has("NT:/Match/Time"));
    assert.equal(
        all.filter(({ entry }) => entry === names.get("NT:/SmartDashboard/wanted/x")).length,
        101,
    );
    assert.equal(
        all.filter(({ entry }) => entry === names.get("NT:/Field/Pieces")).length,
        1,
        "pieces that lie still are written once",
    );
});

test("a trail is as long as ten seconds, and begins anew with another robot or moment", () => {
    const trail = new Trail();
    for (let i = 0; i <= 1200; i++) {
        trail.update(0, [i / 100, 0, 0], i / 100, 1);
    }
    assert.ok(trail.length > 100 && trail.length <= 10 / 0.08 + 2, String(trail.length));
    const colors = trail.mesh.geometry.getAttribute("color");
    const red = colors.getX(2 * (trail.length - 1));
    assert.ok(red > 0.8, "the highest speed is red");
    trail.update(0, [3, 0, 0], 3, 1);
    assert.equal(trail.length, 1, "an earlier moment");
    trail.update(0, [3.1, 0, 0], 3.1, 1);
    trail.update(1, [3.2, 0, 0], 3.2, 1);
    assert.equal(trail.length, 1, "another robot");
});

test("a robot that was put elsewhere has a trail of its own, whose colours are those of its own speeds", () => {
    const share = (trail: Trail): number => {
        const colors = trail.mesh.geometry.getAttribute("color");
        return colors.getX(2 * (trail.length - 1)); // red only at the highest speed
    };
    for (const jump of [0.25, 0.03]) {
        const trail = new Trail();
        let t = 0;
        const drive = (from: number): void => {
            for (let i = 0; i <= 60; i++) {
                t += 1 / 60;
                trail.update(0, [from + i / 120, 0, 0], t, 0.12);
            }
        };
        drive(0);
        assert.ok(
            share(trail) > 0.8,
            "half a metre a second, and no robot of this page was faster",
        );
        const { length } = trail;
        t += 1 / 60;
        trail.update(0, [0.5 - jump, 0.1, 0], t, 0.12);
        if (jump > 0.1) {
            assert.equal(trail.length, 1, "it did not drive there");
        }
        drive(0.5 - jump);
        assert.ok(share(trail) > 0.8, `${jump} m: the same speed has the same colour (${length})`);
    }
});

test("a program's poses are drawn where the first robot's start puts them", () => {
    // The robot started at (2, 1) and looked along y; it has driven a metre ahead and half a metre to its left, and has turned by 0.5.
    const message = decode(
        JSON.stringify({
            type: "state",
            t: 1,
            robots: [{ at: [1.5, 2, Math.PI / 2 + 0.5] }],
            pieces: [],
            values: {
                "truth/x": 1,
                "truth/y": 0.5,
                "truth/heading": 0.5,
                "SmartDashboard/wanted/x": 1,
                "SmartDashboard/wanted/y": 0,
                "SmartDashboard/wanted/heading": 0.25,
                "SmartDashboard/compass/heading": 3,
                "SmartDashboard/speed": 2,
            },
        }),
    );
    assert.ok(message?.type === "state");
    const poses = programPoses(message.state);
    assert.deepEqual(
        poses.map(({ name }) => name),
        ["SmartDashboard/wanted"],
    );
    const [x, y, heading] = poses[0]!.at;
    assert.ok(near(x, 2) && near(y, 2) && near(heading, Math.PI / 2 + 0.25), JSON.stringify(poses));
    assert.deepEqual(programPoses({ ...message.state, robots: [] }), []);
    assert.deepEqual(programPoses({ ...message.state, values: {} }), []);
});
