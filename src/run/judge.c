#include "run_judge.h"

#include <stdio.h>

#define JUDGE_EVERY_US INT64_C(20000) // the outcome's distances and angles

static double bearing_rad(const run_judge *self, const hy_world_pose *at)
{
    return hy_atan2(at->y_m - self->line->middle_y_m, at->x_m - self->line->middle_x_m);
}

void run_judge_start(run_judge *self, const hy_sim *sim, size_t board, const run_line *line)
{
    const size_t vehicle = hy_sim_board_vehicle(sim, board);
    const hy_world_fittings fittings = hy_world_fittings_of(hy_sim_model(sim), vehicle);
    const hy_point *const floor = fittings.reflectance;
    *self = (run_judge){ .line = line, .vehicle = vehicle, .board = board };
    self->last = hy_world_pose_of(hy_sim_world(sim), vehicle);
    if (fittings.has_reflectance) {
        self->sensor =
            (hy_point){ (floor[0].x_m + floor[1].x_m) / 2, (floor[0].y_m + floor[1].y_m) / 2 };
    }
    self->last_bearing_rad = bearing_rad(self, &self->last);
    self->due_us = JUDGE_EVERY_US;
    self->outcome.has_line = line->is_there;
}

static void judge_line(run_judge *self, const hy_world_pose *at)
{
    const double bearing = bearing_rad(self, at);
    self->turned_rad += hy_wrap_angle(bearing - self->last_bearing_rad);
    self->last_bearing_rad = bearing;
    const hy_sine_cosine heading = hy_sin_cos(at->heading_rad);
    const double x_m = at->x_m + self->sensor.x_m * heading.cos - self->sensor.y_m * heading.sin;
    const double y_m = at->y_m + self->sensor.x_m * heading.sin + self->sensor.y_m * heading.cos;
    const double off_m = run_line_distance_m(self->line, x_m, y_m);
    self->line_sum_m += off_m;
    self->samples++;
    self->off_samples += off_m > 0.0;
    self->outcome.line_most_m = off_m > self->outcome.line_most_m ? off_m : self->outcome.line_most_m;
}

void run_judge_step(run_judge *self, const hy_sim *sim, bool is_enabled, bool is_reset)
{
    const hy_world_pose at = hy_world_pose_of(hy_sim_world(sim), self->vehicle);
    if (is_reset) { // which is no driving
        self->last = at;
        self->last_bearing_rad = bearing_rad(self, &at);
    }
    self->outcome.touches += at.touching && !self->last.touching;
    self->outcome.driven_m += hy_hypot(at.x_m - self->last.x_m, at.y_m - self->last.y_m);
    if (is_enabled && self->line->is_there && hy_sim_now_us(sim) >= self->due_us) {
        judge_line(self, &at);
        self->due_us = hy_sim_now_us(sim) + JUDGE_EVERY_US;
    }
    self->last = at;
}

hy_run_outcome run_judge_end(const run_judge *self, const hy_sim *sim)
{
    hy_run_outcome out = self->outcome;
    out.time_s = (double)hy_sim_now_us(sim) * 1e-6;
    out.steps = hy_sim_steps(sim);
    out.x_m = self->last.x_m;
    out.y_m = self->last.y_m;
    out.heading_rad = self->last.heading_rad;
    out.laps = self->turned_rad / (2.0 * HY_PI);
    out.line_mean_m = self->samples > 0 ? self->line_sum_m / (double)self->samples : 0.0;
    out.off_line_s = (double)self->off_samples * (JUDGE_EVERY_US * 1e-6);
    out.off_line_mean_m = self->off_samples > 0 ? self->line_sum_m / (double)self->off_samples : 0.0;
    out.watchdog_trips = hy_board_counts(hy_sim_board_at(sim, self->board))->watchdog_trips;
    if (hy_sim_match(sim) != NULL) {
        const hy_match_facts facts = hy_match_describe(hy_sim_match(sim));
        out.has_score = true;
        out.blue_score = facts.blue_score;
        out.red_score = facts.red_score;
    }
    out.hash = hy_sim_hash(sim);
    return out;
}

const char *hy_run_line_text(const hy_run_outcome *run, char text[HY_RUN_LINE_MAX])
{
    const int used =
        snprintf(text, HY_RUN_LINE_MAX, "%.1f mm from the line on average, %.1f mm at most",
                 run->line_mean_m * 1e3, run->line_most_m * 1e3);
    if (run->off_line_s > 0.0) {
        (void)snprintf(text + used, HY_RUN_LINE_MAX - (size_t)used,
                       "; for %.2f s it was not under the sensors, and %.1f mm away on average",
                       run->off_line_s, run->off_line_mean_m * 1e3);
    }
    return text;
}
