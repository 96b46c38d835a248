#!/usr/bin/env python3
"""Texts that somebody else may have written (names of files, messages, logs) are printed by hy_print() and its like alone, which let nothing
steer a terminal. A call of the C library's printing functions that prints a text needs a line in ALLOWED."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
# What prints by itself, and why it may. The number is that of its calls.
ALLOWED = {
    "apps/cli/figures.c": (1, "JSON; the names are its own"),
    "apps/cli/json_text.c": (2, "plain characters, and the one that is behind a backslash"),
    "apps/replay/export.c": (5, "quotation marks, and the words true and false"),
    "apps/robot/calibrate_plot.c": (5, "a picture; its words are its own"),
    "apps/robot/conform_driver.c": (1, "what the program under test is told"),
    "apps/robot/conform_print.c": (4, "XML, whose writer is in the same file"),
    "apps/robot/packet_print.c": (1, "a comma"),
    "apps/sim/play_plan.c": (1, "its own script, into a file"),
    "apps/tools/icd_print.c": (1, "the end of a line"),
    "src/host/host_truth.c": (5, "JSON, into a file; its names are letters and dots"),
    "src/options/help.c": (12, "the tables of options"),
    "src/robot/robot.c": (1, "an address, and its own words"),
    "src/system/child_posix.c": (1, "a command that the user typed"),
    "src/program/replay_file.c": (1, "a log"),
    "src/program/saved.c": (1, "YAML, into a file; its names are quoted"),
}
# They print what the environment of WPILib's program says, and what is in their own tables.
APART = ("src/halsim/", "src/text/text_plain.c")
CALL = re.compile(r'(?<![\w"])(v?f?printf|puts|fputs|putchar|fputc|putc|fwrite|perror|psignal)\(')
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
FORMATS = {"printf": 0, "vprintf": 0, "fprintf": 1, "vfprintf": 1}


def arguments(text, at):
    """The arguments of the call whose opening parenthesis is before `at`."""
    found, depth, start = [], 1, at
    while depth > 0:
        literal = STRING.match(text, at) or re.compile(r"'(?:[^'\\]|\\.)+'").match(text, at)
        if literal:
            at = literal.end()
            continue
        c = text[at]
        depth += c in "([{"
        depth -= c in ")]}"
        if depth == 0 or (c == "," and depth == 1):
            found.append(text[start:at])
            start = at + 1
        at += 1
    return found


def prints_text(name, given):
    """Whether a call may print a text that is not in the code."""
    if name in ("perror", "psignal"):
        return True
    if name == "fwrite":  # not into a file of hy_file_create()
        return not given[3].endswith("output.stream")
    shown = given[FORMATS.get(name, 0)]
    if name in FORMATS:
        form = "".join(STRING.findall(shown))
        return not STRING.search(shown) or re.search(r"%[-+ 0#*.\d]*[sc]", form) is not None
    return not re.fullmatch(r"'(?:[^'\\]|\\.)+'", shown.strip()) and STRING.sub("", shown).strip() != ""


def main():
    wrong = []
    for path in sorted(p for folder in ("src", "apps") for p in (root / folder).rglob("*.c")):
        name = path.relative_to(root).as_posix()
        if name.startswith(APART):
            continue
        text = path.read_text()
        lines = []
        for call in CALL.finditer(text):
            if text[: call.start()].endswith("format("):
                continue  # an attribute
            line_start = text.rfind("\n", 0, call.start()) + 1
            if "//" in text[line_start : call.start()]:
                continue
            if prints_text(call.group(1), arguments(text, call.end())):
                lines.append(text.count("\n", 0, call.start()) + 1)
        if len(lines) != ALLOWED.get(name, (0, ""))[0]:
            wrong.append(f"{name}: {len(lines)} calls print texts, in lines {lines}: use hy_print() of text/text_plain.h")
    if wrong:
        sys.exit("\n".join(wrong))
    print("foreign texts are printed in one way")


main()
