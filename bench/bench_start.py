#!/usr/bin/env -S python3 -B
"""How long each subcommand takes to start: from its exec until its ready line, where it has one, and for all `--help` from exec to exit.

    bench_start.py [--build build] [--rounds 20]

Best of the rounds, because a busy machine only adds to it. CPU time is the process's own, all threads, user and system, which Linux tells.
"""

import argparse
import os
import pathlib
import re
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
READY = {  # of those that serve: ports of their own, beside whatever else runs here
    "board": ["xrp", "--listen", "127.0.0.1:0"],
    "core": ["--shift", "31000"],
    "sim": ["--shift", "31000"],
    "view": ["--shift", "31000", "--listen", "127.0.0.1:0"],
    "play": ["--shift", "31000", "--listen", "127.0.0.1:0"],
}


def cpu_ms(pid):
    files = pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(file.read_text().split()[0]) for file in files) / 1e6


def start(argv):
    return subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def until_ready(argv):
    begun = time.monotonic()
    process = start(argv)
    for line in process.stdout:
        if line.startswith(b"halyard: ready"):
            took = 1000 * (time.monotonic() - begun), cpu_ms(process.pid)
            break
    else:
        raise SystemExit(f"no ready line: {' '.join(map(str, argv))}")
    process.terminate()
    process.communicate()
    return took


def until_exit(argv):
    begun = time.monotonic()
    process = start(argv)
    process.stdout.read()
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return 1000 * (time.monotonic() - begun), 1000 * (used.ru_utime + used.ru_stime)


def best(measure, argv, rounds):
    return map(min, zip(*(measure(argv) for _ in range(rounds))))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    program = given.build.resolve() / "halyard"
    words = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    print(f"{'':10} {'--help: ms':>12} {'CPU':>6} {'until ready: ms':>18} {'CPU':>6}")
    for name in re.findall(r"^  ([a-z]+) {2,}", words.partition("Examples")[0], re.MULTILINE):
        line = "{:10} {:12.1f} {:6.1f}".format(name, *best(until_exit, [program, name, "--help"], given.rounds))
        if name in READY:
            line += " {:18.1f} {:6.1f}".format(*best(until_ready, [program, name, *READY[name]], given.rounds))
        print(line, flush=True)


if __name__ == "__main__":
    main()
