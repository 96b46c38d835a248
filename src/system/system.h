// What programs need of the operating system, behind one header: the parts above it include none of its own.
#ifndef HALYARD_SYSTEM_SYSTEM_H
#define HALYARD_SYSTEM_SYSTEM_H

#include <halyard/base.h>

#include <stdio.h>

#define HY_SYSTEM_ERROR_MAX 320 ///< Room for a sentence that says why something failed.
#define HY_FILE_PATH_MAX    4096

// --------------------------------------------------------------------------- reading

/// Maps the bytes of the regular file at `path`, which are read as they are needed. False with a sentence that begins with the path if it
/// cannot be read. If somebody makes the file shorter meanwhile, what is missing reads as zeros, and a sentence says so on stderr: a handler
/// of SIGBUS does that, so threads that read the bytes must not block this signal. One thread maps files. End it with hy_file_unmap().
bool hy_file_map(const char *path, hy_bytes *out, char error[HY_SYSTEM_ERROR_MAX]);

/// No bytes are harmless.
void hy_file_unmap(hy_bytes *self);

// --------------------------------------------------------------------------- writing

/// What hy_file_create() may do; none of them: only make a file where nothing is.
typedef enum {
    HY_FILE_OVERWRITE = 1, ///< Replace what is there.
    HY_FILE_PIPES = 2,     ///< Write to a pipe that somebody reads.
} hy_file_permission;

/// A file that is being written. What it replaces stays whole, for whoever reads it, and keeps its name until hy_file_place().
typedef struct {
    FILE *stream; ///< NULL: it is not open.
    // Private.
    bool is_new, is_beside; // removed if it is not placed; it has another name until then
    char path[HY_FILE_PATH_MAX], beside[HY_FILE_PATH_MAX];
} hy_file_output;

/// Opens `path` for writing. With HY_FILE_OVERWRITE a regular file, or a link to one, is replaced by a new file with its permissions, never
/// written to: the new one has a name of its own in the same folder until it is placed. A device is written to as it is, as are a pipe and
/// what /dev/stdout leads to. `permissions` is a sum of hy_file_permission. False with a sentence that begins with the path.
bool hy_file_create(hy_file_output *self, const char *path, int permissions,
                    char error[HY_SYSTEM_ERROR_MAX]);

/// Gives the file its name now, before all of it is written. False with a sentence.
bool hy_file_place(hy_file_output *self, char error[HY_SYSTEM_ERROR_MAX]);

/// Closes and places it; false with a sentence if not all of it could be written. If it `is_wanted` no more, or incomplete and not placed
/// yet, it is removed. Without an open file true.
bool hy_file_close(hy_file_output *self, bool is_wanted, char error[HY_SYSTEM_ERROR_MAX]);

/// Writes a file that only this user can read, under a name that nobody can foresee between `begin` and `end`, where the user's browser can
/// read it whatever sandbox it has: in the folder for downloads, else in the home folder. False if there is none, or it cannot be written.
bool hy_file_write_private(const char *begin, const char *end, hy_bytes contents,
                           char path[HY_FILE_PATH_MAX]);

/// Whether both names, or links, lead to one regular file; or, if neither is there, whether creating one creates the other.
bool hy_file_is_same(const char *a, const char *b);

// --------------------------------------------------------------------------- ports

#define HY_PORT_OWNER_MAX 160

/// The end of a sentence about `status`, with which a port could not be opened: if another program of this user has it, and the system
/// tells which, "; process 1234 has it: halyard board xrp --view". Else "". Written into `text`, which is returned.
const char *hy_port_owner(hy_status status, unsigned port, bool is_tcp, char text[HY_PORT_OWNER_MAX]);

#endif
