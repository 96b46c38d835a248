#!/usr/bin/env -S python3 -B
"""tshark records what WPILib and the virtual XRP say to each other; `halyard dump` reads the same from it.

run_dump.py --halyard build/halyard --work build/interop
"""

import json
import shutil
import struct
import subprocess

import harness
from harness import Board, DriverStation, Program, RobotProgram, TestError

COMMAND_SIZE, STATUS_SIZE = 45, 128


def play(checks, programs, given, work):
    tshark = shutil.which("tshark")
    if not tshark:
        harness.skip("there is no tshark here (make setup-ci installs it)")
    board = Board(given.halyard, work)
    programs.append(board)
    capture = work / "capture.pcapng"
    capture.unlink(missing_ok=True)
    recorder = record(tshark, board, capture, work)
    programs.append(recorder)

    station = DriverStation()
    robot = RobotProgram("xrp_circle", board, given.season, work)
    programs.append(robot)
    station.control = DriverStation.AUTONOMOUS
    robot.wait_for(lambda: robot.last_note()["t_s"] > 2, 10, "two seconds of its loop")
    robot.stop()
    station.close()
    board.stop()
    recorder.stop()

    payloads = payloads_by_tshark(tshark, board, capture)
    packets = packets_by_dump(given.halyard, capture)
    judge(checks, payloads, packets)


def record(tshark, board, capture, work):
    argv = [tshark, "-q", "-i", "lo", "-f", f"udp port {board.port}", "-w", capture]
    recorder = Program("tshark", argv, work / "tshark.log")
    try:
        recorder.wait_for(lambda: "Capturing on" in recorder.log() and capture.exists(), 20, "recording")
    except TestError as error:
        harness.skip(f"tshark may not record here: {error}: {recorder.log().strip()}")
    return recorder


def payloads_by_tshark(tshark, board, capture):
    argv = [tshark, "-r", capture, "-Y", f"udp.port == {board.port}", "-T", "fields", "-e", "udp.payload"]
    lines = subprocess.run(argv, check=True, capture_output=True, text=True).stdout.split()
    return [bytes.fromhex(line.replace(":", "")) for line in lines]


def packets_by_dump(halyard, capture):
    dump = subprocess.run([halyard, "dump", "--pcap", capture, "--json"], capture_output=True, text=True)
    if dump.returncode != 0:
        raise TestError(f"halyard dump ended with status {dump.returncode}: {dump.stderr.strip()}")
    return [json.loads(line) for line in dump.stdout.splitlines()]


def judge(checks, payloads, packets):
    commands = [payload for payload in payloads if len(payload) == COMMAND_SIZE]
    statuses = [payload for payload in payloads if len(payload) == STATUS_SIZE]
    checks.check("tshark saw WPILib's commands", len(commands) >= 50, f"{len(commands)}")
    checks.check("tshark saw the robot's statuses", len(statuses) >= 20, f"{len(statuses)}")
    checks.check("and nothing else", len(commands) + len(statuses) == len(payloads))
    checks.check(
        "halyard dump reads as many", len(packets) == len(payloads), f"{len(packets)} of {len(payloads)}"
    )
    errors = [packet["error"] for packet in packets if packet["error"]]
    checks.check(
        "and finds nothing wrong with them", not errors, f"first error: {errors[0]}" if errors else ""
    )
    heads = [struct.unpack(">HB", payload[:3]) for payload in payloads]
    read = [(packet["seq"], packet["control"]) for packet in packets]
    checks.check("in the same order, with the same heads", heads == read)
    efforts = [block["value"] for packet in packets for block in packet["blocks"] if block["kind"] == "motor"]
    checks.check("the motors' efforts are in it", any(effort != 0 for effort in efforts))


if __name__ == "__main__":
    harness.main(__doc__, play)
