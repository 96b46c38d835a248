// A robot with four modules, each a driven wheel that a second motor turns about the vertical.
// SPEC teensy-robot: which motor and encoder is which, positions, signs and where the numbers are from.
#include "kind.h"

#include <math.h>
#include <string.h>

/// Motors and encoders of module `i`.
#define DRIVE(i)   (2 * (i))
#define AZIMUTH(i) (2 * (i) + 1)

// --------------------------------------------------------------------------- its numbers

static void swerve_set_defaults(hy_vehicle_spec *spec)
{
    spec->mass_kg = 2.8;
    spec->inertia_kg_m2 = 0.050;
    spec->front_m = 0.150;
    spec->rear_m = 0.150;
    spec->width_m = 0.300;
    spec->battery = (hy_battery_spec){ .open_v = 11.8, .resistance_ohm = 0.05, .board_a = 0.4 };
    spec->bridge = (hy_bridge_spec){ .inductance_h = 0.0007 };
    hy_vehicle_spec_wire(spec, HY_SENSOR_IMU, (hy_point){ 0, 0 });
    spec->of.swerve = (hy_swerve_spec){
        .wheelbase_m = 0.230,
        .track_m = 0.230,
        .diameter_m = 0.060,
        .grip = 0.8,
        .creep_m_s = 0.02,
        .rolling_resistance = 0.02,
        .patch_radius_m = 0.004,
        .drive = { .nominal_v = 12,
                   .no_load_rad_s = 375 * HY_RAD_S_PER_RPM,
                   .start_v = 0.8,
                   .stall_a = 1.8,
                   .stall_n_m = 0.357,
                   .gear_ratio = 20.41,
                   .rotor_kg_m2 = 6e-7,
                   .load_kg_m2 = 2e-5,
                   .counts_per_turn = 979.68 },
        .azimuth = { .nominal_v = 12,
                     .no_load_rad_s = 75 * HY_RAD_S_PER_RPM,
                     .start_v = 0.8,
                     .stall_a = 0.9,
                     .stall_n_m = 0.696,
                     .gear_ratio = 74.83,
                     .rotor_kg_m2 = 6e-7,
                     .load_kg_m2 = 1e-4,
                     .counts_per_turn = 3591.84 },
    };
}

// --------------------------------------------------------------------------- its fields

static const hy_spec_field swerve_fields[] = {
    HY_START_FIELDS,
    HY_BODY_FIELDS,
    HY_BATTERY_FIELDS,
    HY_NUMBER("modules", "wheelbase_m", of.swerve.wheelbase_m, 0.05, 1, 1),
    HY_NUMBER("modules", "track_m", of.swerve.track_m, 0.05, 1, 1),
    HY_NUMBER("modules", "diameter_m", of.swerve.diameter_m, 0.02, 0.3, 1),
    HY_NUMBER("modules", "grip", of.swerve.grip, 0.05, 2, 1),
    HY_NUMBER("modules", "creep_m_s", of.swerve.creep_m_s, 0.001, 0.2, 1),
    HY_NUMBER("modules", "rolling_resistance", of.swerve.rolling_resistance, 0, 0.2, 1),
    HY_NUMBER("modules", "patch_radius_m", of.swerve.patch_radius_m, 0, 0.05, 1),
    HY_MOTOR_FIELDS("drive", of.swerve.drive),
    HY_NUMBER("drive", "load_kg_m2", of.swerve.drive.load_kg_m2, 0, 0.1, 1),
    HY_MOTOR_FIELDS("azimuth", of.swerve.azimuth),
    HY_NUMBER("azimuth", "load_kg_m2", of.swerve.azimuth.load_kg_m2, 0, 0.1, 1),
    HY_NUMBER_SINCE(5, "azimuth", "play_deg", of.swerve.play_rad, 10, HY_RAD_PER_DEG),
    HY_NUMBER_SINCE(5, "azimuth", "start_deg", of.swerve.start_rad, 180, HY_RAD_PER_DEG),
    HY_NUMBER_SINCE(5, "azimuth", "home_deg", of.swerve.home_rad, 45, HY_RAD_PER_DEG),
    HY_SENSORS_FIELD,
    HY_TRAITS_FIELD(5),
    HY_BRIDGE_FIELDS(bridge, 5),
};
const hy_spec_table hy_swerve_spec_table = HY_VEHICLE_TABLE("swerve", swerve_fields);

