#include <assert.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "fields.h"

/// A number that no double holds is limited like any other; it comes as its text.
#define FLAGS YYJSON_READ_BIGNUM_AS_RAW

/// What yyjson may need for the longest message that is JSON: 13 bytes a byte of text, and a little.
/// What is not, and opens brackets to its end, may find it too small.
#define POOL_SIZE ((size_t)1 << 20)

/// As many as fit into a message: each takes at least "[]" or "{}" and a comma.
#define POINTS_MAX (HY_ICD_MESSAGE_MAX / 3 + 1)

struct hy_icd_reader {
    const char *why;
    uint64_t left_out;
    uint64_t left_out_now; ///< By the message being read.
    size_t point_count;    ///< In use by the last message.
    char syntax[128];      ///< A `why` that says where.
    hy_icd_lidar_point points[POINTS_MAX];
    _Alignas(16) uint8_t pool[POOL_SIZE];
};

hy_icd_reader *hy_icd_reader_new(void)
{
    assert(yyjson_read_max_memory_usage(HY_ICD_MESSAGE_MAX, FLAGS) <= POOL_SIZE);
    hy_icd_reader *const self = malloc(sizeof *self);
    if (self != NULL) { // memory that no message needs is never touched
        self->why = "";
        self->left_out = 0;
    }
    return self;
}

void hy_icd_reader_free(hy_icd_reader *self)
{
    free(self);
}

const char *hy_icd_reader_why(const hy_icd_reader *self)
{
    return self->why;
}

uint64_t hy_icd_reader_left_out(const hy_icd_reader *self)
{
    return self->left_out;
}

// --------------------------------------------------------------------------- single values

static bool read_number(const hy_icd_field *field, yyjson_val *value, double *out)
{
    double number;
    if (yyjson_is_num(value)) {
        number = yyjson_get_num(value);
    } else if (yyjson_is_raw(value)) {
        number = *yyjson_get_raw(value) == '-' ? -DBL_MAX : DBL_MAX;
    } else if (yyjson_is_bool(value) && (field->kind == HY_ICD_FLAG || field->kind == HY_ICD_BOOL)) {
        number = yyjson_get_bool(value);
    } else {
        return false;
    }
    if (field->kind == HY_ICD_CHOICE && !(number > -1 && number < field->high + 1)) {
        number = 0;
    }
    *out = hy_clamp(number, field->low, field->high, 0);
    return true;
}

static bool read_single(const hy_icd_field *field, yyjson_val *value, void *into, size_t index)
{
    double number;
    if (!read_number(field, value, &number)) {
        return false;
    }
    if (field->kind == HY_ICD_REAL) {
        ((double *)into)[index] = number;
    } else if (field->kind == HY_ICD_FLAG || field->kind == HY_ICD_BOOL) {
        ((bool *)into)[index] = number >= 1;
    } else {
        const int whole = (int)number;
        memcpy((int *)into + index, &whole, sizeof whole); // a hy_icd_ingestion too
    }
    return true;
}

// What a list has more than is wanted is not looked at, as with unknown keys.
static bool read_singles(const hy_icd_field *field, yyjson_val *value, void *into)
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
static bool read_text(const hy_icd_field *field, yyjson_val *value, char *into)
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

static bool read_colour(yyjson_val *value, void *into)
{
    const hy_icd_alliance alliance = yyjson_equals_str(value, "Blue") ? HY_ICD_BLUE : HY_ICD_RED;
    memcpy(into, &alliance, sizeof alliance);
    return yyjson_is_str(value);
}

// --------------------------------------------------------------------------- lidar

static bool read_record(hy_icd_reader *self, const hy_icd_record *record, yyjson_val *object,
                        void *into, unsigned *seen);

