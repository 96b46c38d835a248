// Plots, the trail, what is watched again, and what is saved: in a board's world, in a match and in a recording.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { hold, live, numbers, open, picture, screenshot, tooSmall, until, violations } from "./browser.mjs";
import { startHalyard, startMatch, startMock } from "./programs.mjs";

async function plot(page, channel, axis = "left") {
    await page.locator(".plots .channel").fill(channel);
    await page.locator(".plots .axis").selectOption(axis);
    await page.getByRole("button", { name: "Add", exact: true }).click();
}

/** Downloads what a button saves; the text of the file, or its bytes. */
async function saved(t, page, name) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    const folder = mkdtempSync(join(tmpdir(), "halyard-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, file.suggestedFilename());
    await file.saveAs(path);
    return { path, bytes: readFileSync(path) };
}

test("plots live: channels on two axes, pause, zoom, a CSV; by keyboard; nothing for axe-core", async (t) => {
    const { url } = await startMock(t);
    const page = await open(t, url);
    await live(page);
    await page.keyboard.press("p");
    await page.locator(".plots .channel").waitFor();
    await until(page, "there are values", (n) => n.kept > 60);
    await plot(page, "robot1/x");
    await plot(page, "robot1/drive/0", "right");
    const n = await until(page, "the plot has points", ({ plots }) => plots?.points > 60 && plots);
    assert.deepEqual(n.names, ["robot1/x", "robot1/drive/0"]);
    assert.deepEqual(await violations(page), [], "plots");
    assert.deepEqual(await tooSmall(page), []);
    await screenshot(page, "plots-live");
    await page.getByRole("button", { name: "Pause the plot" }).click();
    const { plots: held } = await numbers(page);
    await until(page, "time goes on without the plot", ({ kept }) => kept > held.points + 20);
    assert.equal((await numbers(page)).plots.to, held.to);
    await page.locator(".plots .chart").focus();
    await page.keyboard.press("+");
    const zoomed = (await numbers(page)).plots;
    assert.ok(Math.abs((zoomed.to - zoomed.from) / (held.to - held.from) - 0.5) < 0.01, "half as long");
    const before = await page.locator(".plots .chart").getAttribute("aria-valuetext");
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction((text) => document.querySelector(".plots .chart").getAttribute("aria-valuetext") !== text, before);
    const { bytes } = await saved(t, page, "Save the plotted values as CSV");
    const lines = bytes.toString().trim().split("\n");
    assert.equal(lines[0], "Timestamp,robot1/x,robot1/drive/0");
    assert.ok(lines.length > 10 && lines.slice(1).every((line) => line.split(",").length === 3));
    await page.keyboard.press("0");
    await plot(page, "no such channel");
    await page.locator(".toast", { hasText: "no such channel" }).waitFor();
    assert.equal((await numbers(page)).drive[0][0], 0, "what was typed drove nobody");
    await page.getByRole("button", { name: "Close the plots" }).click();
    assert.equal((await numbers(page)).plots, null);
});

for (const [language, theme] of [["es", "light"], ["en", "light"]]) {
    test(`plots and the past in ${language}, ${theme}: axe-core finds nothing`, async (t) => {
        const { url } = await startMock(t);
        const page = await open(t, url, { options: { colorScheme: theme, locale: language } });
        await live(page);
        await until(page, "there is something to watch", (n) => n.kept > 30);
        await page.keyboard.press("p");
        await page.locator(".plots .channel").fill("robot1/x");
        await page.locator(".plots .add").click();
        await page.locator(".more").click();
        await page.locator("[data-command=again]").click();
        await page.mouse.move(300, 300);
        await until(page, "it shows the past", (n) => n.watching);
        await screenshot(page, `plots-${language}-${theme}`);
        assert.deepEqual(await violations(page), []);
        assert.deepEqual(await tooSmall(page), []);
        assert.ok(await page.getByRole("button", { name: language === "es" ? "Volver al presente" : "Back to the present" }).isVisible());
    });
}

for (const [name, viewport] of [["upright", { width: 390, height: 844 }], ["lying", { width: 844, height: 390 }]]) {
    test(`the past on a phone, ${name}: the controller gives way to the time line, all of which is on the screen`, async (t) => {
        const { url } = await startMock(t);
        const page = await open(t, url, { screen: "phone", viewport });
        await live(page);
        await page.locator(".touchpad").waitFor();
        await until(page, "there is something to watch", (n) => n.kept > 30);
        await page.keyboard.press("k");
        await until(page, "it shows the past", (n) => n.watching);
        assert.equal(await page.locator(".touchpad").isVisible(), false);
        assert.equal(await page.getByRole("button", { name: /^Drive player/ }).count(), 0);
        assert.deepEqual(await tooSmall(page), []);
        await page.getByRole("button", { name: "Back to the present" }).tap();
        await until(page, "it shows the present", (n) => !n.watching);
        await page.locator(".touchpad").waitFor();
    });
}

test("a match is watched again, in slow motion, and saved; the trail of a robot", async (t) => {
    const { view } = await startMatch(t, 1, { seconds: 8 });
    const page = await open(t, view.url, { drawn: true });
    await live(page);
    await page.keyboard.press("i");
    await page.keyboard.press("Enter");
    await until(page, "the match runs", (n) => n.phase === "running");
    await hold(page, "w", "the robot has driven", (n) => n.trail > 10);
    await page.keyboard.up("w");
    await until(page, "there is enough to watch again", (n) => n.kept > 100); // the picture may take longer than the match
    await picture(page, "trail");
    await until(page, "the match is over", (n) => n.phase === "over");
    await page.locator(".result .watch").click();
    const began = await until(page, "it shows the past", (n) => n.watching && n.replay !== null && n);
    assert.ok(began.kept > 100 && began.keptBytes < 40e6);
    assert.deepEqual(began.owned, [], "robots that nobody looks at are not driven");
    assert.deepEqual(await violations(page), []);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("w");
    await page.locator(".toast", { hasText: "nobody can drive here" }).waitFor();
    assert.deepEqual((await numbers(page)).owned, [], "nor does a key take one that is not seen");
    await page.locator(".timeline .pace").selectOption("0.1");
    await until(page, "it is slow", (n) => n.replay.pace === 0.1 || n.replay.pace === 0);
    await page.getByRole("button", { name: "Next event" }).click();
    const { bytes } = await saved(t, page, "Save");
    assert.equal(bytes.subarray(0, 6).toString(), "WPILOG");
    await picture(page, "watch-again");
    await page.keyboard.press("k");
    await until(page, "it is the present", (n) => !n.watching && n.replay === null);
});

test("plots of a recording: any of its channels, the cursor seeks, a zoom has the values between", async (t) => {
    const file = new URL("../replay/xrp-square.wpilog", import.meta.url).pathname;
    const program = await startHalyard(t, ["replay", file, "--view=127.0.0.1:0"]);
    const page = await open(t, program.url, { drawn: true });
    await live(page);
    await until(page, "it has ended", ({ replay: { pace } }) => pace === 0);
    await page.keyboard.press("p");
    await page.locator(".plots .channel").waitFor();
    await page.locator("#plot-channels option").first().waitFor({ state: "attached" });
    const { messages } = await numbers(page);
    assert.ok(messages > 0);
    await plot(page, "NT:/Robot/Truth/Pose/translation/x");
    await plot(page, "NT:/Robot/Motors/0", "right");
    const shown = await until(page, "the values have come", ({ plots }) => plots?.points > 100 && plots);
    assert.deepEqual([shown.from, shown.to], [0, 4]);
    await page.locator(".plots .chart .u-over").click({ position: { x: 200, y: 60 } });
    const { at } = await until(page, "the cursor seeks", ({ replay }) => replay.at < 2 && replay.at > 0 && replay);
    await page.locator(".plots .chart").focus();
    await page.keyboard.press("ArrowRight");
    await until(page, "so does a key", ({ replay }) => Math.abs(replay.at - at - 0.04) < 0.005);
    await page.keyboard.press("+");
    const near = await until(page, "it is enlarged", ({ plots }) => plots.to - plots.from < 2.1 && plots);
    assert.ok(near.values.every((value) => Number.isFinite(Number(value))), JSON.stringify(near));
    await page.keyboard.press("0");
    await page.mouse.move(640, 200);
    await until(
        page, "all of it, and the value at the moment that is shown",
        ({ plots, robots: [[x]] }) => plots.to === 4 && plots.points > 100 && Math.abs(Number(plots.values[0]) - x) < 0.02,
    );
    assert.deepEqual(await violations(page), []);
    await picture(page, "plots-replay");
});
