// What sets one robot apart from its type. SPEC robot has the source of each number.
#include <stdio.h>
#include <string.h>

#include "spec_fields.h"
#include "vehicles/kind.h"

#define GYRO_STEP_RAD_S (0.07 * HY_RAD_PER_DEG) // a bit of the LSM6DSO at 2000 degrees a second

// --------------------------------------------------------------------------- table

#define TRAIT(type_, section_, name_, member_, low_, high_, unit_) \
    HY_SPEC_ROW(hy_robot_traits, type_, section_, name_, member_, low_, high_, unit_)

static const hy_spec_field traits_fields[] = {
    TRAIT(TEXT, NULL, "name", name, 0, HY_ROBOT_TEXT, 1),
    TRAIT(NUMBER, "motors", "left_strength", strength[0], 0.3, 3, 1),
    TRAIT(NUMBER, "motors", "right_strength", strength[1], 0.3, 3, 1),
    TRAIT(NUMBER, "motors", "left_speed", speed[0], 0.3, 3, 1),
    TRAIT(NUMBER, "motors", "right_speed", speed[1], 0.3, 3, 1),
    TRAIT(NUMBER, "motors", "left_friction", friction[0], 0.1, 5, 1),
    TRAIT(NUMBER, "motors", "right_friction", friction[1], 0.1, 5, 1),
    TRAIT(NUMBER, "motors", "breakaway", breakaway, 0, 5, 1),
    TRAIT(CHOICE, "bridge", "decay", decay, 0, HY_DECAY_COAST + 1, 1),
    TRAIT(NUMBER, "bridge", "pwm_hz", pwm_hz, 0, 100000, 1),
    TRAIT(NUMBER, "bridge", "inductance_h", inductance_h, 0, 0.1, 1),
    TRAIT(NUMBER, "wheels", "left_size", wheel_size[0], 0.5, 2, 1),
    TRAIT(NUMBER, "wheels", "right_size", wheel_size[1], 0.5, 2, 1),
    TRAIT(NUMBER, "wheels", "track", track, 0.5, 2, 1),
    TRAIT(NUMBER, "body", "mass", mass, 0.3, 3, 1),
    TRAIT(NUMBER, "body", "inertia", inertia, 0.3, 3, 1),
    TRAIT(NUMBER, "battery", "volts", battery_v, 0, 24, 1),
    TRAIT(NUMBER, "battery", "resistance_ohm", battery_ohm, 0, 10, 1),
    TRAIT(NUMBER, "battery", "capacity_ah", battery_ah, 0, 100, 1),
    TRAIT(NUMBER, "reflectance", "left_white", white[0], 0, 1, 1),
    TRAIT(NUMBER, "reflectance", "right_white", white[1], 0, 1, 1),
    TRAIT(NUMBER, "reflectance", "left_black", black[0], 0, 1, 1),
    TRAIT(NUMBER, "reflectance", "right_black", black[1], 0, 1, 1),
    TRAIT(NUMBER, "gyro", "scale", gyro_scale, 0.5, 2, 1),
    TRAIT(NUMBER, "gyro", "bias_dps", gyro_bias_rad_s, -100, 100, HY_RAD_PER_DEG),
    TRAIT(NUMBER, "gyro", "step_dps", gyro_step_rad_s, 0, 10, HY_RAD_PER_DEG),
    TRAIT(NUMBER, "gyro", "warm_up_dps", gyro_warm_up_rad_s, -10, 10, HY_RAD_PER_DEG),
    TRAIT(NUMBER, "rangefinder", "echoes", echoes, 0, 10, 1),
    TRAIT(NUMBER, "rangefinder", "spikes_per_s", spikes_per_s, 0, 10, 1),
    { .section = "azimuth",
      .name = "play_deg",
      .type = HY_SPEC_NUMBER,
      .since = 5,
      .offset = offsetof(hy_robot_traits, azimuth_play_rad),
      .high = 10,
      .unit = HY_RAD_PER_DEG },
};
const hy_spec_table hy_robot_traits_table = HY_SPEC_TABLE(hy_robot_traits, "a robot", traits_fields);
const hy_spec_table *const hy_robot_traits_tables[] = { &hy_robot_traits_table };

// --------------------------------------------------------------------------- robots

