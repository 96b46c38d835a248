"""Does what a page for beginners says, word for word, and checks what it promises.

    run_guide.py docs/guide/first-steps.md

A reader has a terminal, a browser and an editor. Here they are a shell in a pseudo-terminal, a WebSocket to the page
that the program serves, and this file. What a document says is done in the order in which it stands there:

    ```sh ... ```                       is typed into the terminal, a line when the one before is done
    ```text ... ```                     has to appear there; `...` stands for anything, a number with a decimal point for
                                        any other with as many decimals, and so does a count of statuses or percents
    "Write this into `FILE`" ```c       makes the file
    "... between `A` and `B` becomes:"  replaces what stands in the file between the lines that begin so
    any other ```c                      is a quotation: it has to stand in the program that the page is about
    <kbd>Enter</kbd>                    is pressed in the terminal; hold <kbd>w</kbd>: until what follows is true
    click **Reset**, **User button**    on the page
    <!-- true: KEY LOW..HIGH, ... -->   not shown to readers: what the sentence before promises. Waits until all of it is
                                        true at once, by what the world tells the page (docs/spec/page.md: "at.0" is x)
    <!-- tune: NAME VALUE -->           a dashboard sets the tunable, which takes it; "VALUE becomes OTHER": it takes the other
    <!-- laps: WORDS -->                the file drives three laps in simulated time (guide_laps.c), and says WORDS in the end

Every heading `## ...` is a step with a verdict of its own. The folder is a scratch one that has the project's parts by
symbolic links; ports are the documented ones, in a network of this test's own.
"""

import contextlib
import fcntl
import itertools
import json
import os
import pathlib
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

import harness
import nt_socket

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("HALYARD_BUILD_DIR", ROOT / "build")).resolve()
LIMIT_S = 60  # of a promise; none takes longer than 20 on an idle machine
ATTEMPTS = 4  # of a step, if this machine was ...
LATE_S = 0.05  # ... later than that with what was due: no robot drives well then
# The runner's words when this machine was too busy, so that the robot was stopped, or could not be enabled yet.
AGAIN = re.compile("this program was held up|not enabled: ")


class Broken(Exception):
    """The document promised something else."""


# ---------------------------------------------------------------------------------------------
# The terminal


class Screen:
    """As much of a terminal as our programs use: two screens, a cursor, erasing."""

    TOKEN = re.compile(r"\x1b\[([?<>=]?)([\d;]*)([a-zA-Z])|\x1b\][^\x07]*\x07|\x1b[=>]|\r|\n|\x08|[^\x1b\r\n\x08\x07]+")

    def __init__(self):
        self.lines, self.row, self.column = [""], 0, 0
        self.below = None  # the shell's screen, while a program has its own
        self.prompts = 0
        self.rest = ""

    def feed(self, text):
        text, at = self.rest + text, 0
        while at < len(text):
            token = self.TOKEN.match(text, at)
            if token is None:
                if text[at] == "\x1b" and len(text) - at < 32:
                    break  # the rest of it comes later
                at += 1
                continue
            self.take(token)
            at = token.end()
        self.rest = text[at:]

    def take(self, token):
        text = token.group(0)
        if token.group(3):
            self.control(*token.groups())
        elif text.startswith("\x1b]133;A"):
            self.prompts += 1
        elif text == "\r":
            self.column = 0
        elif text == "\n":
            self.move_to(self.row + 1, self.column)
        elif text == "\b":
            self.column = max(0, self.column - 1)
        elif not text.startswith("\x1b"):
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[: self.column] + text + line[self.column + len(text) :]
            self.column += len(text)

    def move_to(self, row, column):
        self.lines += [""] * (row + 1 - len(self.lines))
        self.row, self.column = row, column

    def control(self, mark, numbers, what):
        if mark == "?" and numbers == "1049" and (what == "h") != (self.below is not None):
            if what == "h":
                self.below = (self.lines, self.row, self.column)
                self.lines, self.row, self.column = [""], 0, 0
            else:
                (self.lines, self.row, self.column), self.below = self.below, None
        elif mark == "" and what == "H":
            self.move_to(0, 0)
        elif mark == "" and what == "K":
            self.lines[self.row] = self.lines[self.row][: self.column]
        elif mark == "" and what == "J":
            self.lines[self.row] = self.lines[self.row][: self.column]
            del self.lines[self.row + 1 :]

    def clear(self):
        self.lines, self.row, self.column = [""], 0, 0

    def text(self):
        return "\n".join(line.rstrip() for line in self.lines)


