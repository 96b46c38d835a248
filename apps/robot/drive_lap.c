// `halyard drive virtual` without a terminal: a lap around the arena, judged by the world's truth.
#include <math.h>
#include <stdio.h>

#include "cli/app.h"
#include "drive.h"
#include "text/text_plain.h"

// The black oval of the arena: two straights and two half circles.
#define OVAL_LEFT_M   0.9
#define OVAL_RIGHT_M  1.5
#define OVAL_MIDDLE_M 0.9
#define OVAL_RADIUS_M 0.4

#define LAP_SPEED         0.7  // effort
#define LAP_TURN          1.0  // effort per radian of heading error
#define LAP_CARROT_M      0.15 // the point that the robot drives towards lies so far ahead
#define LAP_CARROT_STEP_M 0.005
#define LAP_LIMIT_US      60000000
#define LAP_MISS_M        0.15   // the lap is one if it ends so close to its start
#define LAP_STOP_US       200000 // after the stop the robot rolls no more

typedef struct {
    double x_m, y_m;
} point;

static double oval_length_m(void)
{
    return 2.0 * (OVAL_RIGHT_M - OVAL_LEFT_M) + 2.0 * HY_PI * OVAL_RADIUS_M;
}

// The point `way_m` along the oval, counter-clockwise from the left end of its lower straight, where the robot starts.
static point oval_point(double way_m)
{
    way_m = fmod(way_m, oval_length_m());
    const double straight_m = OVAL_RIGHT_M - OVAL_LEFT_M;
    const double half_m = HY_PI * OVAL_RADIUS_M;
    const double bottom_m = OVAL_MIDDLE_M - OVAL_RADIUS_M, top_m = OVAL_MIDDLE_M + OVAL_RADIUS_M;
    if (way_m < straight_m) {
        return (point){ OVAL_LEFT_M + way_m, bottom_m };
    }
    way_m -= straight_m;
    if (way_m < half_m) {
        const double angle_rad = way_m / OVAL_RADIUS_M - HY_PI / 2.0;
        return (point){ OVAL_RIGHT_M + OVAL_RADIUS_M * cos(angle_rad),
                        OVAL_MIDDLE_M + OVAL_RADIUS_M * sin(angle_rad) };
    }
    way_m -= half_m;
    if (way_m < straight_m) {
        return (point){ OVAL_RIGHT_M - way_m, top_m };
    }
    way_m -= straight_m;
    const double angle_rad = way_m / OVAL_RADIUS_M + HY_PI / 2.0;
    return (point){ OVAL_LEFT_M + OVAL_RADIUS_M * cos(angle_rad),
                    OVAL_MIDDLE_M + OVAL_RADIUS_M * sin(angle_rad) };
}

// Steers towards a point that runs ahead on the oval. Returns false when the robot has come around behind it.
static bool steer_lap(drive *self)
{
    const double end_m = oval_length_m() + LAP_CARROT_M;
    const track *const at = &self->map.track;
    point carrot = oval_point(self->carrot_m);
    while (hypot(carrot.x_m - at->x_m, carrot.y_m - at->y_m) < LAP_CARROT_M &&
           self->carrot_m < end_m) {
        self->carrot_m += LAP_CARROT_STEP_M;
        carrot = oval_point(self->carrot_m);
    }
    const double bearing_rad = atan2(carrot.y_m - at->y_m, carrot.x_m - at->x_m);
    const double error_rad = hy_wrap_angle(bearing_rad - at->heading_rad);
    drive_arcade(self, LAP_SPEED * fmax(0.0, cos(error_rad)),
                 hy_clamp(LAP_TURN * error_rad, -LAP_SPEED, LAP_SPEED, 0.0));
    return self->carrot_m < end_m;
}

hy_program_wish drive_a_lap(drive *self)
{
    const int64_t now_us = self->state.now_us;
    if (self->stopped_us != 0) {
        return now_us - self->stopped_us < LAP_STOP_US ? HY_PROGRAM_GO_ON : HY_PROGRAM_END;
    }
    if (now_us - self->begin_us >= LAP_LIMIT_US) {
        return drive_fail(self, "the robot did not come around in a minute");
    }
    if (!self->state.is_enabled) {
        return HY_PROGRAM_ENABLE;
    }
    if (steer_lap(self)) {
        return HY_PROGRAM_GO_ON;
    }
    self->stopped_us = now_us;
    return HY_PROGRAM_DISABLE;
}

bool drive_judge_lap(drive *self, const hy_run_outcome *at)
{
    const double miss_m = hypot(at->x_m - self->lap_start.x_m, at->y_m - self->lap_start.y_m);
    if (self->failure[0] == '\0' && (miss_m > LAP_MISS_M || at->driven_m < 0.9 * oval_length_m())) {
        drive_fail(self, "the robot is not where it should be");
    }
    const bool is_lap = self->failure[0] == '\0';
    char line[HY_RUN_LINE_MAX] = "no line";
    hy_print(
        stdout,
        "%s: drove %.2f m in %.1f s and ended at x %.3f m, y %.3f m, heading %.1f degrees (the "
        "world's truth), %.1f cm from the start; %s\n",
        is_lap ? "lap" : "no lap", at->driven_m, drive_clock_s(self), at->x_m, at->y_m,
        hy_deg_from_rad(hy_wrap_angle(at->heading_rad)), 100.0 * miss_m,
        at->has_line ? hy_run_line_text(at, line) : line);
    return is_lap;
}
