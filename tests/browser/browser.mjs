// Chromium over a page, and what tests ask of it. Every error that the page logs fails the test that opened it.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after } from "node:test";

const require = createRequire(join(process.env.HALYARD_PAGE_MODULES, "here.js"));
const { chromium } = require("playwright-core");
const AXE = require.resolve("axe-core");

export const ARTIFACTS = process.env.HALYARD_ARTIFACTS;
mkdirSync(ARTIFACTS, { recursive: true });

// The machine may be busy and draws with its processor: tests wait for events, and this long for each.
export const PATIENCE_MS = 60000;

const DESKTOP = { viewport: { width: 1280, height: 720 }, colorScheme: "dark" };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "dark" };

// The first starts in half the time of the others: it has no windows.
const BROWSERS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

let shared = null;

/** Chromium, the same for all tests of a file. */
async function browser() {
    const executablePath = BROWSERS.find(existsSync);
    assert.ok(executablePath, "no Chromium on this machine: run 'make setup-ci'");
    shared ??= await chromium.launch({
        executablePath,
        args: [
            "--no-sandbox", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
        ],
    });
    return shared;
}

after(() => shared?.close());

// Most tests need what the page says and sends, not its picture. Where one is looked at, one a second is enough.
const UNSEEN = "?quality=none";
const DRAWN = "?quality=low&frames=1";

const SCREENS = { desktop: DESKTOP, phone: PHONE };

/**
 * A page in a profile of its own, which ends with the test `t`. `before` runs in it before its scripts do; `query` says
 * how it draws, `options` what else Chromium should be: its language, its colours. Unless it is the `isFirstVisit`, the first-run card was seen.
 * A page that `hasOwnClock` has a time that its test can stop and move: page.clock.
 */
export async function open(
    t, url, { screen = "desktop", viewport = SCREENS[screen].viewport, before = null, isFirstVisit = false, hasOwnClock = false, options = {}, drawn = false, query = drawn ? DRAWN : UNSEEN } = {},
) {
    const context = await (await browser()).newContext({ ...SCREENS[screen], viewport, ...options });
    if (!isFirstVisit) {
        await context.addInitScript(() => localStorage.setItem("halyard", localStorage.getItem("halyard") ?? JSON.stringify({ welcomed: true })));
    }
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    page.problems = [];
    page.on("pageerror", (error) => page.problems.push(String(error)));
    page.on("console", (message) => {
        // A server that is gone on purpose is logged by the browser itself.
        if (message.type() === "error" && !/WebSocket|ERR_CONNECTION|Failed to load resource/.test(message.text())) {
            page.problems.push(message.text());
        }
    });
    if (hasOwnClock) {
        await page.clock.install();
    }
    if (before !== null) {
        await page.addInitScript(before);
    }
    t.after(async () => {
        const { problems } = page;
        await context.close();
        assert.deepEqual(problems, [], "the page logged errors");
    });
    await page.goto(withQuery(url, query));
    if (query !== UNSEEN) {
        await until(page, "it draws", (n) => n.frames > 0);
    }
    return page;
}

export function withQuery(url, query = UNSEEN) {
    return url.replace(/\/(?=#|$)/, `/${query}`);
}

export function numbers(page) {
    return page.evaluate(() => window.halyard.numbers());
}

/** Waits until `see(numbers)` is true and returns it; `what` says what was waited for. */
export async function until(page, what, see) {
    const end = Date.now() + PATIENCE_MS;
    let last = null;
    while (Date.now() < end) {
        last = await numbers(page);
        const seen = see(last);
        if (seen) {
            return seen;
        }
        await page.waitForTimeout(50);
    }
    assert.fail(`waited ${PATIENCE_MS / 1000} s until ${what}; the page has ${JSON.stringify(last)}`);
}

/** Holds a key until `see` is true; presses it anew now and then, as a person would whose connection was lost. */
export async function hold(page, key, what, see) {
    const end = Date.now() + PATIENCE_MS;
    while (Date.now() < end) {
        await page.keyboard.down(key);
        for (let turn = 0; turn < 60; turn++) {
            if (see(await numbers(page))) {
                return;
            }
            await page.waitForTimeout(50);
        }
        await page.keyboard.up(key);
    }
    assert.fail(`held ${key} for ${PATIENCE_MS / 1000} s, but not until ${what}; the page has ${JSON.stringify(await numbers(page))}`);
}

/**
 * Drawing that does nothing. Where a processor draws, its time is counted as the script's that calls it, and a frame a second leaves the
 * script uncompiled: without it what is left of a frame is the script and the calls themselves.
 */
export function drawNothing() {
    for (const name of ["clear", "drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced", "drawRangeElements", "blitFramebuffer", "generateMipmap"]) {
        WebGL2RenderingContext.prototype[name] = () => {};
    }
}

/**
 * Gamepads that `window.plug(index, y, more)` plugs in with the left stick at y, and moves later; `more` is what else the browser says of
 * them. `vanish` takes one away without an event, `unplug` with one. `window.rumbles` has the effects that their motors were asked for,
 * `window.driven` every message with which the page told a robot to move.
 */
export function fakePads() {
    window.pads = [null, null, null, null];
    window.rumbles = [];
    window.driven = [];
    window.looks = 0; // how often the page has looked at them
    navigator.getGamepads = () => {
        window.looks++;
        return window.pads;
    };
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (text) {
        if (/^sticks .*"(left|right)Joystick":\[(?!0,0\])|^sticks .*Trigger":(?!0\b)/.test(text)) window.driven.push(text);
        send.call(this, text);
    };
    window.plug = (index, y, more = {}) => {
        const buttons = Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 }));
        const isNew = window.pads[index] === null;
        window.pads[index] = { index, id: `pad ${index}`, connected: true, mapping: "standard", axes: [0, y, 0, 0], buttons, ...more };
        window.pads[index].vibrationActuator = {
            playEffect: async (type, effect) => { window.rumbles.push({ type, index, ...effect }); },
        };
        const event = new Event("gamepadconnected");
        event.gamepad = window.pads[index];
        if (isNew) window.dispatchEvent(event);
    };
    window.vanish = (index) => { window.pads[index] = null; };
    window.unplug = (index) => {
        const event = new Event("gamepaddisconnected");
        event.gamepad = window.pads[index];
        window.pads[index] = null;
        window.dispatchEvent(event);
    };
}

