// Channels, structs and WPILOG files: every byte of a small file, what happens when the buffer is full, two threads, and reading of whole,
// cut and damaged files.
#include "cmocka_all.h"

#include <halyard/telemetry.h>

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX (1 << 20)

static uint8_t file[FILE_MAX];
static size_t file_size;
static hy_telemetry *telemetry;
static hy_wpilog *wpilog;

static void start(hy_wpilog_options options)
{
    file_size = 0;
    assert_int_equal(hy_telemetry_open(&telemetry), HY_OK);
    assert_int_equal(hy_wpilog_open(&options, &wpilog), HY_OK);
    assert_int_equal(hy_telemetry_attach(telemetry, hy_wpilog_sink(wpilog)), HY_OK);
}

static int end(void **state)
{
    (void)state;
    hy_telemetry_close(telemetry);
    hy_wpilog_close(wpilog);
    telemetry = NULL;
    wpilog = NULL;
    return 0;
}

static void write_to_file(void)
{
    for (hy_bytes bytes; (bytes = hy_wpilog_peek(wpilog)).size > 0;
         hy_wpilog_consume(wpilog, bytes.size)) {
        assert_true(file_size + bytes.size <= sizeof file);
        memcpy(&file[file_size], bytes.data, bytes.size);
        file_size += bytes.size;
    }
}

static hy_channel declare(const char *name, hy_channel_kind kind)
{
    const hy_channel channel =
        hy_telemetry_declare(telemetry, &(hy_channel_spec){ .name = name, .kind = kind });
    assert_int_not_equal(channel, 0);
    return channel;
}

static bool is_text(hy_bytes bytes, const char *text)
{
    return bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0;
}

// The next record of the file, which must be there.
static hy_wpilog_record next(hy_wpilog_reader *reader)
{
    hy_wpilog_record record;
    if (!hy_wpilog_next(reader, &record)) {
        fail_msg("no record at %zu: %s", reader->offset,
                 reader->damage == NULL ? "end" : reader->damage);
    }
    return record;
}

static hy_wpilog_reader reader_of(size_t size)
{
    hy_wpilog_reader reader;
    assert_int_equal(hy_wpilog_reader_init(&reader, (hy_bytes){ file, size }), HY_OK);
    return reader;
}

// --------------------------------------------------------------------------- structs

static void a_pose_is_packed_as_wpilib_packs_it(void **state)
{
    (void)state;
    static const uint8_t expected[] = { 0, 0, 0, 0,    0, 0, 0xf0, 0x3f, 0, 0, 0,    0,
                                        0, 0, 0, 0x40, 0, 0, 0,    0,    0, 0, 0xe0, 0x3f };
    const hy_telemetry_pose2d pose = { 1, 2, 0.5 };
    uint8_t packed[sizeof expected];
    assert_int_equal(hy_struct_packed_size(&hy_struct_pose2d), sizeof expected);
    hy_struct_pack(&hy_struct_pose2d, &pose, packed);
    assert_memory_equal(packed, expected, sizeof expected);
    hy_telemetry_pose2d back;
    hy_struct_unpack(&hy_struct_pose2d, packed, &back);
    assert_memory_equal(&back, &pose, sizeof pose);
}

static void schemas_are_those_of_wpilib(void **state)
{
    (void)state;
    static const struct {
        const hy_struct_type *type;
        const char *schema;
        size_t packed;
    } types[] = {
        { &hy_struct_translation2d, "double x;double y", 16 },
        { &hy_struct_translation3d, "double x;double y;double z", 24 },
        { &hy_struct_rotation2d, "double value", 8 },
        { &hy_struct_quaternion, "double w;double x;double y;double z", 32 },
        { &hy_struct_rotation3d, "Quaternion q", 32 },
        { &hy_struct_pose2d, "Translation2d translation;Rotation2d rotation", 24 },
        { &hy_struct_transform2d, "Translation2d translation;Rotation2d rotation", 24 },
        { &hy_struct_pose3d, "Translation3d translation;Rotation3d rotation", 56 },
        { &hy_struct_transform3d, "Translation3d translation;Rotation3d rotation", 56 },
        { &hy_struct_twist2d, "double dx;double dy;double dtheta", 24 },
        { &hy_struct_twist3d, "double dx;double dy;double dz;double rx;double ry;double rz", 48 },
        { &hy_struct_chassis_speeds, "double vx;double vy;double omega", 24 },
        { &hy_struct_chassis_velocities, "double vx;double vy;double omega", 24 },
        { &hy_struct_swerve_module_state, "double speed;Rotation2d angle", 16 },
        { &hy_struct_swerve_module_velocity, "double velocity;Rotation2d angle", 16 },
        { &hy_struct_swerve_module_position, "double distance;Rotation2d angle", 16 },
        { &hy_struct_differential_drive_wheel_speeds, "double left;double right", 16 },
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char schema[100];
        assert_int_equal(hy_struct_schema(types[i].type, schema, sizeof schema),
                         strlen(types[i].schema));
        assert_string_equal(schema, types[i].schema);
        assert_int_equal(hy_struct_packed_size(types[i].type), types[i].packed);
    }
}

