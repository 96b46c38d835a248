/// @file bot_checks.h
/// What the tests of bot have in common: numbers that are near, and the values that must never get
/// in.
#ifndef HALYARD_TESTS_BOT_CHECKS_H
#define HALYARD_TESTS_BOT_CHECKS_H

#include "cmocka_all.h"

#include <halyard/bot.h>

#include <math.h>

static inline void bot_expect_near(double value, double wanted, double tolerance, const char *text,
                                   const char *file, int line)
{
    if (!(fabs(value - wanted) <= tolerance)) { // a NaN is near nothing
        print_error("%s:%d: %s is %.17g, not %.17g\n", file, line, text, value, wanted);
        fail();
    }
}

#define expect_near(value, wanted) \
    bot_expect_near((value), (wanted), 1e-12, #value, __FILE__, __LINE__)
#define expect_within(value, wanted, tolerance) \
    bot_expect_near((value), (wanted), (tolerance), #value, __FILE__, __LINE__)

#define expect_translation(value, x, y)                \
    do {                                               \
        const hy_translation2d translation_ = (value); \
        expect_near(translation_.x_m, (x));            \
        expect_near(translation_.y_m, (y));            \
    } while (0)

/// The rotation is compared by its cosine and sine, so that -pi and pi are the same.
#define expect_rotation(value, angle_rad)           \
    do {                                            \
        const hy_rotation2d rotation_ = (value);    \
        expect_near(rotation_.cos, cos(angle_rad)); \
        expect_near(rotation_.sin, sin(angle_rad)); \
    } while (0)

#define expect_pose(value, x, y, angle_rad)              \
    do {                                                 \
        const hy_pose2d pose_ = (value);                 \
        expect_translation(pose_.translation, (x), (y)); \
        expect_rotation(pose_.rotation, (angle_rad));    \
    } while (0)

#define expect_twist(value, x, y, angle_rad)         \
    do {                                             \
        const hy_twist2d twist_ = (value);           \
        expect_near(twist_.dx_m, (x));               \
        expect_near(twist_.dy_m, (y));               \
        expect_near(twist_.dtheta_rad, (angle_rad)); \
    } while (0)

#define expect_speeds(value, vx, vy, omega)        \
    do {                                           \
        const hy_chassis_speeds speeds_ = (value); \
        expect_near(speeds_.vx_m_s, (vx));         \
        expect_near(speeds_.vy_m_s, (vy));         \
        expect_near(speeds_.omega_rad_s, (omega)); \
    } while (0)

/// What no robot may believe.
static const double bot_not_finite[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
#define for_each_not_finite(name)                                                       \
    for (size_t name##_i = 0; name##_i < 3; name##_i++)                                 \
        for (double name = bot_not_finite[name##_i], name##_once = 1; name##_once == 1; \
             name##_once = 0)

#define DEG (HY_PI / 180.0)

#endif
