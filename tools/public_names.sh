#!/bin/sh
# Prints what the public headers declare for the linker, one name a line, sorted: functions that are not inline, and objects.
#
#   tools/public_names.sh [HEADER...]
set -eu
[ $# != 0 ] || set -- "$(dirname "$0")"/../include/halyard/*.h

awk '
FNR == 1 { depth = 0; statement = ""; continued = 0 }
{
    directive = continued || /^[ \t]*#/
    continued = directive && /\\$/
    if (directive) next
    sub(/\/\/.*/, "")
    gsub(/HY_API_(BEGIN|END)/, "")
    gsub(/__attribute__\(\(.*\)\)$/, "")
    for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        if (c == "{" && depth++ == 0) head = statement
        else if (c == "}" && --depth == 0) statement = head ~ /\)[ \t]*$/ ? "" : statement " {} "
        else if (depth > 0) continue
        else if (c == ";") { declare(statement); statement = "" }
        else statement = statement c
    }
    statement = statement " "
}
function declare(text) {
    if (text ~ /^[ \t]*(typedef|static|struct|enum|union)[ \t]/ && text !~ /^[ \t]*struct [a-z_]+ \**[ \t]*hy_[a-z0-9_]+\(/) return
    if (match(text, /hy_[a-z0-9_]+[ \t]*\(/) || (text ~ /^[ \t]*extern/ && match(text, /hy_[a-z0-9_]+(\[[^]]*\])*[ \t]*$/))) {
        name = substr(text, RSTART, RLENGTH)
        sub(/[^a-z0-9_].*/, "", name)
        print name
    }
}' "$@" | LC_ALL=C sort
