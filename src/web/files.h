/// @file files.h
/// What is served: files read into memory at the start, so that no request ever reaches the file system.
#ifndef HY_WEB_FILES_H
#define HY_WEB_FILES_H

#include "web.h"

#define WEB_FILES_MAX 1000
#define WEB_BYTES_MAX (64u << 20)

typedef struct {
    char *path; ///< As requested: "/assets/index-BX1Vnt3q.js".
    const char *type;
    uint8_t *bytes;
    size_t size;
    char tag[20];   ///< Changes with the content; with its quotation marks.
    bool is_frozen; ///< The name changes with the content: a browser need not ask again.
} web_file;

typedef struct {
    web_file *files;
    size_t count, bytes;
} web_files;

/// Adds every file in and below `folder`. HY_EFILE, HY_EFULL, HY_ESYSTEM. Names that begin with a dot are left out.
hy_status web_files_read(web_files *self, const char *folder);

/// Adds one file, copied. HY_EFULL, HY_ESYSTEM.
hy_status web_files_add(web_files *self, const hy_web_file *file);

/// The file for a request's path and query: that of "path?query" if there is one, else that of the path; a path that ends in '/' is its
/// index.html. NULL if there is none.
const web_file *web_files_find(const web_files *self, const char *path, const char *query);

/// The gzip form of a file, which is the file whose path has ".gz" added; NULL if there is none.
const web_file *web_files_find_gzip(const web_files *self, const web_file *file);

void web_files_free(web_files *self);

#endif
