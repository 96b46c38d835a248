#!/usr/bin/env -S python3 -B
"""What recording a match of six robots costs: two equal matches that bots play, one of them with --record, beside each other in real time.

    bench_record.py [--build build] [--seconds 30] [--rounds 3]

Told is the processor's time of both matches, all programs and threads, user and system, in per cent of a core; the difference, of which the median of all
rounds counts; and how long the file becomes in an hour. Both run at the same time, so that other work on the machine disturbs both alike.
"""

import argparse
import os
import pathlib
import signal
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
START_S = 5  # the match's first seconds are not measured


def stat_of(pid):
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def cpu_s(play):
    """Of `halyard play` and all that it has started."""
    total = 0
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = stat_of(folder.name)
            if play.pid in (int(folder.name), int(fields[1])):
                total += int(fields[11]) + int(fields[12])
        except OSError:
            continue  # it has ended
    return total / os.sysconf("SC_CLK_TCK")


def start_match(halyard, shift, *more):
    words = [halyard, "play", "--players", "0", "--bots", "6", "--seconds", "600", "--listen", "127.0.0.1:0", "--shift", str(shift), *more]
    play = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    for line in play.stdout:
        if line.startswith("halyard: ready"):
            return play
    raise RuntimeError(f"halyard play is not ready: {words}")


def measure(given, path):
    plays = []
    try:
        plays.append(start_match(given.halyard, 20000))
        plays.append(start_match(given.halyard, 20100, "--record", path))
        time.sleep(START_S)
        began, before, size = time.monotonic(), [cpu_s(play) for play in plays], path.stat().st_size
        time.sleep(given.seconds)
        took = time.monotonic() - began
        shares = [(cpu_s(play) - start) / took * 100 for play, start in zip(plays, before, strict=True)]
        return shares, (path.stat().st_size - size) / took * 3600 / 1e6
    finally:
        for play in plays:
            play.send_signal(signal.SIGTERM)
            play.communicate()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    given.halyard = given.build.resolve() / "halyard"
    differences = []
    for number in range(given.rounds):
        with tempfile.TemporaryDirectory() as folder:
            (without, recorded), megabytes = measure(given, pathlib.Path(folder) / "match.wpilog")
        differences.append(recorded - without)
        print(f"round {number + 1}: {without:.2f} % of a core without, {recorded:.2f} % with --record: {recorded - without:+.2f} %; {megabytes:.0f} MB an hour", flush=True)
    print(f"median: {statistics.median(differences):+.2f} % of a core (wanted: at most 1)")


if __name__ == "__main__":
    main()
