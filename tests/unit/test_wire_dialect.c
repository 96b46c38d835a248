// The dialects as tables, one block understood, and the rate of an encoder.
#include <halyard/wire.h>
#include <string.h>

#include "cmocka_all.h"

static void every_tag_has_its_kind(void **state)
{
    (void)state;
    static const uint8_t xrp[] = { 0, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18 };
    static const uint8_t teensy[] = { 0, 0x12, 0, 0x13, 0x14, 0x15, 0, 0x16 };
    for (unsigned tag = 0; tag < 256; tag++) {
        const uint8_t *const wanted[] = { xrp, teensy };
        const hy_dialect *const dialects[] = { &hy_dialect_xrp, &hy_dialect_teensy };
        for (int d = 0; d < 2; d++) {
            int kind = HY_WIRE_UNKNOWN;
            for (int k = 1; k < HY_WIRE_KINDS; k++) {
                kind = tag != 0 && wanted[d][k] == tag ? k : kind;
            }
            assert_int_equal(hy_dialect_kind(dialects[d], (uint8_t)tag), kind);
        }
    }
}

static void every_channel_of_the_manuals_has_its_name(void **state)
{
    (void)state;
    const hy_dialect *d = &hy_dialect_xrp;
    assert_int_equal(d->motors, 4);
    assert_int_equal(d->servos, 4);
    assert_int_equal(d->encoders, 4);
    assert_string_equal(d->motor_names[0], "Left Motor");
    assert_string_equal(d->motor_names[3], "Motor 4");
    assert_string_equal(d->servo_names[0], "Servo 1");
    assert_string_equal(d->encoder_names[1], "Right Motor Encoder");
    assert_string_equal(d->dio_names[0], "UserButton");
    assert_string_equal(d->dio_names[1], "OnboardLed");
    assert_string_equal(d->dio_names[11], "Motor4EncoderB");
    assert_null(d->dio_names[12]);
    assert_string_equal(d->analog_names[2], "Rangefinder");
    assert_null(d->analog_names[3]);
    d = &hy_dialect_teensy;
    assert_int_equal(d->motors, 8);
    assert_int_equal(d->servos, 0);
    assert_int_equal(d->encoders, 8);
    assert_string_equal(d->motor_names[0], "Front Left Drive Motor");
    assert_string_equal(d->motor_names[7], "Front Right Azimuth Motor");
    assert_string_equal(d->encoder_names[4], "Rear Right Drive Encoder");
    assert_null(d->dio_names[0]);
}

static hy_wire_value value_of(const hy_dialect *dialect, uint8_t tag, size_t size)
{
    static const uint8_t payload[254] = { 5, 0x3f, 0x80, 0, 0, 0, 0, 0x0f, 0xa1, 0, 0x0f, 0x42, 0x40 };
    return hy_block_value(dialect, &(hy_block){ tag, 3, { payload, size } });
}

static void a_block_is_understood_as_its_kind(void **state)
{
    (void)state;
    hy_wire_value v = value_of(&hy_dialect_xrp, 0x12, 5);
    assert_int_equal(v.kind, HY_WIRE_MOTOR);
    assert_int_equal(v.id, 5); // as it stands there, though this dialect has no motor 5
    assert_true(v.value == 1.0F);
    v = value_of(&hy_dialect_xrp, 0x14, 2);
    assert_int_equal(v.kind, HY_WIRE_DIO);
    assert_int_equal(v.id, 5);
    assert_int_equal(v.level, 0x3f); // as sent
    v = value_of(&hy_dialect_xrp, 0x18, 12);
    assert_int_equal(v.kind, HY_WIRE_ENCODER);
    assert_int_equal(v.id, 5);
    assert_int_equal(v.count, 0x3f800000);
    assert_false(v.has_period);
    assert_int_equal(v.period_num, 0);
    v = value_of(&hy_dialect_xrp, 0x18, 13);
    assert_true(v.has_period);
    assert_int_equal(v.period_num, 4001);
    assert_int_equal(v.period_den, 1000000);
    v = value_of(&hy_dialect_teensy, 0x16, 13);
    assert_int_equal(v.kind, HY_WIRE_ENCODER);
    static const uint8_t axes[24] = { 0x3f, 0x80, 0,    0, 0x40, 0,    0,    0, 0x40, 0x40, 0,
                                      0,    0x40, 0x80, 0, 0,    0x40, 0xa0, 0, 0,    0x40, 0xc0 };
    v = hy_block_value(&hy_dialect_teensy, &(hy_block){ 0x15, 3, { axes, sizeof axes } });
    assert_int_equal(v.kind, HY_WIRE_GYRO);
    for (int i = 0; i < 3; i++) {
        assert_true(v.rate_dps[i] == (float)(i + 1) && v.angle_deg[i] == (float)(i + 4));
    }
}

