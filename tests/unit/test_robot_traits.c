// What sets one robot apart from its type: files, distributions, and what each trait does to the world.
#include <halyard/worldfile.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "near.h"

#define SEEDS 100
#define LEFT  0
#define RIGHT 1

// --------------------------------------------------------------------------- a floor and a robot on it

static hy_world_model *compile_open(const hy_robot_traits *traits)
{
    static hy_world_spec spec; // 50 kB
    hy_world_model *model;
    hy_world_error error;
    hy_world_spec_init(&spec);
    snprintf(spec.name, sizeof spec.name, "open");
    spec.width_m = spec.height_m = 100;
    spec.floor_shade = 0.5;
    hy_vehicle_spec *const xrp = hy_world_spec_add_vehicle(&spec, "xrp");
    xrp->start_x_m = xrp->start_y_m = 50;
    assert_true(traits == NULL || hy_vehicle_spec_set_traits(xrp, traits));
    if (hy_world_compile(&spec, &model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    return model;
}

typedef struct {
    double left, right; // efforts, forward positive
    int steps;
    double distance_m; // ends the drive earlier
} drive_plan;

typedef struct {
    hy_truth truth;
    hy_sensors sensors;
    uint64_t hash;
} end_of_drive;

/// The end of a drive with constant efforts.
static end_of_drive drive(const hy_robot_traits *traits, drive_plan plan)
{
    hy_world_model *model = compile_open(traits);
    hy_world_state *state = NULL;
    (void)hy_world_open(model, 1, &state);
    end_of_drive end = { .truth = hy_world_truth(model, state, 0) };
    hy_world_input input = { 0 };
    input.vehicle[0].motor_duty[LEFT] = plan.left;
    input.vehicle[0].motor_duty[RIGHT] = -plan.right;
    for (int i = 0;
         i < plan.steps && hypot(end.truth.x_m - 50, end.truth.y_m - 50) < plan.distance_m; i++) {
        hy_world_step(model, state, &input);
        end.truth = hy_world_truth(model, state, 0);
    }
    end.hash = hy_world_hash(state);
    hy_world_read_sensors(model, state, 0, &end.sensors);
    hy_world_close(state);
    hy_world_free(model);
    return end;
}

// --------------------------------------------------------------------------- what they are

static void test_ideal_changes_nothing(void **state)
{
    (void)state;
    hy_robot_traits ideal;
    hy_robot_traits_ideal(&ideal);
    assert_true(hy_robot_traits_are_ideal(&ideal));
    const drive_plan curve = { 0.7, 0.5, 100, 9 };
    assert_true(drive(&ideal, curve).hash == drive(NULL, curve).hash);
    for (size_t i = 0; i < hy_robot_traits_table.count; i++) { // whichever of them is another
        const hy_spec_field *const field = &hy_robot_traits_table.fields[i];
        hy_robot_traits changed = ideal;
        if (field->type == HY_SPEC_NUMBER) {
            double *const value = (double *)(void *)((char *)&changed + field->offset);
            *value = *value < field->high ? field->high : field->low;
            assert_false(hy_robot_traits_are_ideal(&changed));
        }
    }
    hy_robot_traits switched = ideal; // a bridge that coasts: it depends on the coil
    switched.pwm_hz = 1000;
    switched.inductance_h = 0.002;
    switched.decay = HY_DECAY_COAST;
    hy_robot_traits other = switched;
    other.inductance_h = 0.004;
    assert_false(drive(&switched, curve).hash == drive(NULL, curve).hash);
    assert_false(drive(&switched, curve).hash == drive(&other, curve).hash);
    hy_robot_traits typical;
    hy_robot_traits_typical(&typical);
    assert_false(hy_robot_traits_are_ideal(&typical));
    assert_false(drive(&typical, curve).hash == drive(NULL, curve).hash);
}

static void test_seeds_are_different_robots(void **state)
{
    (void)state;
    hy_robot_traits one, other;
    hy_robot_traits_draw(&one, 7);
    hy_robot_traits_draw(&other, 7);
    uint8_t text[2][HY_ROBOT_FILE_MAX];
    const size_t size = hy_robot_file_write(&one, (hy_room){ text[0], sizeof text[0] });
    assert_int_equal(hy_robot_file_write(&other, (hy_room){ text[1], sizeof text[1] }), size);
    assert_memory_equal(text[0], text[1], size); // not the structs, whose padding may differ
    assert_string_equal(one.name, "robot 7");
    // The numbers of seed 7 are the same on every machine.
    assert_true(one.battery_v == 4.7339954361350651);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        hy_robot_traits_draw(&other, seed);
        const double apart = fabs(other.strength[LEFT] / other.strength[RIGHT] - 1);
        assert_true(apart > 0.019 && apart < 0.056);
        assert_true(fabs(other.friction[LEFT] / other.friction[RIGHT] - 1) < 0.021);
        assert_true(other.breakaway >= 0.5 && other.breakaway <= 0.8);
        assert_true(other.battery_v >= 4.4 && other.battery_v <= 6.6);
        assert_true(other.azimuth_play_rad >= 0.5 * HY_RAD_PER_DEG &&
                    other.azimuth_play_rad <= 3 * HY_RAD_PER_DEG);
        assert_true(fabs(other.wheel_size[LEFT] / other.wheel_size[RIGHT] - 1) <= 0.0101);
        assert_true(seed == 7 || other.battery_v != one.battery_v);
    }
}

// Equal efforts, two metres: a class of robots drives as many curves.
static void assert_veers(hy_bridge_decay decay, double effort)
{
    double square = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        hy_robot_traits traits;
        hy_robot_traits_draw(&traits, seed);
        traits.decay = decay;
        const double aside_m = drive(&traits, (drive_plan){ effort, effort, 5000, 2 }).truth.y_m - 50;
        square += aside_m * aside_m;
    }
    const double spread_m = sqrt(square / SEEDS);
    if (spread_m < 0.10 || spread_m > 0.50) {
        fail_msg("decay %d, effort %g: robots end %.3f m aside", (int)decay, effort, spread_m);
    }
}

