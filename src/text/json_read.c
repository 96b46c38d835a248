#include "reader.h"

#include <assert.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "text_decimal.h"

/// A number that no double holds is limited like any other; it comes as its text.
#define FLAGS YYJSON_READ_BIGNUM_AS_RAW

/// Memory for yyjson: it needs 13 bytes a byte of JSON, and a little. What is not JSON, and opens brackets to its
/// end, may find it too small.
#define POOL_PER_BYTE 16
#define POOL_UNIT     65536

static size_t pool_size(size_t text_max)
{
    return (text_max * POOL_PER_BYTE + POOL_UNIT - 1) / POOL_UNIT * POOL_UNIT;
}

/// As many lidar points as fit into a text: each takes at least "[]" or "{}" and a comma.
static size_t points_max(size_t text_max)
{
    return text_max / 3 + 1;
}

struct hy_json_reader {
    const char *why;
    uint64_t left_out;
    uint64_t left_out_now; ///< By the text being read.
    size_t point_count;    ///< In use by the last text.
    size_t text_max, pool_size;
    char syntax[128]; ///< A `why` that says where.
    hy_lidar_point *points;
    uint8_t *pool;
};

hy_json_reader *hy_json_reader_open(size_t text_max)
{
    assert(yyjson_read_max_memory_usage(text_max, FLAGS) <= pool_size(text_max));
    // One piece: the struct, the pool and the points, each where its type may stand.
    const size_t head = (sizeof(hy_json_reader) + 15) / 16 * 16, pool = pool_size(text_max);
    uint8_t *const memory = malloc(head + pool + points_max(text_max) * sizeof(hy_lidar_point));
    hy_json_reader *const self = (hy_json_reader *)(void *)memory;
    if (self != NULL) { // memory that no text needs is never touched
        self->why = "";
        self->left_out = 0;
        self->text_max = text_max;
        self->pool_size = pool;
        self->pool = memory + head;
        self->points = (hy_lidar_point *)(void *)(memory + head + pool);
    }
    return self;
}

void hy_json_reader_close(hy_json_reader *self)
{
    free(self);
}

const char *hy_json_reader_why(const hy_json_reader *self)
{
    return self->why;
}

uint64_t hy_json_reader_left_out(const hy_json_reader *self)
{
    return self->left_out;
}

// --------------------------------------------------------------------------- single values

static bool read_number(const hy_json_field *field, yyjson_val *value, double *out)
{
    double number;
    if (yyjson_is_num(value)) {
        number = yyjson_get_num(value);
    } else if (yyjson_is_raw(value)) {
        number = *yyjson_get_raw(value) == '-' ? -DBL_MAX : DBL_MAX;
    } else if (yyjson_is_bool(value) && (field->kind == HY_JSON_FLAG || field->kind == HY_JSON_BOOL)) {
        number = yyjson_get_bool(value);
    } else {
        return false;
    }
    if (field->kind == HY_JSON_CHOICE && !(number > -1 && number < field->high + 1)) {
        number = 0;
    }
    *out = hy_clamp(number, field->low, field->high, 0);
    return true;
}

static bool read_single(const hy_json_field *field, yyjson_val *value, void *into, size_t index)
{
    double number;
    if (!read_number(field, value, &number)) {
        return false;
    }
    if (field->kind == HY_JSON_REAL) {
        ((double *)into)[index] = number;
    } else if (field->kind == HY_JSON_FLAG || field->kind == HY_JSON_BOOL) {
        ((bool *)into)[index] = number >= 1;
    } else {
        const int whole = (int)number;
        memcpy((int *)into + index, &whole, sizeof whole); // an enum too
    }
    return true;
}

// What a list has more than is wanted is not looked at, as with unknown keys.
static bool read_singles(const hy_json_field *field, yyjson_val *value, void *into)
{
    if (field->count == 0) {
        return read_single(field, value, into, 0);
    }
    if (!yyjson_is_arr(value) || yyjson_arr_size(value) < field->count) {
        return false;
    }
    yyjson_arr_iter items = yyjson_arr_iter_with(value);
    for (size_t i = 0; i < field->count; i++) {
        if (!read_single(field, yyjson_arr_iter_next(&items), into, i)) {
            return false;
        }
    }
    return true;
}

// Cut before a character that would not fit whole, and at a NUL.
static bool read_text(const hy_json_field *field, yyjson_val *value, char *into)
{
    if (!yyjson_is_str(value)) {
        return false;
    }
    const char *const text = yyjson_get_str(value);
    size_t size = strlen(text);
    if (size >= field->count) {
        size = field->count - 1;
        while (((uint8_t)text[size] & 0xC0) == 0x80) {
            size--;
        }
    }
    memcpy(into, text, size);
    into[size] = '\0';
    return true;
}

