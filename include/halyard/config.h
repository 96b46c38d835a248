/// @file config.h
/// YAML into structs, by tables: a table says which keys a map may have, what they hold, in which
/// range and where it goes. Whatever does not fit is told with its line and column.
///
/// Safe with hostile files: bounded time and memory. Allocates while it parses, and keeps nothing; the
/// readers of a caller's tables may be called in between.
#ifndef HALYARD_CONFIG_H
#define HALYARD_CONFIG_H

#include <halyard/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Most bytes of a file, and deepest nesting of its lists and maps.
#define HY_YAML_MOST    ((size_t)1 << 20)
#define HY_YAML_DEEPEST 32

/// A value of the document: a scalar, a list or a map. Valid while the document is being read.
typedef struct hy_yaml_node hy_yaml_node;

/// A place in the file; both count from 0.
typedef struct {
    size_t line, column;
} hy_yaml_mark;

/// What a file of the caller's kind is called, in messages.
typedef struct {
    const char *files; ///< "world files".
    const char *holds; ///< "a world file holds one world".
    const char *begin; ///< What an empty file should begin with: "a world begins with 'name: ...'".
} hy_yaml_words;

/// A document being read. Stops at the first error; everything after it is a no-op.
typedef struct {
    // The caller sets these.
    const char *name;   ///< Of the file, for messages.
    const char *folder; ///< Where files that it names are; for the caller's readers.
    hy_bytes text;
    const hy_yaml_words *words;
    char *error; ///< Room for one sentence, of `error_size` bytes.
    size_t error_size;
    void *context; ///< For the caller's readers.
    // Read-only.
    hy_status status;
    // Private.
    void *document;
} hy_yaml;

typedef enum {
    HY_YAML_NUMBER, ///< A double: the number times `unit`.
    HY_YAML_TEXT,   ///< A char array of `high` bytes.
    HY_YAML_POINT,  ///< Two doubles, [x, y].
    HY_YAML_MAP,    ///< Another table, at `offset`.
    HY_YAML_OTHER,  ///< `read` does it.
} hy_yaml_type;

typedef struct hy_yaml_field hy_yaml_field;
typedef bool hy_yaml_reader(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                            void *target);

/// The keys of a map.
typedef struct {
    const char *what; ///< "a box", in messages.
    const hy_yaml_field *fields;
    size_t count;
    bool open; ///< Keys that it does not have are passed over, not an error.
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

#define HY_YAML_TABLE(what, fields)                               \
    {                                                             \
        what, fields, sizeof(fields) / sizeof((fields)[0]), false \
    }
#define HY_YAML_OPEN_TABLE(what, fields)                         \
    {                                                            \
        what, fields, sizeof(fields) / sizeof((fields)[0]), true \
    }

/// Parses the text and reads its root map by `table` into `target`. Keys that are not there leave
/// `target` as it is.
hy_status hy_yaml_parse(hy_yaml *yaml, const hy_yaml_table *table, void *target);

// For readers. All return false after an error, which is then told.
bool hy_yaml_map(hy_yaml *yaml, const hy_yaml_table *table, hy_yaml_node *node, void *target);
/// What the only key `key` of a map holds, without reading it; NULL if `node` is no map or has no such key.
hy_yaml_node *hy_yaml_find(const hy_yaml *yaml, const hy_yaml_node *node, const char *key);
/// A scalar's text, or NULL: tells no error.
const char *hy_yaml_peek(const hy_yaml_node *node);
/// Where a node begins.
hy_yaml_mark hy_yaml_where(const hy_yaml_node *node);
bool hy_yaml_number(hy_yaml *yaml, const char *what, hy_yaml_node *node, double *value);
bool hy_yaml_point(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, double point[2]);
/// The text of a scalar, or NULL.
const char *hy_yaml_text(hy_yaml *yaml, const char *what, hy_yaml_node *node);
/// Fewest and most items of a list.
typedef struct {
    size_t low, high;
} hy_yaml_span;
bool hy_yaml_list(hy_yaml *yaml, const char *what, hy_yaml_node *node, hy_yaml_span span,
                  size_t *count);
hy_yaml_node *hy_yaml_item(hy_yaml *yaml, hy_yaml_node *list, size_t index);
/// The field whose key is the only one of a map, and its value: for lists of different things.
const hy_yaml_field *hy_yaml_choice(hy_yaml *yaml, const hy_yaml_table *table, hy_yaml_node *node,
                                    hy_yaml_node **value);
/// Reads one value by its field.
bool hy_yaml_value(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target);

/// Tells an error at `node`; always returns false.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
bool hy_yaml_fail(hy_yaml *yaml, hy_status status, const hy_yaml_node *node, const char *format, ...);

/// Tells an error at a place whose node is gone.
void hy_yaml_tell(hy_yaml *yaml, hy_status status, hy_yaml_mark mark, const char *what);

// --------------------------------------------------------------------------- numbers and files

typedef enum {
    HY_NUMBER_OK,
    HY_NUMBER_NONE,   ///< Not a decimal number; so are NaN and infinities.
    HY_NUMBER_DIGITS, ///< More than 15 digits, or beyond 1e22.
} hy_number_result;

/// Reads the whole of `text` as [-+]digits[.digits][e[-+]digits], the same whatever the locale.
hy_number_result hy_number_read(const char *text, double *value);

/// Everything in the file yaml->name, up to one byte more than hy_yaml_parse() takes. `what` is what it is
/// called in messages: "world file". HY_EFILE or HY_ESYSTEM, told in yaml->error; then `*text` is empty.
/// Free text->data with free().
hy_status hy_yaml_read_file(hy_yaml *yaml, const char *what, hy_room *text);

/// The folder part of a path, for hy_yaml.folder: "" if it has none or it does not fit.
void hy_yaml_folder_of(const char *path, char *folder, size_t size);

#ifdef __cplusplus
}
#endif

#endif
