#!/bin/sh
# Files that programs write: none that they read, however it is called; none through a link that somebody else made; and none of which a
# reader dies.
#
#   test_outputs.sh PROGRAM RECORDINGS
set -eu

program=$1
recordings=$2
halyard=${HALYARD_BINARY:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "test_outputs: $*" >&2
    exit 1
}

# refuses WORDS COMMAND...: it ends with 2 and that sentence, and leaves all files as they were.
refuses() {
    words=$1
    shift
    (cd "$work" && find . -type f -exec cksum {} + | sort) >"$work.before" 2>/dev/null
    status=0
    timeout 60 "$@" >/dev/null 2>"$work.error" || status=$?
    error=$(cat "$work.error")
    rm -f "$work.error"
    [ $status -eq 2 ] || fail "'$*' ended with $status: $error"
    echo "$error" | grep -q -e "$words" || fail "'$*' does not say '$words': $error"
    (cd "$work" && find . -type f -exec cksum {} + | sort) | cmp -s - "$work.before" || fail "'$*' changed a file"
    rm -f "$work.before"
}

same="name the same file"
cp "${HALYARD_TEST_DATA:?}/../worlds/xrp-line.yaml" "$work/w.yaml"
cp "$work/w.yaml" "$work/named.yaml"
printf '0 quit\n' >"$work/script"
echo loss=1% >"$work/bad.air"
"$program" --sim xrp-line --speed max --duration 2 --record "$work/run.wpilog" --save-tunables "$work/t.yaml" >/dev/null 2>&1
ln -s run.wpilog "$work/link.wpilog"
ln "$work/run.wpilog" "$work/hard.wpilog"