static void test_veer(void **state)
{
    (void)state;
    assert_veers(HY_DECAY_BRAKE, 0.6);
    assert_veers(HY_DECAY_BRAKE, 0.4);
    assert_veers(HY_DECAY_COAST, 0.4);
    assert_veers(HY_DECAY_COAST, 0.6);
    assert_veers(HY_DECAY_COAST, 1);
}

// Each trait does what it says, seen from outside.
static void test_every_trait_has_an_effect(void **state)
{
    (void)state;
    const drive_plan ahead = { 0.30, 0.32, 300, 9 };
    hy_robot_traits ideal;
    hy_robot_traits_ideal(&ideal);
    const end_of_drive before = drive(&ideal, ahead);
    for (size_t i = 0; i < hy_robot_traits_table.count; i++) {
        const hy_spec_field *const field = &hy_robot_traits_table.fields[i];
        hy_robot_traits one = ideal;
        if (strcmp(field->name, "spikes_per_s") == 0) {
            continue; // only of a rangefinder that is not ideal: test_sonar_spikes
        }
        if (strcmp(field->name, "play_deg") == 0) {
            continue; // only of a swerve robot: test_swerves_have_play
        }
        if (field->type == HY_SPEC_NUMBER) {
            double number;
            memcpy(&number, (char *)&one + field->offset, sizeof number);
            number = number == 0 ? 0.07 : number * 0.9;
            memcpy((char *)&one + field->offset, &number, sizeof number);
            one.decay = strcmp(field->section, "bridge") == 0 ? HY_DECAY_COAST : one.decay;
            one.pwm_hz = strcmp(field->name, "pwm_hz") == 0 ? 50 : one.pwm_hz;
            one.breakaway = strcmp(field->name, "breakaway") == 0 ? 5 : one.breakaway;
            one.battery_v = strcmp(field->name, "volts") == 0 ? 5 : one.battery_v;
        } else {
            one.decay = field->type == HY_SPEC_CHOICE ? HY_DECAY_COAST : one.decay;
        }
        const end_of_drive after = drive(&one, ahead);
        const bool is_as_before = after.hash == before.hash; // of state and readings
        if (is_as_before != (field->type == HY_SPEC_TEXT)) {
            fail_msg("%s: %s", field->name, is_as_before ? "no effect" : "an effect");
        }
    }
}

