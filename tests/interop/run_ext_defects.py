#!/usr/bin/env -S python3 -B
"""Every defect of WPILib's own XRP extension that ours must not have, one by one, over the real HAL.

    run_ext_defects.py --work build/interop
"""

import os
import random
import select
import socket
import struct
import subprocess
import sys
import time

import harness
from hal_host import PATIENCE_S, HalHost
from harness import TestError

STOPS, STOP_S = 6, 0.1
GOOD = bytes.fromhex(
    "001700031400010e18000000000a0000000300000002061801000000140615003f000000"
    "191640c0000040a000004080000040400000400000003f8000000d1700000000000000003f800000"
)


class StockFirmware:
    """What the XRP's firmware takes (wpilibudp.cpp's rule), and what its motors do then."""

    WATCHDOG_S = 0.5

    def __init__(self):
        self.highest, self.refused, self.taken = 0, 0, 0
        self.enabled, self.motors = False, {}

    def take(self, datagram):
        (seq,) = struct.unpack_from(">H", datagram)
        if not (seq > self.highest or 65535 - seq < 5):
            self.refused += 1
            return False
        self.highest = seq
        self.taken += 1
        self.enabled = datagram[2] == 1
        self.motors = {
            datagram[at + 2]: struct.unpack_from(">f", datagram, at + 3)[0] for at in range(3, 31, 7)
        }
        return True

    def is_driving(self):
        return self.enabled and any(self.motors.values())


class Bench:
    def __init__(self, season, work):
        self.season, self.work, self.count = season, work, 0

    def host(self, **options):
        self.count += 1
        extension = harness.our_extension("xrp")
        return HalHost(self.season, extension, self.work / f"host{self.count}.log", **options)

    def driving(self, **options):
        """A host that drives at half effort, its first command heard."""
        host = self.host(**options)
        host.start()
        host.create_motor("XRPMotor:motorL")
        host.tell("set XRPMotor:motorL speed 0.5")
        host.tell("enable 1")
        host.tell("step")
        if host.hear() is None:
            raise TestError("no command: " + host.log())
        return host


def status(seq, *blocks):
    return struct.pack(">HB", seq, 0) + b"".join(blocks)


def analog(channel, volts):
    return struct.pack(">BBBf", 6, 0x15, channel, volts)


def encoder(ident, count):
    return struct.pack(">BBBi", 6, 0x18, ident, count)


def is_heard(host, volts):
    """True once the analog input that marks a status has its value."""
    return not host.await_state({"ai7": volts})


def truncated_datagrams(checks, bench):
    rng = random.Random(1)
    with bench.driving() as host:
        seq = 0
        known = ["000100", "00010000", "0001000000", "00010001", "00010006", "000100ff", "00010003140001ff"]
        known += ["000100061500", "00010006150040", "000100ff1500", "000100001401010114", "00010012183a"]
        cases = [bytes.fromhex(case) for case in known] + [GOOD[:size] for size in range(len(GOOD))]
        cases += [GOOD[:3] + rng.randbytes(rng.randrange(200)) for _ in range(500)]
        lives = True
        for number, case in enumerate(cases, 1):
            seq += 1
            host.say(struct.pack(">H", seq) + case[2:] if len(case) > 1 else case)
            if lives and (number % 20 == 0 or number == len(cases)):  # more would only fill the socket's buffer
                seq += 1
                host.say(status(seq, analog(7, number)))
                lives = is_heard(host, number)
        checks.check(f"{len(cases)} truncated and random datagrams", lives)


def first_command(checks, bench):
    with bench.host() as host:
        host.tell("init")
        host.create_motor("XRPMotor:motorR")
        host.tell("set XRPMotor:motorR speed 0.25")
        host.create_servo("XRPServo:servo3")
        host.tell("dio 1 0")
        host.tell("enable 1")
        host.tell("step")
        heard = host.hear()
        checks.check("the first command has number 1", heard[:3] == bytes([0, 1, 1]), heard.hex())
        whole = bytes.fromhex(
            "000101061200000000000612013e80000006120200000000061203000000000613043f0000000613053f000000"
            "0613063f00000003140101"
        )
        checks.check("devices made just before the first step are in it", heard == whole, heard.hex())