typedef struct {
    bool enabled;
    int8_t i8;
    uint8_t u8;
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
    float duty[2];
    double volts;
    hy_point places[2];
} everything;

static const hy_struct_field everything_fields[] = {
    { "enabled", HY_FIELD_BOOL, offsetof(everything, enabled), 0, NULL },
    { "i8", HY_FIELD_INT8, offsetof(everything, i8), 0, NULL },
    { "u8", HY_FIELD_UINT8, offsetof(everything, u8), 0, NULL },
    { "i16", HY_FIELD_INT16, offsetof(everything, i16), 0, NULL },
    { "u16", HY_FIELD_UINT16, offsetof(everything, u16), 0, NULL },
    { "i32", HY_FIELD_INT32, offsetof(everything, i32), 0, NULL },
    { "u32", HY_FIELD_UINT32, offsetof(everything, u32), 0, NULL },
    { "i64", HY_FIELD_INT64, offsetof(everything, i64), 0, NULL },
    { "u64", HY_FIELD_UINT64, offsetof(everything, u64), 0, NULL },
    { "duty", HY_FIELD_FLOAT, offsetof(everything, duty), 2, NULL },
    { "volts", HY_FIELD_DOUBLE, offsetof(everything, volts), 0, NULL },
    { "places", HY_FIELD_STRUCT, offsetof(everything, places), 2, &hy_struct_translation2d },
};
static const hy_struct_type everything_type = { "Everything", everything_fields,
                                                sizeof everything_fields / sizeof *everything_fields,
                                                sizeof(everything) };

static void a_struct_of_ones_own_has_every_kind_of_member(void **state)
{
    (void)state;
    const everything value = { .enabled = true,
                               .i8 = -2,
                               .u8 = 0xfe,
                               .i16 = -3,
                               .u16 = 0xfedc,
                               .i32 = -4,
                               .u32 = 0xfedcba98,
                               .i64 = -5,
                               .u64 = UINT64_C(0xfedcba9876543210),
                               .duty = { 0.5F, -1 },
                               .volts = 2,
                               .places = { { 1, 2 }, { -1, -2 } } };
    static const uint8_t expected[] = {
        1,    0xfe, 0xfe, 0xfd, 0xff, 0xdc, 0xfe, 0xfc, 0xff, 0xff, 0xff, 0x98, 0xba, 0xdc,
        0xfe, 0xfb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x10, 0x32, 0x54, 0x76, 0x98,
        0xba, 0xdc, 0xfe, 0,    0,    0,    0x3f, 0,    0,    0x80, 0xbf, 0,    0,    0,
        0,    0,    0,    0,    0x40, 0,    0,    0,    0,    0,    0,    0xf0, 0x3f, 0,
        0,    0,    0,    0,    0,    0,    0x40, 0,    0,    0,    0,    0,    0,    0xf0,
        0xbf, 0,    0,    0,    0,    0,    0,    0,    0xc0,
    };
    uint8_t packed[sizeof expected];
    char schema[200];
    hy_struct_schema(&everything_type, schema, sizeof schema);
    assert_string_equal(schema, "bool enabled;int8 i8;uint8 u8;int16 i16;uint16 u16;int32 "
                                "i32;uint32 u32;int64 i64;uint64 u64;"
                                "float duty[2];double volts;Translation2d places[2]");
    assert_int_equal(hy_struct_packed_size(&everything_type), sizeof expected);
    hy_struct_pack(&everything_type, &value, packed);
    assert_memory_equal(packed, expected, sizeof expected);
    everything back;
    uint8_t again[sizeof expected];
    hy_struct_unpack(&everything_type, packed, &back);
    hy_struct_pack(&everything_type, &back, again);
    assert_memory_equal(again, expected, sizeof expected);
    char cut[5];
    assert_int_equal(hy_struct_schema(&everything_type, cut, sizeof cut), strlen(schema));
    assert_string_equal(cut, "bool");
}

