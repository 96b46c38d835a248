#!/usr/bin/env -S python3 -B
"""WPILib's own reader of structs and `halyard replay --export csv` say the same of random schemas and values, of which some are wrong.

    run_structs.py --halyard build/halyard [--robotpy FOLDER] [--seed N]
"""

import argparse
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess

import harness

INTEGERS = {"int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8}
OTHERS = {"bool": 1, "float": 4, "float32": 4, "double": 8, "float64": 8, "char": 1}
CASES = 3000
BLANKS = ["", "", "", " ", "  ", "\n"]


def enumeration(chance):
    members = ", ".join(f"v{i} = {chance.randint(-3, 9)}" for i in range(chance.randint(0, 3)))
    return chance.choice(["enum", ""]) + chance.choice(["{", " { "]) + members + chance.choice(["} ", ", } " if members else "}"])


def member(chance, name, nested):
    """A declaration, and its size: None if it is a bit-field."""
    blank = lambda: chance.choice(BLANKS)
    kind = chance.choice([*INTEGERS, *INTEGERS, *OTHERS, *(nested if chance.random() < 0.4 else [])])
    head = enumeration(chance) if kind in INTEGERS and chance.random() < 0.3 else ""
    if kind in INTEGERS and chance.random() < 0.5:
        return f"{blank()}{head}{kind} {name}{blank()}:{blank()}{chance.randint(1, 8 * INTEGERS[kind])}{blank()}"
    if kind == "bool" and chance.random() < 0.6:
        return f"{blank()}{kind} {name}{blank()}:{blank()}1{blank()}"
    extent = f"{blank()}[{blank()}{chance.randint(2, 4)}{blank()}]" if chance.random() < 0.3 else ""
    return f"{blank()}{head}{kind} {name}{extent}{blank()}"


def schema(chance, nested):
    text = ";".join(member(chance, f"m{i}", nested) for i in range(chance.randint(1, 8))) + chance.choice(["", ";", " ; ;"])
    if chance.random() < 0.25:  # most of what is changed is wrong then
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(["", chance.choice("[]{}:;,= 0129")]) + text[at + chance.randint(0, 1):]
    return text


def record(entry, value, time_us=0):
    return b"\x7f" + struct.pack("<IIQ", entry, len(value), time_us) + value


def start(entry, name, kind):
    texts = [text.encode() for text in (name, kind, "")]
    return record(0, b"\0" + struct.pack("<I", entry) + b"".join(struct.pack("<I", len(text)) + text for text in texts))


def random_bytes(chance, size):
    """Random bytes, half of the times ASCII."""
    high = chance.choice((0x80, 0x100))
    return bytes(chance.choice((chance.randrange(0x80), chance.randrange(high), 0)) for _ in range(size))


def build_reader(season, work):
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if not compiler:
        harness.skip("no C++ compiler here")
    wpiutil = season.native("wpiutil")
    program = work / "wpilib_structs"
    words = [compiler, "-std=c++20", "-O1", "-isystem", wpiutil / "include", harness.HERE / "wpilib_structs.cpp",
             f"-L{wpiutil}/lib", f"-Wl,-rpath,{wpiutil}/lib", "-lwpiutil", "-o", program]
    subprocess.run(words, check=True)
    return program


def ask(program, lines):
    return subprocess.run([program], input="\n".join(lines) + "\n", check=True, capture_output=True, text=True).stdout


def value_of(text, width):
    """A number in the export; a width of "f32" is that of a float."""
    if width[0] == "f":
        return repr(struct.unpack("<f", struct.pack("<f", float(text)))[0] if width == "f32" else float(text))
    return int(text == "true") if text in ("true", "false") else int(text) % (1 << int(width))


def value_of_bits(bits, width):
    if width[0] == "f":
        return repr(struct.unpack("<f", struct.pack("<I", bits))[0] if width == "f32" else struct.unpack("<d", struct.pack("<Q", bits))[0])
    return bits % (1 << int(width))  # WPILib's C++ does not extend the sign of a bit-field; its Java does, as we do


def exported_text(raw):
    """ASCII text in the export: no control character but tabs and ends of lines is printed."""
    shown = "".join(c if c in "\t\n" or " " <= c <= "~" else "?" for c in raw.decode("ascii"))
    return shown.replace('"', '""')


def bare(text):
    """Without what stands around it, and without question marks: of bytes that are no UTF-8, WPILib leaves out what we show as one."""
    return text.lstrip("\"'?").rstrip('"').replace("?", "")


def has_array_of_one(i, lines):
    """Of which WPILib says that it is none: its elements have no number."""
    text = lines[i].split("\t")[2]
    return re.search(r"\[(\s|\\n)*0*1(\s|\\n)*\]", text) or any(
        has_array_of_one(int(k), lines) for k in re.findall(r"S(\d+)", text) if int(k) < len(lines) and int(k) != i and int(k) < i + 2)


def check(checks, given, season, work):
    chance = random.Random(given.seed)
    lines, log = [], [b"WPILOG\0\1" + bytes(4)]
    reader = build_reader(season, work)
    for i in range(CASES):
        nested = [f"S{k}" for k in range(max(0, i - 4), i)] + [f"S{i + 1}"] * (chance.random() < 0.1)
        text = schema(chance, nested)
        lines.append(f"schema\tS{i}\t" + text.replace("\n", "\\n"))
        log += [start(2 * i + 1, f"/.schema/struct:S{i}", "structschema"), record(2 * i + 1, text.encode())]
    sizes = [int(size) for size in ask(reader, lines + [f"size\tS{i}\t" for i in range(CASES)]).split()]
    values = [random_bytes(chance, size or 7) for size in sizes]
    for i, value in enumerate(values):
        log += [start(2 * i + 2, f"v{i}", f"struct:S{i}"), record(2 * i + 2, value, 1000)]
    path = work / "structs.wpilog"
    path.write_bytes(b"".join(log))
    exported = subprocess.run([given.halyard, "replay", path, "--export", "csv"], check=True, capture_output=True).stdout
    ours = {}
    for line in exported.decode("latin-1").split("\n0.001000,")[1:]:
        key, _, text = line.partition(",")
        channel, _, name = key.partition("/")
        ours.setdefault(channel, []).append(("/" + name, text.rstrip("\n")))
    valid = [i for i in range(CASES) if sizes[i] > 0 and not has_array_of_one(i, lines)]
    wrong = [lines[i] for i in range(CASES) if (sizes[i] > 0) != (f"v{i}" in ours)]
    answers = ask(reader, lines + [f"value\tS{i}\t{values[i].hex()}" for i in valid]).split("end\n")
    for i, answer in zip(valid, answers):
        wanted = [line.split("\t") for line in answer.splitlines()]
        mine = ours.get(f"v{i}", [])
        if [key for key, _, _ in wanted] != [key for key, _ in mine]:
            wrong.append((lines[i], wanted, mine))
            continue
        for (key, width, want), (_, text) in zip(wanted, mine):
            if width == "text":  # of bytes that are no UTF-8, WPILib leaves out more
                raw = bytes.fromhex(want)
                same = not raw.isascii() or (not raw and "?" in text) or bare(text) == bare(exported_text(raw))
            else:
                same = value_of(text, width) == value_of_bits(int(want), width)
            if not same:
                wrong.append((lines[i], key, width, want, text))
    checks.check(f"{len(valid)} structs are valid, more than a third", len(valid) > CASES / 3)
    checks.check(f"{CASES - len(valid)} are wrong, more than a tenth", CASES - len(valid) > CASES / 10)
    checks.check("both readers say the same of each", not wrong, f"{len(wrong)} differ, first {wrong[:3]}")


def main():
    build = pathlib.Path(os.environ.get("HALYARD_BUILD_DIR", harness.HERE.parents[1] / "build"))
    deps = os.environ.get("HALYARD_DEPS_DIR", harness.HERE.parents[1] / "build/deps")
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--halyard", default=build / "halyard", type=pathlib.Path)
    parser.add_argument("--deps", default=deps, type=pathlib.Path, help="folder of what was downloaded")
    parser.add_argument("--seed", default=1, type=int)
    given = parser.parse_args()
    season = harness.install_season("2026", given.deps.resolve() / "robotpy")
    work = build / "interop" / "structs"
    work.mkdir(parents=True, exist_ok=True)
    checks = harness.Checks()
    check(checks, given, season, work)
    print(f"seed {given.seed}")
    checks.finish([])


if __name__ == "__main__":
    main()
