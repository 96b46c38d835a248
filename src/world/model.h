/// @file model.h
/// A compiled spec, ready for stepping.
#ifndef HY_WORLD_MODEL_H
#define HY_WORLD_MODEL_H

#include "lidar/lidar.h"
#include "mat/mat.h"
#include "vehicles/bridge.h"
#include "vehicles/charge.h"
#include "vehicles/power.h"
#include "vehicles/steer.h"
#include "vehicles/tank.h"

#define HY_VEHICLE_MOTORS  HY_PIN_MOTORS ///< Most of one vehicle.
#define HY_VEHICLE_CORNERS 4
#define HY_VEHICLE_TYRES   HY_STEER_WHEELS ///< Most of one vehicle.

// The sensors that are wired. All places are in the vehicle's axes.

typedef struct {
    bool fitted;
    hy_vec at_m;
    hy_imu_spec of;
    double gyro_scale, gyro_offset_rad_s; ///< Of this IMU: 1 and 0 in an ideal one.
    double gyro_step_rad_s;               ///< Of its readings; 0: none.
    double warm_up_rad_s, warm_up_share;  ///< Bias at power-up, and what of it goes in a step.
} hy_imu_model;

typedef struct {
    size_t count; ///< So many are there: left, right.
    hy_vec at_m[HY_PIN_REFLECTANCE];
    hy_reflectance_spec of[HY_PIN_REFLECTANCE];
    double white[HY_PIN_REFLECTANCE];    ///< Reading on a white floor: 0 in an ideal robot ...
    double contrast[HY_PIN_REFLECTANCE]; ///< ... and what black adds to it: 1.
} hy_reflectance_model;

typedef struct {
    bool fitted;
    hy_vec at_m;
    hy_range_spec of;
} hy_range_model;

/// How far a range sensor is from an ideal one.
typedef struct {
    double echoes;       ///< 0: it hears every echo; 1: as it was measured; larger: from farther.
    double spike_chance; ///< That a reading is disturbed by motors that run.
} hy_sonar_model;

/// Most rays of a lidar in one step.
#define HY_LIDAR_RAYS 400

typedef struct {
    bool fitted;
    double near_m, far_m, noise_m;
    double ray_rad; ///< From one ray to the next.
    uint64_t rays_per_s, sweeps_per_s;
    hy_lidar_fan fan;
} hy_lidar_model;

/// A sensor that is not wired: its readings have names.
typedef struct {
    hy_sensor_spec spec;
    hy_pose at;              ///< In the vehicle's axes.
    uint64_t period_steps;   ///< Of a range sensor: steps between two measurements.
    double gyro_drift_rad_s; ///< Of an IMU: of its bias, in one step.
    hy_lidar_model *lidar;   ///< malloc()ed; NULL if it is none.
} hy_extra_sensor;

struct hy_vehicle_kind;

typedef struct {
    const struct hy_vehicle_kind *kind;
    bool has_traits;        ///< Its type can have them ...
    hy_robot_traits traits; ///< ... and these it has.
    hy_pose start;
    hy_body_model body;
    union { // the kind knows which
        hy_drive_model drive;
        hy_steer_model steer;
        hy_tank_model tank;
    };
    hy_vec tyre_m[HY_VEHICLE_TYRES]; ///< Where its tyres, or the middles of its sides, stand.
    size_t tyre_count;
    double rear_contact_m, front_contact_m; ///< Between which it stands on the floor, on its x axis.
    hy_motor_model motor[HY_VEHICLE_MOTORS];
    int motor_count;
    double encoder_sign; ///< +1 or -1: which way an encoder counts while its motor's duty is positive.
    hy_bridge_model bridge;  ///< Of all its motors.
    hy_battery_spec battery; ///< At the start.
    hy_charge_model charge;
    hy_power_model power;
    hy_imu_model imu;
    hy_reflectance_model reflectance;
    hy_range_model range;
    hy_sonar_model sonar; ///< Of `range`.
    hy_lidar_model lidar;
    hy_extra_sensor extra[HY_WORLD_SENSORS];
    size_t extra_count, extra_first; ///< The first one's number among those of all vehicles.
    double servo_rad_s;
    hy_vec corner_m[HY_VEHICLE_CORNERS]; ///< Outline, counter-clockwise, around the vehicle's origin.
    hy_world_part part[HY_WORLD_PARTS]; ///< What it is made of; all within the outline.
    size_t part_count;
    hy_world_part hull[HY_WORLD_PARTS]; ///< The same, in as few polygons as the engine needs.
    size_t hull_count;

    // Derived.
    hy_vec low_m, high_m;        ///< The outline's extent.
    double reach_m;              ///< From the origin to the farthest corner.
    double fastest_m_s;          ///< Most that a point of it can move.
    double push_n_s, push_n_m_s; ///< Most that its tyres can push in a step, straight and turning.
    double stride_m;             ///< What is nearer than this may be touched in the next steps.
    uint64_t range_steps;        ///< Steps between two range measurements.
    double gyro_drift_rad_s;     ///< Of the bias, in one step.
    bool stays_in_engine;   ///< Instead of only when something is near: pieces may be anywhere.
    bool meets_field_alone; ///< hy_lone_step() can move it where nothing else moves.
    size_t lidar_body;      ///< What lidars see of it.
} hy_vehicle_model;

