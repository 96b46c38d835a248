#!/usr/bin/env -S python3 -B
"""A match of six players that play by themselves, six pages that look on and two boards that programs drive through faults on
purpose, for hours: no program ends, and after a while none needs more memory or descriptors.

    run.py --simulated 86400 --real 7200      seconds of simulated time as fast as it goes, then of real time
"""

import argparse
import base64
import contextlib
import os
import pathlib
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLAYERS, PAGES, BOARDS = 6, 6, 2
WARM_UP_S = 600  # at most; a sixth of a shorter run
GROWTH_KB = 512  # what the pages of a process may differ by without a leak
PATIENCE_S = 60
STALL_S = 1.5  # fills every receive buffer


class Page:
    """A browser's end of a WebSocket: reads everything, answers pings."""

    def __init__(self, address):
        place, _, token = address.removeprefix("http://").partition("/#")
        host, _, port = place.partition(":")
        self.socket = socket.create_connection((host, int(port)), PATIENCE_S)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /live HTTP/1.1\r\nHost: {place}\r\nOrigin: http://{place}\r\nConnection: Upgrade\r\n"
                             f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
                             f"Sec-WebSocket-Protocol: halyard-page, token.{token}\r\n\r\n").encode())  # fmt: skip
        self.bytes, self.messages = b"", 0
        while b"\r\n\r\n" not in self.bytes:
            self.bytes += self.socket.recv(4096)
        head, _, self.bytes = self.bytes.partition(b"\r\n\r\n")
        if b" 101 " not in head.splitlines()[0]:
            sys.exit(f"the page is refused: {head.splitlines()[0]}")
        self.send(1, f"token {token}".encode())

    def send(self, opcode, content):
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(content))
        self.socket.sendall(bytes([0x80 | opcode, 0x80 | len(content)]) + mask + masked)

    def read(self):
        """False once the server has closed the connection."""
        more = self.socket.recv(1 << 16)
        self.bytes += more
        while len(self.bytes) >= 2:
            size, head = self.bytes[1] & 0x7F, 2
            if size >= 126:
                head = 4 if size == 126 else 10
                if len(self.bytes) < head:
                    break
                size = int.from_bytes(self.bytes[2:head], "big")
            if len(self.bytes) < head + size:
                break
            opcode, content = self.bytes[0] & 15, self.bytes[head : head + size]
            self.bytes = self.bytes[head + size :]
            if opcode == 9:
                self.send(10, content)
            self.messages += opcode == 1
        return bool(more)


class Pages:
    def __init__(self, address):
        self.pages = [Page(address) for _ in range(PAGES)]
        self.lost, self.is_over = 0, False
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def read(self):
        left = {page.socket: page for page in self.pages}
        while left and not self.is_over:
            for ready in select.select(list(left), [], [], 0.2)[0]:
                if not left[ready].read():
                    self.lost += not self.is_over
                    del left[ready]

    def end(self):
        self.is_over = True
        self.thread.join()
        return sum(page.messages for page in self.pages)


