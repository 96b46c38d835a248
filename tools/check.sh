#!/bin/sh
# What `make check` runs: everything that `make test` leaves out because it takes other compilers,
# other people's programs, or patience.
#
#   tools/check.sh all | STEP...      tools/check.sh --list
#
# All steps run even if one fails; the end says which did and how long each took.
set -u
cd "$(dirname "$0")/.."

steps="layers format cost slow clang asan tsan msan install cross windows inject interop sanitized page tidy cppcheck proofs determinism fuzz browser"
local_tests='unit|golden|replay|e2e'
cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

# configure_and_build PRESET [more -D]: everything, tests included.
configure_and_build() {
    preset=$1
    shift
    cmake --preset "$preset" "$@" >/dev/null && cmake --build --preset "$preset"
}

check_layers() {
    VERBOSE=1 tools/check_layers.sh && tools/check_headers.sh
}

check_format() {
    tools/sources.sh | xargs clang-format --dry-run --Werror && echo "every file is laid out by .clang-format"
}

check_cppcheck() {
    findings=build/cppcheck.txt
    cppcheck --quiet --std=c11 --language=c --enable=warning,performance,portability \
        --inline-suppr --suppressions-list=tools/cppcheck.txt --suppress=missingInclude \
        -j "$cores" -I include $(ls -d src ext apps examples 2>/dev/null) 2>"$findings"
    ran=$? # it succeeds whatever it finds
    cat "$findings"
    [ $ran = 0 ] && [ ! -s "$findings" ] && echo "cppcheck found nothing"
}

# Instructions, not times: a busy machine does not change them.
check_cost() {
    cmake --build build --target bench_cost && tools/check_cost.sh build
}

# What nothing but a proof shows: fails, and says so, where Frama-C is missing.
check_proofs() {
    tools/prove.sh build
}

# Whole programs behave as with gcc; what differs is arithmetic and warnings. The benchmarks, which nothing else compiles, are not run.
check_clang() {
    configure_and_build clang && cmake --build --preset clang --target benches bench_cost halsim_robot &&
        tools/run_tests.sh build/clang 'unit|golden|replay'
}

# One file at a time: clang-tidy 14 carries what it knows of a va_list from one file to the next.
# Its analyzer gives up a function after so many states. Those of 225,000, its own default, take 90 % of the time and are the nightly
# run's; a fifth of them takes a third of the time.
check_tidy() {
    cmake --preset clang >/dev/null &&
        tools/sources.sh src ext apps examples | grep '\.c$' | grep -v '_windows\.c$' |
        xargs -P "$cores" -n 1 clang-tidy --quiet -p build/clang --warnings-as-errors='*' --extra-arg=-Xclang \
            --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes="${TIDY_STATES:-40000}" 2>build/clang/tidy.err
}

check_asan() {
    configure_and_build asan && tools/run_tests.sh build/asan "$local_tests"
}

# What has threads, in itself or in its test; only that is built, and the programs that such tests start.
check_tsan() {
    kinds='unit|e2e'
    names='_(halsim|link|nt|robot|telemetry|view|web|world_many|board_process|drive_stop)|^test_record$'
    cmake --preset tsan >/dev/null || return 1
    ctest --test-dir build/tsan -N -L "^($kinds)\$" -R "$names" |
        sed -n 's/^ *Test *#[0-9]*: \(test_[a-z0-9_]*[a-z0-9]\)$/\1/p' | sed 's/_[0-9]*$//' | sort -u >build/tsan/wanted
    cmake --build build/tsan --target help | sed -n 's/^\(test_[a-z0-9_]*\): .*/\1/p' | sort -u >build/tsan/known
    cmake --build build/tsan --target halyard blink drive_square line_follow trajectory $(comm -12 build/tsan/wanted build/tsan/known) &&
        tools/run_tests.sh build/tsan "$kinds" "$names"
}

# Only parts that call nothing but us and the C library: memory from elsewhere looks uninitialised.
check_msan() {
    configure_and_build msan && tools/run_tests.sh build/msan "unit|golden"
}

