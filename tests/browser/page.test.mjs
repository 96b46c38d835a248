// The page by itself, over a stand-in for the server: what hands do, what is never left held, how it comes back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fakePads, hold, live, middleOf, numbers, open, padsSeen, PATIENCE_MS, picture, plugAtRest, screenshot, touch, until, violations, withQuery } from "./browser.mjs";
import { startMock } from "./programs.mjs";

const FULL_RAD_S = 87.2;
const isStill = (n, robot = 0) => n.drive[robot].every((speed) => speed === 0);
const isFast = (n, robot = 0) => n.drive[robot].every((speed) => speed > FULL_RAD_S * 0.9);

test("a match: six robots, players, numbers within their limits", async (t) => {
    const page = await open(t, (await startMock(t)).url, { drawn: true });
    await live(page);
    assert.equal(await page.locator(".row").count(), 6);
    assert.equal(await page.locator(".timer").textContent(), "2:15");
    assert.match(await page.locator(".row").nth(5).textContent(), /free/);
    await page.keyboard.press("t");
    await page.locator(".stats .line", { hasText: "sim step" }).filter({ hasText: "21 µs" }).waitFor();
    await page.keyboard.press("t");
    const n = await picture(page, "page-match");
    assert.ok(n.calls > 20 && n.calls <= 150, `${n.calls} draw calls with shadows`);
    assert.equal(n.dropped, 0);
    t.diagnostic(`${n.calls} draw calls`);
});

test("keys drive while they are held; without the focus nothing stays held", async (t) => {
    const page = await open(t, (await startMock(t)).url);
    await live(page);
    const { robots } = await numbers(page);
    await page.keyboard.down("w");
    await until(page, "the robot drives", (n) => n.owned.length === 1 && isFast(n));
    await until(page, "it gets somewhere", (n) => Math.abs(n.robots[0][1] - robots[0][1]) > 0.3);
    await page.keyboard.up("w");
    await until(page, "it stands", (n) => isStill(n));
    await page.locator(".row", { hasText: "you drive" }).waitFor();
    await until(page, "the latency was measured", (n) => n.stickMs !== null);
    for (const what of ["blur", "pagehide"]) {
        await page.keyboard.down("s");
        await until(page, "the robot drives", (n) => n.drive[0][0] < -80);
        await page.evaluate((name) => window.dispatchEvent(new Event(name)), what);
        await until(page, "the robot stands although the key is down", (n) => isStill(n));
        await page.evaluate(() => window.dispatchEvent(new Event("focus")));
        await page.waitForTimeout(200);
        assert.ok(isStill(await numbers(page)), "coming back does not press the key again");
        await page.keyboard.up("s");
    }
});

test("a lost connection: nothing stays held, it comes back by itself and drives on", async (t) => {
    const first = await startMock(t);
    const page = await open(t, first.url);
    await live(page);
    await page.keyboard.down("w");
    await until(page, "the robot drives", (n) => isFast(n));
    await first.stop();
    await page.locator(".banner:not(.hidden)", { hasText: "Trying again" }).waitFor();
    await screenshot(page, "page-lost");
    await startMock(t, { port: first.port });
    await page.waitForFunction(() => !document.body.classList.contains("offline"));
    await page.waitForTimeout(200);
    assert.ok(isStill(await numbers(page)), "a key that was held before does not count");
    await page.keyboard.up("w");
    await hold(page, "w", "it drives again", (n) => isFast(n));
});

test("a new token after a restart: watching is said, and the new address works without a reload", async (t) => {
    const first = await startMock(t);
    const page = await open(t, first.url);
    await live(page);
    await first.stop();
    const second = await startMock(t, { port: first.port, token: "other" });
    await page.locator(".toast", { hasText: "open the whole address" }).waitFor();
    assert.ok(await page.locator("body.watching").count() === 1);
    await page.goto(withQuery(second.url)); // only what is behind the # is new
    await page.locator("body:not(.watching)").waitFor();
    await page.keyboard.down("w");
    await until(page, "it drives", (n) => isFast(n));
});

