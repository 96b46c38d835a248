"""Halyard's simulator in Python: virtual robots in their worlds.

>>> import halyard_sim
>>> world = halyard_sim.World("xrp-arena", robot="typical", seed=3)
>>> sensors = world.step([0.5, 0.5], n=100)
>>> round(sensors.time_s, 3)
1.0

``python -m halyard_sim xrp main.py`` runs a MicroPython program for the XRP.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .world import HalyardError, Pose, Sensors, Truth, World

__all__ = ["HalyardError", "Pose", "Sensors", "Truth", "World"]


def __getattr__(name: str) -> object:
    """Loads what is asked for: programs of the XRP start without it."""
    if name == "world" or name in __all__:
        from importlib import import_module

        world = import_module(".world", __name__)
        return world if name == "world" else getattr(world, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
