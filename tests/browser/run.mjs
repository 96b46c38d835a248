// Runs the browser tests, or those of the files that are named: node run.mjs BUILD_FOLDER ARTIFACTS_FOLDER [FILE...]
// A file with a test that failed is run once more alone, by the rules of tools/run_tests.py.
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { basename, resolve } from "node:path";

// Files at the same time, each in a process with a Chromium of its own: half of the time a test waits for robots and clocks.
const FILES_AT_ONCE = 3;
const PASSED_ALONE_MOST = 3;

const [build, artifacts, ...chosen] = process.argv.slice(2);
const here = new URL(".", import.meta.url).pathname;
const passedAlone = resolve(build, "passed-alone.txt");
const verdicts = resolve(artifacts, "verdicts.jsonl");
const crashes = resolve(artifacts, "crashes.txt"); // of programs, whatever their tests make of it

const lines = (file) => (existsSync(file) ? readFileSync(file, "utf8").split("\n").filter((line) => line !== "") : []);

/** Runs these files. Returns the tests that failed, and that of a file that ended otherwise. */
function failuresOf(files) {
    rmSync(verdicts, { force: true });
    const { status } = spawnSync(
        process.execPath,
        [
            "--test", `--test-concurrency=${FILES_AT_ONCE}`,
            "--test-reporter=spec", "--test-reporter-destination=stdout",
            `--test-reporter=${resolve(here, "verdicts.mjs")}`, `--test-reporter-destination=${verdicts}`,
            ...files,
        ],
        { stdio: "inherit", env: { ...process.env, HALYARD_BUILD: resolve(build), HALYARD_ARTIFACTS: resolve(artifacts), HALYARD_NT: "off" } },
    );
    const all = lines(verdicts).map((line) => JSON.parse(line));
    const failed = all.filter(({ why }) => why !== null);
    if (all.length === 0 || (status !== 0 && failed.length === 0)) {
        failed.push({ name: "all", file: null, why: `node --test ended with ${status}, after ${all.length} tests that passed` });
    }
    return failed;
}

// No other work explains a picture that differs.
const isFinal = ({ file, why }) => file === null || basename(file) === "golden.test.mjs" || /\bmismatch\b/.test(why);

mkdirSync(artifacts, { recursive: true });
rmSync(crashes, { force: true });
const files = chosen.length > 0 ? chosen : readdirSync(here).filter((name) => name.endsWith(".test.mjs"));
let failed = failuresOf(files.map((file) => resolve(here, file)));
const room = PASSED_ALONE_MOST - lines(passedAlone).length;
if (failed.length > room) {
    console.log(`${failed.length} tests failed; at most ${PASSED_ALONE_MOST} of a run may pass alone, so none is run again`);
} else if (!failed.some(isFinal) && !existsSync(crashes)) {
    for (const file of new Set(failed.map((test) => test.file))) {
        console.log(`\nrunning ${basename(file)} alone`);
        if (failuresOf([file]).length === 0) {
            for (const { name } of failed.filter((test) => test.file === file)) {
                console.log(`passed alone: browser: ${name}`);
                appendFileSync(passedAlone, `browser: ${name}\n`);
            }
            failed = failed.filter((test) => test.file !== file);
        }
    }
}
for (const { name, why } of failed) {
    console.log(`failed: browser: ${name}: ${why}`);
}
for (const line of lines(crashes)) {
    console.log(`failed: browser: ${line}`);
}
process.exit(failed.length === 0 && !existsSync(crashes) ? 0 : 1);
