/// The field of 2020 with six robots and twenty balls: what a lidar has to do with in a match. Inches, as
/// the reference system's configuration has them.
#ifndef HALYARD_TESTS_LIDAR_FIELD_H
#define HALYARD_TESTS_LIDAR_FIELD_H

#include "../../src/world/lidar/lidar.h"

#define FIELD_ROBOTS 6
#define FIELD_BALLS  20
#define FIELD_BALL_M 0.0889
#define INCH_M       0.0254

static const hy_vec field_outside[] = {
    { 161.81, 288.58 },   { 90.94, 314.96 },   { 84.0, 314.96 },   { 84.0, 354.96 },
    { 50.0, 354.96 },     { 50.0, 314.96 },    { -90.94, 314.96 }, { -161.81, 288.58 },
    { -161.81, -288.58 }, { -90.94, -314.96 }, { -84.0, -314.96 }, { -84.0, -354.96 },
    { -50.0, -354.96 },   { -50.0, -314.96 },  { 90.94, -314.96 }, { 161.81, -288.58 },
};
static const hy_vec field_boxes[][4] = {
    { { 161.81, -59.84 }, { 161.81, -29.92 }, { 159.84, -29.92 }, { 159.84, -59.84 } },
    { { 107.48, -59.84 }, { 107.48, -29.92 }, { 105.51, -29.92 }, { 105.51, -59.84 } },
    { { -159.84, 29.92 }, { -159.84, 59.84 }, { -161.81, 59.84 }, { -161.81, 29.92 } },
    { { -105.51, 29.92 }, { -105.51, 59.84 }, { -107.48, 59.84 }, { -107.48, 29.92 } },
    { { 105.12, -47.64 }, { 100.39, -36.61 }, { 89.37, -41.34 }, { 94.09, -52.36 } },
    { { 44.88, 97.64 }, { 40.55, 108.27 }, { 29.53, 103.54 }, { 33.86, 92.52 } },
    { { -89.37, 41.34 }, { -94.09, 52.36 }, { -105.12, 47.64 }, { -100.39, 36.61 } },
    { { -29.53, -103.54 }, { -33.86, -92.52 }, { -44.88, -96.85 }, { -40.55, -108.27 } },
    { { -84.0, -314.96 }, { -84.0, -354.96 }, { -50.0, -354.96 }, { -50.0, -314.96 } },
    { { 84.0, 314.96 }, { 84.0, 354.96 }, { 50.0, 354.96 }, { 50.0, 314.96 } },
};

/// The boxes that a robot is made of: x from, to; y from, to.
static const double field_robot[][4] = {
    { 1.97, 7.87, 4.33, 12.2 },      { 1.97, 7.87, -12.2, -4.33 },
    { -20.08, 1.97, 7.09, 12.2 },    { -20.08, 1.97, -12.2, -7.09 },
    { 7.87, 11.81, 6.3, 12.2 },      { 7.87, 11.81, -12.2, -6.3 },
    { -23.62, 11.81, 12.2, 15.75 },  { -23.62, 11.81, -15.75, -12.2 },
    { -23.62, -20.08, 7.09, 12.2 },  { -23.62, -20.08, -12.2, -7.09 },
    { 1.97, 20.08, -4.33, 4.33 },    { 11.81, 20.08, 4.33, 10.24 },
    { 11.81, 20.08, -10.24, -4.33 }, { -23.62, 1.97, -7.09, 7.09 },
};

static inline void field_add(hy_lidar_shapes *shapes, const hy_vec *inches, size_t count)
{
    hy_vec corners[4];
    for (size_t i = 0; i < count; i++) {
        corners[i] = hy_vec_scale(inches[i], INCH_M);
    }
    hy_lidar_add_outline(shapes, corners, count);
}

/// The field is body 0, the robots are bodies 1 to FIELD_ROBOTS.
static inline void field_build(hy_lidar_shapes *shapes)
{
    hy_lidar_shapes_clear(shapes);
    (void)hy_lidar_add_body(shapes);
    const size_t corners = sizeof field_outside / sizeof field_outside[0];
    for (size_t i = 0; i < corners; i++) {
        hy_lidar_add_wall(shapes, hy_vec_scale(field_outside[i], INCH_M),
                          hy_vec_scale(field_outside[(i + 1) % corners], INCH_M));
    }
    for (size_t i = 0; i < sizeof field_boxes / sizeof field_boxes[0]; i++) {
        field_add(shapes, field_boxes[i], 4);
    }
    for (size_t robot = 0; robot < FIELD_ROBOTS; robot++) {
        (void)hy_lidar_add_body(shapes);
        for (size_t i = 0; i < sizeof field_robot / sizeof field_robot[0]; i++) {
            const double *b = field_robot[i];
            const hy_vec box[4] = { { b[0], b[2] }, { b[1], b[2] }, { b[1], b[3] }, { b[0], b[3] } };
            field_add(shapes, box, 4);
        }
    }
}

static inline double field_between(hy_random *random, double low, double high)
{
    return low + (high - low) * hy_random_unit(random);
}

static inline hy_vec field_somewhere(hy_random *random)
{
    const double x = field_between(random, -3.6, 3.6);
    return (hy_vec){ x, field_between(random, -7.2, 7.2) };
}

/// Puts everything somewhere.
static inline void field_scatter(hy_lidar_scene *scene, hy_random *random)
{
    const hy_pose origin = hy_pose_make(0, 0, 0);
    hy_lidar_scene_clear(scene);
    hy_lidar_place(scene, 0, &origin);
    for (size_t robot = 0; robot < FIELD_ROBOTS; robot++) {
        const hy_vec at_m = field_somewhere(random);
        const hy_pose pose = hy_pose_make(at_m.x, at_m.y, field_between(random, -3.2, 3.2));
        hy_lidar_place(scene, 1 + robot, &pose);
    }
    for (size_t ball = 0; ball < FIELD_BALLS; ball++) {
        hy_lidar_add_disc(scene, field_somewhere(random), FIELD_BALL_M);
    }
}

#endif