def judge_stop(checks, name, stop):
    """Six datagrams, at 0, 20 .. 100 ms, control 0, motors 0; any of them would do. How late a busy
    machine makes them is not judged, but for a second."""
    is_stop = all(
        datagram[2] == 0 and not any(datagram[at + 3 + i] for at in range(3, 31, 7) for i in range(4))
        for _, datagram in stop
    )
    checks.check(f"{name}: six datagrams, each of which stops", len(stop) == STOPS and is_stop, f"{len(stop)}")
    span_s = stop[-1][0] - stop[0][0] if stop else 0
    checks.check(f"{name}: over 100 ms", STOP_S / 2 <= span_s < 1, f"{span_s:.3f} s")


def hear_stop(host):
    """The datagrams of a stop, each with its time."""
    heard = []
    while len(heard) < STOPS and (datagram := host.hear()) is not None:
        if datagram[2] == 0:
            heard.append((host.heard_s, datagram))
    return heard


def stops(checks, bench):
    for name, command in (("disable", "enable 0"), ("emergency stop", "estop 1")):
        with bench.driving() as host:
            host.tell(command)
            # The first is sent before the HAL's call returns.
            is_there, _, _ = select.select([host.robot], [], [], 0)
            checks.check(f"{name}: sent at once", is_there)
            judge_stop(checks, name, hear_stop(host))
            checks.check(f"{name}: and no seventh", host.hear(0.1) is None)
            host.tell("step")
            checks.check(f"{name}: stays disabled", host.hear()[2] == 0)
            host.tell("enable 1")
            host.tell("estop 0")
            host.tell("step")
            heard = host.hear()
            checks.check(f"{name}: ends", heard[2] == 1 and heard[6:10] == bytes.fromhex("3f000000"))
    for name in ("exit", "shutdown", "end of input"):
        with bench.driving() as host:
            ask_to_end(host, name)
            judge_stop(checks, name, hear_stop(host))
            if name == "shutdown":
                host.process.stdout.readline()
                host.tell("step")
                checks.check("shutdown: nothing is sent afterwards", host.hear(0.1) is None)
            else:
                checks.check(f"{name}: ends cleanly", host.process.wait(PATIENCE_S) == 0)
    with bench.driving() as host:
        host.tell("fork")
        checks.check("the end of a fork stops nothing", host.hear(0.2) is None)


def ask_to_end(host, how):
    if how == "end of input":
        host.process.stdin.close()
    else:
        host.process.stdin.write(how + "\n")
        host.process.stdin.flush()


def stop_with_enable(checks, bench):
    """Robot code that goes on stepping, and enables again at once, does not cut the stop short."""
    with bench.driving() as host:
        host.tell("enable 0")
        host.tell("enable 1")
        stop, until = [], time.monotonic() + PATIENCE_S
        while (heard := host.hear(0.01)) is None or heard[2] == 0:
            if heard is not None:
                stop.append(host.heard_s)
            if time.monotonic() > until:
                raise TestError("enabled again, the robot never is")
            host.tell("step")
        fine = len(stop) >= STOPS and host.heard_s - stop[0] >= STOP_S / 2
        detail = f"{len(stop)} stops, enabled after {host.heard_s - stop[0]:.3f} s"
        checks.check("enabled again during a stop: first the whole stop", fine, detail)


