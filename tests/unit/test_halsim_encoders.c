// Encoders of the robot as the HAL shows them: which are whose, what a reset and a restart do to a count, and speeds.
#include "cmocka_all.h"

#include <float.h>
#include <halyard/wire.h>
#include <string.h>

#include "../../src/halsim/state.h"

enum { SLOTS = 4, FIRST_DIO = 4 };

/// The HAL's side.
static struct {
    int32_t channel_a[SLOTS], channel_b[SLOTS];
    int32_t count[SLOTS];
    double period_s[SLOTS], rate[SLOTS];
    hal_notify *initialized, *reset;
    void *param[SLOTS];
    unsigned counts_set,
        reset_during_count; ///< At that setting of a count robot code resets it; 0: never.
    bool frees;             ///< And then frees the encoder.
} robot_code;

static void be_initialized(int32_t slot, bool is_there)
{
    const hal_value value = { .type = HAL_TYPE_BOOLEAN, .data.as_bool = is_there };
    robot_code.initialized("Initialized", robot_code.param[slot], &value);
}

static void be_reset(int32_t slot, bool is_reset)
{
    const hal_value value = { .type = HAL_TYPE_BOOLEAN, .data.as_bool = is_reset };
    robot_code.reset("Reset", robot_code.param[slot], &value);
    if (is_reset) {
        robot_code.count[slot] = 0;
    }
}

static int32_t channel_a(int32_t slot)
{
    return robot_code.channel_a[slot];
}

static int32_t channel_b(int32_t slot)
{
    return robot_code.channel_b[slot];
}

static void set_count(int32_t slot, int32_t count)
{
    robot_code.counts_set++;
    robot_code.count[slot] = count;
    if (robot_code.counts_set == robot_code.reset_during_count) {
        be_reset(slot, true);
        robot_code.count[slot] = count; // the older count comes after the reset
        if (robot_code.frees) {
            be_initialized(slot, false);
        }
    }
}

static void set_period(int32_t slot, double period_s)
{
    assert_in_range(slot, 0, SLOTS - 1);
    robot_code.period_s[slot] = period_s;
}

static void set_rate(int32_t slot, double rate)
{
    robot_code.rate[slot] = rate;
}

static double distance_per_pulse(int32_t slot)
{
    return 0.5 * (slot + 1);
}

static int32_t follow_initialized(int32_t slot, hal_notify *call, void *param, hal_bool now)
{
    assert_int_equal(now, 1);
    robot_code.initialized = call;
    robot_code.param[slot] = param;
    return 1;
}

static int32_t follow_reset(int32_t slot, hal_notify *call, void *param, hal_bool now)
{
    (void)slot;
    (void)param;
    assert_int_equal(now, 0);
    robot_code.reset = call;
    return 1;
}

static hy_halsim the_extension;

static hy_halsim *start(hal_feature speed)
{
    static const hy_halsim_board board = { .dialect = &hy_dialect_xrp,
                                           .encoder_first_dio = FIRST_DIO };
    hy_halsim *const self = &the_extension;
    memset(&robot_code, 0, sizeof robot_code);
    memset(self, 0, sizeof *self);
    self->board = &board;
    self->encoder_slots = SLOTS;
    self->hal.HALSIM_GetEncoderDigitalChannelA = channel_a;
    self->hal.HALSIM_GetEncoderDigitalChannelB = channel_b;
    self->hal.HALSIM_SetEncoderCount = set_count;
    self->hal.HALSIM_SetEncoderPeriod = set_period;
    self->hal.HALSIM_SetEncoderRate = set_rate;
    self->hal.HALSIM_GetEncoderDistancePerPulse = distance_per_pulse;
    self->hal.HALSIM_RegisterEncoderInitializedCallback = follow_initialized;
    self->hal.HALSIM_RegisterEncoderResetCallback = follow_reset;
    self->hal.has[speed] = true;
    for (unsigned i = 0; i < SLOTS; i++) {
        self->refs[i] = (hy_halsim_ref){ self, i };
        robot_code.period_s[i] = robot_code.rate[i] = 7.0;
    }
    hy_os_lock_init(&self->lock);
    hy_halsim_init_inputs(self);
    hy_halsim_follow_inputs(self);
    return self;
}

static void create(int32_t slot, int32_t a, int32_t b)
{
    robot_code.channel_a[slot] = a;
    robot_code.channel_b[slot] = b;
    robot_code.count[slot] = 99; // what another encoder left there
    be_initialized(slot, true);
}

