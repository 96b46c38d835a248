#include "index_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system/system.h"

#define LARGE     (32u << 20) // bytes; a smaller recording is read in less than 0.05 s
#define NAME_ROOM 4096
#define SUFFIX    ".index"

// When the file was changed last, in nanoseconds.
static uint64_t changed_at(const struct stat *facts)
{
#ifdef __APPLE__
    const struct timespec changed = facts->st_mtimespec;
#else
    const struct timespec changed = facts->st_mtim;
#endif
    return (uint64_t)changed.tv_sec * 1000000000 + (uint64_t)changed.tv_nsec;
}

// Nobody reads half of it. Whoever may read the recording may read it. If it cannot be written, it is made again next time.
static void keep(const char *name, mode_t mode, hy_bytes bytes)
{
    hy_file_output output;
    char unwritten[HY_SYSTEM_ERROR_MAX];
    if (hy_file_create(&output, name, HY_FILE_OVERWRITE, unwritten)) {
        (void)fchmod(fileno(output.stream), mode & 0666);
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
    struct stat facts;
    const int length = snprintf(name, sizeof name, "%s%s", path, SUFFIX);
    if (file.size < LARGE || length < 0 || (size_t)length >= sizeof name || stat(path, &facts) != 0) {
        return hy_playback_open(file, out, error);
    }
    hy_playback_source source = { .file = file, .changed = changed_at(&facts) };
    const bool is_there = access(name, F_OK) == 0;
    char unread[HY_SYSTEM_ERROR_MAX]; // then it is made anew
    const bool is_read = is_there && hy_file_map(name, &source.index, unread);
    const hy_status status = hy_playback_open_source(&source, out, error);
    if (status == HY_OK && !hy_playback_is_indexed(*out) && is_there == is_read &&
        may_replace(source.index)) {
        const hy_bytes index = hy_playback_index(*out, source.changed);
        if (index.size > 0) {
            keep(name, facts.st_mode, index);
        }
        free((void *)(uintptr_t)index.data);
    }
    hy_file_unmap(&source.index);
    return status;
}
