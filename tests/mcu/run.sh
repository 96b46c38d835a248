#!/bin/sh
# Compiles base and wire for a Cortex-M0+ and a Cortex-M7, runs all golden vectors and the hash of the
# elementary functions there under QEMU and prints the sizes of code and stack. Fails if one of them
# does, or if the XRP codec outgrows its goal.
#
#   tests/mcu/run.sh [BUILD_FOLDER]        needs arm-none-eabi-gcc with newlib, and qemu-system-arm
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build}/mcu
xrp_codec_max=4096 # bytes of Cortex-M0+ code, decode and encode

warnings='-std=c11 -Wall -Wextra -Wpedantic -Werror -Wconversion -Wsign-conversion -Wshadow -Wundef'
# Without -fbuiltin a memcpy of four bytes becomes a call.
freestanding='-ffreestanding -fbuiltin'
common="-mthumb -Os -ffp-contract=off -ffunction-sections -fdata-sections -Iinclude"

for tool in arm-none-eabi-gcc qemu-system-arm; do
    command -v "$tool" >/dev/null || { echo "tests/mcu: $tool is not installed; 'make setup-ci' installs it" >&2; exit 1; }
done

# The bytes of all code symbols of an object.
code_size() {
    arm-none-eabi-nm -S -t d "$@" | awk '$3 ~ /^[tT]$/ { sum += $2 } END { print sum + 0 }'
}

# run_on NAME MACHINE CPU_FLAGS...
run_on() {
    name=$1
    machine=$2
    shift 2
    out=$build/$name
    rm -rf "$out"
    mkdir -p "$out"
    for source in src/base/*.c src/wire/*.c; do
        arm-none-eabi-gcc "$@" $common $freestanding $warnings -Isrc/wire -fstack-usage \
            -c "$source" -o "$out/$(basename "$source" .c).o"
    done
    arm-none-eabi-gcc "$@" $common $warnings --specs=nano.specs --specs=rdimon.specs \
        -T tests/mcu/mcu.ld -Wl,--gc-sections \
        tests/mcu/start.c tests/mcu/main.c tests/golden/wire_checks.c "$out"/*.o -o "$out/vectors.elf"

    echo "$name, under QEMU's $machine:"
    for object in "$out"/*.o; do
        printf '  code of %-14s %5d bytes\n' "$(basename "$object" .o)" "$(code_size "$object")"
    done
    codec=$(code_size "$out/xrp.o")
    timeout 60 qemu-system-arm -M "$machine" -nographic -monitor none -serial none \
        -semihosting-config enable=on,target=native,arg=vectors,arg=tests/golden \
        -kernel "$out/vectors.elf" </dev/null || { echo "  FAILED" >&2; exit 1; }
}

run_on cortex-m0plus microbit -mcpu=cortex-m0plus
[ "$codec" -lt "$xrp_codec_max" ] || { echo "the XRP codec has $codec bytes, the goal is $xrp_codec_max" >&2; exit 1; }
run_on cortex-m7 mps2-an500 -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard
