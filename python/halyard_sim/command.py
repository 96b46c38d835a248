"""The command `halyard`: what Python does itself, and the program for all the rest."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional, Sequence


def _program() -> Optional[str]:
    from . import _native

    named = os.environ.get("HALYARD_BINARY")  # as tests name it
    if named:
        return named
    here = os.path.dirname(os.path.abspath(__file__))
    for path in (os.path.join(_native.files(), "bin", "halyard"), os.path.join(here, "..", "..", "build", "halyard")):
        if os.path.exists(path):
            return path
    return None


def _xrp(arguments: Sequence[str]) -> int:
    if sys.flags.hash_randomization and "PYTHONHASHSEED" not in os.environ:
        # The order of sets of texts would differ from run to run.
        os.environ["PYTHONHASHSEED"] = "0"
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, "-m", __package__ or "halyard_sim", "xrp", *arguments])
    from .xrp.run import main as run

    return run(arguments)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs a subcommand; returns the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["xrp"]:
        return _xrp(words[1:])
    program = _program()
    if program is None:
        print("halyard: the program is not beside the package; 'xrp' is all that works without it", file=sys.stderr)
        return 1
    os.execv(program, [program, *words])
