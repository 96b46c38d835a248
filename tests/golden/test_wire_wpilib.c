// What WPILib's own extension made of each datagram that a robot may send, and what we make of it:
// wherever it says that a value changed, ours is that value.
#include <halyard/wire.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "wire_checks.h"

/// The state of WPILib's devices after a datagram, as the file records it.
typedef struct {
    double encoder_count[2], encoder_period_s[2], dio[2], analog_v[3], gyro[6], accel_g[3];
} devices;

static void read_numbers(const char *line, const char *label, double *out, int count)
{
    const char *at = strstr(line, label);
    if (at == NULL) {
        fail_msg("no '%s' in: %s", label, line);
    }
    at += strlen(label);
    for (int i = 0; i < count; i++) {
        char *end;
        out[i] = strtod(at, &end);
        assert_ptr_not_equal(at, end);
        at = end;
    }
}

static devices read_devices(const char *line)
{
    devices d;
    read_numbers(line, "enc0[count ", &d.encoder_count[0], 1);
    read_numbers(line, "enc1[count ", &d.encoder_count[1], 1);
    read_numbers(strstr(line, "enc0["), " period ", &d.encoder_period_s[0], 1);
    read_numbers(strstr(line, "enc1["), " period ", &d.encoder_period_s[1], 1);
    read_numbers(line, " dio0 ", &d.dio[0], 1);
    read_numbers(line, " dio1 ", &d.dio[1], 1);
    read_numbers(line, " ai0 ", &d.analog_v[0], 1);
    read_numbers(line, " ai1 ", &d.analog_v[1], 1);
    read_numbers(line, " ai2 ", &d.analog_v[2], 1);
    read_numbers(line, " gyro[", d.gyro, 6);
    read_numbers(line, " accel[", d.accel_g, 3);
    return d;
}

/// Equal as floats: the file has nine digits and more.
static bool is_value(double recorded, float ours)
{
    return isnan(recorded) ? isnan(ours) : (float)recorded == ours;
}

/// WPILib divides and so has infinity and NaN where hy_wire_encoder_rate() says "unknown".
static bool is_period(double recorded_s, const hy_wire_encoder *encoder)
{
    float rate = 0;
    switch (hy_wire_encoder_rate(encoder, &rate)) {
    case HY_ENCODER_UNKNOWN:
        return !encoder->has_period || !isfinite(recorded_s) || recorded_s == 0;
    case HY_ENCODER_STILL: return recorded_s >= 2147483647.0 / encoder->period_den;
    case HY_ENCODER_MOVING: break;
    }
    return fabs(1.0 / (double)rate - recorded_s) <= 1e-6 * fabs(recorded_s);
}

static unsigned compared; // values

static void compare_encoders(const hy_wire_status *ours, const devices *recorded,
                             bool counts_were_reset)
{
    for (int n = 0; n < 2; n++) {
        if ((ours->encoders >> n & 1) != 0 && !counts_were_reset) {
            assert_true((double)ours->encoder[n].count == recorded->encoder_count[n]);
            assert_true(is_period(recorded->encoder_period_s[n], &ours->encoder[n]));
            compared += 2;
        }
    }
}

static void compare_devices(const hy_wire_status *ours, const devices *recorded,
                            bool counts_were_reset)
{
    compare_encoders(ours, recorded, counts_were_reset);
    for (int n = 0; n < 2; n++) {
        if ((ours->dios >> n & 1) != 0) {
            assert_true((ours->dio_levels >> n & 1) == (recorded->dio[n] == 1.0));
            compared++;
        }
    }
    for (int n = 0; n < 3; n++) {
        if ((ours->analogs >> n & 1) != 0) {
            assert_true(is_value(recorded->analog_v[n], ours->analog_v[n]));
            compared++;
        }
        if (ours->has_gyro) {
            assert_true(is_value(recorded->gyro[n], ours->gyro_rate_dps[n]));
            assert_true(is_value(recorded->gyro[n + 3], ours->gyro_angle_deg[n]));
            compared += 2;
        }
        if (ours->has_accel) {
            assert_true(is_value(recorded->accel_g[n], ours->accel_g[n]));
            compared++;
        }
    }
}

static void our_values_are_those_that_wpilib_got(void **state)
{
    (void)state;
    static char line[4096];
    snprintf(line, sizeof line, "%s/golden/wpilib/datagrams.txt", HALYARD_TEST_DATA);
    FILE *f = fopen(line, "r");
    assert_non_null(f);
    uint8_t bytes[512];
    size_t size = 0;
    bool counts_were_reset = false; // then WPILib's counts are relative, and the wire's are not
    unsigned datagrams = 0;
    while (fgets(line, sizeof line, f) != NULL) {
        if (strncmp(line, "    hex ", 8) == 0) {
            size = wire_bytes_from_hex(line + 8, (hy_room){ bytes, sizeof bytes });
        } else if (strncmp(line, "    -> enc0", 11) == 0) {
            hy_wire_status ours;
            const devices recorded = read_devices(line);
            hy_xrp_status_decode((hy_bytes){ bytes, size }, &ours);
            compare_devices(&ours, &recorded, counts_were_reset);
            datagrams++;
        } else if (strncmp(line, "host: HAL_ResetEncoder", 22) == 0) {
            counts_were_reset = true;
        }
    }
    fclose(f);
    printf("%u values of %u datagrams\n", compared, datagrams);
    assert_int_equal(datagrams, 33);
    assert_int_equal(compared, 66);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(our_values_are_those_that_wpilib_got) };
    return cmocka_run_group_tests_name("wire against WPILib", tests, NULL, NULL);
}
