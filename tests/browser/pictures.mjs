// The pictures of README and docs, taken from the real page; tools/pictures.sh runs it and copies them. Look at them before you commit them.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ARTIFACTS, hold, live, numbers, open, until } from "./browser.mjs";
import { BUILD, startFile, startHalyard, startMatch } from "./programs.mjs";
import { animate, encode } from "./webp.mjs";

const ROOT = new URL("../../", import.meta.url).pathname;
const SCREEN = { width: 1280, height: 720 };
const TALL = { width: 1280, height: 940 }; // room for both panels and the plot

/** The page as it is now, drawn with all care. */
async function shot(page) {
    await page.evaluate(() => window.halyard.setStill(true));
    const png = await page.screenshot();
    await page.evaluate(() => window.halyard.setStill(false));
    return png;
}

async function save(page, name) {
    writeFileSync(join(ARTIFACTS, `${name}.webp`), await encode(page, await shot(page)));
}

/** Shows another moment of a recording, and draws it, for the trail. */
async function seek(page, at) {
    await page.locator(".timeline .moment").evaluate((slider, to) => {
        slider.value = String(to);
        slider.dispatchEvent(new Event("input"));
    }, at);
    await until(page, `it is at ${at} s`, ({ replay }) => Math.abs(replay.at - at) < 0.011);
    await page.evaluate(() => window.halyard.setStill(true, false));
    await page.evaluate(() => window.halyard.setStill(false));
}

async function plot(page, ...channels) {
    await page.keyboard.press("p");
    for (const channel of channels) {
        await page.locator(".plots .channel").fill(channel);
        await page.locator(".plots .add").click();
    }
    await page.evaluate(() => document.activeElement.blur());
}

// --------------------------------------------------------------------------- README: one lap as a film

const LAP_S = 21.8; // of line_follow: the last picture is followed by the first
const START_S = 15;
const TRAIL_S = 10;
const FRAME_S = 0.2; // shown for half of that: twice as fast as the robot drives
const SHOWN_MS = 100;

test("a lap on the line, with trail and plot", async (t) => {
    const log = join(ARTIFACTS, "line_follow.wpilog");
    execFileSync(join(BUILD, "examples/line_follow"), ["--sim", "xrp-line", "--speed", "max", "--duration", "60", "--record", log, "--overwrite"]);
    const { url } = await startHalyard(t, ["replay", log, "--view=127.0.0.1:0", "--from", "4", "--to", "38"]);
    const page = await open(t, url, { drawn: true, viewport: SCREEN });
    await live(page);
    await page.getByRole("button", { name: "Pause" }).click();
    await plot(page, "NT:/SmartDashboard/left", "NT:/SmartDashboard/right", "NT:/SmartDashboard/steering/output");
    await page.keyboard.press("Space");
    await page.keyboard.press("i");
    const pictures = [];
    for (let i = -2 * TRAIL_S / FRAME_S; i < 2 * Math.round(LAP_S / FRAME_S); i++) {
        const at = START_S + (i * FRAME_S) / 2;
        await seek(page, at);
        if (i >= 0 && i % 2 === 0) {
            pictures.push(await shot(page));
        }
    }
    writeFileSync(join(ARTIFACTS, "line.webp"), await animate(page, pictures, SHOWN_MS));
});

// --------------------------------------------------------------------------- README: a match

test("a match of six, one of them driven from here", async (t) => {
    const { view } = await startMatch(t, 1, { bots: 5 });
    const page = await open(t, view.url, { query: "?quality=low&frames=1", viewport: SCREEN });
    await live(page);
    await page.keyboard.press("w");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await until(page, "the match runs", (n) => n.phase === "running");
    for (const key of "wawdwawdwawd") { // the page shows the median of what it measures
        const { stickSamples } = await numbers(page);
        await hold(page, key, "a stick was measured", (n) => n.stickSamples > stickSamples || stickSamples === 15);
        await page.keyboard.up(key);
        await page.waitForTimeout(400);
    }
    await until(page, "both have scored", ({ match }) => match.blue >= 2 && match.red >= 2);
    await save(page, "play");
    t.diagnostic(`stick to page: ${(await numbers(page)).stickMs} ms`);
});

