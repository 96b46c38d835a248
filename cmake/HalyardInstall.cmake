# What `make install` puts down for other projects: the headers, the shared library, every part as a static library, and the
# files by which find_package(halyard) and pkg-config find them.
include(CMakePackageConfigHelpers)

# The static libraries of others that were fetched and that no consumer can find are installed beside ours: `fetched` gets the
# targets. `HALYARD_*` are for halyardConfig.cmake.in and the .pc files.
macro(halyard_install_dependencies fetched)
    set(HALYARD_PC_REQUIRES "")
    set(HALYARD_PC_DEPENDENCIES "")
    foreach(name module IN ZIP_LISTS halyard_pkg_config_names halyard_pkg_config_modules)
        if(TARGET halyard_dep_${name})
            list(APPEND ${fetched} halyard_dep_${name})
            string(APPEND HALYARD_PC_REQUIRES " ${module}")
        endif()
    endforeach()
    if(TARGET halyard_dep_yyjson)
        list(APPEND ${fetched} halyard_dep_yyjson)
        if(TARGET yyjson::yyjson)
            string(APPEND HALYARD_PC_DEPENDENCIES " -lyyjson")
        else()
            string(APPEND HALYARD_PC_DEPENDENCIES " -lhalyard_dep_yyjson")
        endif()
    endif()
    set(HALYARD_OWN_BOX2D OFF)
    if(TARGET halyard_dep_box2d)
        list(APPEND ${fetched} halyard_dep_box2d)
        get_target_property(engine box2d::box2d LOCATION)
        cmake_path(IS_PREFIX HALYARD_DEPS_DIR "${engine}" HALYARD_OWN_BOX2D)
        if(HALYARD_OWN_BOX2D)
            install(FILES "${engine}" DESTINATION ${CMAKE_INSTALL_LIBDIR} RENAME libhalyard_dep_box2d.a)
            set(engine -lhalyard_dep_box2d)
        endif()
        string(APPEND HALYARD_PC_DEPENDENCIES " ${engine}")
    endif()
endmacro()

set(halyard_pkg_config_names yaml png)
set(halyard_pkg_config_modules yaml-0.1 libpng)

# After `make install` another project says find_package(halyard) and links halyard::halyard, the shared library, or
# static parts: halyard::wire.
function(halyard_install_package)
    get_property(parts GLOBAL PROPERTY HALYARD_INSTALLABLE)
    if(NOT parts)
        return()
    endif()
    set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/halyard)
    list(TRANSFORM parts PREPEND halyard_ OUTPUT_VARIABLE targets)
    halyard_install_dependencies(targets)
    if(TARGET halyard_shared)
        list(APPEND targets halyard_shared)
    endif()
    install(TARGETS ${targets} EXPORT halyard
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT halyard NAMESPACE halyard:: DESTINATION ${folder})
    set(HALYARD_PART_NEEDS "")
    foreach(part IN LISTS parts)
        # A part with much to say has several headers: bot.h, and bot_control.h for those who want only that.
        file(GLOB headers "${HALYARD_ROOT}/include/halyard/${part}.h" "${HALYARD_ROOT}/include/halyard/${part}_*.h")
        # These have names of their own.
        set(others_program simple halyard)
        set(others_input controls)
        set(others_record replay)
        foreach(other IN LISTS others_${part})
            list(APPEND headers "${HALYARD_ROOT}/include/halyard/${other}.h")
        endforeach()
        install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/halyard)
        get_property(needs GLOBAL PROPERTY HALYARD_NEEDS_${part})
        list(JOIN needs " " needs)
        string(APPEND HALYARD_PART_NEEDS "set(halyard_needs_${part} ${needs})\n")
    endforeach()
    configure_package_config_file("${HALYARD_ROOT}/cmake/halyardConfig.cmake.in"
        "${CMAKE_BINARY_DIR}/halyardConfig.cmake" INSTALL_DESTINATION ${folder}
        PATH_VARS CMAKE_INSTALL_LIBDIR)
    write_basic_package_version_file("${CMAKE_BINARY_DIR}/halyardConfigVersion.cmake"
        COMPATIBILITY SameMinorVersion)
    install(FILES "${CMAKE_BINARY_DIR}/halyardConfig.cmake" "${CMAKE_BINARY_DIR}/halyardConfigVersion.cmake"
        DESTINATION ${folder})
    halyard_write_pkg_config(${parts})
    if(EXISTS "${HALYARD_ROOT}/worlds")
        install(DIRECTORY "${HALYARD_ROOT}/worlds" DESTINATION ${CMAKE_INSTALL_DATADIR}/halyard)
    endif()
endfunction()

# `cc my_robot.c $(pkg-config --cflags --libs halyard)` links the shared library, halyard-static the parts. One more halyard.pc
# lies in the build folder (pkgconfig/), with which `make my_robot` builds a program of yours.
function(halyard_write_pkg_config)
    set(description "Libs: -L\${libdir} -lhalyard")
    if(NOT CMAKE_INSTALL_PREFIX MATCHES "^/usr/?$") # elsewhere the system's linker may not look
        string(APPEND description " -Wl,-rpath,\${libdir}")
    endif()
    set(HALYARD_PC_DESCRIPTION "${description}")
    set(HALYARD_PC_LIBDIR "${CMAKE_BINARY_DIR}/lib")
    set(HALYARD_PC_INCLUDE "${HALYARD_ROOT}/include")
    configure_file("${HALYARD_ROOT}/cmake/halyard.pc.in" "${CMAKE_BINARY_DIR}/pkgconfig/halyard.pc" @ONLY)

    set(HALYARD_PC_LIBDIR "\${pcfiledir}/..")
    file(RELATIVE_PATH to_include "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/${CMAKE_INSTALL_INCLUDEDIR}")
    set(HALYARD_PC_INCLUDE "\${pcfiledir}/${to_include}")
    configure_file("${HALYARD_ROOT}/cmake/halyard.pc.in" "${CMAKE_BINARY_DIR}/installed/halyard.pc" @ONLY)

    list(REMOVE_ITEM ARGN halsim) # for WPILib's extensions
    list(REVERSE ARGN) # a static library comes before what it needs
    list(TRANSFORM ARGN REPLACE "(.+)" "-lhalyard_\\1" OUTPUT_VARIABLE libraries)
    list(JOIN libraries " " libraries)
    set(HALYARD_PC_DESCRIPTION
        "Requires:${HALYARD_PC_REQUIRES}\nLibs: -L\${libdir} ${libraries}${HALYARD_PC_DEPENDENCIES} -lm -pthread")
    configure_file("${HALYARD_ROOT}/cmake/halyard.pc.in" "${CMAKE_BINARY_DIR}/installed/halyard-static.pc" @ONLY)
    install(FILES "${CMAKE_BINARY_DIR}/installed/halyard.pc" "${CMAKE_BINARY_DIR}/installed/halyard-static.pc"
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
