#!/usr/bin/env -S python3 -B
"""A swerve program with the vendor classes drives a square, field-relative, in the virtual world.

    run_ext_square.py --halyard build/halyard --work build/interop
"""

import math
import os
import shutil
import subprocess

import harness
from harness import VENDOR, Board, DriverStation, Program, RobotProgram, Truth, our_extension

START_M = 0.75  # worlds/teensy-field.yaml: x and y, heading 0
SIDE_M = 1.0
PLACE = ("x_m", "y_m", "heading_rad")

# What a team gets wrong first, each with what has to come of it.
PYTHON_CLASSES = """
import os
import math
from teensy import TeensyGyro, TeensyMotor
motor = TeensyMotor("frontLeftDrive")
for given, expected in ((0.5, 0.5), (7, 1), (-math.inf, -1), (math.nan, 0)):
    motor.set(given)
    assert motor.get() == expected == motor._speed.get(), given
motor.setInverted(True)
motor.set(0.5)
assert (motor.get(), motor._speed.get(), motor.getInverted()) == (0.5, -0.5, True)
motor.stopMotor()
assert motor.get() == 0
for make in (lambda: TeensyMotor("frontLeft"), lambda: TeensyMotor("frontLeftDrive")):
    try:
        make()
    except (ValueError, RuntimeError) as error:
        assert "frontLeft" in str(error)
    else:
        raise AssertionError("a motor that cannot be")
gyro = TeensyGyro()
gyro._angles[2].set(540)
gyro._rates[0].set(180)
assert math.isclose(gyro.getAngle(), 3 * math.pi) and math.isclose(gyro.getRateX(), math.pi)
gyro.reset()
assert gyro.getAngleZ() == 0 and gyro.getRotation2d().radians() == 0
os._exit(0)  # what follows is the interpreter's end, at which WPILib's threads crash a few in a hundred
"""


def check_python_classes(checks, season):
    argv, environment = season.python(["-c", PYTHON_CLASSES])
    environment["PYTHONPATH"] += f":{VENDOR / 'python'}"
    environment = {**os.environ, **environment}
    run = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
    checks.check("Python: limits, NaN, inversion, wrong names, gyro", run.returncode == 0, run.stderr[-500:])


def check_cpp_classes(checks, season, work):
    """The C++ example links without a warning, and the classes do what Python's do. Returns the example as
    a program and its environment, None if there is none."""
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if not compiler:
        print("note: no C++ compiler here, the C++ classes are not compiled")
        return None
    parts = ("wpilib", "wpimath", "wpihal", "wpinet", "ntcore", "wpiutil")
    folders = [season.native(part) for part in parts]
    libraries = {**os.environ, "LD_LIBRARY_PATH": ":".join(str(folder / "lib") for folder in folders)}
    flags = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-I", VENDOR / "cpp"]
    flags += [word for folder in folders for word in ("-isystem", folder / "include")]
    link = [f"-L{folder / 'lib'}" for folder in folders]
    link += ["-lwpilibc", "-lwpimath", "-lwpiHal", "-lwpinet", "-lntcore", "-lwpiutil"]

    def run(argv):
        argv = ["nice", *argv]  # other tests live by the clock, beside this one
        return subprocess.run(argv, capture_output=True, text=True, check=False, env=libraries)

    example = run([compiler, *flags, VENDOR / "cpp/example/Robot.cpp", *link, "-o", work / "example"])
    checks.check("C++: the example compiles and links", example.returncode == 0, example.stderr[:2000])
    source = harness.HERE / "ext_host/teensy_classes.cpp"
    built = run([compiler, *flags, source, *link, "-o", work / "classes"])
    checks.check("C++: the classes compile and link", built.returncode == 0, built.stderr[:2000])
    if built.returncode == 0:
        classes = run([work / "classes"])
        said = classes.stdout + classes.stderr
        checks.check("C++: limits, NaN, inversion, wrong names, gyro", classes.returncode == 0, said.strip())
    return (work / "example", libraries) if example.returncode == 0 else None


