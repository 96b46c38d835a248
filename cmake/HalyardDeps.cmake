# Other people's libraries. halyard_use(TARGET box2d yaml ...) links them by their short names;
# each is looked for when something first asks, so a tree asks only for what it needs.

set(HALYARD_DEPS_DIR "${CMAKE_CURRENT_SOURCE_DIR}/build/deps" CACHE PATH
    "Where tools/fetch_deps.sh put the libraries that this system does not package")
set(HALYARD_PINNED_DIR "${CMAKE_CURRENT_SOURCE_DIR}/tools/deps") # what they were when they were pinned

function(halyard_missing what how)
    message(FATAL_ERROR "${what} was not found: ${how}")
endfunction()

include(HalyardVerify)

# The library that was fetched is pinned for one platform; headers are the same on all.
macro(halyard_verify_box2d)
    set(halyard_skip "^lib")
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND NOT EXISTS "/lib/ld-musl-x86_64.so.1")
        set(halyard_skip "")
    endif()
    halyard_verify("${HALYARD_DEPS_DIR}/box2d" "${HALYARD_PINNED_DIR}/box2d.sha256" SKIP "${halyard_skip}")
endmacro()

# Box2D 3.1, the system's or the fetched one. Its wheel has lib64 on Linux and lib elsewhere.
macro(halyard_find_box2d)
    find_package(box2d 3.1...<3.2 CONFIG QUIET)
    if(NOT box2d_FOUND)
        unset(box2d_DIR CACHE)
        find_package(box2d 3.1...<3.2 CONFIG QUIET NO_DEFAULT_PATH PATHS
            "${HALYARD_DEPS_DIR}/box2d/lib64/cmake/box2d" "${HALYARD_DEPS_DIR}/box2d/lib/cmake/box2d")
    endif()
    if("${box2d_DIR}" MATCHES "^${HALYARD_DEPS_DIR}/box2d/")
        halyard_verify_box2d()
    endif()
    if(NOT TARGET box2d::box2d)
        halyard_missing("Box2D 3.1" "run 'make setup' (or tools/fetch_deps.sh), or set box2d_DIR to the folder of its box2dConfig.cmake")
    endif()
    set_target_properties(box2d::box2d PROPERTIES IMPORTED_GLOBAL TRUE) # other folders link what we link
    add_library(halyard_dep_box2d INTERFACE)
    target_link_libraries(halyard_dep_box2d INTERFACE box2d::box2d m)
endmacro()

# Makes the static library TARGET of the fetched yyjson.c, compiled once per compiler for all presets: optimised, without
# sanitizers and without symbols, because it takes longer than all of our files together. What stands behind TARGET
# are macros that leave out parts of it.
function(halyard_add_yyjson target)
    set(source "${HALYARD_DEPS_DIR}/yyjson/yyjson")
    if(NOT EXISTS "${source}/yyjson.c")
        halyard_missing("yyjson" "run 'make setup' (or tools/fetch_deps.sh)")
    endif()
    halyard_verify("${HALYARD_DEPS_DIR}/yyjson" "${HALYARD_PINNED_DIR}/yyjson.sha256")
    set(object "${CMAKE_BINARY_DIR}/${target}${CMAKE_C_OUTPUT_EXTENSION}")
    separate_arguments(flags UNIX_COMMAND "${CMAKE_C_COMPILER_ARG1} ${CMAKE_C_FLAGS} -std=c99 -fPIC")
    list(FILTER flags EXCLUDE REGEX "^-(O.*|march=.*|mfma)$") # the check of hashes has six sets of flags
    list(APPEND flags -O2)
    add_custom_command(OUTPUT "${object}"
        COMMAND sh "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../tools/compile_once.sh" "${HALYARD_DEPS_DIR}/objects"
            "${object}" "${source}/yyjson.c" "${CMAKE_C_COMPILER}" ${flags}
            ${halyard_harden} ${halyard_sections} ${ARGN}
        DEPENDS "${source}/yyjson.c" "${source}/yyjson.h"
        COMMENT "Compiling yyjson, unless this compiler already has"
        VERBATIM)
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    add_library(${target} STATIC "${object}")
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C EXCLUDE_FROM_ALL TRUE)
    target_include_directories(${target} SYSTEM PUBLIC "$<BUILD_INTERFACE:${source}>")
endfunction()

# The reader, which icd needs, with the utilities that tests use; and for comparison in a benchmark, all of it.
macro(halyard_find_yyjson)
    find_package(yyjson CONFIG QUIET)
    if(TARGET yyjson::yyjson)
        set_target_properties(yyjson::yyjson PROPERTIES IMPORTED_GLOBAL TRUE)
        foreach(halyard_name IN ITEMS yyjson yyjson_whole)
            add_library(halyard_dep_${halyard_name} INTERFACE)
            target_link_libraries(halyard_dep_${halyard_name} INTERFACE yyjson::yyjson)
        endforeach()
    else()
        halyard_add_yyjson(halyard_dep_yyjson -DYYJSON_DISABLE_WRITER=1)
        halyard_add_yyjson(halyard_dep_yyjson_whole)
    endif()
endmacro()

macro(halyard_find_by_pkg_config name module package)
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
        pkg_check_modules(HALYARD_${name} QUIET IMPORTED_TARGET GLOBAL ${module})
    endif()
    if(NOT TARGET PkgConfig::HALYARD_${name})
        halyard_missing("${module}" "run 'make setup', or install ${package} (and pkg-config)")
    endif()
    add_library(halyard_dep_${name} INTERFACE)
    target_link_libraries(halyard_dep_${name} INTERFACE PkgConfig::HALYARD_${name})
endmacro()

function(halyard_use target)
    foreach(name IN LISTS ARGN)
        if(name STREQUAL "threads")
            set(THREADS_PREFER_PTHREAD_FLAG ON)
            find_package(Threads REQUIRED)
            target_link_libraries(${target} PRIVATE Threads::Threads)
            continue()
        elseif(name MATCHES "^(m|dl|ws2_32|mswsock)$") # the system's
            target_link_libraries(${target} PRIVATE ${name})
            continue()
        endif()
        if(NOT TARGET halyard_dep_${name})
            if(name STREQUAL "box2d")
                halyard_find_box2d()
            elseif(name MATCHES "^yyjson(_whole)?$")
                halyard_find_yyjson()
            elseif(name STREQUAL "yaml")
                halyard_find_by_pkg_config(yaml yaml-0.1 libyaml-dev)
            elseif(name STREQUAL "png")
                halyard_find_by_pkg_config(png libpng libpng-dev)
            elseif(name STREQUAL "sdl2")
                halyard_find_by_pkg_config(sdl2 sdl2 libsdl2-dev)
            elseif(name STREQUAL "pcap")
                halyard_find_by_pkg_config(pcap libpcap libpcap-dev)
            elseif(name STREQUAL "cmocka")
                halyard_find_by_pkg_config(cmocka cmocka libcmocka-dev)
            elseif(name STREQUAL "cminpack")
                halyard_find_by_pkg_config(cminpack cminpack libcminpack-dev)
            else()
                message(FATAL_ERROR "halyard_use: no library is called '${name}'; cmake/HalyardDeps.cmake names them")
            endif()
        endif()
        target_link_libraries(${target} PRIVATE halyard_dep_${name})
    endforeach()
endfunction()
