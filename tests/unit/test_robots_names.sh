#!/bin/sh
# A robot type is named only where it is made: programs iterate the table of robots (include/halyard/robots.h). Fails with
# the lines that name or test a type elsewhere.
set -eu
cd "$(dirname "$0")/../.."

names='HY_BOARD_(XRP|TEENSY)|hy_dialect_(xrp|teensy)|["'"'"'](xrp|teensy|swerve|tank)["'"'"']'

# The row, the type's own files, and where both dialects are declared.
own='^(src/robots/list\.c|src/(wire|board|world|bot)/([a-z]+/)*(xrp|teensy|swerve|tank)\.c|include/halyard/wire\.h:[0-9]*:extern const'
own="$own"'|src/worldfile/[a-z_]*kinds?\.[ch]):?'

# search FOLDER...: the lines with a name in files that are nobody's own; comments may give examples.
search() {
    grep -rnE "$names" --include='*.[ch]' --include='*.ts' --include='CMakeLists.txt' --include='*.cmake' "$@" | grep -vE "$own" |
        grep -vE '^[^:]+:[0-9]+: *//|, app_xrp \},$' || true # a subcommand for programs of that robot
}

found=$(search apps cmake include page/src src)
if [ -n "$found" ]; then
    echo "$found"
    echo "these lines name a robot type: take it from the table of robots, or decide by what the robot has" >&2
    exit 1
fi

# What must be found is found.
planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
mkdir -p "$planted/src/robot"
for line in 'strcmp(kind, "xrp") == 0' 'dialect == &hy_dialect_teensy' 'HY_BOARD_XRP' "kind === 'tank'"; do
    echo "if ($line) {" >"$planted/src/robot/planted.c"
    [ -n "$(cd "$planted" && search src)" ] || { echo "not found: $line" >&2; exit 1; }
done
echo "no robot type is named outside of its own files"
