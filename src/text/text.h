/// @file text.h
/// JSON both ways: text that is written piece by piece into a buffer, structs that are written and
/// read by field tables, UTF-8, suggestions for misspelt names. Numbers have the same bytes on
/// every machine and under every locale; text_decimal.h writes single ones.
///
/// No allocation but by hy_json_reader_open(). O(size of the text).
///
///     uint8_t bytes[64];
///     hy_text text = hy_text_in((hy_room){ bytes, sizeof bytes });
///     hy_text_put(&text, "{");
///     hy_text_put_key(&text, "speed");
///     hy_text_put_number(&text, 1.5, 3);
///     hy_text_put(&text, "}");
///     if (!text.is_full) { printf("%.*s\n", (int)text.size, (char *)text.bytes); }
#ifndef HALYARD_TEXT_H
#define HALYARD_TEXT_H

#include <halyard/base.h>

// --------------------------------------------------------------------------- UTF-8

/// Bytes of the UTF-8 character that `text` begins with; 0 if it begins with none (RFC 3629: no
/// surrogates, nothing over-long, nothing beyond U+10FFFF; NUL is none either). `text` ends with a
/// NUL: nothing behind it is read.
size_t hy_utf8_size(const uint8_t *text);

/// Whether all of `text` is UTF-8 (as above; NUL is a character here). O(size).
bool hy_utf8_is_valid(hy_bytes text);

// --------------------------------------------------------------------------- names that were meant

/// Whether both are equal but for the case of ASCII letters, whatever the locale says of others. The second one compares at most their
/// first `size` bytes. O(size of the shorter).
bool hy_text_is_alike(const char *a, const char *b);
bool hy_text_begins_alike(const char *a, const char *b, size_t size);

/// A search for the known name that is nearest to what was typed.
typedef struct {
    const char *typed; ///< `size` bytes; needs no NUL at its end.
    size_t size;
    const char *name;  ///< The nearest name so far; NULL while none is near enough to be meant.
    unsigned distance; // private
} hy_suggestion;

/// Starts a search for what was meant by `size` bytes of `typed`, which must stay valid. O(1).
hy_suggestion hy_suggestion_start(const char *typed, size_t size);

/// Compares a known name, which must stay valid, by Levenshtein's distance. A name that begins with
/// what was typed counts as one letter wrong. Below 4 bytes one letter may be wrong, below 9 two,
/// in longer names a third of them. Of several that are equally near the first is kept; names
/// beyond 63 bytes are not compared. O(size of the one times size of the other).
void hy_suggestion_consider(hy_suggestion *self, const char *name);

// --------------------------------------------------------------------------- JSON piece by piece

/// A text under way.
typedef struct {
    uint8_t *bytes;
    size_t size, room;
    bool is_full; ///< Something did not fit: what is there is no JSON.
} hy_text;

/// An empty text that will be written into `room`, which stays the caller's. O(1).
hy_text hy_text_in(hy_room room);

/// Adds it as it is.
void hy_text_put(hy_text *self, const char *json);

/// A string with its quotation marks. What is no UTF-8 becomes '?', for browsers hang up on it.
void hy_text_put_string(hy_text *self, const char *text);

/// A number with up to `decimals` (0 .. 6) digits behind the point; within +-1e9, NaN is 0.
void hy_text_put_number(hy_text *self, double value, int decimals);

/// `true` or `false`.
void hy_text_put_flag(hy_text *self, bool value);

/// `"key":`, with a comma before it unless it is an object's first.
void hy_text_put_key(hy_text *self, const char *key);

/// Numbers as a list: [1,2].
void hy_text_put_list(hy_text *self, const double *values, size_t count, int decimals);

/// A comma unless `index` is 0.
void hy_text_put_comma(hy_text *self, size_t index);

// --------------------------------------------------------------------------- field tables

