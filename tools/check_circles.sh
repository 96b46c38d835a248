#!/bin/sh
# Fails when files use each other in a circle: by their includes, or by the functions and tables that they call for. It
# prints every circle, with what each file wants of the next. Every build runs it.
#
#   tools/check_circles.sh ROOT [NM] <OBJECTS      the names of object files, one a line; without any only includes are read
#
# An object is named after its source: .../src/base/CMakeFiles/halyard_base.dir/hash.c.o is src/base/hash.c.
set -eu
export LC_ALL=C
root=${1:-$(cd "$(dirname "$0")/.." && pwd)}
nm=${2:-nm}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/objects"

# Every use is a line "FILE FILE WORDS": the first uses the second, by what the words say.
includes() {
    cd "$root"
    find include/halyard src ext apps -name '*.[ch]' 2>/dev/null | sort >"$work/files"
    awk '{ exists[$0] = 1; file[++count] = $0 }
    END {
        for (i = 1; i <= count; i++) {
            while ((getline text < file[i]) > 0) {
                if (text !~ /^[ \t]*#[ \t]*include[ \t]/ || !match(text, /["<][^">]*[">]/)) continue
                name = substr(text, RSTART + 1, RLENGTH - 2)
                folder = part = file[i]
                sub(/\/[^\/]*$/, "", folder)
                part = part ~ /^apps\// ? "apps" : substr(part, 1, index(part, "/") + index(substr(part, index(part, "/") + 1), "/") - 1)
                target = name ~ /^halyard\// ? "include/" name : exists[folder "/" name] ? folder "/" name : part "/" name
                if (exists[target]) print file[i], target, "includes"
            }
            close(file[i])
        }
    }' "$work/files"
}

calls() {
    xargs "$nm" -g -A <"$work/objects" 2>/dev/null | awk '{
        object = $1
        sub(/:[0-9a-fA-F]*$/, "", object)
        file = object
        sub(/\.(o|obj)$/, "", file)
        gsub(/\/\.\//, "/", file)
        sub(/CMakeFiles\/[^\/]*\.dir\//, "", file)
        sub(/^.*\/(src|apps|ext)\//, "/&", file)
        while (match(file, /\/(src|apps|ext)\//) && RSTART > 1) file = substr(file, RSTART + (RSTART == 1))
        sub(/^\//, "", file)
        if ($(NF - 1) == "U") { count++; user[count] = file; used[count] = $NF }
        else if ($(NF - 1) ~ /^[A-Z]$/) owner[$NF] = file
    }
    END {
        for (i = 1; i <= count; i++)
            if (used[i] in owner && owner[used[i]] != user[i]) print user[i], owner[used[i]], "uses " used[i] " of"
    }' | sort -u -k1,2
}

# Takes away, again and again, the files that nothing left uses or that use nothing left. What stays is circles: prints
# one, opens it, and goes on.
circles() {
    sort -u -k1,2 | awk '
    {
        file = $1; target = $2
        $1 = $2 = ""
        uses[file, target] = $0
    }
    function trim(    changed, edge, ends) {
        do {
            changed = 0
            split("", out); split("", into)
            for (edge in uses) { split(edge, ends, SUBSEP); out[ends[1]] = ends[2]; into[ends[2]] = ends[1] }
            for (edge in uses) {
                split(edge, ends, SUBSEP)
                if (!(ends[1] in into) || !(ends[2] in out)) { delete uses[edge]; changed = 1 }
            }
        } while (changed)
    }
    # The first file, by its name, that is left in a circle or between two.
    function first_left(    name, first) {
        for (name in out) if (first == "" || name < first) first = name
        return first
    }
    function print_circle(at,    start, last) {
        split("", seen)
        while (!(at in seen)) { seen[at] = 1; at = out[at] }
        start = at
        do {
            print "  " at uses[at, out[at]]
            last = at
            at = out[at]
        } while (at != start)
        print "  " start
        delete uses[last, start]
    }
    END {
        trim()
        while ((start = first_left()) != "") {
            print "a circle of files:"
            print_circle(start)
            circles++
            trim()
        }
        exit circles > 0
    }'
}

includes >"$work/includes"
calls >"$work/calls"
[ ! -s "$work/objects" ] || [ -s "$work/calls" ] || { echo "check_circles: $nm read nothing of the objects"; exit 1; }
bad=0
circles <"$work/includes" || bad=1
circles <"$work/calls" || bad=1
[ -z "${VERBOSE:-}" ] || echo "$(wc -l <"$work/includes") includes, $(wc -l <"$work/calls") uses"
exit $bad
