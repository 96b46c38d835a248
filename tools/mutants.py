#!/usr/bin/env -S python3 -B
"""Changes one place of a part's code, builds the part's tests, and sees whether one of them fails; a sample of places.

    mutants.py --part wire --count 200       a sample of 200; what was tried before with this code is not tried again
    mutants.py --part wire --again           those that survived, once more, with tests that were written since; also with --sanitize
    mutants.py --beyond 200 --count 60       the next 60 of each part: of a sample for which tests were written they tell more
    mutants.py --seconds 3600                all parts in turn, for an hour
    mutants.py --sum                         what is known so far

A mutant that does not compile, or that compiles to the same code, is none. Results: build/mutants/results.jsonl.
Why one survives is told in tools/mutants_survive.txt. Those that no test can notice are left out of the share that was killed.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build/mutants"
REASONS = ROOT / "tools/mutants_survive.txt"
SEED = 1

# Of each part: the tests that may notice, beside those whose name begins with the part's.
PARTS = {
    "wire": r"test_wire_",
    "board": r"test_board_(encoder|hash|session|stop|teensy|xrp|damage|edge|status|teensy_bytes)$",
    "link": r"test_link_",
    "icd": r"test_icd_",
    "match": r"test_match_(edges|load|rules|hash|traces)$|test_sim_same$",
    "world": r"test_world_|test_robot_traits$|test_recordings$|test_match_(edges|hash|rules|load)$|test_sim_(publish|scene)$|test_phantoms$",
    "halsim": r"test_halsim_",
    "view": r"test_view_(bucket|clients|states|told|board)$|test_view$|test_program_view$|test_scene_",
    "web": r"test_web",
    "sim": r"test_sim(_same|_scene|_input|_setup|_publish|_cli)?$|test_recordings$|test_replay$|test_robot_traits$",
}

# What is put in the place of what. Blanks keep out unary operators and pointers.
CHANGES = [
    (r"(?<![<>=!-])<(?![<=])", ["<="]), (r"<=", ["<"]), (r" > ", [" >= "]), (r">=", [">"]),
    (r"==", ["!="]), (r"!=", ["=="]), (r"&&", ["||"]), (r"\|\|", ["&&"]),
    (r" \+ ", [" - "]), (r" - ", [" + "]), (r" \* ", [" / "]), (r" / ", [" * "]),
    (r" \+= ", [" -= "]), (r" -= ", [" += "]), (r"\+\+", ["--"]), (r" & ", [" | "]), (r" \| ", [" & "]),
    (r" << ", [" >> "]), (r" >> ", [" << "]), (r"\btrue\b", ["false"]), (r"\bfalse\b", ["true"]),
    (r"!(?=[a-z(])", [""]), (r"(?<![\w.])\d+(?![\w.])", ["+1"]), (r" \? ", [" ? 0 : "]),
    (r"^\s+[a-z_]+(->\w+|\.\w+|\[\w+\])* = [^;]*;$|^\s+[a-z_]\w+\([^;{]*\);$", [";"]),
]  # fmt: skip
NOT_CODE = re.compile(r'//.*|/\*.*?\*/|"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'')

Mutant = collections.namedtuple("Mutant", "part file line column old new")


def blank(match):
    return " " * len(match.group())


def mutants_of(part):
    """All of them, in a fixed order."""
    found = []
    for path in sorted((ROOT / "src" / part).rglob("*.c")):
        # halsim's calls of the system are no logic of its own.
        if path.name.endswith(("_windows.c", "_apple.c")) or path.name == "os_posix.c":
            continue
        for number, line in enumerate(path.read_text().splitlines()):
            code = NOT_CODE.sub(blank, line)
            if code.lstrip().startswith("#") or "assert" in code.lower() or code.rstrip().endswith("\\"):
                continue
            for pattern, replacements in CHANGES:
                for at in re.finditer(pattern, code):
                    for new in replacements:
                        new = str(int(at.group()) + 1) if new == "+1" else new
                        if pattern == r" \? ":
                            new = " && 0 ? "
                        found.append(Mutant(part, str(path.relative_to(ROOT)), number, at.start(), at.group(), new))
    return found


def sample_of(part):
    """All of them and their names, in an order that is the same in every run."""
    lines, named = {}, []
    for mutant in mutants_of(part):
        lines.setdefault(mutant.file, (ROOT / mutant.file).read_text().splitlines())
        place = f"{mutant.file}:{mutant.line + 1}:{mutant.column}"
        change = f"'{mutant.old.strip()}' -> '{mutant.new.strip()}'"
        named.append((mutant, f"{place} {change}  {lines[mutant.file][mutant.line].strip()[:100]}"))
    random.Random(f"{SEED} {part}").shuffle(named)
    return named


def key_of(name):
    """A mutant's name without the number of its line, which changes with what is above it."""
    return re.sub(r":\d+:", ":", name, count=1)