/// What a member of a JSON object is in a struct.
typedef enum {
    HY_JSON_INT,    ///< An int, limited to low .. high; `count` of them in a list if it is not 0.
    HY_JSON_FLAG,   ///< A bool, 0 or 1 in the text; in lists like ints.
    HY_JSON_BOOL,   ///< A bool, false or true in the text.
    HY_JSON_REAL,   ///< A double, limited to low .. high; in lists like ints.
    HY_JSON_CHOICE, ///< An int 0 .. high; any other is read as 0.
    HY_JSON_TEXT, ///< A char array of `count` bytes, at most HY_JSON_TEXT_MAX; longer text is cut.
    /// An int low .. low + count-1 written as one of `names`; less as the first, more as the last.
    /// Any other text is read as the last.
    HY_JSON_NAME,
    HY_JSON_VERSION,       ///< Always 1, and nowhere in the struct.
    HY_JSON_POINT_OBJECTS, ///< A hy_lidar_points as a list of objects.
    HY_JSON_POINT_LISTS,   ///< A hy_lidar_points as a list of lists.
    HY_JSON_GROUP,         ///< An object whose members are in the same struct.
    HY_JSON_RECORDS,       ///< A list of objects: an array of structs and its count.
} hy_json_kind;

#define HY_JSON_TEXT_MAX 32 ///< Largest `count` of a HY_JSON_TEXT.

typedef struct hy_json_record hy_json_record;

typedef struct {
    const char *key;
    size_t key_size;
    const char *why; ///< The error for a wrong type: "timer is not a number".
    hy_json_kind kind;
    /// Written if it shares a bit with the writer's; 0: always. Reading takes it always.
    unsigned when;
    size_t count;
    size_t offset;
    double low, high;
    const char *const *names;     ///< Of a HY_JSON_NAME.
    const hy_json_record *record; ///< Of a group, or of each of the records.
    size_t stride;                ///< From one record to the next.
    size_t count_offset;          ///< Where the number of records is; there are at most `count`.
} hy_json_field;

/// The members of a JSON object, in the order in which they are written. At most 32.
struct hy_json_record {
    const hy_json_field *fields;
    size_t count;
};

// --------------------------------------------------------------------------- writing by a table

/// Room for the longest object: lists and texts of a table are limited, so every object is.
#define HY_JSON_SIZE_MAX 16384
#define HY_JSON_GAPS_MAX 6 ///< Most lists of lidar points in one object.

/// Where a list of lidar points goes: the writer leaves it empty.
typedef struct {
    hy_lidar_points lidar;
    size_t at;       ///< Where in the text its points go.
    bool is_objects; ///< They are objects, not lists.
} hy_json_gap;

typedef struct {
    uint8_t text[HY_JSON_SIZE_MAX];
    size_t size;
    hy_json_gap gaps[HY_JSON_GAPS_MAX];
    size_t gap_count;
} hy_json_text;

/// Writes `from`, a struct that `record` describes, into `out`. `when` has the bits of what is
/// wanted. Values are limited as the table says, NaN and infinities written as 0, what is not UTF-8
/// as U+FFFD. Cannot fail for a table whose longest object fits: that is the table's author's to
/// see to, and asserted.
void hy_json_write(hy_json_text *out, const hy_json_record *record, const void *from, unsigned when);

// --------------------------------------------------------------------------- reading by a table

/// Memory for reading texts up to a size; a text touches what it needs. One thread at a time.
typedef struct hy_json_reader hy_json_reader;

/// A reader for texts of at most `text_max` bytes; it takes about 21 times as much memory. NULL if
/// memory is used up. End it with hy_json_reader_close(); NULL is harmless there.
hy_json_reader *hy_json_reader_open(size_t text_max);
void hy_json_reader_close(hy_json_reader *self);

/// Reads the members of a JSON object that `record` names into the struct `into`, and sets their
/// bits in `*seen`, in the order of the table. Unknown keys and nulls are passed over; of doubled
/// keys the last counts; numbers are limited to the table's ranges. Lidar points are the reader's,
/// valid until it reads again. Comments (`//` and `/* */`) and a comma behind the last member or
/// item are passed over too. HY_OK; HY_EFORMAT: no JSON, no object or a wrong type; HY_ERANGE:
/// longer than `text_max`, or nested too deep. `into` may be written in part on failure.
hy_status hy_json_read(hy_json_reader *self, hy_bytes text, const hy_json_record *record,
                       void *into, unsigned *seen);

/// Why the last text was refused: "leftJoystick is not a list of two numbers"; "" if it was not.
/// Valid until the reader reads again.
const char *hy_json_reader_why(const hy_json_reader *self);

/// Refuses the text that was just read, for a reason that no table has; `why` is static. Returns
/// HY_EFORMAT.
hy_status hy_json_refuse(hy_json_reader *self, const char *why);

/// Items of lists that accepted texts had more of than the structs take; only grows.
uint64_t hy_json_reader_left_out(const hy_json_reader *self);

#endif
