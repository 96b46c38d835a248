"""MicroPython programs for the XRP on a virtual one.

`robot/` holds the modules that such a program imports; they run under MicroPython, too, and know the robot only by the ten
functions of `halyard_robot`. `backend.py` is that module over a simulation in this process; `run.py` is the command.
"""
