/// @file sim_scene.h
/// What can be drawn of a simulation: its scene, and its state after each step, as the structs of
/// scene.h, which also writes them as JSON. No socket, no clock.
///
///     static void show(hy_sim_scene *drawn, hy_sim *sim, const hy_sim_input *input, hy_text *text)
///     {
///         if (!hy_sim_scene_open(drawn, sim)) { return; }
///         hy_scene_write(text, &drawn->world.scene); // once, to the page
///         hy_sim_step(sim, input);
///         hy_sim_scene_collect(drawn, sim);          // after each step
///         hy_scene_write_state(text, hy_sim_scene_state(drawn, sim));
///         hy_sim_scene_close(drawn);
///     }
#ifndef HALYARD_SIM_SCENE_H
#define HALYARD_SIM_SCENE_H

#include <halyard/sim.h>

#include "scene/scene.h"

#define HY_SIM_SCENE_POINTS 1024 ///< Most points of one lidar in one state; the newest ones.

/// A scene, a state, and the memory behind both.
typedef struct {
    /// `world.scene` and `world.robots` are the scene. Its robots are the vehicles of the world in
    /// their order, each with the number of its player; the caller may change it until it is shown.
    hy_scene_of_world world;
    // Private.
    hy_scene_state state;
    hy_scene_robot_state robots[HY_SCENE_ROBOTS];
    hy_icd_piece pieces[HY_WORLD_PIECES];
    hy_lidar_point *points; // HY_SIM_SCENE_POINTS of each scan
    // of each vehicle first the wired lidar's
    hy_lidar_points scans[HY_SCENE_ROBOTS * (1 + HY_WORLD_SENSORS)];
    size_t scan_count;
    size_t first_scan[HY_SCENE_ROBOTS];
    hy_world_reading readings[HY_SCENE_ROBOTS][HY_WORLD_READINGS];
    uint64_t steps;  // the last step whose points were collected
    bool were_shown; // the scans: with the next step they begin anew
    hy_point middle;
} hy_sim_scene;

/// The scene of a simulation. False if memory is used up; else end it with hy_sim_scene_close().
/// `sim` must outlive it.
bool hy_sim_scene_open(hy_sim_scene *self, const hy_sim *sim);
void hy_sim_scene_close(hy_sim_scene *self); ///< All zero is harmless.

/// Keeps the points of the lidars' last step for the next state. Call it after every hy_sim_step()
/// with `world_steps`; a state shows only the points that were collected. O(points of the step),
/// nothing without lidars. No allocation.
void hy_sim_scene_collect(hy_sim_scene *self, const hy_sim *sim);

/// The state as it is now, with the points collected since the last call. `t_s` is hy_sim_now_us(),
/// `simulated_s` the simulated time. Valid until the next call or step. No allocation; costs about
/// a step.
const hy_scene_state *hy_sim_scene_state(hy_sim_scene *self, const hy_sim *sim);

#endif
