// Splines, trajectories and followers: what their definitions promise at every point, and that a
// simulated robot gets there.
#include "bot_checks.h"

#include <string.h>

#define STATES 400

static hy_trajectory_state memory[STATES];

static const hy_trajectory_config plain = { .max_velocity_m_s = 2.0, .max_acceleration_m_s2 = 1.0 };

static hy_trajectory generated(const hy_pose2d *poses, size_t count,
                               const hy_trajectory_config *config)
{
    hy_trajectory self;
    hy_trajectory_init(&self, memory, STATES);
    assert_int_equal(hy_trajectory_generate(&self, poses, count, config), HY_OK);
    return self;
}

// --------------------------------------------------------------------------- splines

static void splines_keep_their_ends(void **state)
{
    (void)state;
    const hy_spline_end a = { 1, 2, 3, 4, 5, 6 }, b = { -1, 3, -2, 2, 4, 1 };
    const hy_spline splines[2] = { hy_spline_cubic(&a, &b), hy_spline_quintic(&a, &b) };
    for (size_t i = 0; i < 2; i++) {
        hy_spline_point start, end;
        assert_true(hy_spline_at(&splines[i], 0.0, &start));
        assert_true(hy_spline_at(&splines[i], 1.0, &end));
        expect_pose(start.pose, 1, 4, atan2(5, 2));
        expect_pose(end.pose, -1, 2, atan2(4, 3));
        if (i == 1) { // the quintic has the second derivatives too: curvature = (x' y'' - x'' y') / v^3
            expect_near(start.curvature_rad_m, (2.0 * 6 - 3.0 * 5) / pow(29, 1.5));
            expect_near(end.curvature_rad_m, (3.0 * 1 + 2.0 * 4) / 125);
        }
    }
    // A cubic by hand: x(t) with ends 1, 2 and -1, 3 is 1 + 2 t - 13 t^2 + 9 t^3.
    expect_near(splines[0].x[2], -13.0);
    expect_near(splines[0].x[3], 9.0);
    expect_near(splines[0].x[4] + splines[0].x[5], 0.0);
}

static void a_spline_that_stops_has_no_direction(void **state)
{
    (void)state;
    const hy_spline_end a = { .x_m = 1 }, b = { .x_m = 2 }, c = { .x_m = (double)NAN };
    hy_spline_point point;
    const hy_spline still = hy_spline_cubic(&a, &b), nowhere = hy_spline_cubic(&a, &c);
    assert_false(hy_spline_at(&still, 0.0, &point));
    assert_true(hy_spline_at(&still, 0.5, &point));
    assert_false(hy_spline_at(&nowhere, 0.5, &point));
}

// --------------------------------------------------------------------------- trajectories

static void a_straight_line_takes_as_long_as_its_profile(void **state)
{
    (void)state;
    const hy_pose2d poses[2] = { hy_pose2d_at(1, 1, 0), hy_pose2d_at(9, 1, 0) };
    const hy_trajectory self = generated(poses, 2, &plain);
    // 2 s and 2 m each to speed up and slow down, 4 m at 2 m/s; the corners are where points are,
    // not where they should.
    expect_within(self.total_s, 6.0, 1e-3);
    const hy_trajectory_state middle = hy_trajectory_sample(&self, self.total_s / 2);
    expect_within(middle.pose.translation.x_m, 5.0, 1e-9);
    expect_within(middle.velocity_m_s, 2.0, 1e-9);
    const hy_trajectory_state early = hy_trajectory_sample(&self, 1.0);
    expect_within(early.pose.translation.x_m, 1.5, 1e-6);
    expect_within(early.velocity_m_s, 1.0, 1e-6);
    expect_within(early.acceleration_m_s2, 1.0, 1e-6);
    expect_pose(hy_trajectory_sample(&self, -1.0).pose, 1, 1, 0);
    expect_pose(hy_trajectory_sample(&self, (double)NAN).pose, 1, 1, 0);
    expect_pose(hy_trajectory_sample(&self, 99.0).pose, 9, 1, 0);
    expect_near(hy_trajectory_sample(&self, 99.0).velocity_m_s, 0.0);
}

/// What every trajectory must keep to: no limit broken anywhere, times that grow, points close
/// together.
static void expect_limits_kept(const hy_trajectory *self, const hy_trajectory_config *config)
{
    const double sign = config->reversed ? -1.0 : 1.0;
    assert_true(self->count > 2);
    for (size_t i = 0; i < self->count; i++) {
        const hy_trajectory_state *const s = &self->states[i];
        const double v = sign * s->velocity_m_s;
        assert_true(v >= 0.0 && v <= config->max_velocity_m_s + 1e-9);
        assert_true(fabs(s->acceleration_m_s2) <= config->max_acceleration_m_s2 + 1e-6);
        if (config->max_centripetal_m_s2 > 0.0) {
            assert_true(v * v * fabs(s->curvature_rad_m) <= config->max_centripetal_m_s2 + 1e-9);
        }
        if (config->differential != NULL) {
            const double outer =
                v * (1 + fabs(s->curvature_rad_m) * config->differential->track_width_m / 2);
            assert_true(outer <= config->max_velocity_m_s + 1e-9);
        }
        if (config->swerve != NULL) { // as WPILib sees it: a robot that looks along x
            hy_swerve_state modules[4] = { { 0 } };
            const hy_chassis_speeds speeds = { v * s->pose.rotation.cos, v * s->pose.rotation.sin,
                                               v * s->curvature_rad_m };
            hy_swerve_to_modules(config->swerve, speeds, (hy_translation2d){ 0, 0 }, modules);
            for (size_t k = 0; k < 4; k++) {
                assert_true(modules[k].speed_m_s <= config->max_velocity_m_s + 1e-9);
            }
        }
        if (i > 0) {
            assert_true(s->t_s > s[-1].t_s);
            assert_true(hy_translation2d_distance(s->pose.translation, s[-1].pose.translation) <
                        0.13);
        }
    }
}