class Terminal:
    """A shell at work in `folder`, and what stands on its screen."""

    KEYS = {"Enter": "\r", "Space": " ", "Esc": "\x1b", "Backspace": "\x7f", "Ctrl-C": "\x03"}

    def __init__(self, folder):
        self.screen, self.said = Screen(), ""
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            harness.libc.prctl(harness.PR_SET_PDEATHSIG, signal.SIGKILL)
            os.chdir(folder)
            environment = {k: v for k, v in os.environ.items() if not k.startswith(("HALYARD_", "MAKE"))}
            environment |= {"TERM": "xterm", "PS1": r"\[\e]133;A\a\]$ ", "HISTFILE": "", "COLUMNS": "300"}
            environment.pop("PROMPT_COMMAND", None)
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"], environment)
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 300, 0, 0))
        self.commands = 0

    def read(self, seconds):
        """What came within that time, if anything. Every piece is looked at, so that nothing is shown in vain."""
        if select.select([self.end], [], [], seconds)[0]:
            with contextlib.suppress(OSError):
                text = os.read(self.end, 65536).decode("utf-8", "replace")
                self.said += text
                self.screen.feed(text)

    def wait_for(self, happened, what):
        give_up = time.monotonic() + LIMIT_S
        while not happened():
            if time.monotonic() > give_up:
                raise Broken(f"{what}; the screen shows:\n{self.screen.text()}")
            self.read(0.05)

    def run(self, command):
        """Types it once the one before is done. It need not end."""
        self.wait_for(lambda: self.screen.prompts > self.commands, f"the prompt for '{command}' did not come")
        self.commands = self.screen.prompts
        self.screen.clear()  # what was shown before keeps no promise
        os.write(self.end, command.encode() + b"\n")

    def press(self, key):
        os.write(self.end, self.KEYS.get(key, key).encode())

    def close(self):
        """Everything that was started here ends."""
        session = [int(p.name) for p in pathlib.Path("/proc").iterdir() if p.name.isdigit() and self.owns(p)]
        for pid in session:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        os.close(self.end)
        os.waitpid(self.pid, 0)

    def owns(self, process):
        try:
            return int((process / "stat").read_text().rsplit(")", 1)[1].split()[3]) == self.pid
        except (OSError, IndexError, ValueError):
            return False


# ---------------------------------------------------------------------------------------------
# The browser


class Page(threading.Thread):
    """The page's side of the conversation of docs/spec/page.md; `state` is the newest robot of it."""

    def __init__(self, address):
        super().__init__(daemon=True)
        host, port, token = re.fullmatch(r"http://([\d.]+):(\d+)/#(\w+)", address).groups()
        self.state, self.is_open = None, True
        self.socket = socket.create_connection((host, int(port)), 20)
        self.socket.sendall(
            f"GET /live HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: http://{host}:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: aGFseWFyZCBoYWx5YXJkIQ==\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: halyard-page\r\n\r\n".encode()
        )
        self.stream = self.socket.makefile("rb")
        status = self.stream.readline()
        if b" 101 " not in status:
            raise Broken(f"the page at {address} does not open: {status.decode().strip()}")
        while self.stream.readline() != b"\r\n":
            pass
        self.say(f"token {token}")
        self.start()

    def frame(self, kind, payload):
        self.socket.sendall(bytes([0x80 | kind, 0x80 | len(payload), 0, 0, 0, 0]) + payload)  # masked by 0

    def say(self, text):
        self.frame(1, text.encode())

    def run(self):
        with contextlib.suppress(OSError, struct.error):
            self.socket.settimeout(None)
            while True:
                first, size = struct.unpack("BB", self.stream.read(2))
                if size == 126:
                    (size,) = struct.unpack(">H", self.stream.read(2))
                elif size == 127:
                    (size,) = struct.unpack(">Q", self.stream.read(8))
                self.hear(first & 15, self.stream.read(size))
        self.is_open = False

    def hear(self, kind, payload):
        if kind == 9:
            self.frame(10, payload)
        elif kind == 1:
            message = json.loads(payload)
            if message["type"] == "state":
                self.state = message["robots"][0]

    def value(self, key):
        value = self.state
        for part in key.split("."):
            value = value[int(part)] if part.isdigit() else value[part]
        return float(value)

    def holds(self, conditions):
        return self.state is not None and all(low <= self.value(key) <= high for key, low, high in conditions)


# ---------------------------------------------------------------------------------------------
# The document


INLINE = re.compile(r"([Hh]old )?<kbd>([^<]+)</kbd>|[Cc]lick \*\*(Reset|User button)\*\*|<!-- (true|laps|tune): (.*?) -->")