static void structs_that_need_packing_are_packed_in_rows(void **state)
{
    (void)state;
    start((hy_wpilog_options){ 0 });
    const hy_channel rows = hy_telemetry_declare(
        telemetry, &(hy_channel_spec){
                       .name = "rows", .kind = HY_CHANNEL_STRUCT_ARRAY, .type = &everything_type });
    const everything two[2] = { { .i8 = 1 }, { .i8 = 2 } };
    hy_telemetry_put_structs(telemetry, rows, two, 2);
    write_to_file();
    hy_wpilog_reader reader = reader_of(file_size);
    hy_wpilog_record last = { 0 };
    for (hy_wpilog_record record; hy_wpilog_next(&reader, &record);) {
        last = record;
    }
    const size_t packed = hy_struct_packed_size(&everything_type);
    assert_int_equal(last.value.size, 2 * packed);
    assert_int_equal(last.value.data[1], 1);
    assert_int_equal(last.value.data[packed + 1], 2);
}

// --------------------------------------------------------------------------- bytes of a file

static void every_byte_of_a_small_file(void **state)
{
    (void)state;
    start((hy_wpilog_options){ 0 });
    hy_telemetry_set_time(telemetry, 1000);
    const hy_channel volts = hy_telemetry_declare(
        telemetry, &(hy_channel_spec){ .name = "/hy/t", .kind = HY_CHANNEL_DOUBLE, .unit = "V" });
    hy_telemetry_put_double(telemetry, volts, 7.25);
    const hy_channel enabled = hy_telemetry_declare(
        telemetry,
        &(hy_channel_spec){ .name = "DS:enabled", .kind = HY_CHANNEL_BOOLEAN, .is_file_only = true });
    hy_telemetry_set_time(telemetry, 0x123456789);
    hy_telemetry_put_boolean(telemetry, enabled, true);
    write_to_file();
    static const uint8_t expected[] =
        "WPILOG\x00\x01\x00\x00\x00\x00"
        "\x00\x00\x26\x00\x00\x01\x00\x00\x00\x10\x00\x00\x00/Halyard/"
        "Dropped\x05\x00\x00\x00int64\x00\x00\x00\x00"
        "\x10\x00\x2b\xe8\x03\x00\x02\x00\x00\x00\x08\x00\x00\x00NT:/hy/t\x06\x00\x00\x00"
        "double\x0c\x00\x00\x00{\"unit\":\"V\"}"
        "\x10\x02\x08\xe8\x03\x00\x00\x00\x00\x00\x00\x1d\x40"
        "\x10\x00\x22\xe8\x03\x00\x03\x00\x00\x00\x0a\x00\x00\x00"
        "DS:enabled\x07\x00\x00\x00"
        "boolean\x00\x00\x00\x00"
        "\x40\x03\x01\x89\x67\x45\x23\x01\x01";
    assert_int_equal(file_size, sizeof expected - 1);
    assert_memory_equal(file, expected, sizeof expected - 1);
}

static void assert_value(hy_wpilog_reader *reader, const void *value, size_t size)
{
    const hy_wpilog_record record = next(reader);
    assert_int_equal(record.kind, HY_WPILOG_VALUE);
    assert_int_equal(record.value.size, size);
    if (size > 0) {
        assert_memory_equal(record.value.data, value, size);
    }
}

static void every_kind_of_value(void **state)
{
    (void)state;
    start((hy_wpilog_options){ 0 });
    static const char *const names[] = { "i", "f", "s", "j", "r", "b[]", "i[]", "f[]", "d[]", "s[]" };
    static const hy_channel_kind kinds[] = { HY_CHANNEL_INT64,        HY_CHANNEL_FLOAT,
                                             HY_CHANNEL_STRING,       HY_CHANNEL_JSON,
                                             HY_CHANNEL_RAW,          HY_CHANNEL_BOOLEAN_ARRAY,
                                             HY_CHANNEL_INT64_ARRAY,  HY_CHANNEL_FLOAT_ARRAY,
                                             HY_CHANNEL_DOUBLE_ARRAY, HY_CHANNEL_STRING_ARRAY };
    hy_channel channels[10];
    for (size_t i = 0; i < 10; i++) {
        channels[i] = declare(names[i], kinds[i]);
    }
    hy_telemetry_put_int64(telemetry, channels[0], -2);
    hy_telemetry_put_float(telemetry, channels[1], 0.5F);
    hy_telemetry_put_text(telemetry, channels[2], "hello");
    hy_telemetry_put_text(telemetry, channels[3], "{}");
    hy_telemetry_put_bytes(telemetry, channels[4], (hy_bytes){ NULL, 0 });
    hy_telemetry_put_booleans(telemetry, channels[5], (const bool[]){ true, false }, 2);
    hy_telemetry_put_int64s(telemetry, channels[6], (const int64_t[]){ 1, -1 }, 2);
    hy_telemetry_put_floats(telemetry, channels[7], (const float[]){ 0.5F }, 1);
    hy_telemetry_put_doubles(telemetry, channels[8], (const double[]){ 2.0 }, 1);
    hy_telemetry_put_texts(telemetry, channels[9], (const char *const[]){ "a", "\xc3\xa9" }, 2);
    write_to_file();
    hy_wpilog_reader reader = reader_of(file_size);
    assert_true(is_text(next(&reader).name, "/Halyard/Dropped"));
    static const char *const types[] = { "int64",     "float",   "string",  "json",     "raw",
                                         "boolean[]", "int64[]", "float[]", "double[]", "string[]" };
    for (size_t i = 0; i < 10; i++) {
        assert_true(is_text(next(&reader).type, types[i]));
    }
    assert_value(&reader, "\xfe\xff\xff\xff\xff\xff\xff\xff", 8);
    assert_value(&reader, "\x00\x00\x00\x3f", 4);
    assert_value(&reader, "hello", 5);
    assert_value(&reader, "{}", 2);
    assert_value(&reader, "", 0);
    assert_value(&reader, "\x01\x00", 2);
    assert_value(&reader, "\x01\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff", 16);
    assert_value(&reader, "\x00\x00\x00\x3f", 4);
    assert_value(&reader, "\x00\x00\x00\x00\x00\x00\x00\x40", 8);
    assert_value(&reader,
                 "\x02\x00\x00\x00\x01\x00\x00\x00"
                 "a\x02\x00\x00\x00\xc3\xa9",
                 15);
    hy_wpilog_record record;
    assert_false(hy_wpilog_next(&reader, &record));
    assert_null(reader.damage);
}

