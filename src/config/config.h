/// @file config.h
/// YAML into structs, by tables: a table says which keys a map may have, what they hold, in which
/// range and where it goes. Whatever does not fit is told with its line and column.
///
/// Safe with hostile files: bounded time and memory. Allocates while it parses, and keeps nothing;
/// the readers of a caller's tables may be called in between.
///
///     struct robot {
///         double track_m;
///     };
///     static const hy_yaml_field fields[] = { { .key = "track_mm",
///                                               .offset = offsetof(struct robot, track_m),
///                                               .low = 50,
///                                               .high = 500,
///                                               .unit = 0.001 } };
///     static const hy_yaml_table table = HY_YAML_TABLE("a robot", fields);
///
///     static hy_status read_robot(hy_bytes text, struct robot *out, char error[200])
///     {
///         hy_yaml yaml = {
///             .text = text, .name = "robot.yaml", .error = error, .error_size = 200
///         };
///         return hy_yaml_parse(&yaml, &table, out);
///     }
#ifndef HALYARD_CONFIG_H
#define HALYARD_CONFIG_H

#include <halyard/base.h>

/// Most bytes of a file, and deepest nesting of its lists and maps.
#define HY_YAML_MOST    ((size_t)1 << 20)
#define HY_YAML_DEEPEST 32

/// A value of the document: a scalar, a list or a map. Valid while the document is being read; the
/// parser's.
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
    hy_bytes text;      ///< The whole file; the caller's, and only read.
    const hy_yaml_words *words;
    /// Room for one sentence, "FILE:LINE:COLUMN: what is wrong", of `error_size` bytes.
    char *error;
    size_t error_size; ///< 200 is enough for most; a longer sentence is cut.
    void *context;     ///< For the caller's readers.
    // Read-only.
    hy_status status; ///< HY_OK until something is wrong; then hy_yaml_fail()'s, for good.
    // Private.
    void *document;
    const uint8_t *looked_through; ///< The text of which it is done: once is enough for two tables.
} hy_yaml;

typedef enum {
    HY_YAML_NUMBER, ///< A double: the number times `unit`.
    HY_YAML_TEXT,   ///< A char array of `high` bytes.
    HY_YAML_POINT,  ///< Two doubles, [x, y].
    HY_YAML_MAP,    ///< Another table, at `offset`.
    HY_YAML_WORD,   ///< One of `words`: an enum, its number.
    HY_YAML_OTHER,  ///< `read` does it.
} hy_yaml_type;

typedef struct hy_yaml_field hy_yaml_field;
/// Reads the value at `node` into `target`, which is the map's whole struct (add `field->offset` if
/// that is wanted). False after it has told an error.
typedef bool hy_yaml_reader(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                            void *target);

/// The keys of a map: at most 64. Const, and the caller's.
typedef struct {
    const char *what; ///< "a box", in messages.
    const hy_yaml_field *fields;
    size_t count; ///< Of `fields`.
    bool open;    ///< Keys that it does not have are passed over, not an error.
} hy_yaml_table;

/// Fewest and most items of a list.
typedef struct {
    size_t low, high;
} hy_yaml_span;

/// One key of a map.
struct hy_yaml_field {
    const char *key; ///< As it stands in the file, with its unit: "track_mm".
    hy_yaml_type type;
    bool required;    ///< A map without it is an error, told at the map.
    size_t offset;    ///< Where its value goes in the struct: offsetof().
    double low, high; ///< Range in the file's unit, ends included; of a text, `high` is its bytes.
    double unit;      ///< One of the file's units in ours; 0 counts as 1.
    const hy_yaml_table *table; ///< Of HY_YAML_MAP.
    hy_yaml_reader *read;       ///< Of HY_YAML_OTHER.
    hy_yaml_span items;         ///< If it is a list: its items, for each of which `read` is called.
    const char *const *words;   ///< Of HY_YAML_WORD, by number, ended by NULL; "" is no word.
};

/// A table of an array of fields; an open one passes over keys that it does not have.

