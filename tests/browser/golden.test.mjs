// Six pictures of what the page draws, compared with pictures that a person has looked at (tests/browser/golden). Chromium draws them
// with the processor, and not every processor rounds alike: they are compared at 192 x 108 pixels, where an edge that moves by a pixel
// is lost, and a robot, a wall or a light that is missing is not. HALYARD_GOLDEN=write writes them anew.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ARTIFACTS, live, numbers, open, until } from "./browser.mjs";
import { startMock } from "./programs.mjs";

const FOLDER = new URL("golden/", import.meta.url).pathname;
const WIDTH = 192, HEIGHT = 108;

// Of 255: a picture differs by less than this in the mean, and by less than that in nearly all of its pixels.
const MEAN_LIMIT = 3;
const PIXEL_LIMIT = 40;
const PIXELS_OVER = 0.001; // a robot of a whole field is twice as large

const PICTURES = [
    ["match-home", { scene: "match" }, "6"],
    ["match-top", { scene: "match" }, "1"],
    ["match-chase", { scene: "match" }, "3"],
    ["match-station", { scene: "match" }, "5"],
    ["xrp-orbit", { scene: "xrp" }, "2"],
    ["swerve-orbit", { scene: "swerve" }, "2"],
];

/** A PNG at 192 x 108: its pixels, and itself as PNG. The browser that drew it reads it as well. */
function shrink(page, png) {
    return page.evaluate(async ([data, width, height]) => {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const canvas = document.createElement("canvas");
        canvas.width = width;
        canvas.height = height;
        const context = canvas.getContext("2d", { willReadFrequently: true });
        context.imageSmoothingQuality = "high";
        context.drawImage(image, 0, 0, width, height);
        return { pixels: [...context.getImageData(0, 0, width, height).data], png: canvas.toDataURL("image/png").split(",")[1] };
    }, [png.toString("base64"), WIDTH, HEIGHT]);
}

/** Mean difference of the colours, and the share of pixels that differ by more than PIXEL_LIMIT in one. */
function compare(a, b) {
    let sum = 0, over = 0;
    for (let i = 0; i < a.length; i += 4) {
        const differences = [0, 1, 2].map((c) => Math.abs(a[i + c] - b[i + c]));
        sum += differences[0] + differences[1] + differences[2];
        over += Math.max(...differences) > PIXEL_LIMIT ? 1 : 0;
    }
    return { mean: sum / (0.75 * a.length), over: over / (a.length / 4) };
}

async function draw(t, options, key) {
    const page = await open(t, (await startMock(t, { ...options, still: "yes", lidar: 0 })).url, { drawn: true, viewport: { width: 960, height: 540 } });
    await live(page);
    await until(page, "there are robots", ({ robotsShown }) => robotsShown);
    await page.keyboard.press(key);
    await page.evaluate(() => { document.querySelector("#ui").style.visibility = "hidden"; });
    const { frames } = await numbers(page);
    await until(page, "the camera looks at it", (now) => now.frames > frames + 4);
    await page.evaluate(() => window.halyard.setStill(true, true));
    return { page, png: await page.screenshot() };
}

for (const [name, options, key] of PICTURES) {
    test(`the picture ${name}`, async (t) => {
        const { page, png } = await draw(t, options, key);
        writeFileSync(join(ARTIFACTS, `golden-${name}.png`), png);
        const drawn = await shrink(page, png);
        const file = join(FOLDER, `${name}.png`);
        if (process.env.HALYARD_GOLDEN === "write") {
            mkdirSync(FOLDER, { recursive: true });
            writeFileSync(file, Buffer.from(drawn.png, "base64"));
        }
        const golden = await shrink(page, readFileSync(file));
        const { mean, over } = compare(drawn.pixels, golden.pixels);
        t.diagnostic(`${name}: mean ${mean.toFixed(2)}, ${(100 * over).toFixed(2)} % of the pixels differ by more than ${PIXEL_LIMIT}`);
        assert.ok(mean < MEAN_LIMIT && over < PIXELS_OVER, `${name} differs from ${file} by ${mean.toFixed(2)} in the mean, ${(100 * over).toFixed(1)} % of it much; see golden-${name}.png of the artifacts`);
    });
}

test("a robot that is missing is more than the tolerance", async (t) => {
    const { page, png } = await draw(t, { scene: "match", players: 5 }, "6");
    const drawn = await shrink(page, png);
    const golden = await shrink(page, readFileSync(join(FOLDER, "match-home.png")));
    const { mean, over } = compare(drawn.pixels, golden.pixels);
    t.diagnostic(`without a robot: mean ${mean.toFixed(2)}, ${(100 * over).toFixed(2)} %`);
    assert.ok(over > PIXELS_OVER);
});

/** The mean brightness of a picture, 0 to 255. */
const brightness = ({ pixels }) => pixels.reduce((sum, value, i) => sum + (i % 4 < 3 ? value : 0), 0) / (0.75 * pixels.length);

test("ambient occlusion: the best quality draws it, and no other loads it", async (t) => {
    const { url } = await startMock(t, { scene: "xrp", still: "yes", lidar: 0 });
    const seen = {};
    for (const quality of ["best", "low"]) {
        const page = await open(t, url, { query: `?quality=${quality}&frames=1`, viewport: { width: 320, height: 180 } });
        await live(page);
        const { frames } = await numbers(page);
        const { isOccluded } = await until(page, "a frame with all that was loaded", (n) => n.frames > frames + 1 && (n.isOccluded || quality === "low") && n);
        assert.equal(isOccluded, quality === "best", quality);
        const scripts = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
        assert.equal(scripts.some((name) => /occlusion.*\.js/.test(name)), quality === "best", quality);
        seen[quality] = brightness(await shrink(page, await page.screenshot()));
        t.diagnostic(`${quality}: mean brightness ${seen[quality].toFixed(1)}`);
        await page.context().close();
    }
    assert.ok(seen.best < seen.low && seen.best > 0.8 * seen.low, "it is darker, and no black picture");
});
