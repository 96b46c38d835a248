/// @file world_spec.h
/// What sets one robot apart from its type: unequal motors, wheels of unequal size, a battery that
/// is half empty, sensors that read a little too much. An ideal robot has none of that.
///
/// The traits are part of a vehicle's spec (world_spec.h): hy_world_compile() applies them on top
/// of the vehicle's numbers, and recordings keep them with the spec. docs/spec/robot.md says where
/// the numbers come from; worldfile.h reads and writes them as files.
///
///     hy_robot_traits traits;
///     hy_robot_traits_draw(&traits, 7);
///     printf("%s: its right motor has %.0f %% of the left one's torque\n", traits.name,
///            100 * traits.strength[1] / traits.strength[0]);
///
/// ## A world
///
/// What a world holds, as plain structs: the floor, its mat, obstacles, goals, game pieces and
/// vehicles with their sensors. A spec is filled by a program or by a reader of files
/// (worldfile.h), may be edited, and is compiled into a model by hy_world_compile() (world.h),
/// which checks it.
///
/// SI units; x to the right (east), y up (north) on the map, headings counter-clockwise from +x.
/// The names, ranges and units of all fields are in tables, which the readers, the checks and the
/// byte form share.
///
///     hy_world_spec spec;
///     hy_world_spec_init(&spec);
///     spec.width_m = spec.height_m = 2;
///     hy_vehicle_spec *const robot = hy_world_spec_add_vehicle(&spec, "xrp");
///     robot->start_x_m = robot->start_y_m = 1;
///     // ... hy_world_compile(&spec, &model, &error) ...
///     hy_world_spec_free(&spec);
#ifndef HALYARD_WORLD_SPEC_H
#define HALYARD_WORLD_SPEC_H

#include <halyard/base.h>

HY_API_BEGIN

#define HY_ROBOT_TEXT 32 ///< Bytes of the name of a robot, its end included.

typedef enum {
    HY_DECAY_CONTROLLER, ///< As the robot's controller does it; without one, the bridge brakes.
    HY_DECAY_BRAKE,      ///< It shorts the motor: slow decay.
    HY_DECAY_COAST,      ///< It disconnects the motor: fast decay, through diodes.
} hy_bridge_decay;

/// The differences of one robot from its type. Arrays hold left, right. What is called a factor
/// multiplies the type's number, and 1 changes nothing.
typedef struct {
    char name[HY_ROBOT_TEXT]; ///< For people: "typical".
    // Motors: factors of the torque at a given voltage, of the speed without load at a given
    // voltage, and of the dry friction of a shaft that turns.
    double strength[2], speed[2], friction[2];
    /// How much more dry friction a shaft that stands has than one that turns, as a share; 0: as
    /// the type has it.
    double breakaway;
    hy_bridge_decay decay; ///< HY_DECAY_CONTROLLER: as the type has it.
    double pwm_hz;         ///< Of a bridge that coasts; 0: as the type has it.
    double inductance_h;   ///< Of one motor; 0: as the type has it.
    double wheel_size[2];  ///< Factors of the diameter.
    double track;          ///< Factor of the distance between the wheels.
    double mass, inertia;  ///< Factors.
    double battery_v;      ///< Without load, at the start; 0: as the type has it.
    double battery_ohm;    ///< Cells and wiring, at the start; 0: as the type has it.
    double battery_ah;     ///< Ampere hours of a full battery; 0: it never empties.
    // Reflectance sensors: a reading is white + (black - white) * darkness.
    double white[2], black[2];
    double gyro_scale;      ///< A reading is so many times the true rate.
    double gyro_bias_rad_s; ///< What calibration leaves, in addition to what is drawn at the start.
    double gyro_step_rad_s; ///< Readings are multiples of this; 0: of nothing.
    double gyro_warm_up_rad_s; ///< Bias at power-up that goes within minutes.
    /// How well the rangefinder hears: 1 as it was measured, a factor of all distances; 0: it hears
    /// every echo, at fixed times.
    double echoes;
    double spikes_per_s; ///< How often running motors disturb it, if it does not hear every echo.
    /// Of a swerve robot's azimuths: how far a module can be turned while its motor stands; 0: as
    /// the type has it.
    double azimuth_play_rad;
} hy_robot_traits;