def read_document(path):
    """(step, what, argument) in their order; `what` is a method of Reader."""
    step, before, fence, block = path.stem, "", None, []
    for line in path.read_text().splitlines():
        if fence is not None:
            if line.startswith("```"):
                yield step, fence, ("\n".join(block) + "\n", before)
                fence, before = None, ""
            else:
                block.append(line)
        elif line.startswith("```"):
            fence, block = line[3:] or "nothing", []
        elif line.startswith("## "):
            step = line[3:]
        else:
            before = line or before
            for found in INLINE.finditer(line):
                hold, key, button, comment, argument = found.groups()
                if comment:
                    yield step, comment, argument
                elif key:
                    yield step, "hold" if hold else "key", key
                else:
                    yield step, "click", button


def pattern_of(line):
    """What a quoted line of output matches."""
    parts = re.split(r"(\.\.\.|[+-]?\d+\.\d+|\d+(?= statuses/s| % lost))", line.strip())
    pattern = ""
    for i, part in enumerate(parts):
        if i % 2 == 0:
            pattern += re.escape(part)
        elif part == "...":
            pattern += ".*"
        elif "." in part:
            sign = "[+-]" if part[0] == "+" else "-?"
            pattern += sign + r"\d+\.\d{" + str(len(part.split(".")[1])) + "}"
        else:
            pattern += r"\d+"
    return pattern


class Reader:
    """Somebody who does what the document says."""

    def __init__(self, document, folder):
        self.folder = folder
        self.file = None  # the program that is being written
        self.about = ROOT / "examples" / f"{document.stem}.c"
        self.terminal = Terminal(folder)
        self.page = None
        self.enable_due = 0.0
        self.held, self.repeat_due = None, 0.0

    def close(self):
        self.terminal.close()

    def recordings(self):
        return set(self.folder.glob("*.wpilog"))

    def begin_again(self, with_board, recordings):
        """As if this step had not begun, when there were these `recordings`."""
        for recording in self.recordings() - recordings:
            recording.unlink()
        if with_board or self.page is None:
            self.terminal.close()
            self.terminal, self.page = Terminal(self.folder), None
            return
        if self.terminal.screen.below:
            self.terminal.press("q")
        self.page.say("reset")

    # Waiting, as a person does: a robot that this machine was too slow for is enabled again.
    def wait_for(self, happened, what):
        self.terminal.wait_for(lambda: self.look() or happened(), what)

    def look(self):
        text = self.terminal.screen.text()
        now = time.monotonic()
        if AGAIN.search(text) and ": answers" in text and self.terminal.screen.below and now > self.enable_due:
            self.terminal.press("Enter")
            self.enable_due = now + 1.0
        if self.held and now > self.repeat_due:
            self.terminal.press(self.held)
            self.repeat_due = now + 0.05
        if self.page is None and (address := re.search(r"open (http://\S+)\r?\n", self.terminal.said)):
            self.page = Page(address.group(1))
        return False

    def sh(self, argument):
        for command in argument[0].splitlines():
            command = re.sub(r"\s+# .*", "", command)
            self.terminal.run(command)

    def console(self, argument):
        raise Broken("a block of console is not known here: write sh, and text for what is shown")

    def text(self, argument):
        wanted = re.compile("\n".join(".*" + pattern_of(line) + ".*" for line in argument[0].splitlines()))
        self.wait_for(lambda: wanted.search(self.terminal.screen.text()), f"this does not appear:\n{argument[0]}")

    def c(self, argument):
        code, before = argument
        names = re.findall(r"`([^`]+)`", before)
        if before.startswith("Write this into"):
            self.file = self.folder / names[0]
            self.file.write_text(code)
        elif before.endswith("becomes:"):
            lines = self.file.read_text().splitlines(keepends=True)
            first = next(i for i, line in enumerate(lines) if line.startswith(names[-2]))
            last = next(i for i, line in enumerate(lines) if line.startswith(names[-1]))
            self.file.write_text("".join(lines[: first + 1]) + "\n" + code + "\n" + "".join(lines[last:]))
        elif code not in self.about.read_text():
            raise Broken(f"this does not stand in {self.about.name}:\n{code}")

    def key(self, name):
        self.terminal.press(name)

    def hold(self, name):
        self.held = name  # a terminal repeats it, until what it is held for is true

    def click(self, button):
        messages = ("reset",) if button == "Reset" else ("button 1 down", "button 1 up")
        for message in messages:
            self.page.say(message)
            self.terminal.read(0.3)

    def true(self, argument):
        conditions = []
        for condition in argument.split(","):
            key, low, high = re.fullmatch(r"([\w.]+) (-?[\d.]+?)\.\.(-?[\d.]+)", condition.strip()).groups()
            conditions.append((key, float(low), float(high)))
        self.wait_for(lambda: self.page is not None, "no page was opened")
        try:
            self.wait_for(lambda: self.page.holds(conditions), f"not true: {argument}")
        except Broken as broken:
            raise Broken(f"{broken}\nthe page knows: {self.page.state}") from None
        finally:
            self.held = None

    def tune(self, argument):
        name, value, *becomes = argument.split()
        taken = float(becomes[-1] if becomes else value)
        client = nt_socket.Client(5810)
        topic = f"/Tuning/{name}"
        client.say(("subscribe", {"topics": [topic], "subuid": 1}), ("publish", {"name": topic, "type": "double", "pubuid": 1, "properties": {}}))
        client.put(1, 1, 1, float(value))
        try:
            if not client.hear_until(lambda: client.newest(topic) == taken, topic):
                raise Broken(f"{topic} is {client.newest(topic)}, not {taken}")
        finally:
            client.close()

    def laps(self, words):
        shared = self.folder / "laps.so"
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "halyard"], capture_output=True, text=True,
                               env=os.environ | {"PKG_CONFIG_PATH": str(BUILD / "pkgconfig")}, check=True)
        subprocess.run(["cc", "-std=c11", "-O2", "-shared", "-fPIC", self.file, "-o", shared, *flags.stdout.split()], check=True)
        driven = subprocess.run([BUILD / "tests/interop/guide_laps", shared], capture_output=True, text=True)
        print(driven.stdout, end="")
        if driven.returncode != 0 or f"it stands, and says '{words}'" not in driven.stdout:
            raise Broken(f"the laps were not driven as promised\n{driven.stderr}")

    def nothing(self, argument):
        """A block without a language is only to be read."""


