// A student's robot in the browser: `halyard board --view`, driven by `halyard drive`.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { live, middleOf, numbers, open, picture, screenshot, until } from "./browser.mjs";
import { startExample, startHalyard, startProgram } from "./programs.mjs";

async function startBoard(t, robot, ...more) {
    const board = await startHalyard(t, ["board", robot, "--listen", "127.0.0.1:0", "--view=127.0.0.1:0", ...more]);
    board.robot = board.ready.udp;
    return board;
}

function script(lines) {
    const file = join(mkdtempSync(join(tmpdir(), "halyard-")), "script.txt");
    writeFileSync(file, `${lines.join("\n")}\n`);
    return file;
}

test("an XRP: its button in the picture, its way, range and LED", async (t) => {
    const board = await startBoard(t, "xrp");
    const page = await open(t, board.url, { drawn: true });
    await live(page);
    const { robots: [start], ranges: [far] } = await numbers(page);
    await page.locator(".badge", { hasText: "disabled" }).waitFor();
    await picture(page, "board-xrp"); // from here on the camera stands still
    const { x, y } = await page.evaluate(() => window.halyard.buttonPlace(0));
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.locator(".user.down").waitFor();
    await page.evaluate(() => window.dispatchEvent(new Event("blur")));
    await page.locator(".user:not(.down)").waitFor();
    await page.mouse.up();
    await startProgram(t, ["drive", `xrp://${board.robot}`, "--script", script([
        "0 enable", "0.2 led on", "0.2 servo 0 1", "0.2 drive 0.5 0.5", "+120 disable",
    ])]);
    await until(page, "it drives", ({ robots: [at] }) => Math.hypot(at[0] - start[0], at[1] - start[1]) > 0.1);
    await until(page, "the rangefinder sees something else", ({ ranges: [range] }) => Math.abs(range - far) > 0.05);
    await page.locator(".line", { hasText: "Range" }).filter({ hasText: / m$/ }).waitFor();
    await page.locator(".line", { hasText: "Motors" }).filter({ hasText: /50\s+50\s+0\s+0$/ }).waitFor(); // as its program says it
    await page.locator(".line", { hasText: "Encoders" }).filter({ hasText: /s[1-9]\d+\s+[1-9]\d+\s/ }).waitFor();
    await page.locator(".line", { hasText: "Servos" }).filter({ hasText: /s180°\s+90°/ }).waitFor();
    await page.locator(".badge.on", { hasText: "enabled" }).waitFor();
    await page.locator(".led.on").waitFor();
    await page.keyboard.press("2");
    await picture(page, "board-xrp-orbit");
});

test("the robot's own sheet: what sets it apart from its type, in words; an ideal one says so", async (t) => {
    for (const [robot, title, rows, saying] of [["7", /: robot 7$/, 12, "No two robots"], ["ideal", /: ideal$/, 0, "--robot typical"]]) {
        const board = await startBoard(t, "xrp", "--robot", robot);
        const page = await open(t, board.url, { drawn: true });
        await live(page);
        await page.locator(".traits summary", { hasText: title }).click();
        await page.locator(".traits p", { hasText: saying }).waitFor();
        assert.ok((await page.locator(".traits .line").count()) >= rows && (rows > 0 || (await page.locator(".traits .line").count()) === 0));
        await picture(page, `board-sheet-${robot}`);
    }
});

test("a robot program with its own world: it drives, and Reset puts it back; its trail begins anew, in the colours of its speed", async (t) => {
    const program = await startHalyard(t, ["drive", "sim://xrp-open", "--view=127.0.0.1:0", "--script", script(["0 enable", "+0 arcade 1 0", "+600 quit"])]);
    const page = await open(t, program.url, { drawn: true });
    await live(page);
    const { robots: [start] } = await numbers(page);
    await until(page, "it drives", ({ robots: [at] }) => at[0] > start[0] + 0.3);
    await page.locator(".badge.on", { hasText: "enabled" }).waitFor();
    await page.keyboard.press("i");
    await until(page, "it has left a trail in the colour of the highest speed", ({ trail, trailShare }) => trail > 10 && trailShare > 0.8);
    await page.locator(".reset").click();
    await until(page, "it is back", ({ robots: [at], trail }) => at[0] < start[0] + 0.1 && trail < 10);
    await until(page, "it drives as fast as before", ({ trail, trailShare }) => trail > 10 && trailShare > 0.8);
});