static const hy_pose2d bend[3] = { { { 0, 0 }, { 1, 0 } },
                                   { { 1.5, 0.5 }, { 0, 1 } },
                                   { { 0, 2 }, { -1, 0 } } };

static void limits_are_kept_in_curves(void **state)
{
    (void)state;
    const hy_differential_kinematics track = { 0.6 };
    hy_swerve_kinematics swerve;
    const hy_translation2d places[4] = { { 0.3, 0.3 }, { -0.3, 0.3 }, { -0.3, -0.3 }, { 0.3, -0.3 } };
    hy_swerve_kinematics_init(&swerve, places, 4);
    hy_trajectory_config config = plain;
    const double free_s = generated(bend, 3, &config).total_s;
    config.max_centripetal_m_s2 = 0.5;
    hy_trajectory self = generated(bend, 3, &config);
    expect_limits_kept(&self, &config);
    assert_true(self.total_s > free_s);
    config.max_centripetal_m_s2 = 0.0;
    config.differential = &track;
    self = generated(bend, 3, &config);
    expect_limits_kept(&self, &config);
    assert_true(self.total_s > free_s);
    config.differential = NULL;
    config.swerve = &swerve;
    self = generated(bend, 3, &config);
    expect_limits_kept(&self, &config);
    assert_true(self.total_s > free_s);
}

static void first_and_last_speed_are_what_was_asked_for(void **state)
{
    (void)state;
    hy_trajectory_config config = plain;
    config.start_velocity_m_s = 0.7;
    config.end_velocity_m_s = 0.4;
    const hy_trajectory self = generated(bend, 3, &config);
    expect_near(self.states[0].velocity_m_s, 0.7);
    expect_near(self.states[self.count - 1].velocity_m_s, 0.4);
    expect_pose(self.states[0].pose, 0, 0, 0);
    expect_pose(self.states[self.count - 1].pose, 0, 2, HY_PI);
}

static void curvature_does_not_jump_at_waypoints(void **state)
{
    (void)state;
    const hy_pose2d poses[5] = { hy_pose2d_at(0, 0, 0), hy_pose2d_at(1, 0.3, 0.5),
                                 hy_pose2d_at(2, 1.2, 0.9), hy_pose2d_at(3, 1.4, 0),
                                 hy_pose2d_at(4, 1, -0.5) };
    const hy_trajectory self = generated(poses, 5, &plain);
    for (size_t i = 1; i < self.count; i++) {
        const double way = hy_translation2d_distance(self.states[i].pose.translation,
                                                     self.states[i - 1].pose.translation);
        const double change =
            fabs(self.states[i].curvature_rad_m - self.states[i - 1].curvature_rad_m);
        assert_true(change < 12.0 * way);
    }
}

static void reversed_it_drives_backwards_the_same_way(void **state)
{
    (void)state;
    hy_trajectory_config config = plain;
    config.reversed = true;
    const hy_pose2d poses[2] = { hy_pose2d_at(0, 0, 0), hy_pose2d_at(-2, 1, 0) };
    const hy_trajectory self = generated(poses, 2, &config);
    expect_limits_kept(&self, &config);
    expect_pose(self.states[0].pose, 0, 0, 0);
    expect_pose(self.states[self.count - 1].pose, -2, 1, 0);
    const hy_trajectory_state middle = hy_trajectory_sample(&self, self.total_s / 2);
    assert_true(middle.velocity_m_s < 0.0);
    assert_true(cos(hy_rotation2d_rad(middle.pose.rotation)) > 0.5); // its front still looks along +x
    expect_within(middle.pose.translation.x_m, -1.0, 0.02);
}

static void reversed_it_is_the_way_of_a_robot_that_is_turned_around(void **state)
{
    (void)state;
    static hy_trajectory_state more[STATES];
    hy_trajectory ahead;
    hy_trajectory_config config = plain;
    hy_pose2d turned[3];
    for (size_t i = 0; i < 3; i++) {
        turned[i] = bend[i];
        turned[i].rotation = hy_rotation2d_plus(bend[i].rotation, hy_rotation2d_from_rad(HY_PI));
    }
    hy_trajectory_init(&ahead, more, STATES);
    assert_int_equal(hy_trajectory_generate(&ahead, bend, 3, &config), HY_OK);
    config.reversed = true;
    const hy_trajectory self = generated(turned, 3, &config);
    assert_int_equal(self.count, ahead.count);
    for (size_t i = 0; i < self.count; i++) {
        const hy_trajectory_state *const a = &self.states[i], *const b = &ahead.states[i];
        expect_translation(a->pose.translation, b->pose.translation.x_m, b->pose.translation.y_m);
        expect_near(a->pose.rotation.cos, -b->pose.rotation.cos);
        expect_near(a->velocity_m_s, -b->velocity_m_s);
        expect_near(a->acceleration_m_s2, -b->acceleration_m_s2);
        expect_within(a->curvature_rad_m, -b->curvature_rad_m, 1e-10);
        expect_near(a->t_s, b->t_s);
    }
}

