// A competition robot: SPEC world, "The tank".
#include "kind.h"
#include "shapes/shape.h"
#include "spec/spec_fields.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define INCH_M      0.0254
#define POUND_KG    0.45359237
#define PART_MOST_M 1.5
#define FASTEST_M_S 20

// --------------------------------------------------------------------------- its numbers

// The vehicle of the field of 2020, inches: x ahead, y to the left.
static const struct {
    hy_world_part_kind kind;
    double rear, front, right, left;
} boxes[] = {
    { HY_PART_BODY, 1.97, 7.87, 4.33, 12.2 },
    { HY_PART_BODY, 1.97, 7.87, -12.2, -4.33 },
    { HY_PART_BODY, -20.08, 1.97, 7.09, 12.2 },
    { HY_PART_BODY, -20.08, 1.97, -12.2, -7.09 },
    { HY_PART_BUMPER, 7.87, 11.81, 6.3, 12.2 },
    { HY_PART_BUMPER, 7.87, 11.81, -12.2, -6.3 },
    { HY_PART_BUMPER, -23.62, 11.81, 12.2, 15.75 },
    { HY_PART_BUMPER, -23.62, 11.81, -15.75, -12.2 },
    { HY_PART_BUMPER, -23.62, -20.08, 7.09, 12.2 },
    { HY_PART_BUMPER, -23.62, -20.08, -12.2, -7.09 },
    { HY_PART_INTAKE_CENTER, 1.97, 20.08, -4.33, 4.33 },
    { HY_PART_INTAKE_LEFT, 11.81, 20.08, 4.33, 10.24 },
    { HY_PART_INTAKE_RIGHT, 11.81, 20.08, -10.24, -4.33 },
    { HY_PART_TUBE, -23.62, 1.97, -7.09, 7.09 },
};

static void set_default_shape(hy_tank_spec *spec)
{
    spec->part_count = sizeof boxes / sizeof boxes[0];
    for (size_t i = 0; i < spec->part_count; i++) {
        const double rear = boxes[i].rear * INCH_M, front = boxes[i].front * INCH_M;
        const double right = boxes[i].right * INCH_M, left = boxes[i].left * INCH_M;
        spec->part[i] = (hy_world_part){
            .kind = boxes[i].kind,
            .corners = { { front, right }, { front, left }, { rear, left }, { rear, right } },
            .count = 4,
        };
    }
}

// Two motors and their gears on each side. Torque: 85 % of it is left behind the gears.
static const struct {
    const char *name;
    double stall_a, stall_n_m, gear_ratio, rotor_kg_m2, rpm;
} motor_sets[] = {
    { "4-neo", 210, 30, 6.81, 6.2e-5, 833 },
    { "4-cim", 266, 44.1, 10.71, 1.5e-4, 496 },
};

bool hy_tank_spec_set_motors(hy_tank_spec *tank, const char *name)
{
    for (size_t i = 0; i < sizeof motor_sets / sizeof motor_sets[0]; i++) {
        if (strcmp(motor_sets[i].name, name) == 0) {
            tank->motor.stall_a = motor_sets[i].stall_a;
            tank->motor.stall_n_m = motor_sets[i].stall_n_m;
            tank->motor.gear_ratio = motor_sets[i].gear_ratio;
            tank->motor.rotor_kg_m2 = motor_sets[i].rotor_kg_m2;
            tank->left_rad_s = tank->right_rad_s = motor_sets[i].rpm * HY_RAD_S_PER_RPM;
            tank->motors_per_side = 2;
            return true;
        }
    }
    return false;
}

static void tank_set_defaults(hy_vehicle_spec *spec)
{
    spec->mass_kg = 154 * POUND_KG;
    spec->inertia_kg_m2 = 6.5;
    spec->battery = (hy_battery_spec){ .open_v = 12.4, .resistance_ohm = 0.020, .board_a = 2 };
    hy_vehicle_spec_wire(spec, HY_SENSOR_IMU, (hy_point){ 0, 0 });
    hy_tank_spec *tank = &spec->of.tank;
    *tank = (hy_tank_spec){
        .drive = HY_WORLD_DRIVE_DCMOTOR,
        .wheel_radius_m = 3 * INCH_M,
        .track_m = 22 * INCH_M,
        .wheelbase_m = 18 * INCH_M,
        .grip = 1.1,
        .rolling_resistance = 0.03,
        .scrub = 0.08,
        .motor = { .nominal_v = 12, .start_v = 0.3, .load_kg_m2 = 0.02, .counts_per_turn = 1024 },
        .limit_a = 60,
        .brownout_v = 6.3,
    };
    hy_tank_spec_set_motors(tank, "4-neo");
    for (int i = 0; i < 4; i++) {
        tank->intake_rad_s[i] = 25 * HY_RAD_S_PER_RPM;
    }
    set_default_shape(tank);
}

