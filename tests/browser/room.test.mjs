// Several people in one match: who watches, seats that are given and revoked, names, resets, a simulator that is started again.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { hold, live, numbers, open, screenshot, tooSmall, until, violations } from "./browser.mjs";
import { startHalyard, startMatch } from "./programs.mjs";

const require = createRequire(join(process.env.HALYARD_PAGE_MODULES, "here.js"));
const decodeQR = require("qr/decode.js").default;

const TOKEN = "0123456789abcdef0123456789abcdef";
const ELSEWHERE = "192.0.2.7:5800"; // an address for documents (RFC 5737)

/** Runs in the page before its scripts: it is told that other devices reach it there, so that it shows the same on every machine. */
function tellAddresses() {
    const Real = window.WebSocket;
    window.WebSocket = class extends Real {
        set onmessage(take) {
            super.onmessage = ({ data }) => take({ data: data.startsWith('{"type":"hello"') ? data.replace("{", '{"addresses":"192.0.2.7:5800",') : data });
        }
    };
}

/** What the page's QR code says, read off its picture. */
async function readCode(page) {
    await page.locator(".qr path").first().waitFor();
    const { size, path } = await page.evaluate(() => {
        const svg = document.querySelector(".qr");
        return { size: svg.viewBox.baseVal.width, path: svg.querySelector("path").getAttribute("d") };
    });
    const scale = 6;
    const width = size * scale;
    const data = new Uint8Array(width * width * 4).fill(255);
    for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h/g)) {
        for (let i = 0; i < scale * scale; i++) {
            const at = 4 * ((Number(y) * scale + Math.floor(i / scale)) * width + Number(x) * scale + (i % scale));
            data[at] = data[at + 1] = data[at + 2] = 0;
        }
    }
    return decodeQR({ width, height: width, data });
}

async function startClock(page) {
    await page.keyboard.press("Enter");
    await until(page, "the match runs", ({ phase }) => phase === "running");
}