static void cubics_go_through_their_points(void **state)
{
    (void)state;
    const hy_translation2d interior[3] = { { 1, 0.3 }, { 2, -0.2 }, { 3, 0.3 } };
    const hy_cubic_path path = { hy_pose2d_at(0, 0, 0), hy_pose2d_at(4, 0, 0.5), interior, 3 };
    hy_trajectory self;
    hy_trajectory_init(&self, memory, STATES);
    assert_int_equal(hy_trajectory_generate_cubic(&self, &path, &plain), HY_OK);
    expect_limits_kept(&self, &plain);
    expect_pose(self.states[self.count - 1].pose, 4, 0, 0.5);
    for (size_t k = 0; k < 3; k++) {
        double nearest = 9.0;
        for (size_t i = 0; i < self.count; i++) {
            nearest = fmin(nearest,
                           hy_translation2d_distance(self.states[i].pose.translation, interior[k]));
        }
        assert_true(nearest < 1e-12);
    }
    // Second derivatives are continuous, and so is the curvature.
    for (size_t i = 1; i < self.count; i++) {
        const hy_trajectory_state *const s = &self.states[i];
        const double way = hy_translation2d_distance(s->pose.translation, s[-1].pose.translation);
        assert_true(fabs(s->curvature_rad_m - s[-1].curvature_rad_m) < 13.0 * way);
    }
}

static void quintics_between_given_ends(void **state)
{
    (void)state;
    const hy_spline_end ends[2] = { { 0, 1, 0, 0, 0, 0.5 }, { 2, 1, 0, 1, 0, 0 } };
    hy_trajectory self;
    hy_trajectory_init(&self, memory, STATES);
    assert_int_equal(hy_trajectory_generate_quintic(&self, ends, 2, &plain), HY_OK);
    expect_limits_kept(&self, &plain);
    expect_near(self.states[0].curvature_rad_m, 0.5);
    expect_pose(self.states[self.count - 1].pose, 2, 1, 0);

    // Backwards: derivatives lead out of the robot's back, in both directions.
    hy_trajectory_config config = plain;
    config.reversed = true;
    const hy_spline_end back[2] = { { 0, 1, 0, 0, 1, 0 }, { -1, 1, 0, -2, 2, 0 } };
    assert_int_equal(hy_trajectory_generate_quintic(&self, back, 2, &config), HY_OK);
    expect_limits_kept(&self, &config);
    expect_pose(self.states[0].pose, 0, 0, 45 * DEG);
    expect_pose(self.states[self.count - 1].pose, -1, -2, atan2(2, 1));
    assert_true(self.states[1].pose.translation.x_m < 0.0);
    assert_true(self.states[1].pose.translation.y_m < 0.0);
}

static void trajectories_move_and_join(void **state)
{
    (void)state;
    static hy_trajectory_state more[2 * STATES];
    hy_trajectory both;
    const hy_pose2d poses[2] = { hy_pose2d_at(0, 0, 0), hy_pose2d_at(2, 1, 0) };
    hy_trajectory self = generated(poses, 2, &plain);
    hy_trajectory_init(&both, more, 2 * STATES);
    assert_int_equal(hy_trajectory_append(&both, &self), HY_OK);
    assert_int_equal(both.count, self.count);
    expect_near(both.total_s, self.total_s);
    hy_trajectory_transform_by(&self, (hy_transform2d){ { 2, 1 }, HY_ROTATION2D_NONE });
    expect_pose(self.states[0].pose, 2, 1, 0);
    expect_pose(self.states[self.count - 1].pose, 4, 2, 0);
    assert_int_equal(hy_trajectory_append(&both, &self), HY_OK);
    assert_int_equal(both.count, 2 * self.count - 1);
    expect_near(both.total_s, 2 * self.total_s);
    expect_pose(hy_trajectory_sample(&both, both.total_s).pose, 4, 2, 0);
    expect_within(hy_trajectory_sample(&both, self.total_s).pose.translation.x_m, 2.0, 1e-9);
    hy_trajectory_relative_to(&both, hy_pose2d_at(4, 2, 90 * DEG));
    expect_pose(both.states[both.count - 1].pose, 0, 0, -90 * DEG);
    expect_pose(both.states[0].pose, -2, 4, -90 * DEG);

    hy_trajectory small;
    hy_trajectory_init(&small, more, self.count - 1);
    assert_int_equal(hy_trajectory_append(&small, &self), HY_EFULL);
    assert_int_equal(small.count, 0);
    hy_trajectory_init(&small, more, 2 * self.count - 2); // one too few for the second
    assert_int_equal(hy_trajectory_append(&small, &self), HY_OK);
    assert_int_equal(hy_trajectory_append(&small, &self), HY_EFULL);
    assert_int_equal(small.count, self.count);
    hy_trajectory_init(&small, more, 0);
    hy_trajectory_transform_by(&small, HY_TRANSFORM2D_NONE);
    expect_pose(hy_trajectory_sample(&small, 1.0).pose, 0, 0, 0);
}

/// Samples between the states: at their own time, on the way, and as far along it as their speeds say.
static void expect_smooth(const hy_trajectory *self)
{
    const int steps = 2000;
    const double dt = self->total_s / steps;
    hy_trajectory_state last = hy_trajectory_sample(self, 0.0);
    for (int i = 1; i <= steps; i++) {
        const hy_trajectory_state now = hy_trajectory_sample(self, dt * i);
        const hy_twist2d way = hy_pose2d_log(last.pose, now.pose);
        expect_within(now.t_s, dt * i, 1e-9);
        expect_within(way.dx_m, (last.velocity_m_s + now.velocity_m_s) / 2.0 * dt, 1e-4);
        expect_within(way.dy_m, 0.0, 1e-4);
        assert_true(way.dx_m * (last.velocity_m_s + now.velocity_m_s) >= -1e-12);
        last = now;
    }
}

