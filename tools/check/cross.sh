#!/bin/sh
# The freestanding parts on a microcontroller, in QEMU.
set -eu
tests/mcu/run.sh
