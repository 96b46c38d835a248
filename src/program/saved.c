#include "saved.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "system/system.h"
#include "text/text.h"

#define NAME_MAX_BYTES 200                      // of a tunable
#define NUMBER_MOST    1e22                     // that hy_number_read() takes
#define QUOTED_BYTES   (6 * NAME_MAX_BYTES + 2) // "\u001f" is the longest that a byte becomes

typedef struct {
    char name[NAME_MAX_BYTES + 1];
    double value;
} saved_tunable;

struct program_saved {
    saved_tunable tunables[HY_TUNABLES_MAX];
    size_t count;
};

// --------------------------------------------------------------------------- reading

static const hy_yaml_field tunable_fields[] = {
    { .key = "name",
      .type = HY_YAML_TEXT,
      .required = true,
      .offset = offsetof(saved_tunable, name),
      .high = NAME_MAX_BYTES + 1 },
    { .key = "value",
      .required = true,
      .offset = offsetof(saved_tunable, value),
      .low = -NUMBER_MOST,
      .high = NUMBER_MOST },
};
static const hy_yaml_table tunable_table = HY_YAML_TABLE("a tunable", tunable_fields);

static bool read_tunable(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    program_saved *const self = target;
    (void)field;
    return hy_yaml_map(yaml, &tunable_table, node, &self->tunables[self->count++]);
}

hy_status program_saved_read(const char *path, program_saved **out,
                             char error[PROGRAM_SAVED_ERROR_MAX])
{
    static const hy_yaml_field fields[] = {
        { .key = "tunables",
          .type = HY_YAML_OTHER,
          .required = true,
          .read = read_tunable,
          .items = { 0, HY_TUNABLES_MAX } },
    };
    static const hy_yaml_table table = HY_YAML_TABLE("a file of tunables", fields);
    static const hy_yaml_words words = { "files of tunables", "one file holds one list of tunables",
                                         "a file of tunables begins with 'tunables:'" };
    hy_yaml yaml = {
        .name = path, .words = &words, .error = error, .error_size = PROGRAM_SAVED_ERROR_MAX
    };
    hy_room text;
    *out = NULL;
    if (path == NULL) {
        return HY_OK;
    }
    program_saved *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        (void)snprintf(error, PROGRAM_SAVED_ERROR_MAX, "%s", hy_status_text(HY_EMEMORY));
        return HY_EMEMORY;
    }
    hy_status status = hy_yaml_read_file(&yaml, "file of tunables", &text);
    if (status == HY_OK) {
        yaml.text = (hy_bytes){ text.data, text.size };
        status = hy_yaml_parse(&yaml, &table, self);
        free(text.data);
    }
    if (status == HY_OK) {
        *out = self;
    } else {
        free(self);
    }
    return status;
}

void program_saved_apply(const program_saved *self, const char *name, double *value)
{
    for (size_t i = 0; self != NULL && i < self->count; i++) {
        if (strcmp(self->tunables[i].name, name) == 0) {
            *value = self->tunables[i].value;
        }
    }
}

size_t program_saved_count(const program_saved *self)
{
    return self != NULL ? self->count : 0;
}

const char *program_saved_at(const program_saved *self, size_t index, double *value)
{
    *value = self->tunables[index].value;
    return self->tunables[index].name;
}

bool program_saved_add(program_saved **self, const char *name, double value)
{
    if (*self == NULL) {
        *self = calloc(1, sizeof **self);
    }
    if (*self == NULL || (*self)->count == HY_TUNABLES_MAX) {
        return false;
    }
    saved_tunable *const one = &(*self)->tunables[(*self)->count++];
    (void)snprintf(one->name, sizeof one->name, "%s", name);
    one->value = value;
    return true;
}

// --------------------------------------------------------------------------- writing

static void write_tunable(FILE *file, const hy_tunable_entry *entry)
{
    uint8_t bytes[QUOTED_BYTES];
    hy_text quoted = hy_text_in((hy_room){ bytes, sizeof bytes });
    hy_text_put_string(&quoted, entry->name);
    (void)fprintf(file, "  - name: %.*s\n    value: %.15g\n", (int)quoted.size,
                  (const char *)quoted.bytes, *entry->value);
}

hy_status program_saved_write(const char *path, const hy_tunables *tunables,
                              char error[PROGRAM_SAVED_ERROR_MAX])
{
    hy_file_output output;
    char why[HY_SYSTEM_ERROR_MAX];
    if (path == NULL) {
        return HY_OK;
    }
    if (tunables->count == 0) {
        (void)snprintf(error, PROGRAM_SAVED_ERROR_MAX,
                       "%.200s: there are no tunables to save: the program has none", path);
        return HY_EFILE;
    }
    bool is_written = hy_file_create(&output, path, HY_FILE_OVERWRITE, why);
    if (is_written) {
        (void)fputs("# Written by --save-tunables; --tunables reads it.\ntunables:\n", output.stream);
        for (size_t i = 0; i < tunables->count; i++) {
            write_tunable(output.stream, &tunables->entries[i]);
        }
        is_written = hy_file_close(&output, true, why);
    }
    if (!is_written) {
        (void)snprintf(error, PROGRAM_SAVED_ERROR_MAX, "the tunables cannot be saved: %.200s", why);
    }
    return is_written ? HY_OK : HY_EFILE;
}