static void samples_lie_on_the_way_in_both_directions(void **state)
{
    (void)state;
    for (int reversed = 0; reversed < 2; reversed++) {
        hy_trajectory_config config = plain;
        config.reversed = reversed != 0;
        hy_pose2d poses[3];
        for (size_t i = 0; i < 3; i++) {
            poses[i] = bend[i];
            poses[i].rotation =
                hy_rotation2d_plus(bend[i].rotation, hy_rotation2d_from_rad(HY_PI * reversed));
        }
        const hy_trajectory self = generated(poses, 3, &config);
        expect_smooth(&self);
    }
}

static void a_speed_that_cannot_be_met_is_refused(void **state)
{
    (void)state;
    const hy_differential_kinematics track = { 0.6 };
    const hy_pose2d line[2] = { hy_pose2d_at(0, 0, 0), hy_pose2d_at(0.5, 0, 0) };
    const struct {
        double start, end, max_centripetal;
        const hy_differential_kinematics *differential;
        const hy_pose2d *poses;
        size_t count;
        hy_status status;
    } cases[] = {
        { 1.0, 0.0, 0.0, NULL, line, 2, HY_OK }, // 0.5 m are just what it takes to stop
        { 1.01, 0.0, 0.0, NULL, line, 2, HY_ERANGE },
        { 0.0, 1.0, 0.0, NULL, line, 2, HY_OK },
        { 0.0, 1.01, 0.0, NULL, line, 2, HY_ERANGE },
        { 1.5, 1.2, 0.0, NULL, line, 2, HY_OK },
        { 2.0, 2.0, 0.0, NULL, line, 2, HY_OK },
        { 2.01, 2.0, 0.0, NULL, line, 2, HY_ERANGE }, // faster than max_velocity_m_s
        { 2.0, 2.01, 0.0, NULL, line, 2, HY_ERANGE },
        { 1.9, 0.0, 0.0, NULL, bend, 3, HY_OK },
        { 1.9, 0.0, 0.1, NULL, bend, 3, HY_ERANGE }, // too fast for the bend behind the start
        { 0.0, 1.9, 0.0, &track, bend, 3, HY_OK },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int reversed = 0; reversed < 2; reversed++) {
            hy_trajectory_config config = plain;
            config.start_velocity_m_s = cases[i].start;
            config.end_velocity_m_s = cases[i].end;
            config.max_centripetal_m_s2 = cases[i].max_centripetal;
            config.differential = cases[i].differential;
            config.reversed = reversed != 0;
            hy_pose2d poses[3];
            for (size_t k = 0; k < cases[i].count; k++) {
                poses[k] = cases[i].poses[k];
                poses[k].rotation =
                    hy_rotation2d_plus(poses[k].rotation, hy_rotation2d_from_rad(HY_PI * reversed));
            }
            hy_trajectory self;
            hy_trajectory_init(&self, memory, STATES);
            const hy_status status = hy_trajectory_generate(&self, poses, cases[i].count, &config);
            assert_int_equal(status, cases[i].status);
            if (status >= HY_OK) {
                const double sign = reversed != 0 ? -1.0 : 1.0;
                expect_within(self.states[0].velocity_m_s, sign * cases[i].start, 1e-9);
                expect_within(self.states[self.count - 1].velocity_m_s, sign * cases[i].end, 1e-9);
            } else {
                assert_int_equal(self.count, 0);
            }
        }
    }
}

/// Ways of any speeds: driven without a jump from the first speed to the last, or refused.
static void random_trajectories_are_right_or_refused(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(7);
    int driven = 0, refused = 0;
    for (int i = 0; i < 3000; i++) {
        hy_trajectory_config config = {
            .max_velocity_m_s = 0.1 + 2.0 * hy_random_unit(&random),
            .max_acceleration_m_s2 = 0.1 + 3.0 * hy_random_unit(&random),
            .start_velocity_m_s = hy_random_unit(&random),
            .end_velocity_m_s = hy_random_unit(&random),
            .reversed = i % 2 != 0,
            .max_centripetal_m_s2 = i % 3 == 0 ? 0.2 + hy_random_unit(&random) : 0.0,
        };
        hy_pose2d poses[3] = { hy_pose2d_at(0, 0, HY_PI * (i % 2)) };
        for (size_t k = 1; k < 3; k++) {
            const hy_translation2d before = poses[k - 1].translation;
            poses[k] = hy_pose2d_at(before.x_m + 0.3 + 2.0 * hy_random_unit(&random),
                                    before.y_m + 0.2 * hy_random_unit(&random),
                                    HY_PI * (i % 2) + 0.2 * hy_random_unit(&random));
        }
        hy_trajectory self;
        hy_trajectory_init(&self, memory, STATES);
        const hy_status status = hy_trajectory_generate(&self, poses, 3, &config);
        assert_true(status == HY_OK || status == HY_ERANGE);
        refused += status != HY_OK;
        if (status != HY_OK) {
            continue;
        }
        driven++;
        const double sign = config.reversed ? -1.0 : 1.0;
        const double dt = self.total_s / 200.0;
        hy_trajectory_state last = hy_trajectory_sample(&self, 0.0);
        expect_within(last.velocity_m_s, sign * config.start_velocity_m_s, 1e-8);
        for (int k = 1; k <= 200; k++) {
            const hy_trajectory_state now = hy_trajectory_sample(&self, dt * k);
            const double way = fabs(hy_pose2d_log(last.pose, now.pose).dx_m);
            expect_within(now.velocity_m_s, last.velocity_m_s,
                          config.max_acceleration_m_s2 * dt + 1e-8);
            expect_within(way, fabs(now.velocity_m_s + last.velocity_m_s) / 2.0 * dt,
                          config.max_acceleration_m_s2 * dt * dt + 1e-3 * way + 1e-9);
            assert_true(now.velocity_m_s * sign >= -1e-9 &&
                        now.velocity_m_s * sign <= config.max_velocity_m_s + 1e-9);
            last = now;
        }
        expect_within(last.velocity_m_s, sign * config.end_velocity_m_s, 1e-8);
        expect_pose(last.pose, poses[2].translation.x_m, poses[2].translation.y_m,
                    hy_rotation2d_rad(poses[2].rotation));
    }
    assert_true(driven > 1000 && refused > 500);
}

