"""`halyard replay --nt`: WPILib's client sees a recording of ours, and a log that WPILib wrote, value by value and at their pace."""

import argparse
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

import harness

WAIT_S = 30


def within(happened):
    give_up = time.monotonic() + WAIT_S
    while time.monotonic() < give_up:
        if happened():
            return True
        time.sleep(0.01)
    return False


class Replay:
    """`halyard replay FILE --nt` at a free port."""

    def __init__(self, halyard, path, *more):
        self.process = subprocess.Popen(
            [halyard, "replay", path, "--nt=127.0.0.1:0", "--view=127.0.0.1:0", *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        ready = self.process.stdout.readline().split()
        self.pairs = dict(pair.split("=", 1) for pair in ready[2:])
        self.port = int(self.pairs["nt"].rpartition(":")[2])

    def end(self):
        self.process.terminate()
        _, errors = self.process.communicate(timeout=WAIT_S)
        return self.process.returncode, errors


def connect(ntcore, port):
    instance = ntcore.NetworkTableInstance.create()
    instance.setServer("127.0.0.1", port)
    instance.startClient4("replay test")
    return instance


def values_of(path, from_s=0.0, to_s=1e9):
    """What WPILib's own reader finds between two times: the bytes of the values of each name, in their order."""
    from wpiutil.log import DataLogReader

    names, found = {}, {}
    for record in DataLogReader(str(path)):
        if record.isStart():
            start = record.getStartData()
            names[start.entry] = (start.name.removeprefix("NT:"), start.type)
        elif not record.isControl() and record.getEntry() in names and from_s <= record.getTimestamp() * 1e-6 <= to_s:
            found.setdefault(names[record.getEntry()], []).append(bytes(record.getRaw()))
    return found


def our_recording(checks, ntcore, halyard, path):
    from wpimath.geometry import Pose2d

    found = values_of(path)
    replay = Replay(halyard, path, "--speed", "2")
    instance = connect(ntcore, replay.port)
    options = ntcore.PubSubOptions(periodic=0.02, sendAll=True, pollStorage=5000)
    pose = instance.getStructTopic("/Robot/Truth/Pose", Pose2d).subscribe(Pose2d(), options)
    battery = instance.getDoubleTopic("/Robot/Battery").subscribe(-1, options)
    recorded = [struct_pose(raw) for raw in found["/Robot/Truth/Pose", "struct:Pose2d"]]
    checks.check("the last pose arrives", within(lambda: near(pose.get(), recorded[-1])), f"{pose.get()} {recorded[-1]}")
    heard = [(item.value.X(), item.value.Y()) for item in pose.readQueue()]
    expected = [place[:2] for place in recorded]
    # From when it subscribed on. Not from the first that is equal: the robot stands for a while.
    checks.check("every pose, once and in order", len(heard) > 20 and heard == expected[-len(heard):], f"{len(heard)} of {len(expected)}")
    checks.check("a number", battery.get() == struct.unpack("<d", found["/Robot/Battery", "double"][-1])[0], f"{battery.get()}")
    checks.check("its unit", instance.getTopic("/Robot/Battery").getProperties() == {"unit": "V"})
    everything = ntcore.MultiSubscriber(instance, ["/"])
    schema = instance.getTopic("/.schema/struct:Pose2d")
    checks.check("the schema", within(lambda: schema.getTypeString() == "structschema"), schema.getTypeString())
    checks.check("no inputs", not instance.getTopic("/Halyard/Replay/PackedInput").exists())
    checks.check("a page as well", replay.pairs.get("page", "").startswith("http://127.0.0.1:"), f"{replay.pairs}")
    everything.close()
    instance.stopClient()
    status, errors = replay.end()
    checks.check("it ends in order", status == 0, errors)


def a_part(checks, ntcore, halyard, path):
    from wpimath.geometry import Pose2d

    recorded = [struct_pose(raw)[:2] for raw in values_of(path, 1, 2)["/Robot/Truth/Pose", "struct:Pose2d"]]
    replay = Replay(halyard, path, "--from", "1", "--to", "2")
    instance = connect(ntcore, replay.port)
    pose = instance.getStructTopic("/Robot/Truth/Pose", Pose2d).subscribe(Pose2d(), ntcore.PubSubOptions(periodic=0.02, sendAll=True, pollStorage=1000))
    checks.check("the last pose of a part arrives", within(lambda: near(pose.get(), recorded[-1])), f"{pose.get()} {recorded[-1]}")
    time.sleep(0.3)  # nothing may come after it
    heard = [(item.value.X(), item.value.Y()) for item in pose.readQueue()]
    checks.check("and nothing that is outside of it", 0 < len(heard) <= len(recorded) and heard == recorded[-len(heard):], f"{len(heard)} of {len(recorded)}")
    instance.stopClient()
    replay.end()


def struct_pose(raw):
    return struct.unpack("<ddd", raw)


def near(pose, place):
    return (pose.X(), pose.Y()) == place[:2]


def a_foreign_log(checks, ntcore, halyard, folder):
    import wpilib
    from wpiutil.log import DoubleArrayLogEntry, DoubleLogEntry, StringArrayLogEntry

    path = pathlib.Path(folder) / "foreign.wpilog"
    wpilib.DataLogManager.start(folder, path.name, 0.05)
    log = wpilib.DataLogManager.getLog()
    number, texts, pose = DoubleLogEntry(log, "/drive/speed"), StringArrayLogEntry(log, "words"), DoubleArrayLogEntry(log, "/drive/pose")
    # Of what comes before the file begins, it has only the last word.
    checks.check("WPILib writes a file", within(lambda: path.exists() and b"/drive/pose" in path.read_bytes()))
    for i in range(200):
        number.append(i / 2, 7000000 + 10000 * i)
    for i in range(5):  # behind all numbers, but earlier than the last of them
        pose.append([i, -i, 0.1 * i], 7000000 + 300000 * i)
    texts.append(["a", "b c"], 7500000)
    log.flush()
    within(lambda: b"b c" in path.read_bytes())
    wpilib.DataLogManager.stop()
    replay = Replay(halyard, path, "--speed", "4")
    checks.check("there is no page", "page" not in replay.pairs, f"{replay.pairs}")
    instance = connect(ntcore, replay.port)
    speed = instance.getDoubleTopic("/drive/speed").subscribe(-1, ntcore.PubSubOptions(periodic=0.02, sendAll=True, pollStorage=1000))
    where = instance.getDoubleArrayTopic("/drive/pose").subscribe([])
    words = instance.getStringArrayTopic("words").subscribe([])
    checks.check("its last number", within(lambda: speed.get() == 99.5), f"{speed.get()}")
    heard = [item.value for item in speed.readQueue()]
    checks.check("in order", len(heard) > 20 and heard == sorted(heard) and len(set(heard)) == len(heard), f"{len(heard)}")
    checks.check("its array", within(lambda: list(where.get()) == [4, -4, 0.4]), f"{where.get()}")
    checks.check("its texts", within(lambda: words.get() == ["a", "b c"]), f"{words.get()}")
    instance.stopClient()
    status, errors = replay.end()
    checks.check("it says why there is no picture", status == 0 and "there is no picture" in errors, errors)


def a_cut_file(checks, ntcore, halyard, source, folder):
    path = pathlib.Path(folder) / "cut.wpilog"
    whole = source.read_bytes()
    path.write_bytes(whole[:len(whole) * 2 // 3 + 1])
    replay = Replay(halyard, path, "--speed", "16")
    instance = connect(ntcore, replay.port)
    battery = instance.getDoubleTopic("/Robot/Battery").subscribe(-1)
    checks.check("values of a cut file", within(lambda: battery.get() > 0), f"{battery.get()}")
    instance.stopClient()
    _, errors = replay.end()
    checks.check("where it is cut is said", "behind offset" in errors, errors)


def main():
    build = pathlib.Path(os.environ.get("HALYARD_BUILD_DIR", harness.HERE.parents[1] / "build"))
    deps = os.environ.get("HALYARD_DEPS_DIR", harness.HERE.parents[1] / "build/deps")
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--halyard", default=build / "halyard", type=pathlib.Path)
    parser.add_argument("--deps", default=deps, type=pathlib.Path, help="folder of what was downloaded")
    given = parser.parse_args()
    sys.path.insert(0, str(harness.install_season("2026", given.deps.resolve() / "robotpy").folder))
    harness.enter_own_network(harness.ADDRESS)  # NetworkTables' usual port is a team's own program's too
    sys.dont_write_bytecode = True
    import ntcore

    recording = harness.HERE.parent / "replay/xrp-line.wpilog"
    checks = harness.Checks()
    try:
        with tempfile.TemporaryDirectory() as folder:
            our_recording(checks, ntcore, given.halyard, recording)
            a_part(checks, ntcore, given.halyard, recording)
            a_foreign_log(checks, ntcore, given.halyard, folder)
            a_cut_file(checks, ntcore, given.halyard, recording, folder)
    except harness.TestError as error:
        checks.check("the test ran to its end", False, str(error))
    checks.finish([])


if __name__ == "__main__":
    main()