def reasons():
    """Of each mutant that was looked into: whether a test could notice it, and why it survives."""
    known, could_notice, reason = {}, None, None
    for line in REASONS.read_text().splitlines():
        if line.startswith(("equal: ", "untested: ")):
            kind, reason = line.split(": ", 1)
            could_notice = kind == "untested"
        elif line.startswith("    "):
            known[line.strip()] = could_notice, reason
    return known


def children_cpu_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Tree:
    """A copy of the sources with a build folder of its own."""

    def __init__(self, number, sanitize):
        self.path = FOLDER / f"tree{number}{'_sanitize' if sanitize else ''}"
        commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        stamp = self.path / "build/commit"
        self.take_sources()  # always: a run that was killed left a mutant
        if not stamp.exists() or stamp.read_text() != commit:
            if not (self.path / "build/deps").exists():
                (self.path / "build/deps").symlink_to((ROOT / "build/deps").resolve())
            self.call("cmake", "--preset", "release", "-DBUILD_TESTING=ON", "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_FLAGS=-O1",
                      *(["-DHALYARD_SANITIZE=address,undefined"] if sanitize else []))  # fmt: skip
            stamp.write_text(commit)
        # Without the rules that run CMake again: they take longer than a mutant does.
        rules = (self.path / "build/build.ninja").read_text()
        (self.path / "build/mutants.ninja").write_text(re.sub(r"^build [^\n]*: (VERIFY_GLOBS|RERUN_CMAKE) .*\n( .*\n)*", "", rules, flags=re.M))
        self.list_tests()
        self.times_s, self.times_cpu_s, self.images = {}, {}, {}
        self.killers = collections.defaultdict(collections.Counter)

    def take_sources(self):
        """Those of the commit; files that are the same are not touched, so that they are not built again."""
        fresh = self.path / "build/fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        archive = subprocess.Popen(["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x"], cwd=fresh, stdin=archive.stdout, check=True)
        archive.wait()
        names = {path.relative_to(fresh) for path in fresh.rglob("*") if path.is_file()}
        for here in [path for path in self.path.rglob("*") if path.is_file()]:
            name = here.relative_to(self.path)
            if name.parts[0] != "build" and name not in names:
                here.unlink()
        for name in names:
            here = self.path / name
            if not (here.exists() and here.read_bytes() == (fresh / name).read_bytes()):
                here.parent.mkdir(parents=True, exist_ok=True)
                (fresh / name).replace(here)
                here.touch()
        shutil.rmtree(fresh)

    def list_tests(self):
        listed = json.loads(self.call("ctest", "--test-dir", "build", "--show-only=json-v1").stdout)
        self.tests = {test["name"]: test for test in listed["tests"]}

    def call(self, *argv):
        return subprocess.run(argv, cwd=self.path, capture_output=True, text=True, check=True)

    def build(self, *tests):
        """Whether they build; a test of whole programs needs them, too."""
        targets = {re.sub(r"_\d+$", "", test["name"]) for test in tests}  # some run in numbered parts
        if any((self.path / f"tests/e2e/{target}.c").exists() for target in targets):
            targets.add("halyard")
        return self.make(*sorted(targets))

    def make(self, *targets):
        argv = ["ninja", "-C", "build", "-f", "mutants.ninja", "-j", "1", *targets]
        return subprocess.run(argv, cwd=self.path, capture_output=True, text=True, check=False).returncode == 0

    def tests_of(self, part):
        return [test for name, test in self.tests.items() if re.match(PARTS[part], name)]

    def object_of(self, source):
        """What the file becomes in its part's library: a target, and its hash; "" if it was not built."""
        part = pathlib.Path(source).parts[1]
        target = f"src/{part}/CMakeFiles/halyard_{part}.dir/{pathlib.Path(source).relative_to(f'src/{part}')}.o"
        path = self.path / "build" / target
        return target, hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""

    def image_of(self, test):
        """Of a test that is one program and starts no other: its hash. A mutant that does not change it is not in it."""
        program = pathlib.Path(test["command"][0])
        if not any((self.path / f"tests/{kind}/{program.name}.c").exists() for kind in ("unit", "golden")):
            return None
        return hashlib.sha256(program.read_bytes()).hexdigest()

    def passes(self, test, limit_s, limit_cpu_s=resource.RLIM_INFINITY):
        properties = {item["name"]: item["value"] for item in test["properties"]}
        environment = dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
        # A session of its own: what it starts ends with it.
        process = subprocess.Popen(test["command"], cwd=properties.get("WORKING_DIRECTORY", self.path), start_new_session=True,
                                   env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        try:
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (limit_cpu_s, limit_cpu_s))
            return process.wait(limit_s) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            if process.poll() is None:
                os.killpg(process.pid, 9)
                process.wait()

    def measure(self, part, longest_s):
        """Builds the part's tests as they are, and how long each takes; those that take too long are left out."""
        if not self.build(*self.tests_of(part)):
            sys.exit(f"the tests of {part} do not build")
        self.list_tests()  # ctest names the command of a test once it is built
        sources = {mutant.file for mutant in mutants_of(part)}
        self.unchanged = {source: self.object_of(source) for source in sources}
        for test in self.tests_of(part):
            self.images[test["name"]] = self.image_of(test)
            began, began_cpu = time.monotonic(), children_cpu_s()
            passes = self.passes(test, longest_s)
            self.times_s[test["name"]] = time.monotonic() - began
            self.times_cpu_s[test["name"]] = children_cpu_s() - began_cpu
            if not passes and self.times_s[test["name"]] < longest_s:
                sys.exit(f"{test['name']} fails without a mutant")
            if not passes:
                print(f"{test['name']} takes longer than {longest_s:g} s and is left out", flush=True)
                del self.tests[test["name"]]

    def verdict(self, mutant):
        """'killed by TEST', 'survived', or why it is no mutant. The likely test is linked and run first."""
        path = self.path / mutant.file
        text = path.read_text()
        lines = text.splitlines(keepends=True)
        line = lines[mutant.line]
        lines[mutant.line] = line[: mutant.column] + mutant.new + line[mutant.column + len(mutant.old) :]
        path.write_text("".join(lines))
        killers = self.killers[mutant.file]
        try:
            if not self.make(self.unchanged[mutant.file][0]):
                return "does not compile"
            if self.object_of(mutant.file) == self.unchanged[mutant.file]:
                return "same code"
            tests = sorted(self.tests_of(mutant.part), key=lambda test: self.times_s[test["name"]] / (1 + killers[test["name"]]))
            for turn, test in enumerate(tests):
                if turn == 0 and not self.build(test) or turn == 1 and not self.build(*tests):
                    return "does not compile"
                if self.images[test["name"]] is not None and self.images[test["name"]] == self.image_of(test):
                    continue
                # A loop that does not end is known by the processor's time, which does not grow with what else runs.
                if not self.passes(test, 10 + 5 * self.times_s[test["name"]], math.ceil(1 + 2 * self.times_cpu_s[test["name"]])):
                    killers[test["name"]] += 1
                    return f"killed by {test['name']}"
            return "survived"
        finally:
            path.write_text(text)