static void a_way_may_be_as_slow_as_one_likes(void **state)
{
    (void)state;
    const hy_pose2d poses[2] = { hy_pose2d_at(0, 0, 0), hy_pose2d_at(1, 0, 0) };
    const hy_trajectory_config slow = { .max_velocity_m_s = 2.0, .max_acceleration_m_s2 = 1e-7 };
    const hy_trajectory self = generated(poses, 2, &slow);
    expect_within(self.total_s, 2.0 * sqrt(1.0 / 1e-7), 1.0);
    const hy_trajectory_state middle = hy_trajectory_sample(&self, self.total_s / 2.0);
    expect_within(middle.pose.translation.x_m, 0.5, 1e-3);
    // A closed loop whose ends are one point has no length for the states between: refused.
    const hy_spline_end ends[2] = { { .dx_m = 1.0 }, { .dx_m = 1.0 } };
    const hy_trajectory_config moving = { .max_velocity_m_s = 2.0,
                                          .max_acceleration_m_s2 = 1.0,
                                          .start_velocity_m_s = 1.0,
                                          .end_velocity_m_s = 1.0 };
    hy_trajectory loop;
    hy_trajectory_init(&loop, memory, STATES);
    assert_int_equal(hy_trajectory_generate_quintic(&loop, ends, 2, &moving), HY_EFORMAT);
}

static void joined_ways_do_not_jump(void **state)
{
    (void)state;
    static hy_trajectory_state more[2 * STATES];
    hy_trajectory both;
    hy_trajectory_config config = plain;
    const hy_pose2d there[2] = { hy_pose2d_at(0, 0, 0), hy_pose2d_at(1, 0, 0) };
    const hy_pose2d on[2] = { hy_pose2d_at(1, 0, 0), hy_pose2d_at(3, 1, 0) };
    for (int i = 0; i < 2; i++) { // at rest where they meet, and slowing down to 0.5 m/s
        config.start_velocity_m_s = 0.0;
        config.end_velocity_m_s = 0.5 * i;
        hy_trajectory first = generated(there, 2, &config);
        hy_trajectory_init(&both, more, 2 * STATES);
        assert_int_equal(hy_trajectory_append(&both, &first), HY_OK);
        config.start_velocity_m_s = config.end_velocity_m_s;
        config.end_velocity_m_s = 0.0;
        const hy_trajectory second = generated(on, 2, &config);
        assert_int_equal(hy_trajectory_append(&both, &second), HY_OK);
        expect_smooth(&both);
        const hy_trajectory_state join =
            hy_trajectory_sample(&both, both.total_s - second.total_s + 0.01);
        expect_within(join.velocity_m_s, 0.5 * i + 0.01, 1e-6);
    }
    const hy_trajectory before = both;
    const hy_pose2d elsewhere[2] = { hy_pose2d_at(3.1, 1, 0), hy_pose2d_at(4, 1, 0) };
    const hy_pose2d aside[2] = { hy_pose2d_at(3, 1, 0.1), hy_pose2d_at(4, 1, 0) };
    const hy_trajectory second = generated(elsewhere, 2, &plain);
    assert_int_equal(hy_trajectory_append(&both, &second), HY_ERANGE);
    const hy_trajectory third = generated(aside, 2, &plain);
    assert_int_equal(hy_trajectory_append(&both, &third), HY_ERANGE);
    config.start_velocity_m_s = 0.1;
    const hy_pose2d faster[2] = { hy_pose2d_at(3, 1, 0), hy_pose2d_at(4, 1, 0) };
    const hy_trajectory fourth = generated(faster, 2, &config);
    assert_int_equal(hy_trajectory_append(&both, &fourth), HY_ERANGE);
    assert_memory_equal(&both, &before, sizeof both);
}

static void waypoints_may_be_close(void **state)
{
    (void)state;
    const hy_pose2d poses[3] = { hy_pose2d_at(0, 0, 0), hy_pose2d_at(0.05, 0, 0),
                                 hy_pose2d_at(0.09, 0, 0) };
    const hy_trajectory self = generated(poses, 3, &plain);
    expect_pose(self.states[self.count - 1].pose, 0.09, 0, 0);
    expect_within(self.total_s, 2.0 * sqrt(0.09), 0.05); // up and down at 1 m/s2
    const hy_trajectory_config slow = { .max_velocity_m_s = 0.05, .max_acceleration_m_s2 = 0.05 };
    expect_within(generated(poses, 3, &slow).total_s, 0.09 / 0.05 + 1.0, 1.0); // of few points
}

