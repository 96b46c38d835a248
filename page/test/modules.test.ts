import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";

const SOURCES = new URL("../src/", import.meta.url);

test("every module can be loaded without a browser: none does anything before it is called", async () => {
    const names = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".js"),
    );
    assert.ok(names.includes("main.js") && names.includes("scene/stage.js"), names.join(" "));
    const failed: string[] = [];
    for (const name of names) {
        try {
            await import(new URL(name, SOURCES).href);
        } catch (error) {
            failed.push(`${name}: ${String(error)}`);
        }
    }
    assert.deepEqual(failed, []);
});
