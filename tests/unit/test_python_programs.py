#!/usr/bin/env python3
"""The programs of examples/xrp, in the style of a course, on virtual robots: what they do is checked by the world's truth."""
import math
import os
import unittest

from python_xrp import EXAMPLES, outcome

MIDDLE = 50.0  # of xrp-open, where its robot starts


class Programs(unittest.TestCase):
    def go(self, name, world, *options):
        out, lines = outcome(os.path.join(EXAMPLES, name + ".py"), "--world", world, "--duration", "200", *options)
        self.assertEqual(out["ended"], "the program ended", lines)
        return out, lines

    def near(self, out, x_m, y_m, within_m):
        self.assertLess(math.hypot(out["x_m"] - x_m, out["y_m"] - y_m), within_m, out)

    def heads(self, out, deg, within_deg=4):
        self.assertLess(abs((out["heading_deg"] - deg + 180) % 360 - 180), within_deg, out)

    def test_straight(self):
        for robot in ("ideal", "typical", "5"):
            out, _ = self.go("straight", "xrp-open", "--robot", robot)
            self.near(out, MIDDLE + 0.30, MIDDLE, 0.03)
            self.heads(out, 0)

    def test_square(self):
        for robot in ("ideal", "typical", "3"):
            out, lines = self.go("square", "xrp-open", "--robot", robot)
            self.near(out, MIDDLE, MIDDLE, 0.05)
            self.assertAlmostEqual(out["driven_m"], 1.2, delta=0.08)
            self.assertEqual(len(lines), 4)

    def test_polygon(self):
        out, _ = self.go("polygon", "xrp-open")
        self.near(out, MIDDLE, MIDDLE, 0.05)
        self.heads(out, 0)

    def test_encoders(self):
        out, lines = self.go("encoders", "xrp-open")
        self.near(out, MIDDLE + 0.43, MIDDLE, 0.03)  # it rolls on a little
        self.assertRegex(lines[-1], r"stopped at 40\.\d cm")

    def test_speeds(self):
        out, lines = self.go("speeds", "xrp-open")
        self.near(out, MIDDLE + 0.6, MIDDLE, 0.04)
        self.heads(out, 90, 8)
        self.assertEqual(len(lines), 4)

    def test_wall_stop(self):
        out, lines = self.go("wall_stop", "xrp-course", "--robot", "ideal")
        self.near(out, 1.81, 0.8, 0.04)
        self.assertEqual(out["touches"], 0)
        self.assertAlmostEqual(float(lines[-1].split()[1]), 19, delta=2)

    def test_wall_keep(self):
        out, _ = self.go("wall_keep", "xrp-course", "--robot", "ideal")
        self.near(out, 1.70, 0.8, 0.02)  # the rangefinder is 10 cm ahead of the wheels, the wall at 2.10 m

    def test_to_the_line(self):
        out, _ = self.go("to_the_line", "xrp-circle")
        self.near(out, 0.73, 0.7, 0.03)

    def test_stay_inside(self):
        for seed in ("1", "2"):
            out, lines = self.go("stay_inside", "xrp-circle", "--seed", seed, "--robot", "typical")
            self.assertLess(math.hypot(out["x_m"] - 0.8, out["y_m"] - 0.7), 0.4)
            self.assertGreater(out["driven_m"], 1.5)
            self.assertEqual((out["touches"], lines[-1]), (0, "turn 10"))

    def test_line_edge(self):
        out, _ = self.go("line_edge", "xrp-line")
        self.assertGreater(out["laps"], 1.5)
        self.assertLess(out["line_most_m"], 0.03)

    def test_line_both(self):
        for robot in ("ideal", "typical"):
            out, _ = self.go("line_both", "xrp-line", "--robot", robot)
            self.assertGreater(out["laps"], 1.5)
            self.assertLess(out["line_most_m"], 0.02)

    def test_count_lines(self):
        for robot in ("ideal", "typical"):
            out, lines = self.go("count_lines", "xrp-grid", "--robot", robot)
            self.near(out, 1.5, 0.3, 0.03)
            self.assertEqual(lines[-1], "crossing 4")

    def test_grid_way(self):
        out, lines = self.go("grid_way", "xrp-grid")
        self.near(out, 1.5, 1.5, 0.03)
        self.assertTrue(lines[0].startswith("12 steps: [(0, 0), (0, 1), "), lines)
        self.assertAlmostEqual(out["driven_m"], 3.6, delta=0.1)

    def test_maze(self):
        out, lines = self.go("maze", "xrp-maze")
        self.near(out, 1.75, 1.25, 0.1)
        self.assertEqual(lines[-1], "goal after 18 steps")
        self.assertEqual(out["touches"], 0)

    def test_arm(self):
        out, lines = self.go("arm", "xrp-arena")
        self.heads(out, 180)
        self.assertEqual(lines[:3], ["waving", "turning", "done"])

    def test_pins(self):
        out, lines = self.go("pins", "xrp-circle")
        self.near(out, 0.74, 0.7, 0.03)
        self.assertEqual(lines, ["blinks: 6 after ms: %d" % round(1000 * out["time_s"])])

    def test_heading(self):
        out, lines = self.go("heading", "xrp-open", "--robot", "typical")
        self.heads(out, 45)
        self.assertEqual(lines, ["done yaw 45"])

    def test_each_program_has_a_test(self):
        files = {name[:-3] for name in os.listdir(EXAMPLES) if name.endswith(".py")}
        self.assertEqual(files, {name[5:] for name in dir(self) if name.startswith("test_")} - {"each_program_has_a_test"})


if __name__ == "__main__":
    unittest.main()
