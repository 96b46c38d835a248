#!/bin/sh
# The index beside a large recording: it is made, kept, used again, made again if it is damaged, and not written over another file.
#
#   test_replay_index.sh HALYARD RECORDINGS
set -eu

halyard=$1
recordings=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "test_replay_index: $*"
    cat "$work/errors"
    exit 1
}

mkdir "$work/page"
echo page >"$work/page/index.html"
mkfifo "$work/ready"

# show: serves the recording until it says that it is ready.
show() {
    "$halyard" replay "$work/run.wpilog" --view=127.0.0.1:0 --page "$work/page" >"$work/ready" 2>"$work/errors" &
    pid=$!
    read -r line <"$work/ready" || line=
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
    case $line in
    *page=*) ;;
    *) fail "$1: it is not shown" ;;
    esac
}

# A recording, and a value of 32 MB of nobody's behind it.
cp "$recordings/match-two.wpilog" "$work/run.wpilog"
show "a small recording"
[ ! -e "$work/run.wpilog.index" ] || fail "a small recording has an index"
printf '\075\140\352\000\000\000\002\000\000\000\000' >>"$work/run.wpilog"
head -c 33554432 /dev/zero >>"$work/run.wpilog"
show "a large recording"
index=$work/run.wpilog.index
[ "$(head -c 8 "$index")" = hlyindex ] || fail "a large recording has no index"
[ "$(find "$work" -name 'run.wpilog.index*' | wc -l)" -eq 1 ] || fail "there is an unfinished index"
cp "$index" "$work/first"
ls -i "$index" >"$work/inode"
show "with its index"
ls -i "$index" | cmp -s - "$work/inode" || fail "an index that fits was written again"
printf 'X' | dd of="$index" bs=1 seek=500 conv=notrunc 2>/dev/null
show "with a damaged index"
cmp -s "$index" "$work/first" || fail "a damaged index was not made again"
echo 'something else' >"$index"
show "with a file of that name"
[ "$(cat "$index")" = 'something else' ] || fail "another file was written over"
rm "$index"
mkdir "$index"
show "where no index can be written"
echo "the index is made, used and made again"
