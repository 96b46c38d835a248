// Compiles the tests with what they test, and runs them with node's own runner.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";

rmSync(".test", { recursive: true, force: true });
const run = (...args) => spawnSync(process.execPath, args, { stdio: "inherit" }).status;
const failed = run("node_modules/typescript/bin/tsc", "-p", "tsconfig.test.json");
if (failed) {
    process.exit(failed);
}
const tests = readdirSync(".test/test")
    .filter((name) => name.endsWith(".test.js"))
    .map((name) => `.test/test/${name}`);
process.exit(run("--test", "--test-reporter=spec", ...tests) ?? 1);
