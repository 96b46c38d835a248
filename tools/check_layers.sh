#!/bin/sh
# Fails when a file includes what the architecture does not allow its part (DESIGN.md, "Parts").
# Every build runs it.
#
#   tools/check_layers.sh [ROOT]
#
# A line of the table: part, the parts it may include, the other headers it may include. `base` is
# allowed to every part. Header sets: free is what a compiler without an operating system has
# (and string.h, of which such code uses only the mem functions); iso is the C library without
# clocks; os is everything a system offers.
set -eu

root=${1:-$(cd "$(dirname "$0")/.." && pwd)}
cd "$root"

find include/halyard src ext python apps examples -name '*.[ch]' 2>/dev/null | LC_ALL=C sort | awk '
function allow(part, parts, headers) { parts_of[part] = " base " part " " parts " "; headers_of[part] = headers }

BEGIN {
    free = "stdint.h stddef.h stdbool.h float.h limits.h stdarg.h string.h"
    iso  = free " assert.h ctype.h errno.h inttypes.h math.h stdalign.h stdatomic.h stdio.h stdlib.h"
    cpu  = "immintrin.h arm_neon.h"

    allow("base",   "",                       free)
    allow("config", "text",                    iso " yaml.h")
    allow("faults", "",                       iso)
    allow("wire",   "",                       free)
    allow("text",   "",                       iso " yyjson.h")
    allow("icd",    "text",                   iso)
    allow("telemetry", "text",                iso)
    allow("record", "board faults icd match scene sim system telemetry text wire world", iso)
    allow("bot",    "",                       free)
    allow("world",  "",                       iso " " cpu " box2d/*")
    allow("board",  "wire",                   free " assert.h math.h")
    allow("options", "system text",           iso)
    allow("system", "",                       "os")
    allow("host",   "faults link nt options record robot sim system telemetry text view web wire world worldfile", iso)
    allow("robots", "wire bot board",         iso)
    allow("calibrate", "board bot robots telemetry wire world", iso)
    allow("link",   "",                       "os")
    allow("input",  "system",                 iso " SDL2/*")
    allow("web",    "system text",             iso)
    allow("nt",     "system telemetry text web", iso)
    allow("match",  "world",                  iso)
    allow("worldfile", "config match robots system text world", iso " png.h")
    allow("scene",  "icd match text world",   iso " png.h")
    allow("sim",    "board faults icd match robots scene telemetry text wire world", iso)
    allow("run",    "bot faults robots sim telemetry wire world", iso)
    allow("robot",  "bot faults link robots system wire", iso)
    allow("program", "bot config faults host input link nt options record robot robots run sim system telemetry text view wire world worldfile", iso " setjmp.h")
    allow("player", "icd text",               iso)
    allow("core",   "icd link player system", iso)
    allow("view",   "icd link scene system text web", iso)
    allow("halsim", "wire link",              "os")
    allow("ext",    "halsim wire",            "os")
    allow("python", "*",                      "os")
    allow("apps",   "*",                      iso " locale.h pcap/* curses.h png.h")
    allow("examples", "*",                    "os")

    header_of["simple"] = header_of["halyard"] = "program"
    header_of["controls"] = "input"
    header_of["replay"] = "record"

    foreign = " yyjson.h yaml.h png.h curses.h " # never part of "os", like folders of libraries
}