// --------------------------------------------------------------------------- its fields

#define TANK(section_, name_, member_, low_, high_, unit_) \
    HY_NUMBER(section_, name_, of.tank.member_, low_, high_, unit_)

#define TANK_SINCE_4(section_, name_, member_, high_) \
    HY_NUMBER_SINCE(4, section_, name_, of.tank.member_, high_, 1)

static const hy_spec_field part_point_fields[] = {
    HY_SPEC_ROW(hy_point, NUMBER, NULL, "x_m", x_m, -PART_MOST_M, PART_MOST_M, 1),
    HY_SPEC_ROW(hy_point, NUMBER, NULL, "y_m", y_m, -PART_MOST_M, PART_MOST_M, 1),
};
static const hy_spec_table part_point_table = HY_SPEC_TABLE(hy_point, "a point", part_point_fields);
static const hy_spec_table *const part_points[] = { &part_point_table };

static const hy_spec_field part_fields[] = {
    HY_SPEC_ROW(hy_world_part, CHOICE, NULL, "kind", kind, 0, HY_PART_TUBE + 1, 1),
    HY_SPEC_LIST_ROW(hy_world_part, NULL, "corners_m", corners, count, 3, HY_WORLD_CORNERS,
                     part_points),
};
static const hy_spec_table part_table = HY_SPEC_TABLE(hy_world_part, "a polygon", part_fields);
static const hy_spec_table *const part_tables[] = { &part_table };

static const hy_spec_field tank_fields[] = {
    HY_START_FIELDS,
    { .name = "team",
      .type = HY_SPEC_TEXT,
      .offset = offsetof(hy_vehicle_spec, of.tank.team),
      .high = HY_TEAM_TEXT },
    { .name = "alliance",
      .type = HY_SPEC_CHOICE,
      .offset = offsetof(hy_vehicle_spec, of.tank.side),
      .high = HY_ALLIANCE_RED + 1 },
    HY_NUMBER("body", "mass_kg", mass_kg, 1, 1000, 1),
    HY_NUMBER("body", "inertia_kg_m2", inertia_kg_m2, 0.01, 1000, 1),
    { .section = "drive",
      .name = "model",
      .type = HY_SPEC_CHOICE,
      .offset = offsetof(hy_vehicle_spec, of.tank.drive),
      .high = HY_WORLD_DRIVE_IDEAL + 1 },
    TANK("drive", "wheel_radius_m", wheel_radius_m, 0.01, 0.5, 1),
    TANK("drive", "track_m", track_m, 0.1, 2, 1),
    TANK("drive", "wheelbase_m", wheelbase_m, 0.05, 2, 1),
    TANK("drive", "left_rpm", left_rad_s, 10, 3000, HY_RAD_S_PER_RPM),
    TANK("drive", "right_rpm", right_rad_s, 10, 3000, HY_RAD_S_PER_RPM),
    TANK("drive", "grip", grip, 0.05, 2, 1),
    TANK("drive", "rolling_resistance", rolling_resistance, 0, 0.2, 1),
    TANK("drive", "scrub", scrub, 0, 1, 1),
    TANK("drive", "nominal_v", motor.nominal_v, 1, 48, 1),
    TANK("drive", "start_v", motor.start_v, 0, 10, 1),
    TANK("drive", "stall_a", motor.stall_a, 0.1, 2000, 1),
    TANK("drive", "stall_n_m", motor.stall_n_m, 0.01, 500, 1),
    TANK("drive", "gear_ratio", motor.gear_ratio, 1, 1000, 1),
    TANK("drive", "rotor_kg_m2", motor.rotor_kg_m2, 1e-9, 1e-2, 1),
    TANK("drive", "load_kg_m2", motor.load_kg_m2, 0, 1, 1),
    TANK("drive", "counts_per_turn", motor.counts_per_turn, 1, 100000, 1),
    TANK("intake", "center_rpm", intake_rad_s[0], 0, 1000, HY_RAD_S_PER_RPM),
    TANK("intake", "left_rpm", intake_rad_s[1], 0, 1000, HY_RAD_S_PER_RPM),
    TANK("intake", "right_rpm", intake_rad_s[2], 0, 1000, HY_RAD_S_PER_RPM),
    TANK("intake", "tube_rpm", intake_rad_s[3], 0, 1000, HY_RAD_S_PER_RPM),
    HY_BATTERY_FIELDS,
    TANK_SINCE_4("drive", "limit_a", limit_a, 1000),
    TANK_SINCE_4("drive", "motors_per_side", motors_per_side, 4),
    TANK_SINCE_4("battery", "brownout_v", brownout_v, 24),
    { .name = "shape",
      .type = HY_SPEC_LIST,
      .offset = offsetof(hy_vehicle_spec, of.tank.part),
      .count_offset = offsetof(hy_vehicle_spec, of.tank.part_count),
      .low = 1,
      .high = HY_WORLD_PARTS,
      .tables = part_tables,
      .table_count = 1 },
    HY_SENSORS_FIELD,
};
const hy_spec_table hy_tank_spec_table = HY_VEHICLE_TABLE("tank", tank_fields);

