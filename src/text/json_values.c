// JSON of any shape: a thin cover of yyjson's values.
#include "reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "text_json.h"

#define LEVELS_MAX 8 // of lists and objects that are written again

static yyjson_val *inner(const hy_json_value *value)
{
    return (yyjson_val *)(uintptr_t)value;
}

static const hy_json_value *outer(const yyjson_val *value)
{
    return (const hy_json_value *)value;
}

const hy_json_value *hy_json_parse(hy_json_reader *reader, hy_bytes text)
{
    hy_status status;
    return outer(text_reader_parse(reader, text, 0, &status));
}

static const char *text_of(yyjson_val *value)
{
    const char *const text = yyjson_get_str(value);
    return text != NULL && strlen(text) == yyjson_get_len(value) ? text : NULL;
}

const hy_json_value *hy_json_member(const hy_json_value *object, const char *key)
{
    yyjson_val *found = NULL;
    yyjson_obj_iter members;
    if (yyjson_obj_iter_init(inner(object), &members)) {
        for (yyjson_val *at; (at = yyjson_obj_iter_next(&members)) != NULL;) {
            found = yyjson_equals_str(at, key) ? yyjson_obj_iter_get_val(at) : found;
        }
    }
    return outer(found);
}

const char *hy_json_string(const hy_json_value *value)
{
    return text_of(inner(value));
}

bool hy_json_number(const hy_json_value *value, double *out)
{
    const bool is_number = yyjson_is_num(inner(value));
    *out = is_number ? yyjson_get_num(inner(value)) : 0.0;
    return is_number;
}

bool hy_json_flag(const hy_json_value *value, bool *out)
{
    *out = yyjson_get_bool(inner(value));
    return yyjson_is_bool(inner(value));
}

bool hy_json_is_null(const hy_json_value *value)
{
    return yyjson_is_null(inner(value));
}

bool hy_json_is_object(const hy_json_value *value)
{
    return yyjson_is_obj(inner(value));
}

// --------------------------------------------------------------------------- lists and objects

hy_json_items hy_json_items_of(const hy_json_value *value)
{
    yyjson_val *const list = inner(value);
    if (yyjson_is_arr(list)) {
        return (hy_json_items){ outer(yyjson_arr_get_first(list)), yyjson_arr_size(list), false };
    }
    yyjson_obj_iter members;
    const bool has_members = yyjson_obj_iter_init(list, &members);
    return (hy_json_items){ has_members ? outer(members.cur) : NULL, yyjson_obj_size(list), true };
}

bool hy_json_next(hy_json_items *items, const char **key, const hy_json_value **value)
{
    if (items->left == 0) {
        return false;
    }
    yyjson_val *const at = inner(items->at);
    yyjson_val *const found = items->has_keys ? yyjson_obj_iter_get_val(at) : at;
    const char *const text = items->has_keys ? text_of(at) : NULL;
    *key = items->has_keys && text == NULL ? "" : text;
    *value = outer(found);
    items->at = outer(unsafe_yyjson_get_next(found));
    items->left--;
    return true;
}

// --------------------------------------------------------------------------- writing

static void put_number(hy_text *out, yyjson_val *value)
{
    char digits[32];
    if (yyjson_is_uint(value)) {
        (void)snprintf(digits, sizeof digits, "%" PRIu64, yyjson_get_uint(value));
    } else if (yyjson_is_int(value)) {
        (void)snprintf(digits, sizeof digits, "%" PRId64, yyjson_get_sint(value));
    } else {
        (void)snprintf(digits, sizeof digits, "%.17g", yyjson_get_real(value));
        char *const point = digits + strspn(digits, "-+0123456789eE");
        *point = *point == '\0' ? '\0' : '.'; // whatever the locale has for it
    }
    hy_text_put(out, digits);
}

static void put_string(hy_text *out, yyjson_val *value)
{
    const char *const text = text_of(value);
    out->is_full = out->is_full || text == NULL;
    hy_text_put_string(out, text != NULL ? text : "");
}

static void put_value(hy_text *out, const hy_json_value *value, int level);

static void put_items(hy_text *out, const hy_json_value *value, int level)
{
    hy_json_items items = hy_json_items_of(value);
    const char *key;
    hy_text_put(out, items.has_keys ? "{" : "[");
    for (size_t i = 0; hy_json_next(&items, &key, &value); i++) {
        hy_text_put_comma(out, i);
        if (items.has_keys) {
            hy_text_put_string(out, key);
            hy_text_put(out, ":");
        }
        put_value(out, value, level + 1);
    }
    hy_text_put(out, items.has_keys ? "}" : "]");
}

static void put_value(hy_text *out, const hy_json_value *value, int level)
{
    yyjson_val *const of = inner(value);
    if (level > LEVELS_MAX) {
        out->is_full = true;
    } else if (yyjson_is_ctn(of)) {
        put_items(out, value, level);
    } else if (yyjson_is_num(of)) {
        put_number(out, of);
    } else if (yyjson_is_str(of)) {
        put_string(out, of);
    } else if (yyjson_is_raw(of)) { // a number that no double holds
        hy_text_put(out, "0");
    } else {
        hy_text_put(out, yyjson_is_null(of) ? "null" : yyjson_get_bool(of) ? "true" : "false");
    }
}

size_t hy_json_copy(const hy_json_value *value, hy_room room)
{
    if (value == NULL) {
        return 0;
    }
    hy_text out = hy_text_in(room);
    put_value(&out, value, 1);
    return out.is_full ? 0 : out.size;
}
