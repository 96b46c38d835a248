// Every prefix and every single-byte change of every command vector, and as many damaged and random
// packets as HY_PACKETS says, at a board with the stock defects and at one without. Nothing crashes, no
// pin leaves its range, and without the defects nothing moves but what the well-formed blocks say.
#include <inttypes.h>
#include <stdio.h>

#include "board_bench.h"
#include "board_model.h"
#include "cmocka_all.h"
#include "environment.h"
#include "vectors.h"

// `make check-damage` tries 10,000,000 under AddressSanitizer, where an overrun cannot hide.
#define PACKETS 100000

#define CLIENT      5800
#define PACKET_MAX  2048
#define PROD_SERVOS 4
#define BETA_SERVOS 2

static vectors files[2];

typedef struct {
    bench right, stock;
    board_model model;
} pair;

static void start(pair *p)
{
    const hy_board_options right = { .kind = &hy_board_xrp };
    const hy_board_options stock = { .kind = &hy_board_xrp_beta, .stock_bugs = true };
    p->right = bench_start(&right);
    p->stock = bench_start(&stock);
    p->model = board_model_start(PROD_SERVOS);
}

static void end(pair *p)
{
    bench_end(&p->right);
    bench_end(&p->stock);
}

// Hands a packet to both boards; what is wrong afterwards, or NULL.
static const char *give(pair *p, const uint8_t *bytes, size_t size)
{
    const uint64_t accepted = hy_board_counts(p->right.board)->commands;
    bench_give(&p->right, CLIENT, bytes, size);
    bench_give(&p->stock, CLIENT, bytes, size);
    board_model_wait(&p->model, p->right.now_us);
    if (hy_board_counts(p->right.board)->commands != accepted) {
        board_model_accept(&p->model, bytes, size, p->right.now_us);
    }
    const char *wrong = board_model_difference(&p->model, hy_board_actuators(p->right.board));
    wrong = wrong != NULL
                ? wrong
                : board_pins_out_of_range(hy_board_actuators(p->right.board), 4, PROD_SERVOS);
    return wrong != NULL
               ? wrong
               : board_pins_out_of_range(hy_board_actuators(p->stock.board), 4, BETA_SERVOS);
}

static void wait(pair *p, int64_t us)
{
    bench_wait(&p->right, us);
    bench_wait(&p->stock, us);
}

static void check(pair *p, const uint8_t *bytes, size_t size, const char *origin, uint64_t number)
{
    const char *wrong = give(p, bytes, size);
    if (wrong != NULL) {
        fprintf(stderr, "%s %" PRIu64 ":\n  ", origin, number);
        for (size_t i = 0; i < size; i++) {
            fprintf(stderr, "%02x", bytes[i]);
        }
        fail_msg("\n  %s", wrong);
    }
}

// --------------------------------------------------------------------------- the vectors, damaged

// A fresh pair of boards, enabled and at rest: every number above 1 is accepted.
static void check_fresh(const uint8_t *bytes, size_t size, const char *origin, uint64_t number)
{
    pair p;
    start(&p);
    const uint8_t enable[] = { 0, 1, 1 };
    assert_null(give(&p, enable, sizeof enable));
    check(&p, bytes, size, origin, number);
    end(&p);
}

static void every_prefix(void **state)
{
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        for (size_t i = 0; i < files[f].count; i++) {
            const vector *v = &files[f].items[i];
            for (size_t size = 0; size <= v->size; size++) {
                check_fresh(v->bytes, size, v->name, size);
            }
        }
    }
}

static void every_single_byte_change(void **state)
{
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        for (size_t i = 0; i < files[f].count; i++) {
            vector v = files[f].items[i];
            for (size_t at = 0; at < v.size; at++) {
                const uint8_t before = v.bytes[at];
                for (unsigned value = 0; value < 256; value++) {
                    v.bytes[at] = (uint8_t)value;
                    check_fresh(v.bytes, v.size, v.name, at << 8 | value);
                }
                v.bytes[at] = before;
            }
        }
    }
}

// --------------------------------------------------------------------------- random packets

// The blocks of up to three vectors in a row, a few bytes changed, cut anywhere; some are mere noise.
static size_t random_packet(hy_random *random, uint16_t seq, uint8_t packet[PACKET_MAX])
{
    size_t size = HY_WIRE_HEADER_SIZE;
    for (uint32_t n = hy_random_below(random, 4); n > 0; n--) {
        const vectors *file = &files[hy_random_below(random, 2)];
        const vector *v = &file->items[hy_random_below(random, (uint32_t)file->count)];
        if (v->size > HY_WIRE_HEADER_SIZE) {
            memcpy(packet + size, v->bytes + HY_WIRE_HEADER_SIZE, v->size - HY_WIRE_HEADER_SIZE);
            size += v->size - HY_WIRE_HEADER_SIZE;
        }
    }
    const bool is_noise = hy_random_below(random, 16) == 0;
    if (is_noise) {
        size = hy_random_below(random, 64);
    }
    packet[0] = (uint8_t)(seq >> 8);
    packet[1] = (uint8_t)seq;
    packet[2] = hy_random_below(random, 8) != 0;
    // All but the number, so that most are accepted.
    for (uint32_t n = is_noise ? (uint32_t)size : hy_random_below(random, 4); n > 0 && size > 2; n--) {
        packet[2 + hy_random_below(random, (uint32_t)size - 2)] = (uint8_t)hy_random_bits(random);
    }
    return hy_random_below(random, 4) == 0 ? hy_random_below(random, (uint32_t)size + 1) : size;
}

static void random_packets(void **state)
{
    (void)state;
    const uint64_t seed = number_from_environment("HY_SEED", 1234);
    const uint64_t packets = number_from_environment("HY_PACKETS", PACKETS);
    hy_random random = hy_random_seeded(seed);
    static uint8_t packet[PACKET_MAX];
    pair p;
    start(&p);
    for (uint64_t i = 0; i < packets; i++) {
        const size_t size = random_packet(&random, (uint16_t)i, packet);
        check(&p, packet, size, "HY_SEED and HY_PACKETS", i + 1);
        if (hy_random_below(&random, 4) == 0) {
            wait(&p, hy_random_below(&random, 64) == 0 ? 600 * BENCH_MS : 5 * BENCH_MS);
            (void)bench_take(&p.right);
            (void)bench_take(&p.stock);
        }
    }
    const hy_board_counters *c = hy_board_counts(p.right.board);
    printf("%" PRIu64 " random packets, HY_SEED=%" PRIu64 ": %" PRIu64 " accepted, %" PRIu64
           " of them malformed\n",
           packets, seed, c->commands, c->rx_malformed);
    assert_true(packets < 1000 || (c->commands > packets / 2 && c->rx_malformed > packets / 16));
    end(&p);
}

int main(void)
{
    vectors_load("xrp/command.txt", true, &files[0]);
    vectors_load("xrp/edge.txt", true, &files[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_prefix),
        cmocka_unit_test(every_single_byte_change),
        cmocka_unit_test(random_packets),
    };
    return cmocka_run_group_tests_name("board damage", tests, NULL, NULL);
}
