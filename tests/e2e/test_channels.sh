#!/bin/sh
# docs/spec/channels.md names every channel that the code declares for robots and matches.
set -eu

cd "$(dirname "$0")/../.."
declared=$(sed -n 's/.*\(ROW(\|declare\)[^"]*"\(\/[A-Z][A-Za-z0-9/]*\)".*/\2/p; s/.*\.name = "\(\/[A-Z][A-Za-z0-9/]*\)".*/\1/p' src/sim/publish.c src/program/publish.c | sort -u)
[ "$(echo "$declared" | wc -l)" -gt 25 ] || { echo "the declarations were not found: $declared" >&2; exit 1; }
for name in $declared; do
    grep -q "\`[^\`]*${name##*/}\`" docs/spec/channels.md || { echo "docs/spec/channels.md does not name $name" >&2; exit 1; }
done
