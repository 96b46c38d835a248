#!/usr/bin/env python3
"""Runs a robot program in a terminal, enables it, ends it by q after a while, and prints what stands there behind its screen."""
import os
import pty
import select
import sys
import time

LEAVES = b"\x1b[?1049l"
LIMIT_S = 60

pid, end = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.execv(sys.argv[2], sys.argv[2:])
until = sys.argv[1].encode()
said = b""
typed = False
give_up = time.monotonic() + LIMIT_S
while time.monotonic() < give_up and (LEAVES not in said or select.select([end], [], [], 1.0)[0]):
    if select.select([end], [], [], 0.2)[0]:
        try:
            more = os.read(end, 65536)
        except OSError:
            break
        if not more:
            break
        said += more
    if LEAVES in said:
        continue
    if b"ENABLED" not in said:
        os.write(end, b"\r")
    elif until in said and not typed:
        os.write(end, b"q")
        typed = True
os.close(end)
os.waitpid(pid, 0)
sys.stdout.buffer.write(said.partition(LEAVES)[2])