#define HY_YAML_TABLE(what, fields)                               \
    {                                                             \
        what, fields, sizeof(fields) / sizeof((fields)[0]), false \
    }
#define HY_YAML_OPEN_TABLE(what, fields)                         \
    {                                                            \
        what, fields, sizeof(fields) / sizeof((fields)[0]), true \
    }

/// Parses yaml->text and reads its root map by `table` into `target`. Keys that are not there leave
/// `target` as it is. HY_OK; or HY_EFORMAT (not YAML, or not what the table has), HY_ERANGE (a
/// number or the whole file is out of range), HY_EMEMORY (no memory), or a reader's own, with the
/// sentence in yaml->error. What was read before the error stays in `target`.
hy_status hy_yaml_parse(hy_yaml *yaml, const hy_yaml_table *table, void *target);

// For readers: called while the document is being read, and O(size of what they look at). Those
// that return bool tell an error by hy_yaml_fail() and return false; `what` is what the sentence
// calls the value.

/// Reads a map by `table` into `target`. Unknown keys (unless the table is open), keys given twice
/// and required ones that are missing are errors.
bool hy_yaml_map(hy_yaml *yaml, const hy_yaml_table *table, hy_yaml_node *node, void *target);
/// What the only key `key` of a map holds, without reading it; NULL if `node` is no map or has no
/// such key.
hy_yaml_node *hy_yaml_find(const hy_yaml *yaml, const hy_yaml_node *node, const char *key);
/// A scalar's text, or NULL: tells no error.
const char *hy_yaml_peek(const hy_yaml_node *node);
/// Where a node begins.
hy_yaml_mark hy_yaml_where(const hy_yaml_node *node);
/// A plain number, as hy_number_read() takes it: quotes make it a text.
bool hy_yaml_number(hy_yaml *yaml, const char *what, hy_yaml_node *node, double *value);
/// [x, y], each within the field's range and times its unit.
bool hy_yaml_point(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, double point[2]);
/// Whether the character of UTF-8 that `at` begins with is a control character (C0, DEL or C1): a
/// terminal that shows it would obey. YAML allows them as escapes, such as "\x9b".
bool hy_yaml_is_control(const char *at);
/// The text of a scalar, which is valid as long as the node; NULL after an error: not a scalar,
/// empty, or with a control character (hy_yaml_is_control()) or a NUL inside.
const char *hy_yaml_text(hy_yaml *yaml, const char *what, hy_yaml_node *node);
/// That `node` is a list of `span` items; says how many. hy_yaml_item() has each of them, `index`
/// below that.
bool hy_yaml_list(hy_yaml *yaml, const char *what, hy_yaml_node *node, hy_yaml_span span,
                  size_t *count);
hy_yaml_node *hy_yaml_item(hy_yaml *yaml, hy_yaml_node *list, size_t index);
/// The field whose key is the only one of a map, and its value: for lists of different things. NULL
/// after an error.
const hy_yaml_field *hy_yaml_choice(hy_yaml *yaml, const hy_yaml_table *table, hy_yaml_node *node,
                                    hy_yaml_node **value);
/// Reads one value by its field into the struct at `target`.
bool hy_yaml_value(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target);

/// Tells an error at `node` in the words of printf(); always returns false. Only the first error of
/// a document is kept.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
bool hy_yaml_fail(hy_yaml *yaml, hy_status status, const hy_yaml_node *node, const char *format,
                  ...);

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

/// Everything in the file yaml->name, up to one byte more than hy_yaml_parse() takes. `what` is
/// what it is called in messages: "world file". HY_EFILE or HY_EMEMORY, told in yaml->error; then
/// `*text` is empty. Free text->data with free().
hy_status hy_yaml_read_file(hy_yaml *yaml, const char *what, hy_room *text);

/// The folder part of a path, for hy_yaml.folder: "" if it has none or it does not fit.
void hy_yaml_folder_of(const char *path, char *folder, size_t size);

#endif