static void schemas_come_before_the_structs_also_in_a_sink_that_comes_late(void **state)
{
    (void)state;
    assert_int_equal(hy_telemetry_open(&telemetry), HY_OK);
    assert_false(hy_telemetry_has_sinks(telemetry));
    const hy_channel poses =
        hy_telemetry_declare(telemetry, &(hy_channel_spec){ .name = "/poses",
                                                            .kind = HY_CHANNEL_STRUCT_ARRAY,
                                                            .type = &hy_struct_pose2d });
    assert_int_equal(poses, 4);                          // behind three schemas
    hy_telemetry_put_structs(telemetry, poses, NULL, 0); // nobody listens
    assert_int_equal(hy_wpilog_open(&(hy_wpilog_options){ 0 }, &wpilog), HY_OK);
    assert_int_equal(hy_telemetry_attach(telemetry, hy_wpilog_sink(wpilog)), HY_OK);
    const hy_telemetry_pose2d two[] = { { 1, 2, 3 }, { 4, 5, 6 } };
    hy_telemetry_put_structs(telemetry, poses, two, 2);
    file_size = 0;
    write_to_file();
    hy_wpilog_reader reader = reader_of(file_size);
    next(&reader);
    static const char *const schemas[][2] = {
        { "NT:/.schema/struct:Translation2d", "double x;double y" },
        { "NT:/.schema/struct:Rotation2d", "double value" },
        { "NT:/.schema/struct:Pose2d", "Translation2d translation;Rotation2d rotation" }
    };
    for (size_t i = 0; i < 3; i++) {
        const hy_wpilog_record schema = next(&reader);
        assert_true(is_text(schema.name, schemas[i][0]) && is_text(schema.type, "structschema"));
        assert_value(&reader, schemas[i][1], strlen(schemas[i][1]));
    }
    assert_true(is_text(next(&reader).type, "struct:Pose2d[]"));
    const double numbers[] = { 1, 2, 3, 4, 5, 6 };
    assert_value(&reader, numbers, sizeof numbers);
}

static void arrays_are_cut_at_whole_elements(void **state)
{
    (void)state;
    start((hy_wpilog_options){ 0 });
    const hy_channel doubles = declare("d", HY_CHANNEL_DOUBLE_ARRAY),
                     texts = declare("t", HY_CHANNEL_STRING_ARRAY);
    static const double many[HY_TELEMETRY_ARRAY_MAX];
    static char text[3000];
    memset(text, 'x', sizeof text - 1);
    hy_telemetry_put_doubles(telemetry, doubles, many, HY_TELEMETRY_ARRAY_MAX);
    hy_telemetry_put_texts(telemetry, texts, (const char *const[]){ text, text }, 2);
    write_to_file();
    hy_wpilog_reader reader = reader_of(file_size);
    for (int start_records = 0; start_records < 3; start_records++) {
        next(&reader);
    }
    assert_int_equal(next(&reader).value.size,
                     HY_TELEMETRY_ARRAY_MAX / sizeof(double) * sizeof(double));
    const hy_wpilog_record cut = next(&reader);
    assert_int_equal(cut.value.size, 4 + 4 + sizeof text - 1);
    assert_int_equal(cut.value.data[0], 1);
}

