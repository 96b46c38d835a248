#include "mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app.h"

static bool map(const char *command, const char *path, int file, hy_bytes *out)
{
    struct stat facts;
    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size < 0 ||
        (uintmax_t)facts.st_size > SIZE_MAX) {
        app_error(command, "%s: it is no file that can be read as a whole", path);
        return false;
    }
    out->size = (size_t)facts.st_size;
    if (out->size == 0) {
        return true;
    }
    void *const bytes = mmap(NULL, out->size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) {
        app_error(command, "%s: %s", path, strerror(errno));
        *out = (hy_bytes){ NULL, 0 };
        return false;
    }
    out->data = bytes;
    return true;
}

bool mapped_file_open(const char *command, const char *path, hy_bytes *out)
{
    *out = (hy_bytes){ NULL, 0 };
    const int file =
        open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe is refused, not waited for
    if (file < 0) {
        app_error(command, "%s: %s", path, strerror(errno));
        return false;
    }
    const bool is_mapped = map(command, path, file, out);
    (void)close(file); // the mapping stays
    return is_mapped;
}

void mapped_file_close(hy_bytes *self)
{
    if (self->size > 0) {
        (void)munmap((void *)(uintptr_t)self->data, self->size);
    }
    *self = (hy_bytes){ NULL, 0 };
}