/// No differences; its name is "ideal".
void hy_robot_traits_ideal(hy_robot_traits *out);

/// A fixed robot with differences of ordinary size; its name is "typical".
void hy_robot_traits_typical(hy_robot_traits *out);

/// The robot of that number, drawn from the distributions of docs/spec/robot.md; its name is "robot
/// 7" for seed 7. The same seed gives the same robot on every machine.
void hy_robot_traits_draw(hy_robot_traits *out, uint64_t seed);

/// Whether all but the name is as hy_robot_traits_ideal() has it.
bool hy_robot_traits_are_ideal(const hy_robot_traits *traits);

// --------------------------------------------------------------------------- a world

#define HY_WORLD_VEHICLES  8    ///< Most vehicles of one world.
#define HY_WORLD_PIECES    64   ///< Most game pieces.
#define HY_WORLD_GOALS     4    ///< Most goals.
#define HY_WORLD_OBSTACLES 1000 ///< Most obstacles.
#define HY_WORLD_REGIONS   32   ///< Most regions of the floor.
#define HY_WORLD_CORNERS   8    ///< Most corners of one convex polygon.
#define HY_WORLD_BORDER    64   ///< Most corners of the floor's edge.
#define HY_WORLD_PARTS     24   ///< Most polygons of one vehicle, its regions included.
#define HY_WORLD_SENSORS   12   ///< Most sensors of one vehicle.
#define HY_WORLD_TEXT      64   ///< Bytes of the name of a world, its end included.
#define HY_SENSOR_TEXT     24   ///< Bytes of the name of a sensor, its end included.
#define HY_TEAM_TEXT       32   ///< Bytes of the name of a team, its end included.
#define HY_WORLD_PATH      256  ///< Bytes of the path of a glTF model, its end included.

/// Most cells of a mat: 16 MiB.
#define HY_MAT_CELLS ((size_t)16 << 20)

/// Where a vehicle or a goal was described, for messages: both from 1; 0 if in no file.
typedef struct {
    unsigned line, column;
} hy_spec_place;

// --------------------------------------------------------------------------- sensors

typedef enum {
    HY_SENSOR_IMU,
    HY_SENSOR_REFLECTANCE,
    HY_SENSOR_RANGE,
    HY_SENSOR_LIDAR,
    HY_SENSOR_TYPES, ///< How many there are.
} hy_sensor_type;

typedef struct {
    double gyro_noise_rad_s, gyro_bias_rad_s;
    double gyro_drift_rad_s; ///< Per square root of a second.
    double accel_noise_m_s2, accel_bias_m_s2;
} hy_imu_spec;

typedef struct {
    double spot_radius_m, noise;
} hy_reflectance_spec;

typedef struct {
    double half_cone_rad, near_m, far_m, noise_m, period_s;
} hy_range_spec;

typedef struct {
    double near_m, far_m;
    double rays_per_s, sweeps_per_s; ///< Whole numbers.
    /// A wired lidar takes that of hy_world_set_lidar_noise() if it is more than 0.
    double noise_m;
} hy_lidar_spec;

/// A sensor of a vehicle.
typedef struct {
    hy_sensor_type type;
    /// It is connected to the pins of the vehicle's board (hy_sensors), a lidar to the messages of
    /// the match. At most one IMU, two reflectance sensors (left, right), one range sensor and one
    /// lidar are.
    bool wired;
    char name[HY_SENSOR_TEXT]; ///< Of its readings, if it is not wired.
    hy_point at_m;             ///< In the vehicle's axes.
    double heading_rad;        ///< Of a range sensor or a lidar that is not wired: where it looks.
    union {
        hy_imu_spec imu;
        hy_reflectance_spec reflectance;
        hy_range_spec range;
        hy_lidar_spec lidar;
    } of; ///< `type` says which.
} hy_sensor_spec;

/// Sets a sensor to the defaults of its type: not wired, without a name, at the origin.
void hy_sensor_spec_init(hy_sensor_spec *sensor, hy_sensor_type type);

/// "imu", "reflectance", "range", "lidar"; static.
const char *hy_sensor_type_name(hy_sensor_type type);

