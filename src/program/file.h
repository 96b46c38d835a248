/// @file file.h
/// Private: the bytes of a recording.
#ifndef PROGRAM_FILE_H
#define PROGRAM_FILE_H

#include <halyard/base.h>

#define PROGRAM_FILE_ERROR_MAX 300

/// Maps the file at `path`; false, and a sentence in `error`: it cannot be read, or has no bytes.
bool program_file_map(const char *path, hy_bytes *out, char error[PROGRAM_FILE_ERROR_MAX]);

void program_file_unmap(hy_bytes file); ///< No bytes are harmless.

#endif