// Ten minutes of full effort on the spot: the motors take charge, and the voltage falls.
static void test_a_battery_empties(void **state)
{
    (void)state;
    const drive_plan turn = { 1, -1, 60000, 9 };
    hy_robot_traits traits;
    hy_robot_traits_ideal(&traits);
    traits.battery_v = 6.6;
    const double never_v = drive(&traits, turn).truth.battery_v;
    traits.battery_ah = 2;
    assert_near(drive(&traits, (drive_plan){ 1, -1, 100, 9 }).truth.battery_v, never_v, 0.005);
    assert_near(never_v - drive(&traits, turn).truth.battery_v, 0.21, 0.01);
    traits.battery_ah = 0.02; // 72 ampere seconds: empty before the end, 4 V without load
    const double empty_v = drive(&traits, turn).truth.battery_v;
    assert_true(empty_v > 3 && empty_v < 4);
    traits.battery_v = 9; // beyond the curve: the start is as it should be
    traits.battery_ah = 2;
    assert_near(drive(&traits, (drive_plan){ 0, 0, 1, 9 }).truth.battery_v, 9 - 0.12 * 0.8, 1e-4);
}

// --------------------------------------------------------------------------- the rangefinder and the gyro

/// What the rangefinder reads in front of a wall whose normal is off the beam by that angle, or of a thin disc.
static double range_of(double echoes, double distance_m, double angle_deg, double disc_m)
{
    static hy_world_spec spec;
    hy_robot_traits traits;
    hy_world_model *model;
    hy_world_error error;
    hy_world_spec_init(&spec);
    snprintf(spec.name, sizeof spec.name, "wall");
    spec.width_m = spec.height_m = 40;
    hy_vehicle_spec *const xrp = hy_world_spec_add_vehicle(&spec, "xrp");
    hy_sensor_spec *const sensor = hy_vehicle_spec_wired(xrp, HY_SENSOR_RANGE, 0);
    sensor->of.range.noise_m = 0;
    sensor->of.range.half_cone_rad = 1e-3; // so that the nearest point of the wall is the one ahead
    xrp->start_x_m = xrp->start_y_m = 20;
    hy_robot_traits_ideal(&traits);
    traits.echoes = echoes;
    assert_true(hy_vehicle_spec_set_traits(xrp, &traits));
    hy_obstacle_spec *const wall =
        hy_world_spec_add_obstacle(&spec, disc_m > 0 ? HY_OBSTACLE_DISC : HY_OBSTACLE_BOX);
    const double angle_rad = angle_deg * HY_RAD_PER_DEG;
    // Its near side passes through the point that is `distance_m` ahead of the sensor.
    wall->center_m = disc_m > 0 ? (hy_point){ 20.1 + distance_m + disc_m / 2, 20 }
                                : (hy_point){ 20.1 + distance_m + 0.05 * cos(angle_rad),
                                              20 + 0.05 * sin(angle_rad) };
    wall->size_m = (hy_point){ 0.1, 4 };
    wall->angle_rad = angle_rad;
    wall->radius_m = disc_m / 2;
    if (hy_world_compile(&spec, &model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_world_state *state = NULL;
    (void)hy_world_open(model, 1, &state);
    hy_sensors sensors;
    hy_world_read_sensors(model, state, 0, &sensors);
    hy_world_close(state);
    hy_world_free(model);
    hy_world_spec_free(&spec);
    return sensors.range_m;
}

static void test_sonar_loses_echoes(void **state)
{
    (void)state;
    static const struct {
        double distance_m, angle_deg, disc_m;
        bool is_heard;
    } cases[] = {
        { 0.5, 0, 0, true },   { 0.5, 40, 0, true },   { 0.5, 50, 0, false },
        { 1.25, 22, 0, true }, { 1.25, 26, 0, false }, { 3, 13, 0, true },
        { 3, 17, 0, false },   { 1.5, 0, 0.03, true }, { 2, 0, 0.03, false },
        { 2, 0, 0.2, true },   { 1.25, -22, 0, true }, { 1.25, -26, 0, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double at_m = cases[i].distance_m;
        const double ideal_m = range_of(0, at_m, cases[i].angle_deg, cases[i].disc_m);
        const double got_m = range_of(1, at_m, cases[i].angle_deg, cases[i].disc_m);
        assert_near(ideal_m, at_m, 0.005);
        assert_near(got_m, cases[i].is_heard ? at_m : 4, 0.005);
    }
    assert_near(range_of(1.2, 1.4, 24, 0), 1.4,
                0.005); // a better one hears it, the ordinary one does not
    assert_near(range_of(1, 1.4, 24, 0), 4, 0.005);
    const double steps = range_of(1, 0.777, 0, 0) / 0.004;
    assert_near(steps, round(steps), 1e-9);
}

/// Steps of the world in five seconds in which the reading was far off, and changes of the reading.
static void count_readings(const hy_robot_traits *traits, double effort, int *wrong, int *changes)
{
    hy_world_model *model = compile_open(traits); // the walls are out of reach
    hy_world_state *state = NULL;
    (void)hy_world_open(model, 1, &state);
    hy_world_input input = { .vehicle[0].motor_duty = { effort, effort } };
    double before_m = 4;
    *wrong = *changes = 0;
    for (int i = 0; i < 2000; i++) {
        hy_sensors sensors;
        hy_world_step(model, state, &input);
        hy_world_read_sensors(model, state, 0, &sensors);
        *wrong += sensors.range_m != 4 ? 1 : 0;
        *changes += sensors.range_m != before_m ? 1 : 0;
        before_m = sensors.range_m;
    }
    hy_world_close(state);
    hy_world_free(model);
}

// Three readings in a row are wrong, only while motors run; each lasts 50 ms and the way of the sound, 73 ms.
static void test_sonar_spikes(void **state)
{
    (void)state;
    hy_robot_traits traits;
    hy_robot_traits_ideal(&traits);
    traits.echoes = 1;
    traits.spikes_per_s = 2;
    int wrong, changes;
    count_readings(&traits, 0, &wrong, &changes);
    assert_int_equal(wrong, 0);
    count_readings(&traits, 0.5, &wrong, &changes);
    assert_true(changes >= 10 && wrong >= changes / 2 * 20 && wrong <= changes * 23);
}

static void test_gyro_steps_and_warm_up(void **state)
{
    (void)state;
    hy_robot_traits traits;
    hy_robot_traits_ideal(&traits);
    traits.gyro_step_rad_s = 0.07 * HY_RAD_PER_DEG;
    const end_of_drive turn = drive(&traits, (drive_plan){ -0.5, 0.5, 100, 9 });
    const double steps = turn.sensors.gyro_rate_rad_s[2] / traits.gyro_step_rad_s;
    assert_true(fabs(steps) > 100);
    assert_near(steps, round(steps), 1e-6);
    hy_robot_traits_ideal(&traits);
    const drive_plan rest = { 0, 0, 12000, 9 }; // two minutes
    const double before_rad = drive(&traits, rest).sensors.gyro_angle_rad[2];
    traits.gyro_warm_up_rad_s = 0.05 * HY_RAD_PER_DEG;
    const double drifted_rad = drive(&traits, rest).sensors.gyro_angle_rad[2] - before_rad;
    // 0.05 degrees a second, falling with 120 s: 3.8 degrees of the 6 that it will be.
    assert_near(drifted_rad / HY_RAD_PER_DEG, 0.05 * 120 * (1 - exp(-1)), 0.01);
}

// A robot at the end of its battery is slow: the voltage that friction needs is the same.
static void test_top_speed_by_voltage(void **state)
{
    (void)state;
    hy_robot_traits traits;
    hy_robot_traits_ideal(&traits);
    traits.decay = HY_DECAY_COAST;
    const drive_plan ahead = { 1, 1, 300, 9 };
    traits.battery_v = 6.5;
    const double fresh_m_s = drive(&traits, ahead).truth.speed_m_s;
    traits.battery_v = 6.0;
    const double used_m_s = drive(&traits, ahead).truth.speed_m_s;
    traits.battery_v = 4.4;
    const double empty_m_s = drive(&traits, ahead).truth.speed_m_s;
    assert_near(empty_m_s / fresh_m_s, 0.61, 0.02);
    assert_near(empty_m_s / used_m_s, 2.0 / 3, 0.015);
}

static void test_numbers_of_some_traits(void **state)
{
    (void)state;
    hy_robot_traits weak, small, turned;
    hy_robot_traits_ideal(&weak);
    small = turned = weak;
    weak.battery_v = 4.5;
    const drive_plan ahead = { 1, 1, 200, 9 }, turn = { -0.5, 0.5, 100, 9 };
    const end_of_drive full = drive(NULL, ahead);
    // Speed is the supply less what friction needs: from 6 V to 4.5 V about 1.5 of 5 V.
    assert_near(drive(&weak, ahead).truth.speed_m_s / full.truth.speed_m_s, 0.71, 0.02);
    small.wheel_size[LEFT] = small.wheel_size[RIGHT] = 0.9;
    assert_near(drive(&small, ahead).truth.speed_m_s / full.truth.speed_m_s, 0.9, 0.01);
    turned.gyro_scale = 1.01;
    const double ratio =
        drive(&turned, turn).sensors.gyro_angle_rad[2] / drive(NULL, turn).sensors.gyro_angle_rad[2];
    assert_near(ratio, 1.01, 1e-3);
}

// --------------------------------------------------------------------------- friction

#define LOOP_STEPS 2    // of the world, 10 ms each
#define TURN_P     2.0  // effort per radian that is missing, as in the course
#define TURN_I     3.0  // effort a second per radian that is missing
#define TURN_MOST  0.45 // of the effort

/// What is missing of a quarter turn by the gyro after five seconds, with proportional and perhaps integral control.
static double missing_after_turn(const hy_robot_traits *traits, double gain_i)
{
    hy_world_model *model = compile_open(traits);
    hy_world_state *state = NULL;
    (void)hy_world_open(model, 1, &state);
    hy_world_input input = { 0 };
    hy_sensors sensors;
    double missing_rad = 0, sum = 0;
    for (int loop = 0; loop < 250; loop++) {
        hy_world_read_sensors(model, state, 0, &sensors);
        missing_rad = HY_PI / 2 - sensors.gyro_angle_rad[2];
        // The integral begins where proportional control gets weak, and begins again behind the goal.
        sum = fabs(missing_rad) > 0.3 || sum * missing_rad < 0 ? 0
                                                               : sum + gain_i * missing_rad * 0.02;
        const double turn = hy_clamp(TURN_P * missing_rad + sum, -TURN_MOST, TURN_MOST, 0);
        input.vehicle[0].motor_duty[LEFT] = input.vehicle[0].motor_duty[RIGHT] = -turn;
        for (int i = 0; i < LOOP_STEPS; i++) {
            hy_world_step(model, state, &input);
        }
    }
    hy_world_close(state);
    hy_world_free(model);
    return fabs(missing_rad) / HY_RAD_PER_DEG;
}

/// The least effort with which a motor without a load turns after a second; it has turned before, or stands.
static double least_effort(const hy_robot_traits *traits, bool has_turned)
{
    double low = 0, high = 1;
    hy_world_model *model = compile_open(traits);
    for (int i = 0; i < 12; i++) {
        const double effort = (low + high) / 2;
        hy_world_state *state = NULL;
        (void)hy_world_open(model, 1, &state);
        hy_world_input input = { .vehicle[0].motor_duty[2] = has_turned ? 1 : 0 };
        hy_sensors before, after;
        for (int step = 0; step < 150; step++) {
            input.vehicle[0].motor_duty[2] = step >= 30 ? effort : input.vehicle[0].motor_duty[2];
            hy_world_step(model, state, &input);
            if (step == 130) {
                hy_world_read_sensors(model, state, 0, &before);
            }
        }
        hy_world_read_sensors(model, state, 0, &after);
        const bool turns = after.encoder_counts[2] != before.encoder_counts[2];
        low = turns ? low : effort;
        high = turns ? effort : high;
        hy_world_close(state);
    }
    hy_world_free(model);
    return high;
}

static void test_breakaway(void **state)
{
    (void)state;
    hy_robot_traits traits;
    hy_robot_traits_ideal(&traits);
    assert_near(least_effort(&traits, false) / least_effort(&traits, true), 1, 0.01);
    hy_robot_traits_typical(&traits);
    assert_near(least_effort(&traits, false) / least_effort(&traits, true), 1.6, 0.02);
    for (uint64_t seed = 0; seed < 10; seed++) {
        hy_robot_traits_draw(&traits, seed);
        assert_true(least_effort(&traits, false) / least_effort(&traits, true) >= 1.48);
    }
}

// A robot that has stopped needs more effort than one that turns: proportional control stops short, and an integral cures it.
static void test_turns_stop_short(void **state)
{
    (void)state;
    size_t short_turns = 0;
    for (uint64_t seed = 0; seed <= 20; seed++) {
        hy_robot_traits traits;
        hy_robot_traits_draw(&traits, seed);
        if (seed == 0) {
            hy_robot_traits_typical(&traits);
        }
        traits.decay = HY_DECAY_COAST;
        const double p_deg = missing_after_turn(&traits, 0);
        const double pi_deg = missing_after_turn(&traits, TURN_I);
        short_turns += p_deg > 2 ? 1 : 0;
        if (p_deg < 0.3 || pi_deg > 1) {
            fail_msg("%s: %.2f degrees are missing with P, %.2f with P and I", traits.name, p_deg,
                     pi_deg);
        }
    }
    assert_true(short_turns >= 17); // measured: 18 of 21
}

// --------------------------------------------------------------------------- files

static hy_status parse(const char *yaml, hy_robot_traits *out, hy_world_error *error)
{
    const hy_worldfile_text text = { { (const uint8_t *)yaml, strlen(yaml) }, "files/my_xrp.yaml", "" };
    return hy_robot_file_parse(&text, out, error);
}

static void test_a_file_is_read_back(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        static uint8_t bytes[HY_ROBOT_FILE_MAX + 1], again[HY_ROBOT_FILE_MAX];
        hy_robot_traits wanted, got;
        hy_world_error error;
        hy_robot_traits_draw(&wanted, seed);
        wanted.decay = (hy_bridge_decay)(seed % 3);
        if (seed % 2 == 1) {
            snprintf(wanted.name, sizeof wanted.name,
                     "R\xc3\xb6"
                     "bi: # of row %d",
                     (int)seed);
        }
        const size_t size = hy_robot_file_write(&wanted, (hy_room){ bytes, HY_ROBOT_FILE_MAX });
        assert_true(size < HY_ROBOT_FILE_MAX);
        assert_int_equal(hy_robot_file_write(&wanted, (hy_room){ NULL, 0 }), size);
        bytes[size] = '\0';
        if (parse((const char *)bytes, &got, &error) != HY_OK) {
            fail_msg("%s", error.text);
        }
        assert_string_equal(got.name, wanted.name);
        assert_int_equal(got.decay, wanted.decay);
        assert_near(got.strength[RIGHT], wanted.strength[RIGHT], 1e-11);
        assert_near(got.gyro_bias_rad_s, wanted.gyro_bias_rad_s, 1e-13);
        assert_int_equal(hy_robot_file_write(&got, (hy_room){ again, sizeof again }), size);
        assert_memory_equal(again, bytes, size);
    }
}

static void test_a_name_that_yaml_cannot_hold(void **state)
{
    (void)state;
    static const struct {
        const char *name, *written;
    } cases[] = {
        { "a\"b\\c", "a b c" },
        { "\x1b[2J\x7f", " [2J " },
        { "a\tb\nc", "a b c" },
        { "\xc2\x80\xc2\x85", "    " },
        { "a\xe2\x80\xa8", "a   " },
        { "a\xe2\x80\xa9", "a   " },
        { "\xef\xbb\xbf"
          "b",
          "   b" },
        { "\xef\xbf\xbe", "   " },
        { "torn \xc3", "torn  " },
        { "R\xc3\xb6"
          "bi \xc2\xa0",
          "R\xc3\xb6"
          "bi \xc2\xa0" },
        { "\xed\xa0\x80", "   " },
        { "\xf0\x9f\xa4\x96 robot", "\xf0\x9f\xa4\x96 robot" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[HY_ROBOT_FILE_MAX + 1];
        hy_robot_traits wanted, got;
        hy_world_error error;
        hy_robot_traits_ideal(&wanted);
        snprintf(wanted.name, sizeof wanted.name, "%s", cases[i].name);
        const size_t size = hy_robot_file_write(&wanted, (hy_room){ bytes, HY_ROBOT_FILE_MAX });
        bytes[size] = '\0';
        if (parse((const char *)bytes, &got, &error) != HY_OK) {
            fail_msg("%zu: %s", i, error.text);
        }
        assert_string_equal(got.name, cases[i].written);
    }
}

static void test_mistakes_in_files(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *error;
        hy_status status;
    } cases[] = {
        { "moters: {}",
          "files/my_xrp.yaml:1:1: a robot has no key 'moters'; did you mean 'motors'?", HY_EFORMAT },
        { "motors:\n  left_strenght: 1\n",
          "files/my_xrp.yaml:2:3: motors has no key 'left_strenght'; did you mean 'left_strength'?",
          HY_EFORMAT },
        { "wheels: { track: 3 }", "files/my_xrp.yaml:1:18: track must be from 0.5 to 2, not 3",
          HY_ERANGE },
        { "bridge: { decay: slow }", "files/my_xrp.yaml:1:18: decay is controller, brake or coast",
          HY_EFORMAT },
        { "bridge: { decay: [slow] }", NULL, HY_EFORMAT },
        { "motors: 1", NULL, HY_EFORMAT },
        { "gyro: { scale: .nan }", NULL, HY_EFORMAT },
        { "name: \"\\x9b\"",
          "files/my_xrp.yaml:1:7: name holds a control character: write plain text", HY_EFORMAT },
        { "[]", NULL, HY_EFORMAT },
        { "", NULL, HY_EFORMAT },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hy_robot_traits out;
        hy_world_error error;
        assert_int_equal(parse(cases[i].yaml, &out, &error), cases[i].status);
        assert_true(hy_robot_traits_are_ideal(&out));
        assert_int_equal(strncmp(error.text, "files/my_xrp.yaml:1", 18), 0);
        if (cases[i].error != NULL) {
            assert_string_equal(error.text, cases[i].error);
        }
    }
}

static void test_choices(void **state)
{
    (void)state;
    hy_robot_traits out;
    hy_world_error error;
    assert_int_equal(hy_robot_choose("ideal", &out, &error), HY_OK);
    assert_true(hy_robot_traits_are_ideal(&out));
    assert_int_equal(hy_robot_choose("typical", &out, &error), HY_OK);
    assert_string_equal(out.name, "typical");
    assert_int_equal(hy_robot_choose("12", &out, &error), HY_OK);
    assert_string_equal(out.name, "robot 12");
    assert_int_equal(hy_robot_choose("no/such/file.yaml", &out, &error), HY_EFILE);
    assert_int_equal(hy_robot_choose("7up", &out, &error), HY_EFORMAT);
    char path[] = "/tmp/halyard-robot-XXXXXX";
    static const char robot[] = "name: on disk\nmotors: { left_strength: 0.9 }\n";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, robot, sizeof robot - 1), sizeof robot - 1);
    close(file);
    assert_int_equal(hy_robot_choose(path, &out, &error), HY_OK);
    unlink(path);
    assert_string_equal(out.name, "on disk");
    assert_true(out.strength[LEFT] == 0.9);
    assert_int_equal(hy_robot_choose("typicl", &out, &error), HY_EFORMAT);
    assert_non_null(strstr(error.text, "ideal, typical, a whole number or a robot file"));
    assert_int_equal(hy_robot_choose("1234567890123456789", &out, &error), HY_ERANGE);
    assert_int_equal(parse("motors: { left_speed: 1.1 }", &out, &error), HY_OK);
    assert_string_equal(out.name, "my_xrp"); // like its file
}

