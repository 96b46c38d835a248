#!/usr/bin/env -S python3 -B
"""tshark with tools/wireshark/halyard.lua and `halyard dump` read the recorded packets of tests/golden alike, the simulator's
messages too, and `halyard dump --interface` sees what passes.

run_wireshark.py --halyard build/halyard --work build/interop
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import socket
import struct
import subprocess

import harness
from harness import Program

ROOT = harness.HERE.parents[1]
GOLDEN = ROOT / "tests/golden"
DISSECTOR = ROOT / "tools/wireshark/halyard.lua"
ROBOT_PORT, CLIENT_PORT = 3540, 50000

# Fields of the dissector, and where `halyard dump --json` has the same.
ROBOT_FIELDS = {
    "hyrobot.seq": lambda packet: [packet["seq"]] if packet["seq"] is not None else [],
    "hyrobot.control": lambda packet: [packet["control"]] if packet["seq"] is not None else [],
    "hyrobot.motor": lambda packet: of_kind(packet, "motor", "value"),
    "hyrobot.servo": lambda packet: of_kind(packet, "servo", "value"),
    "hyrobot.dio": lambda packet: of_kind(packet, "dio", "value"),
    "hyrobot.analog": lambda packet: of_kind(packet, "analog", "value"),
    "hyrobot.gyro.rate": lambda packet: sum(of_kind(packet, "gyro", "rate_dps"), []),
    "hyrobot.gyro.angle": lambda packet: sum(of_kind(packet, "gyro", "angle_deg"), []),
    "hyrobot.accel": lambda packet: sum(of_kind(packet, "accel", "accel_g"), []),
    "hyrobot.encoder.count": lambda packet: of_kind(packet, "encoder", "count"),
    "hyrobot.encoder.period_num": lambda packet: of_kind(packet, "encoder", "period_num"),
    "hyrobot.encoder.period_den": lambda packet: of_kind(packet, "encoder", "period_den"),
    "hyrobot.encoder.rate": lambda packet: [
        rate for block in packet["blocks"] if (rate := encoder_rate(block)) is not None
    ],
    "hyrobot.block.channel": lambda packet: [block["id"] for block in packet["blocks"] if "id" in block],
}


def of_kind(packet, kind, key):
    return [block[key] for block in packet["blocks"] if block["kind"] == kind and key in block]


def encoder_rate(block):  # docs/spec/wire.md, section 6
    ticks, denominator = block.get("period_num", 0) >> 1, block.get("period_den", 0)
    if ticks == 0 or denominator == 0:
        return None
    sign = 1 if block["period_num"] & 1 else -1
    return 0 if ticks == 0x7FFFFFFF else sign * denominator / ticks


# ---------------------------------------------------------------------------------------------
# Captures


def write_capture(path, datagrams):
    """A capture of raw IP: (from, to, payload) each."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 0x40000, 101))
        for source, target, payload in datagrams:
            udp = struct.pack(">HHHH", source, target, 8 + len(payload), 0) + payload
            head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0)
            frame = head + bytes([127, 0, 0, 1, 127, 0, 0, 1]) + udp
            file.write(struct.pack("<IIII", 1, 0, len(frame), len(frame)) + frame)


def robot_packets(names):
    """The recorded packets; not the empty ones, which never reach a dissector."""
    lines = [line for name in names for line in (GOLDEN / name).read_text().splitlines()]
    vectors = [line.split(" | ")[1].strip() for line in lines if line.count(" | ") >= 2 and line[0] != "#"]
    return [bytes.fromhex(text) for text in vectors if text]


def run_tshark(tshark, capture, options):
    argv = [tshark, "-X", f"lua_script:{DISSECTOR}", "-r", capture, *options]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode != 0 or "Lua" in done.stderr:
        raise harness.TestError(f"tshark ended with status {done.returncode}: {done.stderr.strip()}")
    return done.stdout.splitlines()


