// Trajectories are made in three passes over the caller's memory: places (splines cut into pieces
// that are nearly arcs), speeds (forwards as fast as one can get, backwards as fast as one can
// still stop), and times.
#include <halyard/bot.h>

#include "finite.h"

void hy_trajectory_init(hy_trajectory *self, hy_trajectory_state *memory, size_t capacity)
{
    *self = (hy_trajectory){ .states = memory, .capacity = capacity };
}

// --------------------------------------------------------------------------- places

static hy_status add_point(hy_trajectory *self, const hy_spline_point *point)
{
    if (self->count == self->capacity) {
        return HY_EFULL;
    }
    self->states[self->count++] =
        (hy_trajectory_state){ .pose = point->pose, .curvature_rad_m = point->curvature_rad_m };
    return HY_OK;
}

/// True if the way between two points is short, and so near to an arc, that the arc will do. The
/// limits are WPILib's: 5 inches long, 1/20 inch beside it, 5 degrees around.
static bool is_close(const hy_spline_point *a, const hy_spline_point *b)
{
    const hy_twist2d twist = hy_pose2d_log(a->pose, b->pose);
    return absolute(twist.dx_m) <= 0.127 && absolute(twist.dy_m) <= 0.00127 &&
           absolute(twist.dtheta_rad) <= 0.0872;
}

enum { MAX_HALVINGS = 24 };

/// Adds a spline's points behind its start, which is there already: pieces are halved until they
/// are close. The stack holds the ends of those that still have to be looked at.
static hy_status add_spline(hy_trajectory *self, const hy_spline *spline)
{
    double ends[MAX_HALVINGS + 1] = { 1.0 };
    size_t depth = 1;
    double from = 0.0;
    hy_spline_point here, there;
    if (!hy_spline_at(spline, 0.0, &here)) {
        return HY_EFORMAT;
    }
    while (depth > 0) {
        const double to = ends[depth - 1];
        if (!hy_spline_at(spline, to, &there)) {
            return HY_EFORMAT;
        }
        if (is_close(&here, &there)) {
            const hy_status status = add_point(self, &there);
            if (status < HY_OK) {
                return status;
            }
            here = there;
            from = to;
            depth--;
        } else if (depth > MAX_HALVINGS) {
            return HY_EFORMAT;
        } else {
            ends[depth++] = from + (to - from) / 2.0;
        }
    }
    return HY_OK;
}

static hy_status add_first(hy_trajectory *self, const hy_spline *spline)
{
    hy_spline_point start;
    return hy_spline_at(spline, 0.0, &start) ? add_point(self, &start) : HY_EFORMAT;
}

/// The spline number `index` of a path that somebody describes.
typedef struct route {
    size_t splines;
    hy_spline (*at)(const struct route *self, size_t index);
    const void *source;
    bool reversed;
    const hy_translation2d *slopes; ///< Of a cubic path.
} route;

static hy_status add_path(hy_trajectory *self, const route *way)
{
    hy_status status = HY_OK;
    for (size_t i = 0; i < way->splines && status >= HY_OK; i++) {
        const hy_spline spline = way->at(way, i);
        status = i == 0 ? add_first(self, &spline) : HY_OK;
        status = status < HY_OK ? status : add_spline(self, &spline);
    }
    return status;
}

// --------------------------------------------------------------------------- speeds and times

static double limit_of_differential(const hy_differential_kinematics *kinematics, double max_m_s,
                                    double velocity, double curvature)
{
    const hy_chassis_speeds speeds = { velocity, 0.0, velocity * curvature };
    const hy_wheel_speeds wheels = hy_differential_to_wheels(kinematics, speeds);
    return hy_differential_to_chassis(kinematics, hy_wheel_speeds_desaturate(wheels, max_m_s)).vx_m_s;
}

static double limit_of_swerve(const hy_swerve_kinematics *kinematics, double max_m_s,
                              const hy_trajectory_state *state, double velocity)
{
    hy_swerve_state modules[HY_SWERVE_MODULES] = { { 0.0, { 1.0, 0.0 } } };
    const hy_chassis_speeds speeds = { velocity * state->pose.rotation.cos,
                                       velocity * state->pose.rotation.sin,
                                       velocity * state->curvature_rad_m };
    hy_swerve_to_modules(kinematics, speeds, (hy_translation2d){ 0.0, 0.0 }, modules);
    hy_swerve_desaturate(modules, kinematics->count, max_m_s);
    const hy_chassis_speeds slower = hy_swerve_to_chassis(kinematics, modules);
    return hy_hypot(slower.vx_m_s, slower.vy_m_s);
}

