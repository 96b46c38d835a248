#!/usr/bin/env python3
"""Runs tests beside each other, and runs those that failed once more alone.

  tools/run_tests.py BUILD_FOLDER KINDS [NAMES]     KINDS, NAMES: regular expressions for ctest's labels and names of tests

A test that waits for programs and sockets can fail because the machine does other work. It is run again with nothing beside it; if it
then passes, `passed alone: NAME` is printed, the name is added to build/passed-alone.txt, and the run goes on. More than three names in
that file fail the run: `make test` and `make check` begin with an empty file, .ci/run has one for both.

A failure that no other work explains is final: a sanitizer's report (also in a test that passed), a signal, a golden file or hash that
differs. With CI=true a skipped test fails the run. What a test leaks that failed is not counted: it ended in the middle.
"""
import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PASSED_ALONE = ROOT / "build" / "passed-alone.txt"
COUNTS = ROOT / "build" / "test-counts.txt"
PASSED_ALONE_MOST = 3
BESIDE = ROOT / "build" / "check" / "beside.lock" # who runs beside tests holds it (tools/check.sh)

# The label of tests whose verdict does not depend on how busy the machine is (cmake/HalyardParts.cmake).
EXACT = "exact"
# What the output of a failed test may hold, and what that means.
FINAL_OUTPUT = [
    (r"[Ss]anitizer|: runtime error: ", "a sanitizer reported an error"),
    (r"\bmismatch\b", "a golden file or hash differs"),
    (r"Test failed with exception|a program was ended by signal|Segmentation fault|Bus error|Illegal instruction|Floating point exception|"
     r"^Aborted|Assertion .* failed|ended with status -(4|6|7|8|11)\b", "a signal ended a program"),
]
SUMMARY_OF_FAILED = re.compile(r"^\s+\d+ - (\S+) \(([^)]+)\)") # ctest's last lines: the name, why it failed, in newer ones its labels


class Test:
    def __init__(self, case, reasons, labels):
        self.name = case.get("name")
        self.output = case.findtext("system-out") or ""
        self.labels = labels.get(self.name, set())
        skipped = case.find("skipped")
        self.is_skipped = skipped is not None and skipped.get("message", "").startswith("SKIP_")
        self.reason = None if self.is_skipped or case.get("status") == "run" else reasons.get(self.name, "Not Run")

    def skipped_parts(self):
        """The whole test, or the cases that cmocka skipped in a test that passed."""
        return [self.name] if self.is_skipped else re.findall(r"^\[  SKIPPED \] (\S+)$", self.output, re.MULTILINE)

    def why_final(self):
        """Why its failure is final; None: it may be run again."""
        if EXACT in self.labels:
            return "its verdict does not depend on how busy the machine is"
        if self.reason not in ("Failed", "Timeout"):
            return f"ctest: {self.reason}" # a signal, or there is no such program
        return next((why for words, why in FINAL_OUTPUT if re.search(words, self.output, re.MULTILINE)), None)

    def passed(self):
        return self.reason is None and not self.skipped_parts()

    def is_program(self, name):
        """Whether `name` is this test's program: one of several tests may be test_view_2."""
        return re.fullmatch(rf"{re.escape(name)}(_\d+|_long)?", self.name) is not None


class Report:
    """What a sanitizer reported of one process."""

    def __init__(self, path):
        self.path = path
        self.text = path.read_text(errors="replace")
        self.program = path.name.split(".")[1]
        self.is_leak = "LeakSanitizer: detected memory leaks" in self.text


