// What programs need of the operating system, behind one header: the parts above it include none of its own.
#ifndef HALYARD_SYSTEM_SYSTEM_H
#define HALYARD_SYSTEM_SYSTEM_H

#include <halyard/base.h>

#define HY_SYSTEM_ERROR_MAX 320 ///< Room for a sentence that says why something failed.

// --------------------------------------------------------------------------- files

/// Maps the bytes of the regular file at `path`, which are read as they are needed. False with a sentence that begins with the path if it
/// cannot be read. The file must not be made shorter while it is mapped. End it with hy_file_unmap().
bool hy_file_map(const char *path, hy_bytes *out, char error[HY_SYSTEM_ERROR_MAX]);

/// No bytes are harmless.
void hy_file_unmap(hy_bytes *self);

#endif