class Program:
    """One of the programs under test, and what it needed at each look."""

    def __init__(self, name, argv, work):
        self.name, self.output = name, work / f"{name}.out"
        with open(self.output, "wb") as output:
            self.process = subprocess.Popen([str(part) for part in argv], stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        self.looks = []  # (seconds, kB, descriptors)

    def ready(self):
        give_up = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up and self.process.poll() is None:
            for line in self.output.read_text(errors="replace").splitlines():
                if line.startswith("halyard: ready"):
                    return [tuple(pair.split("=", 1)) for pair in line.split()[2:]]
            time.sleep(0.02)
        sys.exit(f"{self.name} did not start: {self.output.read_text(errors='replace')}")

    def stall(self):
        """Has the datagrams of a while wait for it. What receives them has room for 32 of any length, of which the system gives a page only
        when it is first used: on a busy machine that can be hours later, and looks like a leak of 700 kB."""
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(STALL_S)
        self.process.send_signal(signal.SIGCONT)

    def look(self, at_s):
        with contextlib.suppress(OSError):
            pages = int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
            descriptors = len(os.listdir(f"/proc/{self.process.pid}/fd"))
            self.looks.append((at_s, pages * os.sysconf("SC_PAGE_SIZE") // 1024, descriptors))

    def judge(self):
        """What is wrong, in words, and a line with the figures."""
        last_s = self.looks[-1][0] if self.looks else 0.0
        warm_s = min(WARM_UP_S, last_s / 6)
        early = [look for look in self.looks if warm_s <= look[0] <= max(2 * warm_s, last_s / 3)]
        late = [look for look in self.looks if look[0] >= last_s * 2 / 3]
        if not early or not late:
            return [f"{self.name}: too few looks at its memory: ask for a longer run or a smaller --every"], f"  {self.name}"
        kb, later_kb = max(look[1] for look in early), max(look[1] for look in late)
        files, later_files = max(look[2] for look in early), max(look[2] for look in late)
        wrong = []
        if later_kb > kb + GROWTH_KB:
            wrong.append(f"{self.name}: {kb} kB became {later_kb} kB")
        if later_files > files:
            wrong.append(f"{self.name}: {files} descriptors became {later_files}")
        return wrong, f"  {self.name:8} {kb:7} kB, later {later_kb:7} kB; {files:3} descriptors, later {later_files:3}"


class Driver(threading.Thread):
    """Drives one board; a program that was disabled by an outage ends, and is started again."""

    def __init__(self, build, address):
        super().__init__()
        self.argv = [str(build / "examples/drive_square"), f"xrp://{address}", "--enable", "--duration", "60", "--no-nt"]
        self.starts, self.crashes, self.is_over = 0, 0, False

    def run(self):
        while not self.is_over:
            self.starts += 1
            process = subprocess.Popen(self.argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and not self.is_over:
                time.sleep(0.1)
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            self.crashes += process.wait() not in (0, 1)
            time.sleep(0.2)


def soak(given, seconds, is_simulated, work):
    """Returns what is wrong."""
    halyard, match = given.build / "halyard", ["--shift", str(given.shift)]
    boards = [word for _ in range(BOARDS) for word in ("--board", "xrp@127.0.0.1:0")]
    length = ["--duration", str(seconds)] if is_simulated else []
    sim = Program("sim", [halyard, "sim", *match, "--players", PLAYERS, "--speed", "max" if is_simulated else "1", *length,
                          *boards, "--faults", given.faults], work)  # fmt: skip
    addresses = [value for key, value in sim.ready() if key == "udp"]
    cores = [Program(f"core{n}", [halyard, "core", *match, "--player", n, "--demo"], work) for n in range(1, PLAYERS + 1)]
    view = Program("view", [halyard, "view", *match, "--players", PLAYERS, "--listen", "127.0.0.1:0"], work)
    pages = Pages(dict(view.ready())["page"])
    drivers = [Driver(given.build, address) for address in addresses]
    for driver in drivers:
        driver.start()
    programs, wrong = [sim, *cores, view], []
    time.sleep(STALL_S)
    for program in programs:
        program.stall()
    began = time.monotonic()
    while sim.process.poll() is None and (is_simulated or time.monotonic() < began + seconds):
        for program in programs:
            program.look(time.monotonic() - began)
            if program.process.poll() is not None and program is not sim:
                wrong.append(f"{program.name} ended with {program.process.returncode}")
        if wrong:
            break
        time.sleep(given.every)
    took_s = time.monotonic() - began
    for driver in drivers:
        driver.is_over = True
    for driver in drivers:
        driver.join()
        wrong += ["a driving program crashed"] * driver.crashes
    messages = pages.end()
    wrong += ["a page lost its connection"] * pages.lost + (["the pages got nothing"] if messages < PAGES else [])
    for program in reversed(programs):
        if program.process.poll() is None:
            program.process.terminate()
        status = program.process.wait(PATIENCE_S)
        if status != 0:
            wrong.append(f"{program.name} ended with {status}: {program.output.read_text(errors='replace')[-300:]}")
    print(f"{seconds} s of {'simulated' if is_simulated else 'real'} time in {took_s:.0f} s; {messages} messages to {PAGES} pages; "
          f"the {BOARDS} driving programs were started {sum(driver.starts for driver in drivers)} times")  # fmt: skip
    for program in programs:
        more_wrong, line = program.judge()
        wrong += more_wrong
        print(line)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("--simulated", default=86400, type=int, help="seconds; 0: none")
    parser.add_argument("--real", default=7200, type=int, help="seconds; 0: none")
    parser.add_argument("--faults", default="bad-wifi")
    parser.add_argument("--shift", default=22009, type=int, help="of the programs' ports")
    parser.add_argument("--every", default=1.0, type=float, help="seconds between two looks")
    given = parser.parse_args()
    wrong = []
    for seconds, is_simulated in ((given.simulated, True), (given.real, False)):
        if seconds > 0:
            with tempfile.TemporaryDirectory(prefix="halyard-soak-") as work:
                wrong += soak(given, seconds, is_simulated, pathlib.Path(work))
    for what in wrong:
        print(f"FAILED {what}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
