/// @file schema.h
/// YAML into structs, by tables: a table says which keys a map may have, what they hold, in which
/// range and where it goes. Whatever does not fit is told with its line and column.
#ifndef HY_WORLD_SCHEMA_H
#define HY_WORLD_SCHEMA_H

#include <halyard/world.h>
#include <yaml.h>

/// Most bytes of a world file, and deepest nesting of its lists and maps.
#define HY_YAML_MOST    ((size_t)1 << 20)
#define HY_YAML_DEEPEST 32

/// A document being read. Stops at the first error; everything after it is a no-op.
typedef struct {
    const char *name;   ///< Of the file, for messages.
    const char *folder; ///< Where files that it names are.
    hy_bytes text;
    yaml_document_t *document;
    yaml_mark_t vehicle_at[HY_WORLD_VEHICLES]; ///< For what shows only once all of the file is read.
    hy_world_error *error;
    hy_status status;
} hy_yaml;

typedef enum {
    HY_YAML_NUMBER, ///< A double: the number times `unit`.
    HY_YAML_TEXT,   ///< A char array of `high` bytes.
    HY_YAML_POINT,  ///< Two doubles, [x, y].
    HY_YAML_MAP,    ///< Another table, at `offset`.
    HY_YAML_OTHER,  ///< `read` does it.
} hy_yaml_type;

typedef struct hy_yaml_field hy_yaml_field;
typedef bool hy_yaml_reader(hy_yaml *yaml, const hy_yaml_field *field, yaml_node_t *node,
                            void *target);

/// The keys of a map.
typedef struct {
    const char *what; ///< "a box", in messages.
    const hy_yaml_field *fields;
    size_t count;
} hy_yaml_table;

struct hy_yaml_field {
    const char *key;
    hy_yaml_type type;
    bool required;
    size_t offset;
    double low, high; ///< Range in the file's unit, ends included.
    double unit;      ///< One of the file's units in ours; 0 counts as 1.
    const hy_yaml_table *table;
    hy_yaml_reader *read;
};

#define HY_YAML_TABLE(what, fields)                        \
    {                                                      \
        what, fields, sizeof(fields) / sizeof((fields)[0]) \
    }

/// Parses the text and reads its root map by `table` into `target`. Keys that are not there leave
/// `target` as it is.
hy_status hy_yaml_parse(hy_yaml *yaml, const hy_yaml_table *table, void *target);

// For readers. All return false after an error, which is then told.
bool hy_yaml_map(hy_yaml *yaml, const hy_yaml_table *table, yaml_node_t *node, void *target);
bool hy_yaml_number(hy_yaml *yaml, const char *what, yaml_node_t *node, double *value);
bool hy_yaml_point(hy_yaml *yaml, const hy_yaml_field *field, yaml_node_t *node, double point[2]);
/// The text of a scalar, or NULL.
const char *hy_yaml_text(hy_yaml *yaml, const char *what, yaml_node_t *node);
/// Fewest and most items of a list.
typedef struct {
    size_t low, high;
} hy_yaml_span;
bool hy_yaml_list(hy_yaml *yaml, const char *what, yaml_node_t *node, hy_yaml_span span,
                  size_t *count);
yaml_node_t *hy_yaml_item(hy_yaml *yaml, yaml_node_t *list, size_t index);
/// The field whose key is the only one of a map, and its value: for lists of different things.
const hy_yaml_field *hy_yaml_choice(hy_yaml *yaml, const hy_yaml_table *table, yaml_node_t *node,
                                    yaml_node_t **value);
/// Reads one value by its field.
bool hy_yaml_value(hy_yaml *yaml, const hy_yaml_field *field, yaml_node_t *node, void *target);

/// Tells an error at `node`; always returns false.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
bool hy_yaml_fail(hy_yaml *yaml, hy_status status, const yaml_node_t *node, const char *format, ...);

/// Tells an error at a place whose node is gone.
void hy_yaml_tell(hy_yaml *yaml, hy_status status, yaml_mark_t mark, const char *what);

/// Tells that there is no memory.
bool hy_yaml_no_memory(hy_yaml *yaml, const yaml_node_t *node);

#endif