// --------------------------------------------------------------------------- the reference's numbers

/// The reference converts units with these, in single precision.
#define REFERENCE_RAD_PER_DEG   0.0175F
#define REFERENCE_RAD_S_PER_RPM 0.1047F
#define REFERENCE_KG_PER_POUND  0.453
/// What it takes for the area of its vehicle, square metres, when it makes a density of the weight.
#define REFERENCE_AREA_M2 0.047

static double rounded(double value, double exact_unit, float unit)
{
    return (double)((float)(value / exact_unit) * unit);
}

/// Adds what a polygon has of area and of area times squared distance from the origin.
static void add_moments(const hy_world_part *part, double *area, double *second)
{
    for (size_t i = 0; i < part->count; i++) {
        const hy_point a = part->corners[i], b = part->corners[(i + 1) % part->count];
        const double cross = a.x_m * b.y_m - a.y_m * b.x_m;
        *area += cross / 2;
        *second += cross / 12 *
                   (a.x_m * a.x_m + a.x_m * b.x_m + b.x_m * b.x_m + a.y_m * a.y_m + a.y_m * b.y_m +
                    b.y_m * b.y_m);
    }
}

/// Makes of the numbers what the reference makes of them: units, mass and inertia.
static void become_reference(const hy_vehicle_spec *any, hy_vehicle_model *vehicle)
{
    double area_m2 = 0, second_m4 = 0;
    for (size_t i = 0; i < vehicle->part_count; i++) {
        if (vehicle->part[i].kind == HY_PART_BODY || vehicle->part[i].kind == HY_PART_BUMPER) {
            add_moments(&vehicle->part[i], &area_m2, &second_m4);
        }
    }
    const double density_kg_m2 = any->mass_kg / POUND_KG * REFERENCE_KG_PER_POUND / REFERENCE_AREA_M2;
    vehicle->body.mass_kg = density_kg_m2 * area_m2;
    vehicle->body.inertia_kg_m2 = density_kg_m2 * second_m4;
    vehicle->start =
        hy_pose_make(any->start_x_m, any->start_y_m,
                     rounded(any->start_heading_rad, HY_RAD_PER_DEG, REFERENCE_RAD_PER_DEG));
    for (int i = 0; i < HY_TANK_MOTORS; i++) {
        vehicle->tank.full_rad_s[i] =
            rounded(vehicle->tank.full_rad_s[i], HY_RAD_S_PER_RPM, REFERENCE_RAD_S_PER_RPM);
    }
}

// --------------------------------------------------------------------------- building it

static const char *contradiction(const hy_vehicle_spec *any)
{
    const hy_tank_spec *spec = &any->of.tank;
    if (spec->motor.start_v >= spec->motor.nominal_v) {
        return "drive: start_v must be less than nominal_v";
    }
    if (hy_max(spec->left_rad_s, spec->right_rad_s) * spec->wheel_radius_m > FASTEST_M_S) {
        return "drive: left_rpm, right_rpm and wheel_radius_m make more than 20 m/s";
    }
    return NULL;
}

/// The corners of the box around all parts.
static void set_outline(hy_vehicle_model *vehicle)
{
    hy_vec low = { INFINITY, INFINITY }, high = { -INFINITY, -INFINITY };
    for (size_t i = 0; i < vehicle->part_count; i++) {
        for (size_t k = 0; k < vehicle->part[i].count; k++) {
            const hy_point at = vehicle->part[i].corners[k];
            low = (hy_vec){ hy_min(low.x, at.x_m), hy_min(low.y, at.y_m) };
            high = (hy_vec){ hy_max(high.x, at.x_m), hy_max(high.y, at.y_m) };
        }
    }
    const hy_vec corner_m[HY_VEHICLE_CORNERS] = {
        { high.x, low.y }, { high.x, high.y }, { low.x, high.y }, { low.x, low.y }
    };
    memcpy(vehicle->corner_m, corner_m, sizeof corner_m);
}

