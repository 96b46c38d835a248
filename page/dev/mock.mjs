// A stand-in for `halyard view` and `halyard board --view`, for work on the page without either: it says what
// docs/spec/page.md says, over robots that drive circles. Not a simulation.
//
//   node dev/mock.mjs [--port 5800] [--page FOLDER] [--scene match|xrp|swerve] [--players N] [--token T] [--lidar N] [--timer S] [--states no] [--still yes]
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { parseArgs } from "node:util";
import { accept } from "./websocket.mjs";
import { matchScene, PIECES, STARTS, swerveScene, xrpScene } from "./scenes.mjs";

const { values: options } = parseArgs({
    options: {
        port: { type: "string", default: "5800" },
        page: { type: "string", default: "dist" },
        scene: { type: "string", default: "match" },
        players: { type: "string", default: "6" },
        token: { type: "string", default: "mock" },
        lidar: { type: "string", default: "6" },
        timer: { type: "string", default: "135" },
        states: { type: "string", default: "yes" },
        still: { type: "string", default: "no" },
        mat: { type: "string" },
    },
});

const STATE_MS = 1000 / 60;
const RAYS = 8000 / 60;
const SILENCE_MS = 150;
const FULL_RAD_S = 87.2151;
const TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
};

const makers = {
    match: () => matchScene(Number(options.players)),
    xrp: xrpScene,
    swerve: swerveScene,
};
const scene = makers[options.scene]();
const segments = scene.walls.flatMap(({ points }) =>
    Array.from({ length: points.length / 2 }, (_, i) => {
        const j = (2 * i + 2) % points.length;
        return [points[2 * i], points[2 * i + 1], points[j], points[j + 1]];
    }),
);

const clients = new Set();
const robots = scene.robots.map((robot, i) => ({
    robot,
    owner: null,
    sticks: null,
    heard: 0,
    spin: i,
    at: [0, 0, 0],
    drive: [0, 0],
}));
let t = 0;
let match = fresh();
let pressed = false;

function fresh() {
    robots.forEach(
        (r, i) =>
            (r.at =
                scene.kind === "match"
                    ? [...STARTS[i]]
                    : [scene.floor[2] / 2, scene.floor[3] * 0.72, 0]),
    );
    return { blue: 0, red: 0, runs: false, timer: Number(options.timer), collision: false };
}

// --------------------------------------------------------------------------- the world

function cast(x, y, angle) {
    const dx = Math.cos(angle),
        dy = Math.sin(angle);
    let best = 12;
    for (const [x0, y0, x1, y1] of segments) {
        const ex = x1 - x0,
            ey = y1 - y0,
            d = dx * ey - dy * ex;
        const r = ((x0 - x) * ey - (y0 - y) * ex) / d,
            s = ((x0 - x) * dy - (y0 - y) * dx) / d;
        if (r > 0 && r < best && s >= 0 && s <= 1) best = r;
    }
    return best;
}

function lidarOf(r) {
    const points = [];
    for (let i = 0; i < RAYS; i++) {
        r.spin = (r.spin + (2 * Math.PI) / 800) % (2 * Math.PI);
        const range = cast(r.at[0], r.at[1], r.at[2] + r.spin);
        points.push(
            Number(r.spin.toFixed(6)),
            range > 0.75 && range < 12 ? Number(range.toFixed(4)) : -1,
        );
    }
    return points;
}

/** Buttons count when their message arrives: a press between two steps is not lost, however late the next step is. */
function hearButtons(r, before, { start, guide }) {
    if (start === 1 && before?.start !== 1) match.runs = !match.runs && match.timer > 0;
    if (guide === 1 && before?.guide !== 1) match = fresh();
}

/** Owned robots obey, the others drive circles. */
function drivesOf(r, i, now) {
    const s = r.owner === null ? null : r.sticks;
    if (s !== null && now - r.heard < SILENCE_MS) {
        const turn = s.rightJoystick[0] / 2;
        const clamp = (v) => Math.max(-512, Math.min(512, v));
        return [clamp(s.leftJoystick[1] + turn), clamp(s.leftJoystick[1] - turn)].map(
            (v) => (v / 512) * FULL_RAD_S,
        );
    }
    return r.owner === null && i > 0 ? (i === 4 ? [6, 9] : [4 + i, 12 - i]) : [0, 0];
}

function moveTank(r, dt) {
    const [l, right] = r.drive.map((speed) => speed * 0.0762);
    const v = (l + right) / 2;
    const next = [
        r.at[0] + v * Math.cos(r.at[2]) * dt,
        r.at[1] + v * Math.sin(r.at[2]) * dt,
        r.at[2] + ((right - l) / 0.5588) * dt,
    ];
    const hits = Math.abs(next[0]) > 3.55 || Math.abs(next[1]) > 7.3;
    r.at = hits ? [r.at[0], r.at[1], next[2]] : next;
    return hits;
}

function stepMatch(dt, now) {
    match.collision = false;
    robots.forEach((r, i) => {
        r.drive = drivesOf(r, i, now);
        match.collision = moveTank(r, dt) || match.collision;
    });
    if (match.runs) match.timer = Math.max(0, match.timer - dt);
    match.runs = match.runs && match.timer > 0;
}

/** One that is known, one that has browned out; the others' sim does not say. */
const BATTERIES = [{ battery: 12.06 }, { battery: 6.12, brownout: true }];

