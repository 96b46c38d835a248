/// @file bot_trajectory.h
/// Ways over the floor and how to follow them: splines through waypoints, trajectories that say
/// where to be when, and the controllers that keep a robot on them. Names and meanings are
/// WPILib's.
///
/// No allocation: a trajectory is made in memory of the caller's. A struct serves one thread at a
/// time. Numbers that are not finite are refused with HY_ERANGE or false; a follower that gets a
/// pose which is not finite says "stand still".
///
///     static hy_trajectory_state states[200];
///     hy_trajectory way;
///     hy_trajectory_init(&way, states, 200);
///     const hy_pose2d waypoints[] = { hy_pose2d_at(0, 0, 0), hy_pose2d_at(1, 0.5, 0) };
///     const hy_trajectory_config config = { .max_velocity_m_s = 0.3,
///                                           .max_acceleration_m_s2 = 0.5 };
///     if (hy_trajectory_generate(&way, waypoints, 2, &config) == HY_OK) {
///         const hy_trajectory_state half_a_second_later = hy_trajectory_sample(&way, 0.5);
///     }
#ifndef HALYARD_BOT_TRAJECTORY_H
#define HALYARD_BOT_TRAJECTORY_H

#include <halyard/bot_control.h>
#include <halyard/bot_kinematics.h>

HY_API_BEGIN

// --------------------------------------------------------------------------- splines

/// One end of a spline: place, and first and second derivative by the spline's parameter, in
/// metres.
typedef struct {
    double x_m, dx_m, ddx_m, y_m, dy_m, ddy_m;
} hy_spline_end;

/// A curve for t in [0, 1]: x = x[0] + x[1] t + ... + x[5] t^5, and y likewise.
typedef struct {
    double x[6], y[6];
} hy_spline;

/// A point of a curve.
typedef struct {
    hy_pose2d pose;         ///< Place, and the direction of the curve.
    double curvature_rad_m; ///< Positive to the left.
} hy_spline_point;

/// Hermite splines: the cubic has the ends' places and first derivatives, the quintic the second
/// ones too.
hy_spline hy_spline_cubic(const hy_spline_end *start, const hy_spline_end *end);
hy_spline hy_spline_quintic(const hy_spline_end *start, const hy_spline_end *end);

/// The point at `t`. False if the curve has no direction there: it stops or turns on its heel.
bool hy_spline_at(const hy_spline *spline, double t, hy_spline_point *out);

// --------------------------------------------------------------------------- trajectories

/// Where to be at a moment, and how to move there.
typedef struct {
    double t_s;               ///< Since the start.
    double velocity_m_s;      ///< Along the way; negative if it is driven backwards.
    double acceleration_m_s2; ///< Until the next state.
    hy_pose2d pose;
    double curvature_rad_m;
} hy_trajectory_state;

/// A timed way, in memory of the caller's.
typedef struct {
    hy_trajectory_state *states; ///< Read-only: `count` of them, the first at 0 s.
    size_t count;                ///< Read-only.
    double total_s;              ///< Read-only.
    size_t capacity;             // private
} hy_trajectory;

/// How fast a way may be driven. What is NULL or 0 from `max_centripetal_m_s2` on does not limit.
typedef struct {
    double max_velocity_m_s;                     ///< Positive.
    double max_acceleration_m_s2;                ///< Positive.
    double start_velocity_m_s, end_velocity_m_s; ///< Not negative; met exactly, or refused.
    bool reversed; ///< Driven backwards; waypoints say where the robot's front looks.
    double max_centripetal_m_s2;
    const hy_differential_kinematics *differential; ///< No wheel faster than max_velocity_m_s.
    const hy_swerve_kinematics *swerve;             ///< No wheel faster than max_velocity_m_s.
} hy_trajectory_config;

/// A way through points, with a direction only at its ends.
typedef struct {
    hy_pose2d start, end;
    const hy_translation2d *interior; ///< At most HY_TRAJECTORY_INTERIOR.
    size_t interior_count;
} hy_cubic_path;

#define HY_TRAJECTORY_INTERIOR 32

/// An empty trajectory that will live in `memory`. A state is needed every 12 cm, and closer in
/// curves; HY_EFULL says that there were too few.
void hy_trajectory_init(hy_trajectory *self, hy_trajectory_state *memory, size_t capacity);

/// Makes a trajectory through 2 or more poses: quintic splines whose curvature does not jump.
/// HY_EFULL: too little memory. HY_ERANGE: a number is not finite or not in its range, there are
/// too few waypoints, or the first or the last velocity cannot be met: a limit forbids it at that
/// place, or the way is too short to slow down from the one or to speed up to the other.
/// HY_EFORMAT: the way is malformed, as where neighbours lie close together and look in opposite
/// directions. The trajectory is empty then. O(states).
hy_status hy_trajectory_generate(hy_trajectory *self, const hy_pose2d *waypoints, size_t count,
                                 const hy_trajectory_config *config);