// A name that is none of the others is the last.
static bool read_name(const hy_json_field *field, yyjson_val *value, void *into)
{
    size_t index = 0;
    while (index + 1 < field->count && !yyjson_equals_str(value, field->names[index])) {
        index++;
    }
    const int number = (int)field->low + (int)index;
    memcpy(into, &number, sizeof number);
    return yyjson_is_str(value);
}

// --------------------------------------------------------------------------- lidar

static bool read_record(hy_json_reader *self, const hy_json_record *record, yyjson_val *object,
                        void *into, unsigned *seen);

static const hy_json_field point_fields[] = {
    { "azimuth", 7, "azimuth of a lidar point is not a number", .kind = HY_JSON_REAL,
      .offset = offsetof(hy_lidar_point, azimuth_rad), .high = 2 * HY_PI },
    { "elevation", 9, "elevation of a lidar point is not a number", .kind = HY_JSON_REAL,
      .offset = offsetof(hy_lidar_point, elevation_rad), .low = -HY_DECIMAL_MOST,
      .high = HY_DECIMAL_MOST },
    { "range", 5, "range of a lidar point is not a number", .kind = HY_JSON_REAL,
      .offset = offsetof(hy_lidar_point, range_m), .low = -1, .high = HY_DECIMAL_MOST },
};
static const hy_json_record point_record = { point_fields, 3 };

static bool read_triple(hy_json_reader *self, yyjson_val *item, hy_lidar_point *point)
{
    (void)self;
    const hy_json_field *const fields = point_fields;
    double *const numbers[3] = { &point->azimuth_rad, &point->elevation_rad, &point->range_m };
    if (!yyjson_is_arr(item) || yyjson_arr_size(item) < 3) {
        return false;
    }
    yyjson_arr_iter items = yyjson_arr_iter_with(item);
    for (size_t i = 0; i < 3; i++) {
        if (!read_number(&fields[i], yyjson_arr_iter_next(&items), numbers[i])) {
            return false;
        }
    }
    return true;
}

static bool read_point(hy_json_reader *self, yyjson_val *item, hy_lidar_point *point)
{
    unsigned seen = 0;
    *point = (hy_lidar_point){ 0 };
    return read_record(self, &point_record, item, point, &seen);
}

// Whatever its name: on its way from sweeps of objects to points of triples the reference sent points of objects.
static bool read_lidar(hy_json_reader *self, yyjson_val *list, hy_lidar_points *into)
{
    if (!yyjson_is_arr(list)) {
        return false;
    }
    const size_t count = yyjson_arr_size(list);
    hy_lidar_point *const points = self->points + self->point_count;
    yyjson_arr_iter items = yyjson_arr_iter_with(list);
    for (size_t i = 0; i < count; i++) {
        assert(self->point_count + i <
               points_max(self->text_max)); // every point before took three bytes of the text
        yyjson_val *const item = yyjson_arr_iter_next(&items);
        if (!(yyjson_is_obj(item) ? read_point : read_triple)(self, item, &points[i])) {
            return false;
        }
    }
    self->point_count += count;
    *into = (hy_lidar_points){ points, count };
    return true;
}

// --------------------------------------------------------------------------- objects

static bool read_records(hy_json_reader *self, const hy_json_field *field, yyjson_val *list,
                         char *into)
{
    if (!yyjson_is_arr(list)) {
        return false;
    }
    const size_t all = yyjson_arr_size(list);
    const size_t count = all < field->count ? all : field->count;
    yyjson_arr_iter items = yyjson_arr_iter_with(list);
    memset(into + field->offset, 0, field->count * field->stride); // of an earlier list of this name
    for (size_t i = 0; i < count; i++) {
        unsigned seen = 0;
        void *const at = into + field->offset + i * field->stride;
        if (!read_record(self, field->record, yyjson_arr_iter_next(&items), at, &seen)) {
            return false;
        }
    }
    memcpy(into + field->count_offset, &count, sizeof count);
    self->left_out_now += all - count;
    return true;
}

