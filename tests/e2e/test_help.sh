#!/bin/sh
# --help of every subcommand fits a terminal of 100 columns, and ends each of its lines.
set -eu
halyard=$1
help=$(mktemp)
trap 'rm -f "$help"' EXIT
commands=$("$halyard" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
count=0
for command in $commands; do
    "$halyard" "$command" --help >"$help" || { echo "halyard $command --help ended with $?" >&2; exit 1; }
    awk -v command="$command" '
        length($0) > 100 { print "halyard " command " --help: over 100 columns: " $0; bad = 1 }
        / $/ { print "halyard " command " --help: ends with a blank: " $0; bad = 1 }
        END { exit bad || NR < 5 }' "$help" >&2
    count=$((count + 1))
done
if [ "$count" -lt 11 ]; then
    echo "test_help: only $count subcommands found: $commands" >&2
    exit 1
fi