class Results:
    def __init__(self):
        self.path, self.lock, self.known = FOLDER / "results.jsonl", threading.Lock(), {}
        if self.path.exists():
            for line in self.path.read_text().splitlines():
                entry = json.loads(line)
                if not self.known.get(entry["name"], {"verdict": ""})["verdict"].startswith("killed"):  # by whichever run
                    self.known[entry["name"]] = entry

    def add(self, mutant, name, verdict):
        entry = {"part": mutant.part, "name": name, "verdict": verdict}
        with self.lock, open(self.path, "a") as file:
            self.known[name] = entry
            file.write(json.dumps(entry) + "\n")

    def forget_survivors(self, parts):
        """But for those that no test can notice."""
        equal = {key for key, (could_notice, _) in reasons().items() if not could_notice}
        self.known = {
            name: entry
            for name, entry in self.known.items()
            if entry["part"] not in parts or entry["verdict"] != "survived" or key_of(name) in equal
        }
        self.path.write_text("".join(json.dumps(entry) + "\n" for entry in self.known.values()))

    def is_mutant(self, name):
        verdict = self.known.get(name, {"verdict": ""})["verdict"]
        return verdict == "survived" or verdict.startswith("killed")

    def sum_up(self, parts, beyond, count):
        """Of each part: how many were killed, and of those that survived the ones that a test could notice."""
        known = reasons()
        for part in parts:
            sample = [name for _, name in sample_of(part) if self.is_mutant(name)][beyond : beyond + count]
            survived = [name for name in sample if self.known[name]["verdict"] == "survived"]
            killed = len(sample) - len(survived)
            equal = [name for name in survived if key_of(name) in known and not known[key_of(name)][0]]
            if killed:
                print(f"{part}: {len(sample)} mutants, {killed} killed ({100 * killed / len(sample):.0f} %), {len(equal)} that no test "
                      f"can notice; of the others {100 * killed / (len(sample) - len(equal)):.0f} % killed")  # fmt: skip
                print("".join(f"    {name}\n" for name in sorted(set(survived) - set(equal))), end="")