# An output that is an input.
board="$halyard board xrp --listen 127.0.0.1:0 --duration 0.1"
refuses "$same" $board --world "$work/w.yaml" --record "$work/w.yaml" --overwrite
refuses "$same" $board --world "$work/w.yaml" --truth "$work/w.yaml"
refuses "$same" $board --faults "$work/bad.air" --truth "$work/../${work##*/}/bad.air"
refuses "$same" env HALYARD_WORLDS="$work" $board --world named --record "$work/named.yaml" --overwrite
cp ../../worlds/xrp-town.yaml "$work/town.yaml"
mkdir "$work/models"
cp ../../worlds/models/*.glb "$work/models"
refuses "$same" $board --world "$work/town.yaml" --record "$work/models/van.glb" --overwrite
printf 'mat:\n  picture: "a mat.png" # on the floor\n' >"$work/painted.yaml"
echo picture >"$work/a mat.png"
refuses "$same" $board --world "$work/painted.yaml" --truth "$work/a mat.png"
refuses "$same" $board --record "$work/new" --truth "$work/./new"
refuses "$same" "$program" --what-if "$work/run.wpilog" --record "$work/run.wpilog" --overwrite
refuses "$same" "$program" --what-if "$work/run.wpilog" --record "$work/link.wpilog" --overwrite
refuses "$same" "$program" --what-if "$work/link.wpilog" --record "$work/hard.wpilog" --overwrite
refuses "$same" "$program" --sim xrp-line --tunables "$work/t.yaml" --record "$work/t.yaml" --overwrite
refuses "$same" "$program" --sim "$work/w.yaml" --save-tunables "$work/w.yaml"
refuses "$same" "$program" "sim://$work/w.yaml" --record "$work/w.yaml" --overwrite
refuses "$same" "$program" --what-if "$work/run.wpilog" --save-tunables "$work/link.wpilog"
refuses "$same" "$halyard" replay "$work/run.wpilog" --with "$program" --record "$work/hard.wpilog" --overwrite
refuses "$same" "$halyard" sim --config "$work/w.yaml" --record "$work/w.yaml" --overwrite --duration 1
refuses "$same" "$halyard" drive "sim://$work/w.yaml" --record "$work/w.yaml" --overwrite
refuses "$same" "$halyard" drive virtual --script "$work/script" --record "$work/script" --overwrite
refuses "$same" $board --view=127.0.0.1:0 --phantom "$work/run.wpilog" --record "$work/run.wpilog" --overwrite
refuses "$same" "$halyard" calibrate --from "$work/run.wpilog" --out "$work/run.wpilog" --overwrite
ln -s run.wpilog "$work/run.svg"
refuses "is the robot file or its plots" "$halyard" calibrate --from "$work/run.wpilog" --out "$work/run.yaml" --overwrite
refuses "$same" "$halyard" doctor xrp://127.0.0.1:9 --calibration "$work/t.yaml" --report "$work/t.yaml"
export halyard program work
refuses "into which the standard output goes" sh -c '"$halyard" replay "$work/run.wpilog" --export csv >>"$work/run.wpilog"'
"$program" --sim xrp-line --speed max --duration 1 --tunables "$work/t.yaml" --save-tunables "$work/t.yaml" >/dev/null || fail "tunables are not saved where they were read"

# Nobody's link, pipe or file is written to on the way.
echo theirs >"$work/theirs"
ln -s theirs "$work/kept.yaml.new"
"$program" --sim xrp-line --speed max --duration 1 --save-tunables "$work/kept.yaml" >/dev/null || fail "--save-tunables: $?"
ln -s theirs "$work/copy.wpilog.new"
"$program" --replay "$work/run.wpilog" --record "$work/copy.wpilog" >/dev/null || fail "--replay --record: $?"
[ "$(cat "$work/theirs")" = theirs ] && [ -L "$work/kept.yaml.new" ] && [ -L "$work/copy.wpilog.new" ] || fail "a link of somebody's was used"

# A reader of a recording that is recorded anew, or that somebody else makes shorter, goes on to its end.
mkfifo "$work/pipe"
for way in anew shorter; do
    cp "$recordings/match-two.wpilog" "$work/long.wpilog"
    "$halyard" replay "$work/long.wpilog" --export csv >"$work/pipe" 2>"$work/error" &
    reader=$!
    exec 3<"$work/pipe"
    read -r first <&3 # it has begun, and waits for us: the pipe is full long before the end
    case $way in
    anew) $board --record "$work/long.wpilog" --overwrite >/dev/null 2>&1 ;;
    shorter) head -c 5000 "$recordings/match-two.wpilog" >"$work/long.wpilog" ;;
    esac
    cat <&3 >"$work/values"
    exec 3<&-
    status=0
    wait $reader || status=$?
    [ $status -lt 128 ] || fail "a file that is $way ends its reader with $status"
    [ $way = shorter ] || "$halyard" replay "$recordings/match-two.wpilog" --export csv | tail -n +2 | cmp -s - "$work/values" || fail "a file that is $way is not read to its end"
    [ $way = anew ] || grep -q "became shorter" "$work/error" || fail "nobody says that a file became shorter"
done
[ -z "$(find "$work" -name '.halyard-*')" ] || fail "files are left over"

# Other users of the machine read no secret on a command line, and what the browser starts reads none in its environment.
mkdir "$work/home" "$work/home/Downloads" "$work/bin" "$work/page"
echo page >"$work/page/index.html"
cat >"$work/bin/xdg-open" <<'END'
#!/bin/sh
{ echo "$# $*" && env && echo page && cat "$1" && ls -l "$1"; } >"$HOME/said.new" && mv "$HOME/said.new" "$HOME/said"
END
chmod 755 "$work/bin/xdg-open"
cp "$work/bin/xdg-open" "$work/bin/open"
token=0123456789abcdef0123456789abcdef
env -u XDG_DOWNLOAD_DIR HOME="$work/home" PATH="$work/bin:$PATH" DISPLAY=:0 HALYARD_TOKEN=$token "$halyard" board xrp --listen 127.0.0.1:0 --view=127.0.0.1:0 --page "$work/page" --open >/dev/null 2>&1 &
board_pid=$!
for try in $(seq 200); do
    [ ! -e "$work/home/said" ] || break
    sleep 0.05
done
kill $board_pid
wait $board_pid 2>/dev/null || true
said=$work/home/said
head -1 "$said" | grep -qx "1 $work/home/Downloads/halyard-open-[0-9a-f]*\.html" || fail "the browser is given: $(head -1 "$said")"
once=$(sed -n 's/.*href="http:[^#]*#\([0-9a-f]*\)".*/\1/p' "$said")
[ ${#once} -eq 32 ] && [ "$once" != $token ] || fail "the file leads nowhere: $(cat "$said")"
! grep -q $token "$said" || fail "the browser's environment has the token"
! sed '/^page$/,$d' "$said" | grep -q "$once" || fail "the command line or the environment has what the file has"
grep -q "^-rw-------" "$said" || fail "others read the file: $(tail -1 "$said")"
[ -z "$(ls "$work/home/Downloads")" ] || fail "the file stays"