void hy_robot_traits_ideal(hy_robot_traits *out)
{
    *out = (hy_robot_traits){
        .name = "ideal",
        .strength = { 1, 1 },
        .speed = { 1, 1 },
        .friction = { 1, 1 },
        .wheel_size = { 1, 1 },
        .track = 1,
        .mass = 1,
        .inertia = 1,
        .black = { 1, 1 },
        .gyro_scale = 1,
    };
}

void hy_robot_traits_typical(hy_robot_traits *out)
{
    *out = (hy_robot_traits){
        .name = "typical",
        .strength = { 1.018, 0.982 },
        .speed = { 1, 1 },
        .friction = { 1, 1 },
        .breakaway = 0.6,
        .wheel_size = { 1.0015, 0.9985 },
        .track = 1.003,
        .mass = 1,
        .inertia = 1,
        .battery_v = 5.8,
        .battery_ohm = 0.9,
        .battery_ah = 2,
        .white = { 0.06, 0.065 },
        .black = { 0.80, 0.77 },
        .gyro_scale = 1.004,
        .gyro_bias_rad_s = 0.01 * HY_RAD_PER_DEG,
        .gyro_step_rad_s = GYRO_STEP_RAD_S,
        .gyro_warm_up_rad_s = 0.03 * HY_RAD_PER_DEG,
        .echoes = 1,
        .spikes_per_s = 0.1,
        .azimuth_play_rad = 1.5 * HY_RAD_PER_DEG,
    };
}

static double between(hy_random *random, double low, double high)
{
    return low + (high - low) * hy_random_unit(random);
}

/// Two factors around `middle` that differ by that share.
static void spread_pair(double pair[2], double middle, double difference)
{
    pair[0] = middle * (1 + difference / 2);
    pair[1] = middle * (1 - difference / 2);
}

static void draw_motors(hy_robot_traits *out, hy_random *random)
{
    // SPEC robot, The motors: the counts of a pulse differ 1.5 times as much, 3 to 8 %.
    const double difference = between(random, 0.02, 0.053);
    const double sign = hy_random_below(random, 2) == 0 ? 1 : -1;
    spread_pair(out->strength, between(random, 0.95, 1.05), sign * difference);
    const double friction = between(random, 0.85, 1.2);
    spread_pair(out->friction, friction, between(random, -0.02, 0.02));
    out->breakaway = between(random, 0.5, 0.8);
}

static void draw_sensors(hy_robot_traits *out, hy_random *random)
{
    const double white = between(random, 0.05, 0.08);
    const double black = between(random, 0.62, 0.93);
    spread_pair(out->white, white, between(random, -0.1, 0.1));
    spread_pair(out->black, black, between(random, -0.05, 0.05));
    out->gyro_scale = between(random, 0.99, 1.01);
    out->gyro_bias_rad_s = between(random, -0.02, 0.02) * HY_RAD_PER_DEG;
}

void hy_robot_traits_draw(hy_robot_traits *out, uint64_t seed)
{
    hy_random random = hy_random_seeded(seed);
    hy_robot_traits_ideal(out);
    snprintf(out->name, sizeof out->name, "robot %llu", (unsigned long long)seed);
    draw_motors(out, &random);
    spread_pair(out->wheel_size, 1, between(&random, -0.01, 0.01));
    out->track = between(&random, 0.99, 1.01);
    out->mass = between(&random, 0.95, 1.05);
    out->inertia = out->mass;
    out->battery_v = between(&random, 4.4, 6.6);
    // Cells that are nearly empty have twice the resistance of fresh ones.
    out->battery_ohm = between(&random, 0.7, 0.9) * (1 + (6.6 - out->battery_v) / 2.2);
    draw_sensors(out, &random);
    // What came later is drawn behind the rest, so that a seed stays the robot that it was.
    out->battery_ah = between(&random, 1.6, 2.4);
    out->gyro_step_rad_s = GYRO_STEP_RAD_S;
    out->gyro_warm_up_rad_s = between(&random, -0.05, 0.05) * HY_RAD_PER_DEG;
    out->echoes = between(&random, 0.9, 1.1);
    out->spikes_per_s = between(&random, 0, 0.2);
    out->azimuth_play_rad = between(&random, 0.5, 3) * HY_RAD_PER_DEG;
}

