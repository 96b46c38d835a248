// The byte form of a spec: SPEC world-spec. Its order is that of the tables of fields.
#include <stdlib.h>
#include <string.h>

#include "base/base_bytes.h"
#include "spec_fields.h"

static const uint8_t magic[4] = { 'H', 'Y', 'W', 'S' };
#define VERSION 5

/// Most equal cells in one run.
#define RUN_MOST 65535

// --------------------------------------------------------------------------- writing

/// Counts all bytes, and writes those that fit.
typedef struct {
    hy_room room;
    size_t size;
} writer;

static void put_bytes(writer *w, const void *bytes, size_t size)
{
    if (w->size <= w->room.size && size <= w->room.size - w->size && size > 0) {
        memcpy(w->room.data + w->size, bytes, size);
    }
    w->size += size;
}

/// The lowest `size` bytes of a number, the lowest first.
static void put_number(writer *w, uint64_t value, size_t size)
{
    uint8_t bytes[8];
    hy_store_le(bytes, value, size);
    put_bytes(w, bytes, size);
}

static void put_f64(writer *w, const void *at)
{
    uint64_t bits;
    memcpy(&bits, at, sizeof bits);
    put_number(w, bits, 8);
}

static void put_struct(writer *w, const hy_spec_table *table, const void *of);

static void put_list(writer *w, const hy_spec_field *field, const void *of)
{
    const size_t count = hy_spec_list_count(field, of);
    const char *item = hy_spec_list_items(field, of);
    put_number(w, count, 2);
    for (size_t i = 0; i < count; i++) {
        const hy_spec_table *table = hy_spec_item_table(field, item);
        if (field->table_count > 1) {
            put_number(w, hy_spec_choice(item), 1);
        }
        put_struct(w, table, item);
        item += table->size;
    }
}

// How many of the first `count` cells are equal: eight at a time, since a mat has millions.
static size_t count_equal(const uint8_t *cells, size_t count)
{
    const uint64_t eight = UINT64_C(0x0101010101010101) * cells[0];
    size_t equal = 1;
    for (uint64_t next; equal + sizeof next <= count; equal += sizeof next) {
        memcpy(&next, cells + equal, sizeof next);
        if (next != eight) {
            break;
        }
    }
    while (equal < count && cells[equal] == cells[0]) {
        equal++;
    }
    return equal;
}

static void put_mat(writer *w, const hy_mat_spec *mat)
{
    const size_t cells = mat->cells != NULL ? mat->columns * mat->rows : 0;
    put_number(w, cells > 0 ? mat->columns : 0, 4);
    put_number(w, cells > 0 ? mat->rows : 0, 4);
    put_f64(w, &mat->corner_m.x_m);
    put_f64(w, &mat->corner_m.y_m);
    put_f64(w, &mat->size_m.x_m);
    put_f64(w, &mat->size_m.y_m);
    for (size_t at = 0; at < cells;) {
        const size_t left = cells - at;
        const size_t run = count_equal(mat->cells + at, left < RUN_MOST ? left : RUN_MOST);
        put_number(w, run, 2);
        put_number(w, mat->cells[at], 1);
        at += run;
    }
}

static void put_field(writer *w, const hy_spec_field *field, const void *of)
{
    const char *at = (const char *)of + field->offset;
    size_t size = 0;
    switch (field->type) {
    case HY_SPEC_NUMBER: put_f64(w, at); break;
    case HY_SPEC_POINT:
        put_f64(w, at);
        put_f64(w, at + sizeof(double));
        break;
    case HY_SPEC_TEXT:
        while (size + 1 < (size_t)field->high && at[size] != '\0') {
            size++;
        }
        put_number(w, size, 1);
        put_bytes(w, at, size);
        break;
    case HY_SPEC_FLAG: put_number(w, *(const bool *)at, 1); break;
    case HY_SPEC_CHOICE: put_number(w, hy_spec_choice(at), 1); break;
    case HY_SPEC_LIST: put_list(w, field, of); break;
    case HY_SPEC_MAT: put_mat(w, (const hy_mat_spec *)(const void *)at); break;
    }
}

static void put_struct(writer *w, const hy_spec_table *table, const void *of)
{
    for (size_t i = 0; i < table->count; i++) {
        put_field(w, &table->fields[i], of);
    }
}

size_t hy_world_spec_write(const hy_world_spec *spec, hy_room room)
{
    writer w = { room, 0 };
    put_bytes(&w, magic, sizeof magic);
    put_number(&w, VERSION, 2);
    put_struct(&w, &hy_world_spec_table, spec);
    return w.size;
}

// --------------------------------------------------------------------------- reading

/// What is left. After the first error, everything reads as 0.
typedef struct {
    hy_bytes rest;
    hy_status status; ///< HY_OK, HY_EFORMAT or HY_EMEMORY.
    unsigned version;
} reader;

static void fail(reader *r)
{
    r->rest = (hy_bytes){ NULL, 0 };
    r->status = r->status == HY_OK ? HY_EFORMAT : r->status;
}

/// The next `size` bytes, NULL if there are fewer.
static const uint8_t *take_bytes(reader *r, size_t size)
{
    if (r->status != HY_OK || size > r->rest.size) {
        fail(r);
        return NULL;
    }
    const uint8_t *bytes = r->rest.data;
    r->rest = (hy_bytes){ bytes + size, r->rest.size - size };
    return bytes;
}

static uint64_t take_number(reader *r, size_t size)
{
    const uint8_t *bytes = take_bytes(r, size);
    return bytes != NULL ? hy_load_le(bytes, size) : 0;
}