static void a_block_too_short_for_its_kind_is_unknown(void **state)
{
    (void)state;
    static const size_t payload_min[] = {
        [HY_WIRE_MOTOR] = 5, [HY_WIRE_SERVO] = 5,  [HY_WIRE_DIO] = 2,    [HY_WIRE_ANALOG] = 5,
        [HY_WIRE_GYRO] = 24, [HY_WIRE_ACCEL] = 12, [HY_WIRE_ENCODER] = 5
    };
    for (int kind = 1; kind < HY_WIRE_KINDS; kind++) {
        const uint8_t tag = hy_dialect_xrp.tag[kind];
        assert_int_equal(value_of(&hy_dialect_xrp, tag, payload_min[kind] - 1).kind, HY_WIRE_UNKNOWN);
        assert_int_equal(value_of(&hy_dialect_xrp, tag, payload_min[kind]).kind, kind);
        assert_int_equal(value_of(&hy_dialect_xrp, tag, 254).kind, kind);
    }
    assert_int_equal(value_of(&hy_dialect_xrp, 0x42, 254).kind, HY_WIRE_UNKNOWN);
}

static void a_value_is_written_as_it_is(void **state)
{
    (void)state;
    static const uint8_t wanted[] = { 0, 7,    1,    0x06, 0x12, 9,    0x40, 0x20, 0,
                                      0, 0x06, 0x18, 1,    0xff, 0xff, 0xff, 0xfb };
    uint8_t room[sizeof wanted];
    hy_block_writer writer = hy_block_write_begin((hy_room){ room, sizeof room }, 7, 1);
    const hy_wire_value motor = { .kind = HY_WIRE_MOTOR,
                                  .id = 9,
                                  .value = 2.5F }; // neither limited nor refused
    const hy_wire_value encoder = { .kind = HY_WIRE_ENCODER, .id = 1, .count = -5 };
    assert_true(hy_block_write_value(&writer, &hy_dialect_xrp, &motor));
    assert_true(hy_block_write_value(&writer, &hy_dialect_xrp, &encoder));
    assert_memory_equal(room, wanted, sizeof wanted);
    assert_false(hy_block_write_value(&writer, &hy_dialect_xrp, &encoder)); // no room
    assert_int_equal(writer.size, sizeof wanted);
}

static void a_kind_that_the_dialect_lacks_is_not_written(void **state)
{
    (void)state;
    static const hy_wire_kind lacking[] = { HY_WIRE_UNKNOWN, HY_WIRE_SERVO, HY_WIRE_ACCEL,
                                            HY_WIRE_KINDS };
    uint8_t room[64];
    hy_block_writer writer = hy_block_write_begin((hy_room){ room, sizeof room }, 7, 1);
    for (size_t i = 0; i < 4; i++) {
        const hy_wire_value value = { .kind = lacking[i] };
        assert_false(hy_block_write_value(&writer, &hy_dialect_teensy, &value));
    }
    assert_int_equal(writer.size, 3);
    assert_false(writer.full); // nothing was too long
}

// --------------------------------------------------------------------------- rates

// clang-format off
static void an_encoders_period_becomes_a_signed_rate(void **state)
{
    (void)state;
    static const struct { hy_wire_encoder encoder; hy_encoder_motion motion; float rate; } cases[] = {
        { { 0, 2000 << 1 | 1,   1000000, true  }, HY_ENCODER_MOVING,    500.0F },
        { { 0, 2000 << 1,       1000000, true  }, HY_ENCODER_MOVING,   -500.0F },
        { { 0, 0x00008265,      8312500, true  }, HY_ENCODER_MOVING,    8312500.0F / 16690.0F }, // 2.008 ms
        { { 0, 0xfffffffd, 0xffffffff, true    }, HY_ENCODER_MOVING,    4294967295.0F / 2147483646.0F },
        { { 0, 3,          0xffffffff, true    }, HY_ENCODER_MOVING,    4294967295.0F },        // the largest
        { { 0, 0xffffffff,      8312500, true  }, HY_ENCODER_STILL,     0 },
        { { 0, 0xfffffffe,      8312500, true  }, HY_ENCODER_STILL,     0 },
        { { 0, 1,               8312500, true  }, HY_ENCODER_UNKNOWN,   0 }, // 0 ticks
        { { 0, 0,               8312500, true  }, HY_ENCODER_UNKNOWN,   0 },
        { { 0, 3,                     0, true  }, HY_ENCODER_UNKNOWN,   0 }, // denominator 0
        { { 0, 0,                     0, true  }, HY_ENCODER_UNKNOWN,   0 },
        { { 0, 0xffffffff,            0, true  }, HY_ENCODER_UNKNOWN,   0 },
        { { 0, 2000 << 1,       1000000, false }, HY_ENCODER_UNKNOWN,   0 }, // no period sent
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float rate = 77;
        assert_int_equal(hy_wire_encoder_rate(&cases[i].encoder, &rate), cases[i].motion);
        assert_true(rate == cases[i].rate);
    }
}
// clang-format on

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tag_has_its_kind),
        cmocka_unit_test(every_channel_of_the_manuals_has_its_name),
        cmocka_unit_test(a_block_is_understood_as_its_kind),
        cmocka_unit_test(a_block_too_short_for_its_kind_is_unknown),
        cmocka_unit_test(a_value_is_written_as_it_is),
        cmocka_unit_test(a_kind_that_the_dialect_lacks_is_not_written),
        cmocka_unit_test(an_encoders_period_becomes_a_signed_rate),
    };
    return cmocka_run_group_tests_name("wire dialect", tests, NULL, NULL);
}