test("a robot's battery is beside its driver, and a brownout is named", async (t) => {
    for (const screen of ["desktop", "phone"]) {
        const page = await open(t, (await startMock(t)).url, { screen, drawn: true });
        await live(page);
        const batteries = page.locator(".row .battery");
        await page.waitForFunction(() => [...document.querySelectorAll(".row .battery")].filter((one) => one.textContent !== "").length === 2);
        assert.deepEqual((await batteries.allTextContents()).toSorted(), ["", "", "", "", "12.1 V", "brownout"]);
        assert.equal(await page.locator(".row.off .battery:visible").count(), 1);
        assert.equal(await page.locator(".row:not(.off) .battery:visible").count(), screen === "phone" ? 0 : 1);
        await screenshot(page, `battery-${screen}`);
    }
});

test("the sticks on the screen: mouse", async (t) => {
    const page = await open(t, (await startMock(t)).url);
    await live(page);
    await page.keyboard.press("o");
    const stick = await middleOf(page, ".stick.left");
    await page.mouse.move(stick.x, stick.y);
    await page.mouse.down();
    await page.mouse.move(stick.x, stick.y - stick.size, { steps: 5 });
    await until(page, "it drives ahead", (n) => isFast(n));
    await page.mouse.up();
    await until(page, "it stands", (n) => isStill(n));
});

test("the sticks on a phone: two fingers at once, each let go by itself", async (t) => {
    const page = await open(t, (await startMock(t)).url, { screen: "phone" });
    await live(page);
    const left = await middleOf(page, ".stick.left");
    const right = await middleOf(page, ".stick.right");
    const up = { x: left.x, y: left.y - left.size * 0.4 };
    const aside = { x: right.x + right.size * 0.4, y: right.y };
    await touch(page, "touchStart", [left]);
    await touch(page, "touchMove", [up]);
    await until(page, "it drives", (n) => isFast(n));
    await touch(page, "touchStart", [up, right]);
    await touch(page, "touchMove", [up, aside]);
    await until(page, "it steers to the right", (n) => n.drive[0][0] > FULL_RAD_S * 0.9 && n.drive[0][1] < FULL_RAD_S * 0.6);
    await touch(page, "touchEnd", []);
    await until(page, "it stands", (n) => isStill(n));
});

test("two gamepads drive two players; one that is unplugged lets go", async (t) => {
    const page = await open(t, (await startMock(t)).url, {
        before: fakePads,
    });
    await live(page);
    await plugAtRest(page, 0);
    await plugAtRest(page, 1);
    await page.evaluate(() => {
        window.plug(0, -1);
        window.plug(1, 1);
    });
    await until(page, "one drives ahead, the other back", (n) => n.owned.length === 2 && isFast(n, 0) && n.drive[1][0] < -80);
    assert.equal(await page.locator(".seat").count(), 2);
    await page.evaluate(() => window.unplug(0));
    await until(page, "the first stands, the second drives on", (n) => isStill(n, 0) && n.drive[1][0] < -80);
});

test("two pages: who comes second is told, and does not drive", async (t) => {
    const mock = await startMock(t, { players: 1 });
    const first = await open(t, mock.url);
    await live(first);
    await first.locator(".drive").first().click();
    await until(first, "it is owned", (n) => n.owned.length === 1);
    const second = await open(t, mock.url);
    await live(second);
    await second.locator(".row", { hasText: "someone drives" }).waitFor();
    await second.keyboard.down("w");
    await second.waitForTimeout(300);
    const n = await numbers(second);
    assert.deepEqual([n.owned, isStill(n)], [[], true]);
    await first.locator(".drive").first().click();
    await second.keyboard.up("w");
    await second.locator(".row", { hasText: "free" }).waitFor();
    await second.keyboard.down("w");
    await until(second, "now it drives", (m) => isFast(m));
});

/** `window.digits` has every digit of a count-down that was shown, however short. */
function noteDigits() {
    window.digits = [];
    new MutationObserver(() => {
        window.digits.push(...[...document.querySelectorAll(".digit")].map((digit) => digit.textContent));
    }).observe(document, { childList: true, subtree: true, characterData: true });
}