// --------------------------------------------------------------------------- building it

static const char *contradiction(const hy_vehicle_spec *any)
{
    const hy_swerve_spec *spec = &any->of.swerve;
    if (any->com_ahead_m >= spec->wheelbase_m / 2) {
        return "body: com_ahead_m must be less than half of modules: wheelbase_m, or the robot "
               "tips over";
    }
    if (spec->drive.start_v >= spec->drive.nominal_v) {
        return "drive: start_v must be less than nominal_v";
    }
    if (spec->azimuth.start_v >= spec->azimuth.nominal_v) {
        return "azimuth: start_v must be less than nominal_v";
    }
    return NULL;
}

static const char *swerve_build(const hy_vehicle_spec *any, hy_vehicle_model *vehicle)
{
    const hy_swerve_spec *spec = &any->of.swerve;
    const char *wrong = contradiction(any);
    if (wrong != NULL) {
        return wrong;
    }
    const double x = spec->wheelbase_m / 2;
    const double y = spec->track_m / 2;
    vehicle->steer = (hy_steer_model){
        .at_m = { { x, y }, { -x, y }, { -x, -y }, { x, -y } }, // FL, RL, RR, FR
        .radius_m = spec->diameter_m / 2,
        .grip = spec->grip,
        .creep_m_s = spec->creep_m_s,
        .rolling_resistance = spec->rolling_resistance,
        .play_rad = spec->play_rad,
        .start_rad = spec->start_rad,
        .home_rad = spec->home_rad,
    };
    vehicle->rear_contact_m = -x;
    vehicle->front_contact_m = x;
    vehicle->tyre_count = HY_STEER_WHEELS;
    memcpy(vehicle->tyre_m, vehicle->steer.at_m, sizeof vehicle->tyre_m);
    vehicle->motor_count = 2 * HY_STEER_WHEELS;
    for (int i = 0; i < HY_STEER_WHEELS; i++) {
        // A wheel that is turned on the spot rubs its patch on the floor.
        const double load_n = hy_steer_load(&vehicle->steer, &vehicle->body, i);
        const double rub_n_m = spec->grip * load_n * spec->patch_radius_m;
        vehicle->motor[DRIVE(i)] = hy_motor_of(&spec->drive, 1, 0);
        vehicle->motor[AZIMUTH(i)] = hy_motor_of(&spec->azimuth, 1, rub_n_m);
    }
    vehicle->encoder_sign = 1;
    vehicle->bridge = hy_bridge_of(&any->bridge, &spec->drive);
    return NULL;
}

static void swerve_prepare(hy_vehicle_model *vehicle, double step_s)
{
    hy_steer_model *steer = &vehicle->steer;
    const hy_motor_model *motors[HY_STEER_WHEELS];
    for (int i = 0; i < HY_STEER_WHEELS; i++) {
        motors[i] = &vehicle->motor[DRIVE(i)];
    }
    hy_steer_prepare(steer, &vehicle->body, motors, step_s);
    const double arm_m = sqrt(hy_vec_dot(steer->at_m[0], steer->at_m[0]));
    const double rim_m_s = hy_motor_fastest_m_s(vehicle, DRIVE(0), steer->radius_m);
    // No module goes faster than its wheel; a corner that is k times as far out goes at most 2 k - 1
    // times as fast.
    vehicle->fastest_m_s = rim_m_s * hy_max(1, 2 * vehicle->reach_m / arm_m - 1);
    for (int i = 0; i < HY_STEER_WHEELS; i++) {
        vehicle->push_n_s += steer->traction_n_s[i];
    }
    vehicle->push_n_m_s = vehicle->push_n_s * arm_m;
}

// --------------------------------------------------------------------------- where its modules point

/// Draws from a stream of its own, so that a robot whose modules start anywhere has the sensors' noise of one whose modules do not.
static void swerve_start(const hy_vehicle_model *vehicle, hy_vehicle_state *state, uint64_t seed)
{
    hy_random random = hy_random_seeded(~seed);
    for (int i = 0; i < HY_STEER_WHEELS && vehicle->steer.start_rad > 0; i++) {
        state->start_rad[i] = (2 * hy_random_unit(&random) - 1) * vehicle->steer.start_rad;
        state->module_rad[i] = state->start_rad[i];
    }
}