class Suite:
    """The tests of one build folder."""

    def __init__(self, build, kinds):
        self.build = build.resolve()
        self.log = self.build / f"ctest-{kinds.replace('|', '-')}.log"
        self.reports = self.build / "sanitizer-reports"
        self.sanitizers = self.cached("HALYARD_SANITIZE")
        self.labels = {test["name"]: {label for entry in test.get("properties", []) if entry["name"] == "LABELS"
                                      for label in entry["value"]} for test in self.list_tests()}
        self.log.write_text("")
        shutil.rmtree(self.reports, ignore_errors=True)
        self.reports.mkdir()

    def cached(self, variable):
        cache = (self.build / "CMakeCache.txt").read_text()
        found = re.search(rf"^{variable}:[A-Z]*=(.*)$", cache, re.MULTILINE)
        return found[1] if found else ""

    def list_tests(self):
        return json.loads(subprocess.check_output(["ctest", "--test-dir", self.build, "--show-only=json-v1"]))["tests"]

    def environment(self):
        """With it sanitizers report to files: many tests read what their programs print, or kill them."""
        options = f"log_path={self.reports}/report:log_exe_name=1"
        ours = {name: options for name in ("ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS")} if self.sanitizers else {}
        return {**os.environ, "CLICOLOR_FORCE": "0", **{name: ":".join(filter(None, [os.environ.get(name), value])) for name, value in ours.items()}}

    def run(self, *arguments):
        """Runs ctest, shows what it prints; returns a Test each."""
        results = self.build / "ctest-results.xml"
        results.unlink(missing_ok=True)
        command = ["ctest", "--test-dir", self.build, "--output-on-failure", "--no-tests=error", "--output-junit", results,
                   "--test-output-size-passed", "1000000", "--test-output-size-failed", "1000000", *arguments]
        reasons = {}
        with open(self.log, "a", encoding="utf-8") as log:
            ctest = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=self.environment(),
                                     text=True, errors="replace")
            for line in ctest.stdout:
                print(line, end="", flush=True)
                log.write(line)
                if found := SUMMARY_OF_FAILED.match(line):
                    reasons[found[1]] = found[2]
        ctest.wait()
        cases = list(xml.etree.ElementTree.parse(results).getroot().iter("testcase")) if results.exists() else []
        tests = [Test(case, reasons, self.labels) for case in cases]
        if not tests or (ctest.returncode != 0 and not any(test.reason for test in tests)):
            sys.exit(f"run_tests: ctest ended with status {ctest.returncode}, but no test failed of {len(tests)}")
        return tests

    def sanitizer_reports(self, failed):
        """All but the leaks of the tests that failed."""
        reports = [Report(path) for path in sorted(self.reports.iterdir())]
        return [report for report in reports
                if not (report.is_leak and any(test.is_program(report.program) for test in failed))]


def jobs(kinds, sanitizers):
    cores = os.cpu_count() or 2
    if kinds == "interop":
        return 3 * cores # WPILib's programs run at 50 Hz, and are disabled when they are held up
    return (4 if sanitizers else 8) * cores # most of the time tests wait for clocks and sockets; sanitizers compute more


def names_passed_alone():
    return PASSED_ALONE.read_text().splitlines() if PASSED_ALONE.exists() else []


def failed_for_good(suite, failed):
    """Runs again alone what may be; returns the tests that remain failed."""
    if suite.sanitizer_reports(failed):
        return failed
    remain = []
    for test in failed:
        if why := test.why_final():
            print(f"failed, not run again: {test.name}: {why}")
            remain.append(test)
    again = [test for test in failed if test not in remain]
    room = PASSED_ALONE_MOST - len(names_passed_alone())
    if len(again) > room:
        print(f"{len(again)} more tests failed; at most {PASSED_ALONE_MOST} of a run may pass alone, so none is run again")
        return failed
    if again and BESIDE.exists():
        fcntl.flock(os.open(BESIDE, os.O_RDWR), fcntl.LOCK_EX)
    for test in again:
        print(f"\nrunning {test.name} alone")
        if [once_more.passed() for once_more in suite.run("-R", f"^{re.escape(test.name)}$")] == [True]:
            print(f"passed alone: {test.name}")
            with open(PASSED_ALONE, "a", encoding="utf-8") as file:
                file.write(test.name + "\n")
        else:
            remain.append(test)
    return remain


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    kinds, names = sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "."
    suite = Suite(Path(sys.argv[1]), kinds)
    tests = suite.run("-L", f"^({kinds})$", "-R", names, "-j", str(jobs(kinds, suite.sanitizers)))
    all_failed = [test for test in tests if test.reason]
    failed = failed_for_good(suite, all_failed)
    skipped = sorted({part for test in tests for part in test.skipped_parts()})
    if skipped:
        print("\n================ SKIPPED, so not tested: ================", *skipped, sep="\n  ")
    reports = suite.sanitizer_reports(all_failed)
    for report in reports[:5]:
        print(f"\n---- {report.path} ----\n{report.text}")
    with open(COUNTS, "a", encoding="utf-8") as file:
        file.write(f"{len(failed)} {len(tests)}\n")
    if skipped and os.environ.get("CI") == "true":
        sys.exit("CI does not accept skipped tests.")
    if failed:
        sys.exit("failed: " + " ".join(test.name for test in failed))
    if reports:
        sys.exit(f"failed: sanitizers reported {len(reports)} errors; {suite.reports} has them, and the first five are above")


main()
