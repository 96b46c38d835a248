#include "drive_view.h"

#include <math.h>
#include <stdio.h>

enum {
    PANEL = 43, // columns of the instruments
    LABEL = 1,  // where labels and values begin
    VALUE = 12,
    BAR = 21,        // columns of a bar
    BANNER = 2,      // where the coloured rows begin that say whether the robot is enabled ...
    BANNER_ROWS = 3, // ... and their number
    ROWS_NEEDED = 24,
};

static const char *signed_or_dash(bool is_there, char *text, size_t size, const char *format,
                                  double value)
{
    if (is_there) {
        snprintf(text, size, format, value);
    } else {
        snprintf(text, size, "-");
    }
    return text;
}

// --------------------------------------------------------------------------- bars

static void draw_bar(screen *out, unsigned column, unsigned row, double share)
{
    const double filled = hy_clamp(share, 0.0, 1.0, 0.0) * BAR;
    for (unsigned i = 0; i < BAR; i++) {
        const bool whole = filled >= i + 0.75, half = filled >= i + 0.25;
        screen_put(out, column + i, row, half ? LOOK_BAR : LOOK_DIM,
                   whole  ? 0x2588
                   : half ? 0x258c
                          : 0x00b7);
    }
}

// From the middle to the left or to the right; `value` in [-1, +1].
static void draw_centred_bar(screen *out, unsigned column, unsigned row, double value)
{
    const int middle = BAR / 2;
    const int reach = (int)lround(hy_clamp(value, -1.0, 1.0, 0.0) * middle);
    for (int i = -middle; i <= middle; i++) {
        const bool is_in = (reach > 0 && i > 0 && i <= reach) || (reach < 0 && i < 0 && i >= reach);
        screen_put(out, column + (unsigned)(i + middle), row, is_in ? LOOK_BAR : LOOK_DIM,
                   i == 0  ? 0x2502
                   : is_in ? 0x2588
                           : 0x00b7);
    }
}

static void label(screen *out, unsigned row, const char *text)
{
    screen_print(out, LABEL, row, LOOK_DIM, "%s", text);
}

// --------------------------------------------------------------------------- parts of the screen

static void draw_header(const drive *self, screen *out)
{
    const hy_program_link *const link = &self->state.link[0];
    screen_print(out, LABEL, 0, LOOK_TITLE, "halyard");
    screen_print(out, LABEL + 9, 0, LOOK_STRONG, "%.*s", 34, self->title);
    const unsigned right = out->columns > 38 ? out->columns - 38 : 0;
    if (link->statuses == 0) {
        screen_print(out, right, 0, LOOK_WARN, "● %s",
                     link->is_taken ? "driven by another program" : "waiting for the robot ...");
    } else if (!link->is_up) {
        screen_print(out, right, 0, LOOK_BAD, "● LOST for %.1f s", (double)link->age_us * 1e-6);
    } else {
        const unsigned next = screen_print(out, right, 0, LOOK_GOOD, "● up");
        screen_print(out, next, 0, link->loss > 0.02 ? LOOK_WARN : LOOK_PLAIN,
                     "  %4.1f Hz  loss %4.1f %%  age %3.0f ms", link->rate_hz, 100.0 * link->loss,
                     (double)link->age_us * 1e-3);
    }
    for (unsigned column = 0; column < out->columns; column++) {
        screen_put(out, column, 1, LOOK_DIM, 0x2500);
    }
    if (self->state.page != NULL) {
        screen_print(out, LABEL, 1, LOOK_PLAIN, " open %s ", self->state.page);
    }
}

