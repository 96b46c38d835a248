// Writes and reads WPILOG files for run_wpilog.py, and says in lines what is in them.
//
//   wpilog_host write SEED FILE    every kind of channel, random values; a line for each: NAME TIME HEX
//   wpilog_host read FILE          a line for each record: "start ENTRY TIME NAME TYPE METADATA", tabs between; "value ENTRY TIME HEX"
#include <halyard/telemetry.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS    500
#define FILE_MAX  (4 << 20)
#define ARRAY_MAX 6

static FILE *log_file;
static hy_wpilog *wpilog;
static hy_telemetry *telemetry;
static uint64_t now_us;

static void end_with(const char *why)
{
    fprintf(stderr, "wpilog_host: %s\n", why);
    exit(1);
}

static bool write_to_file(void *context)
{
    (void)context;
    for (hy_bytes bytes; (bytes = hy_wpilog_peek(wpilog)).size > 0;
         hy_wpilog_consume(wpilog, bytes.size)) {
        if (fwrite(bytes.data, 1, bytes.size, log_file) != bytes.size) {
            end_with("the log cannot be written");
        }
    }
    return true;
}

// --------------------------------------------------------------------------- writing

static void print_value(const char *name, const void *value, size_t size)
{
    printf("%s %llu ", name, (unsigned long long)now_us);
    for (size_t i = 0; i < size; i++) {
        printf("%02x", ((const uint8_t *)value)[i]);
    }
    printf("\n");
}

typedef struct {
    hy_channel boolean, int64, float32, float64, string, json, raw, booleans, int64s, floats,
        doubles, texts;
} channel_set;

static hy_channel declare(const char *name, hy_channel_kind kind)
{
    return hy_telemetry_declare(
        telemetry,
        &(hy_channel_spec){ .name = name, .kind = kind, .unit = "u", .is_file_only = true });
}

static channel_set declare_all(void)
{
    return (channel_set){
        .boolean = declare("boolean", HY_CHANNEL_BOOLEAN),
        .int64 = declare("int64", HY_CHANNEL_INT64),
        .float32 = declare("float", HY_CHANNEL_FLOAT),
        .float64 = declare("double", HY_CHANNEL_DOUBLE),
        .string = declare("string", HY_CHANNEL_STRING),
        .json = declare("json", HY_CHANNEL_JSON),
        .raw = declare("raw", HY_CHANNEL_RAW),
        .booleans = declare("booleans", HY_CHANNEL_BOOLEAN_ARRAY),
        .int64s = declare("int64s", HY_CHANNEL_INT64_ARRAY),
        .floats = declare("floats", HY_CHANNEL_FLOAT_ARRAY),
        .doubles = declare("doubles", HY_CHANNEL_DOUBLE_ARRAY),
        .texts = declare("texts", HY_CHANNEL_STRING_ARRAY),
    };
}

static double any_double(hy_random *random)
{
    const uint64_t bits = hy_random_bits(random);
    double value;
    memcpy(&value, &bits, sizeof value); // NaN and infinities too
    return value;
}

static void put_numbers(const channel_set *channels, hy_random *random)
{
    const bool boolean = hy_random_below(random, 2) == 1;
    const int64_t int64 = (int64_t)hy_random_bits(random);
    const float float32 = (float)hy_random_normal(random);
    const double float64 = any_double(random);
    hy_telemetry_put_boolean(telemetry, channels->boolean, boolean);
    print_value("boolean", &boolean, sizeof boolean);
    hy_telemetry_put_int64(telemetry, channels->int64, int64);
    print_value("int64", &int64, sizeof int64);
    hy_telemetry_put_float(telemetry, channels->float32, float32);
    print_value("float", &float32, sizeof float32);
    hy_telemetry_put_double(telemetry, channels->float64, float64);
    print_value("double", &float64, sizeof float64);
}

static void put_texts(const channel_set *channels, hy_random *random)
{
    static const char *const words[] = { "", "a", "\xc3\xa9\xe2\x82\xac", "line\nbreak",
                                         "\"quoted\"" };
    const char *texts[ARRAY_MAX];
    const size_t count = hy_random_below(random, ARRAY_MAX);
    char joined[200] = "";
    for (size_t i = 0; i < count; i++) {
        texts[i] = words[hy_random_below(random, 5)];
        (void)snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s|", texts[i]);
    }
    hy_telemetry_put_text(telemetry, channels->string, joined);
    print_value("string", joined, strlen(joined));
    hy_telemetry_put_text(telemetry, channels->json, "{}");
    print_value("json", "{}", 2);
    hy_telemetry_put_bytes(telemetry, channels->raw,
                           (hy_bytes){ (const uint8_t *)joined, strlen(joined) });
    print_value("raw", joined, strlen(joined));
    hy_telemetry_put_texts(telemetry, channels->texts, texts, count);
    print_value("texts", joined, strlen(joined));
}