test("codes to watch and for a seat: neither carries the token, and a seat drives its robot only, until it is revoked", async (t) => {
    const { view } = await startMatch(t, 2, { more: ["--watchers", "--bots", "1"] });
    const owner = await open(t, view.url);
    await live(owner);
    await owner.locator(".row.red .owner, .row .owner").getByText("bot", { exact: true }).waitFor();
    await owner.keyboard.press("u");
    await owner.locator(".share[open]").getByText(`--listen 0.0.0.0:${view.port}`).waitFor(); // it listens on loopback
    await owner.keyboard.press("Escape");
    await owner.addInitScript(tellAddresses);
    await owner.reload();
    await live(owner);
    await owner.keyboard.press("u");
    assert.equal(await readCode(owner), `http://${ELSEWHERE}/`);
    await owner.getByRole("button", { name: "Code of the seat of player 2" }).click();
    await owner.locator(".shown .qr").waitFor();
    await owner.locator(".share .code").first().evaluate((part) => part.remove()); // the code to watch
    const seat = new URL(await readCode(owner));
    assert.match(seat.hash, /^#[0-9a-f]{32}$/);
    assert.notEqual(seat.hash, `#${TOKEN}`);
    assert.ok(!(await owner.locator(".share").innerHTML()).includes(TOKEN));
    assert.deepEqual(await violations(owner), []);
    assert.deepEqual(await tooSmall(owner), []);
    await screenshot(owner, "room-share");

    const guest = await open(t, view.url.replace(/#.*/, seat.hash));
    await live(guest);
    await owner.locator(".seats li", { hasText: "in use" }).waitFor();
    await guest.keyboard.press("u");
    assert.equal(await guest.locator(".seats").count(), 0, "a seat gives no seats");
    for (const nothing of ["   ", "\u180b", "\u034f", "\u3164", "\u2800"]) {
        await guest.locator(".name-field").fill(nothing);
        await guest.locator(".name-field").press("Enter");
        await guest.locator(".refusal", { hasText: "Nothing of this name shows" }).waitFor();
    }
    await screenshot(guest, "room-name-refused");
    assert.deepEqual(await violations(guest), []);
    await guest.locator(".name-field").fill("");
    await guest.locator(".name-field").pressSequentially("Ruth W. 5 du");
    assert.equal(await guest.locator(".name-field").inputValue(), "Ruth W. 5 du", "what is typed there drives nothing and commands nothing");
    await guest.locator(".name-field").fill("<b>Ana</b>\u202e");
    await guest.locator(".name-field").press("Enter");
    await guest.keyboard.press("Escape");
    await hold(guest, "w", "its robot drives", (n) => n.drive[1]?.[0] > 10);
    await guest.keyboard.up("w");
    assert.deepEqual((await numbers(guest)).owned, [2]);
    assert.equal(await guest.getByRole("button", { name: "Drive player 1" }).isVisible(), false);
    await owner.keyboard.press("Escape");
    await owner.locator(".row .owner").getByText("<b>Ana</b>", { exact: true }).waitFor();
    assert.equal(await owner.locator(".row b b, .owner *").count(), 0, "a name is text");

    // Not by messages that the page itself would not send, either.
    const answers = await guest.evaluate((token) => new Promise((resolve) => {
        const socket = new WebSocket(`ws://${location.host}/live`, "halyard-page");
        socket.onopen = () => socket.send(`token ${token}`);
        socket.onclose = ({ reason }) => resolve(reason);
    }), seat.hash.slice(1));
    assert.match(answers, /another page has the seat/, "one page has a seat");

    await hold(owner, "w", "the owner drives", (n) => n.drive[0]?.[0] > 10);
    await owner.keyboard.up("w");
    await startClock(owner);
    await until(guest, "it knows that the match runs", ({ phase }) => phase === "running");
    await guest.keyboard.press("r");
    await guest.locator(".toast", { hasText: "Press R again" }).waitFor(); // it asks while the clock runs
    await guest.keyboard.press("r");
    await owner.locator(".toast", { hasText: "Player 2 (<b>Ana</b>) reset the match." }).waitFor();

    await owner.keyboard.press("u");
    await owner.getByRole("button", { name: "Revoke the seat of player 2" }).click();
    await guest.locator("body.watching").waitFor(); // watching is allowed here
    await guest.locator(".watch-mark").waitFor();
    assert.deepEqual((await numbers(guest)).owned, []);
    await owner.locator(".row .owner").getByText("bot", { exact: true }).waitFor();
});

test("a simulator that is started again is said, with the score and the time that are lost", async (t) => {
    const { sim, startSim, view } = await startMatch(t, 1);
    const page = await open(t, view.url);
    await live(page);
    await hold(page, "w", "it drives", (n) => n.drive[0]?.[0] > 10);
    await page.keyboard.up("w");
    await startClock(page);
    await until(page, "some seconds have gone", ({ match }) => match.timer < 134);
    await sim.stop("SIGKILL");
    await page.locator(".status", { hasText: "does not answer" }).waitFor();
    await startSim();
    await page.locator(".toast", { hasText: /The simulator was restarted at 0:0, 2:1\d left\./ }).waitFor();
});

test("--open: the browser gets an address that is good once, and the page keeps the token", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "halyard-open-"));
    const opener = join(folder, "xdg-open");
    writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" >"${folder}/new" && mv "${folder}/new" "${folder}/url"\n`);
    chmodSync(opener, 0o755);
    const board = await startHalyard(t, ["board", "xrp", "--listen", "127.0.0.1:0", "--view=127.0.0.1:0", "--open"],
        { PATH: `${folder}:${process.env.PATH}`, DISPLAY: ":0", HALYARD_TOKEN: TOKEN, HOME: folder, XDG_DOWNLOAD_DIR: folder });
    for (let tries = 0; !existsSync(join(folder, "url")) && tries < 300; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const file = readFileSync(join(folder, "url"), "utf8");
    const url = /href="([^"]*)"/.exec(readFileSync(file, "utf8"))[1];
    assert.ok(!file.includes(TOKEN) && !url.includes(TOKEN), "command lines are read by others");
    const page = await open(t, pathToFileURL(file).href);
    await page.waitForURL(/^http:/);
    await live(page);
    assert.equal(await page.evaluate(() => location.hash), `#${TOKEN}`);
    await page.locator("body:not(.watching) .robot .user").waitFor();
    await page.reload();
    await live(page);
    assert.ok(!existsSync(file), "the file is no longer needed");
    const late = await open(t, url);
    await late.locator(".banner.bad", { hasText: "Open the address" }).waitFor();
    assert.ok(board.url.endsWith(TOKEN));
});