/// The fastest that the way's shape allows at `state`, `velocity` or less.
static double limit_at(const hy_trajectory_config *config, const hy_trajectory_state *state,
                       double velocity)
{
    if (config->max_centripetal_m_s2 > 0.0 && state->curvature_rad_m != 0.0) {
        const double square = config->max_centripetal_m_s2 / absolute(state->curvature_rad_m);
        velocity = smaller(velocity, hy_sqrt(square));
    }
    if (config->differential != NULL) {
        velocity =
            smaller(velocity, limit_of_differential(config->differential, config->max_velocity_m_s,
                                                    velocity, state->curvature_rad_m));
    }
    if (config->swerve != NULL) {
        velocity = smaller(
            velocity, limit_of_swerve(config->swerve, config->max_velocity_m_s, state, velocity));
    }
    return velocity;
}

static double distance_between(const hy_trajectory_state *a, const hy_trajectory_state *b)
{
    return hy_translation2d_distance(a->pose.translation, b->pose.translation);
}

/// The speed that `distance` of the greatest acceleration makes of `velocity`.
static double reachable(const hy_trajectory_config *config, double velocity, double distance)
{
    return hy_sqrt(velocity * velocity + 2.0 * config->max_acceleration_m_s2 * distance);
}

/// False if the first or the last speed is not what was asked for: a limit there forbids it, or the
/// way is too short to slow down from the first or to speed up to the last.
static bool limit_speeds(hy_trajectory *self, const hy_trajectory_config *config)
{
    hy_trajectory_state *const states = self->states;
    double velocity = config->start_velocity_m_s;
    for (size_t i = 0; i < self->count; i++) {
        if (i > 0) {
            velocity = reachable(config, velocity, distance_between(&states[i - 1], &states[i]));
        }
        velocity = limit_at(config, &states[i], smaller(velocity, config->max_velocity_m_s));
        states[i].velocity_m_s = velocity;
    }
    velocity = config->end_velocity_m_s;
    for (size_t i = self->count; i-- > 0;) {
        velocity = smaller(velocity, states[i].velocity_m_s);
        states[i].velocity_m_s = velocity;
        if (i > 0) {
            velocity = reachable(config, velocity, distance_between(&states[i - 1], &states[i]));
        }
    }
    const double rounding = 1e-9 * config->max_velocity_m_s;
    return states[0].velocity_m_s >= config->start_velocity_m_s - rounding &&
           states[self->count - 1].velocity_m_s >= config->end_velocity_m_s - rounding;
}

/// Times and accelerations from places and speeds. False if the robot would stand still on the way.
static bool add_times(hy_trajectory *self)
{
    hy_trajectory_state *const states = self->states;
    for (size_t i = 1; i < self->count; i++) {
        const double v0 = states[i - 1].velocity_m_s, v1 = states[i].velocity_m_s;
        const double distance = distance_between(&states[i - 1], &states[i]);
        const double acceleration = (v1 * v1 - v0 * v0) / (2.0 * distance);
        if (!(distance > 0.0) || !(v0 + v1 > 0.0)) {
            return false;
        }
        const double dt_s =
            absolute(acceleration) > 1e-6 ? (v1 - v0) / acceleration : 2.0 * distance / (v0 + v1);
        states[i].t_s = states[i - 1].t_s + dt_s;
        states[i - 1].acceleration_m_s2 = acceleration;
        states[i].acceleration_m_s2 = acceleration;
    }
    self->total_s = states[self->count - 1].t_s;
    return is_finite(self->total_s);
}

/// The front looks the other way, and the robot drives backwards.
static void turn_around(hy_trajectory_state *state)
{
    state->pose.rotation = (hy_rotation2d){ -state->pose.rotation.cos, -state->pose.rotation.sin };
    state->curvature_rad_m = -state->curvature_rad_m;
}

static void drive_backwards(hy_trajectory *self)
{
    for (size_t i = 0; i < self->count; i++) {
        self->states[i].velocity_m_s = -self->states[i].velocity_m_s;
        self->states[i].acceleration_m_s2 = -self->states[i].acceleration_m_s2;
    }
}

static bool is_config(const hy_trajectory_config *config)
{
    return is_finite(config->max_velocity_m_s) && config->max_velocity_m_s > 0.0 &&
           is_finite(config->max_acceleration_m_s2) && config->max_acceleration_m_s2 > 0.0 &&
           is_finite(config->start_velocity_m_s) && config->start_velocity_m_s >= 0.0 &&
           is_finite(config->end_velocity_m_s) && config->end_velocity_m_s >= 0.0 &&
           is_finite(config->max_centripetal_m_s2) && config->max_centripetal_m_s2 >= 0.0;
}

