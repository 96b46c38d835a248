// Clients that attack a NetworkTables server while its program puts values and takes changes: the thread of the steps makes no call that
// can wait, and allocates nothing. Counted by standing between the program and the C library, so that no clock judges.
#include "cmocka_all.h"

#include <halyard/nt.h>

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "record/record.h"
#include "ws_client.h"

#define PROTOCOL      "v4.1.networktables.first.wpi.edu"
#define LIMIT_US      60000000
#define CHANNELS      100
#define FLOODS        20000
#define SUBSCRIPTIONS 10000
#define HALVES        20
#define RECONNECTIONS 600

// --------------------------------------------------------------------------- calls of the thread that runs the steps

static _Thread_local bool is_step;
static unsigned waits, allocations; // only that thread counts
static uint16_t port;

static void count_wait(void)
{
    if (is_step) {
        waits++;
    }
}

static void count_allocation(void)
{
    if (is_step) {
        allocations++;
    }
}

#define WRAP(type, name, parameters, arguments, count) \
    type __real_##name parameters;                     \
    type __wrap_##name parameters;                     \
    type __wrap_##name parameters                      \
    {                                                  \
        count();                                       \
        return __real_##name arguments;                \
    }
WRAP(int, pthread_mutex_lock, (pthread_mutex_t * mutex), (mutex), count_wait)
WRAP(int, pthread_cond_wait, (pthread_cond_t * wake, pthread_mutex_t *mutex), (wake, mutex),
     count_wait)
WRAP(int, pthread_cond_timedwait,
     (pthread_cond_t * wake, pthread_mutex_t *mutex, const struct timespec *until),
     (wake, mutex, until), count_wait)
WRAP(int, pthread_join, (pthread_t thread, void **result), (thread, result), count_wait)
WRAP(int, poll, (struct pollfd * sources, nfds_t count, int timeout_ms),
     (sources, count, timeout_ms), count_wait)
WRAP(int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left), count_wait)
WRAP(ssize_t, write, (int file, const void *bytes, size_t size), (file, bytes, size), count_wait)
WRAP(int, fsync, (int file), (file), count_wait)
WRAP(void *, malloc, (size_t size), (size), count_allocation)
WRAP(void *, calloc, (size_t count, size_t size), (count, size), count_allocation)
WRAP(void *, realloc, (void *memory, size_t size), (memory, size), count_allocation)

// --------------------------------------------------------------------------- the attacks, each in a thread

static bool connect_as(ws_client *self, const char *name, int receive_room)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/nt/%s", name);
    const ws_options options = { .path = path, .protocol = PROTOCOL, .receive_room = receive_room };
    return ws_open(self, port, &options);
}

// Whatever it is told, and a tunable's value each time.
static void *flood(void *done)
{
    // [0, a time, 1, 0.5]
    static const uint8_t value[] = { 0x94, 0x00, 0xcf, 0,    0, 0, 0x7f, 0xff, 0xff, 0xff, 0xff,
                                     0x01, 0xcb, 0x3f, 0xe0, 0, 0, 0,    0,    0,    0 };
    static const char rubbish[] = "[{\"method\":\"fly\"},7,{\"method\":\"publish\",\"params\":{}}";
    ws_client client;
    unsigned sent = 0;
    while (sent < FLOODS) {
        bool goes_on =
            connect_as(&client, "flood", 0) &&
            ws_say(&client, "[{\"method\":\"publish\",\"params\":{\"name\":\"/gain\",\"type\":"
                            "\"double\",\"pubuid\":0,\"properties\":{}}}]");
        while (goes_on && sent < FLOODS) {
            goes_on = ws_frame(&client, 0x82, value, sizeof value) && ws_say(&client, rubbish);
            sent++;
        }
        ws_close(&client);
    }
    atomic_store((_Atomic bool *)done, true);
    return NULL;
}

static void *subscribe(void *done)
{
    ws_client client;
    bool goes_on = connect_as(&client, "subscriber", 0);
    for (int i = 0; goes_on && i < SUBSCRIPTIONS; i++) {
        char text[128];
        (void)snprintf(
            text, sizeof text,
            "[{\"method\":\"subscribe\",\"params\":{\"topics\":[\"/x/%d\"],\"subuid\":%d}}]", i, i);
        goes_on = ws_say(&client, text);
    }
    (void)ws_await_end(&client, LIMIT_US);
    ws_close(&client);
    atomic_store((_Atomic bool *)done, true);
    return NULL;
}

#define PUBLISH_AS_1(name)                                                 \
    "[{\"method\":\"publish\",\"params\":{\"name\":\"" name "\",\"type\":" \
    "\"int\",\"pubuid\":1,\"properties\":{}}}]"

// Half frames, of one of which the rest never comes; then a hundred connections a second, each of which publishes twice under one number
// and is gone before it is told.
static void *reconnect(void *done)
{
    ws_client halves[HALVES];
    for (size_t i = 0; i < HALVES; i++) {
        static const uint8_t half[] = { 0x81, 0xfe, 0x40 };
        (void)(connect_as(&halves[i], "half", 0) && ws_raw(&halves[i], half, sizeof half));
    }
    for (int i = 0; i < RECONNECTIONS; i++) {
        ws_client client;
        (void)(connect_as(&client, "again", 0) && ws_say(&client, PUBLISH_AS_1("/first")) &&
               ws_say(&client, PUBLISH_AS_1("/second")) &&
               ws_frame(&client, 0x01, "[{\"method\"", 10));
        ws_close(&client);
    }
    for (size_t i = 0; i < HALVES; i++) {
        ws_close(&halves[i]);
    }
    atomic_store((_Atomic bool *)done, true);
    return NULL;
}

