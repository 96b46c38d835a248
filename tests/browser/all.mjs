// All browser tests, or those of the files that are named, one after the other in one Chromium.
import { readdirSync } from "node:fs";
import { after } from "node:test";
import { closeBrowser } from "./browser.mjs";

const here = new URL(".", import.meta.url);
const chosen = process.argv.slice(2);
const files = chosen.length > 0 ? chosen : readdirSync(here).filter((name) => name.endsWith(".test.mjs")).toSorted();
after(closeBrowser);
for (const file of files) {
    await import(new URL(file, here));
}