static hy_status fail(hy_trajectory *self, hy_status status)
{
    self->count = 0;
    self->total_s = 0.0;
    return status;
}

static hy_status generate(hy_trajectory *self, const route *way, const hy_trajectory_config *config)
{
    self->count = 0;
    const hy_status status = add_path(self, way);
    if (status < HY_OK) {
        return fail(self, status);
    }
    for (size_t i = 0; i < self->count && config->reversed; i++) {
        turn_around(&self->states[i]);
    }
    if (!limit_speeds(self, config)) {
        return fail(self, HY_ERANGE);
    }
    if (!add_times(self)) {
        return fail(self, HY_EFORMAT);
    }
    if (config->reversed) {
        drive_backwards(self);
    }
    return HY_OK;
}

// --------------------------------------------------------------------------- ways to describe a path

static bool is_end(const hy_spline_end *end)
{
    return is_finite(end->x_m + end->dx_m + end->ddx_m) &&
           is_finite(end->y_m + end->dy_m + end->ddy_m);
}

static hy_spline_end turned(hy_spline_end end, bool reversed)
{
    end.dx_m = reversed ? -end.dx_m : end.dx_m;
    end.dy_m = reversed ? -end.dy_m : end.dy_m;
    return end;
}

static hy_spline quintic_of_ends(const route *self, size_t index)
{
    const hy_spline_end *const ends = self->source;
    const hy_spline_end a = turned(ends[index], self->reversed);
    const hy_spline_end b = turned(ends[index + 1], self->reversed);
    return hy_spline_quintic(&a, &b);
}

hy_status hy_trajectory_generate_quintic(hy_trajectory *self, const hy_spline_end *ends,
                                         size_t count, const hy_trajectory_config *config)
{
    if (count < 2 || !is_config(config)) {
        return fail(self, HY_ERANGE);
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_end(&ends[i])) {
            return fail(self, HY_ERANGE);
        }
    }
    const route way = { count - 1, quintic_of_ends, ends, config->reversed, NULL };
    return generate(self, &way, config);
}

/// An end at `pose` for a spline to or from somewhere `distance` away. The factor gives curves a
/// good shape; it is WPILib's.
static hy_spline_end end_at(const hy_pose2d *pose, double distance, bool reversed)
{
    const double speed = reversed ? -1.2 * distance : 1.2 * distance;
    return (hy_spline_end){ .x_m = pose->translation.x_m,
                            .dx_m = speed * pose->rotation.cos,
                            .y_m = pose->translation.y_m,
                            .dy_m = speed * pose->rotation.sin };
}

static double distance_of(const hy_pose2d *a, const hy_pose2d *b)
{
    return hy_translation2d_distance(a->translation, b->translation);
}

/// Second derivative at the end (or start) of the cubic between two poses.
static hy_translation2d bend_of_cubic(const hy_pose2d *a, const hy_pose2d *b, bool reversed,
                                      bool at_end)
{
    const double distance = distance_of(a, b);
    const hy_spline_end start = end_at(a, distance, reversed), end = end_at(b, distance, reversed);
    const hy_spline spline = hy_spline_cubic(&start, &end);
    const double t = at_end ? 6.0 : 0.0;
    return (hy_translation2d){ 2.0 * spline.x[2] + t * spline.x[3],
                               2.0 * spline.y[2] + t * spline.y[3] };
}

/// A second derivative that both splines at a waypoint share, so that the curvature does not jump
/// there: the mean of those that cubic splines would have, the nearer neighbour's counting more
/// (Sprunk 2008, 4.1.2). 0 at the ends of the way.
static hy_translation2d bend_at(const hy_pose2d *poses, size_t index, size_t last, bool reversed)
{
    if (index == 0 || index == last) {
        return (hy_translation2d){ 0.0, 0.0 };
    }
    const hy_pose2d *const here = &poses[index];
    const double before = distance_of(here - 1, here), behind = distance_of(here, here + 1);
    const hy_translation2d a = bend_of_cubic(here - 1, here, reversed, true);
    const hy_translation2d b = bend_of_cubic(here, here + 1, reversed, false);
    return hy_translation2d_plus(hy_translation2d_times(a, behind / (before + behind)),
                                 hy_translation2d_times(b, before / (before + behind)));
}

typedef struct {
    const hy_pose2d *poses;
    size_t last;
} waypoints_source;

