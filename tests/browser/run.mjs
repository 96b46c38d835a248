// Runs the browser tests, or those of the files that are named: node run.mjs BUILD_FOLDER ARTIFACTS_FOLDER [FILE...]
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { resolve } from "node:path";

// Files at the same time, each in a process with a Chromium of its own: half of the time a test waits for robots and clocks.
const FILES_AT_ONCE = 2;

const [build, artifacts, ...chosen] = process.argv.slice(2);
const here = new URL(".", import.meta.url).pathname;
const files = chosen.length > 0 ? chosen : readdirSync(here).filter((name) => name.endsWith(".test.mjs"));

mkdirSync(artifacts, { recursive: true });
const { status } = spawnSync(
    process.execPath,
    [
        "--test", `--test-concurrency=${FILES_AT_ONCE}`,
        "--test-reporter=spec", "--test-reporter-destination=stdout",
        `--test-reporter=${resolve(here, "failures.mjs")}`, `--test-reporter-destination=${resolve(artifacts, "failed.txt")}`,
        ...files.map((file) => resolve(here, file)),
    ],
    { stdio: "inherit", env: { ...process.env, HALYARD_BUILD: resolve(build), HALYARD_ARTIFACTS: resolve(artifacts), HALYARD_NT: "off" } },
);
process.exit(status === 0 ? 0 : 1);