def fields_by_tshark(tshark, capture, fields, options=()):
    chosen = [word for field in fields for word in ("-e", field)]
    lines = run_tshark(tshark, capture, ["-T", "fields", "-E", "separator=|", "-E", "aggregator=;", *chosen, *options])
    rows = [[cell.split(";") if cell else [] for cell in line.split("|")] for line in lines]
    return [dict(zip(fields, row, strict=True)) for row in rows]


def by_dump(halyard, capture, *options):
    dump = subprocess.run([halyard, "dump", "--pcap", capture, "--json", *options], capture_output=True, text=True)
    if dump.returncode != 0:
        raise harness.TestError(f"halyard dump ended with status {dump.returncode}: {dump.stderr.strip()}")
    return [json.loads(line) for line in dump.stdout.splitlines()]


# ---------------------------------------------------------------------------------------------
# Judging


def is_same(shown, value):
    """tshark shows six digits of a float; JSON has null for what is not finite."""
    number = float(shown)
    if value is None:
        return not math.isfinite(number)
    return math.isclose(number, float(value), rel_tol=1e-5, abs_tol=1e-30)


def is_alike(shown, values):
    return len(shown) == len(values) and all(map(is_same, shown, values))


def judge_robots(checks, tshark, halyard, work, dialect, names):
    packets = robot_packets(names)
    capture = work / f"{dialect}.pcap"
    write_capture(capture, [(CLIENT_PORT, ROBOT_PORT, packet) for packet in packets])
    prefer = ["-o", "hyxrp.dialect:Teensy"] if dialect == "teensy" else []
    fields = [*ROBOT_FIELDS, "hyrobot.cut_block", "hyrobot.cut_header"]
    rows = fields_by_tshark(tshark, capture, fields, prefer)
    reference = by_dump(halyard, capture, "--dialect", dialect)
    checks.check(
        f"{dialect}: tshark and dump read every recorded packet",
        len(rows) == len(reference) == len(packets) > 10,
        f"{len(rows)}, {len(reference)} of {len(packets)}",
    )
    for field, values_of in ROBOT_FIELDS.items():
        wrong = [
            f"{bytes.hex(payload)}: {row[field]} instead of {values_of(packet)}"
            for payload, row, packet in zip(packets, rows, reference, strict=True)
            if not is_alike(row[field], values_of(packet))
        ]
        count = sum(len(values_of(packet)) for packet in reference)
        checks.check(f"{dialect}: {field}", not wrong, wrong[0] if wrong else f"{count} values")
    faults = [bool(row["hyrobot.cut_block"] or row["hyrobot.cut_header"]) for row in rows]
    checks.check(
        f"{dialect}: cut packets are marked", faults == [packet["error"] is not None for packet in reference]
    )
    return faults


def icd_messages():
    lines = [line for path in sorted((GOLDEN / "icd").glob("*.jsonl")) for line in path.read_text().splitlines()]
    records = [json.loads(line) for line in lines]
    return [(record["src"], record["dst"], record["raw"].encode()) for record in records]


