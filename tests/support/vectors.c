#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 2048

static void give_up(const char *path, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s\n", path, line, what);
    exit(EXIT_FAILURE);
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c == '\0' ? NULL : strchr(digits, c);
    return at == NULL ? -1 : (int)(at - digits);
}

static bool read_hex(const char *text, vector *out)
{
    for (out->size = 0; text[2 * out->size] != '\0'; out->size++) {
        const int high = hex_digit(text[2 * out->size]);
        const int low = high < 0 ? -1 : hex_digit(text[2 * out->size + 1]);
        if (low < 0 || out->size == VECTOR_BYTES_MAX) {
            return false;
        }
        out->bytes[out->size] = (uint8_t)(high << 4 | low);
    }
    return true;
}

// Cuts the next field off `*rest`, without the blanks around it.
static char *cut_field(char **rest)
{
    char *field = *rest;
    char *bar = strchr(field, '|');
    *rest = bar != NULL ? bar + 1 : field + strlen(field);
    if (bar != NULL) {
        *bar = '\0';
    }
    field += strspn(field, " ");
    for (size_t n = strlen(field); n > 0 && strchr(" \r\n", field[n - 1]) != NULL; n--) {
        field[n - 1] = '\0';
    }
    return field;
}

static void read_line(const char *path, int number, char *line, bool has_bytes, vectors *out)
{
    if (out->count == VECTORS_MAX) {
        give_up(path, number, "more vectors than there is room for");
    }
    vector *v = &out->items[out->count];
    char *rest = line;
    snprintf(v->name, sizeof v->name, "%s", cut_field(&rest));
    char *middle = cut_field(&rest);
    snprintf(v->meaning, sizeof v->meaning, "%s", has_bytes ? cut_field(&rest) : middle);
    if (has_bytes && !read_hex(middle, v)) {
        give_up(path, number, "the second field is not hexadecimal");
    }
    out->count++;
}

void vectors_load(const char *file, bool has_bytes, vectors *out)
{
    const char *folder = getenv("HALYARD_TEST_DATA");
    if (folder == NULL) {
        give_up(file, 0, "run this by ctest, or set HALYARD_TEST_DATA to the folder tests");
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/golden/%s", folder, file);
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        give_up(path, 0, "cannot be read");
    }
    char line[LINE_MAX_BYTES];
    out->count = 0;
    for (int number = 1; fgets(line, sizeof line, f) != NULL; number++) {
        if (line[0] != '#' && line[strspn(line, " \r\n")] != '\0') {
            read_line(path, number, line, has_bytes, out);
        }
    }
    fclose(f);
    if (out->count == 0) {
        give_up(path, 0, "holds no vector");
    }
}

const vector *vectors_find(const vectors *self, const char *name)
{
    for (size_t i = 0; i < self->count; i++) {
        if (strcmp(self->items[i].name, name) == 0) {
            return &self->items[i];
        }
    }
    return NULL;
}
