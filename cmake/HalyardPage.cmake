# The browser page, built by Vite into page/ of the build folder. Without Node the build says what is missing and
# goes on; nothing is downloaded while the fetched packages are those of page/package-lock.json.

option(HALYARD_PAGE "Build the browser page" ON)

# It is the same whatever compiler and sanitizer the rest is built with, and libFuzzer needs none.
if(NOT HALYARD_PAGE OR HALYARD_FUZZ OR HALYARD_ONLY)
    return()
endif()

execute_process(COMMAND "${CMAKE_COMMAND}" -E env "DEPS=${HALYARD_DEPS_DIR}" "${PROJECT_SOURCE_DIR}/tools/page.sh" verify
    RESULT_VARIABLE halyard_page_verdict ERROR_VARIABLE halyard_page_error)
if(NOT halyard_page_verdict EQUAL 0)
    message(FATAL_ERROR "${halyard_page_error}")
endif()

file(GLOB_RECURSE halyard_page_sources CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/page/src/*" "${PROJECT_SOURCE_DIR}/page/public/*")
list(APPEND halyard_page_sources
    "${PROJECT_SOURCE_DIR}/page/index.html" "${PROJECT_SOURCE_DIR}/page/vite.config.js"
    "${PROJECT_SOURCE_DIR}/page/package.json" "${PROJECT_SOURCE_DIR}/page/package-lock.json"
    "${PROJECT_SOURCE_DIR}/tools/page.sh")

add_custom_command(OUTPUT "${CMAKE_BINARY_DIR}/page/index.html"
    COMMAND "${CMAKE_COMMAND}" -E env "DEPS=${HALYARD_DEPS_DIR}"
        "${PROJECT_SOURCE_DIR}/tools/page.sh" build "${CMAKE_BINARY_DIR}/page" "${CMAKE_BINARY_DIR}/page-work"
    DEPENDS ${halyard_page_sources}
    COMMENT "Building the browser page"
    VERBATIM)
add_custom_target(page ALL DEPENDS "${CMAKE_BINARY_DIR}/page/index.html")

install(DIRECTORY "${CMAKE_BINARY_DIR}/page/" DESTINATION "${CMAKE_INSTALL_DATADIR}/halyard/page" OPTIONAL)
