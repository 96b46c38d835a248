// The hash of a board's state, by which a recording that is run again is compared: it is the one on file after each step, so that nothing which it
// takes in can be left out of it.
#include "board_bench.h"
#include "cmocka_all.h"

#include <halyard/board.h>

#define STEPS 12

static void step(bench *b, unsigned number)
{
    switch (number) {
    case 0: break; // as it starts
    case 1: bench_wait(b, 20 * BENCH_MS); break;
    case 2: bench_give(b, 5001, "?", 1); break; // a probe
    case 3: bench_command(b, 5000, 7, 1, 0.5F); break;
    case 4: bench_command(b, 5000, 7, 1, 0.5F); break;  // once more
    case 5: bench_command(b, 5000, 6, 0, 0.0F); break;  // a late stop
    case 6: bench_command(b, 5002, 90, 1, 0.5F); break; // a stranger
    case 7:
        b->sensors.encoder_counts[0] += 3.0;
        bench_wait(b, 30 * BENCH_MS);
        (void)bench_status(b);
        break;
    case 8: bench_wait(b, 700 * BENCH_MS); break; // the watchdog
    case 9: {
        // The LED: DIO 1, whose tag is another one for each dialect.
        const uint8_t tag = hy_board_dialect(b->board)->tag[HY_WIRE_DIO];
        bench_give(b, 5000, ((const uint8_t[]){ 0, 8, 1, 3, tag, 1, 1 }), 7);
        break;
    }
    case 10: // more edges than the encoder's mean has samples
        b->sensors.encoder_counts[1] += 20.0;
        b->sensors.button = true;
        bench_wait(b, 30 * BENCH_MS);
        break;
    default:
        b->sensors.home_switches = 0x0B;
        b->sensors.at_home = 0x02;
        b->sensors.range_m = 1.5;
        b->sensors.reflectance[1] = 0.25;
        b->sensors.accel_m_s2[0] = 0.5;
        b->sensors.gyro_rate_rad_s[1] = 0.5;
        b->sensors.gyro_angle_rad[2] = 0.5;
        b->sensors.battery_v = 11.0;
        bench_wait(b, 50 * BENCH_MS);
        break;
    }
}