def scratch_folder(work):
    """What the reader has: the project, built; what he makes himself goes nowhere else."""
    folder = pathlib.Path(work)
    for entry in ROOT.iterdir():
        if entry.name not in ("build", ".git"):
            (folder / entry.name).symlink_to(entry)
    (folder / "build").symlink_to(BUILD)
    return folder


def need_ports_of_ours():
    harness.enter_own_network()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("127.0.0.1", 3540))
        except OSError:
            harness.skip("another program has port 3540, and there is no network namespace here")


class Lateness(threading.Thread):
    """How late this machine is with what is due, at worst since `worst_s` was set to 0."""

    def __init__(self):
        super().__init__(daemon=True)
        self.worst_s = 0.0
        self.start()

    def run(self):
        while True:
            due = time.monotonic() + 0.02
            time.sleep(0.02)
            self.worst_s = max(self.worst_s, time.monotonic() - due)


def do_step(reader, actions, lateness):
    """Once, and again only if it failed while this machine was too busy to drive a robot."""
    recordings = reader.recordings()
    for attempt in range(ATTEMPTS):
        lateness.worst_s = 0.0
        try:
            for what, argument in actions:
                getattr(reader, what)(argument)
            return
        except (Broken, OSError) as broken:
            if lateness.worst_s < LATE_S or attempt == ATTEMPTS - 1:
                raise
            print(f"{broken}\nagain, because this machine was {lateness.worst_s:.2f} s late", flush=True)
            reader.begin_again(any(what == "sh" and "halyard board" in argument[0] for what, argument in actions), recordings)


def do_document(document, folder):
    """True if all of it is so."""
    reader, lateness = Reader(document, folder), Lateness()
    steps = itertools.groupby(read_document(document), key=lambda action: action[0])
    try:
        for step, actions in steps:
            started, failure = time.monotonic(), None
            try:
                do_step(reader, [action[1:] for action in actions], lateness)
            except (Broken, OSError, subprocess.CalledProcessError, LookupError, StopIteration) as broken:
                failure = broken
            print(f"{'FAILED' if failure else 'ok    '} {document.stem}: {step} ({time.monotonic() - started:.1f} s)", flush=True)
            if failure is not None:
                print(failure if isinstance(failure, Broken) else repr(failure))
                return False
    finally:
        reader.close()
    return True


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    need_ports_of_ours()
    with tempfile.TemporaryDirectory(prefix="halyard-guide-") as work:
        sys.exit(0 if do_document((ROOT / sys.argv[1]).resolve(), scratch_folder(work)) else 1)


if __name__ == "__main__":
    main()
