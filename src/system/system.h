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

/// What a path leads to, through links.
typedef enum {
    HY_FILE_MISSING, ///< Or what cannot be looked at.
    HY_FILE_REGULAR,
    HY_FILE_FOLDER,
    HY_FILE_DEVICE, ///< Which is written to and read as it is: a terminal, /dev/null.
    HY_FILE_OTHER,  ///< A pipe, a disk.
} hy_file_kind;

/// `size` may be NULL, and is set for what is not missing.
hy_file_kind hy_file_look(const char *path, size_t *size);

/// Whether this process may read it.
bool hy_file_is_readable(const char *path);

/// Opens a regular file for reading bytes; NULL if it is none, or cannot be opened. A pipe would be waited for.
FILE *hy_file_open(const char *path);

/// The names in a folder.
typedef struct {
    size_t count;
    // Private.
    void *entries;
} hy_folder;

/// Reads all names in the folder that do not begin with a dot, in their order. False: it cannot be read, or there is no memory. End it
/// with hy_folder_close().
bool hy_folder_open(hy_folder *self, const char *path);

const char *hy_folder_name(const hy_folder *self, size_t index);
void hy_folder_close(hy_folder *self);

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

/// Writes the first of these bytes past the buffer of `stream`, and returns how many; 0 with errno.
size_t hy_file_write(hy_file_output *self, hy_bytes bytes);

/// Returns when what was written is on the disk. A pipe or a device has nothing to lose.
void hy_file_sync(hy_file_output *self);

/// Closes and places it; false with a sentence if not all of it could be written. If it `is_wanted` no more, or incomplete and not placed
/// yet, it is removed. Without an open file true.
bool hy_file_close(hy_file_output *self, bool is_wanted, char error[HY_SYSTEM_ERROR_MAX]);

/// Writes a file that only this user can read, under a name that nobody can foresee between `begin` and `end`, where the user's browser can
/// read it whatever sandbox it has: in the folder for downloads, else in the home folder. False if there is none, or it cannot be written.
bool hy_file_write_private(const char *begin, const char *end, hy_bytes contents,
                           char path[HY_FILE_PATH_MAX]);

/// Whether both names, or links, lead to one regular file; or, if neither is there, whether creating one creates the other.
bool hy_file_is_same(const char *a, const char *b);

/// When the file was changed last, in nanoseconds of the system's clock. False: it cannot be looked at.
bool hy_file_changed(const char *path, uint64_t *out_ns);

/// Whoever may read and write `other` may do so with this file.
void hy_file_share_as(hy_file_output *self, const char *other);

// --------------------------------------------------------------------------- the process

/// Occupies the standard input and outputs that are closed with what refuses reads and writes, as they do: else the next socket would get
/// their place and receive what is printed.
void hy_process_occupy_streams(void);

/// Allows so many open files and connections, or as many as the system lets it.
void hy_process_allow_handles(size_t count);

/// The operating system and the machine, in words.
void hy_system_name(char text[HY_SYSTEM_ERROR_MAX]);

// --------------------------------------------------------------------------- ports

#define HY_PORT_OWNER_MAX 160

/// The end of a sentence about `status`, with which a port could not be opened: if another program of this user has it, and the system
/// tells which, "; process 1234 has it: halyard board xrp --view". Else "". Written into `text`, which is returned.
const char *hy_port_owner(hy_status status, unsigned port, bool is_tcp, char text[HY_PORT_OWNER_MAX]);

// --------------------------------------------------------------------------- libraries and chance

typedef void hy_library_function(void);

/// Loads a dynamic library, which stays loaded; NULL: hy_library_error() says why.
void *hy_library_open(const char *name);

/// False: it has no such function.
bool hy_library_find(void *library, const char *name, hy_library_function **out);

/// Why the last one failed; "" if that is not known.
const char *hy_library_error(void);

/// The file that this code is in: the program, or a library that it loaded. False where the system does not tell.
bool hy_library_path(char path[HY_FILE_PATH_MAX]);

/// The running program's file. False where the system does not tell.
bool hy_program_path(char path[HY_FILE_PATH_MAX]);

/// At most 256 bytes that nobody can foresee. False: the system has none.
bool hy_random_bytes(void *bytes, size_t size);

#endif
