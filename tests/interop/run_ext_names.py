#!/usr/bin/env -S python3 -B
"""A robot by name, through this system's own resolver: nobody answers for the name, it is not known
yet, it is known, the robot moves. Neither loading nor a step ever waits for that.

    run_ext_names.py --work build/interop
"""

import contextlib
import ctypes
import os
import pathlib
import socket
import struct
import threading
import time

import harness
from hal_host import PATIENCE_S, HalHost

NAME = "robot.test"
CLONE_NEWNS, MS_BIND, MS_REC, MS_PRIVATE = 0x00020000, 4096, 16384, 1 << 18
# The resolver waits this long for a server that says nothing; what did not wait for it took far less.
RESOLVER_S = 4
AT_ONCE_S = 2.0
TYPE_A, NO_SUCH_NAME = 1, 3


class NameServer(threading.Thread):
    """Answers for every name with `address`; None: there is no such name. While `silent`, with nothing."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))
        self.silent, self.address, self.questions = True, None, 0
        self.start()

    def run(self):
        while True:
            question, asker = self.socket.recvfrom(512)
            self.questions += 1
            if not self.silent:
                with contextlib.suppress(OSError):
                    self.socket.sendto(self.answer(question), asker)

    def answer(self, question):
        end = question.index(0, 12) + 5  # the name, its type and its class
        (kind,) = struct.unpack_from(">H", question, end - 4)
        has_address = self.address is not None and kind == TYPE_A
        flags = 0x8180 | (NO_SUCH_NAME if self.address is None else 0)
        head = question[:2] + struct.pack(">HHHHH", flags, 1, has_address, 0, 0)
        record = struct.pack(">HHHIH", 0xC00C, TYPE_A, 1, 0, 4) + socket.inet_aton(self.address) if has_address else b""
        return head + question[12:end] + record


def mount(source, goal, flags):
    if harness.libc.mount(source, str(goal).encode(), None, ctypes.c_ulong(flags), None) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(goal))


def enter_own_resolver(work):
    """This process and its children ask our server alone. Raises OSError where that is not allowed."""
    if harness.libc.unshare(CLONE_NEWNS) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    mount(None, "/", MS_REC | MS_PRIVATE)
    for name, text in (
        ("resolv.conf", f"nameserver 127.0.0.1\noptions timeout:{RESOLVER_S} attempts:1\n"),
        ("nsswitch.conf", "hosts: files dns\n"),
        ("hosts", "127.0.0.1 localhost\n"),
    ):
        ours = work / name
        ours.write_text(text)
        ours.chmod(0o644)
        mount(str(ours).encode(), pathlib.Path("/etc", name).resolve(strict=True), MS_BIND)


def longest_of_steps(host, until):
    """Steps until `until()` holds, in vain after a while; the longest step's seconds."""
    longest_s, give_up = 0.0, time.monotonic() + PATIENCE_S
    while not until() and time.monotonic() < give_up:
        before = time.monotonic()
        host.tell("step")
        longest_s = max(longest_s, time.monotonic() - before)
        time.sleep(0.02)
    return longest_s


def finds_robot(host, seq):
    """Steps until a command comes; answers it. True if that answer is in the HAL then."""
    longest_of_steps(host, lambda: host.hear(0) is not None)
    if host.peer is None:
        return False
    host.say(struct.pack(">HBBBBf", seq, 0, 6, 0x15, 7, seq))
    return not host.await_state({"ai7": seq})


def move(host, address):
    """The robot is gone here, and is there."""
    port = host.robot.getsockname()[1]
    host.robot.close()
    host.address, host.peer = address, None
    host.open_robot(port)


def open_host(given, work):
    return HalHost(given.season, harness.our_extension("xrp"), work / "host.log", HALSIMXRP_HOST=NAME)


def judge_unknown(checks, host):
    began = time.monotonic()
    loads = host.tell("init") == "1"
    took_s = time.monotonic() - began
    checks.check("with a silent name server it loads at once", loads and took_s < AT_ONCE_S, f"{took_s:.2f} s")
    longest_s = longest_of_steps(host, lambda: "not known yet" in host.log())
    checks.check("and says that the name is not known yet", "not known yet" in host.log(), host.log().strip())
    checks.check("no step waited for it", longest_s < AT_ONCE_S, f"the longest took {longest_s:.3f} s")


def play(checks, _programs, given, work):
    try:
        enter_own_resolver(work)
    except OSError as error:
        print(f"note: no resolver of our own here ({error}), so nobody's name becomes known")
        with open_host(given, work) as host:
            judge_unknown(checks, host)
            checks.check("it ends", host.end() == 0)
        return
    server = NameServer()
    with open_host(given, work) as host:
        judge_unknown(checks, host)

        server.silent, asked = False, server.questions
        longest_of_steps(host, lambda: server.questions > asked)
        checks.check("it asks again", server.questions > asked)
        checks.check("a name that does not exist is nobody's", host.hear(0) is None)

        server.address = "127.0.0.1"
        checks.check("known at last, the robot is found", finds_robot(host, 1), host.log().strip())
        checks.check("and that is said", "now known" in host.log())

        server.address = "127.0.0.2"
        move(host, server.address)
        checks.check("it moves and is found again", finds_robot(host, 2), host.log().strip())
        server.silent = True
        checks.check("it ends", host.end() == 0)
    with open_host(given, work) as host:
        host.tell("init")
        began = time.monotonic()
        ends = host.end() == 0
        took_s = time.monotonic() - began
        checks.check("it ends at once while a question is open", ends and took_s < AT_ONCE_S, f"{took_s:.2f} s")


if __name__ == "__main__":
    harness.main(__doc__, play)