static void a_name_has_one_kind_and_one_handle(void **state)
{
    (void)state;
    start((hy_wpilog_options){ 0 });
    const hy_channel first = declare("/a", HY_CHANNEL_DOUBLE);
    assert_int_equal(declare("/a", HY_CHANNEL_DOUBLE), first);
    assert_int_equal(hy_telemetry_declare(
                         telemetry, &(hy_channel_spec){ .name = "/a", .kind = HY_CHANNEL_INT64 }),
                     0);
    write_to_file();
    const size_t before = file_size;
    hy_telemetry_put_int64(telemetry, 0, 5); // a handle of nothing
    write_to_file();
    assert_int_equal(file_size, before);
    char name[20];
    for (int i = 1; i < HY_CHANNELS_MAX; i++) {
        (void)snprintf(name, sizeof name, "%d", i);
        declare(name, HY_CHANNEL_BOOLEAN);
        write_to_file();
    }
    assert_int_equal(
        hy_telemetry_declare(telemetry, &(hy_channel_spec){ .name = "x", .kind = HY_CHANNEL_INT64 }),
        0);
    const hy_telemetry_sink sink = hy_wpilog_sink(wpilog);
    for (int i = 1; i < HY_TELEMETRY_SINKS_MAX; i++) {
        assert_int_equal(hy_telemetry_attach(
                             telemetry, (hy_telemetry_sink){ sink.context, sink.declare, sink.put }),
                         HY_OK);
        write_to_file();
    }
    assert_int_equal(hy_telemetry_attach(telemetry, sink), HY_EFULL);
}

// --------------------------------------------------------------------------- a full buffer

static void a_full_buffer_drops_whole_records_inputs_last_and_says_so(void **state)
{
    (void)state;
    start((hy_wpilog_options){ 0 });
    const hy_channel value = declare("value", HY_CHANNEL_RAW);
    const hy_channel input = hy_telemetry_declare(
        telemetry,
        &(hy_channel_spec){
            .name = "input", .kind = HY_CHANNEL_RAW, .is_input = true, .is_file_only = true });
    static const uint8_t bytes[996];
    const hy_bytes kilobyte = { bytes, sizeof bytes }; // with the record's head
    while (hy_wpilog_dropped(wpilog).values < 3) {
        hy_telemetry_put_bytes(telemetry, value, kilobyte);
    }
    uint64_t inputs = 0;
    for (; hy_wpilog_dropped(wpilog).inputs < 2; inputs++) {
        hy_telemetry_put_bytes(telemetry, input, kilobyte);
    }
    assert_true(inputs - 2 >= HY_WPILOG_ROOM_MIN / 4 / 1024); // a quarter was kept for them
    const hy_channel late = declare("late", HY_CHANNEL_DOUBLE); // its start record does not fit either
    write_to_file();
    hy_telemetry_put_double(telemetry, late, 1);
    write_to_file();
    hy_wpilog_reader reader = reader_of(file_size);
    hy_wpilog_record record, last = { 0 };
    uint64_t values = 0, inputs_read = 0;
    bool late_started = false;
    while (hy_wpilog_next(&reader, &record)) {
        values += record.kind == HY_WPILOG_VALUE && record.entry == 2;
        inputs_read += record.kind == HY_WPILOG_VALUE && record.entry == 3;
        late_started =
            late_started || (record.kind == HY_WPILOG_START && is_text(record.name, "NT:late"));
        last = record;
    }
    assert_null(reader.damage);
    assert_int_equal(inputs_read, inputs - 2);
    assert_true(values * 1000 <= HY_WPILOG_ROOM_MIN - HY_WPILOG_ROOM_MIN / 4);
    assert_true(late_started);
    assert_int_equal(last.entry, 1); // "/Halyard/Dropped"
    assert_int_equal(last.value.data[0], 5);
}

static bool consume_everything(void *context)
{
    (void)context;
    write_to_file();
    return true;
}

static void with_a_wait_nothing_is_dropped(void **state)
{
    (void)state;
    start((hy_wpilog_options){ .wait = consume_everything });
    const hy_channel value = declare("value", HY_CHANNEL_INT64);
    const int64_t count = 20000; // four times the buffer
    for (int64_t i = 0; i < count; i++) {
        hy_telemetry_put_int64(telemetry, value, i);
    }
    write_to_file();
    assert_int_equal(hy_wpilog_dropped(wpilog).values, 0);
    hy_wpilog_reader reader = reader_of(file_size);
    next(&reader);
    next(&reader);
    for (int64_t i = 0; i < count; i++) {
        int64_t read;
        const hy_wpilog_record record = next(&reader);
        memcpy(&read, record.value.data, sizeof read); // this test runs on little-endian machines
        assert_int_equal(read, i);
    }
}

