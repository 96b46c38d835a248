
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"

#define NO_MEMORY "%s: there is not enough memory for this %s"

hy_status hy_yaml_read_file(hy_yaml *yaml, const char *what, hy_room *text)
{
    *text = (hy_room){ NULL, 0 };
    FILE *file = fopen(yaml->name, "rb");
    if (file == NULL) {
        snprintf(yaml->error, yaml->error_size, "%s: the %s cannot be opened: %s", yaml->name, what,
                 strerror(errno));
        return HY_EFILE;
    }
    uint8_t *data = malloc(HY_YAML_MOST + 1);
    const size_t size = data != NULL ? fread(data, 1, HY_YAML_MOST + 1, file) : 0;
    const bool broken = ferror(file) != 0;
    fclose(file);
    if (data == NULL || broken) {
        free(data);
        // coverage: else memory ran out
        snprintf(yaml->error, yaml->error_size, broken ? "%s: the %s cannot be read" : NO_MEMORY,
                 yaml->name, what);
        return broken ? HY_EFILE : HY_EMEMORY; // coverage: likewise
    }
    *text = (hy_room){ data, size };
    // cppcheck-suppress memleak // it is the caller's now
    return HY_OK;
}

void hy_yaml_folder_of(const char *path, char *folder, size_t size)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash != NULL ? (size_t)(slash - path) : 0;
    folder[0] = '\0';
    if (slash != NULL && length + 1 < size) {
        memcpy(folder, length > 0 ? path : "/", length > 0 ? length : 1);
        folder[length > 0 ? length : 1] = '\0';
    }
}
