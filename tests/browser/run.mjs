// Runs the browser tests, all in one Chromium: node run.mjs BUILD_FOLDER ARTIFACTS_FOLDER [FILE...]
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";

const [build, artifacts, ...chosen] = process.argv.slice(2);
const here = new URL(".", import.meta.url).pathname;

mkdirSync(artifacts, { recursive: true });
const { status } = spawnSync(
    process.execPath,
    [
        "--test-reporter=spec", "--test-reporter-destination=stdout",
        `--test-reporter=${resolve(here, "failures.mjs")}`, `--test-reporter-destination=${resolve(artifacts, "failed.txt")}`,
        resolve(here, "all.mjs"), ...chosen,
    ],
    { stdio: "inherit", env: { ...process.env, HALYARD_BUILD: resolve(build), HALYARD_ARTIFACTS: resolve(artifacts), HALYARD_NT: "off" } },
);
process.exit(status === 0 ? 0 : 1);