// --------------------------------------------------------------------------- vehicles

typedef enum {
    HY_VEHICLE_XRP,
    HY_VEHICLE_SWERVE,
    HY_VEHICLE_TANK,
    HY_VEHICLE_TYPES, ///< How many there are.
} hy_vehicle_type;

/// A gear motor as its data sheet has it, at the output shaft; docs/spec/world.md has the source of
/// each.
typedef struct {
    double nominal_v, no_load_rad_s, start_v, stall_a, stall_n_m, gear_ratio, rotor_kg_m2,
        load_kg_m2, counts_per_turn;
    /// How much more dry friction a shaft that stands has than one that turns, as a share: with 0.5
    /// it is 1.5 times as much.
    double breakaway;
} hy_motor_spec;

/// The bridges between a controller and its motors: what they do in the off-phase of their PWM, and
/// at duty 0.
typedef struct {
    hy_bridge_decay decay;
    double pwm_hz;       ///< Of a bridge that coasts; 0: as the controller has it.
    double inductance_h; ///< Of one motor.
} hy_bridge_spec;

typedef struct {
    double open_v;         ///< Voltage without load.
    double resistance_ohm; ///< Cells and wiring.
    double board_a;        ///< What the electronics draw.
} hy_battery_spec;

/// What only an XRP has: two driven wheels, a caster, two free motors, servos.
typedef struct {
    double diameter_m, track_m, left_size, right_size, grip, rolling_resistance;
    double caster_ahead_m, caster_friction;
    double com_height_m; ///< Of the centre of mass: by it load shifts when the robot accelerates.
    hy_motor_spec motor;
    double left_speed, right_speed;
    double servo_rad_s;
} hy_xrp_spec;

/// What only a robot with four steered wheels has.
typedef struct {
    double wheelbase_m, track_m, diameter_m, grip, creep_m_s, rolling_resistance, patch_radius_m;
    hy_motor_spec drive, azimuth;
    double play_rad; ///< How far a module can be turned while its azimuth motor stands.
    /// How far the modules may point to either side of forward when the robot is switched on, which
    /// is where their encoders begin to count: 0..pi, drawn from the world's seed.
    double start_rad;
    /// How far to either side of forward a module's home switch is closed; 0: it has none.
    double home_rad;
} hy_swerve_spec;

/// How a tank's drive moves it.
typedef enum {
    HY_WORLD_DRIVE_DCMOTOR, ///< Motors, battery, tyres that slip, mass.
    HY_WORLD_DRIVE_IDEAL,   ///< Kinematics of the reference simulator, its rounded units included.
} hy_world_drive;

/// What a part of a vehicle is.
typedef enum {
    HY_PART_BODY,
    HY_PART_BUMPER,
    HY_PART_INTAKE_CENTER, ///< These take pieces in: nothing to see but what holds them.
    HY_PART_INTAKE_LEFT,
    HY_PART_INTAKE_RIGHT,
    HY_PART_TUBE,
} hy_world_part_kind;

typedef struct {
    hy_world_part_kind kind;
    hy_point corners[HY_WORLD_CORNERS]; ///< In the vehicle's axes, convex, counter-clockwise.
    size_t count;
} hy_world_part;

/// What only a competition robot has.
typedef struct {
    char team[HY_TEAM_TEXT]; ///< "" if it has none.
    hy_alliance side;
    hy_world_drive drive;
    double left_rad_s, right_rad_s, intake_rad_s[4]; ///< Center, left, right, tube.
    double wheel_radius_m, track_m, wheelbase_m, grip, rolling_resistance, scrub;
    hy_motor_spec motor;    ///< Of one side, all its motors together; its no-load speed is above.
    double limit_a;         ///< Most current of one motor of the drive; 0: no limit.
    double motors_per_side; ///< How many motors share a side's current; 0 counts as 1.
    /// Battery voltage below which the robot's controller switches its outputs off; 0: never.
    double brownout_v;
    hy_world_part part[HY_WORLD_PARTS];
    size_t part_count;
} hy_tank_spec;