test("timer, help, cameras, reset by keys", async (t) => {
    const page = await open(t, (await startMock(t, { timer: 4 })).url, { drawn: true, before: noteDigits });
    await live(page);
    await page.keyboard.press("h");
    await page.locator(".help[open]").waitFor();
    await screenshot(page, "page-help");
    await page.keyboard.press("h");
    for (const [key, view] of [["1", "top"], ["2", "orbit"], ["3", "chase"], ["4", "first"], ["6", "home"]]) {
        await page.keyboard.press(key);
        await page.locator(`.tool.on[data-command=${view}]`).waitFor();
    }
    await page.keyboard.press("Enter", { delay: 100 });
    await page.waitForFunction(() => window.digits.includes("2"));
    await until(page, "the timer runs", (n) => n.match.runs);
    await page.locator(".timer.last").waitFor();
    await page.locator(".timer.over").waitFor();
    assert.equal(await page.locator(".timer").textContent(), "0:00");
    await page.locator(".result h2", { hasText: "It is a tie" }).waitFor();
    await screenshot(page, "page-result");
    await page.keyboard.press("w");
    await page.locator(".toast", { hasText: "The match is over" }).waitFor();
    await page.keyboard.press("r");
    await until(page, "the match was reset", (n) => n.match.timer === 4);
    await page.locator(".result.hidden").waitFor({ state: "attached" });
});

test("before the first state: the page says what it waits for, and shows no robot", async (t) => {
    const page = await open(t, (await startMock(t, { states: "no" })).url, { drawn: true });
    await page.locator(".status", { hasText: "Waiting for the simulator" }).waitFor();
    assert.equal(await page.locator(".row:visible").count(), 0);
    assert.equal((await numbers(page)).robotsShown, false);
});

test("a gamepad stick that is held through a change of windows drives only once it was at rest", async (t) => {
    const page = await open(t, (await startMock(t)).url, { before: fakePads });
    await live(page);
    await plugAtRest(page, 0);
    await page.evaluate(() => window.plug(0, -1));
    await until(page, "it drives", (n) => isFast(n));
    for (const name of ["blur", "focus"]) {
        await page.evaluate((event) => window.dispatchEvent(new Event(event)), name);
    }
    await until(page, "it stands", (n) => isStill(n));
    const { messages } = await numbers(page);
    await until(page, "many states later", (n) => n.messages > messages + 30);
    assert.ok(isStill(await numbers(page)), "the stick is still held, and nobody has let go of it");
    await page.evaluate(() => window.plug(0, 0));
    await padsSeen(page);
    await page.evaluate(() => window.plug(0, -1));
    await until(page, "it drives again", (n) => isFast(n));
});

test("Space lets go of all that is held in a match: keys and a gamepad count once they are pressed anew", async (t) => {
    const page = await open(t, (await startMock(t)).url, { before: fakePads });
    await live(page);
    await plugAtRest(page, 0);
    for (const [press, letGo] of [[() => page.keyboard.down("w"), () => page.keyboard.up("w")], [() => page.evaluate(() => window.plug(0, -1)), () => page.evaluate(() => window.plug(0, 0))]]) {
        await press();
        await until(page, "it drives", (n) => isFast(n));
        await page.keyboard.press("Space");
        await page.locator(".toast", { hasText: "All sticks are released" }).waitFor();
        await until(page, "it stands", (n) => isStill(n));
        await press(); // once more: the keyboard repeats what is held
        const { messages } = await numbers(page);
        await until(page, "many states later", (n) => n.messages > messages + 30);
        assert.ok(isStill(await numbers(page)), "what is held drives on");
        await page.keyboard.up("w");
        await letGo();
        await padsSeen(page);
    }
});

