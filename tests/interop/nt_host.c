// An NT4 server with channels of every type, for tests with other people's clients: prints its port, then every change that a client
// wants. Ends when its standard input does.
//
//   nt_host [TOPICS [PORT]]    so many further topics, which change 50 times a second; publishes them in the server at that port
//                              of this computer instead of serving
#include <halyard/nt.h>
#include <halyard/telemetry.h>

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_MS   20
#define FURTHER_MAX 1000

static hy_telemetry *telemetry;
static hy_channel number, whole, flag, small, text, doubles, flags, wholes, texts, raw, pose, poses;
static hy_channel clock_us, gain, gate, further[FURTHER_MAX];
static size_t further_count;

static hy_channel declare(const char *name, hy_channel_kind kind, const char *metadata)
{
    return hy_telemetry_declare(
        telemetry, &(hy_channel_spec){ .name = name, .kind = kind, .metadata = metadata });
}

static hy_channel declare_tunable(const char *name, hy_channel_kind kind)
{
    return hy_telemetry_declare(
        telemetry, &(hy_channel_spec){ .name = name, .kind = kind, .is_tunable = true });
}

static hy_channel declare_pose(const char *name, hy_channel_kind kind)
{
    return hy_telemetry_declare(
        telemetry, &(hy_channel_spec){ .name = name, .kind = kind, .type = &hy_struct_pose2d });
}

static void declare_all(void)
{
    number = declare("/hy/number", HY_CHANNEL_DOUBLE, "{\"unit\":\"V\"}");
    whole = declare("/hy/whole", HY_CHANNEL_INT64, NULL);
    clock_us = declare("/hy/clock", HY_CHANNEL_INT64, NULL);
    flag = declare("/hy/flag", HY_CHANNEL_BOOLEAN, NULL);
    small = declare("/hy/small", HY_CHANNEL_FLOAT, NULL);
    text = declare("/hy/text", HY_CHANNEL_STRING, NULL);
    doubles = declare("/hy/doubles", HY_CHANNEL_DOUBLE_ARRAY, NULL);
    flags = declare("/hy/flags", HY_CHANNEL_BOOLEAN_ARRAY, NULL);
    wholes = declare("/hy/wholes", HY_CHANNEL_INT64_ARRAY, NULL);
    texts = declare("/hy/texts", HY_CHANNEL_STRING_ARRAY, NULL);
    raw = declare("/hy/raw", HY_CHANNEL_RAW, NULL);
    pose = declare_pose("/hy/pose", HY_CHANNEL_STRUCT);
    poses = declare_pose("/hy/poses", HY_CHANNEL_STRUCT_ARRAY);
    gain = declare_tunable("/hy/gain", HY_CHANNEL_DOUBLE);
    gate = declare_tunable("/hy/gate", HY_CHANNEL_BOOLEAN);
    for (size_t i = 0; i < further_count; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "/further/%zu", i);
        further[i] = declare(name, HY_CHANNEL_DOUBLE, NULL);
    }
}

static void put_constant(void)
{
    const hy_telemetry_pose2d places[] = { { 1.0, 2.0, 0.5 }, { 3.0, 4.0, -0.5 } };
    hy_telemetry_put_boolean(telemetry, flag, true);
    hy_telemetry_put_float(telemetry, small, 0.5F);
    hy_telemetry_put_text(telemetry, text, "\xc3\xa9tat");
    hy_telemetry_put_doubles(telemetry, doubles, (const double[]){ 1.5, -2.5 }, 2);
    hy_telemetry_put_booleans(telemetry, flags, (const bool[]){ true, false }, 2);
    hy_telemetry_put_int64s(telemetry, wholes, (const int64_t[]){ -1, INT64_C(1) << 40 }, 2);
    hy_telemetry_put_texts(telemetry, texts, (const char *const[]){ "a", "b c" }, 2);
    hy_telemetry_put_bytes(telemetry, raw, (hy_bytes){ (const uint8_t *)"\x01\x00\xff", 3 });
    hy_telemetry_put_struct(telemetry, pose, &places[0]);
    hy_telemetry_put_structs(telemetry, poses, places, 2);
    hy_telemetry_put_double(telemetry, gain, 1.0);
    hy_telemetry_put_boolean(telemetry, gate, false);
}

