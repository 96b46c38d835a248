"""Halyard's simulator in Python: virtual robots in their worlds.

>>> import halyard_sim
>>> world = halyard_sim.World("xrp-arena", robot="typical", seed=3)
>>> sensors = world.step([0.5, 0.5], n=100)
>>> round(sensors.time_s, 3)
1.0

``python -m halyard_sim xrp main.py`` runs a MicroPython program for the XRP.
"""

from .world import HalyardError, Pose, Sensors, Truth, World

__all__ = ["HalyardError", "Pose", "Sensors", "Truth", "World"]