// Over the whole width, so that its colour can be seen from across the room.
static void draw_banner(const drive *self, screen *out)
{
    const bool enabled = self->state.is_enabled;
    const char *const word = enabled ? "ENABLED" : self->state.is_emergency ? "E-STOP" : "DISABLED";
    const screen_look look = enabled ? LOOK_ENABLED : LOOK_DISABLED;
    for (unsigned row = BANNER; row < BANNER + BANNER_ROWS; row++) {
        for (unsigned column = 0; column < out->columns; column++) {
            screen_put(out, column, row, look, ' ');
        }
    }
    screen_print(out, LABEL, BANNER + BANNER_ROWS / 2, look, "%s", word);
    const unsigned next = screen_print(out, LABEL, 5, LOOK_PLAIN, "%s",
                                       enabled                    ? "Space or Esc stops"
                                       : self->state.is_emergency ? "start again to enable"
                                                                  : "Enter enables");
    screen_print(out, next, 5, LOOK_DIM, "%s",
                 self->stick.releases ? " · hold keys to drive" : " · each press a step");
    if (self->faults_text != NULL) {
        screen_print(out, LABEL, 6, LOOK_WARN, "injecting faults: %.*s", PANEL - 20,
                     self->faults_text);
    }
}

static void draw_stick(const drive *self, screen *out, unsigned row)
{
    const hy_stick stick = hy_key_stick_read(&self->stick, self->state.now_us);
    const struct {
        const char *name;
        double value;
    } bars[] = {
        { "speed", stick.speed },
        { "turn", -stick.turn }, // drawn to the side to which it turns
        { "left", self->wheel[0] },
        { "right", self->wheel[1] },
    };
    for (unsigned i = 0; i < 4; i++) {
        label(out, row + i, bars[i].name);
        draw_centred_bar(out, VALUE, row + i, bars[i].value);
        screen_print(out, VALUE + BAR + 1, row + i, LOOK_PLAIN, "%+5.2f",
                     i == 1 ? stick.turn : bars[i].value);
    }
    screen_print(out, VALUE + BAR + 7, row, LOOK_DIM, "x%.1f", self->limit);
}

static void draw_encoders(const hy_readings *status, screen *out, unsigned row)
{
    static const char *const names[] = { "encoder L", "encoder R" };
    for (unsigned i = 0; i < 2; i++) {
        label(out, row + i, names[i]);
        if ((status->encoders & 1u << i) == 0) {
            screen_print(out, VALUE, row + i, LOOK_DIM, "-");
            continue;
        }
        float rate = 0.0f;
        const hy_encoder_reading *const of = &status->encoder[i];
        const hy_encoder_motion motion =
            hy_wire_encoder_rate(&(hy_wire_encoder){ .count = of->count,
                                                     .period_num = of->period_num,
                                                     .period_den = of->period_den,
                                                     .has_period = of->has_period },
                                 &rate);
        const unsigned next = screen_print(out, VALUE, row + i, LOOK_PLAIN, "%9d", of->count);
        if (motion == HY_ENCODER_UNKNOWN) {
            screen_print(out, next, row + i, LOOK_DIM, "  rate unknown");
        } else {
            screen_print(out, next, row + i, LOOK_PLAIN, " %+8.1f/s", (double)rate);
        }
    }
}

static void draw_imu(const hy_readings *status, screen *out, unsigned row)
{
    char rate[32], angle[32];
    label(out, row, "gyro z");
    signed_or_dash(status->has_gyro, rate, sizeof rate, "%+8.1f °/s",
                   (double)status->gyro_rate_dps[2]);
    signed_or_dash(status->has_gyro, angle, sizeof angle, "%7.1f °",
                   (double)status->gyro_angle_deg[2]);
    screen_print(out, VALUE, row, LOOK_PLAIN, "%s   %s", rate, angle);
    label(out, row + 1, "accel");
    if (status->has_accel) {
        screen_print(out, VALUE, row + 1, LOOK_PLAIN, "%+6.2f %+6.2f %+6.2f g",
                     (double)status->accel_g[0], (double)status->accel_g[1],
                     (double)status->accel_g[2]);
    } else {
        screen_print(out, VALUE, row + 1, LOOK_DIM, "-");
    }
}