static const char two_worlds[] = "name: two\nfloor: { width_m: 4, height_m: 4 }\nvehicles:\n"
                                 "  - { kind: xrp, start: { x_m: 1, y_m: 1 }, robot: 7 }\n"
                                 "  - { kind: swerve, start: { x_m: 2, y_m: 2 } }\n";

// A world's file names a robot; --robot replaces it, of vehicles that have traits.
static void test_robots_of_worlds(void **state)
{
    (void)state;
    const hy_worldfile_text text = { { (const uint8_t *)two_worlds, sizeof two_worlds - 1 },
                                     "two",
                                     "" };
    static hy_world_spec spec;
    hy_world_error error;
    hy_robot_traits typical, ideal;
    hy_robot_traits_typical(&typical);
    hy_robot_traits_ideal(&ideal);
    assert_int_equal(hy_worldfile_parse(&text, &spec, &error), HY_OK);
    hy_worldfile_set_robots(&spec, NULL);
    assert_true(spec.vehicle[0].traits_count == 1 && spec.vehicle[1].traits_count == 0);
    assert_string_equal(spec.vehicle[0].traits.name, "robot 7");
    assert_true(spec.vehicle[0].traits.azimuth_play_rad == 0); // an XRP has no azimuths
    hy_worldfile_set_robots(&spec, &(hy_worldfile_robots){ .traits = &typical });
    assert_string_equal(spec.vehicle[0].traits.name, "typical");
    assert_string_equal(spec.vehicle[1].traits.name, "typical");
    assert_true(spec.vehicle[1].traits_count == 1 && spec.vehicle[1].traits.battery_v == 0);
    hy_worldfile_set_robots(&spec, &(hy_worldfile_robots){ .traits = &ideal });
    assert_true(spec.vehicle[0].traits_count == 0 && spec.vehicle[1].traits_count == 0);
    hy_world_spec_free(&spec);
}