// The first record's bytes as long as nobody has consumed them, whatever is put behind them into a ring that is nearly full.
static void a_nearly_full_buffer_keeps_what_has_not_been_consumed(void **state)
{
    (void)state;
    start((hy_wpilog_options){ 0 });
    const hy_channel_spec spec = { .name = "input", .kind = HY_CHANNEL_BOOLEAN, .is_input = true };
    const hy_channel input = hy_telemetry_declare(telemetry, &spec);
    static uint8_t begins[64], all[32 * HY_WPILOG_ROOM_MIN];
    size_t size = 0;
    for (int round = 0; round < 2 * HY_WPILOG_ROOM_MIN; round++) {
        const hy_bytes before = hy_wpilog_peek(wpilog);
        const size_t kept = before.size < sizeof begins ? before.size : sizeof begins;
        memcpy(begins, before.data, kept);
        const uint64_t dropped = hy_wpilog_dropped(wpilog).inputs;
        hy_telemetry_put_boolean(telemetry, input, round % 2 == 0);
        if (memcmp(hy_wpilog_peek(wpilog).data, begins, kept) != 0) {
            fail_msg("round %d overwrote what had not been consumed", round);
        }
        if (hy_wpilog_dropped(wpilog).inputs > dropped) { // full: a few bytes of room
            const size_t few = kept < 5 + (size_t)round % 9 ? kept : 5 + (size_t)round % 9;
            assert_true(size + few <= sizeof all);
            memcpy(&all[size], before.data, few);
            size += few;
            hy_wpilog_consume(wpilog, few);
        }
    }
    hy_wpilog_reader reader;
    assert_int_equal(hy_wpilog_reader_init(&reader, (hy_bytes){ all, size }), HY_OK);
    for (hy_wpilog_record record; hy_wpilog_next(&reader, &record);) {
    }
    assert_true(reader.damage == NULL || strcmp(reader.damage, "the file ends in a record") == 0);
    assert_true(size - reader.offset < 16);
}

static void what_is_longer_than_the_buffer_is_dropped_not_waited_for(void **state)
{
    (void)state;
    start((hy_wpilog_options){ .wait = consume_everything });
    static const uint8_t huge[2 * HY_WPILOG_ROOM_MIN];
    hy_telemetry_put_bytes(telemetry, declare("huge", HY_CHANNEL_RAW),
                           (hy_bytes){ huge, sizeof huge });
    assert_int_equal(hy_wpilog_dropped(wpilog).values, 1);
}

// --------------------------------------------------------------------------- two threads

#define THREAD_VALUES 200000
#define NUMBER_SIZE   sizeof(int64_t)

static bool let_the_other_thread_run(void *context)
{
    (void)context;
    (void)sched_yield();
    return true;
}

static void *put_from_a_thread(void *nothing)
{
    (void)nothing;
    const hy_channel value =
        hy_telemetry_declare(telemetry, &(hy_channel_spec){ .name = "n", .kind = HY_CHANNEL_INT64 });
    for (int64_t i = THREAD_VALUES - 1; i >= 0; i--) {
        hy_telemetry_put_int64(telemetry, value, i);
    }
    return NULL;
}

static void one_thread_puts_while_another_writes(void **state)
{
    (void)state;
    start((hy_wpilog_options){ .wait = let_the_other_thread_run });
    static uint8_t all[THREAD_VALUES * 16];
    size_t size = 0;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, put_from_a_thread, NULL), 0);
    const size_t head = 12 + 42 + 30, record = 4 + NUMBER_SIZE; // the header, two starts; each value
    while (size < head + THREAD_VALUES * record) {
        const hy_bytes bytes = hy_wpilog_peek(wpilog);
        assert_true(size + bytes.size <= sizeof all);
        memcpy(&all[size], bytes.data, bytes.size);
        size += bytes.size;
        hy_wpilog_consume(wpilog, bytes.size);
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(hy_wpilog_peek(wpilog).size, 0);
    hy_wpilog_reader reader;
    assert_int_equal(hy_wpilog_reader_init(&reader, (hy_bytes){ all, size }), HY_OK);
    next(&reader);
    next(&reader);
    for (int64_t i = THREAD_VALUES - 1; i >= 0; i--) {
        int64_t value;
        memcpy(&value, next(&reader).value.data, sizeof value);
        if (value != i) {
            fail_msg("%lld in place of %lld", (long long)value, (long long)i);
        }
    }
}

// --------------------------------------------------------------------------- reading