static void draw_analogs(const hy_readings *status, screen *out, unsigned row)
{
    static const struct {
        const char *name, *format;
        double full, per_volt; // volts of a full bar; what is printed for a volt
    } inputs[] = {
        { "line L", "%4.2f", 5.0, 0.2 }, // 0 white .. 1 black
        { "line R", "%4.2f", 5.0, 0.2 },
        { "range", "%4.2f m", 5.0, 0.8 },
    };
    for (unsigned i = 0; i < 3; i++) {
        const double volts = (double)status->analog_v[i];
        label(out, row + i, inputs[i].name);
        // Firmware sends less than 0 V for a sensor that has not measured.
        if ((status->analogs & 1u << i) == 0 || !isfinite(volts) || volts < 0) {
            screen_print(out, VALUE, row + i, LOOK_DIM, "-");
            continue;
        }
        char text[32];
        draw_bar(out, VALUE, row + i, volts / inputs[i].full);
        screen_print(
            out, VALUE + BAR + 2, row + i, LOOK_PLAIN, "%s",
            signed_or_dash(true, text, sizeof text, inputs[i].format, volts * inputs[i].per_volt));
    }
}

static void draw_switches(const drive *self, screen *out, unsigned row)
{
    const bool pressed = self->in.button;
    label(out, row, "button");
    screen_print(out, VALUE, row, pressed ? LOOK_GOOD : LOOK_DIM, "%s", pressed ? "● pressed" : "○");
    screen_print(out, VALUE + 12, row, LOOK_DIM, "led");
    screen_print(out, VALUE + 16, row, self->out.led ? LOOK_WARN : LOOK_DIM, "%s",
                 self->out.led ? "● on" : "○");
    label(out, row + 1, "servos");
    for (unsigned i = 0; i < DRIVE_SERVOS && i < self->type->dialect->servos; i++) {
        screen_print(out, VALUE + i * 7, row + 1, i == self->servo_chosen ? LOOK_STRONG : LOOK_DIM,
                     "%u %4.2f", i + 1, (double)self->servo[i]);
    }
}

static void draw_odometry(const drive *self, screen *out, unsigned row)
{
    const drive_pose pose = drive_where(self);
    label(out, row, "odometry");
    screen_print(out, VALUE, row, LOOK_PLAIN, "%+.2f m ahead %+.2f left %+.0f°", pose.ahead_m,
                 pose.left_m, hy_deg_from_rad(pose.turned_rad));
}

static void draw_footer(const drive *self, screen *out)
{
    const unsigned row = out->rows - 1;
    const unsigned width = out->columns - 2 * LABEL;
    const screen_look look = self->state.is_enabled     ? LOOK_GOOD
                             : self->state.is_emergency ? LOOK_BAD
                                                        : LOOK_WARN;
    screen_print(out, LABEL, row - 2, look, "%.*s", (int)width, self->state.message);
    for (unsigned column = 0; column < out->columns; column++) {
        screen_put(out, column, row - 1, LOOK_DIM, 0x2500);
    }
    screen_print(out, LABEL, row, LOOK_DIM,
                 "WASD/arrows drive  +- speed  L led  1-4 , . servo  Backspace e-stop  Q quit");
}

static void draw_map(const drive *self, screen *out)
{
    const unsigned column = PANEL + 1, row = BANNER + BANNER_ROWS;
    if (out->columns < column + 12 || out->rows < row + 10) {
        return;
    }
    const screen_area area = { column, row, out->columns - column - 1, out->rows - row - 3 };
    map_draw(&self->map, out, &area);
}

void drive_view_draw(const drive *self, screen *out)
{
    draw_header(self, out);
    draw_banner(self, out);
    draw_stick(self, out, 7);
    draw_encoders(&self->in, out, 11);
    draw_imu(&self->in, out, 13);
    draw_analogs(&self->in, out, 15);
    draw_switches(self, out, 18);
    draw_odometry(self, out, 20);
    draw_map(self, out);
    if (out->rows >= ROWS_NEEDED) {
        draw_footer(self, out);
    }
}