# runs_here FLAGS: whether this processor can run what they may compile to.
runs_here() {
    case $1 in *-mfma*) grep -qsw fma /proc/cpuinfo ;; esac
}

# has_no_fused FOLDER: no multiply-add that rounds once in what computes the hashes, whether or not it was run.
has_no_fused() {
    for part in base wire board bot world match; do
        objdump -d "$1/src/$part/libhalyard_$part.a" >"$1/$part.asm" || return 1
    done
    ! grep -HE '[[:space:]](v?fn?m(add|sub)[a-z0-9]*|fml[as])[[:space:]]' "$1"/*.asm
}

# has_same_hashes COMPILER FLAGS TEST...: built so, the tests find the hashes on file.
has_same_hashes() {
    compiler=$1 flags=$2
    shift 2
    folder=build/determinism/$compiler$(echo "$flags" | tr -d ' ')
    cmake -S . -B "$folder" -G Ninja -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" >/dev/null &&
        cmake --build "$folder" --target "$@" halyard_board halyard_match &&
        has_no_fused "$folder" || return 1
    runs_here "$flags" || { echo "$folder: built and disassembled, not run: this processor has no FMA"; return 0; }
    ctest --test-dir "$folder" --output-on-failure --no-tests=error -R "^($(echo "$@" | tr ' ' '|'))\$"
}

# The hashes on file hold for each compiler, without optimisation and with all of it, also where the processor has fused multiply-adds;
# those of -O2 are tested by `make test` and the step `clang`. Recorded robot programs, which need nearly all parts built, are run
# again as the compiler changes most.
check_determinism() {
    tests='test_world_hash test_base_math test_bot_run test_recordings'
    [ "$(uname -m)" = x86_64 ] && most='-O3 -march=native -mfma' || most=-O3
    for compiler in gcc clang; do
        has_same_hashes $compiler -O0 $tests &&
            has_same_hashes $compiler "$most" $tests test_recorded_programs || return 1
    done
    echo "the same hashes from gcc and clang at each level; no fused multiply-add in their code"
}

# What `make install` puts down serves somebody else's project.
check_install() {
    prefix=$PWD/build/install/prefix
    rm -rf build/install && mkdir -p build/install
    cmake --build build >/dev/null && cmake --install build --strip --prefix "$prefix" >/dev/null &&
        tests/package/run.sh "$prefix" build/install/work &&
        "$prefix/bin/halyard" --version &&
        tools/check_hardening.sh "$prefix/bin/halyard" $(find "$prefix" -name "*.so") \
            $(find "$prefix" -name "libhalyard_*.a" | grep -Ev "_(base|wire|bot|board|world|dep_box2d)\.a$")
}

check_cross() {
    tests/mcu/run.sh
}

# The WPILib extensions as Windows has them, over WPILib's own HAL, with our virtual robot.
check_windows() {
    cmake --build build >/dev/null && tests/windows/run.sh &&
        clang-tidy --quiet -p build/windows --warnings-as-errors='*' src/*/*_windows.c 2>build/windows/tidy.err
}

# Every target for FUZZ_SECONDS, as many at a time as there are cores. New
# inputs stay in the build folder; the corpus in fuzz/corpus is what people chose to keep.
check_fuzz() {
    configure_and_build fuzz || return 1
    find build/fuzz/fuzz -maxdepth 1 -name 'fuzz_*' -type f -perm -u+x | sort >build/fuzz/targets
    [ -s build/fuzz/targets ] || { echo "there are no fuzz targets"; return 1; }
    xargs -P "$cores" -n 1 tools/run_fuzz.sh <build/fuzz/targets || return 1
    sum_of_fuzzing
}

# Of each target, what all runs in this folder have tried, and what is to be tried once (docs/searches.md).
sum_of_fuzzing() {
    sort build/fuzz-counts.txt | awk '
        { inputs[$1] += $2; seconds[$1] += $3 }
        END { for (name in inputs) printf "%-20s %12d inputs of %9d in %7d s\n", name, inputs[name],
                  name ~ /wire_decode|board/ ? 1e8 : 1e7, seconds[name] }' | sort
}

