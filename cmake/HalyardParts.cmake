# What the folders say about themselves. Each function is one line in the folder's CMakeLists.txt.

set(HALYARD_ONLY "" CACHE STRING
    "Build just these parts, given in the order of their levels, and what links nothing else")

set(HALYARD_ROOT "${CMAKE_CURRENT_SOURCE_DIR}")

# Adds a folder if it is there.
function(halyard_add_folder folder)
    if(EXISTS "${HALYARD_ROOT}/${folder}/CMakeLists.txt")
        add_subdirectory("${HALYARD_ROOT}/${folder}" "${CMAKE_BINARY_DIR}/${folder}")
    endif()
endfunction()

# Sets `result` to the first of the parts that is not there; that is an error unless only some
# parts were asked for.
function(halyard_lacks result target)
    set(${result} "" PARENT_SCOPE)
    foreach(part IN LISTS ARGN)
        if(TARGET halyard_${part})
            continue()
        endif()
        if(NOT HALYARD_ONLY)
            message(FATAL_ERROR "${target} asks for the part '${part}', but no src/${part}/CMakeLists.txt comes before it")
        endif()
        message(STATUS "${target} is left out: it needs the part '${part}'")
        set(${result} ${part} PARENT_SCOPE)
        return()
    endforeach()
endfunction()

# Links parts by their short names into a target that one of the functions below did not make.
function(halyard_link target)
    halyard_lacks(missing ${target} ${ARGN})
    if(missing)
        set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL TRUE)
        return()
    endif()
    list(TRANSFORM ARGN PREPEND halyard_)
    target_link_libraries(${target} PUBLIC ${ARGN})
endfunction()