static void set_motors(const hy_tank_spec *spec, hy_vehicle_model *vehicle)
{
    vehicle->motor_count = HY_TANK_MOTORS;
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        hy_motor_spec side = spec->motor;
        side.no_load_rad_s = i == HY_DRIVE_LEFT ? spec->left_rad_s : spec->right_rad_s;
        vehicle->motor[i] = hy_motor_of(&side, 1, 0);
        vehicle->tank.full_rad_s[i] = side.no_load_rad_s;
    }
    for (int i = HY_TANK_INTAKES; i < HY_TANK_MOTORS; i++) {
        vehicle->motor[i] = (hy_motor_model){
            // no load worth naming: it turns as it is told
            .resistance_ohm = INFINITY,
            .inertia_kg_m2 = 1,
            .counts_per_rad = spec->motor.counts_per_turn / (2 * HY_PI),
            .forward = 1,
        };
        vehicle->tank.full_rad_s[i] = spec->intake_rad_s[i - HY_TANK_INTAKES];
    }
    vehicle->encoder_sign = 1;
}

/// How much voltage the battery must gain until a controller that browned out switches its outputs on again:
/// a roboRIO's manual has 6.3 V and 7.5 V.
#define RECOVER_V 1.2

static void set_power(const hy_tank_spec *spec, hy_vehicle_model *vehicle)
{
    const double motors = spec->motors_per_side > 0 ? spec->motors_per_side : 1;
    vehicle->power = (hy_power_model){
        .limit_a = spec->limit_a > 0 ? spec->limit_a * motors : INFINITY,
        .brownout_v = spec->brownout_v,
        .recover_v = spec->brownout_v > 0 ? spec->brownout_v + RECOVER_V : 0,
    };
    vehicle->tank.facts.brownout_v = spec->brownout_v;
}

static void set_facts(const hy_tank_spec *spec, hy_tank_model *tank)
{
    hy_world_tank *facts = &tank->facts;
    memcpy(facts->team, spec->team, sizeof facts->team);
    facts->side = spec->side;
    facts->drive = spec->drive;
    facts->left_drive_rad_s = tank->full_rad_s[HY_DRIVE_LEFT];
    facts->right_drive_rad_s = tank->full_rad_s[HY_DRIVE_RIGHT];
    facts->intake_center_rad_s = tank->full_rad_s[HY_TANK_INTAKES];
    facts->intake_left_rad_s = tank->full_rad_s[HY_TANK_INTAKES + 1];
    facts->intake_right_rad_s = tank->full_rad_s[HY_TANK_INTAKES + 2];
    facts->tube_rad_s = tank->full_rad_s[HY_TANK_INTAKES + 3];
    facts->wheel_radius_m = spec->wheel_radius_m;
    facts->track_m = spec->track_m;
    facts->wheelbase_m = spec->wheelbase_m;
}

static const char *tank_build(const hy_vehicle_spec *any, hy_vehicle_model *vehicle)
{
    const hy_tank_spec *spec = &any->of.tank;
    const char *wrong = contradiction(any);
    vehicle->stays_in_engine = true;
    vehicle->part_count = spec->part_count;
    memcpy(vehicle->part, spec->part, sizeof vehicle->part);
    for (size_t i = 0; i < vehicle->part_count && wrong == NULL; i++) {
        wrong = hy_polygon_convex(vehicle->part[i].corners, vehicle->part[i].count) != NULL
                    ? "shape: one of its polygons is not convex, or thinner than 0.005 m"
                    : NULL;
    }
    if (wrong != NULL) {
        return wrong;
    }
    set_outline(vehicle);
    vehicle->tank = (hy_tank_model){
        .drive = { .track_m = spec->track_m,
                   .radius_m = { spec->wheel_radius_m, spec->wheel_radius_m },
                   .grip = spec->grip,
                   .rolling_resistance = spec->rolling_resistance,
                   .caster_ahead_m = 1 }, // it has none: nothing lies on it
    };
    vehicle->rear_contact_m = -spec->wheelbase_m / 2;
    vehicle->front_contact_m = spec->wheelbase_m / 2;
    vehicle->tyre_count = HY_DRIVE_SIDES;
    vehicle->tyre_m[HY_DRIVE_LEFT] = (hy_vec){ 0, spec->track_m / 2 };
    vehicle->tyre_m[HY_DRIVE_RIGHT] = (hy_vec){ 0, -spec->track_m / 2 };
    // Wheels at one end slide sideways when the robot turns: the share `scrub` of its weight.
    vehicle->tank.scrub_rad_s = spec->grip * spec->scrub * any->mass_kg * HY_GRAVITY_M_S2 *
                                spec->wheelbase_m / 2 / any->inertia_kg_m2;
    set_motors(spec, vehicle);
    if (spec->drive == HY_WORLD_DRIVE_IDEAL) {
        become_reference(any, vehicle);
    }
    set_facts(spec, &vehicle->tank);
    if (spec->drive != HY_WORLD_DRIVE_IDEAL && (spec->limit_a > 0 || spec->brownout_v > 0)) {
        set_power(spec, vehicle);
    }
    return NULL;
}