static hy_spline quintic_of_waypoints(const route *self, size_t index)
{
    const waypoints_source *const source = self->source;
    const hy_pose2d *const poses = source->poses;
    const double distance = distance_of(&poses[index], &poses[index + 1]);
    hy_spline_end a = end_at(&poses[index], distance, self->reversed);
    hy_spline_end b = end_at(&poses[index + 1], distance, self->reversed);
    const hy_translation2d bend_a = bend_at(poses, index, source->last, self->reversed);
    const hy_translation2d bend_b = bend_at(poses, index + 1, source->last, self->reversed);
    a.ddx_m = bend_a.x_m;
    a.ddy_m = bend_a.y_m;
    b.ddx_m = bend_b.x_m;
    b.ddy_m = bend_b.y_m;
    return hy_spline_quintic(&a, &b);
}

hy_status hy_trajectory_generate(hy_trajectory *self, const hy_pose2d *waypoints, size_t count,
                                 const hy_trajectory_config *config)
{
    if (count < 2 || !is_config(config)) {
        return fail(self, HY_ERANGE);
    }
    for (size_t i = 0; i < count; i++) {
        if (!hy_pose2d_is_finite(&waypoints[i])) {
            return fail(self, HY_ERANGE);
        }
        if (i > 0 && !(distance_of(&waypoints[i - 1], &waypoints[i]) > 0.0)) {
            return fail(self, HY_EFORMAT);
        }
    }
    const waypoints_source source = { waypoints, count - 1 };
    const route way = { count - 1, quintic_of_waypoints, &source, config->reversed, NULL };
    return generate(self, &way, config);
}

// --------------------------------------------------------------------------- cubic paths

static hy_translation2d place_of(const hy_cubic_path *source, size_t index)
{
    return index == 0                       ? source->start.translation
           : index > source->interior_count ? source->end.translation
                                            : source->interior[index - 1];
}

/// The first derivatives at all points that make the second ones continuous: 1 4 1 times the slopes
/// are 3 times the distances from neighbour to neighbour, a tridiagonal system. `slopes` has those of
/// start and end already.
static void solve_slopes(const hy_cubic_path *source, hy_translation2d *slopes)
{
    const size_t n = source->interior_count;
    double factor[HY_TRAJECTORY_INTERIOR + 1] = { 0.0 };
    for (size_t i = 1; i <= n; i++) {
        const hy_translation2d way =
            hy_translation2d_minus(place_of(source, i + 1), place_of(source, i - 1));
        hy_translation2d right = hy_translation2d_times(way, 3.0);
        if (i == n) {
            right = hy_translation2d_minus(right, slopes[n + 1]);
        }
        const double scale = 1.0 / (4.0 - factor[i - 1]);
        factor[i] = scale;
        slopes[i] = hy_translation2d_times(hy_translation2d_minus(right, slopes[i - 1]), scale);
    }
    for (size_t i = n; i-- > 1;) {
        slopes[i] =
            hy_translation2d_minus(slopes[i], hy_translation2d_times(slopes[i + 1], factor[i]));
    }
}

static hy_spline cubic_of_path(const route *self, size_t index)
{
    const hy_cubic_path *const source = self->source;
    const hy_translation2d from = place_of(source, index), to = place_of(source, index + 1);
    const hy_translation2d a = self->slopes[index], b = self->slopes[index + 1];
    const hy_spline_end start = { .x_m = from.x_m, .dx_m = a.x_m, .y_m = from.y_m, .dy_m = a.y_m };
    const hy_spline_end end = { .x_m = to.x_m, .dx_m = b.x_m, .y_m = to.y_m, .dy_m = b.y_m };
    return hy_spline_cubic(&start, &end);
}

static bool is_path(const hy_cubic_path *source)
{
    if (source->interior_count > HY_TRAJECTORY_INTERIOR || !hy_pose2d_is_finite(&source->start) ||
        !hy_pose2d_is_finite(&source->end)) {
        return false;
    }
    for (size_t i = 0; i < source->interior_count; i++) {
        if (!is_finite(source->interior[i].x_m) || !is_finite(source->interior[i].y_m)) {
            return false;
        }
    }
    return true;
}