test("gamepads that the browser has no layout for drive nothing, and the page says what they are", async (t) => {
    for (const screen of ["desktop", "phone"]) {
        const page = await open(t, (await startMock(t)).url, { before: fakePads, screen });
        await live(page);
        await page.evaluate(() => {
            const firefox = { mapping: "", id: "045e-028e-Microsoft X-Box 360 pad <b>\u202e" };
            const flightStick = { mapping: "", id: `044f-b10a-Thrustmaster ${"T".repeat(300)}` };
            window.plug(0, 0, { ...firefox, axes: [0, 0, -1, 0, 0, -1, 0, 0] });
            window.plug(2, 0, { ...flightStick, axes: [0.02, 0, 0, 1, 0, 0], buttons: [] });
        });
        await page.locator(".other", { hasText: "Gamepad 1, “045e-028e-Microsoft X-Box 360 pad <b>”, does not drive" }).waitFor();
        await page.locator(".other", { hasText: /Gamepad 3, “044f-b10a-Thrustmaster T{25}…”, does not drive/ }).waitFor();
        assert.equal(await page.locator(".other b, .pads select").count(), 0);
        await page.evaluate(() => {
            window.plug(0, 0, { mapping: "", id: window.pads[0].id, axes: [1, -1, 1, -1, 1, 1, 0, 0] });
            window.plug(2, 0, { mapping: "", id: window.pads[2].id, axes: [0, -1, 0, -1, 0, 0] });
        });
        const { messages } = await numbers(page);
        await until(page, "many states later", (n) => n.messages > messages + 30);
        assert.deepEqual(await page.evaluate(() => window.driven), []);
        assert.deepEqual((await numbers(page)).owned, []);
        await screenshot(page, `page-other-pads-${screen}`);
        assert.deepEqual(await violations(page), []);
        await plugAtRest(page, 1);
        await page.evaluate(() => window.plug(1, -1));
        await until(page, "one with a layout drives beside them", (n) => isFast(n));
        await page.evaluate(() => [0, 2].forEach((pad) => window.unplug(pad)));
        await page.locator(".other").first().waitFor({ state: "detached" });
    }
});

test("an axis of a gamepad drives only once it was at rest: plugged in, plugged in again, shown again; one that vanishes lets go", async (t) => {
    const page = await open(t, (await startMock(t)).url, { before: fakePads });
    await live(page);
    const sentNothing = async (what) => {
        const { messages } = await numbers(page);
        await until(page, "many states later", (n) => n.messages > messages + 30);
        assert.deepEqual(await page.evaluate(() => window.driven), [], what);
    };
    const plug = (...args) => page.evaluate((all) => window.plug(...all), args);
    const forget = () => page.evaluate(() => { window.driven = []; });
    await plug(1, -1, { axes: [0, -1, 0.7, null] }); // null: what is no number
    await page.locator(".seat", { hasText: "Gamepad 2" }).waitFor();
    await sentNothing("plugged in");
    await plug(1, 0);
    await padsSeen(page);
    await plug(1, -1);
    await until(page, "it drives", (n) => isFast(n));
    await page.evaluate(() => window.vanish(1));
    await until(page, "it stands", (n) => isStill(n));
    await page.locator(".seat").waitFor({ state: "detached" });
    await forget();
    await plug(1, -1, { connected: true });
    await page.locator(".seat", { hasText: "Gamepad 2" }).waitFor();
    await sentNothing("plugged in again");
    await plug(1, 0);
    await padsSeen(page);
    await plug(1, -1);
    await until(page, "it drives again", (n) => isFast(n));
    await plug(1, -1, { id: "another" });
    await until(page, "another one in its place does not", (n) => isStill(n));
    await forget();
    await plug(1, 0, { id: "another" });
    await padsSeen(page);
    await page.evaluate(() => window.dispatchEvent(new Event("blur"))); // it was at rest then, and is held when the page is looked at again
    await sentNothing("not looked at");
    await plug(1, -1, { id: "another" });
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await sentNothing("shown again");
});

