#!/usr/bin/env python3
"""tools/run_tests.py over folders of tests that fail as real ones do: which it runs again alone, and what it makes of them."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(__file__).resolve().parent.parent.parent / "tools" / "run_tests.py"

PASSES = "exit 0"
FAILS = "exit 1"
FAILS_ONCE = "[ -e $0.again ] || { touch $0.again; exit 1; }"
FAILS_ONCE_WITH = "[ -e $0.again ] || { touch $0.again; echo '%s'; exit 1; }"
REPORT = "options=${ASAN_OPTIONS##*log_path=}; echo 'ERROR: %s' >${options%%%%:*}.%s.1; "
REPORTS = REPORT % ("AddressSanitizer: heap-use-after-free", "halyard")
LEAK = "LeakSanitizer: detected memory leaks"

# Name, its tests (script and labels), sanitizers, names that passed alone before: exit status, names that passed alone, words of the output.
CASES = [
    ("all pass", [(PASSES, "unit"), (PASSES, "e2e")], "", [], 0, [], []),
    ("one fails", [(PASSES, "unit"), (FAILS, "unit")], "", [], 1, [], ["running t1 alone", "failed: t1"]),
    ("one fails once", [(PASSES, "unit"), (FAILS_ONCE, "e2e")], "", [], 0, ["t1"], ["passed alone: t1"]),
    ("three fail once", [(FAILS_ONCE, "unit")] * 3, "", [], 0, ["t0", "t1", "t2"], []),
    ("four fail once", [(FAILS_ONCE, "unit")] * 4, "", [], 1, [], ["4 more tests failed"]),
    ("a fourth fails once", [(FAILS_ONCE, "unit")], "", ["a", "browser: b c", "d"], 1, [], ["1 more tests failed"]),
    ("one fails once, one always", [(FAILS_ONCE, "unit"), (FAILS, "unit")], "", [], 1, ["t0"], ["failed: t1"]),
    ("golden", [(FAILS_ONCE, "golden;exact")], "", [], 1, [], ["not run again: t0"]),
    ("no clock", [(FAILS_ONCE, "unit;exact")], "", [], 1, [], ["not run again: t0"]),
    ("hash", [(FAILS_ONCE_WITH % "mismatch between runs: 1, not 2", "e2e")], "", [], 1, [], ["a golden file or hash differs"]),
    ("signal", [("[ -e $0.again ] || { touch $0.again; kill -SEGV $$; }", "e2e")], "", [], 1, [], ["not run again: t0: ctest: "]),
    ("assertion", [("[ -e $0.again ] || { touch $0.again; kill -ABRT $$; }", "e2e")], "", [], 1, [], ["not run again: t0: ctest: "]),
    ("signal in a test", [(FAILS_ONCE_WITH % "Test failed with exception: Segmentation fault(11)", "unit")], "", [], 1, [], ["a signal"]),
    ("signal in a program", [(FAILS_ONCE_WITH % "a program was ended by signal 11", "e2e")], "", [], 1, [], ["a signal"]),
    ("sanitizer", [(FAILS_ONCE_WITH % "SUMMARY: ThreadSanitizer: data race", "e2e")], "thread", [], 1, [], ["a sanitizer"]),
    ("report, failure", [(FAILS_ONCE, "e2e"), (REPORTS + FAILS, "e2e")], "address,undefined", [], 1, [], ["heap-use-after-free"]),
    ("report that no test sees", [(REPORTS + PASSES, "e2e")], "address,undefined", [], 1, [], ["heap-use-after-free"]),
    ("leak of a test that fails once", [("[ -e $0.again ] || { touch $0.again; " + REPORT % (LEAK, "t0") + "exit 1; }", "e2e")],
     "address,undefined", [], 0, ["t0"], []),
    ("leak of a test that always fails", [(REPORT % (LEAK, "t0") + FAILS, "e2e")], "address,undefined", [], 1, [], ["failed: t0"]),
    ("leak of a program", [(REPORT % (LEAK, "halyard") + FAILS_ONCE, "e2e")], "address,undefined", [], 1, [], [LEAK]),
    ("fails once, then skips", [("[ -e $0.again ] && exit 77; touch $0.again; exit 1", "e2e")], "", [], 1, [], ["failed: t0"]),
    ("skipped", [("exit 77", "unit"), (PASSES, "unit")], "", [], 1, [], ["SKIPPED", "\n  t0\n"]),
    ("skipped in a test", [("echo '[  SKIPPED ] case_of_many'", "unit"), (PASSES, "unit")], "", [], 1, [], ["\n  case_of_many\n"]),
    ("no program", [(None, "unit")], "", [], 1, [], ["not run again: t0"]),
    ("no test of that kind", [(PASSES, "interop")], "", [], 1, [], []),
]


def check(name, tests, sanitizers, before, status, alone, words):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        build = root / "build"
        (root / "tools").mkdir()
        build.mkdir()
        shutil.copy(TOOL, root / "tools")
        (build / "CMakeCache.txt").write_text(f"HALYARD_SANITIZE:STRING={sanitizers}\n")
        lines = []
        for number, (script, labels) in enumerate(tests):
            file = root / f"t{number}.sh"
            if script is not None:
                file.write_text(script + "\n")
            lines.append(f'add_test(t{number} "{"sh" if script else root / "none"}" "{file}")\n'
                         f'set_tests_properties(t{number} PROPERTIES LABELS "{labels}" SKIP_RETURN_CODE 77)\n')
        (build / "CTestTestfile.cmake").write_text("".join(lines))
        list_of_alone = build / "passed-alone.txt"
        list_of_alone.write_text("".join(line + "\n" for line in before))
        run = subprocess.run([root / "tools" / "run_tests.py", build, "unit|golden|replay|e2e"], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, env={**os.environ, "CI": "true"})
        found = list_of_alone.read_text().splitlines()[len(before):]
        lacks = [word for word in words if word not in run.stdout]
        if run.returncode != status or sorted(found) != alone or lacks:
            sys.exit(f"{name}: status {run.returncode}, passed alone {found}, without {lacks}; it said:\n{run.stdout}")


for case in CASES:
    check(*case)
print(f"{len(CASES)} folders of tests: each failure is final, or run again alone, as it should")
