// Models in binary glTF 2.0 files (.glb), which the page draws instead of shapes of its own.
#include "read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/system.h"

#define MODEL_MAX   ((size_t)6 << 20)
#define HEADER_SIZE 20 // of the file and of its first chunk
#define MAGIC       0x46546C67u
#define CHUNK_JSON  0x4E4F534Au

static uint32_t word_at(const uint8_t *bytes, size_t index)
{
    const uint8_t *const at = bytes + 4 * index;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/// Whether JSON has a member "uri": something outside of the file.
static bool has_uri(const char *json, size_t size)
{
    static const char key[] = "\"uri\"";
    for (size_t i = 0; i + sizeof key - 1 <= size; i++) {
        size_t next = i + sizeof key - 1;
        if (memcmp(json + i, key, sizeof key - 1) != 0) {
            continue;
        }
        while (next < size && strchr(" \t\r\n", json[next]) != NULL && json[next] != '\0') {
            next++;
        }
        if (next < size && json[next] == ':') {
            return true;
        }
    }
    return false;
}

/// What is wrong with a file; NULL if nothing is that can be seen without drawing it.
static const char *check_bytes(const uint8_t *bytes, size_t size)
{
    if (size < HEADER_SIZE || word_at(bytes, 0) != MAGIC || word_at(bytes, 1) != 2) {
        return "is not a binary glTF 2.0 file";
    }
    const size_t json = word_at(bytes, 3);
    if (word_at(bytes, 2) != size || word_at(bytes, 4) != CHUNK_JSON || json > size - HEADER_SIZE) {
        return "is a damaged binary glTF file: its lengths do not fit";
    }
    if (has_uri((const char *)bytes + HEADER_SIZE, json)) {
        return "refers to another file or address ('uri'); export it with all data inside";
    }
    return NULL;
}

/// As hy_read_picture(): `*why` is a static sentence fragment.
static hy_status check_file(const char *path, const char **why)
{
    size_t size;
    if (hy_file_look(path, &size) != HY_FILE_REGULAR) {
        *why = "cannot be opened";
        return HY_EFILE;
    }
    if (size > MODEL_MAX) {
        *why = "is larger than 6 MiB: export it with fewer triangles or smaller textures";
        return HY_ERANGE;
    }
    uint8_t *const bytes = malloc(size + 1);
    FILE *const file = bytes != NULL ? fopen(path, "rb") : NULL;
    const bool is_read = file != NULL && fread(bytes, 1, size, file) == size;
    if (file != NULL) {
        fclose(file);
    }
    *why = is_read ? check_bytes(bytes, size) : "cannot be read";
    free(bytes);
    return *why == NULL ? HY_OK : is_read ? HY_EFORMAT : HY_EFILE;
}

/// Whether a name stays in the folder of the world's file or below it, and ends in ".glb".
static bool is_below(const char *name)
{
    const size_t length = strlen(name);
    bool ok = name[0] != '/' && length > 4 && strcmp(name + length - 4, ".glb") == 0;
    for (const char *part = name; ok && part != NULL; part = strchr(part, '/')) {
        part += part[0] == '/' ? 1 : 0;
        ok = strncmp(part, "../", 3) != 0;
    }
    return ok;
}

bool hy_read_gltf(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    const char *const name = hy_yaml_text(yaml, field->key, node);
    char *const path = (char *)target + field->offset;
    if (name == NULL) {
        return false;
    }
    if (!is_below(name)) {
        return hy_yaml_fail(yaml, HY_EFORMAT, node,
                            "gltf names a .glb file in the folder of the world file or below it");
    }
    const bool is_bare = yaml->folder[0] == '\0';
    const int length = snprintf(path, HY_WORLD_PATH, "%s%s%s", is_bare ? "" : yaml->folder,
                                is_bare ? "" : "/", name);
    if (length < 0 || length >= HY_WORLD_PATH) {
        path[0] = '\0';
        return hy_yaml_fail(yaml, HY_ERANGE, node, "gltf: the path is longer than %d bytes",
                            HY_WORLD_PATH - 1);
    }
    const char *why;
    const hy_status status = check_file(path, &why);
    return status == HY_OK || hy_yaml_fail(yaml, status, node, "the glTF model %s %s", path, why);
}