test("the first S drives backwards; on a page that may not drive it shows statistics", async (t) => {
    const mock = await startMock(t);
    const page = await open(t, mock.url);
    await live(page);
    await page.keyboard.down("s");
    await until(page, "it drives back", (n) => n.drive[0][0] < -80);
    await page.keyboard.up("s");
    assert.equal(await page.locator(".stats:not(.hidden)").count(), 0);
    const watcher = await open(t, mock.url.replace(/#.*/, "#other"));
    await live(watcher);
    await watcher.keyboard.press("s");
    await watcher.locator(".stats:not(.hidden)").waitFor();
});

test("six pages drive, and W of the seventh says that all seats are taken", async (t) => {
    const mock = await startMock(t);
    // A page that has not heard yet who drives asks for a seat that is taken.
    const openWhenTaken = async (seats) => {
        const page = await open(t, mock.url);
        await live(page);
        await page.waitForFunction((count) => [...document.querySelectorAll(".row .owner")].filter((owner) => owner.textContent === "someone drives").length === count, seats);
        return page;
    };
    for (let player = 1; player <= 6; player++) {
        const page = await openWhenTaken(player - 1);
        await page.keyboard.press("w");
        await until(page, `it drives player ${player}`, (n) => n.owned.join() === String(player));
    }
    const seventh = await openWhenTaken(6);
    await seventh.keyboard.press("w");
    await seventh.locator(".toast", { hasText: "All seats are taken" }).waitFor();
    assert.deepEqual((await numbers(seventh)).owned, []);
});

test("a seat's button says what it does, and a free seat shows no latency", async (t) => {
    const page = await open(t, (await startMock(t)).url, { viewport: { width: 1440, height: 900 } }); // room for it
    await live(page);
    const row = page.locator(".row").first();
    assert.equal(await row.locator(".latency").textContent(), "");
    await page.getByRole("button", { name: "Drive player 1" }).click();
    await row.locator(".latency", { hasText: "ms" }).waitFor();
    await page.getByRole("button", { name: "Release player 1" }).click();
    await page.getByRole("button", { name: "Drive player 1" }).waitFor();
    await page.getByRole("button", { name: "Drive player 6" }).click();
    await page.locator(".row").nth(5).locator(".latency", { hasText: "unknown" }).waitFor();
});

test("following another robot, then W: the page follows the robot that it drives", async (t) => {
    const page = await open(t, (await startMock(t)).url);
    await live(page);
    await page.keyboard.press("w");
    await until(page, "player 1 is driven", (n) => n.owned.includes(1));
    await page.keyboard.press("n");
    await page.locator(".row.followed", { hasText: "1234" }).waitFor();
    await page.keyboard.press("w");
    await page.locator(".row.followed", { hasText: "3260" }).waitFor();
});

test("a graphics card that is taken away is said, and so is none when it is back", async (t) => {
    const page = await open(t, (await startMock(t)).url, { drawn: true });
    await live(page);
    await page.evaluate(() => {
        window.card = document.querySelector("#view").getContext("webgl2").getExtension("WEBGL_lose_context");
        window.card.loseContext();
    });
    await page.locator(".status", { hasText: "graphics card" }).waitFor();
    await page.evaluate(() => window.card.restoreContext());
    await page.locator(".status.hidden").waitFor({ state: "attached" });
    const { frames } = await numbers(page);
    await until(page, "it draws again", (n) => n.frames > frames + 2);
});

test("Enter counts down, Enter again cancels; a paused match is called paused, and a reset while it runs is asked for", async (t) => {
    const page = await open(t, (await startMock(t)).url, { hasOwnClock: true });
    await live(page);
    await page.locator(".prompt", { hasText: "Press W to drive" }).waitFor();
    // The page's time passes only here: neither does the count-down end before its second Enter, nor is the press with
    // which it ends still going on when the next Enter comes.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10000));
    const shows = async (selector, text) => {
        const end = Date.now() + PATIENCE_MS;
        while (await page.locator(selector, { hasText: text }).count() === 0) {
            assert.ok(Date.now() < end, `waited ${PATIENCE_MS / 1000} s for "${text}"`);
            await page.clock.runFor(20);
        }
    };
    await page.keyboard.press("Enter");
    await shows(".phase", "starting");
    await page.keyboard.press("Enter");
    await shows(".phase", "ready");
    await page.clock.runFor(5000);
    assert.equal((await numbers(page)).match.runs, false);
    await page.keyboard.press("Enter");
    await shows(".phase", "running");
    await page.clock.runFor(1000);
    await page.keyboard.press("r");
    await shows(".toast", "Press R again");
    assert.equal((await numbers(page)).match.runs, true);
    await page.keyboard.press("Enter");
    await shows(".phase", "paused");
    await shows(".prompt", "Paused");
    await page.keyboard.press("r");
    await until(page, "it was reset", (n) => n.match.timer === 135);
});