// What a client on this computer compares with its own clock: how long a value was under way.
static int64_t monotonic_us(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void put_moving(int64_t step)
{
    hy_telemetry_put_double(telemetry, number, (double)step / 8.0);
    hy_telemetry_put_int64(telemetry, whole, step);
    hy_telemetry_put_int64(telemetry, clock_us, monotonic_us());
    for (size_t i = 0; i < further_count; i++) {
        hy_telemetry_put_double(telemetry, further[i], (double)step + (double)i / 1024.0);
    }
}

static void apply_changes(hy_nt *nt)
{
    for (hy_nt_change change; hy_nt_next(nt, &change);) {
        if (change.channel == gain && change.kind == HY_NT_NUMBER) {
            printf("gain %.17g\n", change.number);
            hy_telemetry_put_double(telemetry, gain, change.number > 2.0 ? 2.0 : change.number);
        } else if (change.channel == gate && change.kind == HY_NT_FLAG) {
            printf("gate %d\n", change.flag);
            hy_telemetry_put_boolean(telemetry, gate, change.flag);
        } else {
            printf("something else: %" PRIu32 "\n", change.channel);
        }
    }
}

static void print_news(hy_nt *nt)
{
    hy_nt_state state;
    if (hy_nt_news(nt, &state)) {
        puts(state == HY_NT_CONNECTED ? "connected" : "absent");
    }
}

static bool input_has_ended(void)
{
    char bytes[16];
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    return poll(&input, 1, PERIOD_MS) > 0 && read(STDIN_FILENO, bytes, sizeof bytes) <= 0;
}

int main(int argc, char **argv)
{
    const uint8_t here[] = { 127, 0, 0, 1 };
    hy_nt_options options = { .listen = hy_endpoint_ipv4(here, 0) };
    hy_nt *nt;
    further_count = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    if (argc > 2) {
        options.publish_to = hy_endpoint_ipv4(here, (uint16_t)strtoul(argv[2], NULL, 10));
    }
    if (further_count > FURTHER_MAX || hy_telemetry_open(&telemetry) != HY_OK ||
        hy_nt_open(&nt, &options) != HY_OK) {
        return 1;
    }
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    (void)hy_telemetry_attach(telemetry, hy_nt_sink(nt));
    declare_all();
    put_constant();
    printf("port %u\n", hy_nt_address(nt).port);
    int64_t steps = 0, over_1ms = 0, worst_us = 0, longest_us = 0, ended_us = monotonic_us();
    for (int64_t step = 0; !input_has_ended(); step++) {
        const int64_t began_us = monotonic_us();
        hy_telemetry_set_time(telemetry, (uint64_t)step * PERIOD_MS * 1000);
        put_moving(step);
        apply_changes(nt);
        print_news(nt);
        const int64_t now_us = monotonic_us(), late_us = now_us - ended_us - PERIOD_MS * 1000;
        steps++;
        over_1ms += late_us > 1000;
        worst_us = late_us > worst_us ? late_us : worst_us;
        longest_us = now_us - began_us > longest_us ? now_us - began_us : longest_us;
        ended_us = now_us;
    }
    const hy_nt_counters counters = hy_nt_count(nt);
    printf("clients %" PRIu64 " in %" PRIu64 " out %" PRIu64 " ignored %" PRIu64 " late %" PRIu64
           " disconnected %" PRIu64 " lost %" PRIu64 " steps %" PRId64 " over_1ms %" PRId64
           " worst_us %" PRId64 " longest_us %" PRId64 "\n",
           counters.clients, counters.values_in, counters.values_out, counters.ignored,
           counters.frames_late, counters.disconnected, counters.lost, steps, over_1ms, worst_us,
           longest_us);
    hy_nt_close(nt);
    hy_telemetry_close(telemetry);
    return 0;
}
