#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// NULL, or why the open file cannot be used.
static const char *map_open_file(int file, hy_bytes *out)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        return strerror(errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return "not a regular file";
    }
    if (status.st_size == 0) {
        return "the file is empty";
    }
    void *const bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) {
        return strerror(errno);
    }
    *out = (hy_bytes){ bytes, (size_t)status.st_size };
    return NULL;
}

bool program_file_map(const char *path, hy_bytes *out, char error[PROGRAM_FILE_ERROR_MAX])
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // it may be a pipe
    *out = (hy_bytes){ NULL, 0 };
    const char *const why = file < 0 ? strerror(errno) : map_open_file(file, out);
    if (why != NULL) {
        (void)snprintf(error, PROGRAM_FILE_ERROR_MAX, "%.200s: %s%s", path,
                       file < 0 ? "cannot be opened: " : "", why);
    }
    if (file >= 0) {
        (void)close(file);
    }
    return why == NULL;
}

void program_file_unmap(hy_bytes file)
{
    void *bytes;
    memcpy(&bytes, &file.data, sizeof bytes); // munmap() wants it without const
    if (file.size > 0) {
        (void)munmap(bytes, file.size);
    }
}
