#include "bad_air.h"

#include <halyard/link.h>
#include <halyard/wire.h>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmocka_all.h"

// A command after the wrap goes out twice, once under this number.
#define SEQ_ANYTIME 65535

#define HELD_BACK_US 60000 // by then the air has given back what it held

// A program that says nothing for so long was held up, and then both it and the robot have to act. The machine did it, if
// programs were waiting for a processor at least that long meanwhile.
#define GAP_US 380000

#define LOSS 0.2
#define LOST_STOPS \
    4 // of 6, in a row: the fifth gets through, or one run in 15,000 would say nothing about the stop

struct bad_air_record {
    _Atomic uint64_t driving, stops, crooked;
    _Atomic uint64_t to_swallow; // stops that are still to be lost
    atomic_bool is_clear;        // nothing else is lost any more
    _Atomic int64_t gap_us;      // the longest time without a command since bad_air_counts()
    int64_t pressed_us;          // pressure_us() then
    // Only the proxy's thread knows these.
    hy_random random;
    int64_t came_us; // the last command
    unsigned lost_stops;
};

static void pass_us(int64_t us)
{
    nanosleep(&(struct timespec){ .tv_nsec = us * 1000 }, NULL);
}

// --------------------------------------------------------------------------- what is sent

static bool stands_still(const hy_wire_command *command)
{
    bool still = command->motors == (1U << hy_dialect_xrp.motors) - 1;
    for (unsigned i = 0; i < hy_dialect_xrp.motors; i++) {
        still = still && command->motor[i] == 0.0F;
    }
    return still;
}

static void note_gap(bad_air_record *self)
{
    const int64_t now_us = hy_clock_now_us();
    if (self->came_us != 0 && now_us - self->came_us > self->gap_us) {
        self->gap_us = now_us - self->came_us;
    }
    self->came_us = now_us;
}

static bool is_lost(bad_air_record *self)
{
    return hy_random_unit(&self->random) < LOSS && !self->is_clear;
}

static bool is_stop_lost(bad_air_record *self, bool is_copy)
{
    const bool is_swallowed = self->to_swallow > 0;
    self->to_swallow -= is_swallowed && !is_copy;
    if (is_copy) {
        return is_lost(self) || is_swallowed;
    }
    const bool lost = is_swallowed || (is_lost(self) && self->lost_stops < LOST_STOPS);
    self->lost_stops = lost ? self->lost_stops + 1 : 0;
    return lost;
}

// On the proxy's thread.
static bool note_command(void *context, hy_bytes datagram)
{
    bad_air_record *const self = context;
    hy_wire_command command;
    if (hy_xrp_command_decode(datagram, &command).error != HY_WIRE_WELL_FORMED) {
        return !is_lost(self);
    }
    const bool is_copy = command.seq == SEQ_ANYTIME;
    note_gap(self);
    if (command.control == HY_WIRE_CONTROL_ENABLED) {
        self->driving += !is_copy;
        return !is_lost(self);
    }
    self->crooked += !stands_still(&command);
    self->stops += !is_copy;
    return !is_stop_lost(self, is_copy);
}

// Microseconds since the machine was started for which a program had to wait for a processor; as long as anything where the
// system does not tell, so that nothing is held against the program there.
static int64_t pressure_us(void)
{
    char line[256] = "";
    FILE *const file = fopen("/proc/pressure/cpu", "r");
    const bool is_read = file != NULL && fgets(line, sizeof line, file) != NULL;
    if (file != NULL) {
        fclose(file);
    }
    const char *const total = strstr(line, "total=");
    return is_read && total != NULL ? strtoll(total + strlen("total="), NULL, 10) : hy_clock_now_us();
}

bad_air_count bad_air_counts(const bad_air *self)
{
    self->record->gap_us = 0;
    self->record->pressed_us = pressure_us();
    return (bad_air_count){ .driving = self->record->driving,
                            .stops = self->record->stops,
                            .crooked = self->record->crooked,
                            .trips = board_thread_counts(self->board).watchdog_trips };
}

// --------------------------------------------------------------------------- the air