static bool read_value(hy_json_reader *self, const hy_json_field *field, yyjson_val *value,
                       char *into)
{
    unsigned seen = 0;
    void *const at = into + field->offset;
    switch (field->kind) {
    case HY_JSON_INT:
    case HY_JSON_FLAG:
    case HY_JSON_BOOL:
    case HY_JSON_CHOICE:
    case HY_JSON_REAL: return read_singles(field, value, at);
    case HY_JSON_TEXT: return read_text(field, value, at);
    case HY_JSON_NAME: return read_name(field, value, at);
    case HY_JSON_VERSION: return yyjson_is_num(value) && yyjson_get_num(value) == 1;
    case HY_JSON_POINT_OBJECTS:
    case HY_JSON_POINT_LISTS: return read_lidar(self, value, at);
    case HY_JSON_GROUP: return read_record(self, field->record, value, into, &seen);
    case HY_JSON_RECORDS: return read_records(self, field, value, into);
    }
    return false;
}

// Members mostly come in the order of the list, so the search begins behind the last one found.
static const hy_json_field *find_field(const hy_json_record *record, yyjson_val *key, size_t *next)
{
    const char *const text = yyjson_get_str(key);
    const size_t size = yyjson_get_len(key);
    for (size_t i = 0; i < record->count; i++) {
        const size_t at = *next + i < record->count ? *next + i : *next + i - record->count;
        const hy_json_field *const field = &record->fields[at];
        if (field->key_size == size && memcmp(field->key, text, size) == 0) {
            *next = at + 1;
            return field;
        }
    }
    return NULL;
}

/// Reads the members of `object` that `record` names into the struct `into`; false and `why` if one is
/// wrong. `seen` gets the bits of those that were there: a null is not.
static bool read_record(hy_json_reader *self, const hy_json_record *record, yyjson_val *object,
                        void *into, unsigned *seen)
{
    if (!yyjson_is_obj(object)) {
        return false;
    }
    size_t next = 0;
    yyjson_obj_iter members = yyjson_obj_iter_with(object);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members)) != NULL;) {
        yyjson_val *const value = yyjson_obj_iter_get_val(key);
        const hy_json_field *const field = find_field(record, key, &next);
        if (field == NULL || yyjson_is_null(value)) {
            continue;
        }
        if (!read_value(self, field, value, into)) {
            self->why = *self->why == '\0' ? field->why : self->why; // the innermost knows best
            return false;
        }
        *seen |= 1U << (field - record->fields);
    }
    return true;
}

// --------------------------------------------------------------------------- texts

static hy_status refuse_value(hy_json_reader *self, hy_status status, const char *why)
{
    self->why = why;
    return status;
}

static hy_status refuse_syntax(hy_json_reader *self, const yyjson_read_err *error)
{
    if (error->code == YYJSON_READ_ERROR_MEMORY_ALLOCATION) {
        return refuse_value(self, HY_ERANGE, "nested too deep for the memory of a reader");
    }
    snprintf(self->syntax, sizeof self->syntax, "not JSON at byte %zu: %s", error->pos, error->msg);
    return refuse_value(self, HY_EFORMAT, self->syntax);
}

hy_status hy_json_refuse(hy_json_reader *self, const char *why)
{
    return refuse_value(self, HY_EFORMAT, why);
}

yyjson_val *text_reader_parse(hy_json_reader *self, hy_bytes text, unsigned extensions,
                              hy_status *status)
{
    self->why = "";
    self->point_count = 0;
    self->left_out_now = 0;
    if (text.size > self->text_max) {
        snprintf(self->syntax, sizeof self->syntax, "longer than %zu bytes", self->text_max);
        *status = refuse_value(self, HY_ERANGE, self->syntax);
        return NULL;
    }
    yyjson_alc memory;
    yyjson_read_err error;
    yyjson_alc_pool_init(&memory, self->pool, self->pool_size);
    // Without YYJSON_READ_INSITU it does not write to the text.
    yyjson_doc *const document = yyjson_read_opts((char *)(uintptr_t)text.data, text.size,
                                                  FLAGS | extensions, &memory, &error);
    if (document == NULL) {
        *status = refuse_syntax(self, &error);
        return NULL;
    }
    return yyjson_doc_get_root(document); // the document needs no end: its memory is the pool
}

hy_status hy_json_read(hy_json_reader *self, hy_bytes text, const hy_json_record *record,
                       void *into, unsigned *seen)
{
    hy_status status = HY_EFORMAT;
    *seen = 0;
    // As people write them who copy from a document.
    yyjson_val *const root = text_reader_parse(
        self, text, YYJSON_READ_ALLOW_COMMENTS | YYJSON_READ_ALLOW_TRAILING_COMMAS, &status);
    if (root == NULL) {
        return status;
    }
    if (!read_record(self, record, root, into, seen)) {
        return refuse_value(self, HY_EFORMAT, *self->why == '\0' ? "not a JSON object" : self->why);
    }
    self->left_out += self->left_out_now;
    return HY_OK;
}