function matchState() {
    const { blue, red, runs, timer, collision } = match;
    const speed = (v) => ((v ?? 0) / 512) * 2.6175;
    return {
        match: { blue, red, runs, timer, collision },
        sim: { speed: 1, step_us: 21.4, refused: 3 },
        robots: robots.map((r, i) => ({
            at: r.at,
            drive: r.drive,
            ...BATTERIES[i],
            intake: Array(3).fill(i === 2 ? 2.6 : speed(r.sticks?.leftTrigger)),
            tube: i === 2 ? 2 : speed(r.sticks?.rightTrigger),
            ...(i < Number(options.lidar) ? { lidar: lidarOf(r) } : {}),
            touching: false,
        })),
        pieces: PIECES.map(([x, y], i) =>
            i === 0
                ? [-1.7, -8.4, 0.4689, 5]
                : i === 1
                  ? [robots.at(-1).at[0], robots.at(-1).at[1], 0.05, 4]
                  : [x, y, 0, 0],
        ),
    };
}

function boardState() {
    const [r] = robots;
    const [x, y, heading] = r.at;
    const range = cast(x + 0.1 * Math.cos(heading), y + 0.1 * Math.sin(heading), heading);
    const state = {
        at: r.at,
        enabled: true,
        touching: false,
        led: Math.floor(t * 2) % 2 === 0,
        button: pressed,
        battery: 5.87,
    };
    if (scene.robots[0].kind === "swerve") {
        return {
            ...state,
            duty: Array(8).fill(0.3),
            encoders: Array(8).fill(Math.round(t * 100)),
            azimuths: [0.6, 0.2, 0.9, 0.5].map((a) => a + Math.sin(t)),
        };
    }
    return {
        ...state,
        duty: [0.42, 0.5],
        encoders: [Math.round(t * 180), Math.round(t * 210), 0, 0],
        range: Math.min(range, 4),
        reflectance: [0.5 + 0.5 * Math.sin(t * 3), 0.08],
        servos: [Math.sin(t), -Math.sin(t), 0, 0.5],
    };
}

function stepBoard(dt) {
    const [r] = robots;
    const w = 0.35,
        v = 0.16;
    r.at = [
        r.at[0] + v * Math.cos(r.at[2]) * dt,
        r.at[1] + v * Math.sin(r.at[2]) * dt,
        r.at[2] - w * dt,
    ];
}

// --------------------------------------------------------------------------- what pages say

function playersFor(client) {
    return robots
        .filter((r) => r.robot.player > 0)
        .map((r) => ({
            player: r.robot.player,
            owner: r.owner === client ? "you" : r.owner === null ? "nobody" : "other",
            core: r.owner === null ? null : true,
            sim: true,
            rate_hz: 99.8,
            age_ms: 11,
            loss: 0,
            latency_ms: r.robot.player === 6 ? null : 8.5 + r.robot.player,
        }));
}

const verbs = {
    token(client, text) {
        client.commands = text === options.token;
        client.socket.send(
            JSON.stringify({ type: "hello", version: 1, may_command: client.commands, scene }),
        );
        client.ready = true;
    },
    own(client, text) {
        const r = robots.find((x) => x.robot.player === Number(text));
        if (r?.owner && r.owner !== client)
            client.socket.send(
                JSON.stringify({ type: "sorry", text: `player ${text} is driven by another page` }),
            );
        else if (r) Object.assign(r, { owner: client, sticks: null });
    },
    release(client, text) {
        const r = robots.find((x) => x.robot.player === Number(text) && x.owner === client);
        if (r) Object.assign(r, { owner: null, sticks: null });
    },
    sticks(client, text) {
        const [, player, json] = /^(\d+) (.*)$/.exec(text) ?? [];
        const r = robots.find((x) => x.robot.player === Number(player) && x.owner === client);
        if (!r) return;
        const sticks = JSON.parse(json);
        hearButtons(r, r.sticks, sticks);
        Object.assign(r, { sticks, heard: performance.now() });
    },
    button: (client, text) => (pressed = text.endsWith("down")),
    reset: () => (match = fresh()),
    ping: (client, text) => client.socket.send(JSON.stringify({ type: "pong", text })),
};

function hear(client, text) {
    const [, verb, rest = ""] = /^(\w+)(?: (.*))?$/s.exec(text) ?? [];
    if (verb === "token" || client.commands || verb === "ping") verbs[verb]?.(client, rest);
}

function leave(client) {
    clients.delete(client);
    robots
        .filter((r) => r.owner === client)
        .forEach((r) => Object.assign(r, { owner: null, sticks: null }));
}

// --------------------------------------------------------------------------- serving

const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://x").pathname);
    const file =
        path === "/mat.png" ? options.mat : join(options.page, path === "/" ? "index.html" : path);
    try {
        const body = await readFile(file ?? "");
        response
            .writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" })
            .end(body);
    } catch {
        response.writeHead(404).end();
    }
});

server.on("upgrade", (request, socket) => {
    const client = { ready: false, commands: false, socket: null };
    client.socket = accept(request, socket, {
        text: (text) => hear(client, text),
        close: () => leave(client),
    });
    clients.add(client);
});

let before = performance.now();
setInterval(() => {
    const now = performance.now();
    const dt = options.still === "yes" ? 0 : Math.min(0.1, (now - before) / 1000);
    before = now;
    t += dt;
    if (scene.kind === "match") stepMatch(dt, now);
    else stepBoard(dt);
    const state = scene.kind === "match" ? matchState() : { robots: [boardState()], pieces: [] };
    const text = JSON.stringify({ type: "state", t, ...state });
    if (options.states === "no") return; // a simulator that does not answer
    for (const client of clients) if (client.ready) client.socket.send(text);
}, STATE_MS);

setInterval(() => {
    for (const client of clients) {
        if (client.ready && scene.kind === "match")
            client.socket.send(JSON.stringify({ type: "players", players: playersFor(client) }));
    }
}, 200);

server.listen(Number(options.port), "127.0.0.1", () => {
    console.log(`http://127.0.0.1:${server.address().port}/#${options.token}`);
});
