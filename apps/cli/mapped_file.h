/// @file mapped_file.h
/// The bytes of a whole file, read as they are needed.
#ifndef HALYARD_APPS_MAPPED_FILE_H
#define HALYARD_APPS_MAPPED_FILE_H

#include <halyard/base.h>

/// Maps the file at `path`; false with a sentence from `command` if it cannot be read. The file must not be made shorter while it
/// is mapped.
bool mapped_file_open(const char *command, const char *path, hy_bytes *out);
void mapped_file_close(hy_bytes *self); ///< No bytes are harmless.

#endif
