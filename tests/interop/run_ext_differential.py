#!/usr/bin/env -S python3 -B
"""Random actions of robot code and random robot packets into WPILib's own XRP extension and into ours.

Datagrams and the HAL's state are compared after every action. Each difference must be one of
DIFFERENCES, with exactly the value that its rule gives, and must stand in docs/guide/extensions.md.

    run_ext_differential.py --work build/interop      (HY_SEED=7 HY_SEQUENCES=3000 for another run)
"""

import concurrent.futures
import math
import os
import pathlib
import random
import struct

import harness
from hal_host import HalHost
from harness import TestError

GUIDE = harness.HERE.parents[1] / "docs/guide/extensions.md"

# Name in the guide -> how often it was seen.
DIFFERENCES = {
    "numbers": 0,
    "motors off while disabled": 0,
    "stop repeated": 0,
    "emergency stop": 0,
    "motor limits": 0,
    "servo limits": 0,
    "freed motor": 0,
    "level of a new output": 0,
    "channel that is no output any more": 0,
    "echo of an output": 0,
    "readings that are no numbers": 0,
    "period without meaning": 0,
    "freed encoder": 0,
    "encoder made again": 0,
    "reset before the first count": 0,
    "angle past a full turn": 0,
    "angle that was reset": 0,
}

OTHER_DIFFERENCES = {"devices made just before the first step": 0}

MOTORS = ["motorL", "motorR", "motor3", "motor4"]
SERVOS = ["servo1", "servo2", "servo3", "servo4"]
PAIRS = [(4, 5), (6, 7), (8, 9), (10, 11)]
OUTPUT_CHANNELS = [1, 2, 3, 12, 20, 30]
EFFORTS = [0, 0.1, -0.1, 1 / 3, -1 / 3, 0.5, 1, -1, 2.5, -7, -0.0]
EFFORTS += [math.nan, math.inf, -math.inf, 1e300, 1e-300, -1e-300, 1e-45]
POSITIONS = [0, 0.25, 0.5, 0.75, 1, 1.5, -0.5, math.nan, math.inf, 0.1]
READINGS = [0, 1.25, -3.5, 180, 1e30, math.nan, math.inf, -math.inf]


