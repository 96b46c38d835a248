// A recording in the browser: `halyard replay FILE`, its time line, and what the picture then shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { live, numbers, open, picture, tooSmall, until } from "./browser.mjs";
import { startHalyard } from "./programs.mjs";

const RECORDINGS = new URL("../replay/", import.meta.url).pathname;

function startReplay(t, name) {
    return startHalyard(t, ["replay", `${RECORDINGS}${name}.wpilog`, "--view=127.0.0.1:0"]);
}

async function seek(page, to) {
    await page.locator(".timeline .moment").evaluate((slider, value) => {
        slider.value = String(value);
        slider.dispatchEvent(new Event("input"));
    }, to);
}

test("a recording: it plays, pauses, and shows any moment", async (t) => {
    const program = await startReplay(t, "xrp-square");
    const page = await open(t, program.url, { drawn: true });
    await live(page);
    await until(page, "it plays", ({ replay: { at } }) => at > 0.2);
    // On a busy machine it may have ended by now; at a tenth of the speed it does not.
    await page.locator(".timeline .pace").selectOption("0.1");
    const changed = await until(page, "the speed is another one", ({ replay }) => replay.pace !== 1 && replay);
    if (changed.pace === 0) {
        await page.getByRole("button", { name: "Play", exact: true }).click();
    }
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    await until(page, "it is paused", ({ replay: { pace } }) => pace === 0);
    await seek(page, 0);
    await until(page, "it is at its start", ({ replay: { at } }) => at === 0);
    const { robots: [start] } = await numbers(page);
    await seek(page, 3.5);
    await until(page, "it is at 3.5 s", ({ replay: { at } }) => at === 3.5);
    const { robots: [later] } = await numbers(page);
    assert.ok(Math.hypot(later[0] - start[0], later[1] - start[1]) > 0.3, "the robot has driven");
    await page.locator(".badge.on", { hasText: "enabled" }).waitFor();
    await picture(page, "replay-xrp");
    await page.getByRole("button", { name: "Previous event" }).click();
    await until(page, "it is where the robot is enabled", ({ replay: { at } }) => at > 0 && at < 0.5);
    assert.ok(await page.locator(".timeline .mark.enable").count() >= 1);
    await page.getByRole("button", { name: "One step forward" }).click();
    await page.locator(".timeline .pace").selectOption("16");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await until(page, "it ends where the recording does", ({ replay: { at, pace } }) => at === 4 && pace === 0);
    await page.waitForFunction(() => parseFloat(document.querySelector(".timeline .clock").textContent) === 4); // it is written after it is known
});

test("a recorded match: all robots, score and time; nobody can drive", async (t) => {
    const program = await startReplay(t, "match-guests");
    const page = await open(t, program.url, { drawn: true });
    await live(page);
    assert.equal(await page.title(), "match-guests.wpilog · Halyard");
    await until(page, "it has ended", ({ replay: { pace } }) => pace === 0);
    await seek(page, 3);
    await until(page, "it is at 3 s", ({ replay: { at } }) => at === 3);
    const { robots } = await numbers(page);
    assert.equal(robots.length, 3);
    assert.equal(await page.getByRole("button", { name: /^Drive player/ }).count(), 0);
    await picture(page, "replay-match");
    // Whether its robots were enabled, and which program drove them, is not recorded.
    assert.deepEqual(await page.locator(".row .below .owner").allTextContents(), ["", "disabled", "disabled"]);
    await page.keyboard.press("w");
    await page.locator(".toast", { hasText: "nobody can drive here" }).waitFor();
});