def try_part(trees, part, given, results, end):
    """The first given.beyond + given.count mutants that are any, but for those that were tried before."""
    lock, counted, ahead = threading.Lock(), [0], iter(sample_of(part))

    def work(tree):
        tree.measure(part, given.longest)
        while time.monotonic() < end:
            with lock:
                mutant, name = next(ahead, (None, None))
                if mutant is None or counted[0] >= given.beyond + given.count:
                    return
                if name in results.known:
                    counted[0] += results.is_mutant(name)
                    continue
                counted[0] += 1
            verdict = tree.verdict(mutant)
            results.add(mutant, name, verdict)
            with lock:
                counted[0] -= verdict in ("does not compile", "same code")

    with concurrent.futures.ThreadPoolExecutor(len(trees)) as pool:
        for job in [pool.submit(work, tree) for tree in trees]:
            job.result()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--count", default=200, type=int, help="mutants of each part")
    parser.add_argument("--beyond", default=0, type=int, help="leave out so many of each part, for which tests were written")
    parser.add_argument("--seconds", default=1e9, type=float, help="begin none after that, of each part its share")
    parser.add_argument("--jobs", default=os.cpu_count(), type=int)
    parser.add_argument("--longest", default=600, type=float, help="seconds; tests that take longer are left out")
    parser.add_argument("--again", action="store_true", help="try those that survived once more")
    parser.add_argument("--sanitize", action="store_true", help="with the address and undefined behaviour sanitizers")
    parser.add_argument("--sum", action="store_true", help="only print what is known")
    given = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGHUP):  # which a shell lets nohup(1) and its jobs ignore, and tests raise
        signal.signal(number, signal.SIG_DFL)
    FOLDER.mkdir(parents=True, exist_ok=True)
    results, parts = Results(), given.part or list(PARTS)
    if given.again:
        results.forget_survivors(parts)
    if not given.sum:
        began, trees = time.monotonic(), [Tree(number, given.sanitize) for number in range(given.jobs)]
        for done, part in enumerate(parts):
            try_part(trees, part, given, results, began + given.seconds * (done + 1) / len(parts))
    results.sum_up(parts, given.beyond, given.count)


if __name__ == "__main__":
    main()