static void apply(hy_halsim *self, unsigned id, int32_t count, bool is_new_count)
{
    hy_wire_status status = { .encoders = (uint8_t)(1U << id) };
    status.encoder[id].count = count;
    hy_halsim_apply(self, &status, is_new_count);
}

static void an_encoder_has_two_neighbouring_channels(void **state)
{
    (void)state;
    static const struct {
        int32_t a, b;
        int id; // -1: none of the robot's
    } rows[] = {
        { 4, 5, 0 },
        { 5, 4, 0 },
        { 6, 7, 1 },
        { 10, 11, 3 },
        { 11, 10, 3 },
        { 12, 13, -1 },
        { 5, 6, -1 },
        { 6, 5, -1 },
        { 2, 3, -1 },
        { 4, 4, -1 },
        { 4, 6, -1 },
        { 6, 4, -1 },
        { 7, 4, -1 },
        { 3, 4, -1 },
        { -2, -1, -1 },
        { 4, -5, -1 },
        { 1000000, 1000001, -1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hy_halsim *const self = start(HAL_PERIOD);
        create(2, rows[i].a, rows[i].b);
        assert_int_equal(robot_code.count[2], 0);
        assert_true(robot_code.period_s[2] == DBL_MAX);
        for (unsigned id = 0; id < 4; id++) {
            apply(self, id, 10 + (int32_t)id, false);
        }
        if (robot_code.count[2] != (rows[i].id < 0 ? 0 : 10 + rows[i].id)) {
            fail_msg("%d and %d show %d", rows[i].a, rows[i].b, robot_code.count[2]);
        }
    }
}

static void an_encoder_that_is_gone_is_told_nothing(void **state)
{
    (void)state;
    hy_halsim *const self = start(HAL_PERIOD);
    create(0, 4, 5);
    create(1, 6, 7);
    apply(self, 0, 5, false);
    be_initialized(0, false);
    apply(self, 0, 6, false);
    apply(self, 1, 7, false);
    assert_int_equal(robot_code.count[0], 5);
    assert_int_equal(robot_code.count[1], 7);
    create(0, 4, 5); // another one shows what the robot counts, whatever was reset before
    apply(self, 0, 8, false);
    assert_int_equal(robot_code.count[0], 8);
    be_reset(0, true);
    be_initialized(0, false);
    create(0, 4, 5);
    apply(self, 0, 9, false);
    assert_int_equal(robot_code.count[0], 9);
    create(2, 8, 9);
    be_reset(2, true); // before the robot has said anything
    be_initialized(2, false);
    create(2, 8, 9);
    apply(self, 2, 9, false);
    assert_int_equal(robot_code.count[2], 9);
}

static void a_reset_is_a_new_zero(void **state)
{
    (void)state;
    hy_halsim *const self = start(HAL_PERIOD);
    create(0, 4, 5);
    create(1, 6, 7);
    apply(self, 0, 100, false);
    apply(self, 1, 100, false);
    be_reset(0, true);
    apply(self, 0, 103, false);
    apply(self, 1, 103, false);
    assert_int_equal(robot_code.count[0], 3);
    assert_int_equal(robot_code.count[1], 103); // not its reset
    be_reset(0, false);                         // the end of the reset is none
    apply(self, 0, 104, false);
    assert_int_equal(robot_code.count[0], 4);
}

static void before_the_first_status_a_reset_makes_that_the_zero(void **state)
{
    (void)state;
    hy_halsim *const self = start(HAL_PERIOD);
    create(0, 4, 5);
    be_reset(0, true);
    apply(self, 0, 5000, false);
    assert_int_equal(robot_code.count[0], 0);
    apply(self, 0, 5002, false);
    assert_int_equal(robot_code.count[0], 2);
}

static void a_robot_that_starts_anew_does_not_move_its_wheels(void **state)
{
    (void)state;
    hy_halsim *const self = start(HAL_PERIOD);
    create(0, 4, 5);
    apply(self, 0, 700, true); // the first one is no restart
    assert_int_equal(robot_code.count[0], 700);
    apply(self, 0, 0, true);
    assert_int_equal(robot_code.count[0], 700);
    apply(self, 0, -5, false);
    assert_int_equal(robot_code.count[0], 695);
}

static void counts_wrap_as_the_hals_do(void **state)
{
    (void)state;
    hy_halsim *const self = start(HAL_PERIOD);
    create(0, 4, 5);
    static const int32_t counts[] = { INT32_MAX, INT32_MIN, -1, 0, 1 };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        apply(self, 0, counts[i], false);
        assert_int_equal(robot_code.count[0], counts[i]);
    }
    apply(self, 0, INT32_MIN, false);
    be_reset(0, true);
    apply(self, 0, INT32_MAX, false); // one less
    assert_int_equal(robot_code.count[0], -1);
}

