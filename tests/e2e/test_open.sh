#!/bin/sh
# --open, make play and the first step of the course open the page in a browser where there is a display, and only there.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
root=$HALYARD_TEST_DATA/..
# shellcheck disable=SC2016 # for the other shell
printf '#!/bin/sh\necho "$1" >"%s/url"\n' "$folder" >"$folder/xdg-open"
cp "$folder/xdg-open" "$folder/open"
chmod +x "$folder/xdg-open" "$folder/open"
unset DISPLAY WAYLAND_DISPLAY

fail() {
    echo "test_open: $*" >&2
    exit 1
}

# serve [NAME=VALUE ...]: a board with --open in that environment, until its page is ready and what it started has ended.
serve() {
    rm -f "$folder/url"
    env PATH="$folder:$PATH" "$@" "$HALYARD_BUILD_DIR/halyard" board xrp --listen 127.0.0.1:0 --view=127.0.0.1:0 --open --duration 1 \
        >"$folder/said" 2>&1 || fail "$(cat "$folder/said")"
    grep -q "^halyard: ready " "$folder/said" || fail "$(cat "$folder/said")"
}

opens_with() {
    serve "$1"
    for _ in $(seq 200); do
        [ ! -s "$folder/url" ] || return 0
        sleep 0.1
    done
    fail "nothing was opened with $1"
}

opens_with DISPLAY=:7
opens_with WAYLAND_DISPLAY=wayland-0
if [ "$(uname)" != Darwin ]; then
    serve DISPLAY=
    [ ! -e "$folder/url" ] || fail "a browser was started without a display"
fi
(cd "$root" && make -n play) | grep -q "halyard play --open" || fail "make play opens nothing"
(cd "$root" && make -n build) | tail -1 | grep -q "docs/guide/first-steps.md" || fail "make build does not end with what to run next"
sed -n '/^## 1\. /,/^## 2\. /p' "$root/docs/guide/first-steps.md" | grep -q "^build/halyard board .* --view --open &" || fail "the course opens nothing"
