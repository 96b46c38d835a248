#!/bin/sh
# tests/browser/run.mjs over files of tests that fail as real ones do: which it runs again alone, and what it makes of them.
set -eu

root=$(dirname "$HALYARD_TEST_DATA")
"$root/tools/page.sh" has-node || { echo "no Node on this machine"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/browser" "$work/build"
cp "$root/tests/browser/run.mjs" "$root/tests/browser/verdicts.mjs" "$work/browser"

# ends STATUS WORDS NAME <TEST FILE: the run ends so, its output has these words, and NAME passed alone.
ends() {
    {
        echo 'import { test } from "node:test"; import { appendFileSync, existsSync, writeFileSync } from "node:fs";'
        echo 'function once(words) { if (!existsSync("again")) { writeFileSync("again", ""); throw new Error(words); } }'
        cat
    } >"$work/browser/a.test.mjs"
    rm -f "$work/again"
    : >"$work/build/passed-alone.txt"
    status=0
    (cd "$work" && "$root/tools/page.sh" node browser/run.mjs build artifacts) >"$work/said" 2>&1 || status=$?
    [ $status = "$1" ] && grep -q "$2" "$work/said" && [ "$(cat "$work/build/passed-alone.txt")" = "$3" ] || {
        echo "test_run_browser: '$2': status $status, passed alone: '$(cat "$work/build/passed-alone.txt")'; it said:"
        cat "$work/said" "$work/browser/a.test.mjs"
        exit 1
    }
}

ends 0 "✔ good" "" <<'END'
test("good", () => {});
END
ends 0 "passed alone: browser: once (in two)" "browser: once (in two)" <<'END'
test("good", () => {});
test("once (in two)", () => once("too late"));
END
ends 1 "failed: browser: bad: always" "" <<'END'
test("bad", () => { throw new Error("always"); });
END
ends 1 "4 tests failed; at most 3" "" <<'END'
for (const name of [1, 2, 3, 4]) test(`late ${name}`, () => { throw new Error("late"); });
END
ends 1 "failed: browser: hash: mismatch" "" <<'END'
test("hash", () => once("mismatch: 1, not 2"));
END
ends 1 "failed: browser: halyard view ended with SIGSEGV" "" <<'END'
test("good", () => appendFileSync("artifacts/crashes.txt", "halyard view ended with SIGSEGV\n"));
END
ends 1 "no test ran in this file" "" <<'END'
process.exit(0);
END
ends 1 "failed: browser: .*a.test.mjs" "" <<'END'
throw new Error("at load");
END
ends 1 "failed: browser: " "" <<'END'
test("one", () => once("late"));
test("two", () => process.kill(process.pid, "SIGSEGV"));
test("three", () => {});
END
ends 1 "it was skipped" "" <<'END'
test("good", () => {});
test.skip("not here", () => {});
END
echo "10 files of tests: each failure is final, or run again alone, as it should"