static bad_air start_at(const char *host, uint64_t seed)
{
    bad_air self = { .board = board_thread_start(host), .record = calloc(1, sizeof *self.record) };
    assert_non_null(self.board);
    assert_non_null(self.record);
    hy_endpoint robot, client_side;
    assert_int_equal(hy_endpoint_parse(board_thread_address(self.board), 0, &robot), HY_OK);
    const hy_faults_direction mixed = { .reorder = 0.2, .delay_us = 1000, .jitter_us = 4000 };
    self.record->random = hy_random_seeded(seed + 1000);
    self.options = (udp_proxy_options){ .seed = seed,
                                        .watch = note_command,
                                        .context = self.record,
                                        .to_robot = mixed, // note_command() loses
                                        .to_client = mixed };
    self.options.to_client.loss = LOSS;
    self.proxy = udp_proxy_start(&robot, &self.options, &client_side);
    assert_non_null(self.proxy);
    char address[HY_ENDPOINT_TEXT_MAX];
    snprintf(self.url, sizeof self.url, "xrp://%s", hy_endpoint_format(&client_side, address));
    return self;
}

bad_air bad_air_start(uint64_t seed)
{
    return start_at("127.0.0.1", seed);
}

bad_air bad_air_start_elsewhere(uint64_t seed)
{
    char host[INET_ADDRSTRLEN] = "";
    struct ifaddrs *all = NULL;
    assert_int_equal(getifaddrs(&all), 0);
    for (const struct ifaddrs *i = all; i != NULL && host[0] == '\0'; i = i->ifa_next) {
        const bool is_ipv4 = i->ifa_addr != NULL && i->ifa_addr->sa_family == AF_INET;
        if (is_ipv4 && (i->ifa_flags & IFF_LOOPBACK) == 0 && (i->ifa_flags & IFF_UP) != 0) {
            const struct sockaddr_in *const address = (const void *)i->ifa_addr;
            assert_non_null(inet_ntop(AF_INET, &address->sin_addr, host, sizeof host));
        }
    }
    freeifaddrs(all);
    return host[0] != '\0' ? start_at(host, seed) : (bad_air){ .board = NULL };
}

void bad_air_end(bad_air *self)
{
    udp_proxy_stop(self->proxy);
    board_thread_end(self->board);
    free(self->record);
}

void bad_air_silence(bad_air *self)
{
    self->options.to_client.loss = 1.0;
    udp_proxy_change(self->proxy, &self->options);
}

void bad_air_swallow_stops(bad_air *self)
{
    self->record->is_clear = true;
    self->record->to_swallow = BAD_AIR_STOP_COMMANDS / 2;
    self->options.to_robot = (hy_faults_direction){ .delay_us = 0 };
    udp_proxy_change(self->proxy, &self->options);
}

// --------------------------------------------------------------------------- verdicts

void bad_air_await_stops(bad_air *self, const bad_air_count *before, uint64_t stops)
{
    const int64_t end_us = hy_clock_now_us() + BAD_AIR_PATIENCE_US;
    while (self->record->stops < before->stops + stops) {
        if (hy_clock_now_us() >= end_us) {
            fail_msg("only %" PRIu64 " of %" PRIu64 " stops were sent",
                     self->record->stops - before->stops, stops);
        }
        pass_us(1000);
    }
}

static void assert_stays_disabled(bad_air *self)
{
    pass_us(HELD_BACK_US);
    assert_true(board_thread_await_still(self->board, true, 0));
    assert_false(board_thread_is_enabled(self->board));
}

bool bad_air_was_held_up(const bad_air *self)
{
    const int64_t gap_us = self->record->gap_us;
    const int64_t waited_us = pressure_us() - self->record->pressed_us;
    const bool was_held_up = gap_us >= GAP_US && waited_us >= GAP_US;
    if (was_held_up) {
        print_message("the machine held the program up for %.0f ms\n", (double)gap_us * 1e-3);
    }
    return was_held_up;
}

void bad_air_assert_no_trip(bad_air *self, const bad_air_count *before)
{
    if (board_thread_counts(self->board).watchdog_trips != before->trips &&
        !bad_air_was_held_up(self)) {
        fail_msg("the watchdog stopped it: there was no command for %.0f ms",
                 (double)self->record->gap_us * 1e-3);
    }
}

void bad_air_assert_stops(bad_air *self, const bad_air_count *before, uint64_t driving)
{
    assert_true(board_thread_await_still(self->board, true, BAD_AIR_PATIENCE_US));
    bad_air_await_stops(self, before, BAD_AIR_STOP_COMMANDS);
    bad_air_assert_no_trip(self, before);
    const bad_air_count after = bad_air_counts(self);
    assert_int_equal(after.crooked, 0);
    assert_in_range(after.driving - before->driving, 0, driving);
    assert_stays_disabled(self);
}

void bad_air_assert_watchdog_stops(bad_air *self, const bad_air_count *before)
{
    assert_true(board_thread_await_still(self->board, true, BAD_AIR_PATIENCE_US));
    assert_int_equal(bad_air_counts(self).trips, before->trips + 1);
    assert_stays_disabled(self);
}
