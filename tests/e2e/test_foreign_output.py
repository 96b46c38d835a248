#!/usr/bin/env python3
"""Nothing in a file, a message or a name steers the terminal of whoever reads about it: no program prints an escape sequence of somebody
else's, nor a line that looks like its own; and a spreadsheet computes nothing of an exported log."""
import csv
import io
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

halyard = os.environ["HALYARD_BINARY"]
folder = tempfile.TemporaryDirectory()
work = pathlib.Path(folder.name)
EVIL = "\x1b[2J\x9b31m\x7f\x07\r\u202egnp\nhalyard: ready page=http://evil"
RAW = EVIL.encode() + b"\x9b0m\xff"


def run(*arguments, status=None):
    """Its output, which has nothing but plain lines."""
    done = subprocess.run([halyard, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    printed = done.stdout + done.stderr
    try:
        text = printed.decode()
    except UnicodeDecodeError as error:
        sys.exit(f"{arguments}: no UTF-8: {error}: {printed!r}")
    for c in text:
        if (ord(c) < 0x20 and c not in "\t\n") or 0x7F <= ord(c) < 0xA0 or c in "\u202e":
            sys.exit(f"{arguments}: prints {c!r}: {printed!r}")
    if status is not None and done.returncode != status:
        sys.exit(f"{arguments}: status {done.returncode}: {printed!r}")
    return text


def expect(condition, what):
    if not condition:
        sys.exit(what)


def write(name, data):
    (work / name).write_bytes(data)
    return os.fsencode(str(work / name)).decode()


def log(entries):
    """A log of one string for each (key, value)."""
    data = b"WPILOG" + struct.pack("<HI", 0x0100, 0)

    def text(value):
        return struct.pack("<I", len(value)) + value

    def record(entry, payload):
        return b"\x7f" + struct.pack("<IIQ", entry, len(payload), 1000000) + payload

    for number, (key, value) in enumerate(entries, 1):
        data += record(0, b"\x00" + struct.pack("<I", number) + text(key) + text(b"string") + text(b""))
        data += record(number, value)
    return data


# A log: names, values, and cells of a spreadsheet.
cells = [b"=1+1", b"+cmd|x!A1", b"-2+3", b"@sum", b"\t=1", b"plain", b'a"b', b"two\nlines", b"", RAW, b"\xe2\x82\xac", b"-1.5e-3", b"--players 2", b"--N(1)"]
path = write("foreign.wpilog", log([(b"/k%d" % i, cell) for i, cell in enumerate(cells)] + [(b"=cmd" + RAW, b"x")]))
done = subprocess.run([halyard, "replay", path, "--export", "csv"], capture_output=True, timeout=60)
rows = list(csv.reader(io.StringIO(done.stdout.decode(), newline="")))[1:]
expect([row[2] for row in rows[:5]] == ["'=1+1", "'+cmd|x!A1", "'-2+3", "'@sum", "'\t=1"], f"cells are computed: {rows}")
expect([row[2] for row in rows[5:9]] == ["plain", 'a"b', "two\nlines", ""], f"cells are changed: {rows}")
expect(rows[10][2] == "\u20ac", f"a letter is changed: {rows}")
expect([row[2] for row in rows[11:14]] == ["-1.5e-3", "--players 2", "'--N(1)"], f"signs: {rows}")
expect(rows[14][1].startswith("'=cmd"), f"a key is computed: {rows}")
run("replay", path, "--export", "csv", status=0)
run("replay", path, "--verify", status=2)
run("calibrate", "--from", path, "--out", str(work / "x.yaml"), status=1)

# A message of the simulator, in a capture.
message = b'{"leftJoystick":[0,0],"rightJoystick":[0,0],"name":"' + "\x9b31m\u202e".encode() + b'\x1b[2J\x9b"}'
for payload in (message, b'{"heart":' + RAW):
    udp = struct.pack(">HHHH", 9, 4000, 8 + len(payload), 0) + payload
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, b"\x7f\0\0\1", b"\x7f\0\0\1") + udp
    capture = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101) + struct.pack("<IIII", 0, 0, len(ip), len(ip)) + ip
    pcap = write("foreign.pcap", capture)
    expect("sticks" in run("dump", "--pcap", pcap), "the message is not shown")
    run("dump", "--pcap", pcap, "--json")

# Files that are refused, by what they hold and by how they are called.
board = ("board", "xrp", "--listen", "127.0.0.1:0", "--duration", "0.1")
for option in ("--faults", "--robot", "--world"):
    run(*board, option, write("foreign.yaml", b"loss" + RAW), status=2 if option != "--world" else None)
    run(*board, option, write("foreign.yaml", b"name: " + RAW.replace(b"\n", b"") + b"\n" + RAW))
    run(*board, option, write("foreign.yaml", b'"k\\e[2J\\x9b\\n": 1\n'))
    run(*board, option, str(work / EVIL.replace("/", "")))
    run(*board, option, EVIL)
run("drive", "virtual", "--script", write("foreign.txt", RAW))
run("drive", "virtual", "--script", write("foreign.txt", b"0 say \x1b[2J\xc2\x9b\n+0.1 quit\n"))
for arguments in (
    ("replay", EVIL), ("replay", write("foreign" + EVIL.replace("/", ""), RAW), "--verify"), ("board", EVIL), (EVIL,), ("--" + EVIL,),
    ("drive", "xrp://" + EVIL), ("doctor", "xrp://" + EVIL), ("doctor", "xrp://" + EVIL, "--json"), ("conform", "xrp://" + EVIL, "--json"),
    ("conform", "xrp://" + EVIL), ("dump", "--hex", EVIL), ("dump", "--pcap", EVIL), ("dump", "--interface", EVIL[:40]), ("sim", "--config", EVIL),
    (*board, "--record", "/nowhere/" + EVIL), (*board, "--truth", "/nowhere/" + EVIL), (*board, "--listen", EVIL), (*board, "--press", EVIL),
    ("joystick", "--script", EVIL), ("view", "--config", EVIL), ("core", "--bot", "hard", "--config", EVIL),
):
    run(*arguments)
program = write("flood.sh", b"#!/bin/sh\nprintf '\\033[2J\\302\\233\\233\\n'\nprintf '\\033[2J\\n' >&2\n")
os.chmod(program, 0o700)
text = run("conform", "client", "--listen", "127.0.0.1:0", "--duration", "2", "--", program)
expect("| ?[2J" in text, f"the program's lines are not shown: {text}")
print("no terminal is steered")
