// A board whose pins see what the text of xrp/status.txt describes sends the recorded bytes.
//
// Not compared, because the recordings carry the noise of the set-up that made them:
//  - the sign of a zero in the rate about z and in the pitch: the recordings have -0 in some of them
//    (their calibration and orientation filter leave it); we always say +0;
//  - the rangefinder where its echo was timed by a busy machine: at most 0.036 V (29 mm) away from
//    the 1.25 V that 1.0 m gives. Where the recording says 1.25 V, we say it to the bit.
#include "board_bench.h"
#include "cmocka_all.h"
#include "vectors.h"
#include <halyard/wire.h>

#define CLIENT          5800
#define STEP_US         5000
#define RANGE_NOISE_V   0.036F
#define COUNTS_S_AT_ONE 1000.0 // the recording's motors: counts per second at full duty

static vectors recordings;

static bench start(const hy_board_kind *kind)
{
    const hy_board_options options = { .kind = kind };
    bench b = bench_start(&options);
    // Where the wheels stand between two counts is not recorded; these fit its counts.
    b.sensors = (hy_sensors){ .encoder_counts = { 0.5, 0.5, 0.5, 0.0 },
                              .accel_m_s2 = { 0.0, 0.0, 9.80665 },
                              .reflectance = { 0.25, 0.75 },
                              .range_m = 1.0 };
    return b;
}

static void command(bench *b, uint16_t seq, uint8_t control, const float motor[4])
{
    hy_wire_command c = { .seq = seq, .control = control, .motors = motor != NULL ? 0xf : 0 };
    if (motor != NULL) {
        memcpy(c.motor, motor, 4 * sizeof *motor);
    }
    uint8_t bytes[HY_WIRE_COMMAND_MAX];
    const size_t size = hy_xrp_command_encode(&c, (hy_room){ bytes, sizeof bytes });
    bench_give(b, CLIENT, bytes, size);
}

// A robot whose wheels hang in the air: nothing else moves.
static void step(bench *b, int64_t us)
{
    for (unsigned i = 0; i < 4; i++) { // a positive duty makes the encoder fall
        b->sensors.encoder_counts[i] -= bench_duty(b, i) * COUNTS_S_AT_ONE * (double)us * 1e-6;
    }
    bench_wait(b, us);
    (void)bench_take(b);
}

// Commands every 20 ms until the status numbered `last_status` was sent.
static void run_to_status(bench *b, uint8_t control, const float motor[4], uint16_t first_seq,
                          unsigned last_status)
{
    uint16_t seq = first_seq;
    while (hy_board_counts(b->board)->statuses <= last_status) {
        if (b->now_us % 20000 == 0) {
            command(b, seq++, control, motor);
        }
        step(b, STEP_US - b->now_us % STEP_US);
    }
}

// --------------------------------------------------------------------------- comparing

enum { RATE_Z_AT = 77, PITCH_AT = 85, RANGE_AT = 124 };

static float float_at(const uint8_t *bytes, size_t at)
{
    const uint32_t bits = (uint32_t)bytes[at] << 24 | (uint32_t)bytes[at + 1] << 16 |
                          (uint32_t)bytes[at + 2] << 8 | bytes[at + 3];
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void compare(bench *b, const char *name, bool range_is_noisy)
{
    const vector *recorded = vectors_find(&recordings, name);
    assert_non_null(recorded);
    uint8_t expected[VECTOR_BYTES_MAX];
    memcpy(expected, recorded->bytes, recorded->size);
    assert_float_equal(float_at(expected, RATE_Z_AT), 0.0F, 0.0F);
    assert_float_equal(float_at(expected, PITCH_AT), 0.0F, 0.0F);
    expected[RATE_Z_AT] = expected[PITCH_AT] = 0;
    if (range_is_noisy) {
        const float ours_v = float_at(b->sent, RANGE_AT);
        assert_float_equal(ours_v, 1.25F, 0.0F);
        assert_float_equal(float_at(expected, RANGE_AT), ours_v, RANGE_NOISE_V);
        memcpy(&expected[RANGE_AT], &b->sent[RANGE_AT], 4);
    }
    assert_int_equal(b->sent_size, recorded->size);
    assert_memory_equal(b->sent, expected, recorded->size);
    bench_end(b);
}

// --------------------------------------------------------------------------- tests

static void check_boot(const hy_board_kind *kind, const char *name)
{
    bench b = start(kind);
    run_to_status(&b, 0, NULL, 1, 0);
    compare(&b, name, true);
}

static void check_enabled_idle(const hy_board_kind *kind, const char *name)
{
    bench b = start(kind);
    run_to_status(&b, 1, NULL, 1, 10);
    compare(&b, name, false);
}

// The recording says "after 1 s" of forward; its counts say how long exactly: `forward_us`.
static void check_forward(const hy_board_kind *kind, const char *name, int64_t forward_us,
                          bool range_is_noisy)
{
    static const float forward[4] = { 0.5F, -0.5F, 0.5F, -0.25F };
    const int64_t last_turn_us = 32 * HY_XRP_STATUS_PERIOD_US; // the status numbered 31
    bench b = start(kind);
    run_to_status(&b, 1, NULL, 1, 9);
    while (b.now_us < last_turn_us - forward_us) { // idle still
        command(&b, (uint16_t)(100 + b.now_us / STEP_US), 1, NULL);
        const int64_t left_us = last_turn_us - forward_us - b.now_us;
        step(&b, left_us < STEP_US ? left_us : STEP_US);
    }
    command(&b, 999, 1, forward);
    step(&b, STEP_US - b.now_us % STEP_US);
    run_to_status(&b, 1, forward, 1000, 31);
    compare(&b, name, range_is_noisy);
}

static void test_beta_boot(void **state)
{
    (void)state;
    check_boot(&hy_board_xrp_beta, "STATUS_beta_boot");
}

static void test_beta_enabled_idle(void **state)
{
    (void)state;
    check_enabled_idle(&hy_board_xrp_beta, "STATUS_beta_enabled_idle");
}

static void test_beta_forward(void **state)
{
    (void)state;
    check_forward(&hy_board_xrp_beta, "STATUS_beta_forward", 1036500, true);
}

static void test_prod_boot(void **state)
{
    (void)state;
    check_boot(&hy_board_xrp, "STATUS_prod_boot");
}

static void test_prod_enabled_idle(void **state)
{
    (void)state;
    check_enabled_idle(&hy_board_xrp, "STATUS_prod_enabled_idle");
}

static void test_prod_forward(void **state)
{
    (void)state;
    check_forward(&hy_board_xrp, "STATUS_prod_forward", 1032000, false);
}

int main(void)
{
    vectors_load("xrp/status.txt", true, &recordings);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beta_boot),         cmocka_unit_test(test_beta_enabled_idle),
        cmocka_unit_test(test_beta_forward),      cmocka_unit_test(test_prod_boot),
        cmocka_unit_test(test_prod_enabled_idle), cmocka_unit_test(test_prod_forward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
