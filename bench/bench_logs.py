#!/usr/bin/env -S python3 -B
"""What a double costs three writers of log files, in turns: ours, WPILib's own DataLogWriter, and MCAP's own for Rust without chunks.

    bench_logs.py [--build build] [--deps build/deps] [--rounds 5]

Each record has a time of its own, and its bytes end in memory. WPILib is that of the interop tests (installed if need be, and compiled against
by the system's C++ compiler); cargo fetches MCAP from its registry, and without cargo it is left out. Told is the median of what a tenth of each
program's rounds did not exceed, in the processor's time.
"""

import argparse
import pathlib
import shutil
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PEER = ROOT / "bench/log_peers"
sys.path.insert(0, str(ROOT / "tests/interop"))
import harness  # noqa: E402


def build_mcap(work):
    copy = work / "mcap"
    shutil.copytree(PEER, copy, dirs_exist_ok=True)  # cargo writes beside its input
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=copy, check=True)
    return copy / "target/release/mcap-writes"


def build_wpilib(work, deps):
    wpiutil = harness.install_season("2026", deps.resolve() / "robotpy").folder / "native/wpiutil"
    program = work / "wpilib-writes"
    words = ["c++", "-std=c++20", "-O2", PEER / "wpilib.cpp", f"-I{wpiutil}/include", f"-L{wpiutil}/lib", f"-Wl,-rpath,{wpiutil}/lib", "-lwpiutil", "-o", program]
    subprocess.run(words, check=True)
    return program


def cost_of_peer(program):
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
    parser.add_argument("--deps", type=pathlib.Path, default=ROOT / "build/deps")
    given = parser.parse_args()
    build = given.build.resolve()
    work = build / "bench/log_peers"
    work.mkdir(parents=True, exist_ok=True)
    peers = {"WPILib's DataLogWriter": build_wpilib(work, given.deps)}
    if shutil.which("cargo"):
        peers["MCAP without chunks"] = build_mcap(work)
    costs = {"Halyard's WPILOG": [], **{name: [] for name in peers}}
    for _ in range(given.rounds):
        costs["Halyard's WPILOG"].append(cost_of_ours(build / "bench/bench_telemetry"))
        for name, program in peers.items():
            costs[name].append(cost_of_peer(program))
    first = statistics.median(costs["Halyard's WPILOG"])
    for name, values in costs.items():
        ns = statistics.median(values)
        print(f"{name:22} {ns:6.1f} ns a double, {1000 / ns:5.1f} million a second, {ns / first:4.1f} times ours")


if __name__ == "__main__":
    main()
