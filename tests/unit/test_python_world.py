#!/usr/bin/env python3
"""halyard_sim.World: what it simulates, what it refuses, and that it neither crashes nor grows."""
import array
import gc
import math
import os
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BUILD = os.environ["HALYARD_BUILD_DIR"]
os.environ["HALYARD_PYTHON_LIBRARY"] = os.path.join(BUILD, "lib", "libhalyard_python.so")
sys.path.insert(0, os.path.join(ROOT, "python"))
sys.dont_write_bytecode = True

import halyard_sim  # noqa: E402
from halyard_sim import HalyardError, World, _native  # noqa: E402

LONG = "HY_LONG" in os.environ


def resident_kb() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


class Steps(unittest.TestCase):
    def test_drives(self) -> None:
        with World("xrp-open", robot="ideal") as world:
            before = world.pose
            sensors = world.step([0.5, 0.5], 200)
            self.assertEqual(sensors.time_s, 2.0)
            driven_m = math.hypot(world.pose.x_m - before.x_m, world.pose.y_m - before.y_m)
            self.assertGreater(driven_m, 0.3)
            self.assertAlmostEqual(world.pose.heading_rad, before.heading_rad, places=2)
            for wheel in range(2):  # counts rise forward, and tell how far it went
                self.assertAlmostEqual(sensors.encoder_counts[wheel] * math.pi * 0.06 / 585, driven_m, delta=0.01)
            left = world.step([-0.5, 0.5], 50)
            self.assertGreater(world.pose.heading_rad, before.heading_rad + 0.5)
            self.assertGreater(left.gyro_angle_rad[2], 0.5)
            self.assertAlmostEqual(left.accel_m_s2[2], 9.8, delta=0.3)

    def test_outputs(self) -> None:
        with World("xrp-open", robot="ideal") as world:
            world.step([0, 0], 100, servos=[1000, 2000], led=True, button=True)
            truth = world.truth
            self.assertTrue(truth.led)
            self.assertTrue(world.sensors.button)
            self.assertAlmostEqual(truth.servo_rad[0], -math.pi / 4, delta=0.02)
            self.assertAlmostEqual(truth.servo_rad[1], math.pi / 4, delta=0.02)
            self.assertEqual(truth.servo_rad[2:], (0.0, 0.0))
            world.step([2.5, -7], 1)
            self.assertEqual(world.truth.motor_duty[:2], (1.0, -1.0))
            self.assertFalse(world.truth.led or world.sensors.button)

    def test_goes_on_for_long(self) -> None:
        """The same command for minutes: the board's watchdog must not run out."""
        with World("xrp-open", robot="ideal") as world:
            world.step([0.2, -0.2], 30000)
            self.assertEqual(world.truth.motor_duty[:2], (world.truth.motor_duty[0], -world.truth.motor_duty[0]))
            self.assertGreater(world.truth.motor_duty[0], 0.19)

    def test_swerve(self) -> None:
        with World("teensy-field") as world:
            self.assertEqual((world.kind, world.motors, world.encoders), ("teensy", 8, 8))
            world.step([0.3, 0] * 4, 100)
            self.assertGreater(abs(world.truth.wheel_counts[0]), 10)

    def test_same_arguments_same_run(self) -> None:
        def run(world: World) -> int:
            rng = random.Random(5)
            for _ in range(300):
                world.step([rng.uniform(-1, 1), rng.uniform(-1, 1)], rng.randrange(1, 4), led=rng.random() < 0.5)
            return world.hash

        with World("xrp-arena", robot=7, seed=3) as world, World("xrp-arena", robot=7, seed=4) as other:
            first = run(world)
            self.assertNotEqual(run(other), first)
            other.reset(3)
            self.assertEqual(run(other), first)
            self.assertEqual(other.robot, "robot 7")

    def test_recording_runs_again_in_c(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.wpilog")
            with World("xrp-line", robot="typical", seed=9, step_ms=2, pwm_hz=50) as world:
                world.record(path)
                for i in range(2000):
                    world.step([0.5, 0.3 if i % 100 < 50 else 0.6], button=i > 1000)
                with self.assertRaisesRegex(HalyardError, "recording is under way"):
                    world.reset(1)
                world.end_record()
            said = subprocess.run([os.environ["HALYARD_BINARY"], "replay", "--verify", path], text=True, check=True,
                                  capture_output=True, timeout=300).stdout
            self.assertRegex(said, r"9 hashes agree, up to step 2000 \(4\.000 s\)")


class Refusals(unittest.TestCase):
    def test_sentences(self) -> None:
        for pattern, arguments in (
            ("there is no world called 'nowhere'", {"world": "nowhere"}),
            ("its first vehicle is tank", {"world": "field2020"}),
            ("no.robot", {"robot": "/no.robot"}),
        ):
            with self.assertRaisesRegex(HalyardError, pattern):
                World(**arguments)
        with World() as world:
            world.step([0])
            with self.assertRaisesRegex(HalyardError, "before the first step"):
                world.record("/tmp/never-written.wpilog")
            with self.assertRaisesRegex(HalyardError, "no recording"):
                world.end_record()
            world.reset()
            with self.assertRaisesRegex(HalyardError, "no-such-folder"):
                world.record("/no-such-folder/run.wpilog")

    def test_wrong_numbers(self) -> None:
        with World() as world:
            for wrong in ([math.nan, 0], [math.inf], [0] * 5):
                with self.assertRaises(ValueError):
                    world.step(wrong)
            for wrong in (None, 3, ["fast"], [None], [[1]], {"left": 1}):
                with self.assertRaises(TypeError):
                    world.step(wrong)
            for wrong in (0, -1, 10**30):
                with self.assertRaises(ValueError):
                    world.step([0], wrong)
            for wrong in (1.5, "2", None, True):
                with self.assertRaises(TypeError):
                    world.step([0], wrong)
            with self.assertRaises(ValueError):
                world.step([0], servos=[math.nan])
            self.assertEqual(world.sensors.time_s, 0.0)
        for wrong in ({"seed": -1}, {"seed": 2**64}, {"step_ms": 50}, {"step_ms": math.nan}, {"pwm_hz": -1}):
            with self.assertRaises(ValueError):
                World(**wrong)
        for wrong in ({"world": None}, {"world": 7}, {"robot": 1.5}, {"seed": "1"}, {"step_ms": "fast"}):
            with self.assertRaises(TypeError):
                World(**wrong)

    def test_closed(self) -> None:
        world = World()
        world.close()
        world.close()
        for use in (lambda: world.step([0]), lambda: world.pose, lambda: world.truth, lambda: world.hash,
                    lambda: world.sensors, lambda: world.reset(), lambda: world.record("x"), lambda: world.end_record()):
            with self.assertRaisesRegex(HalyardError, "closed"):
                use()


class NeverCrashes(unittest.TestCase):
    def test_any_arguments(self) -> None:
        """Random calls with any arguments raise exceptions of four kinds, or work."""
        seed = int(os.environ.get("HY_SEED", "1"))
        rng = random.Random(seed)
        odd = [None, True, -1, 0, 1, 3, 2**31, 2**63, 2**64, 10**40, 0.5, -1e300, math.nan, math.inf, "", "ideal", "typical",
               "7", "x" * 3000, "a\0b", "\ud800", b"xrp-open", [], [0.5, 0.5], (1,), [math.nan], ["a"], [0] * 9, {}, object(),
               array.array("d", [0.1, 0.2]), range(2), "/", ".", "/dev/null", "xrp-line", "xrp-open"]
        worlds = []

        def call(world: World) -> object:
            kind = rng.randrange(9)
            if kind < 4:
                return world.step(rng.choice(odd), rng.choice([1, 2, 5, rng.choice(odd[:6] + odd[12:])]),
                                  servos=rng.choice([None, rng.choice(odd)]), led=rng.choice(odd), button=rng.choice(odd))
            if kind == 4:
                return world.reset(rng.choice(odd))
            if kind == 5:
                return world.record(rng.choice(odd[:14] + ["/", ".", "a\0b"]))
            return (lambda: world.truth, lambda: world.close() if rng.random() < 0.1 else world.pose, lambda: world.hash)[kind - 6]()

        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for turn in range(50000 if LONG else 3000):
                try:
                    if not worlds or rng.random() < 0.02:
                        worlds = worlds[-3:]
                        worlds.append(World(rng.choice([rng.choice(odd), "xrp-open"]), robot=rng.choice(odd),
                                            seed=rng.choice(odd), pwm_hz=rng.choice([0, rng.choice(odd)]),
                                            step_ms=rng.choice([0, rng.choice(odd)])))
                    else:
                        call(rng.choice(worlds))
                except (HalyardError, ValueError, TypeError):
                    pass
                except Exception as why:  # which one, and how to run it again
                    self.fail(f"HY_SEED={seed}, turn {turn}: {why!r}")
            os.chdir("/")

    def test_resets_need_no_memory(self) -> None:
        with World("xrp-arena", robot="typical") as world:
            for i in range(500):
                world.reset(i)
                world.step([0.5, 0.5])
            gc.collect()
            before_kb = resident_kb()
            for i in range(1000000 if LONG else 10000):
                world.reset(i)
                world.step([0.5, 0.5])
            self.assertLess(resident_kb() - before_kb, 1000)

    def test_worlds_are_given_back(self) -> None:
        for i in range(300):  # the engine has 128
            World("xrp-open", seed=i).step([0.1])

    def test_128_worlds(self) -> None:
        worlds = [World("xrp-open") for _ in range(100)]
        with self.assertRaises(HalyardError):
            for _ in range(100):
                worlds.append(World("xrp-open"))
        self.assertLessEqual(len(worlds), 128)

    def test_library_of_another_version(self) -> None:
        sizes = _native._STRUCTS
        try:
            _native._STRUCTS = sizes[:-1] + (_native.Truth,)
            with self.assertRaisesRegex(HalyardError, "another version"):
                _native._load()
        finally:
            _native._STRUCTS = sizes


class Docs(unittest.TestCase):
    def test_examples_in_docstrings(self) -> None:
        import doctest

        for module in (halyard_sim, halyard_sim.world):
            result = doctest.testmod(module)
            self.assertEqual(result.failed, 0)
            self.assertGreater(result.attempted, 0)


if __name__ == "__main__":
    unittest.main()
