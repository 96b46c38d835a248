// Where things are on seven screens: the field is large, its goals and tags are free, and everything can be read and pressed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { live, open, numbers, screenshot, tooSmall } from "./browser.mjs";
import { fileURLToPath } from "node:url";
import { startExample, startHalyard, startMock } from "./programs.mjs";

const SIZES = [[390, 844], [844, 390], [820, 1180], [1180, 820], [1024, 600], [1440, 900], [1920, 1080]];
const LEAST_SHARE = 0.65;
const FULL_WIDTH = 0.9;
const RECORDING = fileURLToPath(new URL("../replay/match-two.wpilog", import.meta.url));

/** Boxes of the panels, sticks and keys that are shown. */
function panels(page) {
    return page.evaluate(() => [...document.querySelectorAll(".panel, .row, .key, .stick")]
        .filter((element) => element.checkVisibility())
        .map((element) => {
            const { left, top, right, bottom } = element.getBoundingClientRect();
            return { name: element.className, left, top, right, bottom };
        }));
}

/**
 * A still picture once the panels are where they stay: rows and scores come with the first states, and the camera makes room for
 * them while it draws. Taken again if a panel moved meanwhile.
 */
async function stillPicture(page) {
    const SAME_READINGS = 5;
    let before = "", same = 0;
    for (let reading = 0; reading < 200 && same < SAME_READINGS; reading++) {
        const now = JSON.stringify(await panels(page));
        same = now === before ? same + 1 : 0;
        before = now;
        if (same === SAME_READINGS) {
            await page.evaluate(() => window.halyard.setStill(true, false));
            same = JSON.stringify(await panels(page)) === before ? SAME_READINGS : 0;
        } else {
            await page.waitForTimeout(100);
        }
        if (same === 0) {
            await page.evaluate(() => window.halyard.setStill(false, false));
        }
    }
    assert.equal(same, SAME_READINGS, "the panels do not come to rest");
}

const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

test("a match on seven screens", async (t) => {
    const { url } = await startMock(t);
    for (const [width, height] of SIZES) {
        const size = `${width}x${height}`;
        const page = await open(t, url, { drawn: true, viewport: { width, height }, screen: Math.min(width, height) <= 820 && width <= 1180 && size !== "1024x600" ? "phone" : "desktop" });
        await live(page);
        await stillPicture(page);
        const { floor, goals, tags, free } = await page.evaluate(() => window.halyard.layout());
        const share = (floor.bottom - floor.top) / (free.bottom - free.top);
        t.diagnostic(`${size}: the field fills ${(share * 100).toFixed(0)} % of ${(free.bottom - free.top).toFixed(0)} px`);
        await screenshot(page, `layout-${size}`);
        assert.ok(share >= LEAST_SHARE, `${size}: the field fills ${share.toFixed(2)} of the free height`);
        for (const panel of await panels(page)) {
            goals.forEach((goal) => assert.ok(!overlap(goal, panel), `${size}: ${panel.name} lies over a goal`));
        }
        const { sticks, prompt } = await page.evaluate(() => {
            const box = (element) => element.getBoundingClientRect().toJSON();
            return { sticks: [...document.querySelectorAll(".stick, .key")].filter((e) => e.checkVisibility()).map(box), prompt: box(document.querySelector(".prompt")) };
        });
        sticks.forEach((stick) => assert.ok(!overlap(stick, prompt), `${size}: the prompt lies over the controller`));
        tags.forEach((a, i) => tags.slice(i + 1).forEach((b) => assert.ok(!overlap(a, b), `${size}: two tags cover each other ${JSON.stringify([a, b])}`)));
        assert.deepEqual(await tooSmall(page), [], size);
        await page.context().close();
    }
});

// Wide ones end at the sides before they are so high.
for (const [name, words] of [["board", ["board", "xrp", "--listen=127.0.0.1:0"]], ["replay", ["replay", RECORDING]]]) {
    test(`the world of a ${name} fills the screen`, async (t) => {
        const { url } = await startHalyard(t, [...words, "--view=127.0.0.1:0"]);
        for (const [width, height] of [[390, 844], [844, 390], [1440, 900]]) {
            const page = await open(t, url, { drawn: true, viewport: { width, height }, screen: width < 900 ? "phone" : "desktop" });
            await live(page);
            await stillPicture(page);
            const { floor, goals, free } = await page.evaluate(() => window.halyard.layout());
            const high = (floor.bottom - floor.top) / (free.bottom - free.top), wide = (floor.right - floor.left) / (free.right - free.left);
            t.diagnostic(`${width}x${height}: it fills ${(high * 100).toFixed(0)} % of the free height, ${(wide * 100).toFixed(0)} % of the width`);
            assert.ok(high >= LEAST_SHARE || wide >= FULL_WIDTH, `${width}x${height}: ${high.toFixed(2)} of the height, ${wide.toFixed(2)} of the width`);
            assert.deepEqual(await tooSmall(page), [], `${width}x${height}`);
            const shown = await panels(page);
            for (const panel of shown) {
                goals.forEach((goal) => assert.ok(!overlap(goal, panel), `${width}x${height}: ${panel.name} lies over a goal`));
                assert.ok(panel.bottom <= height + 1, `${width}x${height}: ${panel.name} ends at ${panel.bottom}`);
            }
            shown.forEach((a, i) => shown.slice(i + 1).forEach((b) => assert.ok(!overlap(a, b), `${width}x${height}: ${a.name} and ${b.name} cover each other`)));
            await page.context().close();
        }
    });
}

