#include "index_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/system.h"

#define LARGE     (32u << 20) // bytes; a smaller recording is read in less than 0.05 s
#define NAME_ROOM 4096
#define SUFFIX    ".index"

// Nobody reads half of it. Whoever may read the recording may read it. If it cannot be written, it is made again next time.
static void keep(const char *name, const char *path, hy_bytes bytes)
{
    hy_file_output output;
    char unwritten[HY_SYSTEM_ERROR_MAX];
    if (hy_file_create(&output, name, HY_FILE_OVERWRITE, unwritten)) {
        hy_file_share_as(&output, path);
        (void)fwrite(bytes.data, 1, bytes.size, output.stream);
        (void)hy_file_close(&output, true, unwritten);
    }
}

// A file of that name which is something else is left alone.
static bool may_replace(hy_bytes index)
{
    static const char magic[] = "hlyindex";
    return index.size == 0 ||
           (index.size >= strlen(magic) && memcmp(index.data, magic, strlen(magic)) == 0);
}

hy_status index_file_open(const char *path, hy_bytes file, hy_playback **out, hy_world_error *error)
{
    char name[NAME_ROOM];
    hy_playback_source source = { .file = file };
    const int length = snprintf(name, sizeof name, "%s%s", path, SUFFIX);
    if (file.size < LARGE || length < 0 || (size_t)length >= sizeof name ||
        !hy_file_changed(path, &source.changed)) {
        return hy_playback_open(file, out, error);
    }
    const bool is_there = hy_file_look(name, NULL) != HY_FILE_MISSING;
    char unread[HY_SYSTEM_ERROR_MAX]; // then it is made anew
    const bool is_read = is_there && hy_file_map(name, &source.index, unread);
    const hy_status status = hy_playback_open_source(&source, out, error);
    if (status == HY_OK && !hy_playback_is_indexed(*out) && is_there == is_read &&
        may_replace(source.index)) {
        const hy_bytes index = hy_playback_index(*out, source.changed);
        if (index.size > 0) {
            keep(name, path, index);
        }
        free((void *)(uintptr_t)index.data);
    }
    hy_file_unmap(&source.index);
    return status;
}
