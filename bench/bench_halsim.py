#!/usr/bin/env -S python3 -B
"""WPILib's own XRP extension and ours, side by side under the same real HAL.

    bench_halsim.py --build build [--robotpy build/deps/robotpy/2026]

Instructions are callgrind's, user space only: the difference between a long and a short run, so that
starting costs nothing. CPU time is the host process's, all threads, user and system. Memory is counted
beyond none and beyond an extension that does nothing, because loading any touches pages of WPILib's own
libraries. What a process writes is its own; resident are the pages of files too, which it shares with all
that use them, and which Linux maps by 64 kB around the one that was touched.
"""

import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
OURS, THEIRS, NONE = "ours", "WPILib's", "no extension"
ROUNDS = 5


class Pair:
    """A host over the real HAL and the robot's end."""

    def __init__(self, given, extension, callgrind=None):
        libraries = [given.robotpy / "native" / part / "lib" for part in ("wpihal", "wpinet", "wpiutil")]
        self.robot = start([given.build / "bench/halsim_robot"])
        port = self.robot.stdout.readline().strip()
        environment = {
            **os.environ,
            "LD_LIBRARY_PATH": ":".join(map(str, libraries)),
            "HALSIMXRP_HOST": "127.0.0.1",
            "HALSIMXRP_PORT": port,
        }
        if extension is not None:
            environment["HALSIM_EXTENSIONS"] = str(extension)
        tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={callgrind}"] if callgrind else []
        host = [given.build / "tests/interop/ext_hal_host", libraries[0] / "libwpiHal.so"]
        self.host = start([*tool, *host], env=environment, stderr=subprocess.PIPE)

    def tell(self, command):
        self.host.stdin.write(command + "\n")
        self.host.stdin.flush()
        for line in self.host.stdout:
            if line.startswith("> "):
                return line[2:].strip()
        raise SystemExit(f"the host ended at '{command}': {self.host.stderr.read()}")

    def spray(self, *numbers):
        self.robot.stdin.write(" ".join(map(str, numbers)) + "\n")
        self.robot.stdin.flush()
        return int(self.robot.stdout.readline())

    def prepare(self):
        """What an XRP program has: a motor, two encoders, a gyro."""
        self.tell("init")
        self.tell("device XRPMotor:motorL")
        self.tell("value XRPMotor:motorL speed 1,2 0")
        self.tell("encoder 4 5")
        self.tell("encoder 6 7")
        self.tell("device Gyro:XRPGyro")
        for name in ("rate_x", "rate_y", "rate_z", "angle_x", "angle_y", "angle_z"):
            self.tell(f"value Gyro:XRPGyro {name} 0,2 0")
        self.tell("enable 1")
        time.sleep(0.1)
        self.tell("step")
        time.sleep(0.1)

    def receive(self, count, burst, pause_us):
        lost_before = lost_datagrams(self.host.pid)
        self.spray(count, burst, pause_us)
        for _ in range(100):
            if self.tell("analog 7") == "3.5" or lost_datagrams(self.host.pid) > lost_before:
                break
            time.sleep(0.1)
        if lost_datagrams(self.host.pid) > lost_before:
            raise SystemExit("statuses were lost before they were read: this machine is too busy to measure on")

    def close(self):
        self.host.stdin.write("exit\n")
        self.host.stdin.flush()
        words = self.host.communicate()[1]
        self.robot.communicate()
        return words


def lost_datagrams(pid):
    """What the system has dropped because the process's sockets were full."""
    files = [os.readlink(file) for file in pathlib.Path(f"/proc/{pid}/fd").iterdir()]
    sockets = [line.split() for line in pathlib.Path("/proc/net/udp").read_text().splitlines()[1:]]
    return sum(int(fields[-1]) for fields in sockets if f"socket:[{fields[9]}]" in files)


def start(argv, **more):
    pipe = subprocess.PIPE
    return subprocess.Popen(argv, stdin=pipe, stdout=pipe, text=True, **more)


def instructions(given, extension, work):
    with tempfile.TemporaryDirectory() as folder:
        pair = Pair(given, extension, callgrind=f"{folder}/out")
        pair.prepare()
        work(pair)
        words = pair.close()
    return int(re.search(r"Collected : (\d+)", words).group(1))


def instructions_each(given, extension, work, short, long):
    few = instructions(given, extension, lambda pair: work(pair, short))
    many = instructions(given, extension, lambda pair: work(pair, long))
    return (many - few) / (long - short)


def drive(pair, count):
    pair.tell(f"drive XRPMotor:motorL speed {count} 300000")


def receive(pair, count):
    pair.receive(count, 32, 500000)