test("a robot on the bench: its numbers stay inside their panel", async (t) => {
    for (const scene of ["xrp", "swerve"]) {
        const page = await open(t, (await startMock(t, { scene })).url);
        await live(page);
        await page.locator(".line", { hasText: "Encoders" }).waitFor();
        assert.deepEqual(await tooSmall(page), [], scene);
    }
});

test("help and menu on a phone", async (t) => {
    const page = await open(t, (await startMock(t)).url, { screen: "phone" });
    await live(page);
    await page.locator(".menu").tap();
    await page.locator(".toolbar.menu-open").waitFor();
    assert.deepEqual(await tooSmall(page), []);
    await page.locator(".tool[data-command=help]").tap();
    await page.locator(".help[open]").waitFor();
    assert.equal(await page.locator(".toolbar.menu-open").count(), 0, "the menu closes by itself");
    assert.deepEqual(await tooSmall(page), []);
    assert.deepEqual((await numbers(page)).owned, []);
});

/** Names of robots that are cut off, or that lie under their button. */
function cutNames(page) {
    return page.evaluate(() => [...document.querySelectorAll(".row:not(.hidden)")].filter((row) => {
        const name = row.querySelector(".name"), button = row.querySelector(".drive");
        const isOff = row.classList.contains("off") && !name.checkVisibility(); // its brownout stands there
        const shown = (isOff ? row.querySelector(".battery") : name);
        const range = document.createRange();
        range.selectNodeContents(shown);
        const text = range.getBoundingClientRect(), own = shown.getBoundingClientRect();
        const first = [...row.querySelectorAll(".below > :not(:empty)")].find((part) => part.checkVisibility());
        const dot = first === undefined ? null : getComputedStyle(first, "::before");
        if (dot !== null && dot.content !== "none" && dot.display !== "none") {
            return true; // a dot between nothing and something
        }
        return text.width === 0 || text.right > own.right + 1 || (button.checkVisibility() && text.right > button.getBoundingClientRect().left);
    }).map((row) => row.textContent));
}

test("a program with numbers to tune on a phone: upright its panels leave the world free, lying they scroll", async (t) => {
    const { url } = await startExample(t, "line_follow", ["--sim", "xrp-line", "--duration", "600", "--view=127.0.0.1:0"]);
    const page = await open(t, url, { drawn: true, screen: "phone" });
    await live(page);
    await page.locator(".tuning").waitFor();
    await stillPicture(page);
    const { floor } = await page.evaluate(() => window.halyard.layout());
    const { top } = await page.evaluate(() => document.querySelector(".side").getBoundingClientRect().toJSON());
    assert.ok(floor.bottom <= top + 2, `the floor ends at ${floor.bottom}, the panels begin at ${top}`);
    await page.setViewportSize({ width: 844, height: 390 });
    await page.evaluate(() => document.querySelector(".tuning").setAttribute("open", ""));
    await page.locator(".tuning .slider").scrollIntoViewIfNeeded();
    const { bottom } = await page.locator(".tuning .slider").evaluate((slider) => slider.getBoundingClientRect().toJSON());
    assert.ok(bottom <= 390, `the slider ends at ${bottom}`);
});

test("six players beside the score: no team's number is cut, in any language, on any screen", async (t) => {
    const { url } = await startMock(t);
    for (const locale of ["en-US", "es-ES"]) {
        const page = await open(t, url, { options: { locale } });
        await live(page);
        await page.keyboard.press("w");
        await page.locator(".row.mine .latency", { hasText: "ms" }).waitFor({ state: "attached" });
        for (const [width, height] of [...SIZES, [700, 900], [768, 1024], [1000, 700], [1280, 720]]) {
            await page.setViewportSize({ width, height });
            await page.waitForTimeout(150); // the rows are written anew ten times a second
            assert.deepEqual(await cutNames(page), [], `${locale} ${width}x${height}`);
        }
        await page.context().close();
    }
});
