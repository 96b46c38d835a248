# The WPILib extensions as DLLs for Windows on x86-64, by Debian's gcc-mingw-w64-x86-64:
#
#   cmake -S . -B build/windows -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/mingw.cmake -DCMAKE_BUILD_TYPE=Release \
#       "-DHALYARD_ONLY=base;wire;link;halsim" -DBUILD_TESTING=OFF
#
# The other parts and the programs are for Unix.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

# Libraries of this machine's own are none for Windows.
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)

# Windows 7 and later. Without the second, MinGW puts a printf of its own, 30 kB, into every DLL.
add_compile_definitions(_WIN32_WINNT=0x0601 __USE_MINGW_ANSI_STDIO=0)

# Nothing of the compiler's is to be installed beside a DLL, and the same sources give the same file. Windows loads it at a
# random address among all of 64 bits and executes no data in it.
set(harden "-Wl,--nxcompat -Wl,--dynamicbase -Wl,--high-entropy-va")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "-static-libgcc -Wl,--no-insert-timestamp -Wl,--gc-sections ${harden}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static-libgcc -Wl,--no-insert-timestamp ${harden}")