/// Edges that stand for a disc: they stay within 1 % of its radius.
#define HY_DISC_EDGES 24

/// An obstacle.
typedef struct {
    hy_obstacle_shape shape;
    hy_pose center;                    ///< Of a polygon: the floor's origin.
    hy_vec size_m;                     ///< Of a box.
    double radius_m;                   ///< Of a disc.
    hy_vec corner_m[HY_WORLD_CORNERS]; ///< Of a polygon, counter-clockwise.
    size_t corner_count;
    double height_m; ///< For drawing.

    // Derived.
    hy_point outline[HY_DISC_EDGES]; ///< Counter-clockwise, on the floor.
    size_t outline_count;
    hy_vec middle_m; ///< Of a circle around it ...
    double reach_m;  ///< ... and that one's radius.
} hy_obstacle;

/// A region of the floor: hy_region_spec.
typedef struct {
    hy_region_shape shape;
    hy_pose center;
    hy_vec half_m;   ///< Of a box.
    double radius_m; ///< Of a disc.
    double grip;
    double slope_rad; ///< Of a box: up towards its +x.
} hy_region;

/// A wall around the floor, outside of one side of its edge.
typedef struct {
    hy_point corners[4]; ///< Counter-clockwise.
} hy_border_wall;

/// Game pieces: balls.
typedef struct {
    size_t count;
    double radius_m, mass_kg;
    double friction, restitution;
    double rolling_m_s2;  ///< What a ball that rolls loses of its speed.
    bool rolls_in_flight; ///< As in the reference: wherever it is.
    hy_vec at_m[HY_WORLD_PIECES];
} hy_pieces_model;

struct hy_world_model {
    char name[HY_WORLD_TEXT];
    char gltf[HY_WORLD_PATH], vehicle_gltf[HY_WORLD_VEHICLES][HY_WORLD_PATH]; ///< For drawing.
    uint8_t *spec; ///< malloc()ed: the bytes of the spec that it was compiled from.
    size_t spec_size;
    int64_t step_us;
    double step_s;
    double width_m, height_m;
    double wall_height_m;
    hy_point border[HY_WORLD_BORDER]; ///< The floor's edge, counter-clockwise.
    size_t border_count;              ///< While compiling 0: a rectangle.
    hy_border_wall border_wall[HY_WORLD_BORDER];
    size_t border_wall_count; ///< 0 around a rectangle: the engine has thick ones there.
    hy_mat mat;
    hy_obstacle *obstacles;
    size_t obstacle_count;
    hy_region region[HY_WORLD_REGIONS];
    size_t region_count;
    bool has_ramps;          ///< A region has a slope.
    hy_world_segment *edges; ///< Of the border, then of each obstacle in turn.
    double *edge_width_m;    ///< For each edge: how wide that is what it is an edge of.
    size_t edge_count;
    hy_vehicle_model vehicle[HY_WORLD_VEHICLES];
    size_t vehicle_count;
    size_t extra_count; ///< Of all vehicles.
    hy_pieces_model pieces;
    hy_world_goal goal[HY_WORLD_GOALS];
    size_t goal_count;

    // Derived.
    hy_lidar_shapes *lidar_shapes; ///< NULL if no vehicle has a lidar.
    size_t lidar_field;
};

/// What is wrong with a model that is prepared, beside vehicles without room; NULL if nothing is.
const char *hy_model_check(const hy_world_model *model);

/// Derives what stepping needs from what the spec said: drives, outlines, edges. False if memory
/// is used up.
bool hy_model_prepare(hy_world_model *model);

/// Where a vehicle starts that has no room there, for a message: "in another vehicle". NULL if it has.
const char *hy_model_in_the_way(const hy_world_model *model, size_t index);

#endif