// Switched off and on, in the same memory, it keeps nothing.
static void assert_hashes(const hy_board_options *options, const uint64_t wanted[STEPS])
{
    const bench first = bench_start(options);
    bench b = first;
    unsigned wrong = 0;
    for (unsigned number = 0; number < 3 * STEPS; number++) {
        if (number % STEPS == 0) {
            b = first;
            b.board = hy_board_init(b.board, options, 0);
        }
        step(&b, number % STEPS);
        const uint64_t hash = hy_board_hash(b.board);
        if (hash != wanted[number % STEPS]) {
            print_error("step %u: UINT64_C(0x%016llX),\n", number, (unsigned long long)hash);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    bench_end(&b);
}

static void of_an_xrp(void **state)
{
    (void)state;
    static const uint64_t wanted[STEPS] = {
        UINT64_C(0x72E1D04E5A507E1D), UINT64_C(0x50E14AC0A9E6A70E), UINT64_C(0xEB648A590EB2227F),
        UINT64_C(0x2E3222F6B1C54D0C), UINT64_C(0x193C50FA9C756754), UINT64_C(0x0BE9E9B18F631D30),
        UINT64_C(0xA41E8D991AB5D875), UINT64_C(0x9E24CE3DFC18B806), UINT64_C(0xFBAE35FC4E88BF1C),
        UINT64_C(0x0E5F033FC506C1B2), UINT64_C(0x0C29C74735BC2F9A), UINT64_C(0xA002D0EB37192E6B),
    };
    assert_hashes(&(hy_board_options){ .kind = &hy_board_xrp }, wanted);
}

static void of_an_xrp_with_the_stock_defects(void **state)
{
    (void)state;
    static const uint64_t wanted[STEPS] = {
        UINT64_C(0xFFCD733B21881B1A), UINT64_C(0x7420B5171B01FA1D), UINT64_C(0xB2272A7CF5E9D04A),
        UINT64_C(0x11BB7B5EBDA799A3), UINT64_C(0x9C03A267ED2ECFF6), UINT64_C(0x2C30184F12DF897D),
        UINT64_C(0x3DBF0000F4116BB4), UINT64_C(0xA4AB44349D88FCFD), UINT64_C(0xBC106399056ECC61),
        UINT64_C(0x1F5CCD3D7E4C048D), UINT64_C(0xECC65DB36C867A20), UINT64_C(0xD3EE8E454EC7A83D),
    };
    assert_hashes(&(hy_board_options){ .kind = &hy_board_xrp_beta, .stock_bugs = true }, wanted);
}

static void of_a_teensy(void **state)
{
    (void)state;
    static const uint64_t wanted[STEPS] = {
        UINT64_C(0xC070682D6919A13B), UINT64_C(0xBA22BCC386948AD5), UINT64_C(0xD35E6502DC340608),
        UINT64_C(0x4996C643F3424C45), UINT64_C(0x669CE698C2D7037D), UINT64_C(0x2460712B722AF029),
        UINT64_C(0xE00E5845CA731754), UINT64_C(0xAFC738624CC81A8F), UINT64_C(0x46DAB8693BFA4EA7),
        UINT64_C(0x25B8E6D8EBC190A5), UINT64_C(0xCFBE7D68600B845D), UINT64_C(0xA681E89E064A552B),
    };
    assert_hashes(&(hy_board_options){ .kind = &hy_board_teensy }, wanted);
}

// --------------------------------------------------------------------------- what is only counted

// A board that gets all datagrams and one that gets only those that it admits, cut as it says, and is told of the others later: whatever comes,
// they are the same.
static void what_is_refused_is_only_counted(void **state)
{
    (void)state;
    static const hy_board_options kinds[] = {
        { .kind = &hy_board_xrp },
        { .kind = &hy_board_xrp, .stock_bugs = true },
        { .kind = &hy_board_teensy },
    };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        hy_random random = hy_random_seeded(k);
        bench whole = bench_start(&kinds[k]), part = bench_start(&kinds[k]);
        hy_board_refused sum = { .strangers = 0 };
        uint64_t refused = 0, cut = 0;
        for (int i = 0; i < 20000; i++) {
            uint8_t bytes[40];
            const uint64_t port = hy_random_below(&random, 10);
            const hy_endpoint from =
                bench_peer((uint16_t)(port < 7 ? 5000 : 5000 + port)); // most often one
            const size_t size = (size_t)hy_random_below(&random, port == 9 ? 4 : sizeof bytes);
            const int64_t at_us = whole.now_us - (int64_t)hy_random_below(&random, 300000);
            for (size_t n = 0; n < sizeof bytes; n++) {
                bytes[n] = (uint8_t)hy_random_below(&random, n == 2 ? 2 : n == 3 ? 8 : 256);
            }
            bytes[0] = (uint8_t)(i >> 10); // rises, now and then by a step back
            hy_bytes datagram = { bytes, size };
            hy_board_receive(whole.board, &from, datagram, at_us);
            if (hy_board_admits(part.board, &from, &datagram, at_us, &sum)) {
                hy_board_receive(part.board, &from, datagram, at_us);
                cut += datagram.size < size;
            } else {
                refused++;
            }
            if (hy_random_below(&random, 8) == 0) {
                const int64_t pause_us =
                    (int64_t)hy_random_below(&random, i % 50 == 0 ? 700000 : 9000);
                bench_wait(&whole, pause_us);
                bench_wait(&part, pause_us);
                while (bench_take(&whole) && bench_take(&part)) {
                    assert_memory_equal(whole.sent, part.sent, part.sent_size);
                }
                hy_board_note_refused(part.board, &sum);
                sum = (hy_board_refused){ .strangers = 0 };
                assert_true(hy_board_hash(whole.board) == hy_board_hash(part.board));
            }
        }
        assert_true(kinds[k].stock_bugs || refused > 1000);
        assert_true(cut > 1000);
        bench_end(&whole);
        bench_end(&part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_an_xrp),
        cmocka_unit_test(of_an_xrp_with_the_stock_defects),
        cmocka_unit_test(of_a_teensy),
        cmocka_unit_test(what_is_refused_is_only_counted),
    };
    return cmocka_run_group_tests_name("board hash", tests, NULL, NULL);
}
