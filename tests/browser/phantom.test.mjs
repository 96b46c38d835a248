// Earlier runs beside the living one: `--phantom FILE`.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { live, numbers, open, picture, until } from "./browser.mjs";
import { startHalyard, startMatch, startProgram } from "./programs.mjs";

const RECORDINGS = new URL("../replay/", import.meta.url).pathname;

test("an XRP races against two earlier runs: they start with it, and the gap is shown", async (t) => {
    const board = await startHalyard(t, [
        "board", "xrp", "--listen", "127.0.0.1:0", "--view=127.0.0.1:0", "--world", "xrp-line",
        "--phantom", `${RECORDINGS}xrp-line.wpilog`, "--phantom", `${RECORDINGS}xrp-line-noise.wpilog`,
    ]);
    const page = await open(t, board.url, { drawn: true });
    await live(page);
    await page.locator(".phantoms", { hasText: "The time starts when" }).waitFor();
    assert.deepEqual(await page.locator(".phantoms tbody th").allTextContents(), ["xrp-line", "xrp-line-noise"]);
    await until(page, "both are drawn", (n) => n.phantomsShown === 2);
    const { phantoms: [waiting], robots: [robot], run } = await numbers(page);
    assert.deepEqual(waiting.at.map((value) => value.toFixed(2)), robot.map((value) => value.toFixed(2)), "it waits where the robot stands");
    assert.deepEqual([waiting.gap, run], [null, null]);

    const script = join(mkdtempSync(join(tmpdir(), "halyard-")), "script.txt");
    // Several times: a program that the machine held up for half a second is disabled, and drives on only when it is enabled again.
    writeFileSync(script, `${"+0.3 enable\n+0 drive 0.4 0.4\n".repeat(4)}+0.3 drive 0 0\n+600 quit\n`);
    await startProgram(t, ["drive", `xrp://${board.ready.udp}`, "--script", script]);
    const raced = await until(page, "the race has begun", (n) => n.run?.t > 2.5 && n.phantoms[0].gap !== null && n);
    const [phantom] = raced.phantoms;
    assert.ok(phantom.at[0] > waiting.at[0] + 0.3, "the phantom drives");
    assert.ok(raced.robots[0][0] > robot[0] + 0.1 && raced.robots[0][0] < phantom.at[0], JSON.stringify([robot, raced.robots[0], phantom.at]));
    assert.ok(phantom.gap > 0.2 && phantom.gapM > 0.05, JSON.stringify(phantom));
    assert.ok(phantom.gap < raced.run.t && phantom.gapM <= phantom.at[0] - waiting.at[0] + 0.3, JSON.stringify(phantom));
    await page.locator(".phantoms .behind", { hasText: /^\+\d+\.\d\d$/ }).first().waitFor();
    await picture(page, "phantom-xrp");
    await page.locator(".reset").click();
    await until(page, "a reset begins another run", (n) => n.robots[0][0] < robot[0] + 0.05 && (n.run === null || n.run.t < raced.run.t));
});

test("a match: the phantom of another one waits at its place", async (t) => {
    const { view } = await startMatch(t, 2, { more: ["--phantom", `${RECORDINGS}match-two.wpilog`, "--phantom", `${RECORDINGS}xrp-line.wpilog`] });
    assert.match(view.output(), /xrp-line\.wpilog: it was recorded in the world 'XRP line', not '[^']+'; it is not shown/);
    const page = await open(t, view.url, { drawn: true });
    await live(page);
    await page.locator(".phantoms tbody th", { hasText: /^match-two$/ }).waitFor();
    await until(page, "it is drawn", (n) => n.phantomsShown === 1 && n.phantoms.length === 1);
    await picture(page, "phantom-match");
});