/// Where the shaft of an azimuth motor that has turned by `turned_rad` since the start wants its module.
static double shaft_azimuth(const hy_steer_model *steer, const hy_vehicle_state *state, int module,
                            double turned_rad)
{
    // A sum with 0 would make a 0 of a -0.
    return steer->start_rad > 0 ? state->start_rad[module] + turned_rad : turned_rad;
}

static double swerve_turned_rad(const hy_vehicle_model *vehicle, const hy_vehicle_state *state,
                                int motor)
{
    const int module = motor / 2;
    if (motor == DRIVE(module)) {
        return state->shaft_rad[motor];
    }
    return vehicle->steer.play_rad > 0
               ? state->module_rad[module]
               : shaft_azimuth(&vehicle->steer, state, module, state->shaft_rad[motor]);
}

static void swerve_read_switches(const hy_vehicle_model *vehicle, const hy_vehicle_state *state,
                                 hy_sensors *out)
{
    const double home_rad = vehicle->steer.home_rad;
    for (int i = 0; i < HY_STEER_WHEELS && home_rad > 0; i++) {
        const double off_rad = hy_wrap_angle(swerve_turned_rad(vehicle, state, AZIMUTH(i)));
        out->home_switches = (uint8_t)(out->home_switches | 1U << i);
        out->at_home = (uint8_t)(out->at_home | (fabs(off_rad) <= home_rad ? 1U << i : 0U));
    }
}

// --------------------------------------------------------------------------- driving it

/// Where a module points when its motor's shaft is at `shaft_rad`: the floor holds it until the gear has come through the play.
static double module_after(double play_rad, double module_rad, double shaft_rad)
{
    return play_rad > 0
               ? hy_clamp(module_rad, shaft_rad - play_rad / 2, shaft_rad + play_rad / 2, shaft_rad)
               : shaft_rad;
}

static void swerve_drive(const hy_vehicle_model *vehicle, hy_vehicle_state *state,
                         const hy_drive_input *in, double *shaft_rad_s)
{
    const hy_steer_model *steer = &vehicle->steer;
    hy_rim_model rim[HY_STEER_WHEELS];
    hy_steer_state wheels = { .motion = state->motion,
                              .pushed = state->pushed,
                              .grip = in->grip,
                              .rim = vehicle->bridge.coasts ? rim : steer->rim };
    for (int i = 0; i < HY_STEER_WHEELS; i++) {
        const int turner = AZIMUTH(i);
        const double before_rad_s = state->shaft_rad_s[turner];
        const hy_bridge_mean mean = { .volts = in->volts[turner],
                                      .share = vehicle->bridge.coasts ? in->share[turner] : 0 };
        shaft_rad_s[turner] =
            hy_bridge_free_step(&vehicle->bridge, &vehicle->motor[turner], &mean, before_rad_s);
        const double turned_rad =
            state->shaft_rad[turner] + (before_rad_s + shaft_rad_s[turner]) / 2 * steer->step_s;
        const double azimuth_rad = module_after(steer->play_rad, state->module_rad[i],
                                                shaft_azimuth(steer, state, i, turned_rad));
        state->module_rad[i] = azimuth_rad;
        wheels.along[i] = (hy_vec){ hy_cos(azimuth_rad), hy_sin(azimuth_rad) };
        if (vehicle->bridge.coasts) {
            rim[i] = hy_rim_with_share(&steer->rim[i], in->share[DRIVE(i)]);
        }
        wheels.volts[i] = in->volts[DRIVE(i)];
        wheels.rim_m_s[i] = state->shaft_rad_s[DRIVE(i)] * steer->radius_m;
    }
    hy_steer_step(steer, &vehicle->body, &wheels);
    state->motion = wheels.motion;
    for (int i = 0; i < HY_STEER_WHEELS; i++) {
        shaft_rad_s[DRIVE(i)] = wheels.rim_m_s[i] / steer->radius_m;
    }
}

const hy_vehicle_kind hy_vehicle_swerve = {
    .name = "swerve",
    .table = &hy_swerve_spec_table,
    .set_defaults = swerve_set_defaults,
    .build = swerve_build,
    .prepare = swerve_prepare,
    .drive = swerve_drive,
    .start = swerve_start,
    .turned_rad = swerve_turned_rad,
    .read_switches = swerve_read_switches,
};
