#!/bin/sh
# The page's JSON has the same members in three places: where it is written (src/scene/write.c), where the page reads it
# (page/src/protocol.ts) and where it is specified (docs/spec/page.md). Fails when one of them lacks one.
#
#   test_page_words.sh [ROOT]
set -eu
export LC_ALL=C
cd "${1:-$(dirname "$0")/../..}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What the writer calls put_*() and begin_list() with, and what stands in its ready-made pieces, {\"type\":...
grep -oE '(put_[a-z_]+|begin_list)\([^"]*out, "[a-z_]+"|\\"[a-z_]+\\":' src/scene/write.c |
    sed -E 's/.*"([a-z_]+)\\?"?:?$/\1/' | tr -d '\\' | sort -u >"$work/written"
# Members of whatever is being read: robot.half_angle, message.replay.pace.
grep -oE '\.[a-z_]+\b' page/src/protocol.ts | sed 's/.*\.//' | sort -u >"$work/read"
# Between the quotes of an example, or a word of a table's first column.
grep -oE '"[a-z_]+"|`[a-z_]+`' docs/spec/page.md | tr -d '"`' | sort -u >"$work/specified"

count=$(wc -l <"$work/written")
[ "$count" -ge 60 ] || { echo "only $count members were found in src/scene/write.c"; exit 1; }
bad=0
for place in read specified; do
    comm -23 "$work/written" "$work/$place" >"$work/lacking"
    while read -r member; do
        echo "src/scene/write.c writes \"$member\", which is not $place in $([ $place = read ] && echo page/src/protocol.ts || echo docs/spec/page.md)"
        bad=1
    done <"$work/lacking"
done
# And nothing is read that nobody writes.
grep -oE '\((robot|value|sensor|part|wheel|wall|goal|link|player|message)\.[a-z_]+' page/src/protocol.ts | sed 's/.*\.//' | sort -u |
    comm -23 - "$work/written" >"$work/lacking"
while read -r member; do
    echo "page/src/protocol.ts reads \"$member\", which src/scene/write.c does not write"
    bad=1
done <"$work/lacking"
[ $bad = 0 ] || exit 1
echo "$count members are written, read and specified"