def cpu_of_driving(given, extension):
    pair = Pair(given, extension)
    pair.prepare()
    drive(pair, 10000)
    each_us = float(pair.tell("drive XRPMotor:motorL speed 50000 300000"))  # below 65536: then ours sends twice
    heard = pair.spray(0)
    pair.close()
    return each_us, heard


def cpu_of_receiving(given, extension, count=6400):
    pair = Pair(given, extension)
    pair.prepare()
    before_us = float(pair.tell("cpu"))
    pair.receive(count, 32, 60000)
    each_us = (float(pair.tell("cpu")) - before_us) / count
    pair.close()
    return each_us


def latency(given, extension):
    pair = Pair(given, extension)
    pair.tell("listen HALSIMXRP_PORT")
    pair.prepare()
    pair.tell("latency 1")  # the step of the preparation
    pair.tell("latency 500")
    median_us, p99_us = map(float, pair.tell("latency 2000").split())
    pair.close()
    return median_us, p99_us


def memory(given, extension):
    pair = Pair(given, extension)
    pair.prepare()
    for _ in range(100):
        pair.tell("step")
        pair.spray(1, 1, 0)
        time.sleep(0.02)
    lines = pathlib.Path(f"/proc/{pair.host.pid}/smaps_rollup").read_text().splitlines()[1:]
    pair.close()
    return {line.split(":")[0]: int(line.split()[1]) for line in lines}


def size_of(path):
    with tempfile.NamedTemporaryFile() as stripped:
        subprocess.run(["strip", "-o", stripped.name, path], check=True)
        return os.path.getsize(stripped.name)


def needs_of(path):
    words = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"NEEDED.*\[(.*)\]", words)


def row(what, theirs, ours, goal, unit):
    ratio = theirs / ours
    verdict = "" if goal is None else ("ok" if ratio >= goal else f"MISSED: 1/{goal} is the goal")
    print(f"{what:52} {theirs:12,.2f} {ours:12,.2f} {unit:4} 1/{ratio:.1f}  {verdict}", flush=True)


def median_of(given, extension, measure):
    return statistics.median(measure(given, extension) for _ in range(ROUNDS))


def compare_memory(given, theirs, ours):
    with tempfile.TemporaryDirectory() as folder:
        idle = pathlib.Path(folder) / "idle.so"
        source = "int HALSIM_InitExtension(void); int HALSIM_InitExtension(void) { return 0; }"
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", idle], input=source, text=True, check=True)
        for kind, what in (("Anonymous", "memory that it wrote at 50 Hz"), ("Rss", "resident, shared pages too")):
            used = [median_of(given, each, lambda *a: memory(*a)[kind]) for each in (theirs, ours, idle, None)]
            row(f"{what}, beyond an idle extension", used[0] - used[2], used[1] - used[2], None, "kB")
            row(f"{what}, beyond none", used[0] - used[3], used[1] - used[3], None, "kB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--robotpy", type=pathlib.Path)
    given = parser.parse_args()
    given.build = given.build.resolve()
    given.robotpy = (given.robotpy or ROOT / "build/deps/robotpy/2026").resolve()
    theirs = given.robotpy / "xrp/extension/lib/libhalsim_xrp.so"
    ours = given.build / "ext/libhalsim_xrp.so"
    if not theirs.exists() or not shutil.which("valgrind"):
        raise SystemExit("bench_halsim needs valgrind, and RobotPy: tests/interop/setup.sh 2026 build/deps/robotpy")

    print(f"{'':52} {THEIRS:>12} {OURS:>12}")
    hal = instructions_each(given, None, drive, 1000, 3000)
    out = [instructions_each(given, each, drive, 1000, 3000) for each in (theirs, ours)]
    row("set a motor, step, datagram: instructions", *out, 25, "")
    print(f"    the HAL's own part: {hal:.0f}")
    row("inbound 128-byte status: instructions",
        *(instructions_each(given, each, receive, 320, 960) for each in (theirs, ours)), 40, "")
    row("set a motor, step, datagram: CPU time",
        *(median_of(given, each, lambda *a: cpu_of_driving(*a)[0]) for each in (theirs, ours)), 2, "us")
    row("inbound 128-byte status, bursts of 32: CPU",
        *(median_of(given, each, cpu_of_receiving) for each in (theirs, ours)), 6, "us")
    row("latency of a step's datagram: median",
        *(median_of(given, each, lambda *a: latency(*a)[0]) for each in (theirs, ours)), 2, "us")
    row("size, stripped", *(size_of(each) / 1000 for each in (theirs, ours)), None, "kB")
    print(f"    needs {' '.join(needs_of(theirs))}\n    needs {' '.join(needs_of(ours))}")
    compare_memory(given, theirs, ours)


if __name__ == "__main__":
    main()