def judge_icd(checks, tshark, halyard, work):
    messages = icd_messages()
    capture = work / "icd.pcap"
    write_capture(capture, messages)
    reports = by_dump(halyard, capture)
    bodies = [json.loads(payload) for _, _, payload in messages]
    checks.check("dump reads every message of the simulator", [report["body"] for report in reports] == bodies)
    checks.check("and refuses none", not any(report["error"] for report in reports))

    numbers = sorted({key for body in bodies for key, value in body.items() if isinstance(value, int | float)})
    fields = ["hyicd.message", "hyicd.player", *(f"hyicd.{key}" for key in numbers)]
    rows = fields_by_tshark(tshark, capture, fields)
    checks.check("tshark reads every message", len(rows) == len(messages), f"{len(rows)} of {len(messages)}")
    said = [[report["message"], report["player"]] for report in reports]
    names = [[row["hyicd.message"][0], int(row["hyicd.player"][0])] for row in rows if row["hyicd.message"]]
    checks.check("both call them the same, of the same player", names == said)
    players = {player for _, player in said}
    checks.check("players are told from each other", players == {1 + (to % 1000) // 10 for _, to, _ in messages})
    wrong = [
        f"{key}: {row['hyicd.' + key]} instead of {body.get(key)}"
        for row, body in zip(rows, bodies, strict=True)
        for key in numbers
        if not is_alike(row["hyicd." + key], [body[key]] if key in body else [])
    ]
    checks.check(f"values of {len(numbers)} keys", not wrong and len(numbers) >= 20, wrong[0] if wrong else "")
    joystick = fields_by_tshark(
        tshark, capture, ["hyicd.leftJoystick.x", "hyicd.leftJoystick.y"], ["-Y", "hyicd.leftJoystick.x"]
    )
    sticks = [body["leftJoystick"] for body in bodies if "leftJoystick" in body]
    shown = [[float(cell[0]) for cell in row.values()] for row in joystick]
    checks.check("sticks", shown == sticks and len(sticks) > 0)
    plain = run_tshark(tshark, capture, ["-Y", "hyicd && !json"])
    checks.check("Wireshark's own JSON tree is below each", not plain, plain[0] if plain else "")


def judge_other_traffic(checks, tshark, work):
    capture = work / "other.pcap"
    write_capture(capture, [(CLIENT_PORT, 8000, b"\x80\x01binary"), (CLIENT_PORT, 8005, b"{}"), (5, 6, b"{}")])
    lines = run_tshark(tshark, capture, ["-Y", "hyicd || hyxrp || hyteensy"])
    checks.check("other traffic is left alone", not lines, lines[0] if lines else "")


def judge_live(checks, programs, halyard, work):
    dump = Program("dump", [halyard, "dump", "--interface", "lo", "--json"], work / "dump.log")
    programs.append(dump)
    try:
        dump.wait_for(lambda: "ready interface=lo" in dump.log(), 10, "ready line")
    except harness.TestError:
        if "ermission" in dump.log() or "permitted" in dump.log():
            harness.skip(f"no packets may be read from an interface here: {dump.log().strip()}")
        raise
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.sendto(bytes.fromhex("000101"), ("127.0.0.1", ROBOT_PORT))
    sender.sendto(b"{}", ("127.0.0.1", 10010))
    sender.sendto(b"\x00\x09\x00", ("127.0.0.1", 5353))
    sender.sendto(bytes.fromhex("000201"), ("127.0.0.1", ROBOT_PORT))
    dump.wait_for(lambda: '"seq":2,' in dump.log(), 10, "what was sent")
    dump.stop()
    checks.check("dump --interface sees the robot's packets", dump.log().count('"seq":') == 2, "")
    checks.check("and the simulator's", '"message":"heartbeat of the view","player":2' in dump.log())


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    build = harness.build_folder()
    binary = os.environ.get("HALYARD_BINARY", build / "halyard")
    parser.add_argument("--halyard", default=binary, type=pathlib.Path)
    parser.add_argument("--work", default=build / "interop", type=pathlib.Path)
    given = parser.parse_args()
    tshark = shutil.which("tshark")
    if not tshark:
        harness.skip("there is no tshark here (make setup-ci installs it)")
    halyard, work = given.halyard.resolve(), given.work.resolve() / "wireshark"
    work.mkdir(parents=True, exist_ok=True)
    harness.enter_own_network()
    checks, programs = harness.Checks(), []
    try:
        xrp = ["xrp/command.expected", "xrp/status.expected", "xrp/edge.expected", "wpilib/command.expected"]
        faults = judge_robots(checks, tshark, halyard, work, "xrp", [*xrp, "wpilib/status.expected"])
        checks.check("some recorded packets are cut", sum(faults) > 3, f"{sum(faults)}")
        judge_robots(checks, tshark, halyard, work, "teensy", ["teensy/command.expected", "teensy/status.expected"])
        judge_icd(checks, tshark, halyard, work)
        judge_other_traffic(checks, tshark, work)
        judge_live(checks, programs, halyard, work)
    except harness.TestError as error:
        checks.check("the test ran to its end", False, str(error))
    finally:
        for program in programs:
            program.kill()
    checks.finish(programs)


if __name__ == "__main__":
    main()
