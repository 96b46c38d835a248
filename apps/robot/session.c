#include "session.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/app.h"

int session_refuse_url(const char *command, const char *url)
{
    app_error(
        command,
        "'%s' is no robot's address; one looks like xrp://localhost or xrp://192.168.42.1:3540", url);
    return APP_USAGE;
}

static int complain(const char *command, const char *url, hy_status status)
{
    if (status == HY_EADDRESS) {
        return session_refuse_url(command, url);
    }
    app_error(command, "cannot connect to %s: %s%s", url, hy_status_text(status),
              status == HY_ENAME
                  ? "; check its spelling, or give its number, as in xrp://192.168.42.1"
                  : "");
    return APP_FAILED;
}

int session_open(session *self, const char *command, const char *url)
{
    memset(self, 0, sizeof *self);
    self->command = command;
    const hy_status status = hy_robot_open(&self->robot, url);
    if (status != HY_OK) {
        return complain(command, url, status);
    }
    output_open(&self->output);
    self->wheels = hy_robot_type_of_dialect(hy_robot_get_dialect(self->robot))->wheels;
    session_place(self, 0.0, 0.0, HY_PI / 2.0); // on the map, ahead is up
    return APP_OK;
}

bool session_inject(session *self, const hy_faults_spec *faults)
{
    hy_faults_error error;
    return hy_robot_set_faults(self->robot, faults, &error) == HY_OK ||
           session_fail(self, "--faults: %s", error.text);
}

void session_place(session *self, double x_m, double y_m, double heading_rad)
{
    track_start(&self->map.track, self->wheels, x_m, y_m, heading_rad);
    self->start = self->map.track;
}

session_pose session_where(const session *self)
{
    const track *const at = &self->map.track;
    const double dx = at->x_m - self->start.x_m, dy = at->y_m - self->start.y_m;
    const double c = cos(self->start.heading_rad), s = sin(self->start.heading_rad);
    return (session_pose){ .ahead_m = dx * c + dy * s,
                           .left_m = dy * c - dx * s,
                           .turned_rad = at->heading_rad - self->start.heading_rad };
}

double session_range_m(const session *self)
{
    const hy_robot_wheels *const wheels = self->wheels;
    if (wheels == NULL || !wheels->has_range) {
        return -1.0;
    }
    const hy_wire_status *const status = hy_robot_get_status(self->robot);
    const double volts = (double)status->analog_v[wheels->range_analog];
    const bool is_there =
        (status->analogs & 1u << wheels->range_analog) != 0 && isfinite(volts) && volts >= 0;
    return is_there ? volts * wheels->range_m_per_v : -1.0;
}

void session_update(session *self)
{
    const hy_robot *const robot = self->robot;
    if (!hy_robot_is_enabled(robot)) {
        self->wheel[0] = self->wheel[1] = 0.0;
    }
    const hy_robot_counters counters = hy_robot_get_counters(robot);
    if (counters.statuses == self->statuses_seen) {
        return;
    }
    self->statuses_seen = counters.statuses;
    if (counters.restarts != self->restarts_seen) {
        self->restarts_seen = counters.restarts;
        track_resync(&self->map.track);
    }
    track_update(&self->map.track, hy_robot_get_status(robot));
    map_update(&self->map, session_range_m(self));
}

void session_drive(session *self, double left, double right)
{
    self->wheel[0] = left;
    self->wheel[1] = right;
    const hy_robot_wheels *const wheels = self->wheels;
    if (wheels != NULL) {
        hy_robot_set_motor(self->robot, wheels->left_motor,
                           (float)(wheels->left_is_inverted ? -left : left));
        hy_robot_set_motor(self->robot, wheels->right_motor,
                           (float)(wheels->right_is_inverted ? -right : right));
    }
}

void session_arcade(session *self, double speed, double turn)
{
    const double left = speed - turn, right = speed + turn;
    const double largest = fmax(1.0, fmax(fabs(left), fabs(right)));
    session_drive(self, left / largest, right / largest);
}

bool session_fail(session *self, const char *format, ...)
{
    if (self->failure[0] == '\0') {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(self->failure, sizeof self->failure, format, arguments);
        va_end(arguments);
    }
    return false;
}

static void print_summary(session *self)
{
    const hy_robot *const robot = self->robot;
    const hy_robot_figures figures = hy_robot_measure(robot, hy_clock_now_us());
    const session_pose at = session_where(self);
    const hy_robot_counters counters = hy_robot_get_counters(robot);
    char learnt[160] = "";
    if (counters.statuses > 0) {
        const int size =
            snprintf(learnt, sizeof learnt, ", lost %.1f %%", 100.0 * figures.loss_total);
        if (self->wheels != NULL) {
            snprintf(learnt + size, sizeof learnt - (size_t)size,
                     "; by odometry %.3f m ahead, %.3f m to the left, turned %+.1f degrees",
                     at.ahead_m, at.left_m, hy_deg_from_rad(at.turned_rad));
        }
    }
    output_line(&self->output, "sent %" PRIu64 " commands, received %" PRIu64 " statuses%s",
                counters.commands, counters.statuses, learnt);
}

int session_close(session *self)
{
    hy_robot_emergency_stop(self->robot);
    while (!hy_robot_is_stopped(self->robot)) { // what counts the commands must see the last one
        hy_robot_wait(self->robot, HY_STOP_REPEAT_US);
    }
    session_update(self);
    print_summary(self);
    hy_robot_close(self->robot);
    self->robot = NULL;
    output_close(&self->output);
    if (self->failure[0] != '\0') {
        app_error(self->command, "%s", self->failure);
    }
    const bool is_printed = output_complain(&self->output, self->command);
    return is_printed && self->failure[0] == '\0' ? APP_OK : APP_FAILED;
}
