// LINK: telemetry text base
// Any bytes are read as a text frame of NetworkTables 4.1: every message has what its method needs, and is read back from what is
// written of it.

#include <assert.h>
#include <string.h>

#include "telemetry/telemetry_nt4.h"

#define TEXT_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_written(const hy_nt4_message *message, hy_json_reader *reader)
{
    static uint8_t bytes[32 * TEXT_MAX], properties[8 * TEXT_MAX + 1];
    hy_nt4_message written = *message, again;
    const size_t copied = hy_json_copy(message->properties, (hy_room){ properties, 8 * TEXT_MAX });
    properties[copied] = '\0';
    written.properties_json = copied > 0 ? (const char *)properties : NULL;
    hy_text text = hy_text_in((hy_room){ bytes, sizeof bytes });
    hy_text_put(&text, "[");
    hy_nt4_put_message(&text, &written);
    hy_text_put(&text, "]");
    assert(!text.is_full);
    hy_json_items items =
        hy_json_items_of(hy_json_parse(reader, (hy_bytes){ text.bytes, text.size }));
    assert(items.left == 1 && hy_nt4_next_message(&items, &again));
    assert(again.method == message->method && again.id == message->id);
    assert(message->name == NULL || again.name == NULL || strcmp(again.name, message->name) == 0);
    assert((again.properties != NULL) >= (copied > 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static hy_json_reader *reader, *second;
    if (reader == NULL) {
        reader = hy_json_reader_open(TEXT_MAX);
        second = hy_json_reader_open(32 * TEXT_MAX);
        assert(reader != NULL && second != NULL);
    }
    hy_json_items items = hy_json_items_of(hy_json_parse(reader, (hy_bytes){ data, size }));
    for (hy_nt4_message message; hy_nt4_next_message(&items, &message);) {
        const char *key;
        const hy_json_value *topic;
        for (hy_json_items topics = message.topics; hy_json_next(&topics, &key, &topic);) {
            const char *const text = hy_json_string(topic);
            assert(text == NULL || strlen(text) <= size);
        }
        assert(message.options.period_s >= 0.0);
        if (message.method != HY_NT4_SUBSCRIBE && message.method != HY_NT4_UNSUBSCRIBE) {
            check_written(&message, second);
        }
    }
    return 0;
}
