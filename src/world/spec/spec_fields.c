#include "spec_fields.h"

#include <stdio.h>
#include <string.h>

size_t hy_spec_list_count(const hy_spec_field *field, const void *of)
{
    size_t count;
    memcpy(&count, (const char *)of + field->count_offset, sizeof count);
    return count;
}

const void *hy_spec_list_items(const hy_spec_field *field, const void *of)
{
    const void *const place = (const char *)of + field->offset;
    if (!field->is_pointer) {
        return place;
    }
    const void *items;
    memcpy(&items, place, sizeof items);
    return items;
}

unsigned hy_spec_choice(const void *at)
{
    unsigned value;
    memcpy(&value, at, sizeof value); // compilers give the enums of the specs the size of an int
    return value;
}

const hy_spec_table *hy_spec_item_table(const hy_spec_field *field, const void *item)
{
    if (field->table_count == 1) {
        return field->tables[0];
    }
    const unsigned which = hy_spec_choice(item);
    return which < field->table_count ? field->tables[which] : NULL;
}

// --------------------------------------------------------------------------- ranges

static bool say_why(hy_spec_sentence *why, const hy_spec_field *field, const char *what)
{
    snprintf(why->text, sizeof why->text, "%s%s%s %s", field->section != NULL ? field->section : "",
             field->section != NULL ? ": " : "", field->name, what);
    return false;
}

static bool check_number(const hy_spec_field *field, double value, hy_spec_sentence *why)
{
    const double unit = field->unit != 0 ? field->unit : 1;
    char what[96];
    if (value >= field->low * unit && value <= field->high * unit) {
        return true;
    }
    snprintf(what, sizeof what, "must be from %g to %g, not %g", field->low, field->high,
             value / unit);
    return say_why(why, field, what);
}

static bool check_text(const hy_spec_field *field, const char *text, hy_spec_sentence *why)
{
    const char *end = memchr(text, '\0', (size_t)field->high);
    if (end == NULL) {
        return say_why(why, field, "is too long");
    }
    return (double)(end - text) >= field->low || say_why(why, field, "needs some text");
}

static bool check_list(const hy_spec_field *field, const void *of, hy_spec_sentence *why)
{
    const size_t count = hy_spec_list_count(field, of);
    char what[96];
    if (!((double)count >= field->low && (double)count <= field->high)) {
        snprintf(what, sizeof what, "needs %g to %g items, not %zu", field->low, field->high, count);
        return say_why(why, field, what);
    }
    const char *item = hy_spec_list_items(field, of);
    for (size_t i = 0; i < count; i++) {
        const hy_spec_table *table = hy_spec_item_table(field, item);
        hy_spec_sentence inner;
        if (table == NULL) {
            return say_why(why, field, "has an item of an unknown type");
        }
        if (!hy_spec_check(table, item, &inner)) {
            snprintf(why->text, sizeof why->text, "%s %zu: %.160s", field->name, i + 1, inner.text);
            return false;
        }
        item += table->size;
    }
    return true;
}

static bool check_mat(const hy_mat_spec *mat, hy_spec_sentence *why)
{
    if (mat->cells == NULL) {
        return true;
    }
    const bool fits = mat->columns > 0 && mat->rows > 0 && mat->columns <= HY_MAT_CELLS / mat->rows;
    const double size[] = { mat->size_m.x_m, mat->size_m.y_m };
    const double corner[] = { mat->corner_m.x_m, mat->corner_m.y_m };
    bool lies = true;
    for (size_t i = 0; i < 2; i++) {
        lies = lies && size[i] >= 0.01 && size[i] <= 200 && corner[i] >= -200 && corner[i] <= 200;
    }
    snprintf(why->text, sizeof why->text, "%s",
             fits ? "mat: size_m must be from 0.01 to 200, and corner_m from -200 to 200"
                  : "mat: it needs 1 to 16 million cells");
    return fits && lies;
}

static bool check_field(const hy_spec_field *field, const void *of, hy_spec_sentence *why)
{
    const void *at = (const char *)of + field->offset;
    hy_point point = { 0, 0 };
    switch (field->type) {
    case HY_SPEC_NUMBER:
        memcpy(&point.x_m, at, sizeof point.x_m);
        return check_number(field, point.x_m, why);
    case HY_SPEC_POINT:
        memcpy(&point, at, sizeof point);
        return check_number(field, point.x_m, why) && check_number(field, point.y_m, why);
    case HY_SPEC_TEXT: return check_text(field, at, why);
    case HY_SPEC_FLAG: return true;
    case HY_SPEC_CHOICE:
        return hy_spec_choice(at) < field->high || say_why(why, field, "has an unknown value");
    case HY_SPEC_LIST: return check_list(field, of, why);
    case HY_SPEC_MAT: return check_mat(at, why);
    }
    return false;
}

bool hy_spec_check(const hy_spec_table *table, const void *of, hy_spec_sentence *why)
{
    for (size_t i = 0; i < table->count; i++) {
        if (!check_field(&table->fields[i], of, why)) {
            return false;
        }
    }
    return true;
}
