// A competition robot: SPEC world, "The tank".
#include "kind.h"
#include "load.h"
#include "shape.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define INCH_M       0.0254
#define POUND_KG     0.45359237
#define GRAVITY_M_S2 9.80665
#define WIDEST_M     1.5
#define FASTEST_M_S  20

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

static void set_defaults(hy_vehicle_spec *spec)
{
    *spec = (hy_vehicle_spec){
        .mass_kg = 154 * POUND_KG,
        .inertia_kg_m2 = 6.5,
        .front_m = 1, // the shape has the outline
        .rear_m = 1,
        .width_m = 1,
        .battery = { .open_v = 12.7, .resistance_ohm = 0.015, .board_a = 2 },
        .imu = hy_imu_default(),
    };
    hy_tank_spec *tank = &spec->of.tank;
    *tank = (hy_tank_spec){
        .drive_model = HY_WORLD_DRIVE_DCMOTOR,
        .left_rad_s = 833 * HY_RAD_S_PER_RPM,
        .right_rad_s = 833 * HY_RAD_S_PER_RPM,
        .wheel_radius_m = 3 * INCH_M,
        .track_m = 22 * INCH_M,
        .wheelbase_m = 18 * INCH_M,
        .grip = 1.1,
        .rolling_resistance = 0.03,
        .scrub = 0.08,
        .motor = { .nominal_v = 12,
                   .start_v = 0.3,
                   .stall_a = 210,
                   .stall_n_m = 30,
                   .gear_ratio = 6.81,
                   .rotor_kg_m2 = 6.2e-5,
                   .load_kg_m2 = 0.02,
                   .counts_per_turn = 1024 },
        .lidar = { .near_m = 0.75, .far_m = 12, .rays_per_s = 8000, .sweeps_per_s = 10 },
    };
    for (int i = 0; i < 4; i++) {
        tank->intake_rad_s[i] = 25 * HY_RAD_S_PER_RPM;
    }
    set_default_shape(tank);
}

// --------------------------------------------------------------------------- its keys

#define NUMBER(...)       HY_NUMBER(hy_tank_spec, __VA_ARGS__)
#define MAP(key_, table_) HY_MAP(key_, offsetof(hy_vehicle_spec, of.tank), table_)

static bool read_side(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    const char *text = hy_yaml_text(yaml, field->key, node);
    if (text == NULL) {
        return false;
    }
    hy_tank_spec *spec = &((hy_vehicle_spec *)target)->of.tank;
    return hy_load_side(text, &spec->side) ||
           hy_yaml_fail(yaml, HY_EFORMAT, node, "alliance is blue or red");
}

static bool read_drive_model(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                             void *target)
{
    const char *text = hy_yaml_text(yaml, field->key, node);
    if (text == NULL) {
        return false;
    }
    hy_tank_spec *spec = target;
    if (strcmp(text, "ideal") != 0 && strcmp(text, "dcmotor") != 0) {
        return hy_yaml_fail(yaml, HY_EFORMAT, node, "model is ideal or dcmotor");
    }
    spec->drive_model = strcmp(text, "ideal") == 0 ? HY_WORLD_DRIVE_IDEAL : HY_WORLD_DRIVE_DCMOTOR;
    return true;
}

/// Reads one polygon of the shape.
static bool read_part(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                      hy_world_part_kind kind, hy_tank_spec *spec)
{
    if (spec->part_count == HY_WORLD_PARTS) {
        return hy_yaml_fail(yaml, HY_ERANGE, node, "a shape has at most %d polygons", HY_WORLD_PARTS);
    }
    hy_world_part *part = &spec->part[spec->part_count];
    part->kind = kind;
    const hy_yaml_field as = { .key = field->key, .low = -WIDEST_M, .high = WIDEST_M };
    if (!hy_load_convex(yaml, &as, node, part->corners, &part->count)) {
        return false;
    }
    spec->part_count++;
    return true;
}

