#!/usr/bin/env python3
"""World.render(), which needs numpy: tools/check/python.sh runs it where there is one."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))
os.environ["HALYARD_PYTHON_LIBRARY"] = os.path.join(os.environ["HALYARD_BUILD_DIR"], "lib", "libhalyard_python.so")

import numpy  # noqa: E402

import halyard_sim  # noqa: E402


class Pictures(unittest.TestCase):
    def test_from_above(self):
        with halyard_sim.World("xrp-arena", robot="ideal") as world:
            picture = world.render(180)
            self.assertEqual((picture.shape, picture.dtype), ((180, 240, 3), numpy.uint8))

            def at(x_m, y_m):
                return tuple(int(one) for one in picture[179 - int(y_m * 100), int(x_m * 100)])

            self.assertEqual(at(0.9, 0.5), (0x20, 0x60, 0xE0))  # the robot
            self.assertEqual(at(1.2, 0.9), (0x90, 0x70, 0x50))  # the disc in the middle
            self.assertEqual(at(1.2, 1.3), (0, 0, 0))  # the line
            self.assertEqual(at(1.2, 1.1), (255, 255, 255))  # the mat
            self.assertEqual(at(0.1, 0.1), (230, 230, 230))  # the floor
            world.step([1, 1], 100)
            self.assertFalse((world.render(180) == picture).all())
            self.assertEqual(world.render(1).shape, (1, 1, 3))
            for wrong in (0, -1, 5000):
                self.assertRaises(ValueError, world.render, wrong)
        self.assertRaises(halyard_sim.HalyardError, world.render)

    def test_actions_may_be_arrays(self):
        with halyard_sim.World("xrp-open") as world:
            world.step(numpy.array([0.5, 0.25], dtype=numpy.float32), 10)
            self.assertRaises(TypeError, world.step, numpy.zeros((2, 2)))
            self.assertRaises(ValueError, world.step, numpy.array([numpy.nan, 0]))


if __name__ == "__main__":
    unittest.main()