def stop_beside_steps(checks, bench):
    """A thread of robot code that goes on stepping while the program ends does not drive again."""
    for how in ("exit", "shutdown"):
        with bench.driving() as host:
            host.tell("spin")
            ask_to_end(host, how)
            heard, is_over = [], False
            while not is_over:  # whoever waits first finds his buffer full
                is_over = bool(select.select([host.process.stdout], [], [], 0)[0])  # its answer, or its end
                heard += host.hear_all(0.02)
            last = next((i for i in reversed(range(len(heard))) if heard[i][2] == 1), -1)
            stops = len(heard) - last - 1
            checks.check(f"{how} beside a thread that steps: stops come last", stops >= STOPS, f"{stops} of {len(heard)}")


def lossy_stops(checks, bench):
    """20 % loss and reordering: the firmware's rule drops what comes late. None of 60 stops is lost."""
    rng = random.Random(7)
    lost = 0
    with bench.driving() as host:
        robot = StockFirmware()
        for _ in range(60):
            host.tell("enable 1")
            for _ in range(3):
                host.tell("step")
            host.tell("enable 0")
            datagrams = [datagram for _, datagram in hear_stop(host)]
            arriving = [d for d in datagrams if rng.random() >= 0.2]
            for i in range(len(arriving) - 1):
                if rng.random() < 0.2:
                    arriving[i], arriving[i + 1] = arriving[i + 1], arriving[i]
            robot.enabled, robot.motors = True, {0: 0.5}
            for datagram in arriving:
                robot.take(datagram)
            lost += robot.is_driving()
    checks.check("stops that 20 % loss and reordering swallowed", lost == 0, f"{lost} of 60")


def wrap(checks, bench):
    """200 000 commands: the stock firmware takes every one, and a modular receiver meets no step back."""
    robot = StockFirmware()
    commands = 0
    with bench.driving() as host:
        host.robot.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        for _ in range(2000):
            host.tell("drive XRPMotor:motorL speed 100")
            commands += 100
            taken = robot.taken
            for datagram in host.hear_all(0):  # all of them were sent before the answer
                robot.take(datagram)
            if robot.taken < taken + 100:
                break
        detail = f"{robot.taken} of {commands} taken, {robot.refused} copies refused"
        checks.check("the stock firmware takes every command", robot.taken >= commands, detail)


def reboot(checks, bench):
    with bench.driving() as host:
        host.tell("encoder 4 5")
        for seq in (4998, 4999, 5000):
            host.say(status(seq, encoder(0, 500), analog(7, 1.0)))
        checks.check("a robot at number 5000", not host.await_state({"ai7": 1.0, "enc0": 500}))
        host.tell("resetencoder 4")
        host.say(status(5001, encoder(0, 510), analog(7, 1.5)))
        checks.check("counts from a reset on", not host.await_state({"ai7": 1.5, "enc0": 10}))
        host.say(status(4000, analog(6, 2.0)))
        host.say(status(5002, encoder(0, 510), analog(7, 2.0)))
        refused = is_heard(host, 2.0) and float(host.state()["ai6"]) != 2.0
        checks.check("an old number is refused", refused)
        time.sleep(0.6)
        for seq in range(5):
            host.say(status(seq, encoder(0, 3 * seq), analog(7, 2.5)))
        # Two statuses confirm the restart; from the second on, counts go on where they were.
        differs = host.await_state({"ai7": 2.5, "enc0": 10 + 3 * 4 - 3})
        checks.check("a rebooted robot is heard within its first statuses", "ai7" not in differs)
        checks.check("its encoder goes on where it was", not differs, f"{differs or ''}")


def strangers(checks, bench):
    with bench.driving() as host, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.sendto(status(1, analog(6, 4.0)), host.peer)
        host.say(status(1, analog(7, 4.5)))
        checks.check("the robot is heard", is_heard(host, 4.5))
        checks.check("another sender is not", float(host.state()["ai6"]) != 4.0)


