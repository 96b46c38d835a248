#!/bin/sh
# Every member of the page's JSON is described once, in src/scene/page_fields.h, and every message that a page sends, in
# src/view/page_messages.h. Fails when the page's types (page/src/net/wire.ts) or the
# tables of docs/spec/page.md differ from them in a name, a type or a unit, and when page/src/net/protocol.ts does not read a member. That it
# reads no other is for the TypeScript compiler to see.
#
#   test_page_words.sh PAGE_FIELDS [--write]    PAGE_FIELDS: the program of page_fields.c; --write: writes both instead
set -eu
export LC_ALL=C
fields=$(realpath "$1")
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$fields" ts >"$work/wire.ts"
"$fields" md >"$work/table"
"$fields" messages >"$work/messages"
"$fields" names | sort -u >"$work/names"
awk -v table="$work/table" -v messages="$work/messages" '
    /^<!-- end of (members|messages) -->$/ { inside = 0 }
    !inside { print }
    /^<!-- messages, / { inside = 1; while ((getline line <messages) > 0) print line }
    /^<!-- members, / { inside = 1; while ((getline line <table) > 0) print line }' docs/spec/page.md >"$work/page.md"
grep -q "^| Scene | " "$work/page.md" || { echo "docs/spec/page.md has no place for the table of members"; exit 1; }
grep -q "^| .own N. | " "$work/page.md" || { echo "docs/spec/page.md has no place for the table of messages"; exit 1; }

if [ "${2:-}" = --write ]; then
    cp "$work/wire.ts" page/src/net/wire.ts
    cp "$work/page.md" docs/spec/page.md
    exit 0
fi

bad=0
for pair in wire.ts:page/src/net/wire.ts page.md:docs/spec/page.md; do
    diff -u "${pair#*:}" "$work/${pair%%:*}" || {
        echo "${pair#*:} differs from src/scene/page_fields.h and src/view/page_messages.h: run tests/unit/test_page_words.sh $1 --write"
        bad=1
    }
done
# Members of whatever is being read: robot.half_angle, message.replay.pace.
grep -oE '\.[a-z_]+\b' page/src/net/protocol.ts | sed 's/.*\.//' | sort -u | comm -13 - "$work/names" >"$work/lacking"
while read -r member; do
    echo "src/scene/page_fields.h has \"$member\", which page/src/net/protocol.ts does not read"
    bad=1
done <"$work/lacking"
[ $bad = 0 ] || exit 1
echo "$(wc -l <"$work/table") rows and $(wc -l <"$work/names") names are the same in C, TypeScript and the document"
