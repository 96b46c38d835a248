// The XRP: two driven wheels, a caster, two headers with free motors, four servos.
#include "kind.h"

// --------------------------------------------------------------------------- its numbers

static void xrp_set_defaults(hy_vehicle_spec *spec)
{
    spec->mass_kg = 0.55;
    spec->inertia_kg_m2 = 0.0028;
    spec->com_ahead_m = 0.015;
    spec->front_m = 0.105;
    spec->rear_m = 0.080;
    spec->width_m = 0.180;
    spec->battery = (hy_battery_spec){ .open_v = 6.0, .resistance_ohm = 0.8, .board_a = 0.12 };
    spec->bridge = (hy_bridge_spec){ .inductance_h = 0.0008 };
    hy_vehicle_spec_wire(spec, HY_SENSOR_IMU, (hy_point){ 0.02, 0 });
    hy_vehicle_spec_wire(spec, HY_SENSOR_REFLECTANCE, (hy_point){ 0.085, 0.010 });
    hy_vehicle_spec_wire(spec, HY_SENSOR_REFLECTANCE, (hy_point){ 0.085, -0.010 });
    hy_vehicle_spec_wire(spec, HY_SENSOR_RANGE, (hy_point){ 0.100, 0 });
    spec->of.xrp = (hy_xrp_spec){
        .diameter_m = 0.060,
        .track_m = 0.155,
        .left_size = 1,
        .right_size = 1,
        .grip = 0.8,
        .rolling_resistance = 0.02,
        .caster_ahead_m = 0.070,
        .caster_friction = 0.2,
        .com_height_m = 0.030,
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
        .servo_rad_s = 600 * HY_RAD_PER_DEG,
    };
}

// --------------------------------------------------------------------------- its fields

static const hy_spec_field xrp_fields[] = {
    HY_START_FIELDS,
    HY_BODY_FIELDS,
    HY_BATTERY_FIELDS,
    HY_NUMBER("wheels", "diameter_m", of.xrp.diameter_m, 0.02, 0.3, 1),
    HY_NUMBER("wheels", "track_m", of.xrp.track_m, 0.03, 0.5, 1),
    HY_NUMBER("wheels", "left_size", of.xrp.left_size, 0.8, 1.2, 1),
    HY_NUMBER("wheels", "right_size", of.xrp.right_size, 0.8, 1.2, 1),
    HY_NUMBER("wheels", "grip", of.xrp.grip, 0.05, 2, 1),
    HY_NUMBER("wheels", "rolling_resistance", of.xrp.rolling_resistance, 0, 0.2, 1),
    HY_NUMBER("caster", "ahead_m", of.xrp.caster_ahead_m, 0.02, 0.5, 1),
    HY_NUMBER("caster", "friction", of.xrp.caster_friction, 0, 1, 1),
    HY_MOTOR_FIELDS("motors", of.xrp.motor),
    HY_NUMBER("motors", "left_speed", of.xrp.left_speed, 0.5, 1.5, 1),
    HY_NUMBER("motors", "right_speed", of.xrp.right_speed, 0.5, 1.5, 1),
    HY_BREAKAWAY_FIELD("motors", of.xrp.motor),
    HY_BRIDGE_FIELDS(bridge, 2),
    HY_NUMBER("servos", "speed_dps", of.xrp.servo_rad_s, 10, 10000, HY_RAD_PER_DEG),
    HY_SENSORS_FIELD,
    HY_TRAITS_FIELD(3),
    HY_NUMBER_SINCE(5, "body", "com_height_m", of.xrp.com_height_m, 0.2, 1),
};
const hy_spec_table hy_xrp_spec_table = HY_VEHICLE_TABLE("xrp", xrp_fields);

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
    return NULL;
}

static const char *xrp_build(const hy_vehicle_spec *any, hy_vehicle_model *vehicle)
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
        .com_height_m = spec->com_height_m,
    };
    vehicle->front_contact_m = spec->caster_ahead_m;
    vehicle->tyre_count = HY_DRIVE_SIDES;
    vehicle->tyre_m[HY_DRIVE_LEFT] = (hy_vec){ 0, spec->track_m / 2 };
    vehicle->tyre_m[HY_DRIVE_RIGHT] = (hy_vec){ 0, -spec->track_m / 2 };
    vehicle->motor_count = 4;
    vehicle->motor[HY_DRIVE_LEFT] = hy_motor_of(&spec->motor, spec->left_speed, 0);
    vehicle->motor[HY_DRIVE_RIGHT] = hy_motor_of(&spec->motor, spec->right_speed, 0);
    vehicle->motor[HY_DRIVE_RIGHT].forward = -1; // it is mounted the other way round
    for (int i = HY_DRIVE_SIDES; i < vehicle->motor_count; i++) {
        vehicle->motor[i] = hy_motor_of(&spec->motor, 1, 0);
    }
    vehicle->encoder_sign = -1;
    vehicle->bridge = hy_bridge_of(&any->bridge, &spec->motor);
    vehicle->servo_rad_s = spec->servo_rad_s;
    return NULL;
}

static void xrp_prepare(hy_vehicle_model *vehicle, double step_s)
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

static void xrp_drive(const hy_vehicle_model *vehicle, hy_vehicle_state *state,
                      const hy_drive_input *in, double *shaft_rad_s)
{
    hy_rim_model rim[HY_DRIVE_SIDES];
    hy_drive_state wheels = { .motion = &state->motion,
                              .pushed = &state->pushed,
                              .grip = in->grip,
                              .rim = vehicle->bridge.coasts ? rim : vehicle->drive.rim };
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        wheels.volts[i] = in->volts[i];
        wheels.rim_m_s[i] = state->shaft_rad_s[i] * vehicle->drive.radius_m[i];
        if (vehicle->bridge.coasts) {
            rim[i] = hy_rim_with_share(&vehicle->drive.rim[i], in->share[i]);
        }
    }
    hy_drive_step(&vehicle->drive, &vehicle->body, &wheels);
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        shaft_rad_s[i] = wheels.rim_m_s[i] / vehicle->drive.radius_m[i];
    }
    for (int i = HY_DRIVE_SIDES; i < vehicle->motor_count; i++) {
        const hy_bridge_mean mean = { .volts = in->volts[i],
                                      .share = vehicle->bridge.coasts ? in->share[i] : 0 };
        shaft_rad_s[i] =
            hy_bridge_free_step(&vehicle->bridge, &vehicle->motor[i], &mean, state->shaft_rad_s[i]);
    }
}

const hy_vehicle_kind hy_vehicle_xrp = {
    .name = "xrp",
    .table = &hy_xrp_spec_table,
    .set_defaults = xrp_set_defaults,
    .build = xrp_build,
    .prepare = xrp_prepare,
    .drive = xrp_drive,
};
