#!/bin/sh
# Fails when a public header has a line of more than 100 columns, a function or object without a comment, or no example call in
# its opening comment; and when an example does not compile, or a header alone. The same holds for headers of src/ with an
# example, which are those that other parts include; their lines may be longer.
#
#   tools/check_headers.sh [C_COMPILER]
#
# A comment documents every declaration below it up to the next empty line. An example is indented by four columns; one that
# defines a function (a line is just "{") is a file, any other is the inside of a function. The header comes first in each of these
# files: what it needs it must include itself.
set -eu
cd "$(dirname "$0")/.."
compiler=${1:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

awk -v work="$work" '
function complain(text) { print FILENAME ":" FNR ": " text; failed = 1 }
function end_header() { if (header != "" && !examples) { print header ": its opening comment has no example"; failed = 1 } }
FNR == 1 { end_header(); header = FILENAME; examples = 0; opening = 1; documented = depth = continued = in_example = 0 }
length($0) > 100 && FILENAME ~ /^include/ { complain("more than 100 columns") }
opening && !/^\/\/\// { opening = 0 }
opening && /^\/\/\/     / { # one piece may have empty lines inside
    if (!in_example) { examples++; in_example = 1 }
    file = FILENAME
    gsub(/\//, "%", file)
    file = work "/" file "." examples
    while (blank > 0) { print "" >file; blank-- }
    print substr($0, 9) >file
}
opening && /^\/\/\/$/ && in_example { blank++; next }
opening && /^\/\/\/ [^ ]/ { in_example = blank = 0 }
/^$/ { documented = 0; next }
/^[ \t]*\/\/\// { documented = 1; next }
/^[ \t]*\/\// { next }
{
    directive = continued || /^[ \t]*#/
    continued = directive && /\\$/
    if (directive || /^HY_API_/ || /^__attribute__/) next
    begins = depth == 0 && !inside
    text = $0
    if (begins && text ~ /^[a-z].*hy_[a-z0-9_]+[(;\[]/ && text !~ /^typedef|^struct [a-z_]+;/ && !documented && text !~ /\/\/\//) {
        complain("no comment: " text)
    }
    sub(/\/\/.*/, "", text)
    opened = gsub(/{/, "{", text)
    depth += opened - gsub(/}/, "}", text)
    inside = depth > 0 || text !~ /[;}]/
}
END { end_header(); exit failed }' include/halyard/*.h $(grep -l '^///     ' src/*/*.h) || status=1

count=0
for piece in "$work"/*; do
    [ -e "$piece" ] || break
    name=$(echo "${piece##*/}" | tr % /)
    name=${name%.*}
    {
        echo "#include \"${name#*/}\""
        echo '#include <assert.h>'
        echo '#include <stdio.h>'
        echo '#include <string.h>'
        if grep -qE '^\{$' "$piece"; then
            cat "$piece"
        else
            echo 'int example(void);'
            echo 'int example(void)'
            echo '{'
            cat "$piece"
            echo 'return 0;'
            echo '}'
        fi
    } >"$work/example.c"
    if ! "$compiler" -std=c11 -Wall -Wextra -Wpedantic -Werror -Wno-unused -Iinclude -iquote include -iquote src -fsyntax-only "$work/example.c" 2>"$work/errors"; then
        echo "the example of $name does not compile:"
        cat "$work/errors"
        status=1
    fi
    count=$((count + 1))
done
[ "${status:-0}" = 0 ] || exit 1
echo "every public declaration is documented; $count examples compile"