/// The same along cubic splines, which choose the directions between start and end themselves.
hy_status hy_trajectory_generate_cubic(hy_trajectory *self, const hy_cubic_path *path,
                                       const hy_trajectory_config *config);

/// The same along quintic splines between `count` ends of the caller's (with `reversed`, first
/// derivatives are turned around).
hy_status hy_trajectory_generate_quintic(hy_trajectory *self, const hy_spline_end *ends,
                                         size_t count, const hy_trajectory_config *config);

/// Where to be `t_s` after the start; before it the first state, after the end the last, at rest at
/// the origin if there is none. NaN counts as 0. O(log states).
hy_trajectory_state hy_trajectory_sample(const hy_trajectory *self, double t_s);

/// Moves the whole trajectory: so that it starts at its start moved by `transform`; and as seen
/// from `origin`. O(states).
void hy_trajectory_transform_by(hy_trajectory *self, hy_transform2d transform);
void hy_trajectory_relative_to(hy_trajectory *self, hy_pose2d origin);

/// Drives `next` behind this one; of the two states where they meet, that of `next` stays. Nothing
/// changes with HY_EFULL, if it does not fit, and with HY_ERANGE, if they do not meet: place,
/// direction and velocity there have to be the same to 1e-6. O(states).
hy_status hy_trajectory_append(hy_trajectory *self, const hy_trajectory *next);

// --------------------------------------------------------------------------- followers

/// How near is near enough: along x, along y, and by direction; all must be smaller.
typedef struct {
    double x_m, y_m, angle_rad;
} hy_pose_tolerance;

/// Brings a differential drive back onto its trajectory (Ramsete).
typedef struct {
    hy_pose2d error;             ///< Read-only: the wanted pose as seen from the robot.
    hy_pose_tolerance tolerance; ///< The caller's to set.
    double b, zeta;              // private
} hy_ramsete;

/// `b` > 0 (rad^2/m^2) makes it quicker, `zeta` in (0, 1) damps; WPILib takes 2.0 and 0.7. False,
/// and nothing changes, otherwise.
bool hy_ramsete_init(hy_ramsete *self, double b, double zeta);

/// What the robot should do now.
hy_chassis_speeds hy_ramsete_calculate(hy_ramsete *self, hy_pose2d pose,
                                       const hy_trajectory_state *wanted);
bool hy_ramsete_at_reference(const hy_ramsete *self);

/// Brings a robot that can move sideways back onto its trajectory while it looks wherever it is
/// told to.
typedef struct {
    hy_pid x, y;                 ///< m/s per metre.
    hy_profiled_pid theta;       ///< rad/s per radian.
    hy_pose2d error;             ///< Read-only: the wanted pose as seen from the robot.
    hy_rotation2d heading_error; ///< Read-only.
    hy_pose_tolerance tolerance; ///< The caller's to set.
    bool started;                // private
} hy_holonomic;

/// Takes copies of its three controllers. The angle's becomes continuous. It starts with the first
/// pose that it sees.
void hy_holonomic_init(hy_holonomic *self, const hy_pid *x, const hy_pid *y,
                       const hy_profiled_pid *theta);

/// What the robot should do now, in its own frame; `heading` is where it should look in the end.
hy_chassis_speeds hy_holonomic_calculate(hy_holonomic *self, hy_pose2d pose,
                                         const hy_trajectory_state *wanted, hy_rotation2d heading);
bool hy_holonomic_at_reference(const hy_holonomic *self);

/// Drives along straight lines from point to point by always aiming at the point a lookahead away:
/// simple, needs no timing, and cuts corners.
typedef struct {
    size_t segment; ///< Read-only: the robot is between points `segment` and `segment` + 1 ...
    double share;   ///< Read-only: ... at this share of the way, [0, 1].
    hy_translation2d goal; ///< Read-only: what it aims at.
    double to_end_m;       ///< Read-only: straight to the last point.
    // Private.
    const hy_translation2d *path;
    size_t count;
    double lookahead_m;
} hy_pure_pursuit;

/// `path` has 2 or more points and must outlive this. False, and nothing changes, if a number is
/// not finite or `lookahead_m` is not positive. O(points).
bool hy_pure_pursuit_init(hy_pure_pursuit *self, const hy_translation2d *path, size_t count,
                          double lookahead_m);

/// What to do at `speed_m_s` (negative: backwards). It never turns back: of a path that crosses
/// itself it takes the branch that comes next. O(points that were passed).
hy_chassis_speeds hy_pure_pursuit_calculate(hy_pure_pursuit *self, hy_pose2d pose,
                                            double speed_m_s);

/// True once the robot has been beside the last segment and within `tolerance_m` of its end.
bool hy_pure_pursuit_at_end(const hy_pure_pursuit *self, double tolerance_m);

HY_API_END

#endif
