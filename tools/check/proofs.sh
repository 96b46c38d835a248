#!/bin/sh
# What nothing but a proof shows. Fails, and says so, where Frama-C is missing.
set -eu
tools/prove.sh build
