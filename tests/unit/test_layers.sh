#!/bin/sh
# The layer check itself: plants violations in a small tree of its own and expects each to be named.
set -eu

check=$HALYARD_TEST_DATA/../tools/check_layers.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

refused=0

fail() {
    echo "test_layers: $*" >&2
    cat "$tree/said" >&2
    exit 1
}

# plant FILE LINE: a fresh tree whose only sin can be that line, the third of that file.
plant() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/include/halyard" "$tree/src/wire" "$tree/src/link" "$tree/src/world/lidar" "$tree/examples" "$tree/apps/cli" "$tree/apps/robot"
    for part in base wire link world robot; do
        echo '#include <stdint.h>' >"$tree/include/halyard/$part.h"
    done
    echo '#include <stddef.h>' >"$tree/src/wire/table.h"
    printf '#include <halyard/wire.h>\n#include "table.h"\n' >"$tree/src/wire/wire.c"
    printf '#include <halyard/link.h>\n#include <sys/socket.h>\n' >"$tree/src/link/link.c"
    echo '#include <stddef.h>' >"$tree/src/world/lidar/scan.h"
    printf '#include <halyard/world.h>\n#include <box2d/box2d.h>\n' >"$tree/src/world/world.c"
    printf '#include <halyard/robot.h>\n#include <stdio.h>\n' >"$tree/examples/square.c"
    echo 'int app_drive(int argc, char **argv);' >"$tree/apps/cli/app.h"
    for app in board drive drive_view; do
        echo '#include "cli/app.h"' >"$tree/apps/robot/$app.c"
        echo '#include <stdbool.h>' >"$tree/apps/robot/$app.h"
    done
    [ $# = 0 ] || echo "$2" >>"$tree/$1"
}

accepts() {
    plant "$@"
    sh "$check" "$tree" >"$tree/said" 2>&1 || fail "refused${1:+ $2 in $1}"
}

refuses() {
    plant "$@"
    ! sh "$check" "$tree" >"$tree/said" 2>&1 || fail "let pass: $2 in $1"
    grep -q "^$1:[0-9]*: " "$tree/said" || fail "did not say where: $2 in $1"
    refused=$((refused + 1))
}

accepts
accepts src/link/link.c '#include <halyard/base.h>'
accepts src/wire/wire.c '// #include <halyard/link.h>'
accepts src/wire/wire.c '// /* an old one: */ #include <halyard/link.h>'
accepts src/wire/wire.c '/* for size_t */ #include <stddef.h> /* alone */'
accepts apps/robot/drive_view.c '#include "drive.h"'
accepts apps/cli/app.h '#include "robot/drive_view.h"'
accepts src/world/world.c '#include "lidar/scan.h"'
refuses src/wire/wire.c '#include <sys/socket.h>'          # wire never opens a socket
refuses src/wire/wire.c '#include <stdlib.h>'              # nor allocates
refuses src/link/link.c '#include <halyard/wire.h>'        # link never reads a packet
refuses src/link/link.c '  #  include "halyard/wire.h"'    # however it is spelt
refuses src/wire/wire.c '/* x */ #include <halyard/link.h>' # or dressed up
refuses src/wire/wire.c '/**//* * x **/#/* */include/**/<halyard/link.h>'
refuses src/wire/wire.c "$(printf '/* begins here\n ends here */ #include <halyard/link.h>')"
refuses src/world/world.c '#include <halyard/wire.h>'      # world knows no protocol
refuses src/world/world.c '#include <time.h>'              # nor the clock
refuses src/wire/wire.c '#include "../link/socket.h"'      # nobody reads another part's own headers
refuses src/wire/wire.c '#include WIRE_TABLE'              # nor hides what it includes
refuses include/halyard/wire.h '#include <halyard/link.h>' # a public header belongs to its part
refuses include/halyard/world.h '#include <box2d/box2d.h>' # no engine type shows
refuses examples/square.c '#include "../src/wire/table.h"'
refuses examples/square.c '#include <yaml.h>'
refuses apps/robot/board.c '#include "drive.h"'            # a subcommand knows no other
refuses apps/cli/app.h '#include "robot/drive.h"'          # in whatever folder
refuses apps/robot/board.c '#include <unistd.h>'            # the operating system is behind a part
refuses src/wire/wire.c '#include "link/link.h"'           # a folder's name is looked for in its own part
echo "$refused planted includes were refused, each with its place"