// --------------------------------------------------------------------------- the first course

/** The program as it is at the end of that step of the course, built. */
function courseProgram(step) {
    const guide = readFileSync(join(ROOT, "docs/guide/first-steps.md"), "utf8").split("\n## ");
    let program = "";
    for (const section of guide.filter((text) => Number.parseInt(text, 10) <= step)) {
        for (const [, before, code] of section.matchAll(/(.*)\n```c\n([^]*?)```/g)) {
            const [from, to] = [...before.matchAll(/`([^`]+)`/g)].map(([, name]) => name).slice(-2);
            if (before.startsWith("Write this into")) {
                program = code;
            } else {
                const lines = program.split("\n");
                const first = lines.findIndex((line) => line.startsWith(from)), last = lines.findIndex((line) => line.startsWith(to));
                program = [...lines.slice(0, first + 1), "", code, ...lines.slice(last)].join("\n");
            }
        }
    }
    const file = join(ARTIFACTS, `course-${step}`);
    writeFileSync(`${file}.c`, program);
    const env = { ...process.env, PKG_CONFIG_PATH: join(BUILD, "pkgconfig") };
    execFileSync("sh", ["-c", `cc -std=c11 -O2 '${file}.c' -o '${file}' $(pkg-config --cflags --libs halyard)`], { env });
    return file;
}

/** The page of a virtual robot at the start of the line. */
async function openLine(t, query) {
    const { url, ready } = await startHalyard(t, ["board", "xrp", "--listen", "127.0.0.1:0", "--world", "xrp-line", "--view=127.0.0.1:0"]);
    const page = await open(t, url, { query, viewport: SCREEN });
    await live(page);
    return { page, address: `xrp://${ready.udp}` };
}

/** The page of the course's program, the robot at its start; it drives at once. */
async function openCourse(t, step, viewport = SCREEN) {
    const { url } = await startFile(t, courseProgram(step), ["--sim", "xrp-line", "--duration", "600", "--view=127.0.0.1:0"]);
    const page = await open(t, url, { query: "?quality=low", viewport });
    await live(page);
    await until(page, "it is not at its start any more", ({ robots: [[x]] }) => x > 0.85);
    await page.locator(".reset").click();
    await until(page, "it is at its start", ({ robots: [[x, y]] }) => Math.hypot(x - 0.6, y - 0.25) < 0.2);
    await page.keyboard.press("i");
    return page;
}

test("course, steps 1 and 5: the page at first, and the sensors over the line", async (t) => {
    const { page } = await openLine(t, "?quality=low&frames=1");
    await save(page, "course-start");
    await page.keyboard.press("2");
    await page.mouse.move(640, 360);
    await page.mouse.down();
    await page.mouse.move(640 - 330, 300, { steps: 8 });
    await page.mouse.up();
    for (let i = 0; i < 3; i++) {
        await page.mouse.wheel(0, -300);
    }
    await save(page, "course-sensors");
});

test("course, step 4: it stands before the wall, where the program has ended", async (t) => {
    const { page, address } = await openLine(t, "?quality=low");
    await page.keyboard.press("i");
    await startFile(t, courseProgram(4), [address, "--enable"], /enabled: the robot obeys/);
    await until(page, "it is near the wall", ({ ranges: [range] }) => range < 0.18);
    await save(page, "course-wall");
});

test("course, step 6: it has lost the line in the dent", async (t) => {
    const page = await openCourse(t, 6);
    await until(page, "it has passed the first bend", ({ robots: [[x, y]] }) => x > 1.7 && y > 0.4);
    await until(page, "it is beside the line", ({ robots: [[x, y]] }) => x < 0.6 && y < 0.6);
    await save(page, "course-lost");
});

test("course, step 10: a lap, and what the program publishes", async (t) => {
    const page = await openCourse(t, 10, TALL);
    await plot(page, "SmartDashboard/line", "SmartDashboard/steering/output");
    await until(page, "it has passed the first bend", ({ robots: [[x, y]] }) => x > 1.7 && y > 0.4);
    await until(page, "it has passed the dent", ({ robots: [[x, y]] }) => x < 0.6 && y > 0.75);
    await save(page, "course-plot");
});
