// The XRP: two driven wheels, a caster, two headers with free motors, four servos.
#include "kind.h"

#define MS 1e-3

// --------------------------------------------------------------------------- its numbers

static void set_defaults(hy_vehicle_spec *spec)
{
    *spec = (hy_vehicle_spec){
        .mass_kg = 0.55,
        .inertia_kg_m2 = 0.0028,
        .com_ahead_m = 0.015,
        .front_m = 0.105,
        .rear_m = 0.080,
        .width_m = 0.180,
        .battery = { .open_v = 6.0, .resistance_ohm = 0.8, .board_a = 0.12 },
        .imu = hy_imu_default(),
    };
    spec->imu.at_m.x = 0.02;
    spec->of.xrp = (hy_xrp_spec){
        .diameter_m = 0.060,
        .track_m = 0.155,
        .left_size = 1,
        .right_size = 1,
        .grip = 0.8,
        .rolling_resistance = 0.02,
        .caster_ahead_m = 0.070,
        .caster_friction = 0.2,
        .motor = { .nominal_v = 4.5,
                   .no_load_rad_s = 90 * HY_RAD_S_PER_RPM,
                   .start_v = 0.5,
                   .stall_a = 0.5625,
                   .stall_n_m = 0.0588,
                   .gear_ratio = 48.75,
                   .rotor_kg_m2 = 1.0e-7,
                   .counts_per_turn = 585 },
        .left_speed = 1,
        .right_speed = 1,
        .reflectance = { .fitted = true,
                         .at_m = { 0.085, 0 },
                         .apart_m = 0.020,
                         .spot_radius_m = 0.003,
                         .noise = 0.005 },
        .range = { .fitted = true,
                   .at_m = { 0.100, 0 },
                   .half_cone_rad = 15 * HY_RAD_PER_DEG,
                   .near_m = 0.02,
                   .far_m = 4.0,
                   .noise_m = 0.002,
                   .period_s = 0.050 },
        .servo_rad_s = 600 * HY_RAD_PER_DEG,
    };
}

// --------------------------------------------------------------------------- its keys

#define NUMBER(...)       HY_NUMBER(hy_xrp_spec, __VA_ARGS__)
#define POINT(...)        HY_POINT(hy_xrp_spec, __VA_ARGS__)
#define MAP(key_, table_) HY_MAP(key_, offsetof(hy_vehicle_spec, of.xrp), table_)

static const hy_yaml_field wheel_fields[] = {
    NUMBER("diameter_m", diameter_m, 0.02, 0.3, 1),
    NUMBER("track_m", track_m, 0.03, 0.5, 1),
    NUMBER("left_size", left_size, 0.8, 1.2, 1),
    NUMBER("right_size", right_size, 0.8, 1.2, 1),
    NUMBER("grip", grip, 0.05, 2, 1),
    NUMBER("rolling_resistance", rolling_resistance, 0, 0.2, 1),
};
static const hy_yaml_table wheel_table = HY_YAML_TABLE("wheels", wheel_fields);

static const hy_yaml_field caster_fields[] = {
    NUMBER("ahead_m", caster_ahead_m, 0.02, 0.5, 1),
    NUMBER("friction", caster_friction, 0, 1, 1),
};
static const hy_yaml_table caster_table = HY_YAML_TABLE("caster", caster_fields);

static const hy_yaml_field motor_fields[] = {
    HY_MOTOR_FIELDS(hy_xrp_spec, motor),
    NUMBER("left_speed", left_speed, 0.5, 1.5, 1),
    NUMBER("right_speed", right_speed, 0.5, 1.5, 1),
};
static const hy_yaml_table motor_table = HY_YAML_TABLE("motors", motor_fields);

static const hy_yaml_field reflectance_fields[] = {
    POINT("at_m", reflectance.at_m, -0.5, 0.5),
    NUMBER("apart_m", reflectance.apart_m, 0, 0.5, 1),
    NUMBER("spot_radius_m", reflectance.spot_radius_m, 0, 0.02, 1),
    NUMBER("noise", reflectance.noise, 0, 0.5, 1),
};
static const hy_yaml_table reflectance_table = HY_YAML_TABLE("reflectance", reflectance_fields);

static const hy_yaml_field range_fields[] = {
    POINT("at_m", range.at_m, -0.5, 0.5),
    NUMBER("half_cone_deg", range.half_cone_rad, 0, 45, HY_RAD_PER_DEG),
    NUMBER("near_m", range.near_m, 0, 1, 1),
    NUMBER("far_m", range.far_m, 1, 20, 1),
    NUMBER("noise_m", range.noise_m, 0, 0.5, 1),
    NUMBER("period_ms", range.period_s, 1, 1000, MS),
};
static const hy_yaml_table range_table = HY_YAML_TABLE("rangefinder", range_fields);

