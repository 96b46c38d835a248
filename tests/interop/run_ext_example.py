#!/usr/bin/env -S python3 -B
"""The extension that people copy for a board of their own (examples/extension), over the real HAL.

    run_ext_example.py --work build/interop
"""

import struct

import harness
from hal_host import HalHost


def play(checks, _programs, given, work):
    extension = harness.our_extension("myboard")
    with HalHost(given.season, extension, work / "host.log", kind="myboard") as host:
        checks.check("it loads", host.tell("init") == "1", host.log().strip())
        for name, speed in (("left", 0.5), ("right", -1)):
            host.create_motor(f"MyMotor:{name}")
            host.tell(f"set MyMotor:{name} speed {speed}")
        host.tell("dio 0 0")
        host.tell("encoder 2 3")
        host.tell("enable 1")
        host.tell("step")
        expected = bytes.fromhex("000101 0641003f000000 064101bf800000 03420001")
        heard = host.hear()
        checks.check("its command", heard == expected, heard.hex())
        host.say(struct.pack(">HBBBBi", 1, 0, 6, 0x43, 0, 77) + bytes([200, 0x43]))
        differs = host.await_state({"enc0": 77})
        checks.check("its encoder, from a datagram that is cut behind it", not differs, f"{differs or ''}")
        checks.check("it ends", host.end() == 0)


if __name__ == "__main__":
    harness.main(__doc__, play)
