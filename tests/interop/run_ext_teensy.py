#!/usr/bin/env -S python3 -B
"""The Teensy dialect over the real HAL: every device, byte for byte, both ways.

    run_ext_teensy.py --work build/interop
"""

import struct

import harness
from hal_host import HalHost

MOTORS = [f"{corner}{part}" for corner in ("frontLeft", "rearLeft", "rearRight", "frontRight") for part in ("Drive", "Azimuth")]
MOTOR, DIO, ANALOG, GYRO, ENCODER = 0x12, 0x13, 0x14, 0x15, 0x16


def command(seq, control, efforts, dios=()):
    motors = b"".join(struct.pack(">BBBf", 6, MOTOR, i, effort) for i, effort in enumerate(efforts))
    return struct.pack(">HB", seq, control) + motors + b"".join(bytes([3, DIO, *dio]) for dio in dios)


def play(checks, _programs, given, work):
    extension = harness.our_extension("teensy")
    with HalHost(given.season, extension, work / "host.log", kind="teensy") as host:
        checks.check("it loads", host.tell("init") == "1", host.log())

        def step(name, expected):
            host.tell("step")
            heard = host.hear()
            checks.check(name, heard == expected, f"{heard and heard.hex()}\n       {expected.hex()}")

        step("eight motors before robot code has any", command(1, 0, [0] * 8))
        for index, motor in enumerate(MOTORS):
            # What the vendor's value is called differs from year to year.
            value = ("speed", "velocity", "throttle")[index % 3]
            host.create_motor(f"TeensyMotor:{motor}", value)
            host.tell(f"set TeensyMotor:{motor} {value} {(index + 1) / 8}")
        host.tell("dio 2 0")
        host.tell("enable 1")
        efforts = [(index + 1) / 8 for index in range(8)]
        step("each motor has its number", command(2, 1, efforts, [(2, 1)]))
        host.tell("level 2 0")
        step("a digital output", command(3, 1, efforts, [(2, 0)]))

        host.create_gyro("Gyro:TeensyGyro")
        for first in range(4, 20, 2):
            host.tell(f"encoder {first} {first + 1}")
        taken = [host.tell(f"dio {channel} 1") for channel in range(20, 24)]
        checks.check("the encoders leave the home switches' inputs free", taken == ["0"] * 4, f"{taken}")
        blocks = struct.pack(">BB6f", 25, GYRO, 1, 2, 3, 4, 5, 6) + bytes([3, DIO, 0, 0])
        blocks += b"".join(bytes([3, DIO, channel, level]) for channel, level in ((20, 0), (21, 1), (22, 0), (23, 1)))
        blocks += b"".join(struct.pack(">BBBi", 6, ENCODER, i, 100 * i - 300) for i in range(7))
        blocks += struct.pack(">BBBiII", 14, ENCODER, 7, -7, 2000 << 1, 1000000)
        blocks += struct.pack(">BBBf", 6, ANALOG, 3, 2.5)
        host.say(struct.pack(">HB", 0, 0) + blocks)
        counts = [-300, -200, -100, 0, 100, 200, 300, -7]
        gyro = [f"Gyro:TeensyGyro/{kind}_{axis}" for kind in ("rate", "angle") for axis in "xyz"]
        expected = {"ai3": 2.5, "dio0": 0, "dio20": 0, "dio21": 1, "dio22": 0, "dio23": 1, "period7": -0.002}
        expected |= {f"enc{i}": count for i, count in enumerate(counts)}
        expected |= {name: reading for reading, name in enumerate(gyro, 1)}
        differs = host.await_state(expected)
        for what, names in (
            ("an analog input", ["ai3"]),
            ("a digital input", ["dio0"]),
            ("home switches", [f"dio{channel}" for channel in range(20, 24)]),
            ("eight encoders", [f"enc{i}" for i in range(8)]),
            ("the speed of an encoder", ["period7"]),
            ("a gyro", gyro),
        ):
            wrong = {name: differs[name] for name in names if name in differs}
            checks.check(what, not wrong, f"{wrong or ''}")

        host.tell("enable 0")
        stops = [host.hear() for _ in range(6)]
        expected = [command(4 + i, 0, [0] * 8, [(2, 0)]) for i in range(6)]
        checks.check("a stop, six times", stops == expected)
        checks.check("it ends", host.end() == 0)


if __name__ == "__main__":
    harness.main(__doc__, play)
