// The programs that tests start; whatever is still running at a test's end is ended with it.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";

export const BUILD = process.env.HALYARD_BUILD;
export const HALYARD = join(BUILD, "halyard");
const MOCK = new URL("../../page/dev/mock.mjs", import.meta.url).pathname;
const START_MS = 30000;
const CRASHES = new Set(["SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGSYS"]); // run.mjs fails with what is written of them

/** Starts a program; `ready` picks out of what it prints what the test wants to know; null waits for nothing. */
async function start(t, command, args, ready, env = {}) {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
    let output = "";
    const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
    const program = {
        child,
        output: () => output,
        stop: async (signal = "SIGTERM") => {
            child.kill(signal);
            await ended;
        },
    };
    t.after(() => program.stop("SIGKILL"));
    ended.then((how) => {
        if (CRASHES.has(how)) {
            appendFileSync(join(process.env.HALYARD_ARTIFACTS, "crashes.txt"), `${command} ${args.join(" ")} ended with ${how}:\n${output}\n`);
        }
    });
    if (ready === null) {
        return program;
    }
    const found = new Promise((resolve, reject) => {
        const read = (text) => {
            output += text;
            const match = ready.exec(output);
            if (match) resolve(match);
        };
        child.stdout.setEncoding("utf8").on("data", read);
        child.stderr.setEncoding("utf8").on("data", read);
        child.once("error", reject);
        ended.then((code) => reject(new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}`)));
        setTimeout(() => reject(new Error(`${command} ${args.join(" ")} is not ready after ${START_MS / 1000} s:\n${output}`)), START_MS).unref();
    });
    found.catch(() => {});
    program.match = await found;
    return program;
}

/** The page's stand-in for a server. `port` 0 is any free one. */
export async function startMock(t, { port = 0, token = "mock", ...options } = {}) {
    const more = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const program = await start(
        t, process.execPath, [MOCK, "--port", String(port), "--token", token, "--page", join(BUILD, "page"), ...more],
        /http:\/\/127\.0\.0\.1:(\d+)\/#\S+/,
    );
    return Object.assign(program, { url: program.match[0], port: Number(program.match[1]) });
}

/** A robot program: its file; waits until it says `ready`, which has the address of its page, if it has one. */
export async function startFile(t, file, args, ready = /^halyard: ready .*page=(\S+)/m) {
    const program = await start(t, file, args, ready);
    return Object.assign(program, { url: program.match[1] });
}

/** An example program with a page. */
export function startExample(t, name, args) {
    return startFile(t, join(BUILD, "examples", name), args);
}

/** `halyard` with a page; what its ready line says (docs/spec/ready.md). */
export async function startHalyard(t, args, env = {}) {
    const program = await start(t, HALYARD, args, /^halyard: ready (.*page=.*)\n/m, env);
    const ready = Object.fromEntries(program.match[1].split(" ").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
    return Object.assign(program, { ready, url: ready.page, port: Number(new URL(ready.page).port) });
}

/** `halyard` with `args`; waits until it says `ready`, if that is given. */
export async function startProgram(t, args, ready = null) {
    return start(t, HALYARD, args, ready);
}

const TOKEN = { HALYARD_TOKEN: "0123456789abcdef0123456789abcdef" };

// The ports of a match are fixed but for this. Several runs of the tests should not meet, and all of it should lie
// below the ports that the system hands out by itself.
let shift = 8000 + (process.pid % 60) * 100;

const MATCH_TRIES = 5;

async function startMatchAt(t, players, { config = "field2020", more = [], seconds = 135, bots = 0 }) {
    const common = ["--shift", String(shift)];
    const robots = ["--players", String(players + bots), ...(bots > 0 ? ["--bots", String(bots)] : [])];
    const startSim = () => startProgram(t, ["sim", ...robots, "--config", config, "--seconds", String(seconds), ...common], /^halyard: ready /m);
    const sim = await startSim();
    for (let player = 1; player <= players + bots; player++) {
        const bot = player > players ? ["--bot", "hard", "--config", config] : [];
        await startProgram(t, ["core", "--player", String(player), ...bot, ...common], /^halyard: ready /m);
    }
    const startView = (port) => startHalyard(
        t, ["view", ...robots, "--config", config, "--listen", `127.0.0.1:${port}`, "--seconds", String(seconds), ...common, ...more], TOKEN,
    );
    return { sim, startSim, view: await startView(0), startView };
}

/**
 * A match for so many players, and bots beside them, its programs each started by hand, and what starts sim and view anew. Where somebody else
 * has one of its ports, at others.
 */
export async function startMatch(t, players, options = {}) {
    for (let tries = 1; ; tries++) {
        shift += 100;
        try {
            return await startMatchAt(t, players, options);
        } catch (error) {
            if (tries === MATCH_TRIES || !/in use/.test(error.message)) {
                throw error;
            }
        }
    }
}
