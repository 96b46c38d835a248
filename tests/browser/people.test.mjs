// The page for everybody: axe-core, keyboard, languages, colours, less motion, sound, the first minute.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hold, live, numbers, open, screenshot, tooSmall, until, violations } from "./browser.mjs";
import { startMock } from "./programs.mjs";

for (const theme of ["dark", "light"]) {
    test(`axe-core finds nothing: ${theme}`, async (t) => {
        const { url } = await startMock(t, { timer: 3 });
        const page = await open(t, url, { options: { colorScheme: theme } });
        await live(page);
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
        assert.deepEqual(await violations(page), [], "a match");
        await page.keyboard.press("t");
        await page.keyboard.press("o");
        assert.deepEqual(await violations(page), [], "with statistics and the controller");
        await page.keyboard.press("o");
        await page.keyboard.press("h");
        await page.locator(".help[open]").waitFor();
        assert.deepEqual(await violations(page), [], "help");
        assert.deepEqual(await tooSmall(page), []);
        await page.keyboard.press("Escape");
        await page.locator(".help:not([open])").waitFor({ state: "attached" });
        await page.keyboard.press("Enter");
        await page.locator(".result:not(.hidden)").waitFor();
        assert.deepEqual(await violations(page), [], "the result");
    });
}

test("axe-core finds nothing: a robot on the bench, a wrong address, the first-run card, a phone", async (t) => {
    const board = await open(t, (await startMock(t, { scene: "xrp" })).url);
    await live(board);
    assert.deepEqual(await violations(board), [], "a robot on the bench");
    const mock = await startMock(t);
    const first = await open(t, mock.url, { isFirstVisit: true });
    await first.locator(".card[open]").waitFor();
    assert.deepEqual(await violations(first), [], "the first-run card");
    const phone = await open(t, mock.url, { screen: "phone" });
    await live(phone);
    await phone.locator(".menu").tap();
    assert.deepEqual(await violations(phone), [], "a phone with its menu");
    await mock.stop();
    await phone.locator(".banner:not(.hidden)").first().waitFor();
    assert.deepEqual(await violations(phone), [], "without a connection");
});

test("the toolbar: one column on a low screen, labels on hover, the rest in a menu that the keyboard opens and closes", async (t) => {
    const page = await open(t, (await startMock(t)).url, { viewport: { width: 1024, height: 600 } });
    await live(page);
    await page.evaluate(() => document.body.classList.remove("blind")); // views, too, though nothing is drawn
    const { x, right, bottom } = await page.evaluate(() => document.querySelector(".tools-panel").getBoundingClientRect().toJSON());
    assert.ok(right - x < 60 && bottom <= 600, `the toolbar is ${right - x} px wide and ends at ${bottom}`);
    await page.locator("[data-command=chase]").hover();
    await page.locator("[data-command=chase] .label", { hasText: "Behind the robot" }).waitFor();
    await page.locator(".more").focus();
    await page.keyboard.press("Enter");
    for (const name of ["Map", "Lidar", "Trail", "Plots", "Watch again", "Statistics", "Controller", "Full screen"]) {
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), name);
    }
    assert.deepEqual([await violations(page), await tooSmall(page)], [[], []]);
    await screenshot(page, "toolbar-more");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-expanded")), "false", "the focus is back on the button");
    await page.keyboard.press("Enter");
    await page.locator("[data-command=stats]").click();
    await page.locator(".stats:not(.hidden)").waitFor();
    assert.equal(await page.locator(".more-open").count(), 0, "the menu closes by itself");
    assert.deepEqual((await numbers(page)).owned, [], "Enter on a button is not Start");
});

test("Enter starts the match also in the very moment in which the help is closed", async (t) => {
    const page = await open(t, (await startMock(t)).url);
    await live(page);
    await page.keyboard.press("h");
    await page.locator(".help[open]").waitFor();
    const phase = await page.evaluate(() => {
        document.querySelector(".help").close();
        // The browser takes the focus from the closed dialog's button only with the next frame.
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { code: "Enter", key: "Enter", bubbles: true }));
        return window.halyard.numbers().phase;
    });
    assert.equal(phase, "countdown");
});