/** Waits until the page has seen the gamepads as they are now. */
export async function padsSeen(page) {
    const looks = await page.evaluate(() => window.looks);
    await page.waitForFunction((before) => window.looks > before + 1, looks);
}

/** Plugs in a gamepad that nobody touches, and waits until the page shows it. */
export async function plugAtRest(page, index) {
    await page.evaluate((at) => window.plug(at, 0), index);
    await page.locator(".seat", { hasText: `Gamepad ${index + 1}` }).waitFor();
}

/** Waits until the page shows robots. */
export async function live(page) {
    await until(page, "robots are there", (n) => n.robots.length > 0);
    await page.waitForFunction(() => !document.body.classList.contains("offline"));
}

/**
 * A picture with all care, which the processor needs a second for: so it draws one, and nothing meanwhile. Returns the
 * page's numbers at that time.
 */
export async function picture(page, name) {
    await page.evaluate(() => window.halyard.setStill(true));
    await screenshot(page, name);
    const then = await numbers(page);
    await page.evaluate(() => window.halyard.setStill(false));
    return then;
}

/** The page as it is. */
export function screenshot(page, name) {
    return page.screenshot({ path: join(ARTIFACTS, `${name}.png`), timeout: PATIENCE_MS });
}

/** Fingers, each { x, y }; an empty list lifts them. Touches that began go on. */
export async function touch(page, kind, fingers) {
    page.touches ??= await page.context().newCDPSession(page);
    await page.touches.send("Input.dispatchTouchEvent", {
        type: kind, touchPoints: fingers.map(({ x, y }, id) => ({ x, y, id })),
    });
}

export async function middleOf(page, selector) {
    const box = await page.locator(selector).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, size: box.width };
}

/** The text of a page that is smaller than 12 px, what can be pressed and is smaller than 44 px, and panels that stick out. */
export function tooSmall(page) {
    return page.evaluate(() => {
        const isShown = (element) => element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) && !element.closest(".unseen");
        const found = [];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
            const element = node.parentElement;
            if (node.textContent.trim() !== "" && !element.closest("script, noscript") && isShown(element) && parseFloat(getComputedStyle(element).fontSize) < 12) {
                found.push(`text: ${node.textContent.trim()}`);
            }
        }
        for (const element of document.querySelectorAll("button, select, input, .key, .stick")) {
            const { width, height } = element.getBoundingClientRect();
            if (isShown(element) && (width < 43.5 || height < 43.5)) {
                found.push(`target: ${element.className || element.id} ${width.toFixed(0)} x ${height.toFixed(0)}`);
            }
        }
        for (const element of document.querySelectorAll(".panel")) {
            if (isShown(element) && element.scrollWidth > element.clientWidth + 1) {
                found.push(`sticks out: ${element.className} ${element.scrollWidth - element.clientWidth} px`);
            }
        }
        return found;
    });
}

/** What axe-core finds wrong with the page as it is: rule and elements. */
export async function violations(page) {
    const source = readFileSync(AXE, "utf8");
    // The page's own policy allows no foreign script: the test's comes in by the debugger.
    await page.evaluate(source);
    const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    return found.violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => `${node.html} ${node.failureSummary}`).join(" | ")}`);
}
