// LINK: board wire base
// A conversation with a board: whatever arrives, in whatever order and at whatever time, no pin leaves its
// range, and without the stock defects nothing moves but what the well-formed blocks of the owner say.
//
// Input: records of [peer and wait][size][bytes of one datagram].
//
// Half of the time went into allocations: the boards and the datagram lie in blocks that are used again, and what follows
// a datagram is poisoned instead, so that the sanitizer still sees every byte too many.
#include <halyard/wire.h>
#include <sanitizer/asan_interface.h>
#include <stdio.h>

#include "../tests/support/board_bench.h"
#include "../tests/support/board_model.h"

#define PROD_SERVOS 4
#define BETA_SERVOS 2

enum { BOARDS = 3, DATAGRAM_MAX = UINT8_MAX };

static void *memory_of_board[BOARDS];
static uint8_t *datagram_memory;

static void require(const char *wrong)
{
    if (wrong != NULL) {
        fprintf(stderr, "%s\n", wrong);
        abort();
    }
}

static void allocate_once(void)
{
    if (datagram_memory == NULL) {
        datagram_memory = malloc(DATAGRAM_MAX);
        require(datagram_memory != NULL ? NULL : "no memory");
        for (unsigned i = 0; i < BOARDS; i++) {
            memory_of_board[i] = malloc(hy_board_size());
            require(memory_of_board[i] != NULL ? NULL : "no memory");
        }
    }
}

static bench start(unsigned index, const hy_board_options *options)
{
    return (bench){
        .board = hy_board_init(memory_of_board[index], options, 0),
        .sensors = { .accel_m_s2 = { 0.0, 0.0, 9.80665 }, .range_m = 4.0 },
    };
}

static void give(bench *b, uint16_t port, size_t size)
{
    const hy_endpoint from = bench_peer(port);
    hy_board_receive(b->board, &from, (hy_bytes){ datagram_memory, size }, b->now_us);
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
    give(b, (uint16_t)(5800 + (record[0] >> 2 & 3)), size);
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
    allocate_once();
    bench boards[BOARDS] = { start(0, &right), start(1, &stock), start(2, &swerve) };
    board_model model = board_model_start(PROD_SERVOS);
    for (size_t at = 0; at + 2 <= size;) {
        const size_t left = size - at - 2;
        const size_t length = data[at + 1] < left ? data[at + 1] : left;
        ASAN_UNPOISON_MEMORY_REGION(datagram_memory, DATAGRAM_MAX);
        memcpy(datagram_memory, data + at + 2, length);
        ASAN_POISON_MEMORY_REGION(datagram_memory + length, DATAGRAM_MAX - length);
        talk(&boards[0], &model, data + at, length);
        talk(&boards[1], NULL, data + at, length);
        talk(&boards[2], NULL, data + at, length);
        require(board_pins_out_of_range(hy_board_actuators(boards[0].board), 4, PROD_SERVOS));
        require(board_pins_out_of_range(hy_board_actuators(boards[1].board), 4, BETA_SERVOS));
        require(board_pins_out_of_range(hy_board_actuators(boards[2].board), 8, 0));
        at += 2 + length;
    }
    return 0;
}
