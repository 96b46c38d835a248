// The messages of NetworkTables 4.1: the bytes that ntcore and AdvantageScope were seen to send, what a value becomes, and texts both ways.
#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "telemetry/telemetry_nt4.h"

static uint8_t bytes[65536];

static hy_bytes from_hex(const char *hex)
{
    size_t size = 0;
    for (; hex[0] != '\0'; hex += hex[0] == ' ' ? 1 : 2) {
        if (hex[0] != ' ') {
            const char pair[3] = { hex[0], hex[1], '\0' };
            bytes[size++] = (uint8_t)strtoul(pair, NULL, 16);
        }
    }
    return (hy_bytes){ bytes, size };
}

static void assert_hex(hy_bytes got, const char *hex)
{
    char text[1024];
    size_t size = 0;
    for (size_t i = 0; i < got.size; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "%02x", got.data[i]);
    }
    text[size] = '\0';
    assert_string_equal(text, hex);
}

// --------------------------------------------------------------------------- values

static void what_ntcore_sends_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        int64_t id, time_us, type;
        const char *value;
        bool fits;
        double number;
    } rows[] = {
        { "94ff0002cf000660d957bae9b0", -1, 0, HY_NT4_INT, "cf000660d957bae9b0", true,
          1795336456300976.0 },
        { "9400ce312e037701cb3ff4000000000000", 0, 0x312e0377, HY_NT4_DOUBLE, "cb3ff4000000000000",
          true, 1.25 },
        { "9402ce312e040102fd", 2, 0x312e0401, HY_NT4_INT, "fd", true, -3.0 },
        { "9403ce312e040103ca3f000000", 3, 0x312e0401, HY_NT4_FLOAT, "ca3f000000", true, 0.5 },
        { "94030001d1fc18", 3, 0, HY_NT4_DOUBLE, "d1fc18", true, -1000.0 },
        { "94030002ca40490fdb", 3, 0, HY_NT4_INT, "ca40490fdb", false, 0.0 },
        { "94030001c3", 3, 0, HY_NT4_DOUBLE, "c3", false, 0.0 },
        { "9403000901", 3, 0, 9, "01", false, 0.0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hy_nt4_values frame = { .rest = from_hex(rows[i].hex) };
        hy_nt4_value value;
        double number = 0.0;
        assert_true(hy_nt4_next(&frame, &value));
        assert_true(value.id == rows[i].id && value.time_us == rows[i].time_us);
        assert_int_equal(value.type, rows[i].type);
        assert_int_equal(hy_nt4_value_fits(&value), rows[i].fits);
        assert_int_equal(hy_nt4_value_number(&value, &number), rows[i].fits);
        assert_true(number == rows[i].number);
        assert_hex(value.value, rows[i].value);
        assert_false(hy_nt4_next(&frame, &value));
        assert_false(frame.is_malformed);
    }
}

static void texts_flags_and_arrays_are_read(void **state)
{
    (void)state;
    hy_nt4_values frame = { .rest =
                                from_hex("94010004a47765616b 94020000c3 9405011092c3c2 "
                                         "9406011492a161a2c3a9 9406011491a2c328 94010005c40207ff "
                                         "9407011192cb3ff000000000000001") };
    hy_nt4_value value;
    hy_bytes text;
    bool flag = false;
    assert_true(hy_nt4_next(&frame, &value) && hy_nt4_value_bytes(&value, &text));
    assert_true(text.size == 4 && memcmp(text.data, "weak", 4) == 0);
    assert_true(hy_nt4_next(&frame, &value) && hy_nt4_value_flag(&value, &flag) && flag);
    assert_true(hy_nt4_next(&frame, &value) && hy_nt4_value_fits(&value));
    assert_true(hy_nt4_next(&frame, &value) && hy_nt4_value_fits(&value));
    assert_true(hy_nt4_next(&frame, &value) && !hy_nt4_value_fits(&value)); // no UTF-8
    assert_true(hy_nt4_next(&frame, &value) && hy_nt4_value_bytes(&value, &text));
    assert_true(text.size == 2 && text.data[1] == 0xff);
    assert_true(hy_nt4_next(&frame, &value) && hy_nt4_value_fits(&value));
    assert_false(hy_nt4_next(&frame, &value));
    assert_false(frame.is_malformed);
}