test("events of one kind are marked, and jumped to; the keys of the time line", async (t) => {
    const program = await startReplay(t, "program-line");
    const page = await open(t, program.url);
    await live(page);
    await until(page, "it has ended", ({ replay: { pace } }) => pace === 0);
    const marks = page.locator(".timeline .mark");
    const kinds = page.getByRole("combobox", { name: "Which events are marked" });
    assert.deepEqual(await kinds.locator("option").allTextContents(), ["All events (3)", "enabled (2)", "disabled (1)"]);
    assert.equal(await marks.count(), 3);
    await kinds.selectOption({ label: "disabled (1)" });
    assert.deepEqual(await marks.evaluateAll((shown) => shown.map((mark) => mark.className)), ["mark disable"]);
    const [, disabledAt] = /^([0-9.]+) s: disabled$/.exec(await marks.getAttribute("title"));
    await page.getByRole("button", { name: "Previous event" }).click();
    await until(page, "it is where the robot is disabled", ({ replay: { at } }) => Math.abs(at - Number(disabledAt)) < 0.01);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("Shift+ArrowRight");
    const length = await page.locator(".timeline .moment").evaluate((slider) => Number(slider.max));
    await until(page, "it is at the end, since no other is of that kind", ({ replay: { at } }) => Math.abs(at - length) < 0.01);
    await page.keyboard.press("ArrowLeft");
    await until(page, "it is a step before the end", ({ replay: { at } }) => Math.abs(at - (length - 0.02)) < 0.005);
    await page.locator(".timeline .pace").selectOption("0.1");
    await page.evaluate(() => document.activeElement.blur());
    await seek(page, 0);
    await page.keyboard.press("Space");
    await until(page, "it plays", ({ replay: { pace } }) => pace === 0.1);
    await page.keyboard.press("Enter");
    await until(page, "it is paused", ({ replay: { pace, at } }) => pace === 0 && at < length);
});

test("on a phone nothing covers the time line, the plots or what the robot measures", async (t) => {
    const program = await startReplay(t, "xrp-square");
    const page = await open(t, program.url, { screen: "phone" });
    await live(page);
    const boxes = (...names) => page.evaluate((all) => all.map((name) => document.querySelector(name).getBoundingClientRect().toJSON()), names);
    await page.locator(".robot .line").first().waitFor();
    await page.waitForFunction(() => document.querySelector(".side").getBoundingClientRect().bottom <= document.querySelector(".timeline").getBoundingClientRect().top);
    await page.keyboard.press("p");
    await page.locator(".plots .channel").waitFor();
    const [plots, line] = await boxes(".plots", ".timeline");
    assert.ok(plots.bottom <= line.top && plots.top >= 0, JSON.stringify([plots, line]));
    assert.equal(await page.locator(".side").isVisible(), false, "there is room for one of both");
    assert.deepEqual(await tooSmall(page), []);
});

test("a file of WPILib's DataLogManager: its poses drive over the floor", async (t) => {
    const program = await startHalyard(t, ["replay", new URL("../golden/wpilib/datalog.wpilog", import.meta.url).pathname, "--view=127.0.0.1:0"]);
    const page = await open(t, program.url, { drawn: true });
    await live(page);
    await seek(page, 1);
    const { robots: before } = await until(page, "it is at 1 s", (n) => n.replay.at >= 1 && n);
    await page.locator(".timeline .pace").selectOption("0.1");
    await seek(page, 1.5);
    const { robots: after } = await until(page, "it is at 1.5 s", (n) => n.replay.at >= 1.5 && n);
    assert.equal(after.length, 2);
    for (const [i, [x, y]] of after.entries()) {
        assert.ok(Math.hypot(x - before[i][0], y - before[i][1]) > 0.3, "it has moved");
    }
    assert.equal(await page.locator(".timeline .mark").count(), 2);
    await picture(page, "replay-wpilib");
});

test("a part of a recording: it begins and ends there", async (t) => {
    const program = await startHalyard(t, ["replay", `${RECORDINGS}xrp-square.wpilog`, "--view=127.0.0.1:0", "--from", "2", "--to", "2.5"]);
    const page = await open(t, program.url);
    await live(page);
    await until(page, "it ends at 2.5 s", ({ replay: { at, pace } }) => at === 2.5 && pace === 0);
    const line = await page.locator(".timeline .moment").evaluate(({ min, max }) => [min, max]);
    assert.deepEqual(line, ["2", "2.5"], "the time line is that of the part");
    assert.equal(await page.locator(".timeline .mark").count(), 0, "what happened before it is not marked");
    await seek(page, 0.5);
    await until(page, "it is at the part's begin", ({ replay: { at } }) => at === 2);
    await seek(page, 3.5);
    await until(page, "it is at the part's end", ({ replay: { at } }) => at === 2.5);
});

test("a recording of a robot program: the poses that it published are drawn beside the robot", async (t) => {
    const program = await startReplay(t, "program-trajectory");
    const page = await open(t, program.url, { drawn: true });
    await live(page);
    await page.keyboard.press("i");
    await page.keyboard.press("2"); // the floor is 100 m long
    const { programPoses } = await until(page, "they are drawn", (n) => n.programPoses.length === 2 && n);
    assert.deepEqual(programPoses, ["SmartDashboard/odometry", "SmartDashboard/wanted"]);
    await picture(page, "replay-trajectory");
});
