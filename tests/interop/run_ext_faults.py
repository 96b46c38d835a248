#!/usr/bin/env -S python3 -B
"""A robot program drives in circles under our extension while the network between does its worst.

After each fault the sensors must move again within a second, and while the robot cannot be reached
its motors must stop within the watchdog's time. HY_ROUNDS=10 for a long run.

    run_ext_faults.py --halyard build/halyard --work build/interop
"""

import os
import random
import select
import socket
import threading
import time

import ext_programs
from harness import Board, DriverStation, TestError

FAULT_S, PEACE_S = 5.0, 3.0
RECOVERED_S = 1.0  # of the fault's end
WATCHDOG_S, LATE_S = 0.5, 0.15


class Network(threading.Thread):
    """What lies between the program and the robot; `fault` says how badly."""

    def __init__(self, seed):
        super().__init__(daemon=True)
        self.rng = random.Random(seed)
        self.front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.front.bind(("127.0.0.1", 0))
        self.host, self.port = "127.0.0.1", str(self.front.getsockname()[1])
        self.back = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.back.bind(("127.0.0.1", 0))
        self.program = self.robot = None
        self.fault, self.later, self.over = None, [], threading.Event()
        self.lock = threading.Lock()

    def set_robot(self, board):
        self.robot = (board.host, int(board.port))

    def close_front(self):
        """Whoever sends here learns that nobody listens."""
        with self.lock:
            self.front.close()

    def open_front(self):
        with self.lock:
            self.front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.front.bind((self.host, int(self.port)))

    def run(self):
        while not self.over.is_set():
            with self.lock:
                is_open = self.front.fileno() >= 0
                readable, _, _ = select.select([self.front, self.back] if is_open else [self.back], [], [], 0.005)
                for end in readable:
                    self.pass_on(end)
                now = time.monotonic()
                due = [item for item in self.later if item[0] <= now]
                self.later = [item for item in self.later if item[0] > now]
                for _, to_robot, datagram in due:
                    self.send(to_robot, datagram)

    def pass_on(self, end):
        try:
            datagram, sender = end.recvfrom(2048)
        except OSError:
            return
        to_robot = end is self.front
        if to_robot:
            self.program = sender
        rng, now = self.rng, time.monotonic()
        copies = 2 if self.fault == "duplicates" and rng.random() < 0.5 else 1
        if self.fault == "loss" and rng.random() < 0.2:
            return
        if self.fault == "garbage" and not to_robot:
            self.send(False, rng.randbytes(rng.randrange(1, 200)))
            self.send(False, datagram[: rng.randrange(len(datagram))])
        for _ in range(copies):
            if self.fault == "reordering" and rng.random() < 0.3:
                self.later.append((now + rng.uniform(0.01, 0.15), to_robot, datagram))
            elif self.fault == "stalls" and (now % 1.0) < 0.2:
                self.later.append((now - now % 1.0 + 0.2, to_robot, datagram))
            else:
                self.send(to_robot, datagram)

    def send(self, to_robot, datagram):
        try:
            if to_robot:
                self.back.sendto(datagram, self.robot)
            elif self.program is not None and self.front.fileno() >= 0:
                self.front.sendto(datagram, self.program)
        except OSError:
            pass


class Run:
    def __init__(self, checks, programs, given, work):
        self.checks, self.programs, self.given, self.work = checks, programs, given, work
        self.network = Network(int(os.environ.get("HY_SEED", "1")))
        self.board = self.start_board()
        self.network.start()
        self.station = DriverStation()
        self.robot = ext_programs.ExtensionProgram("xrp_circle", self.network, given.robotpy, work)
        programs.append(self.robot)
        self.station.control = DriverStation.AUTONOMOUS
        self.expect_motion("at the start", 3.0)

    def start_board(self):
        board = Board(self.given.halyard, self.work, "--world", "xrp-open")
        self.programs.append(board)
        self.network.set_robot(board)
        return board

    def counts(self):
        return self.robot.last_note()["counts"]

    def expect_motion(self, when, within_s=RECOVERED_S):
        """Encoders change again, and go on for as long as one looks."""
        began, before = time.monotonic(), self.counts()
        while self.counts() == before:
            if time.monotonic() > began + within_s:
                self.checks.check(f"{when}: the sensors move", False, f"not within {within_s} s")
                return
            time.sleep(0.01)
        self.checks.check(f"{when}: the sensors move", True, f"after {time.monotonic() - began:.2f} s")

    def network_fault(self, fault):
        self.network.fault = fault
        time.sleep(FAULT_S)
        self.network.fault = None
        self.expect_motion(f"after {fault}")
        time.sleep(PEACE_S)

    def unreachable(self):
        self.network.close_front()
        cut = time.monotonic()
        while self.board.truth_now()["enabled"]:
            if time.monotonic() > cut + 2:
                raise TestError("the robot drives on, although nothing reaches it")
            time.sleep(0.005)
        took_s = time.monotonic() - cut
        detail = f"after {took_s:.2f} s"
        self.checks.check("unreachable: motors off within the watchdog's time", took_s <= WATCHDOG_S + LATE_S, detail)
        time.sleep(FAULT_S)
        self.network.open_front()
        self.expect_motion("reachable again")
        time.sleep(PEACE_S)

    def reboot(self):
        self.board.kill()
        time.sleep(0.7)
        self.board = self.start_board()
        self.expect_motion("after a reboot of the robot", RECOVERED_S + 0.5)  # its world starts anew too
        time.sleep(PEACE_S)

    def end(self):
        self.station.control = DriverStation.DISABLED
        self.board.wait_for(lambda: not self.board.truth_now()["enabled"], 1, "disabled robot")
        status = self.robot.stop()
        self.checks.check("the program lived to the end", status is not None, f"status {status}")
        self.checks.check("no crash is in its log", "Segmentation" not in self.robot.log())
        self.station.close()
        self.board.stop()
        self.network.over.set()


def play(checks, programs, given, work):
    run = Run(checks, programs, given, work)
    for _ in range(int(os.environ.get("HY_ROUNDS", "1"))):
        for fault in ("loss", "reordering", "duplicates", "stalls", "garbage"):
            run.network_fault(fault)
        run.unreachable()
        run.reboot()
    run.end()


if __name__ == "__main__":
    ext_programs.main(__doc__, play)