static const hy_yaml_field servo_fields[] = {
    NUMBER("speed_dps", servo_rad_s, 10, 10000, HY_RAD_PER_DEG),
};
static const hy_yaml_table servo_table = HY_YAML_TABLE("servos", servo_fields);

static const hy_yaml_field fields[] = {
    HY_VEHICLE_FIELDS,
    MAP("wheels", wheel_table),
    MAP("caster", caster_table),
    MAP("motors", motor_table),
    MAP("reflectance", reflectance_table),
    MAP("rangefinder", range_table),
    MAP("servos", servo_table),
};
static const hy_yaml_table table = HY_YAML_TABLE("a vehicle of kind xrp", fields);

// --------------------------------------------------------------------------- building it

static const char *contradiction(const hy_vehicle_spec *any)
{
    const hy_xrp_spec *spec = &any->of.xrp;
    if (any->com_ahead_m >= spec->caster_ahead_m) {
        return "body: com_ahead_m must be less than caster: ahead_m, or the robot tips over";
    }
    if (spec->motor.start_v >= spec->motor.nominal_v) {
        return "motors: start_v must be less than nominal_v";
    }
    if (spec->range.near_m >= spec->range.far_m) {
        return "rangefinder: near_m must be less than far_m";
    }
    return NULL;
}

static const char *build(const hy_vehicle_spec *any, hy_vehicle_model *vehicle)
{
    const hy_xrp_spec *spec = &any->of.xrp;
    const char *wrong = contradiction(any);
    if (wrong != NULL) {
        return wrong;
    }
    const double radius_m = spec->diameter_m / 2;
    vehicle->drive = (hy_drive_model){
        .track_m = spec->track_m,
        .radius_m = { radius_m * spec->left_size, radius_m * spec->right_size },
        .grip = spec->grip,
        .rolling_resistance = spec->rolling_resistance,
        .caster_ahead_m = spec->caster_ahead_m,
        .caster_friction = spec->caster_friction,
    };
    vehicle->motor_count = 4;
    vehicle->motor[HY_DRIVE_LEFT] = hy_motor_of(&spec->motor, spec->left_speed, 0);
    vehicle->motor[HY_DRIVE_RIGHT] = hy_motor_of(&spec->motor, spec->right_speed, 0);
    vehicle->motor[HY_DRIVE_RIGHT].forward = -1; // it is mounted the other way round
    for (int i = HY_DRIVE_SIDES; i < vehicle->motor_count; i++) {
        vehicle->motor[i] = hy_motor_of(&spec->motor, 1, 0);
    }
    vehicle->encoder_sign = -1;
    vehicle->reflectance = spec->reflectance;
    vehicle->range = spec->range;
    vehicle->servo_rad_s = spec->servo_rad_s;
    return NULL;
}

static void prepare(hy_vehicle_model *vehicle, double step_s)
{
    hy_drive_model *drive = &vehicle->drive;
    hy_drive_prepare(drive, &vehicle->body, vehicle->motor, step_s);
    // Its wheels at the speed of motors without load, ahead or against each other.
    double rim_m_s = 0;
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        rim_m_s = hy_max(rim_m_s, hy_motor_fastest_m_s(vehicle, i, drive->radius_m[i]));
    }
    vehicle->fastest_m_s = rim_m_s * hy_max(1, 2 * vehicle->reach_m / drive->track_m);
    vehicle->push_n_s = 2 * drive->traction_n_s;
    vehicle->push_n_m_s = vehicle->push_n_s * drive->track_m / 2;
}

// --------------------------------------------------------------------------- driving it

static void drive(const hy_vehicle_model *vehicle, hy_vehicle_state *state, const double *volts,
                  double *shaft_rad_s)
{
    hy_drive_state wheels = { .motion = state->motion, .pushed = state->pushed };
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        wheels.volts[i] = volts[i];
        wheels.rim_m_s[i] = state->shaft_rad_s[i] * vehicle->drive.radius_m[i];
    }
    hy_drive_step(&vehicle->drive, &vehicle->body, &wheels);
    state->motion = wheels.motion;
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        shaft_rad_s[i] = wheels.rim_m_s[i] / vehicle->drive.radius_m[i];
    }
    for (int i = HY_DRIVE_SIDES; i < vehicle->motor_count; i++) {
        shaft_rad_s[i] = hy_motor_free_step(&vehicle->motor[i], volts[i], state->shaft_rad_s[i]);
    }
}

const hy_vehicle_kind hy_vehicle_xrp = { "xrp", &table, set_defaults, build, prepare, drive };
