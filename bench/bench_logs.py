#!/usr/bin/env -S python3 -B
"""What a double costs two writers of log files, in turns: ours, and MCAP's own for Rust without chunks.

    bench_logs.py [--build build] [--rounds 5]

Each record has a time of its own, and its bytes end in memory. cargo has to be there; it fetches MCAP from its registry. Told is the median of
what a tenth of each program's rounds did not exceed, in the processor's time.
"""

import argparse
import pathlib
import shutil
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
PEER = ROOT / "bench/log_peers"


def build_mcap(work):
    copy = work / "mcap"
    shutil.copytree(PEER, copy, dirs_exist_ok=True)  # cargo writes beside its input
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=copy, check=True)
    return copy / "target/release/mcap-writes"


def cost_of_mcap(program):
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()
    return sorted(float(line) for line in lines)[len(lines) // 10]


def cost_of_ours(program):
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    line = next(line for line in lines if line.startswith("double, copied out"))
    return float(line.split("out")[1].split()[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    build = given.build.resolve()
    work = build / "bench/log_peers"
    work.mkdir(parents=True, exist_ok=True)
    mcap = build_mcap(work)
    ours, theirs = [], []
    for _ in range(given.rounds):
        ours.append(cost_of_ours(build / "bench/bench_telemetry"))
        theirs.append(cost_of_mcap(mcap))
    first = statistics.median(ours)
    for name, values in (("Halyard's WPILOG", ours), ("MCAP without chunks", theirs)):
        ns = statistics.median(values)
        print(f"{name:20} {ns:6.1f} ns a double, {1000 / ns:5.1f} million a second, {ns / first:4.1f} times ours")


if __name__ == "__main__":
    main()