typedef struct {
    hy_vehicle_type type;
    hy_spec_place place;
    double start_x_m, start_y_m, start_heading_rad;
    double mass_kg, inertia_kg_m2, com_ahead_m, front_m, rear_m, width_m;
    hy_battery_spec battery;
    hy_bridge_spec bridge; ///< Of an XRP.
    /// What sets this XRP apart from others; compiling applies it to the numbers of this struct.
    hy_robot_traits traits;
    size_t traits_count; ///< 1: it has `traits`; 0: it is an ideal robot.
    hy_sensor_spec sensor[HY_WORLD_SENSORS];
    size_t sensor_count;
    /// A binary glTF file that is drawn instead of the page's own shape; "": none. No part of the
    /// byte form.
    char gltf[HY_WORLD_PATH];
    union {
        hy_xrp_spec xrp;
        hy_swerve_spec swerve;
        hy_tank_spec tank;
    } of; ///< `type` says which.
} hy_vehicle_spec;

/// Sets a vehicle to the defaults of its type; it starts at the origin. O(1).
void hy_vehicle_spec_init(hy_vehicle_spec *vehicle, hy_vehicle_type type);

/// "xrp", "swerve" or "tank"; static.
const char *hy_vehicle_type_name(hy_vehicle_type type);
/// The type of that name. False if there is none.
bool hy_vehicle_type_find(const char *name, hy_vehicle_type *type);

/// Whether robots of that type can have traits.
bool hy_vehicle_type_has_traits(hy_vehicle_type type);
/// Makes it the robot that `traits` describes, as far as they are of its type: those of a swerve
/// robot are its azimuths', those of an XRP all others. False, and nothing changes, if its type has
/// no traits.
bool hy_vehicle_spec_set_traits(hy_vehicle_spec *vehicle, const hy_robot_traits *traits);

/// The sensor that is wired as the `number`th (from 0) of its type, or NULL.
hy_sensor_spec *hy_vehicle_spec_wired(hy_vehicle_spec *vehicle, hy_sensor_type type, size_t number);

/// Adds a sensor with the defaults of its type; NULL if the vehicle has HY_WORLD_SENSORS of them.
hy_sensor_spec *hy_vehicle_spec_add_sensor(hy_vehicle_spec *vehicle, hy_sensor_type type);

// --------------------------------------------------------------------------- mats

/// How dark the floor is: a raster of one byte a cell.
typedef struct {
    /// malloc()ed; rows from the lower left corner, 0 white .. 255 black. NULL: no mat.
    uint8_t *cells;
    size_t columns, rows;
    hy_point corner_m, size_m; ///< Lower left corner on the floor; width and height.
    double work_left;          ///< Private: what painting may still do.
} hy_mat_spec;

/// Makes `columns` by `rows` cells of one shade; set `corner_m` and `size_m` before painting. False
/// if memory is used up. hy_world_spec_free() frees it.
bool hy_mat_spec_make(hy_mat_spec *mat, size_t columns, size_t rows, double shade);

// Painting: `shade` (0 white .. 1 black) covers what was there; edges are smoothed over one cell.
// Points are on the floor. O(cells around the shape); false if that is more work than one mat may
// take (64 million cells times points of a line).

/// A line through points, `width_m` across.
typedef struct {
    const hy_point *points;
    size_t count; ///< At least 1.
    double width_m;
} hy_mat_line;
/// Paints a line.
bool hy_mat_spec_line(hy_mat_spec *mat, const hy_mat_line *line, double shade);

typedef struct {
    hy_point center_m;
    double radius_m, width_m; ///< Of the line's middle, and across.
    double from_rad, to_rad;  ///< Counter-clockwise from `from_rad` to `to_rad`.
} hy_mat_arc;
/// Paints an arc.
bool hy_mat_spec_arc(hy_mat_spec *mat, const hy_mat_arc *arc, double shade);

/// Paints a disc.
bool hy_mat_spec_disc(hy_mat_spec *mat, hy_point center_m, double radius_m, double shade);

typedef struct {
    hy_point center_m, size_m;
    double angle_rad;
} hy_mat_box;
/// Paints a box, turned by its angle.
bool hy_mat_spec_box(hy_mat_spec *mat, const hy_mat_box *box, double shade);

