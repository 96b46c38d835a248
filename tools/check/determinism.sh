#!/bin/sh
# The hashes on file hold for each compiler, without optimisation and with all of it, also where the processor has fused multiply-adds;
# those of -O2 are tested by `make test` and the step `clang`. Recorded robot programs, which need nearly all parts built, are run
# again as the compiler changes most.
set -eu
tests='test_world_hash test_base_math test_bot_run test_recordings'
[ "$(uname -m)" = x86_64 ] && most='-O3 -march=native -mfma' || most=-O3

# can_run FLAGS: whether this processor can run what they may compile to.
can_run() {
    case $1 in *-mfma*) grep -qsw fma /proc/cpuinfo ;; esac
}

# has_no_fused FOLDER: no multiply-add that rounds once in what computes the hashes, whether or not it was run.
has_no_fused() {
    for part in base wire board bot world match; do
        objdump -d "$1/src/$part/libhalyard_$part.a" >"$1/$part.asm"
    done
    ! grep -HE '[[:space:]](v?fn?m(add|sub)[a-z0-9]*|fml[as])[[:space:]]' "$1"/*.asm
}

# has_same_hashes COMPILER FLAGS TEST...: built so, the tests find the hashes on file.
has_same_hashes() {
    compiler=$1 flags=$2
    shift 2
    folder=build/determinism/$compiler$(echo "$flags" | tr -d ' ')
    cmake -S . -B "$folder" -G Ninja -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" >/dev/null
    cmake --build "$folder" --target "$@" halyard_board halyard_match
    has_no_fused "$folder"
    can_run "$flags" || { echo "$folder: built and disassembled, not run: this processor has no FMA"; return 0; }
    ctest --test-dir "$folder" --output-on-failure --no-tests=error -R "^($(echo "$@" | tr ' ' '|'))\$"
}

for compiler in gcc clang; do
    has_same_hashes $compiler -O0 $tests
    has_same_hashes $compiler "$most" $tests test_recorded_programs
done
echo "the same hashes from gcc and clang at each level; no fused multiply-add in their code"