static void put_arrays(const channel_set *channels, hy_random *random)
{
    bool booleans[ARRAY_MAX];
    int64_t int64s[ARRAY_MAX];
    float floats[ARRAY_MAX];
    double doubles[ARRAY_MAX];
    const size_t count = hy_random_below(random, ARRAY_MAX);
    for (size_t i = 0; i < count; i++) {
        booleans[i] = hy_random_below(random, 2) == 1;
        int64s[i] = (int64_t)hy_random_bits(random);
        floats[i] = (float)hy_random_normal(random);
        doubles[i] = any_double(random);
    }
    hy_telemetry_put_booleans(telemetry, channels->booleans, booleans, count);
    print_value("booleans", booleans, count * sizeof *booleans);
    hy_telemetry_put_int64s(telemetry, channels->int64s, int64s, count);
    print_value("int64s", int64s, count * sizeof *int64s);
    hy_telemetry_put_floats(telemetry, channels->floats, floats, count);
    print_value("floats", floats, count * sizeof *floats);
    hy_telemetry_put_doubles(telemetry, channels->doubles, doubles, count);
    print_value("doubles", doubles, count * sizeof *doubles);
}

// WPILib's structs: numbers 1, 2, 3 .. in the order of the C struct.
static void put_wpilib_structs(void)
{
    static const double numbers[] = { 1, 2, 3, 4, 5, 6, 7 };
    static const hy_struct_type *const types[] = {
        &hy_struct_translation2d,
        &hy_struct_translation3d,
        &hy_struct_rotation2d,
        &hy_struct_quaternion,
        &hy_struct_rotation3d,
        &hy_struct_pose2d,
        &hy_struct_pose3d,
        &hy_struct_transform2d,
        &hy_struct_transform3d,
        &hy_struct_twist2d,
        &hy_struct_twist3d,
        &hy_struct_chassis_speeds,
        &hy_struct_swerve_module_state,
        &hy_struct_swerve_module_position,
        &hy_struct_differential_drive_wheel_speeds,
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "struct/%s", types[i]->name);
        const hy_channel channel = hy_telemetry_declare(
            telemetry,
            &(hy_channel_spec){
                .name = name, .kind = HY_CHANNEL_STRUCT, .type = types[i], .is_file_only = true });
        hy_telemetry_put_struct(telemetry, channel, numbers);
        print_value(name, numbers, types[i]->size);
    }
}

static int write_log(uint64_t seed, const char *path)
{
    log_file = fopen(path, "wb");
    if (log_file == NULL || hy_telemetry_open(&telemetry) != HY_OK ||
        hy_wpilog_open(&(hy_wpilog_options){ .wait = write_to_file }, &wpilog) != HY_OK ||
        hy_telemetry_attach(telemetry, hy_wpilog_sink(wpilog)) != HY_OK) {
        end_with("the log cannot be begun");
    }
    hy_random random = hy_random_seeded(seed);
    const channel_set channels = declare_all();
    for (int round = 0; round < ROUNDS; round++) {
        now_us += hy_random_bits(&random) >> hy_random_below(&random, 40) >> 24;
        hy_telemetry_set_time(telemetry, now_us);
        put_numbers(&channels, &random);
        put_texts(&channels, &random);
        put_arrays(&channels, &random);
    }
    put_wpilib_structs();
    write_to_file(NULL);
    hy_telemetry_close(telemetry);
    hy_wpilog_close(wpilog);
    return fclose(log_file) == 0 ? 0 : 1;
}

// --------------------------------------------------------------------------- reading

static void print_record(const hy_wpilog_record *record)
{
    static const char *const kinds[] = {
        [HY_WPILOG_VALUE] = "value", [HY_WPILOG_START] = "start", [HY_WPILOG_FINISH] = "finish", [HY_WPILOG_SET_METADATA] = "metadata"
    };
    printf("%s\t%u\t%llu", kinds[record->kind], record->entry, (unsigned long long)record->at_us);
    if (record->kind == HY_WPILOG_START) {
        printf("\t%.*s\t%.*s\t%.*s", (int)record->name.size, (const char *)record->name.data,
               (int)record->type.size, (const char *)record->type.data, (int)record->metadata.size,
               (const char *)record->metadata.data);
    } else {
        printf("\t");
        for (size_t i = 0; i < record->value.size; i++) {
            printf("%02x", record->value.data[i]);
        }
    }
    printf("\n");
}

static int read_log(const char *path)
{
    static uint8_t bytes[FILE_MAX];
    FILE *const in = fopen(path, "rb");
    if (in == NULL) {
        end_with("the log cannot be opened");
    }
    const size_t size = fread(bytes, 1, sizeof bytes, in);
    (void)fclose(in);
    hy_wpilog_reader reader;
    if (hy_wpilog_reader_init(&reader, (hy_bytes){ bytes, size }) == HY_OK) {
        for (hy_wpilog_record record; hy_wpilog_next(&reader, &record);) {
            print_record(&record);
        }
    }
    if (reader.damage != NULL) {
        printf("damage at %zu: %s\n", reader.offset, reader.damage);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "write") == 0) {
        return write_log(strtoull(argv[2], NULL, 10), argv[3]);
    }
    if (argc == 3 && strcmp(argv[1], "read") == 0) {
        return read_log(argv[2]);
    }
    end_with("usage: wpilog_host write SEED FILE | read FILE");
}