static void tank_prepare(hy_vehicle_model *vehicle, double step_s)
{
    hy_tank_model *tank = &vehicle->tank;
    hy_drive_model *drive = &tank->drive;
    tank->scrub_rad_s *= step_s;
    hy_drive_prepare(drive, &vehicle->body, vehicle->motor, step_s);
    double rim_m_s = 0;
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        const double radius_m = drive->radius_m[i];
        rim_m_s = hy_max(rim_m_s, tank->facts.drive == HY_WORLD_DRIVE_IDEAL
                                      ? tank->full_rad_s[i] * radius_m
                                      : hy_motor_fastest_m_s(vehicle, i, radius_m));
    }
    vehicle->fastest_m_s = rim_m_s * hy_max(1, 2 * vehicle->reach_m / drive->track_m);
    vehicle->push_n_s = 2 * drive->traction_n_s;
    vehicle->push_n_m_s = vehicle->push_n_s * drive->track_m / 2;
}

// --------------------------------------------------------------------------- driving it

/// Wheels that turn as they are told and never slip, on a body without mass.
static void drive_ideally(const hy_vehicle_model *vehicle, hy_vehicle_state *state,
                          double *shaft_rad_s)
{
    const hy_tank_model *tank = &vehicle->tank;
    double rim_m_s[HY_DRIVE_SIDES] = { 0 };
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        shaft_rad_s[i] = state->duty[i] * tank->full_rad_s[i];
        state->shaft_rad_s[i] = shaft_rad_s[i];
        rim_m_s[i] = shaft_rad_s[i] * tank->drive.radius_m[i];
    }
    state->motion = (hy_motion){
        .x = (rim_m_s[HY_DRIVE_LEFT] + rim_m_s[HY_DRIVE_RIGHT]) / 2,
        .turn = (rim_m_s[HY_DRIVE_RIGHT] - rim_m_s[HY_DRIVE_LEFT]) / tank->drive.track_m,
    };
}

static void drive_by_motors(const hy_vehicle_model *vehicle, hy_vehicle_state *state,
                            const hy_drive_input *in, double *shaft_rad_s)
{
    const hy_drive_model *drive = &vehicle->tank.drive;
    hy_drive_state wheels = {
        .motion = &state->motion, .pushed = &state->pushed, .rim = drive->rim, .grip = in->grip
    };
    const double scrub = vehicle->tank.scrub_rad_s * (in->grip[0] + in->grip[1]) / 2;
    state->motion.turn -= hy_clamp(state->motion.turn, -scrub, scrub, 0);
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        wheels.volts[i] = in->volts[i];
        wheels.rim_m_s[i] = state->shaft_rad_s[i] * drive->radius_m[i];
    }
    hy_drive_step(drive, &vehicle->body, &wheels);
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        shaft_rad_s[i] = wheels.rim_m_s[i] / drive->radius_m[i];
    }
}

static void tank_drive(const hy_vehicle_model *vehicle, hy_vehicle_state *state,
                       const hy_drive_input *in, double *shaft_rad_s)
{
    for (int i = HY_TANK_INTAKES; i < HY_TANK_MOTORS; i++) {
        shaft_rad_s[i] = state->duty[i] * vehicle->tank.full_rad_s[i];
    }
    if (vehicle->tank.facts.drive == HY_WORLD_DRIVE_IDEAL) {
        drive_ideally(vehicle, state, shaft_rad_s);
    } else {
        drive_by_motors(vehicle, state, in, shaft_rad_s);
    }
}

const hy_vehicle_kind hy_vehicle_tank = {
    .name = "tank",
    .table = &hy_tank_spec_table,
    .set_defaults = tank_set_defaults,
    .build = tank_build,
    .prepare = tank_prepare,
    .drive = tank_drive,
};
