#include "board_thread.h"

#include <halyard/link.h>

#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BOARD_THREAD_PAST 256 // duties that are remembered

struct board_thread {
    pthread_t thread;
    pthread_mutex_t lock; // of everything below
    hy_link link;
    hy_board *board;
    void *memory;
    hy_random random;
    double lose_commands, lose_statuses;
    int64_t still_since_us;
    struct {
        double duty[2];
    } past[BOARD_THREAD_PAST];
    size_t past_count; // ever; the newest ones are kept
    size_t past_from;  // the first of them that has not been asked for
    bool over;
    char address[HY_ENDPOINT_TEXT_MAX];
};

static void power_up(board_thread *self)
{
    const hy_board_options options = { .kind = &hy_board_xrp };
    self->board = hy_board_init(self->memory, &options, hy_clock_now_us());
}

static void note_duties(board_thread *self, const double duty[2])
{
    const double *const last = self->past[(self->past_count - 1) % BOARD_THREAD_PAST].duty;
    if (self->past_count == 0 || last[0] != duty[0] || last[1] != duty[1]) {
        memcpy(self->past[self->past_count++ % BOARD_THREAD_PAST].duty, duty, 2 * sizeof *duty);
    }
}

static void note_motors(board_thread *self)
{
    const hy_actuators *const pins = hy_board_actuators(self->board);
    note_duties(self, pins->motor_duty);
    bool still = true;
    for (int i = 0; i < HY_PIN_MOTORS; i++) {
        still = still && pins->motor_duty[i] == 0.0;
    }
    if (!still) {
        self->still_since_us = INT64_MAX;
    } else if (self->still_since_us == INT64_MAX) {
        self->still_since_us = hy_clock_now_us();
    }
}

static void serve(board_thread *self)
{
    static const hy_sensors sensors = { .accel_m_s2 = { 0, 0, 9.80665 }, .range_m = 1.0 };
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self->link, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        if (hy_random_unit(&self->random) >= self->lose_commands) {
            hy_board_receive(self->board, &batch[i].peer, batch[i].bytes, hy_clock_now_us());
            note_motors(self);
        }
    }
    hy_board_sense(self->board, &sensors, hy_clock_now_us());
    note_motors(self);
    uint8_t status[HY_WIRE_STATUS_MAX];
    hy_endpoint to;
    for (;;) {
        const size_t size =
            hy_board_send(self->board, hy_clock_now_us(), &to, (hy_room){ status, sizeof status });
        if (size == 0) {
            return;
        }
        if (hy_random_unit(&self->random) >= self->lose_statuses) {
            hy_link_send(&self->link, &to, (hy_bytes){ status, size });
        }
    }
}

static void *run(void *context)
{
    board_thread *const self = context;
    for (bool over = false; !over;) {
        struct pollfd socket = { .fd = (int)hy_link_descriptor(&self->link), .events = POLLIN };
        poll(&socket, 1, 1);
        pthread_mutex_lock(&self->lock);
        serve(self);
        over = self->over;
        pthread_mutex_unlock(&self->lock);
    }
    return NULL;
}

board_thread *board_thread_start(const char *host)
{
    board_thread *const self = calloc(1, sizeof *self);
    hy_endpoint local;
    if (self == NULL || hy_endpoint_parse(host, 0, &local) != HY_OK ||
        hy_link_open(&self->link, &local) != HY_OK) {
        free(self);
        return NULL;
    }
    self->memory = malloc(hy_board_size());
    self->random = hy_random_seeded(1);
    hy_endpoint_format(&self->link.local, self->address);
    power_up(self);
    pthread_mutex_init(&self->lock, NULL);
    pthread_create(&self->thread, NULL, run, self);
    return self;
}

void board_thread_end(board_thread *self)
{
    pthread_mutex_lock(&self->lock);
    self->over = true;
    pthread_mutex_unlock(&self->lock);
    pthread_join(self->thread, NULL);
    pthread_mutex_destroy(&self->lock);
    hy_link_close(&self->link);
    free(self->memory);
    free(self);
}

const char *board_thread_address(const board_thread *self)
{
    return self->address;
}

void board_thread_lose(board_thread *self, double commands, double statuses)
{
    pthread_mutex_lock(&self->lock);
    self->lose_commands = commands;
    self->lose_statuses = statuses;
    pthread_mutex_unlock(&self->lock);
}

void board_thread_restart(board_thread *self)
{
    pthread_mutex_lock(&self->lock);
    power_up(self);
    note_motors(self);
    pthread_mutex_unlock(&self->lock);
}

double board_thread_motor(board_thread *self, unsigned motor)
{
    pthread_mutex_lock(&self->lock);
    const double duty = hy_board_actuators(self->board)->motor_duty[motor];
    pthread_mutex_unlock(&self->lock);
    return duty;
}

bool board_thread_is_enabled(board_thread *self)
{
    pthread_mutex_lock(&self->lock);
    const bool enabled = hy_board_is_enabled(self->board);
    pthread_mutex_unlock(&self->lock);
    return enabled;
}

hy_board_counters board_thread_counts(board_thread *self)
{
    pthread_mutex_lock(&self->lock);
    const hy_board_counters counters = *hy_board_counts(self->board);
    pthread_mutex_unlock(&self->lock);
    return counters;
}

// Moves on to the first moment that is so, if there is one.
static bool have_been(board_thread *self, double left, double right)
{
    const size_t oldest =
        self->past_count > BOARD_THREAD_PAST ? self->past_count - BOARD_THREAD_PAST : 0;
    for (size_t i = self->past_from > oldest ? self->past_from : oldest; i < self->past_count; i++) {
        const double *const duty = self->past[i % BOARD_THREAD_PAST].duty;
        if (fabs(duty[0] - left) < 0.005 && fabs(duty[1] - right) < 0.005) {
            self->past_from = i;
            return true;
        }
    }
    return false;
}

bool board_thread_await_duties(board_thread *self, double left, double right, int64_t limit_us)
{
    const int64_t end_us = hy_clock_now_us() + limit_us;
    const struct timespec pause = { .tv_nsec = 1000000 };
    for (;;) {
        pthread_mutex_lock(&self->lock);
        const bool were_there = have_been(self, left, right);
        pthread_mutex_unlock(&self->lock);
        if (were_there || hy_clock_now_us() >= end_us) {
            return were_there;
        }
        nanosleep(&pause, NULL);
    }
}

int64_t board_thread_still_since_us(board_thread *self)
{
    pthread_mutex_lock(&self->lock);
    const int64_t since_us = self->still_since_us;
    pthread_mutex_unlock(&self->lock);
    return since_us;
}

bool board_thread_await_still(board_thread *self, bool still, int64_t limit_us)
{
    const int64_t end_us = hy_clock_now_us() + limit_us;
    const struct timespec pause = { .tv_nsec = 500000 };
    while ((board_thread_still_since_us(self) != INT64_MAX) != still) {
        if (hy_clock_now_us() >= end_us) {
            return false;
        }
        nanosleep(&pause, NULL);
    }
    return true;
}
