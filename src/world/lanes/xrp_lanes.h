/// @file xrp_lanes.h
/// XRPs of one model, each alone in a world of its own, that are stepped together. This struct has everything that changes in such a
/// step; the rest of each vehicle's state is stored beside it, as for hy_world_step(). The results equal those of hy_world_step() bit
/// for bit.
#ifndef HY_WORLD_XRP_LANES_H
#define HY_WORLD_XRP_LANES_H

#include "state.h"

/// Robots of a group: a power of two, and at least as many as the widest vectors hold.
#define HY_XRP_LANES 8

#define HY_XRP_MOTORS 4 ///< Two wheels and two headers.

/// One number for each robot of a group.
typedef double hy_lane_row[HY_XRP_LANES];

/// hy_pose and hy_motion of each.
typedef struct {
    hy_lane_row x_m, y_m, heading_rad, cos, sin;
    hy_lane_row motion_x, motion_y, motion_turn;
} hy_xrp_motion;

typedef struct {
    hy_xrp_motion now;
    hy_lane_row pushed_x, pushed_y, pushed_turn;
    hy_lane_row shaft_rad[HY_XRP_MOTORS], shaft_rad_s[HY_XRP_MOTORS];
    hy_lane_row duty[HY_XRP_MOTORS];
    hy_lane_row next_duty[HY_XRP_MOTORS]; ///< Of the next step, within -1 and 1.
    hy_lane_row battery_v, battery_open_v, battery_ohm, used_as;
    hy_lane_row recheck_distance_m;
    uint64_t random[4][HY_XRP_LANES];
    hy_lane_row gyro_bias_rad_s[3], accel_bias_m_s2[3];
    hy_lane_row gyro_warm_up_rad_s;
    hy_lane_row gyro_rate_rad_s[3], gyro_angle_rad[3], accel_m_s2[3];
    hy_lane_row floor_noise[HY_PIN_REFLECTANCE];
    hy_lane_row range_m;
    hy_sonar_state sonar[HY_XRP_LANES];
    uint64_t steps[HY_XRP_LANES];
    bool led[HY_XRP_LANES], button[HY_XRP_LANES];
    bool next_led[HY_XRP_LANES], next_button[HY_XRP_LANES];
    bool near_edges[HY_XRP_LANES], touching[HY_XRP_LANES], touching_field[HY_XRP_LANES];
    bool any_near; ///< Any of near_edges.
    /// The work of each robot in the last step that had such work. xrp_simd.h puts robots with equal work into one vector; no result
    /// depends on it.
    uint8_t contact_kind[HY_XRP_LANES], contact_passes[HY_XRP_LANES], slide_rounds[HY_XRP_LANES];
} hy_xrp_lanes;

/// Whether a model is one that hy_xrp_lanes_step() can step: one XRP, with nothing but its wired sensors and no limit of its
/// currents, on an even floor, and nothing that moves beside it.
bool hy_xrp_lanes_fit(const hy_world_model *model);

/// Copies between a lane and a vehicle's state. hy_xrp_lanes_get() leaves values that a lane does not have unchanged.
void hy_xrp_lanes_put(hy_xrp_lanes *self, size_t lane, const hy_vehicle_state *vehicle);
void hy_xrp_lanes_get(const hy_xrp_lanes *self, size_t lane, hy_vehicle_state *vehicle);

// --------------------------------------------------------------------------- processors

/// An implementation of the step for one width of vectors.
typedef struct {
    const char *name; ///< For people: "avx2".
    /// One step of all lanes of `count` groups, servos left out. O(edges) for those near a wall and those whose range is due. NULL if
    /// the program was built without it.
    void (*step)(const hy_world_model *model, hy_xrp_lanes *groups, size_t count);
} hy_xrp_path;

enum { HY_XRP_PATHS = 3 };

/// The implementations that this processor can run, fastest first; every processor can run the last. Returns how many, at least 1.
size_t hy_xrp_paths(const hy_xrp_path *paths[HY_XRP_PATHS]);

/// Their `step` is NULL if this program was built without them.
extern const hy_xrp_path hy_xrp_avx512, hy_xrp_avx2, hy_xrp_baseline;

// --------------------------------------------------------------------------- for the implementations

/// Measures the distance to the edges again for robots that have moved so far that it may have changed, and clears the push of those
/// that are away from all edges, as hy_world_step() does first.
void hy_xrp_lanes_look(const hy_world_model *model, hy_xrp_lanes *self);

#endif
