#!/usr/bin/env -S python3 -B
"""Which branches of the parsers, of what reads bytes and texts from outside, neither their tests nor a short fuzzing take.

    coverage.py                  all of them; build/coverage is built first
    coverage.py --only wpilog    those whose name begins so

Branches are clang's: each condition has a true and a false one. Those within assert() do not count. A branch that cannot be taken
has its reason at the line, a comment with "coverage:", or below, where it is that of many lines.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build/coverage"
REASONS = [
    ("it is written at the line", "both", r"coverage:"),
    ("it says what is wrong, and is always false", "true", r"(yaml_fail|read_no_memory|\bwrong|\bfail_at)\("),
    ("memory ran out: make inject and test_memory", "true", r"\b(more|made|spec|parser|obstacle|data|lidar|sensor|choice|c) == NULL$|hy_mat_spec_make\(|YAML_MEMORY"),
    ("memory ran out, likewise", "false", r"^(self|data|lidar|list\.at) != NULL$|hy_mat_spec_make\(|hy_read_no_memory\("),
    ("a switch over all values, and what is none of them", "both", r"^case HY_WIRE_(KINDS|UNKNOWN)$"),
    ("snprintf() does not fail", "true", r"^(size|length) < 0$"),
]  # fmt: skip

# Of each parser: its files, its tests, its fuzz targets.
PARSERS = {
    "packets": ("src/wire/blocks.[ch] src/wire/xrp.c src/wire/teensy.c src/wire/dialect.c", "test_wire_(blocks|codec|dialect)$", "wire_decode"),
    "match messages": ("src/icd/read.c src/icd/fields.c src/icd/weave.c", "test_icd_", "icd"),
    "json": ("src/text/json_read.c src/text/json_values.c src/text/decimal.c src/text/utf8.c", "test_text_|test_icd_|test_nt_|test_telemetry_nt4$",
             "icd pad_script nt4_messages nt4_values"),
    "http": ("src/web/request.c src/web/origin.c src/web/accept_key.c src/web/frames.c", "test_web", "web"),
    "http client": ("src/web/caller.c", "test_web_caller$|test_nt_uplink$", "nt_uplink"),
    "addresses": ("src/link/endpoint_text.c src/robot/url.c src/config/number.c", "test_link_endpoint_text$|test_robot_find$", "text"),
    "world files": ("src/config/schema.c src/config/file.c src/worldfile/field.c src/worldfile/keys.c src/worldfile/mat.c src/worldfile/picture.c"
                    " src/worldfile/robot_config.c src/worldfile/robot_file.c src/worldfile/vehicle.c src/worldfile/worldfile.c",
                    "test_world_(load|mat|power|sensors|tank)$|test_match_load$|test_robot_traits$", "match picture robot_config robot_yaml world_yaml text"),
    "compiled worlds": ("src/match/spec_bytes.c src/match/compile.c", "test_match_(load|edges)$", "world_spec match"),
    "pad scripts": ("src/player/script.c", "test_player_script$", "pad_script"),
    "drive scripts": ("apps/robot/script.c", "test_drive_script$", "script"),
    "dump": ("apps/tools/hex.c apps/tools/capture.c", "test_dump$", "hex capture"),
    "ready lines": ("apps/cli/ready_line.c", "test_ready_line$", "ready_line"),
    "keys": ("src/input/keys.c src/input/key_pad.c src/input/stick.c", "test_input_", "input"),
    "halsim": ("src/halsim/inputs.c", "test_halsim_", "halsim"),
    "nt4": ("src/telemetry/nt4_messages.c src/telemetry/nt4_values.c src/nt/hub_messages.c", "test_telemetry_nt4$|test_nt_", "nt4_messages nt4_values nt_hub"),
    "wpilog": ("src/telemetry/wpilog_read.c src/telemetry/numbers.c src/record/log_player.c", "test_log_|test_record|test_series$|test_telemetry$", "wpilog replay"),
    "pages": ("src/view/clients.c src/view/page.c", "test_view_|test_view$", "view"),
    "sim's inputs": ("src/sim/input.c", "test_sim", "sim_input"),
}  # fmt: skip


def call(*argv, **more):
    return subprocess.run(argv, capture_output=True, text=True, check=False, **more)


def build(tests, targets):
    if not (BUILD / "build.ninja").exists():
        flags = "-O1 -fprofile-instr-generate -fcoverage-mapping"
        made = call("cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_COMPILER=clang", "-DHALYARD_FUZZ=ON",
                    "-DHALYARD_FUZZ_CMP=OFF", "-DBUILD_TESTING=ON", f"-DCMAKE_C_FLAGS={flags}")  # fmt: skip
        if made.returncode:
            sys.exit(made.stderr)
    made = call("cmake", "--build", BUILD, "--target", "halyard", *sorted({re.sub(r"_\d+$", "", name) for name in tests}), *targets)
    if made.returncode:
        sys.exit(made.stdout[-3000:] + made.stderr)


def all_tests():
    """Programs only: what a script starts is not this build's."""
    listed = json.loads(call("ctest", "--test-dir", BUILD, "--show-only=json-v1").stdout)
    return {test["name"]: test for test in listed["tests"]
            if any((ROOT / "tests").rglob(re.sub(r"_\d+$", "", test["name"]) + ".c"))}  # fmt: skip