static bool read_parts(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    const bool bumpers = strcmp(field->key, "bumpers_m") == 0;
    size_t count;
    if (!hy_yaml_list(yaml, field->key, node, (hy_yaml_span){ 1, HY_WORLD_PARTS }, &count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!read_part(yaml, field, hy_yaml_item(yaml, node, i),
                       bumpers ? HY_PART_BUMPER : HY_PART_BODY, target)) {
            return false;
        }
    }
    return true;
}

static bool read_region(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    static const char *const keys[] = { "intake_center_m", "intake_left_m", "intake_right_m",
                                        "tube_m" };
    int which = 0;
    while (which < 3 && strcmp(field->key, keys[which]) != 0) {
        which++;
    }
    return read_part(yaml, field, node, (hy_world_part_kind)(HY_PART_INTAKE_CENTER + which), target);
}

static const hy_yaml_field shape_fields[] = {
    { .key = "bodies_m", .type = HY_YAML_OTHER, .read = read_parts, .required = true },
    { .key = "bumpers_m", .type = HY_YAML_OTHER, .read = read_parts },
    { .key = "intake_center_m", .type = HY_YAML_OTHER, .read = read_region },
    { .key = "intake_left_m", .type = HY_YAML_OTHER, .read = read_region },
    { .key = "intake_right_m", .type = HY_YAML_OTHER, .read = read_region },
    { .key = "tube_m", .type = HY_YAML_OTHER, .read = read_region },
};
static const hy_yaml_table shape_table = HY_YAML_TABLE("shape", shape_fields);

/// A shape in the file replaces all of the default one.
static bool read_shape(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_tank_spec *spec = &((hy_vehicle_spec *)target)->of.tank;
    (void)field;
    spec->part_count = 0;
    return hy_yaml_map(yaml, &shape_table, node, spec);
}

static const hy_yaml_field body_fields[] = {
    HY_NUMBER(hy_vehicle_spec, "mass_kg", mass_kg, 1, 1000, 1),
    HY_NUMBER(hy_vehicle_spec, "inertia_kg_m2", inertia_kg_m2, 0.01, 1000, 1),
};
static const hy_yaml_table body_table = HY_YAML_TABLE("body", body_fields);

static const hy_yaml_field drive_fields[] = {
    { .key = "model", .type = HY_YAML_OTHER, .read = read_drive_model },
    NUMBER("wheel_radius_m", wheel_radius_m, 0.01, 0.5, 1),
    NUMBER("track_m", track_m, 0.1, 2, 1),
    NUMBER("wheelbase_m", wheelbase_m, 0.05, 2, 1),
    NUMBER("left_rpm", left_rad_s, 10, 3000, HY_RAD_S_PER_RPM),
    NUMBER("right_rpm", right_rad_s, 10, 3000, HY_RAD_S_PER_RPM),
    NUMBER("grip", grip, 0.05, 2, 1),
    NUMBER("rolling_resistance", rolling_resistance, 0, 0.2, 1),
    NUMBER("scrub", scrub, 0, 1, 1),
    NUMBER("nominal_v", motor.nominal_v, 1, 48, 1),
    NUMBER("start_v", motor.start_v, 0, 10, 1),
    NUMBER("stall_a", motor.stall_a, 0.1, 2000, 1),
    NUMBER("stall_n_m", motor.stall_n_m, 0.01, 500, 1),
    NUMBER("gear_ratio", motor.gear_ratio, 1, 1000, 1),
    NUMBER("rotor_kg_m2", motor.rotor_kg_m2, 1e-9, 1e-2, 1),
    NUMBER("load_kg_m2", motor.load_kg_m2, 0, 1, 1),
    NUMBER("counts_per_turn", motor.counts_per_turn, 1, 100000, 1),
};
static const hy_yaml_table drive_table = HY_YAML_TABLE("drive", drive_fields);

static const hy_yaml_field intake_fields[] = {
    NUMBER("center_rpm", intake_rad_s[0], 0, 1000, HY_RAD_S_PER_RPM),
    NUMBER("left_rpm", intake_rad_s[1], 0, 1000, HY_RAD_S_PER_RPM),
    NUMBER("right_rpm", intake_rad_s[2], 0, 1000, HY_RAD_S_PER_RPM),
    NUMBER("tube_rpm", intake_rad_s[3], 0, 1000, HY_RAD_S_PER_RPM),
};
static const hy_yaml_table intake_table = HY_YAML_TABLE("intake", intake_fields);