// --------------------------------------------------------------------------- the world

typedef enum {
    HY_OBSTACLE_BOX,
    HY_OBSTACLE_DISC,
    HY_OBSTACLE_POLYGON,
} hy_obstacle_shape;

/// Something on the floor that does not move.
typedef struct {
    hy_obstacle_shape shape;
    hy_point center_m;                  ///< Of a box or a disc.
    hy_point size_m;                    ///< Of a box.
    double angle_rad;                   ///< Of a box.
    double radius_m;                    ///< Of a disc.
    hy_point corners[HY_WORLD_CORNERS]; ///< Of a polygon, convex.
    size_t corner_count;
    double height_m; ///< For drawing.
} hy_obstacle_spec;

typedef enum {
    HY_REGION_BOX,
    HY_REGION_DISC,
} hy_region_shape;

/// A region of the floor where tyres grip more or less, or that rises: dust, a wet spot, tape, a
/// rubber mat, a ramp. Reflectance sensors do not see it: paint a mat for that. Where regions
/// overlap, the grip of the last one of the list counts, and slopes add.
typedef struct {
    hy_region_shape shape;
    hy_point center_m;
    hy_point size_m;  ///< Of a box.
    double angle_rad; ///< Of a box: by which it is turned.
    double radius_m;  ///< Of a disc.
    /// Share of the grip that tyres have on the rest of the floor, 0.05 to 2.
    double grip;
    double slope_rad; ///< Of a box: by which the floor rises towards the box's +x, 0 to 20 degrees.
} hy_region_spec;

/// Where pieces count: solid to robots and to pieces on the floor, open to pieces in the air.
typedef struct {
    hy_alliance side;
    hy_point corners[HY_WORLD_CORNERS]; ///< Convex, counter-clockwise.
    size_t count;
    double floor_z_m; ///< Height of its floor; of a model's, of a piece's centre in it.
    double outtake_x_m, outtake_y_m;       ///< Where its pieces come back ...
    double outtake_vx_m_s, outtake_vy_m_s; ///< ... and how fast.
} hy_world_goal;

/// Game pieces: balls.
typedef struct {
    double radius_m, mass_kg, friction, restitution;
    double rolling_m_s2; ///< What a ball that rolls loses of its speed.
    hy_point at_m[HY_WORLD_PIECES];
    size_t count;
} hy_pieces_spec;

typedef struct {
    char source[256];         ///< The file that it came from, for messages; "": none.
    char name[HY_WORLD_TEXT]; ///< Of the world.
    double step_s;
    double width_m, height_m;         ///< Of the floor; its lower left corner is (0, 0).
    hy_point border[HY_WORLD_BORDER]; ///< Its edge, if it is no rectangle.
    size_t border_count;              ///< 0: a rectangle.
    double wall_height_m;             ///< Of its edge, for drawing.
    double floor_shade;               ///< Where no mat lies.
    char gltf[HY_WORLD_PATH];         ///< As a vehicle's: of all that stands still.
    hy_mat_spec mat;
    hy_obstacle_spec *obstacles; ///< malloc()ed; see hy_world_spec_add_obstacle().
    size_t obstacle_count;
    hy_region_spec region[HY_WORLD_REGIONS];
    size_t region_count;
    hy_vehicle_spec vehicle[HY_WORLD_VEHICLES];
    size_t vehicle_count;
    hy_world_goal goal[HY_WORLD_GOALS];
    size_t goal_count;
    hy_pieces_spec pieces;
} hy_world_spec;

/// Defaults, and nothing on a floor without size. About 50 kB are set.
void hy_world_spec_init(hy_world_spec *spec);

/// Frees the mat and the obstacles, and initialises the spec anew. One of all zero bytes is
/// harmless.
void hy_world_spec_free(hy_world_spec *spec);

/// Adds a vehicle with the defaults of a type, by its name. NULL if there is no such type, or no
/// room.
hy_vehicle_spec *hy_world_spec_add_vehicle(hy_world_spec *spec, const char *type);

/// Adds an obstacle, all zero but its shape and height. NULL if there are HY_WORLD_OBSTACLES of
/// them, or memory is used up. Pointers to earlier ones become invalid.
hy_obstacle_spec *hy_world_spec_add_obstacle(hy_world_spec *spec, hy_obstacle_shape shape);

