/// @file page_scene.h
/// A world as the page draws it.
#ifndef HALYARD_APPS_PAGE_SCENE_H
#define HALYARD_APPS_PAGE_SCENE_H

#include <halyard/view.h>
#include <halyard/world.h>

/// A scene and the memory behind it.
typedef struct {
    hy_view_scene scene; ///< The caller may change names, alliances and what is not there, before it is shown.
    hy_view_robot_scene robots[HY_VIEW_ROBOTS]; ///< Behind scene.robots: the world's vehicles in their order.
    // Private.
    hy_view_point *points;
    size_t point_count, point_room;
    hy_view_wall *walls;
    size_t wall_count;
    hy_view_goal goals[HY_WORLD_GOALS];
    hy_view_part parts[HY_VIEW_ROBOTS * HY_WORLD_PARTS];
    size_t part_count;
    hy_view_wheel wheels[HY_VIEW_ROBOTS * 4];
    size_t wheel_count;
} page_scene;

/// The scene of a world, whose origin is at minus `middle` then: the field's frame for a match, (0, 0) for a board's world.
/// The title is the model's. False if memory is used up.
bool page_scene_make(page_scene *self, const hy_world_model *model, hy_world_point middle);
void page_scene_free(page_scene *self);

/// Angles of a robot's modules, in the order of its wheels in the scene, from its truth. Returns how many there are: 0 if
/// its wheels do not steer.
size_t page_scene_azimuths(const hy_world_fittings *fittings, const hy_truth *truth, double out[4]);

#endif