static void what_is_no_message_is_malformed(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "94",
        "9400",
        "940000",
        "94000001",
        "94000001cb00",
        "9300000101",
        "9500000101",
        "81a10000",
        "94c0000101",
        "94cf8000000000000000000101",
        "9400a0 0101",
        "940000c101",
        "94000001c1",
        "94000005c4ff",
        "94000010dd7fffffff",
        "94000005c6ffffffff00",
        "94000004d903c3a9",
        "94000005dfffffffff",
        "0102",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hy_nt4_values frame = { .rest = from_hex(rows[i]) };
        hy_nt4_value value;
        assert_false(hy_nt4_next(&frame, &value));
        assert_true(frame.is_malformed);
        assert_false(hy_nt4_next(&frame, &value));
    }
}

static void unknown_values_are_passed_over(void **state)
{
    (void)state;
    // A map with a list of nil and an extension, then a fixed extension of 16 bytes, then 1.
    hy_nt4_values frame = { .rest = from_hex(
                                "9400000581a16192c0c7010500 "
                                "94000005d80000000000000000000000000000000000 9400000201") };
    hy_nt4_value value;
    assert_true(hy_nt4_next(&frame, &value) && !hy_nt4_value_fits(&value));
    assert_true(hy_nt4_next(&frame, &value) && !hy_nt4_value_fits(&value));
    assert_true(hy_nt4_next(&frame, &value) && hy_nt4_value_fits(&value));
}