hy_status hy_trajectory_generate_cubic(hy_trajectory *self, const hy_cubic_path *path,
                                       const hy_trajectory_config *config)
{
    if (!is_config(config) || !is_path(path)) {
        return fail(self, HY_ERANGE);
    }
    const size_t n = path->interior_count;
    const double first = hy_translation2d_distance(place_of(path, 0), place_of(path, 1));
    const double last = hy_translation2d_distance(place_of(path, n), place_of(path, n + 1));
    const hy_spline_end start = end_at(&path->start, first, config->reversed);
    const hy_spline_end end = end_at(&path->end, last, config->reversed);
    hy_translation2d slopes[HY_TRAJECTORY_INTERIOR + 2];
    slopes[0] = (hy_translation2d){ start.dx_m, start.dy_m };
    slopes[n + 1] = (hy_translation2d){ end.dx_m, end.dy_m };
    solve_slopes(path, slopes);
    const route way = { n + 1, cubic_of_path, path, config->reversed, slopes };
    return generate(self, &way, config);
}

// --------------------------------------------------------------------------- using a trajectory

static double mixed(double a, double b, double share)
{
    return a + (b - a) * share;
}

/// Between two states, where the acceleration of the first has brought the robot after `dt_s`.
static hy_trajectory_state between(const hy_trajectory_state *a, const hy_trajectory_state *b,
                                   double dt_s)
{
    const bool backwards =
        a->velocity_m_s < 0.0 || (absolute(a->velocity_m_s) < 1e-9 && a->acceleration_m_s2 < 0.0);
    const double way = a->velocity_m_s * dt_s + 0.5 * a->acceleration_m_s2 * dt_s * dt_s;
    const double share = (backwards ? -way : way) / distance_between(a, b);
    return (hy_trajectory_state){
        .t_s = a->t_s + dt_s,
        .velocity_m_s = a->velocity_m_s + a->acceleration_m_s2 * dt_s,
        .acceleration_m_s2 = a->acceleration_m_s2,
        .pose = hy_pose2d_interpolate(a->pose, b->pose, share),
        .curvature_rad_m = mixed(a->curvature_rad_m, b->curvature_rad_m, share),
    };
}

hy_trajectory_state hy_trajectory_sample(const hy_trajectory *self, double t_s)
{
    if (self->count == 0) {
        return (hy_trajectory_state){ .pose = HY_POSE2D_ORIGIN };
    }
    if (!(t_s > self->states[0].t_s)) {
        return self->states[0];
    }
    if (t_s >= self->total_s) {
        return self->states[self->count - 1];
    }
    size_t low = 0, high = self->count - 1; // states[low] is before t_s, states[high] not
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (self->states[middle].t_s < t_s) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const hy_trajectory_state *const a = &self->states[low], *const b = &self->states[high];
    return b->t_s - a->t_s < 1e-9 ? *b : between(a, b, t_s - a->t_s);
}

void hy_trajectory_transform_by(hy_trajectory *self, hy_transform2d transform)
{
    if (self->count == 0) {
        return;
    }
    const hy_pose2d start = self->states[0].pose;
    const hy_pose2d new_start = hy_pose2d_transform_by(start, transform);
    for (size_t i = 0; i < self->count; i++) {
        const hy_transform2d way = hy_transform2d_between(start, self->states[i].pose);
        self->states[i].pose = hy_pose2d_transform_by(new_start, way);
    }
}

void hy_trajectory_relative_to(hy_trajectory *self, hy_pose2d origin)
{
    for (size_t i = 0; i < self->count; i++) {
        self->states[i].pose = hy_pose2d_relative_to(self->states[i].pose, origin);
    }
}

/// True if one who is at `a` is at `b` as well, but for rounding.
static bool is_same_state(const hy_trajectory_state *a, const hy_trajectory_state *b)
{
    const hy_pose2d way = hy_pose2d_relative_to(a->pose, b->pose);
    return absolute(way.translation.x_m) < 1e-6 && absolute(way.translation.y_m) < 1e-6 &&
           absolute(hy_rotation2d_rad(way.rotation)) < 1e-6 &&
           absolute(a->velocity_m_s - b->velocity_m_s) < 1e-6;
}

hy_status hy_trajectory_append(hy_trajectory *self, const hy_trajectory *next)
{
    if (next->count == 0) {
        return HY_OK;
    }
    const size_t kept = self->count > 0 ? self->count - 1 : 0;
    if (next->count > self->capacity - kept) {
        return HY_EFULL;
    }
    if (self->count > 0 && !is_same_state(&self->states[kept], &next->states[0])) {
        return HY_ERANGE;
    }
    const double start_s = self->total_s;
    for (size_t i = 0; i < next->count; i++) {
        self->states[kept + i] = next->states[i];
        self->states[kept + i].t_s += start_s;
    }
    self->count = kept + next->count;
    self->total_s = self->states[self->count - 1].t_s;
    return HY_OK;
}
