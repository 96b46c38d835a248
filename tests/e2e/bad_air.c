#include "bad_air.h"

#include <halyard/link.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cmocka_all.h"

bad_air bad_air_start(uint64_t seed)
{
    bad_air self = { .board = board_thread_start("127.0.0.1") };
    assert_non_null(self.board);
    hy_endpoint robot, client_side;
    assert_int_equal(hy_endpoint_parse(board_thread_address(self.board), 0, &robot), HY_OK);
    const lossy_options air = {
        .loss = 0.2, .reordering = 0.2, .hold_us = 15000, .delay_us = 1000, .jitter_us = 4000
    };
    self.options = (udp_proxy_options){ .seed = seed, .to_robot = air, .to_client = air };
    self.proxy = udp_proxy_start(&robot, &self.options, &client_side);
    assert_non_null(self.proxy);
    char address[HY_ENDPOINT_TEXT_MAX];
    snprintf(self.url, sizeof self.url, "xrp://%s", hy_endpoint_format(&client_side, address));
    return self;
}

void bad_air_end(bad_air *self)
{
    udp_proxy_stop(self->proxy);
    board_thread_end(self->board);
}

void bad_air_silence(bad_air *self)
{
    self->options.to_client.loss = 1.0;
    udp_proxy_change(self->proxy, &self->options);
}

void bad_air_begin_blackout(bad_air *self)
{
    self->options.to_robot = (lossy_options){ .loss = 1.0 };
    udp_proxy_change(self->proxy, &self->options);
}

void bad_air_end_blackout(bad_air *self)
{
    const struct timespec half = { .tv_nsec = BAD_AIR_STOP_US / 2 * 1000 };
    nanosleep(&half, NULL);
    self->options.to_robot = (lossy_options){ .loss = 0.0 };
    udp_proxy_change(self->proxy, &self->options);
}

int64_t bad_air_assert_stops(bad_air *self, int64_t began_us, int64_t limit_us)
{
    assert_true(board_thread_await_still(self->board, true, 2 * limit_us + 1000000));
    const int64_t took_us = board_thread_still_since_us(self->board) - began_us;
    if (took_us > limit_us) {
        fail_msg("the motors stood after %.1f ms, not within %.1f ms", (double)took_us * 1e-3,
                 (double)limit_us * 1e-3);
    }
    const struct timespec pause = { .tv_nsec = 300000000 };
    nanosleep(&pause, NULL);
    assert_true(board_thread_await_still(self->board, true, 0));
    assert_false(board_thread_is_enabled(self->board));
    return took_us;
}