static const char swerve_world[] = "name: swerve\nfloor: { width_m: 4, height_m: 4 }\nvehicles:\n"
                                   "  - { kind: swerve, start: { x_m: 2, y_m: 2 }, robot: %s }\n";

/// Degrees that the encoder of the first module says more than where its wheel points, and the battery, after a turn of all modules.
static double lag_of_swerve(const char *robot, double *battery_v)
{
    static hy_world_spec spec;
    char yaml[256];
    hy_world_model *model;
    hy_world_error error;
    snprintf(yaml, sizeof yaml, swerve_world, robot);
    const hy_worldfile_text text = { { (const uint8_t *)yaml, strlen(yaml) }, "swerve", "" };
    if (hy_worldfile_parse(&text, &spec, &error) != HY_OK ||
        hy_world_compile(&spec, &model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_world_spec_free(&spec);
    hy_world_state *world = NULL;
    (void)hy_world_open(model, 1, &world);
    hy_world_input input = { .vehicle[0].motor_duty = { 0, 1, 0, 1, 0, 1, 0, 1 } };
    for (int step = 0; step < 50; step++) {
        hy_world_step(model, world, &input);
    }
    hy_sensors sensors;
    hy_world_read_sensors(model, world, 0, &sensors);
    const hy_truth truth = hy_world_truth(model, world, 0);
    *battery_v = truth.battery_v;
    hy_world_close(world);
    hy_world_free(model);
    return (sensors.encoder_counts[1] - truth.wheel_counts[1]) * 360 / 3591.84;
}

// Of a robot a swerve takes the play of its azimuths, and nothing that was measured on XRPs.
static void test_swerves_have_play(void **state)
{
    (void)state;
    double ideal_v, typical_v, drawn_v;
    assert_near(lag_of_swerve("ideal", &ideal_v), 0, 0);
    assert_near(lag_of_swerve("typical", &typical_v), 0.75, 1e-9);
    hy_robot_traits drawn;
    hy_robot_traits_draw(&drawn, 7);
    assert_near(lag_of_swerve("7", &drawn_v), drawn.azimuth_play_rad / HY_RAD_PER_DEG / 2, 1e-9);
    assert_true(ideal_v > 10 && typical_v == ideal_v && drawn_v == ideal_v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ideal_changes_nothing),
        cmocka_unit_test(test_seeds_are_different_robots),
        cmocka_unit_test(test_veer),
        cmocka_unit_test(test_every_trait_has_an_effect),
        cmocka_unit_test(test_numbers_of_some_traits),
        cmocka_unit_test(test_a_battery_empties),
        cmocka_unit_test(test_sonar_loses_echoes),
        cmocka_unit_test(test_sonar_spikes),
        cmocka_unit_test(test_gyro_steps_and_warm_up),
        cmocka_unit_test(test_top_speed_by_voltage),
        cmocka_unit_test(test_breakaway),
        cmocka_unit_test(test_turns_stop_short),
        cmocka_unit_test(test_a_file_is_read_back),
        cmocka_unit_test(test_a_name_that_yaml_cannot_hold),
        cmocka_unit_test(test_mistakes_in_files),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_robots_of_worlds),
        cmocka_unit_test(test_swerves_have_play),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