# The first calls of each kind; `make inject` tries hundreds.
check_inject() {
    cmake --build build >/dev/null && python3 -B tests/inject/run.py --most 2 --seconds 120
}

check_slow() {
    cmake --build build >/dev/null && tools/run_tests.sh build slow
}

check_interop() {
    cmake --build build && tools/run_tests.sh build interop
}

# A WPILib program drives with our extension built for each sanitizer, all at once.
check_sanitized() {
    for preset in asan tsan; do
        cmake --preset $preset >/dev/null && cmake --build --preset $preset --target halyard halsim_xrp || return 1
    done
    tools/run_tests.sh build/asan sanitized >build/asan/sanitized.txt &
    tools/run_tests.sh build/tsan sanitized
    thread=$?
    wait $!
    address=$?
    cat build/asan/sanitized.txt
    [ $thread = 0 ] && [ $address = 0 ]
}

check_page() {
    tools/page.sh test
}

# The page in Chromium, over the programs that serve it. Its pictures stay in build/artifacts.
check_browser() {
    rm -f build/artifacts/failed.txt
    cmake --build build >/dev/null && tools/page.sh node tests/browser/run.mjs build build/artifacts
}

# All ctest runs of this folder added up, in ctest's own words.
sum_of_tests() {
    cat build/ctest-*.log build/*/ctest-*.log 2>/dev/null | awk '
        / tests failed out of / { failed += $(NF - 5); all += $NF }
        END { printf "%d%% tests passed, %d tests failed out of %d\n", all ? (all - failed) * 100 / all : 0, failed, all }'
}

# From `install` on, the steps wait for clocks and sockets half of the time: linters, proofs, other compilers and the fuzzers, which
# only compute, run meanwhile, one after the other, and give way to them. Their own steps then show what they said, before the
# browser's: it draws by the processor, and a test that drives what it sees needs ten frames a second.
first_that_waits=install
beside='tidy cppcheck proofs determinism fuzz'

start_beside() {
    for one in $beside; do rm -f "build/check-$one.status"; done
    for one in $beside; do
        nice -n 19 tools/check.sh "$one" >"build/check-$one.log" 2>&1
        echo $? >"build/check-$one.status"
    done &
    besides=$!
}

wait_for_beside() {
    wait $besides
    grep -v '^$\|==== check' "build/check-$1.log"
    return "$(cat "build/check-$1.status")"
}

# computed: what all programs that this one has waited for took of processors. Not by $(...), which has programs of its own.
count_processor_seconds() {
    mkdir -p build && times >build/check-times
    computed=$(awk 'NR == 2 { gsub("[ms]", " "); print int(60 * $1 + $2 + 60 * $3 + $4) }' build/check-times)
}

run_step() {
    echo
    echo "==== check: $1"
    started=$(date +%s)
    count_processor_seconds
    computed_before=$computed
    command=check_$1
    case " $beside " in *" $1 "*) [ -z "$besides" ] || command="wait_for_beside $1" ;; esac
    if $command; then verdict=ok; else verdict=FAILED; failed="$failed $1"; fi
    count_processor_seconds
    report="$report$(printf '%-12s %-6s %4d s, of processors %4d s' "$1" "$verdict" \
        $(($(date +%s) - started)) $((computed - computed_before)))
"
    echo "==== check: $1 $verdict"
}

case ${1:-all} in
--list) echo "$steps"; exit 0 ;;
--sum) sum_of_tests; exit 0 ;;
all) set -- $steps ;;
esac

report=
failed=
besides=
for step in "$@"; do
    case "$step $*" in "$first_that_waits "*"$beside"*) start_beside ;; esac
    case " $steps " in
    *" $step "*) run_step "$step" ;;
    *) echo "check: there is no step '$step'; there are: $steps" >&2; exit 2 ;;
    esac
done
echo
printf '%s' "$report"
[ -n "$failed" ] || exit 0
echo "failed:$failed"
grep -hs ': FAILED' build/check-*.log # the fuzz target, far above in what was printed
case $failed in *browser*) cat build/artifacts/failed.txt 2>/dev/null ;; esac # why: far above, too
exit 1