def settings(checks, bench):
    for value in ("99999", "-1", "0", "3540xyz", " 3540", "99999999999", "0x0dd4", "abc", "65536"):
        with bench.host(HALSIMXRP_PORT=value) as host:
            refused = host.tell("init") == "0"
            sentence = f'HALSIMXRP_PORT is "{value}"' in host.log() and host.log().count("\n") == 1
            checks.check(f"port {value!r} is refused with a sentence", refused and sentence, host.log().strip())
            checks.check(f"port {value!r}: the program goes on", host.end() == 0)
    for value in ("http://xrp", "10.0.0.1:3540", " 127.0.0.1", "a b", "192.168.42", "10.0.0.300"):
        with bench.host(HALSIMXRP_HOST=value) as host:
            refused = host.tell("init") == "0" and f'HALSIMXRP_HOST is "{value}"' in host.log()
            checks.check(f"host {value!r} is refused with a sentence", refused, host.log().strip())
    for value in ("localhost", "", "0.0.0.0", "LOCALHOST"):  # the last one asks the resolver
        with bench.driving(HALSIMXRP_HOST=value) as host:
            host.say(status(1, analog(7, 1.25)))
            checks.check(f"host {value!r} is this machine", is_heard(host, 1.25))
    with bench.driving(host="::1") as host:
        host.say(status(1, analog(7, 1.25)))
        checks.check("IPv6", is_heard(host, 1.25))
    with bench.host(HALSIMXRP_PORT="") as host:
        checks.check("an empty port is the default", host.tell("init") == "1" and ":3540" in host.log())


def unknown_name(checks, bench):
    """No more than that it does no harm; run_ext_names.py has a name server of its own."""
    with bench.host(HALSIMXRP_HOST="nosuchhost.invalid") as host:
        loads = host.tell("init") == "1" and host.tell("step") == "ok"
        checks.check("with an unknown name it loads", loads, host.log().strip())
        checks.check("and ends", host.end() == 0)


def late_robot(checks, bench):
    """Nobody listens, then somebody does: the first command already arrives."""
    with bench.host() as host:
        port = host.robot.getsockname()[1]
        host.robot.close()
        host.tell("init")
        until = time.monotonic() + PATIENCE_S
        while "nobody answers yet" not in host.log() and time.monotonic() < until:
            host.tell("step")
            time.sleep(0.02)
        checks.check("without a robot it says so", "nobody answers yet" in host.log(), host.log().strip())
        host.open_robot(port)
        heard = 0
        for _ in range(10):
            host.tell("step")
            heard += host.hear(2) is not None
        checks.check("a robot that appears late misses nothing", heard == 10, f"{heard} of 10")
        host.say(status(1, analog(7, 2.25)))
        checks.check("and is heard", is_heard(host, 2.25))


def loading(checks, bench):
    extension = harness.our_extension("xrp")
    with bench.host(HALSIM_EXTENSIONS=f"{extension}:{extension}") as host:
        host.tell("init")
        host.tell("step")
        heard = host.hear_all()
        checks.check("listed twice, it runs once", len(heard) == 1, f"{len(heard)} datagrams for a step")
    code = f"import ctypes, sys; sys.exit(ctypes.CDLL({str(extension)!r}).HALSIM_InitExtension() != -1)"
    environment = {**os.environ, **harness.sanitizer_environment()}
    alone = subprocess.run(
        [sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, check=False, env=environment
    )
    sentence = "HALSIM_RegisterSimPeriodicAfterCallback" in alone.stderr or "is missing" in alone.stderr
    checks.check("without a HAL it refuses with a sentence", alone.returncode == 0 and sentence, alone.stderr.strip())


TESTS = [truncated_datagrams, first_command, stops, stop_with_enable, stop_beside_steps, lossy_stops]
TESTS += [wrap, reboot, strangers, settings, unknown_name, late_robot, loading]


def play(checks, _programs, given, work):
    bench = Bench(given.season, work)
    for test in TESTS:
        test(checks, bench)


if __name__ == "__main__":
    harness.main(__doc__, play)
