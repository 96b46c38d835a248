// Dead reckoning from statuses, also where counters wrap and robots restart.
#include "cmocka_all.h"

#include <math.h>

#include "../../apps/terminal/track.h"

#define XRP_WHEELS hy_robot_type_find("xrp")->wheels

static hy_readings status_of(int32_t left, int32_t right, float yaw_deg)
{
    hy_readings status = { .encoders = 3, .has_gyro = true };
    status.encoder[0].count = left;
    status.encoder[1].count = right;
    status.gyro_angle_deg[2] = yaw_deg;
    return status;
}

static void feed(track *self, int32_t left, int32_t right, float yaw_deg)
{
    const hy_readings status = status_of(left, right, yaw_deg);
    track_update(self, &status);
}

static void near(double value, double wanted)
{
    if (fabs(value - wanted) > 1e-6) {
        fail_msg("%.9g is not %.9g", value, wanted);
    }
}

static void a_turn_of_the_wheels_is_their_girth(void **state)
{
    (void)state;
    track at;
    track_start(&at, XRP_WHEELS, 1.0, 2.0, 0.0);
    feed(&at, 100, -700, 180.0f); // only sets the zero
    near(at.x_m, 1.0);
    feed(&at, 685, -115, 180.0f);
    near(at.x_m, 1.0 + HY_PI * 0.060);
    near(at.y_m, 2.0);
    near(at.distance_m, HY_PI * 0.060);
    feed(&at, 100, -700, 180.0f); // and back
    near(at.x_m, 1.0);
    near(at.distance_m, 2.0 * HY_PI * 0.060);
}

static void the_gyro_turns_also_across_its_wrap(void **state)
{
    (void)state;
    track at;
    track_start(&at, XRP_WHEELS, 0.0, 0.0, 0.0);
    feed(&at, 0, 0, 350.0f);
    feed(&at, 0, 0, 20.0f); // over 360
    near(hy_deg_from_rad(at.heading_rad), 30.0);
    feed(&at, 0, 0, 340.0f);
    near(hy_deg_from_rad(at.heading_rad), -10.0);
}

static void a_counter_may_wrap(void **state)
{
    (void)state;
    track at;
    track_start(&at, XRP_WHEELS, 0.0, 0.0, 0.0);
    feed(&at, INT32_MAX - 99, INT32_MAX - 99, 0.0f);
    feed(&at, INT32_MIN + 100, INT32_MIN + 100, 0.0f); // 200 counts on
    near(at.x_m, 200.0 * HY_XRP_M_PER_COUNT);
}

static void a_restart_is_no_jump(void **state)
{
    (void)state;
    track at;
    track_start(&at, XRP_WHEELS, 0.0, 0.0, 0.0);
    feed(&at, 50000, 50000, 0.0f);
    feed(&at, 0, 0, 180.0f);
    near(at.x_m, 0.0);
    near(at.heading_rad, 0.0);
    feed(&at, 585, 585, 180.0f);
    near(at.x_m, HY_PI * 0.060);
    track_resync(&at); // known from the sequence numbers: also a small jump is none
    feed(&at, 0, 0, 90.0f);
    near(at.x_m, HY_PI * 0.060);
    near(at.heading_rad, 0.0);
}

static void without_a_gyro_the_wheels_tell_the_turn(void **state)
{
    (void)state;
    track at;
    track_start(&at, XRP_WHEELS, 0.0, 0.0, 0.0);
    hy_readings status = status_of(0, 0, 0.0f);
    status.has_gyro = false;
    track_update(&at, &status);
    status.encoder[0].count = -585;
    status.encoder[1].count = 585;
    track_update(&at, &status);
    near(at.heading_rad, 2.0 * HY_PI * 0.060 / 0.155);
    near(at.x_m, 0.0);
    status.encoders = 1; // one encoder is not enough for anything
    status.encoder[0].count = 0;
    track_update(&at, &status);
    near(at.x_m, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_of_the_wheels_is_their_girth),
        cmocka_unit_test(the_gyro_turns_also_across_its_wrap),
        cmocka_unit_test(a_counter_may_wrap),
        cmocka_unit_test(a_restart_is_no_jump),
        cmocka_unit_test(without_a_gyro_the_wheels_tell_the_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
