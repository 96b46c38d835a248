// Whether robots are enabled, as each dialect tells it: the bits are those of WPILib.
#include <halyard/telemetry.h>

#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "record/record.h"

// The last value of a channel that is no ".type".
typedef struct {
    char name[64], type[32], table[32];
    uint64_t value;
    size_t values;
} heard;

static void declare(void *context, const hy_channel_info *channel, uint64_t now_us)
{
    (void)context;
    (void)channel;
    (void)now_us;
}

static void put(void *context, const hy_channel_info *channel, uint64_t now_us, hy_bytes value)
{
    heard *const self = context;
    (void)now_us;
    if (channel->kind == HY_CHANNEL_STRING) {
        assert_true(value.size < sizeof self->table);
        memcpy(self->table, value.data, value.size);
    } else if (channel->kind != HY_CHANNEL_SCHEMA) {
        assert_int_equal(value.size, 8);
        (void)snprintf(self->name, sizeof self->name, "%s", channel->name);
        (void)snprintf(self->type, sizeof self->type, "%s", channel->type);
        self->value = 0;
        for (size_t i = 0; i < 8; i++) {
            self->value |= (uint64_t)value.data[i] << (8 * i);
        }
        self->values++;
    }
}

static void expect_bits(hy_nt_dialect dialect, const heard *wanted, const uint64_t bits[4])
{
    heard got = { .values = 0 };
    hy_telemetry *telemetry;
    assert_int_equal(hy_telemetry_open(&telemetry), HY_OK);
    const hy_telemetry_sink sink = { &got, declare, put };
    assert_int_equal(hy_telemetry_attach(telemetry, sink), HY_OK);
    hy_telemetry_set_dialect(telemetry, dialect);
    for (size_t i = 0; i < 4; i++) {
        static const hy_station_mode modes[] = { HY_STATION_TELEOP, HY_STATION_TELEOP,
                                                 HY_STATION_AUTONOMOUS, HY_STATION_TEST };
        hy_record_station(telemetry, i > 0, modes[i]);
        assert_int_equal(got.values, i + 1);
        assert_true(got.value == bits[i]);
    }
    assert_string_equal(got.name, wanted->name);
    assert_string_equal(got.type, wanted->type);
    assert_string_equal(got.table, wanted->table);
    hy_telemetry_close(telemetry);
}

static void in_2026_it_is_the_bits_of_an_int(void **state)
{
    (void)state;
    const heard wanted = { "/FMSInfo/FMSControlData", "int64", "FMSInfo", 0, 0 };
    expect_bits(HY_NT_DIALECT_2026, &wanted, (const uint64_t[]){ 0x20, 0x21, 0x23, 0x25 });
}

static void in_2027_it_is_a_control_word(void **state)
{
    (void)state;
    const heard wanted = { "/DriverStation/ControlWord", "struct:ControlWord", "DriverStation", 0,
                           0 };
    expect_bits(HY_NT_DIALECT_2027, &wanted,
                (const uint64_t[]){ UINT64_C(0x22) << 56, UINT64_C(0x26) << 56,
                                    UINT64_C(0x25) << 56, UINT64_C(0x27) << 56 });
}

static void its_schema_is_that_of_wpilib(void **state)
{
    (void)state;
    char schema[256];
    (void)hy_struct_schema(&hy_struct_control_word, schema, sizeof schema);
    assert_string_equal(schema, "uint64 opModeHash:56;"
                                "enum{unknown=0,autonomous=1,teleoperated=2,utility=3}"
                                "uint64 robotMode:2;bool enabled:1;bool eStop:1;"
                                "bool fmsAttached:1;bool dsAttached:1");
    assert_int_equal(hy_struct_packed_size(&hy_struct_control_word), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_2026_it_is_the_bits_of_an_int),
        cmocka_unit_test(in_2027_it_is_a_control_word),
        cmocka_unit_test(its_schema_is_that_of_wpilib),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