static bool read_triple(hy_icd_reader *self, yyjson_val *item, hy_icd_lidar_point *point)
{
    (void)self;
    const hy_icd_field *const fields = hy_icd_point_record.fields;
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

static bool read_point(hy_icd_reader *self, yyjson_val *item, hy_icd_lidar_point *point)
{
    unsigned seen = 0;
    *point = (hy_icd_lidar_point){ 0 };
    return read_record(self, &hy_icd_point_record, item, point, &seen);
}

// Whatever its name: on its way from sweeps of objects to points of triples the reference sent points of objects.
static bool read_lidar(hy_icd_reader *self, yyjson_val *list, hy_icd_lidar *into)
{
    if (!yyjson_is_arr(list)) {
        return false;
    }
    const size_t count = yyjson_arr_size(list);
    hy_icd_lidar_point *const points = self->points + self->point_count;
    yyjson_arr_iter items = yyjson_arr_iter_with(list);
    for (size_t i = 0; i < count; i++) {
        assert(self->point_count + i < POINTS_MAX); // every point before took three bytes of the text
        yyjson_val *const item = yyjson_arr_iter_next(&items);
        if (!(yyjson_is_obj(item) ? read_point : read_triple)(self, item, &points[i])) {
            return false;
        }
    }
    self->point_count += count;
    *into = (hy_icd_lidar){ points, count };
    return true;
}

// --------------------------------------------------------------------------- objects

static bool read_records(hy_icd_reader *self, const hy_icd_field *field, yyjson_val *list, char *into)
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

static bool read_value(hy_icd_reader *self, const hy_icd_field *field, yyjson_val *value, char *into)
{
    unsigned seen = 0;
    void *const at = into + field->offset;
    switch (field->kind) {
    case HY_ICD_INT:
    case HY_ICD_FLAG:
    case HY_ICD_BOOL:
    case HY_ICD_CHOICE:
    case HY_ICD_REAL: return read_singles(field, value, at);
    case HY_ICD_TEXT: return read_text(field, value, at);
    case HY_ICD_COLOUR: return read_colour(value, at);
    case HY_ICD_VERSION: return yyjson_is_num(value) && yyjson_get_num(value) == 1;
    case HY_ICD_SWEEP:
    case HY_ICD_TRIPLES: return read_lidar(self, value, at);
    case HY_ICD_GROUP: return read_record(self, field->record, value, into, &seen);
    case HY_ICD_RECORDS: return read_records(self, field, value, into);
    }
    return false;
}

// Members mostly come in the order of the list, so the search begins behind the last one found.
static const hy_icd_field *find(const hy_icd_record *record, yyjson_val *key, size_t *next)
{
    const char *const text = yyjson_get_str(key);
    const size_t size = yyjson_get_len(key);
    for (size_t i = 0; i < record->count; i++) {
        const size_t at = *next + i < record->count ? *next + i : *next + i - record->count;
        const hy_icd_field *const field = &record->fields[at];
        if (field->key_size == size && memcmp(field->key, text, size) == 0) {
            *next = at + 1;
            return field;
        }
    }
    return NULL;
}

/// Reads the members of `object` that `record` names into the struct `into`; false and `why` if one is
/// wrong. `seen` gets the bits of those that were there: a null is not.
static bool read_record(hy_icd_reader *self, const hy_icd_record *record, yyjson_val *object,
                        void *into, unsigned *seen)
{
    if (!yyjson_is_obj(object)) {
        return false;
    }
    size_t next = 0;
    yyjson_obj_iter members = yyjson_obj_iter_with(object);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members)) != NULL;) {
        yyjson_val *const value = yyjson_obj_iter_get_val(key);
        const hy_icd_field *const field = find(record, key, &next);
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

// --------------------------------------------------------------------------- messages

static hy_status refuse(hy_icd_reader *self, hy_status status, const char *why)
{
    self->why = why;
    return status;
}

static hy_status refuse_syntax(hy_icd_reader *self, const yyjson_read_err *error)
{
    if (error->code == YYJSON_READ_ERROR_MEMORY_ALLOCATION) {
        return refuse(self, HY_ERANGE, "nested too deep for the memory of a reader");
    }
    snprintf(self->syntax, sizeof self->syntax, "not JSON at byte %zu: %s", error->pos, error->msg);
    return refuse(self, HY_EFORMAT, self->syntax);
}

static hy_status read_message(hy_icd_reader *self, hy_bytes text, const hy_icd_record *record,
                              void *into, unsigned *seen)
{
    self->why = "";
    self->point_count = 0;
    self->left_out_now = 0;
    if (text.size > HY_ICD_MESSAGE_MAX) {
        return refuse(self, HY_ERANGE, "longer than 65507 bytes");
    }
    yyjson_alc memory;
    yyjson_read_err error;
    yyjson_alc_pool_init(&memory, self->pool, sizeof self->pool);
    // Without YYJSON_READ_INSITU it does not write to the text.
    yyjson_doc *const document =
        yyjson_read_opts((char *)(uintptr_t)text.data, text.size, FLAGS, &memory, &error);
    if (document == NULL) {
        return refuse_syntax(self, &error);
    }
    if (!read_record(self, record, yyjson_doc_get_root(document), into, seen)) {
        return refuse(self, HY_EFORMAT, *self->why == '\0' ? "not a JSON object" : self->why);
    }
    self->left_out += self->left_out_now;
    return HY_OK; // the document needs no end: its memory is the pool
}

hy_status hy_icd_read_sticks(hy_icd_reader *self, hy_bytes text, hy_icd_sticks *out)
{
    unsigned seen = 0;
    hy_icd_sticks message = { 0 };
    const hy_status status = read_message(self, text, &hy_icd_sticks_record, &message, &seen);
    if (status == HY_OK) {
        *out = message;
    }
    return status;
}

hy_status hy_icd_read_commands(hy_icd_reader *self, hy_bytes text, hy_icd_commands *out)
{
    unsigned seen = 0;
    hy_icd_commands message = { 0 };
    const hy_status status = read_message(self, text, &hy_icd_commands_record, &message, &seen);
    if (status == HY_OK) {
        *out = message;
    }
    return status;
}

hy_status hy_icd_read_sensors(hy_icd_reader *self, hy_bytes text, hy_icd_sensors *out)
{
    unsigned seen = 0;
    hy_icd_sensors message = { 0 };
    const hy_status status = read_message(self, text, &hy_icd_sensors_record, &message, &seen);
    if (status == HY_OK) {
        message.has_pose = (seen & HY_ICD_POSE_BITS) == HY_ICD_POSE_BITS;
        *out = message;
    }
    return status;
}

hy_status hy_icd_read_match(hy_icd_reader *self, hy_bytes text, hy_icd_match *out)
{
    unsigned seen = 0;
    hy_icd_match message = { 0 };
    const hy_status status = read_message(self, text, &hy_icd_match_record, &message, &seen);
    if (status == HY_OK) {
        *out = message;
    }
    return status;
}

hy_status hy_icd_read_status(hy_icd_reader *self, hy_bytes text, hy_icd_status *out)
{
    unsigned seen = 0;
    hy_icd_status message = { 0 };
    const hy_status status = read_message(self, text, &hy_icd_status_record, &message, &seen);
    if (status == HY_OK && (seen & 1U) == 0) {
        return refuse(self, HY_EFORMAT, "status is not 1");
    }
    if (status == HY_OK) {
        *out = message;
    }
    return status;
}

hy_status hy_icd_read_heartbeat(hy_icd_reader *self, hy_bytes text)
{
    static const hy_icd_record nothing = { NULL, 0 };
    unsigned seen = 0;
    return read_message(self, text, &nothing, NULL, &seen);
}
