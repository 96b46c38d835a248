#!/usr/bin/env -S python3 -B
"""WPILib reads the log files that `telemetry` writes, value by value, and `telemetry` reads those of WPILib.

    run_wpilog.py --host build/tests/interop/wpilog_host [--program build/examples/line_follow] [--robotpy FOLDER] [--seed N]
"""

import argparse
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import time

import harness

STRUCTS = {  # WPILib's class: the module that it is in
    "Translation2d": "geometry", "Translation3d": "geometry", "Rotation2d": "geometry", "Quaternion": "geometry",
    "Rotation3d": "geometry", "Pose2d": "geometry", "Pose3d": "geometry", "Transform2d": "geometry", "Transform3d": "geometry",
    "Twist2d": "geometry", "Twist3d": "geometry", "ChassisSpeeds": "kinematics", "SwerveModuleState": "kinematics",
    "SwerveModulePosition": "kinematics", "DifferentialDriveWheelSpeeds": "kinematics",
}


def packed(form):
    return lambda value: struct.pack(f"<{form}", value)


def packed_list(form):
    return lambda values: b"".join(struct.pack(f"<{form}", value) for value in values)


# How a value of each type is got from WPILib's reader, and its bytes.
GETTERS = {
    "boolean": ("getBoolean", packed("?")),
    "int64": ("getInteger", packed("q")),
    "float": ("getFloat", packed("f")),
    "double": ("getDouble", packed("d")),
    "string": ("getString", str.encode),
    "json": ("getString", str.encode),
    "raw": ("getRaw", bytes),
    "boolean[]": ("getBooleanArray", packed_list("?")),
    "int64[]": ("getIntegerArray", packed_list("q")),
    "float[]": ("getFloatArray", packed_list("f")),
    "double[]": ("getDoubleArray", packed_list("d")),
    "string[]": ("getStringArray", lambda texts: b"".join(text.encode() + b"|" for text in texts)),
}


def ours_read_by_wpilib(checks, host, seed, path):
    from wpiutil.log import DataLogReader

    written = subprocess.run([host, "write", str(seed), path], check=True, capture_output=True, text=True).stdout
    expected = [line.split(" ") for line in written.splitlines()]
    reader = DataLogReader(str(path))
    checks.check("WPILib takes the file for a WPILOG", reader.isValid() and reader.getVersion() == 0x0100)
    starts, values, schemas = {}, [], {}
    for record in reader:
        if record.isStart():
            start = record.getStartData()
            starts[start.entry] = start
            continue
        start = starts[record.getEntry()]
        if start.type == "structschema":
            schemas[start.name.partition("/.schema/struct:")[2]] = bytes(record.getRaw()).decode()
            continue
        getter, to_bytes = GETTERS.get(start.type, ("getRaw", bytes))
        values.append([start.name, str(record.getTimestamp()), to_bytes(getattr(record, getter)()).hex()])
    checks.check(f"{len(expected)} values are read", len(values) == len(expected), f"{len(values)}")
    wrong = [(want, got) for want, got in zip(expected, values) if want != got and not want[0].startswith("struct/")]
    checks.check("every value is read as it was put", not wrong, f"{len(wrong)} are not, first {wrong[:1]}")
    units = {start.metadata for start in starts.values() if not start.type.startswith("struct") and start.name[0] != "/"}
    checks.check("units are in the metadata", units == {'{"unit":"u"}'}, f"{units}")
    structs_as_wpilib_has_them(checks, schemas, {name: bytes.fromhex(value) for name, _, value in values})


def structs_as_wpilib_has_them(checks, schemas, values):
    import wpimath.geometry
    import wpimath.kinematics
    from wpiutil import wpistruct

    for name, module in STRUCTS.items():
        kind = getattr(getattr(wpimath, module), name)
        checks.check(f"the schema of {name}", schemas.get(name) == wpistruct.getSchema(kind), f"{schemas.get(name)}")
        bytes_of_struct = values[f"struct/{name}"]
        checks.check(f"the size of {name}", len(bytes_of_struct) == wpistruct.getSize(kind), f"{len(bytes_of_struct)}")
        numbers = struct.unpack(f"<{len(bytes_of_struct) // 8}d", bytes_of_struct)
        checks.check(f"the members of {name}", numbers == tuple(range(1, len(numbers) + 1)), f"{numbers}")
        wpistruct.unpack(kind, bytes_of_struct)