test("sensors that the world file adds: in the panel by name, lidar points in the picture", async (t) => {
    const board = await startBoard(t, "xrp", "--world", "xrp-sensors");
    const page = await open(t, board.url, { drawn: true });
    await live(page);
    await page.locator(".further .line", { hasText: "middle" }).filter({ hasText: /0\.\d\d$/ }).waitFor();
    await page.locator(".further .line", { hasText: "rear" }).filter({ hasText: /0\.\d{3} m$/ }).waitFor();
    await until(page, "the lidar's points are drawn", ({ lidarPoints }) => lidarPoints > 300);
    await page.locator(".more").click();
    await page.locator(".tool[data-command=lidar]").waitFor();
    await page.keyboard.press("2");
    await picture(page, "board-xrp-sensors");
});

test("'I pushed it' says what it did, and a floor with regions is drawn", async (t) => {
    const board = await startBoard(t, "xrp", "--world", "xrp-dusty");
    const page = await open(t, board.url, { drawn: true });
    await live(page);
    await page.locator(".push").click();
    await page.locator(".notices", { hasText: "its heading drifts until a reset" }).waitFor();
    await page.keyboard.press("2");
    await picture(page, "board-xrp-dusty");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator(".push").waitFor();
    await picture(page, "board-xrp-dusty-phone");
});

test("faults that are injected on purpose are named in the panel", async (t) => {
    const board = await startBoard(t, "xrp", "--faults", "bad-wifi");
    const page = await open(t, board.url, { drawn: true });
    await live(page);
    await page.locator(".faults:not(.hidden)", { hasText: "bad-wifi" }).waitFor();
    await picture(page, "board-xrp-faults");
});