# The part of a public header: include/halyard/wire.h and include/halyard/wire_names.h are wire. Four have names of
# their own.
function part_of_header(path,    name) {
    name = path
    sub(/^(include\/)?halyard\//, "", name)
    sub(/[_.\/].*/, "", name)
    return name in header_of ? header_of[name] : name
}

function part_of_file(path,    steps) {
    if (path ~ /^include\//) return part_of_header(path)
    split(path, steps, "/")
    return steps[1] == "src" ? steps[2] : steps[1]
}

function may_include_header(part, header,    words, n, i, stem) {
    n = split(headers_of[part], words, " ")
    for (i = 1; i <= n; i++) {
        if (words[i] == header) return 1
        stem = words[i]
        if (sub(/\*$/, "", stem) && index(header, stem) == 1) return 1
        if (words[i] == "os" && index(foreign, " " header " ") == 0 &&
            header !~ /^(box2d|SDL2|pcap|hal|wpi)\//) return 1
    }
    return 0
}

function without_folders(path) {
    sub(/^.*\//, "", path)
    return path
}

# apps/robot/drive.h is for drive.c and drive_*.c alone if cli/app.h declares a subcommand app_drive. `play`
# is made of other subcommands: it may.
function is_of_another_subcommand(file, header,    stem) {
    file = without_folders(file)
    stem = without_folders(header)
    stem = substr(stem, 1, length(stem) - 2)
    return file !~ /^play/ && index(file, stem) != 1 && system("grep -qsw app_" stem " apps/cli/app.h") == 0
}

# Where a quoted include is looked for: beside the file, then from the folder of the part on.
function quoted_is_found(part, file, name,    folder) {
    folder = file
    sub(/\/[^\/]*$/, "", folder)
    return system("test -f \"" folder "/" name "\" || test -f \"" (part == "apps" ? "" : "src/") part "/" name "\"") == 0
}

# "sim/sim_scene.h": what src/sim keeps from users and shows to other parts. Such headers begin with the name of their part; its other
# headers are its own.
function part_of_shared(name,    steps) {
    if (split(name, steps, "/") != 2 || steps[2] !~ ("^" steps[1] "[_.]") || !(steps[1] in parts_of)) return ""
    return system("test -f \"src/" name "\"") == 0 ? steps[1] : ""
}

function complain(file, line, what) {
    printf "%s:%d: %s\n", file, line, what
    bad++
}

function check(file, line, text,    part, quoted, name, target) {
    part = part_of_file(file)
    if (!(part in parts_of)) {
        complain(file, line, "no part is called \"" part "\": add it to tools/check_layers.sh and DESIGN.md")
        return
    }
    if (!match(text, /["<][^">]*[">]/)) {
        complain(file, line, "an include that only the preprocessor understands cannot be checked: write the name")
        return
    }
    quoted = substr(text, RSTART, 1) == "\""
    name = substr(text, RSTART + 1, RLENGTH - 2)
    target = name ~ /^halyard\// ? part_of_header(name) : quoted ? part_of_shared(name) : ""
    if (target != "" && (target != part || name ~ /^halyard\//)) {
        if (index(parts_of[part], " " target " ") == 0 && index(parts_of[part], " * ") == 0)
            complain(file, line, part " may not include the part " target " (it may:" parts_of[part] ")")
        else if (name !~ /^halyard\// && (part == "examples" || file ~ /^include\//))
            complain(file, line, "\"" name "\" is not installed: users cannot include it")
    } else if (quoted) {
        if (name ~ /\.\./ || name ~ /\.c$/ || !quoted_is_found(part, file, name))
            complain(file, line, "\"" name "\" is not a header of " part "; other parts are included as \"halyard/PART.h\"")
        else if (part == "apps" && is_of_another_subcommand(file, name))
            complain(file, line, "\"" name "\" belongs to another subcommand: what two need gets a file of its own")
        else if (part == "examples" || file ~ /^include\//)
            complain(file, line, "only \"halyard/PART.h\" and the system may be included here, not \"" name "\"")
    } else if (file ~ /^include\// && index(" " free " ", " " name " ") == 0) {
        complain(file, line, "a public header shows no type of <" name "> (it may include: " free ")")
    } else if (!may_include_header(part, name)) {
        complain(file, line, part " may not include <" name "> (it may: " headers_of[part] ")")
    }
}

{
    file = $0
    line = 0
    while ((getline text < file) > 0) {
        line++
        gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", text) # comments are white space, also before a directive
        sub(/^.*\*\//, "", text)                       # and one from the lines above may end here
        if (text ~ /^[ \t]*#[ \t]*include/) { check(file, line, text); includes++ }
    }
    close(file)
    files++
}

END {
    if (!files) { print "check_layers: no sources below " ENVIRON["PWD"]; exit 1 }
    if (bad) { print bad " include(s) across the layers; DESIGN.md says which part may use which"; exit 1 }
    if (ENVIRON["VERBOSE"]) printf "%d includes of %d files keep to the layers\n", includes, files
}'