def run_test(test, profiles):
    properties = {item["name"]: item["value"] for item in test["properties"]}
    environment = dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
    environment["LLVM_PROFILE_FILE"] = str(profiles / f"{test['name']}-%p.profraw")
    done = call(*test["command"], cwd=properties.get("WORKING_DIRECTORY", BUILD), env={**os.environ, **environment}, stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"{test['name']} fails: {(done.stdout + done.stderr)[-6000:]}")


def fuzz(name, runs, profiles):
    folders = [folder for folder in (ROOT / "build/fuzz/found" / name, ROOT / "fuzz/corpus" / name) if folder.is_dir()]
    new = BUILD / "new" / name
    new.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "LLVM_PROFILE_FILE": str(profiles / f"{name}.profraw")}
    done = call(BUILD / "fuzz" / name, new, *folders, f"-runs={runs}", "-seed=1", "-max_total_time=120",
                f"-artifact_prefix={BUILD}/", env=environment)  # fmt: skip
    if done.returncode:
        sys.exit(f"{name} fails: {done.stderr[-2000:]}")


def untaken(profiles, programs, files):
    """Of each file how many branches there are, and the list of those that were not taken."""
    raw = [str(path) for path in profiles.glob("*.profraw")]
    merged = profiles / "all.profdata"
    call("llvm-profdata", "merge", "-sparse", "-o", merged, *raw)
    objects = [part for program in programs[1:] for part in ("-object", program)]
    exported = call("llvm-cov", "export", f"-instr-profile={merged}", programs[0], *objects, *files)
    if exported.returncode:
        sys.exit(exported.stderr)
    counts = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    for entry in json.loads(exported.stdout)["data"][0]["files"]:
        for branch in entry["branches"]:
            both = counts[entry["filename"]][tuple(branch[:4])]
            both[0] += branch[4]
            both[1] += branch[5]
    return counts


def is_excused(way, branch, lines):
    return any(of in ("both", way) and re.search(pattern, lines if pattern == "coverage:" else branch) for _, of, pattern in REASONS)


def report(counts, lists):
    branches = taken = excused = 0
    for name in sorted(counts):
        lines = pathlib.Path(name).read_text().splitlines()
        for (line, column, _, end), both in sorted(counts[name].items()):
            text = lines[line - 1]
            if "assert(" in text or "switch (" in text[:column]:
                continue
            branches += 2
            taken += sum(count > 0 for count in both)
            for way, count in zip(("true", "false"), both, strict=True):
                here = text[column - 1 : end - 1]
                if count == 0 and is_excused(way, here, text + " " + lines[line - 2]):
                    excused += 1
                elif count == 0:
                    lists.append(f"    {pathlib.Path(name).relative_to(ROOT)}:{line}:{column} never {way}: {here}")
    return branches, taken, excused


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", help="the beginning of a parser's name")
    parser.add_argument("--runs", type=int, default=20000, help="inputs of each fuzz target")
    given = parser.parse_args()
    chosen = {name: row for name, row in PARSERS.items() if given.only is None or name.startswith(given.only)}
    build([], [])
    known = all_tests()
    tests = {name for name in known for row in chosen.values() if re.match(row[1], name)}
    targets = {f"fuzz_{word}" for row in chosen.values() for word in row[2].split()}
    build(tests, targets)
    known = all_tests()  # ctest names the command of a test once it is built
    missing = 0
    for name, (files, pattern, words) in chosen.items():
        profiles = BUILD / "profiles" / name.replace(" ", "_").replace("'", "")
        profiles.mkdir(parents=True, exist_ok=True)
        for old in profiles.iterdir():
            old.unlink()
        ran = [test for test in sorted(tests) if re.match(pattern, test)]
        for test in ran:
            run_test(known[test], profiles)
        for word in words.split():
            fuzz(f"fuzz_{word}", given.runs, profiles)
        programs = [known[test]["command"][0] for test in ran] + [str(BUILD / "fuzz" / f"fuzz_{word}") for word in words.split()]
        programs.append(str(BUILD / "halyard"))  # which whole-program tests start
        sources = [str(path) for pattern in files.split() for path in sorted(ROOT.glob(pattern))]
        lists = []
        branches, taken, excused = report(untaken(profiles, programs, sources), lists)
        share = 100 * taken / max(branches, 1)
        print(f"{name}: {branches} branches, {taken} taken ({share:.1f} %), {excused} have a reason, {len(lists)} have none", flush=True)
        print("".join(f"{line}\n" for line in lists), end="", flush=True)
        missing += len(lists)
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