# halyard_part(NAME wire [SOURCES a.c b.c] [DEPENDS base] [LIBRARIES yaml png] [FREESTANDING] [PURE])
# The static library halyard_<name>, also called halyard::<name>, of every .c file of the folder and of
# its folders unless SOURCES names them. A PURE part only computes: HalyardBuild hardens it less. What it depends
# on is passed on to whoever links it.
function(halyard_part)
    cmake_parse_arguments(PARSE_ARGV 0 arg "FREESTANDING;PURE" "NAME" "SOURCES;DEPENDS;LIBRARIES")
    set(target halyard_${arg_NAME})
    if(NOT arg_SOURCES)
        file(GLOB arg_SOURCES CONFIGURE_DEPENDS *.c */*.c)
    endif()
    halyard_lacks(missing ${target} ${arg_DEPENDS})
    if(missing)
        return()
    endif()
    add_library(${target} STATIC ${arg_SOURCES})
    add_library(halyard::${arg_NAME} ALIAS ${target})
    # A quoted include looks beside the file, then from the part's folder on, then among what parts show to other parts ("sim/sim_scene.h").
    # A path for all includes would let a png.h of ours hide the system's.
    target_compile_options(${target} PRIVATE "SHELL:-iquote ${CMAKE_CURRENT_SOURCE_DIR}" "SHELL:-iquote ${HALYARD_ROOT}/src")
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${HALYARD_ROOT}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    # Hidden unless a public header declares it: the same objects become the shared library.
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${arg_NAME} C_VISIBILITY_PRESET hidden)
    set_property(GLOBAL APPEND PROPERTY HALYARD_PART_LIBRARIES ${arg_LIBRARIES})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:halyard_flags>)
    foreach(part IN LISTS arg_DEPENDS)
        target_link_libraries(${target} PUBLIC halyard_${part})
    endforeach()
    halyard_use(${target} ${arg_LIBRARIES})
    if(arg_FREESTANDING)
        # Without -fbuiltin a memcpy of four bytes becomes a call.
        target_compile_options(${target} PRIVATE -ffreestanding -fbuiltin)
        set_target_properties(${target} PROPERTIES HALYARD_PURE freestanding)
    endif()
    if(arg_PURE)
        set_target_properties(${target} PROPERTIES HALYARD_PURE computes)
    endif()
    set_property(GLOBAL APPEND PROPERTY HALYARD_PARTS_MADE ${target})
    halyard_note_installable(${arg_NAME} DEPENDS ${arg_DEPENDS} LIBRARIES ${arg_LIBRARIES})
endfunction()

# Compiles files of this folder, for which vectors are in the source, for the processors that have vectors of that width: halyard_vectors(2
# FILES), 4 (AVX2) or 8 (AVX-512). What gcc 12 makes of straight lines besides is a multiply-add that rounds once, whatever
# -ffp-contract says. Nobody reads errno behind a square root. Wide ones are not for Windows: there gcc does not align the stack for them.
function(halyard_vectors width)
    set(options -fno-math-errno -fno-tree-vectorize -fno-tree-slp-vectorize)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64|i[3-6]86)$" AND NOT WIN32)
        if(width EQUAL 4)
            list(APPEND options -mavx2)
        elseif(width EQUAL 8)
            list(APPEND options -mavx512f -mavx512dq -mavx512vl)
        endif()
    endif()
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${options}")
endfunction()

# What other projects link once it is installed: the part, and by the names of HalyardDeps what it and all below it need beyond
# the system.
function(halyard_note_installable name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;LIBRARIES")
    list(REMOVE_ITEM arg_LIBRARIES m dl threads ws2_32 mswsock)
    foreach(part IN LISTS arg_DEPENDS)
        get_property(needs GLOBAL PROPERTY HALYARD_NEEDS_${part})
        list(APPEND arg_LIBRARIES ${needs})
    endforeach()
    list(REMOVE_DUPLICATES arg_LIBRARIES)
    set_property(GLOBAL PROPERTY HALYARD_NEEDS_${name} ${arg_LIBRARIES})
    set_property(GLOBAL APPEND PROPERTY HALYARD_INSTALLABLE ${name})
endfunction()

# What programs have in common. FOLDER is where the build puts them. False in halyard_made: a part
# that it links is left out of this build.
function(halyard_executable target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER" "SOURCES;LINK;LIBRARIES")
    halyard_lacks(missing ${target} ${arg_LINK})
    if(missing)
        set(halyard_made FALSE PARENT_SCOPE)
        return()
    endif()
    add_executable(${target} ${arg_SOURCES})
    target_include_directories(${target} PRIVATE "${HALYARD_ROOT}/include")
    target_compile_options(${target} PRIVATE "SHELL:-iquote ${HALYARD_ROOT}/src")
    target_link_libraries(${target} PRIVATE halyard_flags)
    foreach(part IN LISTS arg_LINK)
        target_link_libraries(${target} PRIVATE halyard_${part})
    endforeach()
    halyard_use(${target} ${arg_LIBRARIES})
    if(arg_FOLDER)
        set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${arg_FOLDER}")
    endif()
    set(halyard_made TRUE PARENT_SCOPE)
endfunction()

# halyard_app(NAME halyard SOURCES main.c board.c ... LINK board world link [LIBRARIES pcap])
# The program lies at the top of the build folder, where people look for it.
function(halyard_app)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;LINK;LIBRARIES")
    halyard_executable(${arg_NAME} SOURCES ${arg_SOURCES} LINK ${arg_LINK} LIBRARIES ${arg_LIBRARIES}
        FOLDER "${CMAKE_BINARY_DIR}")
    if(halyard_made)
        if(halyard_sections)
            target_link_options(${arg_NAME} PRIVATE LINKER:--gc-sections)
        endif()
        install(TARGETS ${arg_NAME} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    endif()
endfunction()

# halyard_bench(NAME bench_wire LINK wire [SOURCES ...] [LIBRARIES ...]): run by `make bench`, made by the target `benches` alone.
add_custom_target(benches)
function(halyard_bench)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;LINK;LIBRARIES")
    halyard_executable(${arg_NAME} SOURCES ${arg_NAME}.c ${arg_SOURCES} LINK ${arg_LINK} LIBRARIES ${arg_LIBRARIES}
        FOLDER "${CMAKE_BINARY_DIR}/bench")
    if(halyard_made)
        set_target_properties(${arg_NAME} PROPERTIES EXCLUDE_FROM_ALL TRUE)
        add_dependencies(benches ${arg_NAME})
    endif()
endfunction()

# halyard_example(NAME drive_square LINK robot)
function(halyard_example)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;LINK;LIBRARIES")
    halyard_executable(example_${arg_NAME} SOURCES ${arg_NAME}.c ${arg_SOURCES} LINK ${arg_LINK}
        LIBRARIES ${arg_LIBRARIES} FOLDER "${CMAKE_BINARY_DIR}/examples")
    if(halyard_made)
        set_target_properties(example_${arg_NAME} PROPERTIES OUTPUT_NAME ${arg_NAME})
    endif()
endfunction()

# The seconds after which a test hangs, also on a machine with ten times the work; four times that under a sanitizer.
set(HALYARD_TIMEOUT_unit 300)
set(HALYARD_TIMEOUT_golden 300)
set(HALYARD_TIMEOUT_replay 300)
set(HALYARD_TIMEOUT_e2e 300)
set(HALYARD_TIMEOUT_interop 600)
set(HALYARD_TIMEOUT_slow 600)

# In which order ctest begins tests: those first that take longest beside others, so that none of them ends a run alone. A second of a
# processor counts one and a half times, for a test shares processors with others; more would have what computes begin beside what waits
# for robots. Tests that tests/costs.txt does not have come last.
set(HALYARD_TEST_COSTS "${HALYARD_ROOT}/tests/costs.txt")
set_property(DIRECTORY "${HALYARD_ROOT}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${HALYARD_TEST_COSTS}")
file(STRINGS "${HALYARD_TEST_COSTS}" halyard_costs REGEX "^(test|interop)_")
foreach(line IN LISTS halyard_costs)
    if(NOT line MATCHES "^([a-z0-9_]+) ([0-9]+)\\.([0-9]) ([0-9]+)\\.([0-9])$")
        message(FATAL_ERROR "${HALYARD_TEST_COSTS}: '${line}' is not a name and two numbers with one decimal each")
    endif()
    if(HALYARD_SANITIZE)
        set(CMAKE_MATCH_5 "${CMAKE_MATCH_5}0") # what computes takes ten times as long
    endif()
    math(EXPR cost "2 * ${CMAKE_MATCH_2}${CMAKE_MATCH_3} + ${CMAKE_MATCH_4}${CMAKE_MATCH_5}") # twentieths of a second
    set(HALYARD_COST_${CMAKE_MATCH_1} ${cost})
endforeach()

# Parts with sockets or a clock of their own. A unit test that links none of them and has no threads gives the same verdict on the busiest
# machine, and so does what compares bytes and hashes on file. Their second label `exact` says so: tools/run_tests.py does not run them
# again when they fail, nor those that say EXACT.
set(HALYARD_PARTS_WITH_CLOCK link input web nt robot core view program halsim)

function(halyard_label_if_exact name wanted)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LINK;LIBRARIES")
    foreach(part IN LISTS arg_LINK arg_LIBRARIES)
        if(part IN_LIST HALYARD_PARTS_WITH_CLOCK OR part STREQUAL "threads")
            set(is_timed TRUE)
        endif()
    endforeach()
    get_property(kind TEST ${name} PROPERTY LABELS)
    if(wanted OR kind MATCHES "^(golden|replay)$" OR (kind STREQUAL "unit" AND NOT is_timed))
        set_property(TEST ${name} APPEND PROPERTY LABELS exact)
        if(TEST ${name}_long)
            set_property(TEST ${name}_long APPEND PROPERTY LABELS exact)
        endif()
    endif()
endfunction()

# The kind of a test is the folder it lies in: it is the test's ctest label. Robot programs do not serve NetworkTables in tests
# unless they are asked: all would want port 5810.
function(halyard_register_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL" "TIMEOUT" "COMMAND")
    get_filename_component(kind "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT ${HALYARD_TIMEOUT_${kind}})
    endif()
    if(HALYARD_SANITIZE)
        math(EXPR arg_TIMEOUT "4 * ${arg_TIMEOUT}")
    endif()
    add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    set_tests_properties(${name} PROPERTIES
        LABELS ${kind} TIMEOUT ${arg_TIMEOUT} RUN_SERIAL ${arg_SERIAL} SKIP_RETURN_CODE 77
        ENVIRONMENT "HALYARD_BINARY=${CMAKE_BINARY_DIR}/halyard;HALYARD_TEST_DATA=${HALYARD_ROOT}/tests;HALYARD_BUILD_DIR=${CMAKE_BINARY_DIR};HALYARD_NT=off;HALYARD_SANITIZE=${HALYARD_SANITIZE}")
    if(DEFINED HALYARD_COST_${name})
        set_tests_properties(${name} PROPERTIES COST ${HALYARD_COST_${name}})
    endif()
endfunction()

# The same test once more as <NAME>_long of the kind slow, with HY_LONG=1 in its environment: the search of which it does a sample.
function(halyard_register_long_run name)
    halyard_register_test(${name}_long ${ARGN} TIMEOUT ${HALYARD_TIMEOUT_slow})
    set_property(TEST ${name}_long PROPERTY LABELS slow)
    set_property(TEST ${name}_long APPEND PROPERTY ENVIRONMENT "HY_LONG=1")
endfunction()

# halyard_test(NAME test_wire_codec LINK wire base [SOURCES more.c] [LIBRARIES pcap] [TIMEOUT 60] [PARTS 3] [SERIAL] [LONG] [EXACT])
# <NAME>.c becomes one cmocka program and one test. SERIAL: nothing else may run beside it. PARTS 3: three tests,
# <NAME>_1 to <NAME>_3, each of which runs a third of the program's, beside each other. LONG: it has a long run. EXACT: it compares
# hashes of what it computes, although it has threads or links a part with a clock. Not for PARTS.
function(halyard_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "SERIAL;LONG;EXACT" "NAME;TIMEOUT;PARTS" "SOURCES;LINK;LIBRARIES")
    halyard_executable(${arg_NAME} SOURCES ${arg_NAME}.c ${arg_SOURCES} LINK ${arg_LINK}
        LIBRARIES cmocka ${arg_LIBRARIES})
    if(NOT halyard_made)
        return()
    endif()
    target_link_libraries(${arg_NAME} PRIVATE halyard_test_support)
    target_compile_options(${arg_NAME} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
    target_compile_definitions(${arg_NAME} PRIVATE
        "HALYARD_BINARY=\"${CMAKE_BINARY_DIR}/halyard\"" "HALYARD_TEST_DATA=\"${HALYARD_ROOT}/tests\"")
    set(serial)
    if(arg_SERIAL)
        set(serial SERIAL)
    endif()
    if(arg_LONG)
        halyard_register_long_run(${arg_NAME} COMMAND ${arg_NAME})
    endif()
    if(NOT arg_PARTS)
        halyard_register_test(${arg_NAME} COMMAND ${arg_NAME} TIMEOUT ${arg_TIMEOUT} ${serial})
        halyard_label_if_exact(${arg_NAME} "${arg_EXACT}" LINK ${arg_LINK} LIBRARIES ${arg_LIBRARIES})
        return()
    endif()
    foreach(part RANGE 1 ${arg_PARTS})
        halyard_register_test(${arg_NAME}_${part} COMMAND ${arg_NAME} TIMEOUT ${arg_TIMEOUT} ${serial})
        set_property(TEST ${arg_NAME}_${part} APPEND PROPERTY ENVIRONMENT "HALYARD_TEST_PART=${part}/${arg_PARTS}")
    endforeach()
endfunction()

# halyard_script_test(NAME interop_run_xrp COMMAND python3 x.py [TIMEOUT 300] [SERIAL] [LONG])
# A test that is not C. It finds HALYARD_BINARY, HALYARD_TEST_DATA, HALYARD_BUILD_DIR and
# HALYARD_SANITIZE (which sanitizers it was built with) in its environment and says "skipped" by exit status 77.
function(halyard_script_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "LONG" "NAME" "")
    halyard_register_test(${arg_NAME} ${arg_UNPARSED_ARGUMENTS})
    if(arg_LONG)
        halyard_register_long_run(${arg_NAME} ${arg_UNPARSED_ARGUMENTS})
    endif()
endfunction()

# libhalyard.so: all parts in one file that exports what the public headers declare, and nothing else. Other people's static
# libraries (Box2D, yyjson) are inside and hidden.
function(halyard_add_shared_library)
    if(HALYARD_ONLY OR WIN32)
        return()
    endif()
    get_property(parts GLOBAL PROPERTY HALYARD_PARTS_MADE)
    add_library(halyard_shared SHARED)
    add_library(halyard::halyard ALIAS halyard_shared)
    set_target_properties(halyard_shared PROPERTIES EXPORT_NAME halyard OUTPUT_NAME halyard LINKER_LANGUAGE C
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
        LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
    foreach(part IN LISTS parts)
        target_sources(halyard_shared PRIVATE $<TARGET_OBJECTS:${part}>)
    endforeach()
    get_property(libraries GLOBAL PROPERTY HALYARD_PART_LIBRARIES)
    list(REMOVE_DUPLICATES libraries)
    halyard_use(halyard_shared ${libraries})
    target_include_directories(halyard_shared INTERFACE
        $<BUILD_INTERFACE:${HALYARD_ROOT}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    if(APPLE)
        target_link_options(halyard_shared PRIVATE "LINKER:-exported_symbol,_hy_*")
    else()
        # Bsymbolic-functions: calls within the library stay there, whatever a program calls its own functions.
        set(exports "${HALYARD_ROOT}/cmake/exports.map")
        target_link_options(halyard_shared PRIVATE "LINKER:--version-script=${exports}" LINKER:-Bsymbolic-functions
            LINKER:--as-needed)
        set_target_properties(halyard_shared PROPERTIES LINK_DEPENDS "${exports}")
        if(NOT HALYARD_SANITIZE) # a sanitizer's functions are in the program
            target_link_options(halyard_shared PRIVATE LINKER:--no-undefined)
        endif()
    endif()
endfunction()

# Every build checks who includes whom, and that no files use each other in a circle.
function(halyard_add_layer_check)
    add_custom_target(check_layers ALL COMMAND sh "${HALYARD_ROOT}/tools/check_layers.sh" "${HALYARD_ROOT}"
        COMMENT "Checking that every part includes only what its level allows")
    if(NOT CMAKE_NM)
        return()
    endif()
    get_property(targets GLOBAL PROPERTY HALYARD_PARTS_MADE)
    if(TARGET halyard)
        list(APPEND targets halyard)
    endif()
    set(objects)
    foreach(target IN LISTS targets)
        string(APPEND objects "$<JOIN:$<TARGET_OBJECTS:${target}>,\n>\n")
    endforeach()
    file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/objects.txt" CONTENT "${objects}")
    add_custom_target(check_circles ALL
        COMMAND sh "${HALYARD_ROOT}/tools/check_circles.sh" "${HALYARD_ROOT}" "${CMAKE_NM}" <objects.txt
        WORKING_DIRECTORY "${CMAKE_BINARY_DIR}" COMMENT "Checking that no files use each other in a circle")
    add_dependencies(check_circles ${targets})
endfunction()

