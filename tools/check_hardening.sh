#!/bin/sh
# What the linker and the compiler were told to harden is in the files that users get.
#
#   tools/check_hardening.sh FILE...
set -eu
status=0
# wants FILE WHAT PATTERN READELF_OPTION
wants() {
    readelf -W "$4" "$1" | grep -q "$3" || { echo "$1: $2 is missing" >&2; status=1; }
}
for file in "$@"; do
    wants "$file" "a read-only relocation segment (relro)" GNU_RELRO -l
    wants "$file" "binding at start (now)" 'FLAGS.*NOW' -d
    wants "$file" "the stack protector" __stack_chk_fail --dyn-syms
    wants "$file" "a fortified call of the C library" '_chk@' --dyn-syms
done
[ $status != 0 ] || echo "hardened: $*"
exit $status