def wpilibs_read_by_ours(checks, host, folder):
    import wpilib
    from wpiutil.log import BooleanLogEntry, DoubleArrayLogEntry, DoubleLogEntry, StringArrayLogEntry, StringLogEntry

    path = folder / "wpilib.wpilog"
    path.unlink(missing_ok=True)
    wpilib.DataLogManager.start(str(folder), path.name, 0.05)
    log = wpilib.DataLogManager.getLog()
    number, flag = DoubleLogEntry(log, "/number", '{"unit":"m"}'), BooleanLogEntry(log, "/flag")
    text, numbers, texts = StringLogEntry(log, "/text"), DoubleArrayLogEntry(log, "/numbers"), StringArrayLogEntry(log, "/texts")
    lines_once_there(host, path, "start\t")  # of what comes before, the file has only the last word
    for i in range(1, 200):
        number.append(i / 7, 1000 * i)
        flag.append(i % 2 == 1, 1000 * i)
        text.append(f"text {i}", 1000 * i)
        numbers.append([i, -i], 1000 * i)
        texts.append(["a", "é"], 1000 * i)
    number.setMetadata('{"unit":"km"}')
    flag.finish()
    log.flush()
    lines = lines_once_there(host, path, "finish\t")
    wpilib.DataLogManager.stop()
    records = [line.split("\t") for line in lines]
    entries = {record[3]: record for record in records if record[0] == "start"}
    checks.check("its channels are found", {"/number", "/flag", "/text", "/numbers", "/texts"} <= set(entries), f"{sorted(entries)}")
    checks.check("with types and metadata", entries["/number"][4:] == ["double", '{"unit":"m"}'], f"{entries['/number']}")
    expected = {
        "/number": lambda i: struct.pack("<d", i / 7), "/flag": lambda i: struct.pack("<?", i % 2 == 1),
        "/text": lambda i: f"text {i}".encode(), "/numbers": lambda i: struct.pack("<dd", i, -i),
        "/texts": lambda i: bytes.fromhex("020000000100000061") + bytes.fromhex("02000000c3a9"),
    }
    for name, value in expected.items():
        read = [record[2:] for record in records if record[0] == "value" and record[1] == entries[name][1]]
        checks.check(f"every value of {name}", read == [[str(1000 * i), value(i).hex()] for i in range(1, 200)], f"{read[:2]}")
    kinds = {record[0] for record in records}
    checks.check("every kind of record", kinds >= {"start", "value", "finish", "metadata"}, f"{kinds}")


def a_robot_programs_recording(checks, program, folder):
    from wpiutil.log import DataLogReader

    path = folder / "program.wpilog"
    argv = [program, "--sim", "xrp-line", "--speed", "max", "--duration", "10", "--seed", "7", "--json"]
    run = subprocess.run([*argv, "--record", path, "--overwrite"], check=True, capture_output=True, text=True)
    outcome = json.loads(run.stdout)
    starts, values = {}, {}
    for record in DataLogReader(str(path)):
        if record.isStart():
            starts[record.getEntry() or record.getStartData().entry] = record.getStartData().name
        else:
            values.setdefault(starts[record.getEntry()], []).append((record.getTimestamp(), bytes(record.getRaw())))
    poses = values["NT:/Robot/Truth/Pose"]
    checks.check("a program's poses come 50 times a second", len(poses) == 501, f"{len(poses)}")
    times = [time_us for time_us, _ in poses]
    checks.check("at equal distances of simulated time", times == list(range(0, 10_000_001, 20_000)), f"{times[:3]} .. {times[-1]}")
    x, y, heading = struct.unpack("<3d", poses[-1][1])
    for name, value in (("x_m", x), ("y_m", y), ("heading_rad", heading)):
        checks.check(f"the last {name} is that of the outcome", abs(value - outcome[name]) < 1e-6, f"{value}, {outcome[name]}")
    metadata = {name: values[f"/Metadata/{name}"][0][1].decode() for name in ("Program", "World", "Seed")}
    checks.check("the metadata", metadata == {"Program": "line_follow", "World": "xrp-line", "Seed": "7"}, f"{metadata}")
    checks.check("it was enabled", values["DS:enabled"][-1][1] == b"\x01")
    checks.check("what it said is in the console", b"left" in values["messages"][-1][1], f"{values['messages'][-1:]}")