def to_f32(value):
    try:
        return struct.unpack(">f", struct.pack(">f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def bits(value):
    return struct.pack(">f", value)


class Command:
    """A datagram of an extension, taken apart; every block must be of the known sizes."""

    def __init__(self, datagram):
        self.seq, self.control = struct.unpack_from(">HB", datagram)
        self.motors, self.servos, self.dios, self.order = {}, {}, {}, []
        at = 3
        while at < len(datagram):
            size, tag, ident = datagram[at : at + 3]
            self.order.append((tag, ident))
            if tag == 0x14:
                self.dios[ident] = datagram[at + 3]
            else:
                table = self.motors if tag == 0x12 else self.servos
                table[ident] = struct.unpack_from(">f", datagram, at + 3)[0]
            at += 1 + size


class Encoder:
    """One that robot code has, and what ours must show for it."""

    def __init__(self, first, slot):
        self.first, self.slot = first, slot
        self.offset, self.shown = 0, None  # nothing is known before the robot has said something


class Angle:
    """A gyro's angle as ours shows it: raw - offset."""

    def __init__(self):
        self.raw, self.offset, self.is_known, self.was_reset = 0.0, 0.0, False, False

    def take(self, raw):
        if not self.is_known and self.was_reset:
            self.offset = raw  # the first reading is the zero
        elif self.is_known and abs(raw - self.raw) > 180 and max(abs(raw), abs(self.raw)) <= 360:
            self.offset += math.copysign(360, raw - self.raw)
        self.raw, self.is_known = raw, True

    def reset(self):
        self.offset, self.was_reset = self.raw, True


class Session:
    """Both extensions, each in a host of its own, and what robot code has done in both."""

    def __init__(self, season, work, seed):
        self.rng = random.Random(seed)
        ours = harness.our_extension("xrp")
        self.ours = HalHost(season, ours, work / f"ours{seed}.log")
        self.theirs = HalHost(season, season.extension, work / f"theirs{seed}.log")
        self.hosts = (self.ours, self.theirs)
        self.efforts, self.positions, self.freed_motors = {}, {}, set()
        self.once_servos = set()
        self.held = dict.fromkeys(range(4), 0.5)  # servo positions that were numbers
        self.outputs, self.inputs, self.once_outputs, self.written = set(), set(), set(), set()
        self.encoders, self.raws = {}, {}  # by pair: what robot code has, what the robot last said
        self.angles = {axis: Angle() for axis in "xyz"}
        self.freed_pairs, self.made_again, self.pending_reset = set(), set(), set()
        self.enabled = self.stopped = self.is_driving = False
        self.seq, self.marker, self.sent_stops = 0, 0, 0
        self.stray = {}
        for host in self.hosts:
            host.start()
        self.drive(enabled=True)
        self.steps = 0
        self.step()  # from now on each knows the other's address

    def close(self):
        for host in self.hosts:
            host.__exit__()

    def both(self, command):
        answers = [host.tell(command) for host in self.hosts]
        if answers[0] != answers[1]:
            raise TestError(f"{command}: ours answers {answers[0]}, theirs {answers[1]}")
        return answers[0]

    # -- actions of robot code

    def make_motor(self):
        name = self.rng.choice(MOTORS)
        if name not in self.efforts:
            for host in self.hosts:
                host.create_motor(f"XRPMotor:{name}")
            self.efforts[name] = 0.0
            self.freed_motors.discard(name)
            self.await_hosts()

    def make_servo(self):
        name = self.rng.choice(SERVOS)
        if name not in self.positions:
            for host in self.hosts:
                host.create_servo(f"XRPServo:{name}")
            self.positions[name] = 0.5
            self.once_servos.add(name)
            self.held[SERVOS.index(name)] = 0.5
            self.await_hosts()

    def set_motor(self):
        if self.efforts:
            name, effort = self.rng.choice(sorted(self.efforts)), self.rng.choice(EFFORTS)
            self.both(f"set XRPMotor:{name} speed {effort!r}")
            self.efforts[name] = effort

    def set_servo(self):
        if self.positions:
            name, position = self.rng.choice(sorted(self.positions)), self.rng.choice(POSITIONS)
            self.both(f"set XRPServo:{name} position {position!r}")
            self.positions[name] = position
            if not math.isnan(position):
                self.held[SERVOS.index(name)] = min(max(position, 0), 1)

    def free_motor(self):
        if self.efforts:
            name = self.rng.choice(sorted(self.efforts))
            self.both(f"free XRPMotor:{name}")
            del self.efforts[name]
            self.freed_motors.add(name)

    def make_dio(self):
        channel, is_input = self.rng.choice(OUTPUT_CHANNELS), self.rng.random() < 0.3
        if channel not in self.outputs | self.inputs:
            self.both(f"dio {channel} {int(is_input)}")
            (self.inputs if is_input else self.outputs).add(channel)
            if not is_input:
                self.once_outputs.add(channel)
            self.await_hosts()

    def set_dio(self):
        if self.outputs:
            self.both(f"level {self.rng.choice(sorted(self.outputs))} {self.rng.randrange(2)}")

    def turn_dio(self):
        if self.outputs | self.inputs:
            channel = self.rng.choice(sorted(self.outputs | self.inputs))
            becomes_input = channel in self.outputs
            self.both(f"direction {channel} {int(becomes_input)}")
            source, goal = (
                (self.outputs, self.inputs) if becomes_input else (self.inputs, self.outputs)
            )
            source.discard(channel)
            goal.add(channel)
            self.once_outputs |= self.outputs

    def free_dio(self):
        if self.outputs | self.inputs:
            channel = self.rng.choice(sorted(self.outputs | self.inputs))
            self.both(f"freedio {channel}")
            self.outputs.discard(channel)
            self.inputs.discard(channel)

    def make_encoder(self):
        pair = self.rng.choice(PAIRS)
        if pair not in self.encoders:
            first, second = pair if self.rng.random() < 0.7 else pair[::-1]
            slot = int(self.both(f"encoder {first} {second}"))
            self.encoders[pair] = Encoder(first, slot)
            self.made_again |= {pair} & self.freed_pairs
            self.await_hosts()

    def reset_encoder(self):
        if self.encoders:
            pair = self.rng.choice(sorted(self.encoders))
            encoder = self.encoders[pair]
            self.both(f"resetencoder {encoder.first}")
            if encoder.shown is None:
                self.pending_reset.add(encoder.slot)
            encoder.offset = self.raws.get(pair)  # None: the first count will be the zero
            encoder.shown = 0

    def free_encoder(self):
        if self.encoders:
            pair = self.rng.choice(sorted(self.encoders))
            first = self.encoders.pop(pair).first
            self.both(f"freeencoder {first} {sum(pair) - first}")
            self.freed_pairs.add(pair)

    def make_gyro(self):
        if not getattr(self, "has_gyro", False):
            for host in self.hosts:
                host.create_gyro("Gyro:XRPGyro")
            self.has_gyro = True
            self.await_hosts()

    def reset_gyro(self):
        if getattr(self, "has_gyro", False):
            self.both("resetvalue Gyro:XRPGyro angle_z")
            self.angles["z"].reset()

    def enable(self):
        self.drive(enabled=self.rng.random() < 0.9)

    def estop(self):
        self.drive(stopped=self.rng.random() < 0.2)

    def drive(self, enabled=None, stopped=None):
        if enabled is not None:
            self.enabled = enabled
            self.both(f"enable {int(enabled)}")
        if stopped is not None:
            self.stopped = stopped
            self.both(f"estop {int(stopped)}")
        if self.is_driving and (not self.enabled or self.stopped):
            self.is_driving = False
            self.expect_stop()

    def expect_stop(self):
        """Ours alone says it, six times over 100 ms."""
        heard = [self.ours.hear() for _ in range(6)]
        if None in heard or self.ours.hear(0.04) is not None:
            raise TestError(f"a stop is six datagrams, heard {[h and h.hex() for h in heard]}")
        for datagram in heard:
            command = Command(datagram)
            if command.control != 0 or any(command.motors.values()):
                raise TestError(f"this is no stop: {datagram.hex()}")
        self.sent_stops += 6
        DIFFERENCES["stop repeated"] += 1

    # -- packets of the robot

    def robot_packet(self):
        rng = self.rng
        self.unused_encoders = [0, 1, 2, 3, 4]  # each once: of two blocks ours takes the last one whole
        blocks = b"".join(self.block() for _ in range(rng.randrange(6)))
        last, self.seq = self.seq, self.seq + rng.choice([1, 1, 1, 2, 20])
        if rng.random() < 0.1:  # old or the same again: both refuse
            old = struct.pack(">HB", rng.randrange(last + 1), 0) + blocks
            for host in self.hosts if last > 0 else ():
                host.say(old)
            blocks = b""
        packet = struct.pack(">HB", self.seq, rng.choice([0, 0, 1, 255])) + blocks
        for host in self.hosts:
            host.say(packet)
        self.await_hosts()
        if blocks:
            self.note(blocks)

    def await_hosts(self):
        """Returns once both have taken all that was said to them, and follow every device: theirs does
        that on the thread that receives, where what came first is done first."""
        self.marker = (self.marker + 1) % 1000
        self.seq += 1
        if self.seq > 65000:
            raise TestError("the test ran out of numbers")
        for host in self.hosts:
            host.say(struct.pack(">HBBBBf", self.seq, 0, 6, 0x15, 7, self.marker))
        for host in self.hosts:
            if host.await_state({"ai7": self.marker}):
                raise TestError(f"number {self.seq} was not taken by {host.log_path.stem}")

    def block(self):
        rng = self.rng
        kind = rng.randrange(8)
        if kind == 0:
            return struct.pack(">BBBi", 6, 0x18, self.unused_encoder(), rng.randrange(-(2**31), 2**31))
        if kind == 1:
            num, den = rng.choice([0, 1, 3, 4001, 4000, 0xFFFFFFFF, 0xFFFFFFFE]), rng.choice([0, 8312500])
            count = rng.randrange(-5000, 5000)
            return struct.pack(">BBBiII", 14, 0x18, self.unused_encoder(), count, num, den)
        if kind == 2:
            return bytes([3, 0x14, rng.choice([0, 1, 2, 12, 30, 31, 255]), rng.choice([0, 1, 2])])
        if kind == 3:
            return struct.pack(">BBBf", 6, 0x15, rng.choice([0, 1, 2, 6, 8]), rng.choice(READINGS))
        if kind == 4:
            return struct.pack(">BB6f", 25, 0x16, *(rng.choice(READINGS) for _ in range(6)))
        if kind == 5:
            return struct.pack(">BB3f", 13, 0x17, *(rng.choice(READINGS) for _ in range(3)))
        if kind == 6:
            return bytes([6, 0x42]) + rng.randbytes(5)  # unknown
        return bytes([2, rng.choice([0x14, 0x15, 0x16, 0x17, 0x18]), 0])  # known, too short

    def unused_encoder(self):
        return self.unused_encoders.pop(self.rng.randrange(len(self.unused_encoders)))

    def note(self, blocks):
        """Remembers what our rules will have to explain."""
        at, angles = 0, ()
        while at < len(blocks):
            size, tag = blocks[at], blocks[at + 1]
            body = blocks[at + 2 : at + 1 + size]
            if tag == 0x18 and size >= 6 and body[0] < 4:
                self.note_count(PAIRS[body[0]], struct.unpack_from(">i", body, 1)[0])
            if tag == 0x16 and size == 25:
                angles = struct.unpack_from(">3f", body, 12)
            at += 1 + size
        for axis, raw in zip("xyz", angles):
            if math.isfinite(raw):
                self.angles[axis].take(raw)

    def note_count(self, pair, raw):
        self.raws[pair] = raw
        encoder = self.encoders.get(pair)
        if encoder is not None:
            if encoder.offset is None:
                encoder.offset = raw
            encoder.shown = (raw - encoder.offset + 2**31) % 2**32 - 2**31

    # -- comparing

    def step(self):
        for host in self.hosts:
            host.tell("step")
        self.is_driving = self.enabled and not self.stopped
        ours, theirs = (host.hear() for host in self.hosts)
        if ours is None or theirs is None:
            raise TestError(f"a step without a datagram: ours {ours}, theirs {theirs}")
        self.steps += 1
        self.compare_commands(ours, theirs)

    def compare_commands(self, ours_raw, theirs_raw):
        ours, theirs = Command(ours_raw), Command(theirs_raw)

        def unexplained(what):
            raise TestError(f"{what}\n  ours   {ours_raw.hex()}\n  theirs {theirs_raw.hex()}")

        if ours.seq != theirs.seq + 1 + self.sent_stops:
            unexplained("number")
        DIFFERENCES["numbers"] += 1
        if ours.control != theirs.control:
            if not (self.stopped and ours.control == 0):
                unexplained("control")
            DIFFERENCES["emergency stop"] += 1
        for ident, name in enumerate(MOTORS):
            self.compare_motor(ours, theirs, ident, name, unexplained)
        late = ours.servos.keys() - theirs.servos.keys()
        made = {4, 5} | {4 + SERVOS.index(name) for name in self.once_servos}
        if theirs.servos.keys() - ours.servos.keys() or set(ours.servos) != made:
            unexplained("servos")
        if late:  # it depends on the machine whether that is seen
            OTHER_DIFFERENCES["devices made just before the first step"] += 1
        for ident in theirs.servos:
            if bits(ours.servos[ident]) != bits(theirs.servos[ident]):
                if bits(ours.servos[ident]) != bits(to_f32(self.held[ident - 4])):
                    unexplained(f"servo {ident}")
                DIFFERENCES["servo limits"] += 1
        self.compare_dios(ours, theirs, unexplained)
        shared = [block for block in ours.order if block in theirs.order]
        if [block for block in theirs.order if block in ours.order] != shared:
            unexplained("order")

    def compare_motor(self, ours, theirs, ident, name, unexplained):
        mine, other = ours.motors[ident], theirs.motors[ident]
        if bits(mine) == bits(other):
            return
        effort = self.efforts.get(name, 0.0)
        if ours.control == 0:
            rule, expected = "motors off while disabled", 0.0
        elif name in self.freed_motors:
            rule, expected = "freed motor", 0.0
        elif not -1 <= effort <= 1:
            rule, expected = "motor limits", 0.0 if math.isnan(effort) else math.copysign(1.0, effort)
        else:
            unexplained(f"motor {ident}, robot code says {effort}")
        if bits(mine) != bits(expected):
            unexplained(f"motor {ident}: {rule} asks for {expected}")
        DIFFERENCES[rule] += 1

    def compare_dios(self, ours, theirs, unexplained):
        if set(ours.dios) != self.outputs:
            unexplained(f"ours must have the outputs {sorted(self.outputs)}")
        if set(theirs.dios) - set(ours.dios) - self.once_outputs:
            unexplained("theirs has channels that never were outputs")
        if set(theirs.dios) - set(ours.dios):
            DIFFERENCES["channel that is no output any more"] += 1
        state = self.ours.state() if ours.dios else {}
        for channel, level in ours.dios.items():
            if level != int(state[f"dio{channel}"]):
                unexplained(f"DIO {channel} is {state[f'dio{channel}']} in the HAL")
            if level != theirs.dios.get(channel):
                DIFFERENCES["level of a new output"] += 1

    def compare_state(self):
        ours, theirs = self.ours.state(), self.theirs.state()
        for pair, encoder in self.encoders.items():
            if encoder.shown is not None and int(ours[f"enc{encoder.slot}"]) != encoder.shown:
                raise TestError(f"encoder {pair} shows {ours[f'enc{encoder.slot}']}, not {encoder.shown}")
        for key in ours:
            if ours[key] == theirs[key]:
                self.stray.pop(key, None)
                continue
            if self.stray.get(key) == (ours[key], theirs[key]):
                continue  # explained when it came
            rule = self.explain(key, ours[key], theirs[key])
            if rule is None:
                raise TestError(f"{key}: ours {ours[key]}, theirs {theirs[key]}")
            DIFFERENCES[rule] += 1
            self.stray[key] = (ours[key], theirs[key])

    def explain(self, key, ours, theirs):
        if key.startswith("dio"):
            channel = int(key[3:])
            return "echo of an output" if channel in self.outputs | self.once_outputs else None
        if key.startswith("Gyro:XRPGyro/angle_") and math.isfinite(float(theirs)):
            angle = self.angles[key[-1]]
            rule = "angle that was reset" if angle.was_reset else "angle past a full turn"
            return rule if ours == f"{angle.raw - angle.offset:.9g}" else None
        if key.startswith(("ai", "acc", "Gyro:")):
            pairs = zip(ours.split(","), theirs.split(","), strict=True)
            is_fine = all(mine == other or not math.isfinite(float(other)) for mine, other in pairs)
            return "readings that are no numbers" if is_fine else None
        if key.startswith(("enc", "period")) and self.freed_pairs:
            return "encoder made again" if self.made_again else "freed encoder"
        if key.startswith("enc"):
            return "reset before the first count" if int(key[3:]) in self.pending_reset else None
        if key.startswith("period"):
            is_nonsense = not math.isfinite(float(theirs)) or float(theirs) == 0
            return "period without meaning" if is_nonsense else None
        return None


ACTIONS = {
    Session.step: 30,
    Session.robot_packet: 25,
    Session.set_motor: 15,
    Session.set_servo: 6,
    Session.make_motor: 4,
    Session.make_servo: 2,
    Session.free_motor: 1,
    Session.make_dio: 4,
    Session.set_dio: 6,
    Session.turn_dio: 2,
    Session.free_dio: 2,
    Session.make_encoder: 4,
    Session.reset_encoder: 3,
    Session.free_encoder: 0.3,
    Session.make_gyro: 1,
    Session.reset_gyro: 1,
    Session.enable: 3,
    Session.estop: 1,
}


def play_one(season, work, seed, sequences):
    session = Session(season, work, seed)
    trail = []
    try:
        for _ in range(sequences):
            for action in session.rng.choices(list(ACTIONS), list(ACTIONS.values()), k=10):
                trail.append(action.__name__)
                action(session)
                session.compare_state()
            session.step()
    except TestError as error:
        raise TestError(f"HY_SEED={seed}, after {' '.join(trail[-12:])}: {error}") from error
    finally:
        session.close()
    return session.steps


# Sessions at a time: they wait for their hosts and for the clock more than they compute.
AT_ONCE = 3


def play(checks, _programs, given, work):
    first = int(os.environ.get("HY_SEED", "1"))
    sequences = int(os.environ.get("HY_SEQUENCES", "3000"))
    a_process = 20
    seeds = range(first, first + max(1, sequences // a_process))
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        steps = sum(pool.map(lambda seed: play_one(given.season, work, seed, a_process), seeds))
    checks.check(f"{sequences} sequences, {steps} datagrams: every difference has its rule", True)
    for name, count in OTHER_DIFFERENCES.items():
        print(f"       '{name}' was seen {count} times")
    guide = GUIDE.read_text() if GUIDE.exists() else ""
    for name, count in DIFFERENCES.items():
        checks.check(f"'{name}' is seen", count > 0, f"{count} times")
        checks.check(f"'{name}' stands in {pathlib.Path(GUIDE).name}", f"**{name}**" in guide)


if __name__ == "__main__":
    harness.main(__doc__, play)
