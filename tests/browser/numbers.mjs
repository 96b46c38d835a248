// Measures what the page costs and how long a stick takes, with six robots and their lidars; judges only its draw calls and what it loads.
//
//   tools/page.sh node tests/browser/run.mjs build build/artifacts numbers.mjs
//
// Chromium draws with the processor here. That time is not the script's, so the picture is small, and the script is measured once more
// with drawing that does nothing; draw calls and script are the same as on a large one.
import { writeFileSync } from "node:fs";
import assert from "node:assert/strict";
import { loadavg } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ARTIFACTS, drawNothing, live, numbers, open, until } from "./browser.mjs";
import { startMatch } from "./programs.mjs";

const FRAMES = { best: 30, low: 130 }; // the page's medians are of the last 120; the best picture takes a second
const UNDRAWN_FRAMES = 900; // the script is compiled while the first ones run
const PRESSES = 15;

const load = () => loadavg()[0].toFixed(1);
const results = {};

function report(t, name, value) {
    results[name] = value;
    t.diagnostic(`${name}: ${value}`);
    writeFileSync(join(ARTIFACTS, "page-numbers.json"), `${JSON.stringify(results, null, 2)}\n`);
}

for (const quality of Object.keys(FRAMES)) {
    test(`script of a frame, quality=${quality}`, async (t) => {
        const { view } = await startMatch(t, 6);
        const page = await open(t, view.url, { query: `?quality=${quality}` });
        await page.setViewportSize({ width: 320, height: 180 });
        await live(page);
        const { frames } = await numbers(page);
        const n = await until(page, "enough frames", (now) => now.frames > frames + FRAMES[quality] && now);
        report(t, `${quality}: script of a frame, median, ms`, n.scriptMs.toFixed(2));
        report(t, `${quality}: of that messages and timers, ms`, n.messageMs.toFixed(2));
        report(t, `${quality}: draw calls`, n.calls);
        assert.ok(n.calls <= 150, `${n.calls} draw calls in all passes`);
        assert.equal(n.isOccluded, quality === "best", "only the best picture has ambient occlusion");
        const scripts = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
        assert.equal(scripts.some((name) => /occlusion.*\.js/.test(name)), quality === "best", "and no other page loads it");
        report(t, `${quality}: frames a second`, n.fps.toFixed(0));
        report(t, `${quality}: load`, load());
    });
}

for (const quality of ["best", "low"]) {
    test(`script of a frame, quality=${quality}, nothing is drawn`, async (t) => {
        const { view } = await startMatch(t, 6);
        const page = await open(t, view.url, { query: `?quality=${quality}`, before: drawNothing });
        await live(page);
        const { frames } = await numbers(page);
        const n = await until(page, "enough frames", (now) => now.frames > frames + UNDRAWN_FRAMES && now);
        report(t, `${quality}, nothing drawn: script of a frame, median, ms`, n.scriptMs.toFixed(2));
        report(t, `${quality}, nothing drawn: frames a second`, n.fps.toFixed(0));
        report(t, `${quality}, nothing drawn: load`, load());
    });
}

// A page with a picture that a processor draws measures the drawing: without one it is the way of the messages.
for (const [name, query] of [["without a picture", "?quality=none"], ["drawn by the processor", "?quality=low"]]) {
    test(`stick to page, ${name}`, async (t) => {
        const { view } = await startMatch(t, 6);
        const page = await open(t, view.url, { query });
        await live(page);
        // A press on a machine that stands still for a second is not counted.
        for (let press = 0; (await numbers(page)).stickSamples < PRESSES; press++) {
            const key = press % 2 === 0 ? "w" : "s";
            await page.keyboard.down(key);
            await until(page, "it drives", (n) => n.drive[0].some((speed) => speed !== 0));
            await page.keyboard.up(key);
            await until(page, "it stands", (n) => n.drive[0].every((speed) => speed === 0));
        }
        const n = await numbers(page);
        report(t, `stick to page, ${name}, median of ${n.stickSamples}, ms`, n.stickMs.toFixed(1));
        report(t, `stick to page, ${name}: load`, load());
    });
}