static void a_cut_file_is_read_up_to_its_last_whole_record(void **state)
{
    (void)state;
    start((hy_wpilog_options){ 0 });
    const hy_channel value = declare("value", HY_CHANNEL_INT64);
    for (int64_t i = 0; i < 10; i++) {
        hy_telemetry_set_time(telemetry, (uint64_t)i * 100);
        hy_telemetry_put_int64(telemetry, value, i);
    }
    write_to_file();
    size_t ends[12], count = 0; // of each record
    hy_wpilog_reader whole = reader_of(file_size);
    for (hy_wpilog_record record; hy_wpilog_next(&whole, &record);) {
        ends[count++] = whole.offset;
    }
    assert_int_equal(count, 12);
    for (size_t size = 0; size < file_size; size++) {
        uint8_t *const exact =
            malloc(size == 0 ? 1 : size); // so that a sanitizer sees a byte too much
        assert_non_null(exact);
        memcpy(exact, file, size);
        hy_wpilog_reader reader;
        if (hy_wpilog_reader_init(&reader, (hy_bytes){ exact, size }) != HY_OK) {
            assert_true(size < 12);
            assert_non_null(reader.damage);
            free(exact);
            continue;
        }
        hy_wpilog_record record;
        size_t read = 0;
        while (hy_wpilog_next(&reader, &record)) {
            read++;
        }
        const bool is_whole = read == 0 ? size == 12 : size == ends[read - 1];
        assert_true((reader.damage == NULL) == is_whole);
        assert_int_equal(reader.offset, read == 0 ? 12 : ends[read - 1]);
        assert_true(read == count || ends[read] > size);
        free(exact);
    }
}

// Reads all of it; the reader as it is then.
static hy_wpilog_reader read_all(const char *bytes, size_t size, size_t *values)
{
    hy_wpilog_reader reader;
    *values = 0;
    if (hy_wpilog_reader_init(&reader, (hy_bytes){ (const uint8_t *)bytes, size }) == HY_OK) {
        for (hy_wpilog_record record; hy_wpilog_next(&reader, &record);) {
            *values += record.kind == HY_WPILOG_VALUE;
        }
    }
    return reader;
}

static const char *damage_of(const char *bytes, size_t size)
{
    size_t values;
    return read_all(bytes, size, &values).damage;
}

#define WPILOG      "WPILOG\x00\x01\x00\x00\x00\x00"
#define BYTES(text) (text), sizeof(text) - 1

static void damage_is_named(void **state)
{
    (void)state;
    assert_null(damage_of(BYTES(WPILOG)));
    assert_string_equal(damage_of(BYTES("WPILOX\x00\x01\x00\x00\x00\x00")),
                        "the file does not begin with \"WPILOG\"");
    assert_string_equal(damage_of(BYTES("WPILOG\x00\x02\x00\x00\x00\x00")),
                        "the file's version is not 1.0");
    assert_string_equal(damage_of(BYTES("WPILOG\x00\x01\xff\xff\xff\xff")),
                        "the file ends in its extra header");
    assert_string_equal(damage_of(BYTES(WPILOG "\x0c\x01\xff\xff\xff\xff\x00")),
                        "the file ends in a record");
}

