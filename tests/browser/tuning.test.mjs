// The numbers and choices of a robot program on its page: `hy_program_tunable`, `hy_program_chooser`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { live, open, PATIENCE_MS, screenshot, tooSmall } from "./browser.mjs";
import { startExample } from "./programs.mjs";

test("kP of a program is changed by its box and its slider, within its limits, and put back", async (t) => {
    const program = await startExample(t, "line_follow", ["--sim", "xrp-line", "--duration", "600", "--view=127.0.0.1:0"]);
    const page = await open(t, program.url);
    await live(page);
    const box = page.locator(".tuning .value");
    const is = (value) => page.waitForFunction((wanted) => document.querySelector(".tuning .value")?.value === wanted, value, { timeout: PATIENCE_MS });
    await is("0.15");
    await box.fill("7"); // the program's limit is 2
    await box.press("Enter");
    await box.blur();
    await is("2");
    await page.locator(".tuning .slider").press("ArrowLeft");
    await is("1.99");
    await screenshot(page, "tuning");
    assert.deepEqual((await tooSmall(page)).filter((what) => /value|slider|back|kP/.test(what)), []);
    await page.locator(".tuning .back").click();
    await is("0.15");
});
