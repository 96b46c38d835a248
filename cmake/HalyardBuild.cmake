# How every file of ours is compiled.

option(HALYARD_WERROR "Warnings stop the build" ${PROJECT_IS_TOP_LEVEL})
set(HALYARD_SANITIZE "" CACHE STRING "Sanitizers for everything, for example address,undefined or thread")

option(BUILD_TESTING "Build the tests" ON)
option(HALYARD_FUZZ "Build the libFuzzer targets, and everything for them (clang)" OFF)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # the WPILib extensions are shared libraries made of these parts
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)   # clang-tidy and editors

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()
# Asserts stay in what developers and testers run; only Release drops them.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g" CACHE STRING "Optimised, with asserts and symbols" FORCE)

# One target carries the flags, so that other people's sources (yyjson) are spared them.
add_library(halyard_flags INTERFACE)
target_compile_options(halyard_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef
    $<$<BOOL:${HALYARD_WERROR}>:-Werror>
    # A fused multiply-add rounds once where two operations round twice: other bits. gcc's SLP vectorizer makes them
    # (vfmaddsub) whatever -ffp-contract says, on a processor that has them.
    -ffp-contract=off $<$<C_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>)
# What computes is compiled with -O3: 5 to 8 % fewer instructions in a step of a world with its board, 20 % in encoding a packet
# (callgrind). The rest would only get larger.
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo" AND NOT HALYARD_SANITIZE AND NOT HALYARD_FUZZ)
    target_compile_options(halyard_flags INTERFACE "$<$<BOOL:$<TARGET_PROPERTY:HALYARD_PURE>>:-O3>")
endif()
# A section a function, so that whoever links a part can leave out what nothing calls: 4 % of the program.
include(CheckLinkerFlag)
set(halyard_sections "")
check_linker_flag(C LINKER:--gc-sections HALYARD_HAS_GC_SECTIONS)
if(HALYARD_HAS_GC_SECTIONS)
    set(halyard_sections -ffunction-sections -fdata-sections)
    if(NOT HALYARD_SANITIZE AND NOT HALYARD_FUZZ)
        target_compile_options(halyard_flags INTERFACE ${halyard_sections})
    endif()
endif()
# The programs and `link` need POSIX under -std=c11; a freestanding part includes nothing that reads this.
# macOS hides more than POSIX (EHOSTDOWN, what libpcap needs) behind a name of its own.
target_compile_definitions(halyard_flags INTERFACE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE _DARWIN_C_SOURCE)

if(HALYARD_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "HALYARD_FUZZ needs clang: configure with -DCMAKE_C_COMPILER=clang")
    endif()
    set(HALYARD_SANITIZE "address,undefined")
    add_compile_options(-fsanitize=fuzzer-no-link)
    # Without them a target finds less by itself and tries more than twice as much: for long runs from a corpus that is rich already.
    option(HALYARD_FUZZ_CMP "Comparisons guide the fuzzer" ON)
    if(NOT HALYARD_FUZZ_CMP)
        add_compile_options(-fno-sanitize-coverage=trace-cmp)
    endif()
endif()
if(HALYARD_SANITIZE)
    # For everything in the tree, yyjson included: a sanitizer sees only what it compiled.
    add_compile_options(-fsanitize=${HALYARD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    # A report needs lines and no variables, and gcc's -O1 makes tests no slower than -O2: 43 % less processor time in an asan build.
    add_compile_options($<$<CONFIG:RelWithDebInfo>:-g1> $<$<AND:$<CONFIG:RelWithDebInfo>,$<C_COMPILER_ID:GNU>>:-O1>)
    add_link_options(-fsanitize=${HALYARD_SANITIZE})
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND HALYARD_SANITIZE MATCHES "undefined")
        add_link_options(-static-libubsan) # the shared one takes no log_path, which tools/run_tests.py sets
    endif()
endif()

# Hardening, each flag where compiler and target have it: for optimised builds without sanitizers, which have checks of
# their own. All parts have stack probes, which cost 0.3 % at most. FREESTANDING parts have no more than that, for a
# microcontroller has no __stack_chk_fail. PURE parts only compute, and call nothing with a length from outside: they have
# _FORTIFY_SOURCE=2, which costs nothing, instead of 3, whose sizes at run time cost 50 % in a lidar scan; and neither a stack
# protector nor control-flow protection, each of which costs 2 to 4 % in a board's step and in a small world's (callgrind).
option(HALYARD_HARDEN "Stack protector, fortified C library calls, read-only relocations" ON)
include(CheckCCompilerFlag)
set(halyard_harden "")
if(HALYARD_HARDEN AND NOT WIN32) # MinGW's stack protector needs a library beside the DLL
    set(CMAKE_REQUIRED_FLAGS -Werror) # clang only warns of what the target does not have
    foreach(flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -fcf-protection)
        string(MAKE_C_IDENTIFIER "HALYARD_HAS${flag}" has)
        check_c_compiler_flag(${flag} ${has})
        if(${has})
            list(APPEND halyard_harden ${flag})
        endif()
    endforeach()
    unset(CMAKE_REQUIRED_FLAGS)
    list(APPEND halyard_harden -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
endif()
if(halyard_harden AND NOT HALYARD_SANITIZE AND CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
    foreach(flag IN LISTS halyard_harden)
        if(flag STREQUAL "-fstack-clash-protection")
            target_compile_options(halyard_flags INTERFACE ${flag})
        else()
            target_compile_options(halyard_flags INTERFACE "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:HALYARD_PURE>>>:${flag}>")
        endif()
    endforeach()
    target_compile_options(halyard_flags INTERFACE
        "$<$<STREQUAL:$<TARGET_PROPERTY:HALYARD_PURE>,computes>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
    foreach(name IN ITEMS relro now)
        check_linker_flag(C "LINKER:-z,${name}" HALYARD_HAS_Z_${name})
        if(HALYARD_HAS_Z_${name})
            add_link_options("LINKER:-z,${name}")
        endif()
    endforeach()
endif()
