// Text messages of NetworkTables 4.1: announcements, subscriptions, properties.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "telemetry_nt4.h"

#define UID_MAX          9e15 // doubles below are whole numbers without loss
#define PERIOD_DEFAULT_S 0.1

// What a method's "params" must have, and may have.
enum {
    NEEDS_NAME = 1,
    NEEDS_TYPE = 2,
    NEEDS_PUBUID = 4,
    NEEDS_SUBUID = 8,
    NEEDS_ID = 16,
    HAS_PROPERTIES = 32,
    HAS_UPDATE = 64, // of properties
};

static const struct {
    const char *name;
    unsigned needs;
} methods[] = {
    [HY_NT4_PUBLISH] = { "publish", NEEDS_NAME | NEEDS_TYPE | NEEDS_PUBUID | HAS_PROPERTIES },
    [HY_NT4_UNPUBLISH] = { "unpublish", NEEDS_PUBUID },
    [HY_NT4_SET_PROPERTIES] = { "setproperties", NEEDS_NAME | HAS_UPDATE },
    [HY_NT4_SUBSCRIBE] = { "subscribe", NEEDS_SUBUID },
    [HY_NT4_UNSUBSCRIBE] = { "unsubscribe", NEEDS_SUBUID },
    [HY_NT4_ANNOUNCE] = { "announce", NEEDS_NAME | NEEDS_TYPE | NEEDS_ID | HAS_PROPERTIES },
    [HY_NT4_UNANNOUNCE] = { "unannounce", NEEDS_NAME | NEEDS_ID },
    [HY_NT4_PROPERTIES] = { "properties", NEEDS_NAME | HAS_UPDATE },
};
#define METHODS (sizeof methods / sizeof methods[0])

// --------------------------------------------------------------------------- reading

static bool read_whole(const hy_json_value *params, const char *key, int64_t *out)
{
    double number;
    const bool is_whole = hy_json_number(hy_json_member(params, key), &number) &&
                          number >= -UID_MAX && number <= UID_MAX &&
                          (double)(int64_t)number == number;
    *out = is_whole ? (int64_t)number : 0;
    return is_whole;
}

static bool read_flag(const hy_json_value *params, const char *key)
{
    bool flag;
    return hy_json_flag(hy_json_member(params, key), &flag) && flag;
}

static hy_nt4_options read_options(const hy_json_value *options)
{
    double period_s;
    const bool has_period = hy_json_number(hy_json_member(options, "periodic"), &period_s);
    return (hy_nt4_options){
        .period_s = has_period && period_s >= 0.0 ? period_s : PERIOD_DEFAULT_S,
        .all = read_flag(options, "all"),
        .topics_only = read_flag(options, "topicsonly"),
        .prefix = read_flag(options, "prefix"),
    };
}

// The last of methods: none.
static size_t read_method(const char *name)
{
    size_t method = 0;
    while (method < METHODS && (name == NULL || strcmp(methods[method].name, name) != 0)) {
        method++;
    }
    return method;
}

static const hy_json_value *read_properties(const hy_json_value *params, unsigned needs)
{
    const hy_json_value *const value =
        (needs & HAS_PROPERTIES) != 0 ? hy_json_member(params, "properties")
        : (needs & HAS_UPDATE) != 0   ? hy_json_member(params, "update")
                                      : NULL;
    return hy_json_is_object(value) ? value : NULL;
}

static bool read_message(const hy_json_value *item, hy_nt4_message *out)
{
    const hy_json_value *const params = hy_json_member(item, "params");
    const size_t method = read_method(hy_json_string(hy_json_member(item, "method")));
    if (method == METHODS || !hy_json_is_object(params)) {
        return false;
    }
    const unsigned needs = methods[method].needs;
    *out = (hy_nt4_message){
        .method = (hy_nt4_method)method,
        .name = hy_json_string(hy_json_member(params, "name")),
        .type = hy_json_string(hy_json_member(params, "type")),
        .ack = read_flag(params, "ack"),
        .options = read_options(hy_json_member(params, "options")),
        .topics = hy_json_items_of(hy_json_member(params, "topics")),
        .properties = read_properties(params, needs),
    };
    out->has_uid = read_whole(params, (needs & NEEDS_SUBUID) != 0 ? "subuid" : "pubuid", &out->uid);
    return ((needs & NEEDS_NAME) == 0 || out->name != NULL) &&
           ((needs & NEEDS_TYPE) == 0 || out->type != NULL) &&
           ((needs & (NEEDS_PUBUID | NEEDS_SUBUID)) == 0 || out->has_uid) &&
           ((needs & NEEDS_ID) == 0 || read_whole(params, "id", &out->id)) &&
           (method != HY_NT4_SUBSCRIBE || !out->topics.has_keys) &&
           (method != HY_NT4_SET_PROPERTIES || out->properties != NULL);
}

bool hy_nt4_next_message(hy_json_items *frame, hy_nt4_message *out)
{
    const char *key;
    const hy_json_value *item;
    while (hy_json_next(frame, &key, &item)) {
        if (key == NULL && read_message(item, out)) {
            return true;
        }
    }
    return false;
}

// --------------------------------------------------------------------------- writing

static void put_text(hy_text *frame, const char *key, const char *text)
{
    hy_text_put_key(frame, key);
    hy_text_put_string(frame, text);
}

static void put_whole(hy_text *frame, const char *key, int64_t number)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%" PRId64, number);
    hy_text_put_key(frame, key);
    hy_text_put(frame, digits);
}

static void put_json(hy_text *frame, const char *key, const char *json)
{
    hy_text_put_key(frame, key);
    hy_text_put(frame, json != NULL ? json : "{}");
}

void hy_nt4_put_message(hy_text *frame, const hy_nt4_message *message)
{
    const unsigned needs = methods[message->method].needs;
    hy_text_put_comma(frame, frame->size > 0 && frame->bytes[frame->size - 1] == '}');
    hy_text_put(frame, "{");
    put_text(frame, "method", methods[message->method].name);
    hy_text_put_key(frame, "params");
    hy_text_put(frame, "{");
    if ((needs & NEEDS_NAME) != 0) {
        put_text(frame, "name", message->name);
    }
    if ((needs & NEEDS_ID) != 0) {
        put_whole(frame, "id", message->id);
    }
    if ((needs & NEEDS_TYPE) != 0) {
        put_text(frame, "type", message->type);
    }
    if ((needs & NEEDS_PUBUID) != 0 || (message->method == HY_NT4_ANNOUNCE && message->has_uid)) {
        put_whole(frame, "pubuid", message->uid);
    }
    if ((needs & HAS_PROPERTIES) != 0) {
        put_json(frame, "properties", message->properties_json);
    }
    if ((needs & HAS_UPDATE) != 0) {
        put_json(frame, "update", message->properties_json);
    }
    if (message->ack) {
        hy_text_put_key(frame, "ack");
        hy_text_put_flag(frame, true);
    }
    hy_text_put(frame, "}}");
}
