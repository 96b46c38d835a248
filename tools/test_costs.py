#!/usr/bin/env python3
"""Measures what each test of `make test` and `make check-interop` takes alone, and writes tests/costs.txt, from which ctest takes
their order.

  tools/test_costs.py BUILD_FOLDER [NAMES]     NAMES: measure only what the regular expression finds, and keep the other lines

Run it on a machine that does nothing else, when tests have become longer or shorter. A test that takes less than a quarter of a
second is left out.
"""
import json
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FILE = os.path.join(ROOT, "tests", "costs.txt")
KINDS = "^(unit|golden|replay|e2e|interop)$"
LEAST_S = 0.25
HEAD = """# What tests take alone: seconds of time, and seconds of processors. Written by tools/test_costs.py. ctest begins with those that take
# longest, so that none of them ends a run alone (cmake/HalyardParts.cmake). A test that is not here takes less than a quarter of a second.
"""


def measure(test):
    properties = {entry["name"]: entry["value"] for entry in test["properties"]}
    environment = dict(os.environ)
    environment.update(line.split("=", 1) for line in properties.get("ENVIRONMENT", []))
    begin_s = time.monotonic()
    process = subprocess.Popen(test["command"], cwd=properties["WORKING_DIRECTORY"], env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 77):
        sys.exit(f"{test['name']} fails: status {process.returncode}")
    return time.monotonic() - begin_s, usage.ru_utime + usage.ru_stime


def main():
    build, names = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    listed = subprocess.check_output(["ctest", "--test-dir", build, "--show-only=json-v1", "-L", KINDS])
    tests = {test["name"]: test for test in json.loads(listed)["tests"]}
    costs = {}
    if names is not None:
        with open(FILE, encoding="utf-8") as file:
            rows = [line.split() for line in file if not line.startswith("#")]
        costs = {name: (float(time_s), float(cpu_s)) for name, time_s, cpu_s in rows if name in tests}
    for name, test in sorted(tests.items()):
        if names is None or re.search(names, name):
            costs[name] = measure(test)
            print(f"{name} {costs[name][0]:.1f} {costs[name][1]:.1f}", flush=True)
    lines = [f"{name} {time_s:.1f} {cpu_s:.1f}\n" for name, (time_s, cpu_s) in sorted(costs.items()) if time_s >= LEAST_S]
    with open(FILE, "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(lines))


main()