/** `window.places` has each height at which the button was shown. */
function notePlaces() {
    window.places = new Set();
    const look = () => {
        const shown = document.querySelector(".user")?.getClientRects()[0];
        if (shown !== undefined) {
            window.places.add(shown.y);
        }
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}

test("its button is pressed in the panel, and let go when the page loses the focus", async (t) => {
    const page = await open(t, (await startBoard(t, "xrp")).url, { before: notePlaces });
    await live(page);
    const user = await middleOf(page, ".user");
    await page.mouse.move(user.x, user.y);
    await page.mouse.down();
    await page.locator(".user.down").waitFor();
    assert.equal(await page.evaluate(() => window.places.size), 1, "the button moved since it was shown");
    await page.mouse.up();
    await page.locator(".user:not(.down)").waitFor();
    await page.mouse.down();
    await page.locator(".user.down").waitFor();
    await page.evaluate(() => window.dispatchEvent(new Event("blur")));
    await page.locator(".user:not(.down)").waitFor();
    await page.mouse.up();
});

test("its button is pressed by the keyboard", async (t) => {
    const page = await open(t, (await startBoard(t, "xrp")).url);
    await live(page);
    await page.locator(".user").focus();
    for (const key of ["Space", "Enter"]) {
        await page.keyboard.down(key);
        await page.locator(".user.down").waitFor();
        await page.keyboard.up(key);
        await page.locator(".user:not(.down)").waitFor();
    }
    await page.keyboard.down("Space");
    await page.locator(".user.down").waitFor();
    await page.evaluate(() => document.activeElement.blur());
    await page.locator(".user:not(.down)").waitFor();
});

test("its help tells of its button and lists no keys that drive", async (t) => {
    const page = await open(t, (await startBoard(t, "xrp")).url);
    await live(page);
    await page.keyboard.press("h");
    const help = page.locator(".help[open]");
    await help.getByText("user button").waitFor();
    assert.equal(await help.locator(".tasks").count(), 0);
    await page.keyboard.press("Escape");
    await page.locator(".help:not([open])").waitFor({ state: "attached" });
});

test("reset puts the world back", async (t) => {
    const board = await startBoard(t, "xrp");
    const page = await open(t, board.url);
    await live(page);
    const { robots: [start] } = await numbers(page);
    const drive = await startProgram(t, ["drive", `xrp://${board.robot}`, "--script", script(["0 enable", "0.2 drive 0.6 0.6", "+100 disable"])]);
    await until(page, "it drives", ({ robots: [at] }) => Math.hypot(at[0] - start[0], at[1] - start[1]) > 0.1);
    await drive.stop("SIGKILL");
    await page.locator(".badge", { hasText: "disabled" }).waitFor();
    await page.locator(".reset").click();
    await until(page, "it is where it began", ({ robots: [at] }) => Math.hypot(at[0] - start[0], at[1] - start[1]) < 0.01);
});

test("Enter and W on a robot's page say who drives it, and where to press Enter", async (t) => {
    for (const robot of ["xrp", "teensy"]) {
        const board = await startBoard(t, robot);
        const page = await open(t, board.url);
        await live(page);
        await page.keyboard.press("Enter");
        await page.locator(".toast", { hasText: "No program drives this robot. Start yours in another terminal" }).waitFor();
        await startProgram(t, ["drive", `${robot}://${board.robot}`, "--script", script(["+1 enable", "+600 disable"])]);
        await page.locator(".badge.on", { hasText: "enabled" }).waitFor();
        await page.keyboard.press("w");
        await page.locator(".toast", { hasText: "Your program drives this robot already. Space stops it." }).waitFor();
        await page.keyboard.press("Space");
        await page.locator(".badge:not(.on)", { hasText: "disabled" }).waitFor();
        assert.equal(await page.locator(".toast", { hasText: "All seats" }).count(), 0);
    }
});

const ENDLESS = ["0 enable", "0.2 drive 0.4 -0.4", "+600 disable"];

/** Waits until the robot stands, and for many states more: nothing moves it again. */
async function staysStopped(page) {
    await page.locator(".badge:not(.on)", { hasText: "disabled" }).waitFor();
    const { messages } = await numbers(page);
    await until(page, "many states later", (n) => n.messages > messages + 60);
    assert.equal(await page.locator(".badge.on").count(), 0, "it is enabled again");
}

test("Space on a robot's page stops it, wherever the focus is, until its program begins anew", async (t) => {
    const board = await startBoard(t, "xrp");
    const page = await open(t, board.url);
    await live(page);
    let drive = null;
    const start = async () => {
        await drive?.stop("SIGKILL");
        drive = await startProgram(t, ["drive", `xrp://${board.robot}`, "--script", script(ENDLESS)]);
        await page.locator(".badge.on", { hasText: "enabled" }).waitFor();
        await page.locator(".status.hidden").waitFor({ state: "attached" });
    };
    const places = {
        "the page": () => {},
        "a button that was clicked": () => page.locator(".push").click(),
        "a button that was chosen by keyboard": () => page.locator(".reset").focus(),
        "the user button": () => page.locator(".user").focus(),
        "the help": async () => {
            await page.keyboard.press("h");
            await page.locator(".help[open]").waitFor();
        },
        "the past": async () => {
            await page.keyboard.press("Escape");
            await page.keyboard.press("k");
            await page.locator("body.again").waitFor();
        },
    };
    for (const [place, go] of Object.entries(places)) {
        await start();
        await go();
        const { robots: [before] } = await numbers(page);
        await page.keyboard.press("Space");
        await page.locator(".status:not(.hidden)", { hasText: "press Space and then Enter in the terminal of its program" }).waitFor();
        assert.equal(await page.locator(".toast", { hasText: "stopped" }).count(), 0, "one sentence is enough");
        if (place === "the past") {
            await page.keyboard.press("k");
        }
        await staysStopped(page);
        const { robots: [after] } = await numbers(page);
        assert.ok(place === "the past" || Math.hypot(after[0] - before[0], after[1] - before[1]) < 0.3, `${place}: the world was reset`);
        if (place === "the page") {
            await picture(page, "board-stopped");
        }
    }
    assert.match(board.output(), /a page stopped the robot/);
    await start();
    await page.locator(".stop").click();
    await staysStopped(page);
});

test("Space on the page of a robot program stops it, and who only watches is told that this page cannot", async (t) => {
    const program = await startHalyard(t, ["drive", "sim://xrp-open", "--view=127.0.0.1:0", "--script", script(ENDLESS)]);
    const page = await open(t, program.url);
    await live(page);
    await page.locator(".badge.on", { hasText: "enabled" }).waitFor();
    await page.keyboard.press("Space");
    await page.locator(".toast", { hasText: "press Space and then Enter in the terminal of its program" }).waitFor();
    await staysStopped(page);
    const alone = await startExample(t, "line_follow", ["--sim", "xrp-line", "--view=127.0.0.1:0", "--duration", "600"]); // no terminal: it is enabled by itself
    const second = await open(t, alone.url);
    await live(second);
    await second.locator(".badge.on", { hasText: "enabled" }).waitFor();
    await second.keyboard.press("Space");
    await staysStopped(second);
    const board = await startBoard(t, "xrp", "--watchers");
    await startProgram(t, ["drive", `xrp://${board.robot}`, "--script", script(ENDLESS)]);
    const watcher = await open(t, board.url.replace(/#.*/, ""));
    await live(watcher);
    await watcher.locator(".badge.on", { hasText: "enabled" }).waitFor();
    await watcher.keyboard.press("Space");
    await watcher.locator(".toast", { hasText: "cannot stop the robot" }).waitFor();
    const { messages } = await numbers(watcher);
    await until(watcher, "many states later", (n) => n.messages > messages + 60);
    assert.equal(await watcher.locator(".badge.on").count(), 1);
});

test("a reset while the robot drives is said on every page and by the program", async (t) => {
    const board = await startBoard(t, "xrp");
    const [page, other] = [await open(t, board.url), await open(t, board.url)];
    await live(page);
    await live(other);
    await page.keyboard.press("r");
    await other.locator(".toast", { hasText: "The world was reset." }).waitFor();
    await startProgram(t, ["drive", `xrp://${board.robot}`, "--script", script(ENDLESS)]);
    await page.locator(".badge.on", { hasText: "enabled" }).waitFor();
    await page.locator(".reset").click();
    for (const one of [page, other]) {
        await one.locator(".toast", { hasText: "Its program was not stopped and drives on; Space stops it." }).waitFor();
    }
    assert.match(board.output(), /a page reset the world; the program of the robot drives on/);
});

test("U on a robot's page names the option that opens the page, not the one that opens the robot", async (t) => {
    const board = await startBoard(t, "xrp");
    const page = await open(t, board.url);
    await live(page);
    await page.keyboard.press("u");
    const share = page.locator(".share[open]");
    await share.getByText("Start “halyard board” with --watchers").waitFor();
    assert.ok(!(await share.textContent()).includes("--listen"));
    await page.keyboard.press("Escape");
    const watched = await startBoard(t, "xrp", "--watchers");
    const second = await open(t, watched.url);
    await live(second);
    await second.keyboard.press("u");
    await second.locator(".share[open]").getByText(`--view=0.0.0.0:${watched.port}`).waitFor();
});

test("a swerve robot on a phone", async (t) => {
    const board = await startBoard(t, "teensy");
    const page = await open(t, board.url, { screen: "phone", drawn: true });
    await live(page);
    assert.equal(await page.locator(".touchpad:not(.hidden)").count(), 0, "nobody can be driven from here");
    await page.locator(".menu").click();
    await page.locator(".tool[data-command=orbit]").click();
    await picture(page, "board-teensy-phone");
});

test("a restarted board with the same token is found again", async (t) => {
    const env = { HALYARD_TOKEN: "0123456789abcdef0123456789abcdef" };
    const first = await startHalyard(t, ["board", "xrp", "--listen", "127.0.0.1:0", "--view=127.0.0.1:0"], env);
    const page = await open(t, first.url);
    await live(page);
    await first.stop();
    await page.locator(".banner:not(.hidden)").waitFor();
    await startHalyard(t, ["board", "xrp", "--listen", "127.0.0.1:0", `--view=127.0.0.1:${first.port}`], env);
    await page.locator(".banner:not(.status).hidden").waitFor({ state: "attached" });
    await page.waitForFunction(() => !document.body.classList.contains("offline"));
});

test("another token, a part of it, or none: the page says which, and where the right address is", async (t) => {
    const board = await startBoard(t, "xrp");
    const address = board.url.replace(/#.*/, "");
    const token = board.url.slice(address.length + 1);
    for (const [after, said] of [[`#${"0".repeat(32)}`, "not valid (any more)"], [`#${token.slice(0, 20)}`, "20 of 32 characters"], [`#${token})`, "33 characters instead of 32"], ["#wrong", "5 of 32"], ["", "after # is missing"]]) {
        const page = await open(t, address + after);
        await page.locator(".banner.bad", { hasText: said }).filter({ hasText: "Open the address" }).waitFor();
        await screenshot(page, "board-refused");
    }
    const watched = await startBoard(t, "xrp", "--watchers");
    const page = await open(t, watched.url.slice(0, -3));
    await page.locator(".toast", { hasText: "29 of 32 characters" }).waitFor();
    await page.locator(".toast", { hasText: "You are watching" }).waitFor();
});

test("glTF models of a world's file are drawn; a damaged one is one sentence, and the built-in shape stays", async (t) => {
    const worlds = new URL("../../worlds/", import.meta.url).pathname;
    const folder = mkdtempSync(join(tmpdir(), "halyard-"));
    cpSync(join(worlds, "xrp-town.yaml"), join(folder, "town.yaml"));
    cpSync(join(worlds, "models"), join(folder, "models"), { recursive: true });
    const van = readFileSync(join(folder, "models/van.glb"));
    van.write("JSON?", van.indexOf('"accessors"')); // its header is right, its content is not
    writeFileSync(join(folder, "models/van.glb"), van);
    writeFileSync(join(folder, "models/other.glb"), van);
    const board = await startBoard(t, "xrp", "--world", join(folder, "town.yaml"));
    const page = await open(t, board.url, { drawn: true });
    await page.locator(".toast", { hasText: "The model robot-1.glb is damaged. The built-in shape is drawn instead." }).waitFor();
    await until(page, "the field's model is drawn", (n) => n.models === 1);
    assert.notEqual(await page.evaluate(() => window.halyard.buttonPlace(0)), null, "the robot is drawn as ours");
    const statusOf = (path) => page.evaluate(async (asked) => (await fetch(asked)).status, path);
    assert.equal(await statusOf("/field.glb"), 200);
    for (const path of ["/other.glb", "/models/other.glb", "/models/van.glb", "/town.yaml"]) {
        assert.equal(await statusOf(path), 404, path);
    }
    page.problems.length = 0; // the four 404s
    const whole = await startBoard(t, "xrp", "--world", "xrp-town");
    const other = await open(t, whole.url, { drawn: true });
    await until(other, "both models are drawn", (n) => n.models === 2);
    assert.equal(await other.evaluate(() => window.halyard.buttonPlace(0)), null);
    await picture(other, "board-gltf");
});
