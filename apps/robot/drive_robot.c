// The robot that is driven, of whatever type: its channels as they are on the wire, and its odometry.
#include <halyard/board.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "drive.h"

// --------------------------------------------------------------------------- its devices

static void init(void *devices)
{
    drive *const self = devices;
    self->in = (hy_readings){ 0 };
    self->out = (hy_outputs){ .motors = (uint8_t)((1u << self->type->dialect->motors) - 1) };
}

static double range_m(const drive *self)
{
    const hy_robot_wheels *const wheels = self->type->wheels;
    if (wheels == NULL || !wheels->has_range) {
        return -1.0;
    }
    const double volts = (double)self->in.analog_v[wheels->range_analog];
    const bool is_there =
        (self->in.analogs & 1u << wheels->range_analog) != 0 && isfinite(volts) && volts >= 0;
    return is_there ? volts * wheels->range_m_per_v : -1.0;
}

static void update(void *devices, const hy_readings *readings, int64_t now_us)
{
    (void)now_us;
    drive *const self = devices;
    self->in = *readings;
    track_update(&self->map.track, readings);
    map_update(&self->map, range_m(self));
}

static void outputs(void *devices, hy_outputs *out, int64_t now_us)
{
    (void)now_us;
    *out = ((const drive *)devices)->out;
}

static void rebase(void *devices)
{
    track_resync(&((drive *)devices)->map.track);
}

static void stop(void *devices, int64_t now_us)
{
    (void)now_us;
    drive *const self = devices;
    memset(self->out.motor, 0, sizeof self->out.motor);
    self->wheel[0] = self->wheel[1] = 0.0;
}

// --------------------------------------------------------------------------- driving

void drive_wheels(drive *self, double left, double right)
{
    const hy_robot_wheels *const wheels = self->type->wheels;
    if (wheels != NULL) {
        self->wheel[0] = left;
        self->wheel[1] = right;
        self->out.motor[wheels->left_motor] = (float)(wheels->left_is_inverted ? -left : left);
        self->out.motor[wheels->right_motor] = (float)(wheels->right_is_inverted ? -right : right);
    }
}

void drive_arcade(drive *self, double speed, double turn)
{
    const double left = speed - turn, right = speed + turn;
    const double largest = fmax(1.0, fmax(fabs(left), fabs(right)));
    drive_wheels(self, left / largest, right / largest);
}

drive_pose drive_where(const drive *self)
{
    const track *const at = &self->map.track;
    const double dx = at->x_m - self->start.x_m, dy = at->y_m - self->start.y_m;
    const double c = cos(self->start.heading_rad), s = sin(self->start.heading_rad);
    return (drive_pose){ .ahead_m = dx * c + dy * s,
                         .left_m = dy * c - dx * s,
                         .turned_rad = at->heading_rad - self->start.heading_rad };
}

static void place(drive *self, double x_m, double y_m, double heading_rad)
{
    track_start(&self->map.track, self->type->wheels, x_m, y_m, heading_rad);
    self->start = self->map.track;
}

hy_program_wish drive_fail(drive *self, const char *format, ...)
{
    if (self->failure[0] == '\0') {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(self->failure, sizeof self->failure, format, arguments);
        va_end(arguments);
    }
    return HY_PROGRAM_END;
}

double drive_clock_s(const drive *self)
{
    return (double)(self->state.now_us - self->begin_us) * 1e-6;
}

// --------------------------------------------------------------------------- its world

#define FLOOR_POINTS 8192
#define FLOOR_STEP_M 0.01 // finer than the dots of any terminal
#define FLOOR_DARK   0.5

static void show_floor(map *on, const hy_world_model *world)
{
    static hy_point dark[FLOOR_POINTS]; // there is one terminal
    const hy_world_facts facts = hy_world_describe(world);
    size_t count = 0;
    const unsigned rows = (unsigned)(facts.height_m / FLOOR_STEP_M);
    const unsigned columns = (unsigned)(facts.width_m / FLOOR_STEP_M);
    for (unsigned row = 0; row < rows; row++) {
        for (unsigned column = 0; column < columns && count < FLOOR_POINTS; column++) {
            const double x_m = column * FLOOR_STEP_M, y_m = row * FLOOR_STEP_M;
            if (hy_world_darkness(world, x_m, y_m) > FLOOR_DARK) {
                dark[count++] = (hy_point){ x_m, y_m };
            }
        }
    }
    on->floor = dark;
    on->floor_count = count;
    on->width_m = facts.width_m;
    on->height_m = facts.height_m;
    on->walls = hy_world_segments(world, &on->wall_count);
}

void drive_show_world(drive *self, const hy_sim *sim)
{
    self->lap_start = hy_sim_truth(sim, hy_sim_board_vehicle(sim, 0));
    place(self, self->lap_start.x_m, self->lap_start.y_m, self->lap_start.heading_rad);
    show_floor(&self->map, hy_sim_model(sim));
}

// --------------------------------------------------------------------------- start

void drive_init(drive *self)
{
    const hy_board_kind *const board = self->type->variants[0].board;
    self->of = (hy_device_class){ .button_dio = board->button_dio,
                                  .led_dio = board->led_dio,
                                  .init = init,
                                  .update = update,
                                  .outputs = outputs,
                                  .rebase = rebase,
                                  .stop = stop };
    place(self, 0.0, 0.0, HY_PI / 2.0); // on the map, ahead is up
    for (unsigned i = 0; i < DRIVE_SERVOS; i++) {
        self->servo[i] = 0.5f;
    }
    output_open(&self->output);
}
