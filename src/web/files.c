#include "files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/system.h"

#define PATH_MAX_BYTES 1024
#define DEPTH_MAX      8

static const char *type_of(const char *path)
{
    static const char *const types[][2] = {
        { ".html", "text/html; charset=utf-8" },
        { ".js", "text/javascript; charset=utf-8" },
        { ".mjs", "text/javascript; charset=utf-8" },
        { ".css", "text/css; charset=utf-8" },
        { ".json", "application/json" },
        { ".webmanifest", "application/manifest+json" },
        { ".txt", "text/plain; charset=utf-8" },
        { ".svg", "image/svg+xml" },
        { ".png", "image/png" },
        { ".jpg", "image/jpeg" },
        { ".webp", "image/webp" },
        { ".ico", "image/x-icon" },
        { ".wasm", "application/wasm" },
        { ".glb", "model/gltf-binary" },
        { ".woff2", "font/woff2" },
        { ".mp3", "audio/mpeg" },
    };
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending != NULL && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(ending, types[i][0]) == 0) {
            return types[i][1];
        }
    }
    return "application/octet-stream";
}

static void set_tag(web_file *file)
{
    hy_hash hash = hy_hash_start();
    for (size_t i = 0; i < file->size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, file->bytes + i, file->size - i < 8 ? file->size - i : 8);
        hy_hash_u64(&hash, word);
    }
    snprintf(file->tag, sizeof file->tag, "\"%016" PRIx64 "\"", hash.value);
}

/// Room for one more file of `size` bytes, zero-initialised but for path and memory; NULL if there is none.
static web_file *new_file(web_files *self, const char *path, size_t size, hy_status *status)
{
    *status = HY_EFULL;
    if (self->count == WEB_FILES_MAX || size > WEB_BYTES_MAX - self->bytes) {
        return NULL;
    }
    *status = HY_EMEMORY;
    if (self->files == NULL) {
        self->files = calloc(WEB_FILES_MAX, sizeof *self->files);
    }
    if (self->files == NULL) {
        return NULL;
    }
    web_file *file = &self->files[self->count];
    file->path = strdup(path);
    file->bytes = malloc(size + 1);
    if (file->path == NULL || file->bytes == NULL) {
        free(file->path);
        free(file->bytes);
        return NULL;
    }
    file->size = size;
    self->count++;
    self->bytes += size;
    *status = HY_OK;
    return file;
}

static hy_status read_file(web_files *self, const char *name, const char *path, size_t size)
{
    hy_status status;
    web_file *file = new_file(self, path, size, &status);
    if (file == NULL) {
        return status;
    }
    FILE *const stream = fopen(name, "rb");
    const size_t got = stream != NULL ? fread(file->bytes, 1, size, stream) : 0;
    if (stream != NULL) {
        fclose(stream);
    }
    file->type = type_of(path);
    file->is_frozen =
        strncmp(path, "/assets/", 8) == 0; // where the bundler puts what it names by hash
    set_tag(file);
    return stream != NULL && got == size ? HY_OK : HY_EFILE;
}

static hy_status read_folder(web_files *self, const char *folder, const char *below, int depth);

static hy_status read_entry(web_files *self, const char *name, const char *path, int depth)
{
    size_t size;
    switch (hy_file_look(name, &size)) {
    case HY_FILE_MISSING: return HY_EFILE;
    case HY_FILE_FOLDER:
        return depth < DEPTH_MAX ? read_folder(self, name, path, depth + 1) : HY_EFULL;
    case HY_FILE_REGULAR: return read_file(self, name, path, size);
    case HY_FILE_DEVICE:
    case HY_FILE_OTHER: break;
    }
    return HY_OK;
}

/// `below` is the folder's path in requests, without a '/' at its end.
static hy_status read_folder(web_files *self, const char *folder, const char *below, int depth)
{
    hy_folder entries;
    if (!hy_folder_open(&entries, folder)) {
        return HY_EFILE;
    }
    hy_status status = HY_OK;
    for (size_t i = 0; i < entries.count && status == HY_OK; i++) {
        char name[PATH_MAX_BYTES], path[PATH_MAX_BYTES];
        const char *const entry = hy_folder_name(&entries, i);
        const int name_length = snprintf(name, sizeof name, "%s/%s", folder, entry);
        const int path_length = snprintf(path, sizeof path, "%s/%s", below, entry);
        const bool fits = name_length < PATH_MAX_BYTES && path_length < PATH_MAX_BYTES;
        status = fits ? read_entry(self, name, path, depth) : HY_EFULL;
    }
    hy_folder_close(&entries);
    return status;
}

hy_status web_files_read(web_files *self, const char *folder)
{
    return read_folder(self, folder, "", 0);
}

hy_status web_files_add(web_files *self, const hy_web_file *file)
{
    hy_status status;
    web_file *const copy = new_file(self, file->path, file->bytes.size, &status);
    if (copy == NULL) {
        return status;
    }
    copy->type = file->type;
    memcpy(copy->bytes, file->bytes.data, file->bytes.size);
    set_tag(copy);
    return HY_OK;
}

/// The file whose path is these three texts.
static const web_file *find(const web_files *self, const char *path, const char *more,
                            const char *end)
{
    char whole[PATH_MAX_BYTES];
    if (snprintf(whole, sizeof whole, "%s%s%s", path, more, end) < PATH_MAX_BYTES) {
        for (size_t i = 0; i < self->count; i++) {
            if (strcmp(self->files[i].path, whole) == 0) {
                return &self->files[i];
            }
        }
    }
    return NULL;
}

const web_file *web_files_find(const web_files *self, const char *path, const char *query)
{
    const size_t length = strlen(path);
    const web_file *const file = query[0] != '\0' ? find(self, path, "?", query) : NULL;
    return file != NULL                            ? file
           : length > 0 && path[length - 1] == '/' ? find(self, path, "index.html", "")
                                                   : find(self, path, "", "");
}

const web_file *web_files_find_gzip(const web_files *self, const web_file *file)
{
    return find(self, file->path, ".gz", "");
}

void web_files_free(web_files *self)
{
    for (size_t i = 0; i < self->count; i++) {
        free(self->files[i].path);
        free(self->files[i].bytes);
    }
    free(self->files);
    *self = (web_files){ 0 };
}