static void take_f64(reader *r, void *at)
{
    const uint64_t bits = take_number(r, 8);
    memcpy(at, &bits, sizeof bits);
}

/// An enum below `end`.
static unsigned take_choice(reader *r, size_t end)
{
    const unsigned value = (unsigned)take_number(r, 1);
    if (value >= end) {
        fail(r);
        return 0;
    }
    return value;
}

static void take_text(reader *r, char *at, size_t most)
{
    const size_t size = (size_t)take_number(r, 1);
    const uint8_t *bytes = take_bytes(r, size);
    if (bytes == NULL || size >= most || memchr(bytes, '\0', size) != NULL) {
        fail(r);
        return;
    }
    memcpy(at, bytes, size);
    at[size] = '\0';
}

static void take_struct(reader *r, const hy_spec_table *table, void *of);

/// Makes room for a list by pointer.
static char *allocate_list(reader *r, const hy_spec_field *field, void *of, size_t count)
{
    void *items = calloc(count, field->tables[0]->size);
    if (items == NULL && r->status == HY_OK) {
        r->status = HY_EMEMORY;
    }
    memcpy((char *)of + field->offset, &items, sizeof items);
    return items;
}

static void take_list(reader *r, const hy_spec_field *field, void *of)
{
    const size_t count = (size_t)take_number(r, 2);
    char *item = (char *)of + field->offset;
    if ((double)count > field->high) {
        fail(r);
        return;
    }
    if (field->is_pointer) {
        item = count > 0 ? allocate_list(r, field, of, count) : NULL;
    }
    for (size_t i = 0; i < count && r->status == HY_OK; i++) {
        const unsigned which = field->table_count > 1 ? take_choice(r, field->table_count) : 0;
        const hy_spec_table *table = field->tables[which];
        memset(item, 0, table->size);
        if (field->table_count > 1) {
            memcpy(item, &which, sizeof which);
        }
        take_struct(r, table, item);
        item += table->size;
    }
    const size_t kept = r->status == HY_OK ? count : 0;
    memcpy((char *)of + field->count_offset, &kept, sizeof kept);
}

static void take_cells(reader *r, hy_mat_spec *mat, size_t cells)
{
    size_t before = RUN_MOST;
    for (size_t at = 0; at < cells && r->status == HY_OK;) {
        const size_t run = (size_t)take_number(r, 2);
        const int cell = (int)take_number(r, 1);
        // Runs are as long as they can be, so that a mat has one form.
        const bool goes_on = before < RUN_MOST && mat->cells[at - 1] == cell;
        if (run == 0 || run > cells - at || goes_on) {
            fail(r);
            return;
        }
        memset(mat->cells + at, cell, run);
        at += run;
        before = run;
    }
}

static void take_mat(reader *r, hy_mat_spec *mat)
{
    const size_t columns = (size_t)take_number(r, 4);
    const size_t rows = (size_t)take_number(r, 4);
    double *const numbers[] = { &mat->corner_m.x_m, &mat->corner_m.y_m, &mat->size_m.x_m,
                                &mat->size_m.y_m };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        take_f64(r, numbers[i]);
    }
    if (columns == 0 && rows == 0) {
        return;
    }
    // A run holds at most RUN_MOST cells: what is left of the bytes bounds what is allocated.
    if (columns == 0 || rows == 0 || columns > HY_MAT_CELLS / rows ||
        columns * rows / RUN_MOST > r->rest.size / 3) {
        fail(r);
        return;
    }
    if (!hy_mat_spec_make(mat, columns, rows, 0)) {
        r->status = HY_EMEMORY;
        return;
    }
    take_cells(r, mat, columns * rows);
}

static void take_field(reader *r, const hy_spec_field *field, void *of)
{
    char *at = (char *)of + field->offset;
    unsigned choice;
    switch (field->type) {
    case HY_SPEC_NUMBER: take_f64(r, at); break;
    case HY_SPEC_POINT:
        take_f64(r, at);
        take_f64(r, at + sizeof(double));
        break;
    case HY_SPEC_TEXT: take_text(r, at, (size_t)field->high); break;
    case HY_SPEC_FLAG: *(bool *)at = take_choice(r, 2) == 1; break;
    case HY_SPEC_CHOICE:
        choice = take_choice(r, (size_t)field->high);
        memcpy(at, &choice, sizeof choice);
        break;
    case HY_SPEC_LIST: take_list(r, field, of); break;
    case HY_SPEC_MAT: take_mat(r, (hy_mat_spec *)(void *)at); break;
    }
}

static void take_struct(reader *r, const hy_spec_table *table, void *of)
{
    for (size_t i = 0; i < table->count && r->status == HY_OK; i++) {
        if (table->fields[i].since <= r->version) { // else it is 0, which changes nothing
            take_field(r, &table->fields[i], of);
        }
    }
}

hy_status hy_world_spec_read(hy_bytes bytes, hy_world_spec *spec)
{
    reader r = { bytes, HY_OK, 0 };
    hy_world_spec_init(spec);
    const uint8_t *begin = take_bytes(&r, sizeof magic);
    r.version = (unsigned)take_number(&r, 2);
    if (begin == NULL || memcmp(begin, magic, sizeof magic) != 0 || r.version == 0 ||
        r.version > VERSION) {
        fail(&r);
    }
    take_struct(&r, &hy_world_spec_table, spec);
    if (r.rest.size > 0) {
        fail(&r);
    }
    if (r.status != HY_OK) {
        hy_world_spec_free(spec);
    }
    return r.status;
}
