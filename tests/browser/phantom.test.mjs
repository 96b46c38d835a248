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
    const { phantoms: [waiting], robots: [robot], run: before } = await numbers(page);
    assert.deepEqual(waiting.at.map((value) => value.toFixed(2)), robot.map((value) => value.toFixed(2)), "it waits where the robot stands");
    assert.deepEqual([waiting.gap, before], [null, null]);

    const script = join(mkdtempSync(join(tmpdir(), "halyard-")), "script.txt");
    writeFileSync(script, "0.2 enable\n+0 drive 0.4 0.4\n+1 drive 0 0\n+600 quit\n");
    await startProgram(t, ["drive", `xrp://${board.ready.udp}`, "--script", script]);
    // All of it at once: what is drawn, once a second here, is behind what the page was told.
    const raced = await until(page, "the phantom drives ahead of the robot, by a gap that is less than the run", ({ run, robots: [at], phantoms: [phantom] }) => {
        const ahead = phantom.at[0] > waiting.at[0] + 0.3 && at[0] > robot[0] + 0.1 && at[0] < phantom.at[0];
        const isBehind = phantom.gap > 0.2 && phantom.gap < run?.t && phantom.gapM > 0.05 && phantom.gapM <= phantom.at[0] - waiting.at[0] + 0.3;
        return ahead && isBehind && { run };
    });
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
