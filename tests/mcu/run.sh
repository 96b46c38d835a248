#!/bin/sh
# Compiles base, wire and bot for a Cortex-M0+ and a Cortex-M7, runs all golden vectors, the hash of the
# elementary functions, two drives of the robot library and examples/line_follow.c itself there under QEMU,
# each beside what a PC made of it, and prints the sizes of code and stack. Fails if one of them does, or if
# the XRP codec or a robot program's code outgrows its goal.
#
#   tests/mcu/run.sh [BUILD_FOLDER]        a configured one; needs arm-none-eabi-gcc with newlib, and qemu-system-arm
set -eu
cd "$(dirname "$0")/../.."
pc=${1:-build}
build=$pc/mcu
trace=$build/line_follow.trace
xrp_codec_max=4096 # bytes of Cortex-M0+ code, decode and encode
program_max=16384  # bytes of Cortex-M0+ code, our own objects: what a robot program with these needs
program_parts='motor encoder pid tools drive_inputs differential_drive blocks commander dialect rate sequence teensy xrp'

warnings='-std=c11 -Wall -Wextra -Wpedantic -Werror -Wconversion -Wsign-conversion -Wshadow -Wundef'
# Without -fbuiltin a memcpy of four bytes becomes a call; without the other a square root may.
freestanding='-ffreestanding -fbuiltin -fno-math-errno'
common="-mthumb -Os -ffp-contract=off -ffunction-sections -fdata-sections -Iinclude"

for tool in arm-none-eabi-gcc qemu-system-arm; do
    command -v "$tool" >/dev/null || { echo "tests/mcu: $tool is not installed; 'make setup-ci' installs it" >&2; exit 1; }
done

# The bytes of all code symbols of an object.
code_size() {
    arm-none-eabi-nm -S -t d "$@" | awk '$3 ~ /^[tT]$/ { sum += $2 } END { print sum + 0 }'
}

# The bytes that objects or an image take of the flash, constants and first values of variables among them.
flash_size() {
    arm-none-eabi-size "$@" | awk 'NR > 1 { sum += $1 + $2 } END { print sum + 0 }'
}

# on_qemu MACHINE IMAGE SECONDS [ARGUMENT]
on_qemu() {
    timeout "$3" qemu-system-arm -M "$1" -nographic -monitor none -serial none \
        -semihosting-config enable=on,target=native,arg=program${4:+,arg=$4} \
        -kernel "$2" </dev/null || { echo "  FAILED" >&2; exit 1; }
}

# run_on NAME MACHINE CPU_FLAGS...
run_on() {
    name=$1
    machine=$2
    shift 2
    out=$build/$name
    rm -rf "$out"
    mkdir -p "$out"
    for source in src/base/*.c src/wire/*.c src/bot/*.c; do
        arm-none-eabi-gcc "$@" $common $freestanding $warnings -fstack-usage \
            -c "$source" -o "$out/$(basename "$source" .c).o"
    done
    for image in main bot drive line_follow; do
        more=
        if [ $image = line_follow ]; then # its main(), and what carries packets to its devices
            more='examples/line_follow.c src/program/devices.c'
        fi
        arm-none-eabi-gcc "$@" $common $warnings --specs=nano.specs --specs=rdimon.specs \
            -T tests/mcu/mcu.ld -Wl,--gc-sections \
            tests/mcu/start.c tests/mcu/$image.c tests/golden/wire_checks.c $more "$out"/*.o -o "$out/$image.elf"
    done

    echo "$name, under QEMU's $machine:"
    for object in "$out"/*.o; do
        printf '  code of %-18s %5d bytes\n' "$(basename "$object" .o)" "$(code_size "$object")"
    done
    codec=$(code_size "$out/xrp.o")
    program=$(flash_size $(printf "$out/%s.o " $program_parts))
    echo "  motors, encoders, PID, differential drive and wire: $program bytes of our own objects;"
    echo "  a program of them, linked, with what it takes of soft float and the C library: $(flash_size "$out/drive.elf") bytes"
    on_qemu "$machine" "$out/main.elf" 60 tests/golden
    on_qemu "$machine" "$out/bot.elf" 120
    on_qemu "$machine" "$out/line_follow.elf" 120 "$trace"
}

mkdir -p "$build"
cmake --build "$pc" --target line_trace >"$build/line_trace.log" || { cat "$build/line_trace.log" >&2; exit 1; }
"$pc"/tests/mcu/line_trace >"$trace"
run_on cortex-m0plus microbit -mcpu=cortex-m0plus
[ "$codec" -lt "$xrp_codec_max" ] || { echo "the XRP codec has $codec bytes, the goal is $xrp_codec_max" >&2; exit 1; }
[ "$program" -lt "$program_max" ] || { echo "a robot program's parts have $program bytes, the goal is $program_max" >&2; exit 1; }
run_on cortex-m7 mps2-an500 -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard
