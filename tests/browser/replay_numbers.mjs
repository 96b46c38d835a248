// Measures, and judges nothing: memory and script time of the page while it shows a recording, with plots and the trail; also where drawing
// does nothing (`drawNothing`), at the best quality.
//
//   RECORDING=FILE tools/page.sh node tests/browser/run.mjs build build/artifacts replay_numbers.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ARTIFACTS, drawNothing, live, numbers, open, until } from "./browser.mjs";
import { startHalyard } from "./programs.mjs";

const FRAMES = 40; // a processor draws about one a second
const MOMENTS = 40;

/** Megabytes that a process has for itself. */
function privateMb(pid) {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return [...text.matchAll(/^Private_\w+: +(\d+) kB/gm)].reduce((sum, [, kb]) => sum + Number(kb), 0) / 1000;
}

async function memory(page) {
    const tab = await page.context().newCDPSession(page);
    await tab.send("HeapProfiler.collectGarbage");
    const { metrics } = await tab.send("Performance.enable").then(() => tab.send("Performance.getMetrics"));
    const browser = await page.context().browser().newBrowserCDPSession();
    const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
    const renderers = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => privateMb(id));
    return { heapMb: metrics.find(({ name }) => name === "JSHeapUsedSize").value / 1e6, rendererMb: Math.max(...renderers) };
}

const PLOTTED = ["NT:/Robot1/Truth/Pose/translation/x", "NT:/Robot1/Truth/Pose/translation/y", "NT:/Robot2/Truth/Pose/translation/x", "NT:/Match/Time"];
const UNDRAWN_FRAMES = 900; // the script is compiled while the first ones run

async function openRecording(t, options) {
    const program = await startHalyard(t, ["replay", process.env.RECORDING, "--view=127.0.0.1:0"]);
    const page = await open(t, program.url, options);
    await live(page);
    return page;
}

/** Of the last 120 frames, once `frames` more were shown. */
async function scriptOfFrame(page, frames) {
    const before = (await numbers(page)).frames;
    const shown = await until(page, "enough frames", (now) => now.frames > before + frames && now);
    return `${shown.scriptMs.toFixed(2)} (${shown.fps.toFixed(0)} frames a second)`;
}

async function plotFour(page) {
    await page.keyboard.press("i");
    await page.keyboard.press("p");
    for (const name of PLOTTED) {
        await page.locator(".plots .channel").fill(name);
        await page.locator(".plots .channel").press("Enter");
    }
    await until(page, "plots are there", ({ plots }) => plots?.names.length === PLOTTED.length && plots.points > 500);
}

test("a recording in the browser, nothing is drawn", async (t) => {
    const page = await openRecording(t, { query: "?quality=best", before: drawNothing });
    t.diagnostic(`playing: script of a frame, median, ms: ${await scriptOfFrame(page, UNDRAWN_FRAMES)}`);
    await plotFour(page);
    t.diagnostic(`four channels plotted, trail: script of a frame, median, ms: ${await scriptOfFrame(page, UNDRAWN_FRAMES)}`);
    t.diagnostic(`load: ${loadavg()[0].toFixed(1)}`);
});

test("a recording in the browser", async (t) => {
    const page = await openRecording(t, { query: "?quality=low", viewport: { width: 720, height: 405 } });
    const results = {};
    const report = (name, value) => {
        results[name] = value;
        t.diagnostic(`${name}: ${value}`);
    };
    report("playing: script of a frame, median, ms", await scriptOfFrame(page, FRAMES));
    await plotFour(page);
    report("playing, four channels plotted, trail: script of a frame, median, ms", await scriptOfFrame(page, FRAMES));
    const times = [];
    const length = Number(await page.locator(".timeline .moment").getAttribute("max"));
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    for (let i = 0; i < MOMENTS; i++) {
        const to = Math.round(((i * 37) % MOMENTS) * length * 1000 / MOMENTS) / 1000;
        times.push(await page.evaluate((moment) => new Promise((resolve) => {
            const slider = document.querySelector(".timeline .moment");
            const began = performance.now();
            slider.value = String(moment);
            slider.dispatchEvent(new Event("input"));
            const timer = setInterval(() => {
                if (Math.abs(window.halyard.numbers().replay.at - moment) < 0.002) {
                    clearInterval(timer);
                    resolve(performance.now() - began);
                }
            }, 1);
        }), to));
    }
    times.sort((a, b) => a - b);
    report("seek, median, ms", times[MOMENTS / 2].toFixed(0));
    report("seek, longest, ms", times.at(-1).toFixed(0));
    const { heapMb, rendererMb } = await memory(page);
    report("JavaScript heap, MB", heapMb.toFixed(1));
    report("private memory of the tab's process, MB", rendererMb.toFixed(0));
    report("load", loadavg()[0].toFixed(1));
    writeFileSync(join(ARTIFACTS, "replay-numbers.json"), `${JSON.stringify(results, null, 2)}\n`);
});