static void one_number_of_a_way_spoils_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < 9; i++) {
        double n[9] = { 0, 0, 0, 1, 0.5, 0.5, 2, 1, 0 };
        n[i] = (double)NAN;
        const hy_pose2d poses[3] = { hy_pose2d_at(n[0], n[1], n[2]), hy_pose2d_at(n[3], n[4], n[5]),
                                     hy_pose2d_at(n[6], n[7], n[8]) };
        const hy_translation2d inner[1] = { { n[3], n[4] } };
        const hy_cubic_path path = { poses[0], poses[2], inner, 1 };
        hy_spline_end ends[2] = { { 0, 1, 0, 0, 0, 0 }, { 2, 1, 0, 1, 0, 0 } };
        hy_trajectory self = generated(bend, 3, &plain);
        if (i != 2 && i != 5 && i != 8) { // an angle that is no number is no turn (bot_geometry.h)
            assert_int_equal(hy_trajectory_generate(&self, poses, 3, &plain), HY_ERANGE);
            assert_true(self.count == 0 && self.total_s == 0.0);
            assert_int_equal(hy_trajectory_generate_cubic(&self, &path, &plain), HY_ERANGE);
        }
        double *const numbers[6] = { &ends[i % 2].x_m, &ends[i % 2].dx_m, &ends[i % 2].ddx_m,
                                     &ends[i % 2].y_m, &ends[i % 2].dy_m, &ends[i % 2].ddy_m };
        *numbers[i % 6] = i % 2 == 0 ? (double)INFINITY : (double)NAN;
        assert_int_equal(hy_trajectory_generate_quintic(&self, ends, 2, &plain), HY_ERANGE);
        assert_true(self.count == 0 && self.total_s == 0.0);
    }
}

static void what_cannot_be_driven_is_refused(void **state)
{
    (void)state;
    hy_trajectory self;
    hy_trajectory_init(&self, memory, STATES);
    hy_pose2d poses[2] = { hy_pose2d_at(0, 0, 0), hy_pose2d_at(1, 0, 0) };
    assert_int_equal(hy_trajectory_generate(&self, poses, 1, &plain), HY_ERANGE);
    const hy_pose2d twice[2] = { poses[0], poses[0] };
    assert_int_equal(hy_trajectory_generate(&self, twice, 2, &plain), HY_EFORMAT);
    const hy_spline_end points[2] = { { .x_m = 0 }, { .x_m = 1 } }; // no direction at its ends
    assert_int_equal(hy_trajectory_generate_quintic(&self, points, 2, &plain), HY_EFORMAT);
    assert_int_equal(hy_trajectory_generate_quintic(&self, points, 1, &plain), HY_ERANGE);
    hy_trajectory_config configs[6];
    for (size_t i = 0; i < 6; i++) {
        configs[i] = plain;
    }
    configs[0].max_velocity_m_s = 0.0;
    configs[1].max_acceleration_m_s2 = -1.0;
    configs[2].start_velocity_m_s = (double)NAN;
    configs[3].end_velocity_m_s = -1.0;
    configs[4].max_centripetal_m_s2 = (double)INFINITY;
    configs[5].max_velocity_m_s = (double)INFINITY;
    const hy_cubic_path path = { poses[0], poses[1], NULL, 0 };
    static const hy_translation2d many[HY_TRAJECTORY_INTERIOR + 1];
    const hy_cubic_path long_path = { poses[0], poses[1], many, HY_TRAJECTORY_INTERIOR + 1 };
    assert_int_equal(hy_trajectory_generate_cubic(&self, &long_path, &plain), HY_ERANGE);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(hy_trajectory_generate(&self, poses, 2, &configs[i]), HY_ERANGE);
        assert_int_equal(hy_trajectory_generate_cubic(&self, &path, &configs[i]), HY_ERANGE);
        assert_int_equal(hy_trajectory_generate_quintic(&self, points, 2, &configs[i]), HY_ERANGE);
    }
    for_each_not_finite(bad)
    {
        const hy_translation2d interior[1] = { { bad, 0 } };
        const hy_cubic_path nowhere = { poses[0], poses[1], interior, 1 };
        const hy_spline_end ends[2] = { { .dx_m = 1 }, { .x_m = bad } };
        poses[1].translation.x_m = bad;
        assert_int_equal(hy_trajectory_generate(&self, poses, 2, &plain), HY_ERANGE);
        poses[1] = hy_pose2d_at(1, 0, 0);
        assert_int_equal(hy_trajectory_generate_cubic(&self, &nowhere, &plain), HY_ERANGE);
        assert_int_equal(hy_trajectory_generate_quintic(&self, ends, 2, &plain), HY_ERANGE);
    }
    hy_trajectory_init(&self, memory, 3);
    assert_int_equal(hy_trajectory_generate(&self, poses, 2, &plain), HY_EFULL);
    assert_int_equal(self.count, 0);
    expect_near(self.total_s, 0.0);
}

// --------------------------------------------------------------------------- followers

static hy_pose2d moved(hy_pose2d pose, hy_chassis_speeds speeds)
{
    return hy_pose2d_exp(pose, hy_chassis_speeds_twist(speeds, 0.02));
}

