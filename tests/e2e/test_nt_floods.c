// A program whose NetworkTables server is flooded by 28 clients of one address: whoever asks for the time is answered, and Ctrl-C ends the
// program while the flood goes on.
#include "cmocka_all.h"

#include <halyard/link.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "ws_client.h"

#define PROTOCOL   "v4.1.networktables.first.wpi.edu"
#define CLOCK      "rtt.networktables.first.wpi.edu"
#define LIMIT_US   20000000
#define CLIENTS    28
#define PUBLISHERS 900
#define FRAME      (256 << 10)
#define ANSWERS    20

static uint16_t port;
static _Atomic unsigned flooding; // whose second frame is under way
static uint8_t frame[FRAME];

static bool publish_all(ws_client *self)
{
    static const char form[] =
        "%c{\"method\":\"publish\",\"params\":{\"name\":\"/same\",\"type\":\"int\","
        "\"pubuid\":%d,\"properties\":{}}}";
    static _Thread_local char text[PUBLISHERS * sizeof form + PUBLISHERS * 8];
    size_t size = 0;
    for (int i = 0; i < PUBLISHERS; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, form, i == 0 ? '[' : ',', i + 1000);
    }
    (void)snprintf(text + size, sizeof text - size, "]");
    return ws_say(self, text);
}

static void *flood(void *unused)
{
    (void)unused;
    ws_client client;
    bool goes_on =
        ws_open(&client, port, &(ws_options){ .path = "/nt/flood", .protocol = PROTOCOL }) &&
        publish_all(&client);
    for (unsigned i = 0; goes_on; i++) {
        goes_on = ws_frame(&client, 0x82, frame, sizeof frame / 5 * 5);
        flooding += i == 1;
    }
    ws_close(&client);
    return NULL;
}

static void a_flood_keeps_nobody_waiting(void **state)
{
    (void)state;
    static const uint8_t value[] = { 0x94, 0x63, 0x00, 0x02, 0x01 }; // 99 was never published
    static const uint8_t clock[] = { 0x94, 0xff, 0x00, 0x02, 0x01 };
    for (size_t i = 0; i + sizeof value <= sizeof frame; i += sizeof value) {
        memcpy(frame + i, value, sizeof value);
    }
    char address[64];
    program self = program_start((const char *const[]){ HALYARD_BINARY, "board", "xrp", "--listen",
                                                        "127.0.0.1:0", "--nt=127.0.0.1:0", NULL });
    assert_true(program_await_ready(&self, "nt", address, sizeof address, LIMIT_US));
    port = (uint16_t)atoi(strrchr(address, ':') + 1);
    pthread_t threads[CLIENTS];
    for (size_t i = 0; i < CLIENTS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, flood, NULL), 0);
    }
    while (flooding < CLIENTS) {
        usleep(10000);
    }
    ws_client honest;
    assert_true(ws_open(&honest, port, &(ws_options){ .path = "/nt/honest", .protocol = CLOCK }));
    const int64_t until_us = hy_clock_now_us() + LIMIT_US; // for all of them
    for (int i = 0; i < ANSWERS; i++) {
        assert_true(ws_frame(&honest, 0x82, clock, sizeof clock));
        assert_true(ws_hear(&honest, until_us - hy_clock_now_us()));
    }
    ws_close(&honest);
    assert_int_equal(kill(self.pid, SIGINT), 0);
    const bool has_ended = program_await(&self, NULL, LIMIT_US / 2);
    const int status = program_end(&self, NULL, 0);
    for (size_t i = 0; i < CLIENTS; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    assert_true(has_ended);
    assert_int_equal(status, 0);
}

// Who publishes more than its share is told so, and stays connected; the program says once whose share it was.
static void who_publishes_too_much_is_told(void **state)
{
    (void)state;
    static char text[1 << 17], output[65536];
    char address[64];
    size_t size = 0;
    program self = program_start((const char *const[]){ HALYARD_BINARY, "board", "xrp", "--listen",
                                                        "127.0.0.1:0", "--nt=127.0.0.1:0", NULL });
    assert_true(program_await_ready(&self, "nt", address, sizeof address, LIMIT_US));
    port = (uint16_t)atoi(strrchr(address, ':') + 1);
    for (int i = 0; i < 1030; i++) {
        size +=
            (size_t)snprintf(text + size, sizeof text - size,
                             "%c{\"method\":\"publish\",\"params\":{\"name\":\"/mine/%d\",\"type\":"
                             "\"int\",\"pubuid\":%d}}",
                             i == 0 ? '[' : ',', i, i);
    }
    (void)snprintf(text + size, sizeof text - size, "]");
    ws_client client;
    assert_true(ws_open(&client, port, &(ws_options){ .path = "/nt/much", .protocol = PROTOCOL }));
    assert_true(ws_say(&client, text));
    assert_true(ws_await(&client, "\"unannounce\",\"params\":{\"name\":\"/mine/1029\"", LIMIT_US));
    assert_true(ws_say(
        &client, "[{\"method\":\"unpublish\",\"params\":{\"pubuid\":0}},{\"method\":\"publish\","
                 "\"params\":{\"name\":\"/other\",\"type\":\"int\",\"pubuid\":0}}]"));
    assert_true(ws_await(&client, "\"announce\",\"params\":{\"name\":\"/other\"", LIMIT_US));
    ws_close(&client);
    assert_true(program_await(
        &self, "a NetworkTables client at 127.0.0.1 publishes more topics than its share", LIMIT_US));
    kill(self.pid, SIGINT);
    (void)program_end(&self, output, sizeof output);
    assert_null(strstr(strstr(output, "than its share") + 1, "than its share"));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_flood_keeps_nobody_waiting),
                                        cmocka_unit_test(who_publishes_too_much_is_told) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
