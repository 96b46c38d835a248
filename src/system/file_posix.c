#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// NULL, or why the open file cannot be mapped.
static const char *map(int file, hy_bytes *out)
{
    struct stat facts;
    if (fstat(file, &facts) != 0) {
        return strerror(errno);
    }
    if (!S_ISREG(facts.st_mode) || facts.st_size < 0 || (uintmax_t)facts.st_size > SIZE_MAX) {
        return "it is no file that can be read as a whole";
    }
    if (facts.st_size == 0) {
        return NULL;
    }
    void *const bytes = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) {
        return strerror(errno);
    }
    *out = (hy_bytes){ bytes, (size_t)facts.st_size };
    return NULL;
}

bool hy_file_map(const char *path, hy_bytes *out, char error[HY_SYSTEM_ERROR_MAX])
{
    *out = (hy_bytes){ NULL, 0 };
    const int file =
        open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe is refused, not waited for
    const char *const why = file < 0 ? strerror(errno) : map(file, out);
    if (file >= 0) {
        (void)close(file); // the mapping stays
    }
    if (why != NULL) {
        (void)snprintf(error, HY_SYSTEM_ERROR_MAX, "%.200s: %s%s", path,
                       file < 0 ? "cannot be opened: " : "", why);
    }
    return why == NULL;
}

void hy_file_unmap(hy_bytes *self)
{
    if (self->size > 0) {
        (void)munmap((void *)(uintptr_t)self->data, self->size);
    }
    *self = (hy_bytes){ NULL, 0 };
}