/// How many tanks there are; and removes all but the first `most` of them.
size_t hy_world_spec_tanks(const hy_world_spec *spec);
void hy_world_spec_keep_tanks(hy_world_spec *spec, size_t most);

/// Sets the motors of a tank's drive, and their gears, to a named set: "4-neo" (the default) or
/// "4-cim". False, and nothing changes, if there is no such set.
bool hy_tank_spec_set_motors(hy_tank_spec *tank, const char *name);

/// Gives all tanks that drive.
void hy_world_spec_set_drive(hy_world_spec *spec, hy_world_drive drive);

/// Puts the corners of a convex polygon in counter-clockwise order. NULL, or a static phrase that
/// says why it is none: "it is not convex".
const char *hy_polygon_convex(hy_point *corners, size_t count);

/// The same for a simple polygon of any form.
const char *hy_polygon_simple(hy_point *corners, size_t count);

// --------------------------------------------------------------------------- bytes

/// The bytes of a spec (docs/spec/world-spec.md, little-endian; not `source` and places) into
/// `room`. Returns how many they are, also if the room is too small: then its content is undefined.
/// A spec that hy_world_compile() takes has at most 18 MiB.
size_t hy_world_spec_write(const hy_world_spec *spec, hy_room room);

/// Reads a spec from exactly these bytes. HY_EFORMAT if they are not one (then, and if HY_EMEMORY,
/// `spec` is initialised), HY_EMEMORY without memory. Ranges are checked by hy_world_compile().
/// Safe with hostile bytes: O(bytes and cells). Free `spec` with hy_world_spec_free().
hy_status hy_world_spec_read(hy_bytes bytes, hy_world_spec *spec);

// --------------------------------------------------------------------------- the tables of fields

typedef enum {
    HY_SPEC_NUMBER, ///< double
    HY_SPEC_POINT,  ///< hy_point; the range is that of both coordinates.
    HY_SPEC_TEXT,   ///< char[high]
    HY_SPEC_FLAG,   ///< bool
    HY_SPEC_CHOICE, ///< An enum, below `high`.
    HY_SPEC_LIST,   ///< `low` to `high` structs in a row, and a size_t that counts them.
    HY_SPEC_MAT,    ///< hy_mat_spec
} hy_spec_type;

typedef struct hy_spec_table hy_spec_table;

/// One field of a struct. `low` and `high` are in the unit that the name ends with, and included.
typedef struct {
    const char *section; ///< The map of a world file that has it: "wheels"; NULL: none.
    const char *name;    ///< "diameter_m"
    hy_spec_type type;
    bool needed;     ///< It has no default.
    bool is_pointer; ///< A list: the field points to the structs, which are malloc()ed.
    size_t offset;   ///< Of the field in its struct.
    double low, high;
    double unit;    ///< One of the name's units in SI units; 0 counts as 1.
    unsigned since; ///< The version of the byte form that it came with; 0 counts as 1.
    // Of a list:
    size_t count_offset;
    const hy_spec_table *const *tables; ///< Of its structs, by the enum that they begin with ...
    size_t table_count;                 ///< ... or, if 1, of all of them.
} hy_spec_field;

struct hy_spec_table {
    const char *what; ///< "a vehicle of kind xrp"
    size_t size;      ///< Of the struct.
    const hy_spec_field *fields;
    size_t count;
};

/// The fields of a world, of a goal and of a robot's traits: constant.
extern const hy_spec_table hy_world_spec_table;
extern const hy_spec_table hy_goal_spec_table;
extern const hy_spec_table hy_robot_traits_table;
/// Of a vehicle or a sensor of one type; of each obstacle's shape.
const hy_spec_table *hy_vehicle_spec_table(hy_vehicle_type type);
const hy_spec_table *hy_sensor_spec_table(hy_sensor_type type);
const hy_spec_table *hy_obstacle_spec_table(hy_obstacle_shape shape);
/// Of a region of one shape.
const hy_spec_table *hy_region_spec_table(hy_region_shape shape);

HY_API_END

#endif
