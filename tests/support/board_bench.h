/// @file board_bench.h
/// A board on the bench: no world and no socket around it, only the test's own time, pins and peers.
#ifndef HALYARD_TESTS_BOARD_BENCH_H
#define HALYARD_TESTS_BOARD_BENCH_H

#include <assert.h>
#include <halyard/board.h>
#include <stdlib.h>
#include <string.h>

#define BENCH_MS INT64_C(1000)

typedef struct {
    hy_board *board;
    hy_sensors sensors;
    int64_t now_us;
    // The last datagram that the board sent.
    uint8_t sent[HY_WIRE_STATUS_MAX];
    size_t sent_size;
    hy_endpoint sent_to;
} bench;

/// A peer on 127.0.0.1 at `port`.
static inline hy_endpoint bench_peer(uint16_t port)
{
    return (hy_endpoint){ .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 }, .port = port };
}

/// Powers a board up at time 0, at rest. Free it with bench_end().
static inline bench bench_start(const hy_board_options *options)
{
    void *memory = malloc(hy_board_size());
    assert(memory != NULL);
    return (bench){
        .board = hy_board_init(memory, options, 0),
        .sensors = { .accel_m_s2 = { 0.0, 0.0, 9.80665 }, .range_m = 4.0 },
    };
}

static inline void bench_end(bench *self)
{
    free(self->board);
}

/// Output pins are doubles, which cmocka compares as floats only. A pin may be off by rounding, no more.
#define assert_pin(is, should)                                               \
    do {                                                                     \
        const double pin_is = (is), pin_should = (should);                   \
        if (!(pin_is - pin_should < 1e-12 && pin_should - pin_is < 1e-12)) { \
            fail_msg("%s is %.15g, not %.15g", #is, pin_is, pin_should);     \
        }                                                                    \
    } while (0)

/// Hands over a datagram in memory of exactly its size, so that a sanitizer sees every byte too many.
static inline void bench_give(bench *self, uint16_t port, const void *bytes, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    assert(copy != NULL);
    memcpy(copy, bytes, size);
    const hy_endpoint from = bench_peer(port);
    hy_board_receive(self->board, &from, (hy_bytes){ copy, size }, self->now_us);
    free(copy);
}

/// A command of `port`'s: header, and motor 0 at `effort` if that is not 0.
static inline void bench_command(bench *self, uint16_t port, uint16_t seq, uint8_t control,
                                 float effort)
{
    const hy_wire_command command = {
        .seq = seq, .control = control, .motors = effort != 0.0F, .motor = { effort }
    };
    uint8_t bytes[HY_WIRE_COMMAND_MAX];
    const size_t size =
        hy_board_dialect(self->board)->command_encode(&command, (hy_room){ bytes, sizeof bytes });
    bench_give(self, port, bytes, size);
}

/// Time goes on by `us`; the pins stay as they are.
static inline void bench_wait(bench *self, int64_t us)
{
    self->now_us += us;
    hy_board_sense(self->board, &self->sensors, self->now_us);
}

/// The next datagram that is due now; false if there is none.
static inline bool bench_take(bench *self)
{
    uint8_t room[HY_WIRE_STATUS_MAX];
    hy_endpoint to;
    const size_t size = hy_board_send(self->board, self->now_us, &to, (hy_room){ room, sizeof room });
    if (size > 0) {
        memcpy(self->sent, room, size);
        self->sent_size = size;
        self->sent_to = to;
    }
    return size > 0;
}

/// Waits for the next status and decodes it.
static inline hy_wire_status bench_status(bench *self)
{
    while (!bench_take(self)) {
        bench_wait(self, BENCH_MS);
    }
    hy_wire_status status;
    const hy_wire_report report =
        hy_board_dialect(self->board)->status_decode((hy_bytes){ self->sent, self->sent_size }, &status);
    if (report.error != HY_WIRE_WELL_FORMED) { // assert() is empty in some builds
        abort();
    }
    return status;
}

static inline double bench_duty(const bench *self, unsigned motor)
{
    return hy_board_actuators(self->board)->motor_duty[motor];
}

#endif
