#!/bin/sh
# Which part includes which, and what each public header declares and explains.
set -eu
VERBOSE=1 tools/check_layers.sh
tools/check_headers.sh