static void a_reset_while_the_count_is_set_is_not_lost(void **state)
{
    (void)state;
    hy_halsim *const self = start(HAL_PERIOD);
    create(0, 4, 5);
    robot_code.reset_during_count = robot_code.counts_set + 1;
    apply(self, 0, 50, false);
    assert_int_equal(robot_code.count[0], 0);
    assert_int_equal(robot_code.counts_set, robot_code.reset_during_count + 1);
}

static void an_encoder_that_is_freed_while_its_count_is_set_is_left_alone(void **state)
{
    (void)state;
    hy_halsim *const self = start(HAL_PERIOD);
    create(0, 4, 5);
    robot_code.reset_during_count = robot_code.counts_set + 1;
    robot_code.frees = true;
    apply(self, 0, 50, false);
    assert_int_equal(robot_code.counts_set, robot_code.reset_during_count);
}

static void apply_period(hy_halsim *self, uint32_t num, uint32_t den, bool has_period)
{
    hy_wire_status status = { .encoders = 1 };
    status.encoder[0] =
        (hy_wire_encoder){ .period_num = num, .period_den = den, .has_period = has_period };
    hy_halsim_apply(self, &status, false);
}

static void a_period_has_its_direction_in_the_lowest_bit(void **state)
{
    (void)state;
    hy_halsim *const self = start(HAL_PERIOD);
    create(0, 4, 5);
    apply_period(self, 2 * 250 + 1, 1000, true);
    assert_true(robot_code.period_s[0] == 0.25);
    apply_period(self, 2 * 500, 1000, true);
    assert_true(robot_code.period_s[0] == -0.5);
    apply_period(self, 1, 1000, true); // no time at all, a division by 0, none: it stays
    apply_period(self, 2 * 250 + 1, 0, true);
    apply_period(self, 2 * 250 + 1, 1000, false);
    assert_true(robot_code.period_s[0] == -0.5);
    assert_true(robot_code.rate[0] == 7.0); // which this HAL does not have
    be_initialized(0, false);
    apply_period(self, 2 * 250 + 1, 1000, true); // of an encoder that robot code does not have
    assert_true(robot_code.period_s[0] == -0.5);
}

static void a_hal_of_2027_has_rates(void **state)
{
    (void)state;
    hy_halsim *self = start(HAL_RATE);
    create(0, 4, 5);
    assert_true(robot_code.rate[0] == 0.0);
    apply_period(self, 2 * 250 + 1, 1000, true);
    assert_true(robot_code.rate[0] == 2.0); // 0.5 of a unit for a count, 4 counts a second
    apply_period(self, 2 * 500, 1000, true);
    assert_true(robot_code.rate[0] == -1.0);
    assert_true(robot_code.period_s[0] == 7.0);
    self = start(HAL_ANALOG); // one that has neither
    create(0, 4, 5);
    apply_period(self, 2 * 250 + 1, 1000, true);
    assert_true(robot_code.rate[0] == 7.0 && robot_code.period_s[0] == 7.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_encoder_has_two_neighbouring_channels),
        cmocka_unit_test(an_encoder_that_is_gone_is_told_nothing),
        cmocka_unit_test(a_reset_is_a_new_zero),
        cmocka_unit_test(before_the_first_status_a_reset_makes_that_the_zero),
        cmocka_unit_test(a_robot_that_starts_anew_does_not_move_its_wheels),
        cmocka_unit_test(counts_wrap_as_the_hals_do),
        cmocka_unit_test(a_reset_while_the_count_is_set_is_not_lost),
        cmocka_unit_test(an_encoder_that_is_freed_while_its_count_is_set_is_left_alone),
        cmocka_unit_test(a_period_has_its_direction_in_the_lowest_bit),
        cmocka_unit_test(a_hal_of_2027_has_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