test("the first visit: four pictures; who begins to drive has seen them, and they do not come back", async (t) => {
    const page = await open(t, (await startMock(t)).url, { isFirstVisit: true });
    await page.locator(".card[open]").waitFor();
    assert.equal(await page.locator(".card .steps li").count(), 4);
    await screenshot(page, "page-welcome");
    assert.deepEqual(await tooSmall(page), []);
    await hold(page, "w", "it drives", (n) => n.drive[0]?.[0] > 10);
    await page.locator(".card:not([open])").waitFor({ state: "attached" });
    await page.keyboard.up("w");
    await page.reload();
    await live(page);
    assert.equal(await page.locator(".card[open]").count(), 0);
});

test("Spanish by the browser's language, and by choice", async (t) => {
    const { url } = await startMock(t);
    const page = await open(t, url, { options: { locale: "es-MX" } });
    await live(page);
    await page.locator(".prompt", { hasText: "Pulsa W para conducir" }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "es");
    await page.keyboard.press("h");
    await page.locator(".settings select").first().selectOption("en");
    await page.locator(".prompt", { hasText: "Press W to drive" }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
});

test("a language from right to left turns the page round", async (t) => {
    const page = await open(t, (await startMock(t)).url);
    await live(page);
    const side = () => page.evaluate(() => document.querySelector(".toolbar").getBoundingClientRect().left > innerWidth / 2);
    assert.equal(await side(), true);
    await page.evaluate(() => (document.documentElement.dir = "rtl"));
    assert.equal(await side(), false);
});

test("colours are kept: light by choice, also after a reload", async (t) => {
    const page = await open(t, (await startMock(t)).url, { drawn: true });
    await live(page);
    await page.keyboard.press("h");
    await page.locator(".settings select").nth(1).selectOption("light");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    await page.keyboard.press("Escape");
    await screenshot(page, "page-light");
    await page.reload();
    await live(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
});

test("who asked for less motion sees none; who asked for contrast sees solid panels", async (t) => {
    const page = await open(t, (await startMock(t, { timer: 8 })).url, { options: { reducedMotion: "reduce", contrast: "more" } });
    await live(page);
    await page.keyboard.press("Enter");
    await page.locator(".timer.last").waitFor();
    const animation = await page.evaluate(() => getComputedStyle(document.querySelector(".timer")).animationName);
    assert.equal(animation, "none");
    const background = await page.evaluate(() => getComputedStyle(document.querySelector(".panel")).backgroundColor);
    assert.equal(background, "rgb(0, 0, 0)");
});

test("everything is reached by keyboard: seats, tools, help", async (t) => {
    const page = await open(t, (await startMock(t)).url);
    await live(page);
    const reached = new Set();
    for (let i = 0; i < 40; i++) {
        await page.keyboard.press("Tab");
        reached.add(await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.title ?? document.activeElement.tagName));
    }
    for (const name of ["Follow 3260", "Drive player 1", "Drive player 6", "Sound", "Help", "More tools"]) {
        assert.ok(reached.has(name), `${name} among ${[...reached].join(", ")}`);
    }
    await page.getByRole("button", { name: "Drive player 2" }).focus();
    await page.keyboard.press("Enter");
    await until(page, "player 2 is driven", (n) => n.owned.includes(2));
    assert.equal((await numbers(page)).phase, "ready", "Enter on a button does not start the match");
});

test("sound: none before a key, each effect once, none while muted", async (t) => {
    const page = await open(t, (await startMock(t, { timer: 12 })).url);
    await live(page);
    assert.deepEqual((await numbers(page)).played, []);
    await page.keyboard.press("Enter");
    await until(page, "the match runs", (n) => n.match.runs);
    await until(page, "the last ten seconds", (n) => n.played.includes("ten"));
    assert.deepEqual((await numbers(page)).played.filter((name) => name !== "impact"), ["tick", "tick", "tick", "start", "ten"]);
    await page.keyboard.press("m");
    assert.equal(await page.locator(".tool[data-command=sound][aria-pressed=false]").count(), 1);
    await until(page, "the end", (n) => n.phase === "over");
    assert.ok(!(await numbers(page)).played.includes("over"));
});
