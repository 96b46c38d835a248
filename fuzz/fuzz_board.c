// LINK: board wire base
// A conversation with a board: whatever arrives, in whatever order and at whatever time, no pin leaves its
// range, and without the stock defects nothing moves but what the well-formed blocks of the owner say.
//
// Input: records of [peer and wait][size][bytes of one datagram].
#include <halyard/wire_xrp.h>
#include <stdio.h>

#include "../tests/support/board_bench.h"
#include "../tests/support/board_model.h"

#define PROD_SERVOS 4
#define BETA_SERVOS 2

static void require(const char *wrong)
{
    if (wrong != NULL) {
        fprintf(stderr, "%s\n", wrong);
        abort();
    }
}

static void talk(bench *b, board_model *model, const uint8_t *record, size_t size)
{
    const bool is_xrp = hy_board_dialect(b->board) == &hy_dialect_xrp;
    static const int64_t waits_us[] = { 0, 20 * BENCH_MS, 170 * BENCH_MS, 500 * BENCH_MS };
    const uint64_t accepted = hy_board_counts(b->board)->commands;
    const uint64_t late_stops = hy_board_counts(b->board)->late_stops;
    bench_wait(b, waits_us[record[0] & 3]);
    while (bench_take(b)) {
        require(b->sent_size == (is_xrp ? 128 : 160) ? NULL : "a status has another size");
    }
    bench_give(b, (uint16_t)(5800 + (record[0] >> 2 & 3)), record + 2, size);
    if (model != NULL) {
        board_model_wait(model, b->now_us);
        if (hy_board_counts(b->board)->commands != accepted) {
            board_model_accept(model, record + 2, size, b->now_us);
        }
        if (hy_board_counts(b->board)->late_stops != late_stops) {
            board_model_stop(model);
        }
        require(board_model_difference(model, hy_board_actuators(b->board)));
    }
    require(hy_board_due_us(b->board) >= b->now_us ? NULL : "something is overdue");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hy_board_options right = { .kind = &hy_board_xrp };
    const hy_board_options stock = { .kind = &hy_board_xrp_beta, .stock_bugs = true };
    const hy_board_options swerve = { .kind = &hy_board_teensy };
    bench boards[3] = { bench_start(&right), bench_start(&stock), bench_start(&swerve) };
    board_model model = board_model_start(PROD_SERVOS);
    for (size_t at = 0; at + 2 <= size;) {
        const size_t left = size - at - 2;
        const size_t length = data[at + 1] < left ? data[at + 1] : left;
        talk(&boards[0], &model, data + at, length);
        talk(&boards[1], NULL, data + at, length);
        talk(&boards[2], NULL, data + at, length);
        require(board_pins_out_of_range(hy_board_actuators(boards[0].board), 4, PROD_SERVOS));
        require(board_pins_out_of_range(hy_board_actuators(boards[1].board), 4, BETA_SERVOS));
        require(board_pins_out_of_range(hy_board_actuators(boards[2].board), 8, 0));
        at += 2 + length;
    }
    bench_end(&boards[0]);
    bench_end(&boards[1]);
    bench_end(&boards[2]);
    return 0;
}
