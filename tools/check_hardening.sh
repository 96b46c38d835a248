#!/bin/sh
# What the linker and the compiler were told to harden is in the files that users get: programs, extensions and libraries (.a).
#
#   tools/check_hardening.sh FILE...
set -eu
status=0

fail() {
    echo "$1: $2" >&2
    status=1
}

# wants FILE WHAT PATTERN READELF_OPTION
wants() {
    readelf -W "$4" "$1" | grep -q "$3" || fail "$1" "$2 is missing"
}

# Debian's own start files are not marked, so the linker does not mark what is linked with them: only objects tell.
has_marked_objects() {
    readelf -nW "$1" | awk '/^File:/ { files++ } /x86 feature:.*IBT, SHSTK/ { marked++ } END { exit !(files > 0 && files == marked) }'
}

# gcc touches each page of a large frame.
has_stack_probes() {
    objdump -d "$1" | grep -qE 'or[lq] +\$0x0,.*\(%rsp'
}

for file in "$@"; do
    case $file in
    *.a)
        [ "$(uname -m)" != x86_64 ] || has_marked_objects "$file" ||
            fail "$file" "an object without control-flow protection"
        continue
        ;;
    esac
    wants "$file" "a read-only relocation segment (relro)" GNU_RELRO -l
    wants "$file" "binding at start (now)" 'FLAGS.*NOW' -d
    wants "$file" "the stack protector" __stack_chk_fail --dyn-syms
    wants "$file" "a fortified call of the C library" '_chk@' --dyn-syms
    case $(uname -m)-$file in
    x86_64-*/halyard) has_stack_probes "$file" || fail "$file" "a probe of a large stack frame is missing" ;;
    esac
done
[ $status != 0 ] || echo "hardened: $*"
exit $status
