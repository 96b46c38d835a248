// Commands as long as UDP carries, over real sockets, to a board with the stock firmware's defects: it
// uses 8192 bytes of them and cuts the rest, and the link must not decide otherwise.
#include "cmocka_all.h"

#include <halyard/board.h>
#include <halyard/link.h>

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define STOCK_USES 8192
#define MOTOR_SIZE 7

static hy_link robot, client;
static hy_board *board;
static uint8_t command[60000]; // header and padding, but for one block

static int start(void **state)
{
    (void)state;
    static const hy_board_options stock = { .kind = &hy_board_xrp, .stock_bugs = true };
    hy_endpoint home;
    hy_endpoint_parse("127.0.0.1:0", 0, &home);
    board = hy_board_init(malloc(hy_board_size()), &stock, 0);
    return hy_link_open(&robot, &home) != HY_OK || hy_link_open_to(&client, &robot.local) != HY_OK;
}

static int end(void **state)
{
    (void)state;
    free(board);
    hy_link_close(&client);
    hy_link_close(&robot);
    return 0;
}

/// Commands full effort for motor 0, `size` bytes with the block at `at`, and returns its duty then.
static double duty_after(size_t size, size_t at)
{
    static const uint8_t block[MOTOR_SIZE] = { 6, 0x12, 0, 0x3f, 0x80, 0, 0 };
    memset(command, 0, sizeof command);
    command[1] = 1;
    command[2] = HY_WIRE_CONTROL_ENABLED;
    memcpy(command + at, block, sizeof block);
    assert_int_equal(hy_link_send(&client, &robot.local, (hy_bytes){ command, size }), HY_OK);
    struct pollfd watched = { .fd = (int)hy_link_descriptor(&robot), .events = POLLIN };
    assert_int_equal(poll(&watched, 1, 30000), 1);
    hy_datagram got[HY_LINK_BATCH];
    assert_int_equal(hy_link_receive(&robot, got, HY_LINK_BATCH), 1);
    assert_int_equal(got[0].bytes.size, size);
    hy_board_receive(board, &got[0].peer, got[0].bytes, 0);
    assert_int_equal(hy_board_counts(board)->commands, 1);
    return hy_board_actuators(board)->motor_duty[0];
}

// The last block that the firmware reads whole ends its 8192 bytes.
static void a_block_at_the_end_of_what_is_used(void **state)
{
    const size_t size = *(const size_t *)*state;
    assert_true(duty_after(size, STOCK_USES - MOTOR_SIZE) > 0.99);
    assert_int_equal(hy_board_counts(board)->rx_malformed, 0);
}

static void a_block_behind_it(void **state)
{
    const size_t size = *(const size_t *)*state;
    const size_t at = size - MOTOR_SIZE > STOCK_USES ? size - MOTOR_SIZE : STOCK_USES;
    assert_true(duty_after(size, at) == 0.0);
    assert_true(hy_board_is_enabled(board)); // the command as such counts
}

static size_t sizes[] = { STOCK_USES, STOCK_USES + 1, 9000, sizeof command };

#define LONG_TEST(function, index)                                   \
    {                                                                \
#function " of " #index, function, start, end, &sizes[index] \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        LONG_TEST(a_block_at_the_end_of_what_is_used, 0),
        LONG_TEST(a_block_at_the_end_of_what_is_used, 1),
        LONG_TEST(a_block_at_the_end_of_what_is_used, 2),
        LONG_TEST(a_block_behind_it, 1),
        LONG_TEST(a_block_behind_it, 2),
#ifndef __APPLE__ // sends no more than 9216 bytes unless it is told to
        LONG_TEST(a_block_at_the_end_of_what_is_used, 3),
        LONG_TEST(a_block_behind_it, 3),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