static const hy_yaml_field lidar_fields[] = {
    NUMBER("near_m", lidar.near_m, 0, 10, 1),
    NUMBER("far_m", lidar.far_m, 0.1, 200, 1),
    NUMBER("rays_per_s", lidar.rays_per_s, 1, 20000, 1),
    NUMBER("sweeps_per_s", lidar.sweeps_per_s, 1, 1000, 1),
};
static const hy_yaml_table lidar_table = HY_YAML_TABLE("lidar", lidar_fields);

static bool read_lidar(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_tank_spec *spec = &((hy_vehicle_spec *)target)->of.tank;
    (void)field;
    spec->lidar.fitted = true;
    return hy_yaml_map(yaml, &lidar_table, node, spec);
}

static const hy_yaml_field fields[] = {
    { .key = "kind", .type = HY_YAML_OTHER, .read = hy_skip_kind, .required = true },
    { .key = "start", .type = HY_YAML_MAP, .table = &hy_start_table, .required = true },
    { .key = "team",
      .type = HY_YAML_TEXT,
      .offset = offsetof(hy_vehicle_spec, of.tank.team),
      .high = sizeof((hy_tank_spec *)0)->team },
    { .key = "alliance", .type = HY_YAML_OTHER, .read = read_side },
    HY_MAP("body", 0, body_table),
    MAP("drive", drive_table),
    MAP("intake", intake_table),
    { .key = "lidar", .type = HY_YAML_OTHER, .read = read_lidar },
    { .key = "shape", .type = HY_YAML_OTHER, .read = read_shape },
    HY_MAP("battery", 0, hy_battery_table),
    HY_MAP("imu", 0, hy_imu_table),
};
static const hy_yaml_table table = HY_YAML_TABLE("a vehicle of kind tank", fields);

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
        const hy_world_point a = part->corners[i], b = part->corners[(i + 1) % part->count];
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
    const hy_tank_spec *spec = &any->of.tank;
    double area_m2 = 0, second_m4 = 0;
    for (size_t i = 0; i < spec->part_count; i++) {
        if (spec->part[i].kind == HY_PART_BODY || spec->part[i].kind == HY_PART_BUMPER) {
            add_moments(&spec->part[i], &area_m2, &second_m4);
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
    if (spec->lidar.near_m >= spec->lidar.far_m) {
        return "lidar: near_m must be less than far_m";
    }
    if (spec->lidar.rays_per_s != floor(spec->lidar.rays_per_s) ||
        spec->lidar.sweeps_per_s != floor(spec->lidar.sweeps_per_s)) {
        return "lidar: rays_per_s and sweeps_per_s must be whole numbers";
    }
    if (spec->lidar.rays_per_s < 8 * spec->lidar.sweeps_per_s) {
        return "lidar: a sweep must have at least 8 rays";
    }
    return NULL;
}

/// The corners of the box around all parts.
static void set_outline(hy_vehicle_model *vehicle)
{
    hy_vec low = { INFINITY, INFINITY }, high = { -INFINITY, -INFINITY };
    for (size_t i = 0; i < vehicle->part_count; i++) {
        for (size_t k = 0; k < vehicle->part[i].count; k++) {
            const hy_world_point at = vehicle->part[i].corners[k];
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

static void set_facts(const hy_tank_spec *spec, hy_tank_model *tank)
{
    hy_world_tank *facts = &tank->facts;
    memcpy(facts->team, spec->team, sizeof facts->team);
    facts->side = spec->side;
    facts->drive = spec->drive_model;
    facts->left_drive_rad_s = tank->full_rad_s[HY_DRIVE_LEFT];
    facts->right_drive_rad_s = tank->full_rad_s[HY_DRIVE_RIGHT];
    facts->intake_center_rad_s = tank->full_rad_s[HY_TANK_INTAKES];
    facts->intake_left_rad_s = tank->full_rad_s[HY_TANK_INTAKES + 1];
    facts->intake_right_rad_s = tank->full_rad_s[HY_TANK_INTAKES + 2];
    facts->tube_rad_s = tank->full_rad_s[HY_TANK_INTAKES + 3];
    facts->wheel_radius_m = spec->wheel_radius_m;
    facts->track_m = spec->track_m;
    facts->wheelbase_m = spec->wheelbase_m;
    facts->has_lidar = spec->lidar.fitted;
    facts->lidar_near_m = spec->lidar.near_m;
    facts->lidar_far_m = spec->lidar.far_m;
    facts->lidar_ray_rad = 2 * HY_PI * spec->lidar.sweeps_per_s / spec->lidar.rays_per_s;
}

static const char *build(const hy_vehicle_spec *any, hy_vehicle_model *vehicle)
{
    const hy_tank_spec *spec = &any->of.tank;
    const char *wrong = contradiction(any);
    if (wrong != NULL) {
        return wrong;
    }
    vehicle->stays_in_engine = true;
    vehicle->part_count = spec->part_count;
    memcpy(vehicle->part, spec->part, sizeof vehicle->part);
    set_outline(vehicle);
    vehicle->tank = (hy_tank_model){
        .drive = { .track_m = spec->track_m,
                   .radius_m = { spec->wheel_radius_m, spec->wheel_radius_m },
                   .grip = spec->grip,
                   .rolling_resistance = spec->rolling_resistance,
                   .caster_ahead_m = 1 }, // it has none: nothing lies on it
        .rays_per_s = (uint64_t)spec->lidar.rays_per_s,
        .sweeps_per_s = (uint64_t)spec->lidar.sweeps_per_s,
    };
    // Wheels at one end slide sideways when the robot turns: the share `scrub` of its weight.
    vehicle->tank.scrub_rad_s = spec->grip * spec->scrub * any->mass_kg * GRAVITY_M_S2 *
                                spec->wheelbase_m / 2 / any->inertia_kg_m2;
    set_motors(spec, vehicle);
    if (spec->drive_model == HY_WORLD_DRIVE_IDEAL) {
        become_reference(any, vehicle);
    }
    set_facts(spec, &vehicle->tank);
    return NULL;
}

static void prepare(hy_vehicle_model *vehicle, double step_s)
{
    hy_tank_model *tank = &vehicle->tank;
    hy_drive_model *drive = &tank->drive;
    tank->scrub_rad_s *= step_s;
    tank->facts.lidar_rays_per_step =
        tank->facts.has_lidar ? (unsigned)((double)tank->rays_per_s * step_s + 0.5) : 0;
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
    double rim_m_s[HY_DRIVE_SIDES];
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
                            const double *volts, double *shaft_rad_s)
{
    const hy_drive_model *drive = &vehicle->tank.drive;
    hy_drive_state wheels = { .motion = state->motion, .pushed = state->pushed };
    const double scrub = vehicle->tank.scrub_rad_s;
    wheels.motion.turn -= hy_clamp(wheels.motion.turn, -scrub, scrub, 0);
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        wheels.volts[i] = volts[i];
        wheels.rim_m_s[i] = state->shaft_rad_s[i] * drive->radius_m[i];
    }
    hy_drive_step(drive, &vehicle->body, &wheels);
    state->motion = wheels.motion;
    for (int i = 0; i < HY_DRIVE_SIDES; i++) {
        shaft_rad_s[i] = wheels.rim_m_s[i] / drive->radius_m[i];
    }
}

static void drive(const hy_vehicle_model *vehicle, hy_vehicle_state *state, const double *volts,
                  double *shaft_rad_s)
{
    for (int i = HY_TANK_INTAKES; i < HY_TANK_MOTORS; i++) {
        shaft_rad_s[i] = state->duty[i] * vehicle->tank.full_rad_s[i];
    }
    if (vehicle->tank.facts.drive == HY_WORLD_DRIVE_IDEAL) {
        drive_ideally(vehicle, state, shaft_rad_s);
    } else {
        drive_by_motors(vehicle, state, volts, shaft_rad_s);
    }
}

const hy_vehicle_kind hy_vehicle_tank = { "tank", &table, set_defaults, build, prepare, drive };
