#!/usr/bin/env -S python3 -B
"""The same course as run_xrp.py, by the same unmodified robot program, with our extension in between.

    run_ext_xrp.py --halyard build/halyard --work build/interop
"""

import ext_programs
import run_xrp

if __name__ == "__main__":
    run_xrp.RobotProgram = ext_programs.ExtensionProgram
    ext_programs.main(__doc__, run_xrp.play)
