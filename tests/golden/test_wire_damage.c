// Every prefix, every single-byte change of every vector, and as many random packets as HY_PACKETS
// says. Each lies in memory of exactly its size, so that a sanitizer sees the first byte too many.
#include <halyard/base.h>
#include <halyard/wire.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "environment.h"
#include "vectors.h"
#include "wire_invariants.h"

// `make check-damage` tries all values and 10,000,000 packets under AddressSanitizer, where an overrun cannot hide.
#define PACKETS      100000
#define VALUES_APART (is_long_run() ? 1U : 5U) // of a changed byte

static const char *const files[] = {
    "xrp/command.expected",    "xrp/edge.expected",      "xrp/status.expected",
    "wpilib/command.expected", "wpilib/status.expected", "teensy/command.expected",
    "teensy/status.expected",
};

#define FILES (sizeof files / sizeof files[0])

static vectors all[FILES];

/// Where a datagram comes from, for whoever must make it again.
typedef struct {
    const char *file, *name, *what;
    uint64_t first, second; // numbers for `what`
} origin;

/// Checks `datagram` in memory that ends where it ends.
static void check_exactly(hy_bytes datagram, origin from)
{
    uint8_t *const exact = malloc(datagram.size + (datagram.size == 0));
    assert_non_null(exact);
    memcpy(exact, datagram.data, datagram.size);
    const char *broken = wire_broken_invariant((hy_bytes){ exact, datagram.size });
    if (broken != NULL) {
        fprintf(stderr, "%s: %s, %s %" PRIu64 " %" PRIu64 ":\n  ", from.file, from.name, from.what,
                from.first, from.second);
        for (size_t i = 0; i < datagram.size; i++) {
            fprintf(stderr, "%02x", datagram.data[i]);
        }
        fail_msg("\n  %s", broken);
    }
    free(exact);
}

static void check_prefixes(const char *file, const vector *v)
{
    for (size_t size = 0; size <= v->size; size++) {
        check_exactly((hy_bytes){ v->bytes, size },
                      (origin){ file, v->name, "bytes kept, of", size, v->size });
    }
}

static void check_changes(const char *file, const vector *v)
{
    uint8_t changed[VECTOR_BYTES_MAX];
    memcpy(changed, v->bytes, v->size);
    const unsigned apart = VALUES_APART;
    for (size_t at = 0; at < v->size; at++) {
        for (unsigned value = (unsigned)at % apart; value < 256; value += apart) {
            changed[at] = (uint8_t)value;
            check_exactly((hy_bytes){ changed, v->size },
                          (origin){ file, v->name, "byte changed, to", at, value });
        }
        changed[at] = v->bytes[at];
    }
}

static void every_prefix_of_every_vector(void **state)
{
    (void)state;
    for (size_t f = 0; f < FILES; f++) {
        for (size_t i = 0; i < all[f].count; i++) {
            check_prefixes(files[f], &all[f].items[i]);
        }
    }
}

static void every_single_byte_change_of_every_vector(void **state)
{
    (void)state;
    for (size_t f = 0; f < FILES; f++) {
        for (size_t i = 0; i < all[f].count; i++) {
            check_changes(files[f], &all[f].items[i]);
        }
    }
}

// A cut motor block moves nothing, wherever it is cut: shown with a whole one before it.
static void a_cut_block_contributes_nothing(void **state)
{
    (void)state;
    static const uint8_t bytes[] = { 0, 7,    1,    0x06, 0x12, 0,    0x3f, 0, 0,
                                     0, 0x06, 0x12, 1,    0x3f, 0x80, 0,    0 };
    //                                                                      ^^^^ to be cut from here on
    for (size_t size = 11; size < sizeof bytes; size++) {
        hy_wire_command command;
        const hy_wire_report report = hy_xrp_command_decode((hy_bytes){ bytes, size }, &command);
        assert_int_equal(report.error, HY_WIRE_CUT_BLOCK);
        assert_int_equal(report.error_at, 10);
        assert_int_equal(command.motors, 1);
        assert_true(command.motor[0] == 0.5F && command.motor[1] == 0.0F);
    }
}

// --------------------------------------------------------------------------- random packets

static size_t random_block(hy_random *random, uint8_t *p)
{
    static const uint8_t sizes[] = { 0, 1, 2, 3, 5, 6, 6, 6, 7, 13, 14, 14, 18, 25, 26, 255 };
    static const uint8_t floats[] = { 0x00, 0x3f, 0xbf, 0x40, 0x7f, 0xff, 0x80, 0xc0 };
    const uint64_t bits = hy_random_bits(random);
    const size_t size = sizes[bits & 15];
    p[0] = (uint8_t)size;
    p[1] = (uint8_t)(0x11 + (bits >> 4 & 7) + ((bits >> 7 & 15) == 0 ? (bits >> 56) : 0));
    p[2] = (uint8_t)(bits >> 11 & ((bits >> 15 & 7) == 0 ? 0xFF : 0x07));
    p[3] = floats[bits >> 18 & 7];
    for (size_t i = 4; i < 1 + size; i += 4) {
        const uint64_t more = hy_random_bits(random);
        memcpy(p + i, &more, 4);
    }
    return 1 + size;
}

/// Blocks that are mostly right, with a byte or two changed now and then, cut anywhere now and then.
static size_t random_packet(hy_random *random, uint8_t packet[2048])
{
    const uint64_t bits = hy_random_bits(random);
    memcpy(packet, &bits, 3);
    size_t size = 3;
    for (unsigned n = (unsigned)(bits >> 24 & 7); n > 0; n--) {
        size += random_block(random, packet + size);
    }
    for (unsigned n = (unsigned)(bits >> 32 & 3); (bits >> 40 & 3) == 0 && n > 0; n--) {
        packet[hy_random_below(random, (uint32_t)size)] = (uint8_t)hy_random_bits(random);
    }
    return (bits >> 42 & 7) == 0 ? hy_random_below(random, (uint32_t)size + 1) : size;
}

static void random_packets(void **state)
{
    (void)state;
    const uint64_t seed = number_from_environment("HY_SEED", 1234);
    const uint64_t packets = number_from_environment("HY_PACKETS", PACKETS);
    hy_random random = hy_random_seeded(seed);
    static uint8_t packet[2048 + 8];
    for (uint64_t i = 0; i < packets; i++) {
        const size_t size = random_packet(&random, packet);
        check_exactly((hy_bytes){ packet, size },
                      (origin){ "random", "packet", "HY_SEED and HY_PACKETS", seed, i + 1 });
    }
    printf("%" PRIu64 " random packets, HY_SEED=%" PRIu64 "\n", packets, seed);
}

int main(void)
{
    for (size_t f = 0; f < FILES; f++) {
        vectors_load(files[f], true, &all[f]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_prefix_of_every_vector),
        cmocka_unit_test(every_single_byte_change_of_every_vector),
        cmocka_unit_test(a_cut_block_contributes_nothing),
        cmocka_unit_test(random_packets),
    };
    return cmocka_run_group_tests_name("wire damage", tests, NULL, NULL);
}