bool hy_robot_traits_are_ideal(const hy_robot_traits *traits)
{
    hy_robot_traits ideal;
    hy_robot_traits_ideal(&ideal);
    for (size_t i = 0; i < hy_robot_traits_table.count; i++) {
        const hy_spec_field *const field = &hy_robot_traits_table.fields[i];
        const char *const is = (const char *)traits + field->offset;
        const char *const wanted = (const char *)&ideal + field->offset;
        const size_t size = field->type == HY_SPEC_CHOICE ? sizeof traits->decay : sizeof(double);
        if (field->type != HY_SPEC_TEXT && memcmp(is, wanted, size) != 0) {
            return false;
        }
    }
    return true;
}

// --------------------------------------------------------------------------- applying them

bool hy_vehicle_type_has_traits(hy_vehicle_type type)
{
    return type == HY_VEHICLE_XRP || type == HY_VEHICLE_SWERVE;
}

/// Only what is of that type: the rest is as an ideal robot has it.
static hy_robot_traits traits_of_type(hy_vehicle_type type, const hy_robot_traits *traits)
{
    hy_robot_traits out = *traits;
    if (type == HY_VEHICLE_SWERVE) {
        hy_robot_traits_ideal(&out);
        memcpy(out.name, traits->name, sizeof out.name);
        out.azimuth_play_rad = traits->azimuth_play_rad;
    } else {
        out.azimuth_play_rad = 0;
    }
    return out;
}

bool hy_vehicle_spec_set_traits(hy_vehicle_spec *vehicle, const hy_robot_traits *traits)
{
    if (!hy_vehicle_type_has_traits(vehicle->type)) {
        return false;
    }
    vehicle->traits = traits_of_type(vehicle->type, traits);
    vehicle->traits_count = hy_robot_traits_are_ideal(&vehicle->traits) ? 0 : 1;
    return true;
}

static void replace(double *number, double by)
{
    *number = by != 0 ? by : *number;
}

void hy_traits_apply_to_spec(const hy_robot_traits *traits, hy_vehicle_spec *vehicle)
{
    if (vehicle->type == HY_VEHICLE_SWERVE) {
        replace(&vehicle->of.swerve.play_rad, traits->azimuth_play_rad);
        return;
    }
    hy_xrp_spec *const xrp = &vehicle->of.xrp;
    vehicle->mass_kg *= traits->mass;
    vehicle->inertia_kg_m2 *= traits->inertia;
    xrp->left_size *= traits->wheel_size[0];
    xrp->right_size *= traits->wheel_size[1];
    xrp->track_m *= traits->track;
    xrp->left_speed *= traits->speed[0];
    xrp->right_speed *= traits->speed[1];
    replace(&xrp->motor.breakaway, traits->breakaway);
    replace(&vehicle->battery.open_v, traits->battery_v);
    replace(&vehicle->battery.resistance_ohm, traits->battery_ohm);
    replace(&vehicle->bridge.pwm_hz, traits->pwm_hz);
    replace(&vehicle->bridge.inductance_h, traits->inductance_h);
    if (traits->decay != HY_DECAY_CONTROLLER) {
        vehicle->bridge.decay = traits->decay;
    }
}

void hy_traits_apply_to_model(const hy_robot_traits *traits, hy_vehicle_model *vehicle)
{
    hy_reflectance_model *const floor = &vehicle->reflectance;
    for (size_t side = 0; side < 2; side++) {
        vehicle->motor[side].torque_n_m_a *= traits->strength[side];
        vehicle->motor[side].coulomb_n_m *= traits->friction[side];
        floor->white[side] = traits->white[side];
        floor->contrast[side] = traits->black[side] - traits->white[side];
    }
    if (traits->battery_ah > 0 && vehicle->battery.resistance_ohm > 0) {
        vehicle->charge = hy_charge_of(traits->battery_ah * 3600, &vehicle->battery);
    }
    vehicle->imu.gyro_scale = traits->gyro_scale;
    vehicle->imu.gyro_step_rad_s = traits->gyro_step_rad_s;
    vehicle->imu.warm_up_rad_s = traits->gyro_warm_up_rad_s;
    if (vehicle->range.fitted) {
        vehicle->sonar.echoes = traits->echoes;
        vehicle->sonar.spike_chance = traits->spikes_per_s * vehicle->range.of.period_s;
    }
    vehicle->imu.gyro_offset_rad_s = traits->gyro_bias_rad_s;
}