static void ramsete_by_its_formula(void **state)
{
    (void)state;
    hy_ramsete self;
    assert_true(hy_ramsete_init(&self, 2.0, 0.7));
    const hy_trajectory_state wanted = { .velocity_m_s = 1.5,
                                         .curvature_rad_m = 0.4,
                                         .pose = hy_pose2d_at(0.1, 0.2, 0.3) };
    const double k = 2 * 0.7 * sqrt(0.6 * 0.6 + 2.0 * 1.5 * 1.5);
    const hy_chassis_speeds speeds = hy_ramsete_calculate(&self, HY_POSE2D_ORIGIN, &wanted);
    expect_speeds(speeds, 1.5 * cos(0.3) + k * 0.1, 0.0,
                  0.6 + k * 0.3 + 2.0 * 1.5 * (sin(0.3) / 0.3) * 0.2);
    const hy_trajectory_state beside = { .velocity_m_s = 1.5, .pose = hy_pose2d_at(0, 0.2, 0) };
    expect_speeds(hy_ramsete_calculate(&self, HY_POSE2D_ORIGIN, &beside), 1.5, 0, 2.0 * 1.5 * 0.2);
    hy_ramsete_calculate(&self, HY_POSE2D_ORIGIN, &wanted);
    self.tolerance = (hy_pose_tolerance){ 0.11, 0.21, 0.31 };
    assert_true(hy_ramsete_at_reference(&self));
    self.tolerance.angle_rad = 0.29;
    assert_false(hy_ramsete_at_reference(&self));
    self.tolerance = (hy_pose_tolerance){ 0.11, 0.19, 0.31 };
    assert_false(hy_ramsete_at_reference(&self));
}

static void ramsete_comes_back_to_the_way(void **state)
{
    (void)state;
    hy_ramsete self;
    hy_ramsete_init(&self, 2.0, 0.7);
    const hy_trajectory way = generated(bend, 3, &plain);
    hy_pose2d pose = hy_pose2d_at(-0.2, 0.3, -0.4);
    for (double t = 0.0; t < way.total_s; t += 0.02) {
        const hy_trajectory_state wanted = hy_trajectory_sample(&way, t);
        pose = moved(pose, hy_ramsete_calculate(&self, pose, &wanted));
    }
    assert_true(hy_translation2d_distance(pose.translation, bend[2].translation) < 0.05);
}

static void a_holonomic_robot_comes_back_and_looks_where_it_should(void **state)
{
    (void)state;
    hy_holonomic self;
    hy_pid x, y;
    hy_profiled_pid theta;
    hy_pid_init(&x, (hy_pid_gains){ 3, 0, 0 }, 0.02);
    hy_pid_init(&y, (hy_pid_gains){ 3, 0, 0 }, 0.02);
    hy_profiled_pid_init(&theta, (hy_pid_gains){ 4, 0, 0 }, (hy_profile_constraints){ 3, 3 }, 0.02);
    hy_holonomic_init(&self, &x, &y, &theta);
    self.tolerance = (hy_pose_tolerance){ 0.05, 0.05, 0.05 };
    const hy_trajectory way = generated(bend, 3, &plain);
    const hy_rotation2d heading = hy_rotation2d_from_rad(-2.0);
    hy_pose2d pose = hy_pose2d_at(-0.2, 0.3, 3.0);
    for (double t = 0.0; t < way.total_s; t += 0.02) {
        const hy_trajectory_state wanted = hy_trajectory_sample(&way, t);
        const hy_chassis_speeds speeds = hy_holonomic_calculate(&self, pose, &wanted, heading);
        assert_true(t > 0.0 || fabs(speeds.omega_rad_s) < 0.1); // it starts to turn from where it is
        pose = moved(pose, speeds);
        assert_true(t > 0.1 || !hy_holonomic_at_reference(&self));
    }
    assert_true(hy_translation2d_distance(pose.translation, bend[2].translation) < 0.02);
    expect_within(hy_rotation2d_rad(pose.rotation), -2.0, 0.02);
    assert_true(hy_holonomic_at_reference(&self));
    expect_within(hy_rotation2d_rad(self.heading_error), 0.0, 0.02);
}

static void followers_stand_still_for_nonsense(void **state)
{
    (void)state;
    hy_ramsete ramsete;
    hy_holonomic holonomic;
    hy_pure_pursuit pursuit;
    hy_pid pid;
    hy_profiled_pid theta;
    hy_pid_init(&pid, (hy_pid_gains){ 3, 0, 0 }, 0.02);
    hy_profiled_pid_init(&theta, (hy_pid_gains){ 4, 0, 0 }, (hy_profile_constraints){ 3, 3 }, 0.02);
    hy_holonomic_init(&holonomic, &pid, &pid, &theta);
    assert_true(hy_ramsete_init(&ramsete, 2.0, 0.7));
    assert_false(hy_ramsete_init(&ramsete, 0.0, 0.7));
    assert_false(hy_ramsete_init(&ramsete, 2.0, 1.0));
    hy_translation2d path[2] = { { 0, 0 }, { 1, 0 } };
    assert_true(hy_pure_pursuit_init(&pursuit, path, 2, 0.2));
    assert_false(hy_pure_pursuit_init(&pursuit, path, 1, 0.2));
    assert_false(hy_pure_pursuit_init(&pursuit, path, 2, 0.0));
    const hy_trajectory_state good = { .velocity_m_s = 1, .pose = HY_POSE2D_ORIGIN };
    for_each_not_finite(bad)
    {
        const hy_pose2d nowhere = { { 0, bad }, { 1, 0 } };
        const hy_trajectory_state wild = { .velocity_m_s = bad, .pose = HY_POSE2D_ORIGIN };
        expect_speeds(hy_ramsete_calculate(&ramsete, nowhere, &good), 0, 0, 0);
        expect_speeds(hy_ramsete_calculate(&ramsete, HY_POSE2D_ORIGIN, &wild), 0, 0, 0);
        expect_speeds(hy_holonomic_calculate(&holonomic, nowhere, &good, HY_ROTATION2D_NONE), 0, 0,
                      0);
        expect_speeds(hy_holonomic_calculate(&holonomic, HY_POSE2D_ORIGIN, &wild, HY_ROTATION2D_NONE),
                      0, 0, 0);
        expect_speeds(hy_pure_pursuit_calculate(&pursuit, nowhere, 1.0), 0, 0, 0);
        expect_speeds(hy_pure_pursuit_calculate(&pursuit, HY_POSE2D_ORIGIN, bad), 0, 0, 0);
        assert_false(hy_ramsete_init(&ramsete, bad, 0.7));
        assert_false(hy_pure_pursuit_init(&pursuit, path, 2, bad));
        path[1].x_m = bad;
        assert_false(hy_pure_pursuit_init(&pursuit, path, 2, 0.2));
        path[1].x_m = 1;
    }
}

