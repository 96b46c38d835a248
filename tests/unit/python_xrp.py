"""Runs `halyard xrp` for tests."""
import json
import os
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
EXAMPLES = os.path.join(ROOT, "examples", "xrp")
BUILD = os.environ["HALYARD_BUILD_DIR"]


def run(program, *options, **named):
    """The finished process; its standard input is no terminal."""
    env = dict(os.environ, PYTHONPATH=os.path.join(ROOT, "python"), PYTHONDONTWRITEBYTECODE="1",
               HALYARD_PYTHON_LIBRARY=os.path.join(BUILD, "lib", "libhalyard_python.so"), **named.pop("env", {}))
    command = [sys.executable, "-m", "halyard_sim", "xrp", program, *options]
    return subprocess.run(command, env=env, text=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=600, **named)


def outcome(program, *options, **named):
    """What --json says, and the lines before it. The program must end with status 0."""
    done = run(program, "--json", *options, **named)
    if done.returncode != 0:
        raise AssertionError(f"{program}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    *lines, last = done.stdout.splitlines()
    return json.loads(last), lines
