// A match over real sockets, driven from the page: sim, cores and view as they are, each started and killed by hand.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { closeBrowser, hold, live, middleOf, numbers, open, picture, touch, until } from "./browser.mjs";
import { startHalyard, startProgram } from "./programs.mjs";

after(closeBrowser);

const FIELD = new URL("../../worlds/field2020.yaml", import.meta.url);
const TOKEN = { HALYARD_TOKEN: "0123456789abcdef0123456789abcdef" };

// The ports of a match are fixed but for this. Several runs of the tests should not meet, and all of it should lie
// below the ports that the system hands out by itself.
let shift = 13000 + (process.pid % 60) * 100;

/** Player 1 stands before its goal, its back to it, and a ball before its intake. */
function fieldForScoring() {
    let text = readFileSync(FIELD, "utf8");
    text = text.replace(/start: \{[^}]*\}/, "start: { x_m: 2.4081, y_m: 2.2, heading_deg: 90 }");
    text = text.replace(/(at_m:\s*\[)\[[^\]]*\]/, "$1[2.4081, 3.4]");
    const file = join(mkdtempSync(join(tmpdir(), "halyard-")), "scoring.yaml");
    writeFileSync(file, text);
    return file;
}

async function startMatch(t, players, config = "field2020") {
    shift += 100;
    const common = ["--shift", String(shift)];
    const sim = await startProgram(t, ["sim", "--players", String(players), "--config", config, ...common], /ready/);
    for (let player = 1; player <= players; player++) {
        await startProgram(t, ["core", "--player", String(player), ...common], /ready/);
    }
    const startView = (port) => startHalyard(
        t, ["view", "--players", String(players), "--config", config, "--listen", `127.0.0.1:${port}`, ...common], TOKEN,
    );
    return { sim, view: await startView(0), startView };
}

const speedsOf = (n, robot = 0) => n.drive[robot] ?? [0, 0];
const isStill = (n, robot = 0) => speedsOf(n, robot).every((speed) => speed === 0);
const moved = (n, from, robot = 0) => Math.hypot(n.robots[robot][0] - from[0], n.robots[robot][1] - from[1]);

test("keys move the robot, and the page says how long that took", async (t) => {
    const { view } = await startMatch(t, 1);
    const page = await open(t, view.url);
    await live(page);
    const { robots: [start] } = await numbers(page);
    for (let i = 0; i < 5; i++) {
        await page.keyboard.down(i % 2 === 0 ? "w" : "s");
        await until(page, "it is told to drive", (n) => !isStill(n));
        await page.waitForTimeout(150);
        await page.keyboard.up(i % 2 === 0 ? "w" : "s");
        await until(page, "it is told to stop", (n) => isStill(n));
    }
    await until(page, "it has moved", (n) => moved(n, start) > 0.1);
    await page.locator(".lamp.good").waitFor();
    const n = await numbers(page);
    assert.ok(n.stickSamples >= 3, "the latency was measured");
    t.diagnostic(`stick to page: ${n.stickMs.toFixed(1)} ms, median of ${n.stickSamples}`);
});

test("a ball is taken in and scored, the timer runs, the reset puts all back", async (t) => {
    const { view } = await startMatch(t, 1, fieldForScoring());
    const page = await open(t, view.url);
    await live(page);
    await page.keyboard.press("3");
    await page.keyboard.press("Enter", { delay: 300 });
    await until(page, "the timer runs", (n) => n.match.runs);
    await page.keyboard.down("q");
    await hold(page, "w", "the ball is aboard", (n) => n.pieces[0][3] === 4);
    await page.keyboard.up("w");
    await picture(page, "match-intake");
    await page.keyboard.up("q");
    await hold(page, "s", "it stands before its goal", (n) => n.robots[0][1] < -7.1);
    await hold(page, "e", "blue has scored", (n) => n.match.blue === 1);
    await page.keyboard.up("e");
    await page.keyboard.up("s");
    await page.locator(".score.blue", { hasText: "1" }).waitFor();
    await page.keyboard.press("Space");
    await picture(page, "match-score");
    await page.keyboard.press("r");
    await until(page, "the match began anew", (n) => n.match.blue === 0 && !n.match.runs);
});

test("a phone: both sticks under two fingers", async (t) => {
    const { view } = await startMatch(t, 2);
    const page = await open(t, view.url, { phone: true });
    await live(page);
    const left = await middleOf(page, ".stick.left");
    const right = await middleOf(page, ".stick.right");
    const { robots: [start] } = await numbers(page);
    const up = { x: left.x, y: left.y - left.size * 0.4 };
    await touch(page, "touchStart", [left]);
    await touch(page, "touchMove", [up]);
    await until(page, "it drives ahead", (n) => speedsOf(n)[0] > 1 && speedsOf(n)[1] > 1);
    await touch(page, "touchStart", [up, right]);
    await touch(page, "touchMove", [up, { x: right.x + right.size * 0.4, y: right.y }]);
    await until(page, "it steers", (n) => speedsOf(n)[0] > speedsOf(n)[1] + 1);
    await touch(page, "touchEnd", []);
    await until(page, "it stops", (n) => isStill(n));
    await until(page, "it has moved", (n) => moved(n, start) > 0.1);
    await picture(page, "match-phone");
});

test("six robots, two pages, two players at once", async (t) => {
    const { view } = await startMatch(t, 6);
    const first = await open(t, view.url);
    const second = await open(t, view.url);
    await live(first);
    await live(second);
    await first.locator(".row .drive").nth(0).click();
    await until(first, "player 1 is ours", (n) => n.owned.includes(1));
    await second.locator(".row .drive").nth(1).click();
    await until(second, "player 2 is theirs", (n) => n.owned.includes(2));
    const both = (n) => speedsOf(n, 0)[0] > 1 && speedsOf(n, 1)[0] < -1;
    await Promise.all([hold(first, "w", "both drive", both), hold(second, "s", "both drive", both)]);
    await first.keyboard.up("w");
    await second.keyboard.up("s");
    await until(first, "both stand", (n) => isStill(n, 0) && isStill(n, 1));
    await first.locator(".row", { hasText: "somebody drives" }).waitFor();
    await picture(first, "match-six");
    const n = await numbers(first);
    assert.ok(n.calls <= 150, `${n.calls} draw calls`);
});

test("a view that is killed and started again: the page comes back and drives on", async (t) => {
    const { view, startView } = await startMatch(t, 1);
    const page = await open(t, view.url);
    await live(page);
    await page.keyboard.down("w");
    await until(page, "it drives", (n) => !isStill(n));
    await view.stop("SIGKILL");
    await page.locator(".banner:not(.hidden)").waitFor();
    await startView(view.port);
    await page.waitForFunction(() => !document.body.classList.contains("offline"));
    await until(page, "what was held is not held any more", (n) => isStill(n));
    await page.keyboard.up("w");
    await hold(page, "s", "it drives again", (n) => !isStill(n));
});

test("a sim that dies is said, and so is one that comes back", async (t) => {
    const { sim, view } = await startMatch(t, 1);
    const page = await open(t, view.url);
    await live(page);
    await page.locator(".lamp.good").waitFor();
    await sim.stop("SIGKILL");
    await page.locator(".lamp.bad").waitFor();
    await startProgram(t, ["sim", "--players", "1", "--shift", String(shift)], /ready/);
    await page.locator(".lamp.good").waitFor();
});