static void channels_values_become_message_pack(void **state)
{
    (void)state;
    static const struct {
        hy_channel_kind kind;
        const char *value, *pack;
    } rows[] = {
        { HY_CHANNEL_BOOLEAN, "01", "c3" },
        { HY_CHANNEL_BOOLEAN, "00", "c2" },
        { HY_CHANNEL_INT64, "7f00000000000000", "7f" },
        { HY_CHANNEL_INT64, "8000000000000000", "cc80" },
        { HY_CHANNEL_INT64, "0001000000000000", "cd0100" },
        { HY_CHANNEL_INT64, "0000010000000000", "ce00010000" },
        { HY_CHANNEL_INT64, "0000000001000000", "cf0000000100000000" },
        { HY_CHANNEL_INT64, "e0ffffffffffffff", "e0" },
        { HY_CHANNEL_INT64, "dfffffffffffffff", "d0df" },
        { HY_CHANNEL_INT64, "80ffffffffffffff", "d080" },
        { HY_CHANNEL_INT64, "7fffffffffffffff", "d1ff7f" },
        { HY_CHANNEL_INT64, "ff7fffffffffffff", "d2ffff7fff" },
        { HY_CHANNEL_INT64, "0000000000000080", "d38000000000000000" },
        { HY_CHANNEL_FLOAT, "0000003f", "ca3f000000" },
        { HY_CHANNEL_DOUBLE, "000000000000f43f", "cb3ff4000000000000" },
        { HY_CHANNEL_STRING, "7765616b", "a47765616b" },
        { HY_CHANNEL_JSON, "", "a0" },
        { HY_CHANNEL_RAW, "010203", "c403010203" },
        { HY_CHANNEL_STRUCT, "00", "c40100" },
        { HY_CHANNEL_STRUCT_ARRAY, "0001", "c4020001" },
        { HY_CHANNEL_SCHEMA, "696e7420 61", "c405696e742061" },
        { HY_CHANNEL_BOOLEAN_ARRAY, "0100", "92c3c2" },
        { HY_CHANNEL_INT64_ARRAY, "0100000000000000", "9101" },
        { HY_CHANNEL_FLOAT_ARRAY, "", "90" },
        { HY_CHANNEL_DOUBLE_ARRAY, "000000000000f03f", "91cb3ff0000000000000" },
        { HY_CHANNEL_STRING_ARRAY, "020000000100000061 02000000c3a9", "92a161a2c3a9" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t packed[64];
        const hy_bytes value = from_hex(rows[i].value);
        const size_t size = hy_nt4_pack((hy_room){ packed, sizeof packed }, rows[i].kind, value);
        assert_hex((hy_bytes){ packed, size }, rows[i].pack);
        for (size_t less = 0; less < size; less++) {
            assert_int_equal(hy_nt4_pack((hy_room){ packed, less }, rows[i].kind, value), 0);
        }
    }
}

static void long_values_have_long_heads(void **state)
{
    (void)state;
    static uint8_t packed[200000];
    static const uint8_t zeros[70000];
    const hy_room room = { packed, sizeof packed };
    static const struct {
        hy_channel_kind kind;
        size_t size;
        const char *head;
    } rows[] = {
        { HY_CHANNEL_STRING, 31, "bf" },
        { HY_CHANNEL_STRING, 32, "d920" },
        { HY_CHANNEL_STRING, 256, "da0100" },
        { HY_CHANNEL_STRING, 65536, "db00010000" },
        { HY_CHANNEL_RAW, 256, "c50100" },
        { HY_CHANNEL_RAW, 65536, "c600010000" },
        { HY_CHANNEL_BOOLEAN_ARRAY, 16, "dc0010" },
        { HY_CHANNEL_BOOLEAN_ARRAY, 65536, "dd00010000" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t head = strlen(rows[i].head) / 2;
        const size_t size = hy_nt4_pack(room, rows[i].kind, (hy_bytes){ zeros, rows[i].size });
        assert_int_equal(size, head + rows[i].size);
        assert_hex((hy_bytes){ packed, head }, rows[i].head);
    }
}

static void a_message_is_written(void **state)
{
    (void)state;
    uint8_t frame[64];
    const hy_nt4_value value = { 300, 20000, HY_NT4_DOUBLE, from_hex("cb3ff4000000000000") };
    const size_t size = hy_nt4_write((hy_room){ frame, sizeof frame }, &value);
    assert_hex((hy_bytes){ frame, size }, "94cd012ccd4e2001cb3ff4000000000000");
    for (size_t less = 0; less < size; less++) {
        assert_int_equal(hy_nt4_write((hy_room){ frame, less }, &value), 0);
    }
}

static void types_have_numbers_and_names(void **state)
{
    (void)state;
    assert_int_equal(hy_nt4_type("double"), HY_NT4_DOUBLE);
    assert_int_equal(hy_nt4_type("json"), HY_NT4_STRING);
    assert_int_equal(hy_nt4_type("string[]"), HY_NT4_STRING_ARRAY);
    assert_int_equal(hy_nt4_type("struct:Pose2d[]"), HY_NT4_RAW);
    assert_string_equal(hy_nt4_type_name("int64"), "int");
    assert_string_equal(hy_nt4_type_name("int64[]"), "int[]");
    assert_string_equal(hy_nt4_type_name("struct:Pose2d"), "struct:Pose2d");
}

// --------------------------------------------------------------------------- texts

static hy_json_reader *reader;

static hy_json_items parse(const char *text)
{
    return hy_json_items_of(hy_json_parse(reader, (hy_bytes){ (const uint8_t *)text, strlen(text) }));
}

static int start_reader(void **state)
{
    (void)state;
    reader = hy_json_reader_open(4096);
    return reader == NULL;
}

static int end_reader(void **state)
{
    (void)state;
    hy_json_reader_close(reader);
    return 0;
}

static void what_clients_say_is_read(void **state)
{
    (void)state;
    hy_nt4_message m;
    const char *key;
    const hy_json_value *topic;
    hy_json_items frame = parse(
        "[{\"method\":\"publish\",\"params\":{\"name\":\"/c/d\",\"pubuid\":7,\"type\":\"double\"}},"
        "{\"method\":\"subscribe\",\"params\":{\"options\":{\"all\":true,\"prefix\":true,"
        "\"periodic\":0.02},\"topics\":[\"/S/\",1,\"\"],\"subuid\":-1}},"
        "{\"method\":\"subscribe\",\"params\":{\"topics\":[\"a\"],\"subuid\":2}},"
        "{\"method\":\"setproperties\",\"params\":{\"name\":\"n\",\"update\":{\"p\":null}}},"
        "{\"method\":\"unpublish\",\"params\":{\"pubuid\":2}},"
        "{\"method\":\"unsubscribe\",\"params\":{\"subuid\":3}},"
        "{\"method\":\"subscribe\",\"params\":{\"topics\":[],\"subuid\":4,\"options\":"
        "{\"periodic\":-1,\"all\":false,\"topicsonly\":true,\"prefix\":1}}}]");
    assert_true(hy_nt4_next_message(&frame, &m));
    assert_int_equal(m.method, HY_NT4_PUBLISH);
    assert_string_equal(m.name, "/c/d");
    assert_string_equal(m.type, "double");
    assert_true(m.uid == 7 && m.properties == NULL);
    assert_true(hy_nt4_next_message(&frame, &m));
    assert_int_equal(m.method, HY_NT4_SUBSCRIBE);
    assert_true(m.uid == -1 && m.options.all && m.options.prefix && !m.options.topics_only);
    assert_true(m.options.period_s == 0.02 && m.topics.left == 3);
    assert_true(hy_json_next(&m.topics, &key, &topic) && key == NULL);
    assert_string_equal(hy_json_string(topic), "/S/");
    assert_true(hy_json_next(&m.topics, &key, &topic) && hy_json_string(topic) == NULL);
    assert_true(hy_nt4_next_message(&frame, &m) && m.options.period_s == 0.1 && !m.options.prefix);
    assert_true(hy_nt4_next_message(&frame, &m) && m.method == HY_NT4_SET_PROPERTIES);
    assert_true(hy_json_is_null(hy_json_member(m.properties, "p")));
    assert_true(hy_nt4_next_message(&frame, &m) && m.method == HY_NT4_UNPUBLISH && m.uid == 2);
    assert_true(hy_nt4_next_message(&frame, &m) && m.method == HY_NT4_UNSUBSCRIBE && m.uid == 3);
    assert_true(hy_nt4_next_message(&frame, &m) && m.options.period_s == 0.1);
    assert_true(!m.options.all && m.options.topics_only && !m.options.prefix);
    assert_false(hy_nt4_next_message(&frame, &m));
}

static void what_is_no_text_message_is_passed_over(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "{}",
        "[1,[],{},null,{\"method\":\"publish\"}]",
        "{\"a\":{\"method\":\"unpublish\",\"params\":{\"pubuid\":1}}}",
        "[{\"method\":\"fly\",\"params\":{}}]",
        "[{\"method\":\"publish\",\"params\":{\"name\":\"a\",\"type\":\"double\"}}]",
        ("[{\"method\":\"publish\",\"params\":{\"name\":\"a\\u0000b\",\"type\":\"double\","
         "\"pubuid\":1}}]"),
        "[{\"method\":\"unpublish\",\"params\":{\"pubuid\":1.5}}]",
        "[{\"method\":\"unpublish\",\"params\":{\"pubuid\":1e300}}]",
        "[{\"method\":\"unpublish\",\"params\":{\"pubuid\":-1e300}}]",
        "[{\"method\":\"subscribe\",\"params\":{\"subuid\":\"1\",\"topics\":[]}}]",
        "[{\"method\":\"setproperties\",\"params\":{\"name\":\"a\",\"update\":[]}}]",
        "[{\"method\":\"unpublish\",\"params\":{\"pubuid\":1}}",
        "",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hy_json_items frame = parse(rows[i]);
        hy_nt4_message m;
        assert_false(hy_nt4_next_message(&frame, &m));
    }
}

static void messages_are_written(void **state)
{
    (void)state;
    uint8_t room[1024];
    hy_text text = hy_text_in((hy_room){ room, sizeof room });
    hy_nt4_put_message(&text, &(hy_nt4_message){ .method = HY_NT4_UNPUBLISH, .uid = 1 }); // alone
    room[text.size] = '\0';
    assert_string_equal((char *)room, "{\"method\":\"unpublish\",\"params\":{\"pubuid\":1}}");
    text = hy_text_in((hy_room){ room, sizeof room });
    hy_text_put(&text, "[");
    hy_nt4_put_message(&text, &(hy_nt4_message){ .method = HY_NT4_ANNOUNCE,
                                                 .name = "/\"x",
                                                 .type = "double",
                                                 .id = 3,
                                                 .uid = 9,
                                                 .has_uid = true,
                                                 .properties_json = "{\"unit\":\"V\"}" });
    hy_nt4_put_message(
        &text, &(hy_nt4_message){ .method = HY_NT4_ANNOUNCE, .name = "b", .type = "int", .id = 4 });
    hy_nt4_put_message(&text, &(hy_nt4_message){ .method = HY_NT4_UNANNOUNCE, .name = "b", .id = 4 });
    hy_nt4_put_message(&text, &(hy_nt4_message){ .method = HY_NT4_PROPERTIES,
                                                 .name = "b",
                                                 .ack = true,
                                                 .properties_json = "{\"a\":1}" });
    hy_nt4_put_message(
        &text, &(hy_nt4_message){ .method = HY_NT4_PUBLISH, .name = "c", .type = "int", .uid = 5 });
    hy_nt4_put_message(&text, &(hy_nt4_message){ .method = HY_NT4_UNPUBLISH, .uid = 5 });
    hy_text_put(&text, "]");
    hy_text_put(&text, "\0");
    room[text.size] = '\0';
    assert_false(text.is_full);
    assert_string_equal(
        (char *)room,
        "[{\"method\":\"announce\",\"params\":{\"name\":\"/\\u0022x\",\"id\":3,\"type\":\"double\","
        "\"pubuid\":9,\"properties\":{\"unit\":\"V\"}}},"
        "{\"method\":\"announce\",\"params\":{\"name\":\"b\",\"id\":4,\"type\":\"int\","
        "\"properties\":{}}},"
        "{\"method\":\"unannounce\",\"params\":{\"name\":\"b\",\"id\":4}},"
        "{\"method\":\"properties\",\"params\":{\"name\":\"b\",\"update\":{\"a\":1},\"ack\":true}},"
        "{\"method\":\"publish\",\"params\":{\"name\":\"c\",\"type\":\"int\",\"pubuid\":5,"
        "\"properties\":{}}},"
        "{\"method\":\"unpublish\",\"params\":{\"pubuid\":5}}]");
}

static void json_is_copied(void **state)
{
    (void)state;
    uint8_t room[256];
    static const char text[] = "{\"a\":[1,-2.5,true,null,\"\\u00e9\\\"\"],\"b\":{}}";
    const hy_json_value *const value =
        hy_json_parse(reader, (hy_bytes){ (const uint8_t *)text, sizeof text - 1 });
    const size_t size = hy_json_copy(value, (hy_room){ room, sizeof room });
    static const char same[] = "{\"a\":[1,-2.5,true,null,\"\xc3\xa9\\u0022\"],\"b\":{}}";
    assert_int_equal(size, sizeof same - 1);
    assert_memory_equal(room, same, size);
    assert_int_equal(hy_json_copy(value, (hy_room){ room, size - 1 }), 0);
    assert_int_equal(hy_json_copy(NULL, (hy_room){ room, sizeof room }), 0);

    static const char deep[] = "[[[[[[[[[1]]]]]]]]]";
    const hy_json_value *const too_deep =
        hy_json_parse(reader, (hy_bytes){ (const uint8_t *)deep, sizeof deep - 1 });
    assert_non_null(too_deep);
    assert_int_equal(hy_json_copy(too_deep, (hy_room){ room, sizeof room }), 0);
}

// A value whose bytes end too early is of no type, and says nothing.
static void cut_values_fit_nothing(void **state)
{
    (void)state;
    static const struct {
        unsigned type;
        size_t size;
        uint8_t bytes[12];
    } rows[] = {
        { HY_NT4_BOOLEAN, 1, { 0xc3 } },
        { HY_NT4_DOUBLE, 9, { 0xcb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0 } },
        { HY_NT4_INT, 3, { 0xd1, 0xff, 0x00 } },
        { HY_NT4_INT, 1, { 0xff } }, // -1 in its shortest form
        { HY_NT4_FLOAT, 5, { 0xca, 0x3f, 0x80, 0, 0 } },
        { HY_NT4_STRING, 3, { 0xa2, 'h', 'i' } },
        { HY_NT4_RAW, 4, { 0xc4, 2, 1, 2 } },
        { HY_NT4_BOOLEAN_ARRAY, 3, { 0x92, 0xc2, 0xc3 } },
        { HY_NT4_INT_ARRAY, 5, { 0x92, 7, 0xd1, 0x7f, 0xff } },
        { HY_NT4_STRING_ARRAY, 4, { 0x92, 0xa0, 0xa1, 'x' } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t size = 0; size <= rows[i].size; size++) {
            const bool is_whole = size == rows[i].size;
            const hy_nt4_value value = { .type = rows[i].type, .value = { rows[i].bytes, size } };
            double number;
            bool flag;
            hy_bytes content;
            if (hy_nt4_value_fits(&value) != is_whole) {
                fail_msg("row %zu, %zu bytes of it", i, size);
            }
            assert_int_equal(hy_nt4_value_flag(&value, &flag), is_whole && i == 0);
            assert_int_equal(hy_nt4_value_number(&value, &number), is_whole && i >= 1 && i <= 4);
            assert_int_equal(hy_nt4_value_bytes(&value, &content), is_whole && (i == 5 || i == 6));
        }
    }
}

// What is not in the form of its channel is not packed.
static void values_of_another_form_are_not_packed(void **state)
{
    (void)state;
    static const struct {
        hy_channel_kind kind;
        size_t size;
        uint8_t bytes[12];
    } rows[] = {
        { HY_CHANNEL_DOUBLE, 7, { 0 } },
        { HY_CHANNEL_BOOLEAN, 2, { 0 } },
        { HY_CHANNEL_FLOAT, 0, { 0 } },
        { HY_CHANNEL_STRING_ARRAY, 3, { 1, 0, 0 } },                     // no count
        { HY_CHANNEL_STRING_ARRAY, 6, { 1, 0, 0, 0, 1, 0 } },            // no length
        { HY_CHANNEL_STRING_ARRAY, 9, { 1, 0, 0, 0, 2, 0, 0, 0, 'x' } }, // no text
    };
    uint8_t room[64];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(hy_nt4_pack((hy_room){ room, sizeof room }, rows[i].kind,
                                     (hy_bytes){ rows[i].bytes, rows[i].size }),
                         0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_ntcore_sends_is_read),
        cmocka_unit_test(texts_flags_and_arrays_are_read),
        cmocka_unit_test(what_is_no_message_is_malformed),
        cmocka_unit_test(unknown_values_are_passed_over),
        cmocka_unit_test(channels_values_become_message_pack),
        cmocka_unit_test(long_values_have_long_heads),
        cmocka_unit_test(a_message_is_written),
        cmocka_unit_test(types_have_numbers_and_names),
        cmocka_unit_test_setup_teardown(what_clients_say_is_read, start_reader, end_reader),
        cmocka_unit_test_setup_teardown(what_is_no_text_message_is_passed_over, start_reader,
                                        end_reader),
        cmocka_unit_test_setup_teardown(messages_are_written, start_reader, end_reader),
        cmocka_unit_test_setup_teardown(json_is_copied, start_reader, end_reader),
        cmocka_unit_test(cut_values_fit_nothing),
        cmocka_unit_test(values_of_another_form_are_not_packed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