def what_a_program_puts(checks, program, folder):
    from wpiutil.log import DataLogReader

    path = folder / "trajectory.wpilog"
    argv = [program, "--sim", "xrp-open", "--speed", "max", "--duration", "3", "--record", path, "--overwrite"]
    subprocess.run(argv, check=True, capture_output=True)
    starts, poses = {}, {}
    for record in DataLogReader(str(path)):
        if record.isStart():
            start = record.getStartData()
            starts[start.entry] = start
        elif starts[record.getEntry()].type == "struct:Pose2d":
            poses.setdefault(starts[record.getEntry()].name, {})[record.getTimestamp()] = struct.unpack("<3d", record.getRaw())
    truth, odometry = poses["NT:/Robot/Truth/Pose"], poses["NT:/SmartDashboard/odometry"]
    checks.check("a value at every loop of the program", len(odometry) > 100, f"{len(odometry)}")
    together = [(truth[time_us], pose) for time_us, pose in odometry.items() if time_us in truth]
    moved = [math.dist(true[:2], together[0][0][:2]) for true, _ in together]
    believed = [math.dist(pose[:2], together[0][1][:2]) for _, pose in together]
    worst = max(abs(a - b) for a, b in zip(moved, believed))
    checks.check("odometry beside the truth, at the same times", max(moved) > 0.2 and worst < 0.03, f"{max(moved):.3f} m, {worst:.4f} m apart")


def lines_once_there(host, path, last):
    """What our reader says of a file that another thread is writing, once it has got that far."""
    for _ in range(600):
        if path.exists():
            lines = subprocess.run([host, "read", path], check=True, capture_output=True, text=True).stdout.splitlines()
            if any(line.startswith(last) for line in lines):
                return [line for line in lines if not line.startswith("damage")]
        time.sleep(0.1)
    raise harness.TestError(f"{path} has no record that begins with {last!r} after a minute")


def main():
    build = pathlib.Path(os.environ.get("HALYARD_BUILD_DIR", harness.HERE.parents[1] / "build"))
    deps = os.environ.get("HALYARD_DEPS_DIR", harness.HERE.parents[1] / "build/deps")
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--host", default=build / "tests/interop/wpilog_host", type=pathlib.Path)
    parser.add_argument("--program", default=build / "examples/line_follow", type=pathlib.Path)
    parser.add_argument("--robotpy", type=pathlib.Path, help="folder that RobotPy is in; else it is installed")
    parser.add_argument("--deps", default=deps, type=pathlib.Path, help="folder of what was downloaded")
    parser.add_argument("--seed", default=1, type=int)
    given = parser.parse_args()
    robotpy = given.robotpy or harness.install_season("2026", given.deps.resolve() / "robotpy").folder
    sys.path.insert(0, str(robotpy))
    sys.dont_write_bytecode = True
    folder = build / "interop" / "wpilog"
    folder.mkdir(parents=True, exist_ok=True)
    checks = harness.Checks()
    try:
        ours_read_by_wpilib(checks, given.host, given.seed, folder / "ours.wpilog")
        wpilibs_read_by_ours(checks, given.host, folder)
        a_robot_programs_recording(checks, given.program, folder)
        what_a_program_puts(checks, given.program.with_name("trajectory"), folder)
    except harness.TestError as error:
        checks.check("the test ran to its end", False, str(error))
    print(f"seed {given.seed}")
    checks.finish([])


if __name__ == "__main__":
    main()