// --------------------------------------------------------------------------- the places

#define PLACES 64

// Whoever takes as many places as it can get leaves some to other addresses.
static void an_address_leaves_places_to_others(void **state)
{
    (void)state;
    static const uint8_t here[] = { 127, 0, 0, 1 };
    hy_nt *nt;
    assert_int_equal(hy_nt_open(&nt, &(hy_nt_options){ .listen = hy_endpoint_ipv4(here, 0) }), HY_OK);
    port = hy_nt_address(nt).port;
    static ws_client greedy[PLACES];
    for (size_t i = 0; i < PLACES; i++) {
        (void)connect_as(&greedy[i], "greedy", 0);
    }
    ws_client other;
    const ws_options options = { .path = "/nt/other", .protocol = PROTOCOL, .source = "127.0.0.2" };
    assert_true(ws_open(&other, port, &options));
    assert_true(ws_say(
        &other, "[{\"method\":\"subscribe\",\"params\":{\"topics\":[\"/\"],\"subuid\":1,"
                "\"options\":{\"prefix\":true}}},{\"method\":\"publish\",\"params\":{\"name\":"
                "\"/mine\",\"type\":\"int\",\"pubuid\":1,\"properties\":{}}}]"));
    assert_true(ws_await(&other, "/mine", LIMIT_US));
    ws_close(&other);
    for (size_t i = 0; i < PLACES; i++) {
        ws_close(&greedy[i]);
    }
    hy_nt_close(nt);
}

// --------------------------------------------------------------------------- the steps

typedef struct {
    hy_telemetry *telemetry;
    hy_nt *nt;
    hy_channel numbers[CHANNELS], gain;
    unsigned steps, changes;
} robot;

static void step(robot *self)
{
    is_step = true;
    hy_telemetry_set_time(self->telemetry, (uint64_t)++self->steps * 2000);
    for (size_t i = 0; i < CHANNELS; i++) {
        hy_telemetry_put_double(self->telemetry, self->numbers[i], self->steps + (double)i);
    }
    for (hy_nt_change change; hy_nt_next(self->nt, &change);) {
        hy_telemetry_put_double(self->telemetry, self->gain, change.number);
        self->changes++;
    }
    is_step = false;
}

static void declare_all(robot *self)
{
    for (size_t i = 0; i < CHANNELS; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "/number/%zu", i);
        const hy_channel_spec spec = { .name = name, .kind = HY_CHANNEL_DOUBLE };
        self->numbers[i] = hy_telemetry_declare(self->telemetry, &spec);
    }
    const hy_channel_spec gain = { .name = "/gain", .kind = HY_CHANNEL_DOUBLE, .is_tunable = true };
    self->gain = hy_telemetry_declare(self->telemetry, &gain);
    hy_telemetry_put_double(self->telemetry, self->gain, 0.25);
}

static void no_step_waits(void **state)
{
    (void)state;
    static const uint8_t here[] = { 127, 0, 0, 1 };
    static robot self;
    char log[] = "/tmp/halyard-attacked-XXXXXX";
    close(mkstemp(log));
    hy_record *file;
    hy_record_error error;
    const hy_record_options in_real_time = { .path = log, .overwrite = true };
    assert_int_equal(hy_record_open(&in_real_time, &file, &error), HY_OK);
    assert_int_equal(hy_telemetry_open(&self.telemetry), HY_OK);
    assert_int_equal(hy_nt_open(&self.nt, &(hy_nt_options){ .listen = hy_endpoint_ipv4(here, 0) }),
                     HY_OK);
    port = hy_nt_address(self.nt).port;
    assert_int_equal(hy_telemetry_attach(self.telemetry, hy_record_sink(file)), HY_OK);
    assert_int_equal(hy_telemetry_attach(self.telemetry, hy_nt_sink(self.nt)), HY_OK);
    declare_all(&self);

    ws_client silent; // subscribes to everything, and never reads
    assert_true(connect_as(&silent, "silent", 4096));
    assert_true(
        ws_say(&silent,
               "[{\"method\":\"subscribe\",\"params\":{\"topics\":[\"\"],\"subuid\":1,\"options\":"
               "{\"prefix\":true,\"all\":true,\"periodic\":0.005}}}]"));
    static void *(*const attacks[])(void *) = { flood, subscribe, reconnect };
    static _Atomic bool is_done[3];
    pthread_t threads[3];
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, attacks[i], (void *)&is_done[i]), 0);
    }
    while (!atomic_load(&is_done[0]) || !atomic_load(&is_done[1]) || !atomic_load(&is_done[2])) {
        step(&self);
        usleep(500);
    }
    for (size_t i = 0; i < 3; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    while (self.changes == 0) { // of the last values
        step(&self);
        usleep(500);
    }
    ws_close(&silent);
    const hy_nt_counters counts = hy_nt_count(self.nt);
    hy_nt_close(self.nt);
    hy_telemetry_close(self.telemetry);
    // On a busy machine the thread that writes the file may be too late for some records: no step waits for it.
    assert_true(hy_record_close(file, &error) == HY_OK ||
                strstr(error.text, "records are missing"));
    unlink(log);
    print_message("%u steps, %u changes; %u waits, %u allocations\n", self.steps, self.changes,
                  waits, allocations);
    assert_int_equal(waits, 0);
    assert_int_equal(allocations, 0);
    assert_true(counts.clients > RECONNECTIONS / 8 && counts.disconnected >= 1 && counts.ignored > 0);
    assert_true(counts.values_in > 0 && counts.values_out > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(an_address_leaves_places_to_others),
                                        cmocka_unit_test(no_step_waits) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