def drive_cpp_example(checks, programs, given, work, example):
    """By gamepad: forward, a quarter turn on the spot, and forward again, which is the field's."""
    work = work / "cpp"
    work.mkdir(exist_ok=True)
    board = Board(given.halyard, work, kind="teensy")
    station = DriverStation()
    program, environment = example
    environment["HALSIM_EXTENSIONS"] = f"{our_extension('teensy')}:{given.season.ds_socket}"
    environment |= {"HALSIMTEENSY_HOST": board.host, "HALSIMTEENSY_PORT": board.port}
    robot = Program("C++ example", [program], work / "robot.log", cwd=work, env=environment)
    programs.extend((board, robot))
    station.control = DriverStation.TELEOPERATED

    def drive(name, axes, key, far):
        """Until `far` of `key`; returns how it has changed otherwise."""
        before = board.truth_now()
        station.axes = axes
        board.wait_for(lambda: board.truth_now()[key] - before[key] > far, 30, name)
        station.axes = [0] * 6
        board.wait_for(lambda: is_still(board.truth_now()), 20, "stop")
        return {key: value - before[key] for key, value in board.truth_now().items() if key in PLACE}

    board.wait_for(board.truth_now, 20, "step")
    for name, axes, key, far in (
        ("forward", [0, -64, 0, 0, 0, 0], "x_m", 0.3),
        ("turning left", [0, 0, 0, 0, -64, 0], "heading_rad", 1.2),
        ("forward, whichever way it points", [0, -64, 0, 0, 0, 0], "x_m", 0.3),
        ("left", [-64, 0, 0, 0, 0, 0], "y_m", 0.3),
    ):
        changed = drive(name, axes, key, far)
        strayed = max(abs(value) for other, value in changed.items() if other != key)
        detail = f"{changed}"
        checks.check(f"C++: {name}, and nothing else", strayed < 0.1, detail)
    robot.stop()
    station.close()
    board.stop()


def off_the_square_m(x_m, y_m):
    """How far a place is from the nearest point of the square's outline."""
    x_m, y_m = x_m - START_M - SIDE_M / 2, y_m - START_M - SIDE_M / 2
    beyond = max(abs(x_m), abs(y_m)) - SIDE_M / 2
    if beyond <= 0:
        return -beyond
    return math.hypot(*(max(0, abs(side) - SIDE_M / 2) for side in (x_m, y_m)))


def is_still(sample):
    return max(abs(sample[key]) for key in ("speed_m_s", "lateral_m_s", "rate_z_rad_s")) < 0.001


def play(checks, programs, given, work):
    check_python_classes(checks, given.season)
    example = check_cpp_classes(checks, given.season, work)
    if example is not None:
        drive_cpp_example(checks, programs, given, work, example)

    board = Board(given.halyard, work, kind="teensy")
    programs.append(board)
    station = DriverStation()
    robot = RobotProgram("teensy_square", board, given.season, work, our_extension("teensy"), "teensy")
    programs.append(robot)
    robot.wait_for(lambda: robot.last_note()["t_s"] > 1, 20, "second of its loop")
    still = board.truth_now()
    checks.check("it stands while disabled", off_the_square_m(still["x_m"], still["y_m"]) < 0.001)
    station.control = DriverStation.AUTONOMOUS
    robot.wait_for(lambda: robot.last_note()["goals_reached"] == 4, 60, "end of the square")
    station.control = DriverStation.DISABLED
    board.wait_for(lambda: not board.truth_now()["enabled"] and is_still(board.truth_now()), 20, "robot at rest")
    rest_s = robot.last_note()["t_s"]
    robot.wait_for(lambda: robot.last_note()["t_s"] > rest_s + 0.2, 20, "reading of it at rest")

    note, end = robot.last_note(), board.truth_now()
    off_rad = math.remainder(end["heading_rad"], math.tau)
    checks.near("x at the end", end["x_m"], START_M, 0.05, "m")
    checks.near("y at the end", end["y_m"], START_M, 0.05, "m")
    end_off_m = math.hypot(end["x_m"] - START_M, end["y_m"] - START_M)
    checks.near("distance from the start", end_off_m, 0, 0.05, "m")
    checks.near("heading at the end", math.degrees(off_rad), 0, 3, "deg")
    checks.near("a whole turn by its gyro", math.degrees(note["heading_rad"]), 360, 3, "deg")
    checks.check("its motors are off", not any(end["duty"]), f"{end['duty']}")

    samples = Truth(board.truth_path).samples
    for name, x_m, y_m in (("first", SIDE_M, 0), ("second", SIDE_M, SIDE_M), ("third", 0, SIDE_M)):
        nearest_m = min(math.hypot(s["x_m"] - START_M - x_m, s["y_m"] - START_M - y_m) for s in samples)
        checks.near(f"distance to the {name} corner", nearest_m, 0, 0.05, "m")
    worst_m = max(off_the_square_m(s["x_m"], s["y_m"]) for s in samples)
    checks.near("farthest from the square", worst_m, 0, 0.08, "m")
    checks.check("the robot program ends", robot.stop() is not None)
    station.close()


if __name__ == "__main__":
    harness.main(__doc__, play)
