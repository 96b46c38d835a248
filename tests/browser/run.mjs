// Runs the browser tests, all in one Chromium: node run.mjs BUILD_FOLDER ARTIFACTS_FOLDER [FILE...]
//
// As with all tests of whole programs, a failure is tried once more, and a pass on the second try is named aloud; not if
// files are named.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const [build, artifacts, ...chosen] = process.argv.slice(2);
const here = new URL(".", import.meta.url).pathname;

function passes() {
    const { status } = spawnSync(
        process.execPath,
        ["--test-reporter=spec", "--test-reporter-destination=stdout", resolve(here, "all.mjs"), ...chosen],
        { stdio: "inherit", env: { ...process.env, HALYARD_BUILD: resolve(build), HALYARD_ARTIFACTS: resolve(artifacts) } },
    );
    return status === 0;
}

if (!passes()) {
    if (chosen.length > 0) {
        process.exit(1);
    }
    console.log("\n================ the browser tests failed and are run again ================");
    if (!passes()) {
        process.exit(1);
    }
    console.log("\n================ passed only when run again: the browser tests, see above ================");
}
