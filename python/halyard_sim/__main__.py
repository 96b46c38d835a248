"""`python -m halyard_sim`: the same as the command `halyard`, if it was installed with this package."""

import sys

from .command import main

sys.exit(main(sys.argv[1:]))
