// Runs the browser tests, one file after the other: node run.mjs BUILD_FOLDER ARTIFACTS_FOLDER [FILE...]
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";

const [build, artifacts, ...chosen] = process.argv.slice(2);
const here = new URL(".", import.meta.url).pathname;
const files = chosen.length > 0 ? chosen : readdirSync(here).filter((name) => name.endsWith(".test.mjs")).sort();
const { status } = spawnSync(
    process.execPath,
    ["--test", "--test-concurrency=1", "--test-reporter=spec", ...files.map((name) => resolve(here, name))],
    { stdio: "inherit", env: { ...process.env, HALYARD_BUILD: resolve(build), HALYARD_ARTIFACTS: resolve(artifacts) } },
);
process.exit(status ?? 1);