// Its begin is enough, as the program that packs writes it.
static void a_packed_file_is_named_with_what_unpacks_it(void **state)
{
    (void)state;
    static const struct {
        const char *begin;
        size_t size;
        const char *hint;
    } rows[] = {
        { BYTES("\xfd\x37\x7a\x58\x5a\x00\x00\x04"), "unpack it with xz -d" },
        { BYTES("\x1f\x8b\x08\x00"), "unpack it with gzip -d" },
        { BYTES("\x28\xb5\x2f\xfd\x04"), "unpack it with zstd -d" },
        { BYTES("BZh91AY"), "unpack it with bzip2 -d" },
        { BYTES("PK\x03\x04\x14"), "unpack it with unzip" },
        { BYTES("\xfd\x37\x7a"), "does not begin with" },
        { BYTES(""), "does not begin with" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_non_null(strstr(damage_of(rows[i].begin, rows[i].size), rows[i].hint));
    }
}

// A value of 8 bytes stands before and behind a record that cannot be read.
static void a_record_that_cannot_be_read_is_skipped(void **state)
{
    (void)state;
#define VALUE "\x00\x01\x08\x05\x00\x00\x00\x00\x00\x00\x00\x00"
    static const struct {
        const char *bytes;
        size_t size;
        const char *why;
    } rows[] = {
        { BYTES("\x80\x01\x01\x00\x07"), "its first byte is not one of WPILOG 1.0" },
        { BYTES("\x00\x00\x05\x00\x07\x01\x00\x00\x00"),
          "it is a control record of an unknown kind" },
        { BYTES("\x00\x00\x00\x00"), "it is too short for a control record" },
        { BYTES("\x00\x00\x01\x00\x00"), "it is too short for a control record" },
        { BYTES("\x00\x00\x04\x00\x01\x02\x00\x00"), "it is too short for a control record" },
        { BYTES("\x00\x00\x09\x00\x00\x01\x00\x00\x00\xff\xff\xff\xff"),
          "it is too short for a control record" },
        { BYTES("\x00\x00\x09\x00\x02\x01\x00\x00\x00\x09\x00\x00\x00"),
          "it is too short for a control record" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char bytes[200], text[300], wanted[200];
        size_t values, size = 0;
        const struct {
            const char *bytes;
            size_t size;
        } parts[] = { { BYTES(WPILOG VALUE) },
                      { rows[i].bytes, rows[i].size },
                      { BYTES(VALUE) },
                      { rows[i].bytes, rows[i].size },
                      { BYTES(VALUE) } };
        for (size_t k = 0; k < 5; k++) {
            memcpy(bytes + size, parts[k].bytes, parts[k].size);
            size += parts[k].size;
        }
        const hy_wpilog_reader reader = read_all(bytes, size, &values);
        assert_int_equal(values, 3);
        assert_int_equal(reader.skipped, 2);
        assert_int_equal(reader.first_skipped, 24);
        assert_int_equal(reader.begin, size - 12);
        assert_null(reader.damage);
        hy_wpilog_describe_damage(&reader, text, sizeof text);
        (void)snprintf(wanted, sizeof wanted,
                       "2 records cannot be read and are skipped, the first at offset 24: %s",
                       rows[i].why);
        assert_string_equal(text, wanted);
        const hy_wpilog_reader cut = read_all(bytes, size - 1, &values);
        assert_int_equal(values, 2);
        hy_wpilog_describe_damage(&cut, text, sizeof text);
        (void)snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted),
                       "; behind offset %zu nothing can be read: the file ends in a record",
                       size - 12);
        assert_string_equal(text, wanted);
        char small[40];
        hy_wpilog_describe_damage(&cut, small, sizeof small);
        assert_memory_equal(small, text, sizeof small - 1);
    }
}

static void longer_forms_than_needed_and_an_extra_header_are_read(void **state)
{
    (void)state;
    static const char bytes[] =
        "WPILOG\x00\x01\x03\x00\x00\x00{ }"
        "\x7f\x00\x00\x00\x00\x05\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01\x07\x00\x00\x00"
        "\x00\x00\x0b\x02\x02\x07\x00\x00\x00\x02\x00\x00\x00[]";
    hy_wpilog_reader reader;
    assert_int_equal(
        hy_wpilog_reader_init(&reader, (hy_bytes){ (const uint8_t *)bytes, sizeof bytes - 1 }),
        HY_OK);
    assert_true(is_text(reader.extra_header, "{ }"));
    const hy_wpilog_record finish = next(&reader), metadata = next(&reader);
    assert_int_equal(finish.kind, HY_WPILOG_FINISH);
    assert_int_equal(finish.entry, 7);
    assert_int_equal(finish.at_us, 1);
    assert_int_equal(metadata.kind, HY_WPILOG_SET_METADATA);
    assert_true(is_text(metadata.metadata, "[]"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pose_is_packed_as_wpilib_packs_it),
        cmocka_unit_test(schemas_are_those_of_wpilib),
        cmocka_unit_test(a_struct_of_ones_own_has_every_kind_of_member),
        cmocka_unit_test_teardown(structs_that_need_packing_are_packed_in_rows, end),
        cmocka_unit_test_teardown(every_byte_of_a_small_file, end),
        cmocka_unit_test_teardown(every_kind_of_value, end),
        cmocka_unit_test_teardown(schemas_come_before_the_structs_also_in_a_sink_that_comes_late, end),
        cmocka_unit_test_teardown(arrays_are_cut_at_whole_elements, end),
        cmocka_unit_test_teardown(a_name_has_one_kind_and_one_handle, end),
        cmocka_unit_test_teardown(a_full_buffer_drops_whole_records_inputs_last_and_says_so, end),
        cmocka_unit_test_teardown(with_a_wait_nothing_is_dropped, end),
        cmocka_unit_test_teardown(a_nearly_full_buffer_keeps_what_has_not_been_consumed, end),
        cmocka_unit_test_teardown(what_is_longer_than_the_buffer_is_dropped_not_waited_for, end),
        cmocka_unit_test_teardown(one_thread_puts_while_another_writes, end),
        cmocka_unit_test_teardown(a_cut_file_is_read_up_to_its_last_whole_record, end),
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test(a_packed_file_is_named_with_what_unpacks_it),
        cmocka_unit_test(a_record_that_cannot_be_read_is_skipped),
        cmocka_unit_test(longer_forms_than_needed_and_an_extra_header_are_read),
    };
    return cmocka_run_group_tests_name("telemetry", tests, NULL, NULL);
}