static void pursuit_takes_the_arc_through_its_goal(void **state)
{
    (void)state;
    const hy_translation2d path[2] = { { 0, 0 }, { 10, 0 } };
    hy_pure_pursuit self;
    assert_true(hy_pure_pursuit_init(&self, path, 2, 0.5));
    // 0.3 m to the left of the line it aims at 0.4 m ahead: the arc has the curvature 2 y / L^2.
    const hy_chassis_speeds speeds = hy_pure_pursuit_calculate(&self, hy_pose2d_at(2, 0.3, 0), 0.8);
    expect_translation(self.goal, 2.4, 0.0);
    expect_speeds(speeds, 0.8, 0.0, 0.8 * 2 * -0.3 / 0.25);
    assert_int_equal(self.segment, 0);
    expect_near(self.share, 0.2);
    expect_near(self.to_end_m, hypot(8, 0.3));
    // Farther off than the lookahead it goes for the nearest point.
    hy_pure_pursuit_calculate(&self, hy_pose2d_at(3, 2, 0), 0.8);
    expect_translation(self.goal, 3.0, 0.0);
}

static void pursuit_passes_points_that_are_there_twice(void **state)
{
    (void)state;
    const hy_translation2d path[] = { { 0, 0 }, { 1, 0 }, { 1, 0 }, { 2, 0 } };
    hy_pure_pursuit self;
    hy_pure_pursuit_init(&self, path, 4, 0.2);
    hy_pure_pursuit_calculate(&self, hy_pose2d_at(1.3, 0.0, 0), 0.5);
    assert_int_equal(self.segment, 2);
    expect_near(self.share, 0.3);
    expect_translation(self.goal, 1.5, 0.0);
}

static void pursuit_follows_corners_and_crossings_to_the_end(void **state)
{
    (void)state;
    // A loop that crosses itself at (1, 0): the branch that comes next is taken, not the nearest.
    const hy_translation2d path[] = { { 0, 0 }, { 2, 0 }, { 2, 1 }, { 1, 1 }, { 1, -1 }, { 0, -1 } };
    for (int backwards = 0; backwards < 2; backwards++) {
        hy_pure_pursuit self;
        hy_pure_pursuit_init(&self, path, 6, 0.15);
        hy_pose2d pose = hy_pose2d_at(0, 0.05, backwards ? HY_PI : 0.0);
        double farthest = 0.0;
        int steps = 0;
        while (!hy_pure_pursuit_at_end(&self, 0.03) && steps < 2000) {
            pose = moved(pose, hy_pure_pursuit_calculate(&self, pose, backwards ? -0.5 : 0.5));
            farthest = fmax(farthest, pose.translation.x_m);
            steps++;
        }
        assert_true(steps < 2000);
        assert_true(farthest > 1.9 && farthest < 2.2);
        expect_within(pose.translation.x_m, 0.0, 0.06);
        expect_within(pose.translation.y_m, -1.0, 0.06);
        expect_within(0.02 * 0.5 * steps, 7.0, 0.6); // all of the way, corners cut
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splines_keep_their_ends),
        cmocka_unit_test(a_spline_that_stops_has_no_direction),
        cmocka_unit_test(a_straight_line_takes_as_long_as_its_profile),
        cmocka_unit_test(limits_are_kept_in_curves),
        cmocka_unit_test(first_and_last_speed_are_what_was_asked_for),
        cmocka_unit_test(curvature_does_not_jump_at_waypoints),
        cmocka_unit_test(reversed_it_drives_backwards_the_same_way),
        cmocka_unit_test(reversed_it_is_the_way_of_a_robot_that_is_turned_around),
        cmocka_unit_test(cubics_go_through_their_points),
        cmocka_unit_test(quintics_between_given_ends),
        cmocka_unit_test(trajectories_move_and_join),
        cmocka_unit_test(samples_lie_on_the_way_in_both_directions),
        cmocka_unit_test(a_speed_that_cannot_be_met_is_refused),
        cmocka_unit_test(random_trajectories_are_right_or_refused),
        cmocka_unit_test(a_way_may_be_as_slow_as_one_likes),
        cmocka_unit_test(joined_ways_do_not_jump),
        cmocka_unit_test(waypoints_may_be_close),
        cmocka_unit_test(one_number_of_a_way_spoils_it),
        cmocka_unit_test(what_cannot_be_driven_is_refused),
        cmocka_unit_test(ramsete_by_its_formula),
        cmocka_unit_test(ramsete_comes_back_to_the_way),
        cmocka_unit_test(a_holonomic_robot_comes_back_and_looks_where_it_should),
        cmocka_unit_test(followers_stand_still_for_nonsense),
        cmocka_unit_test(pursuit_takes_the_arc_through_its_goal),
        cmocka_unit_test(pursuit_passes_points_that_are_there_twice),
        cmocka_unit_test(pursuit_follows_corners_and_crossings_to_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
