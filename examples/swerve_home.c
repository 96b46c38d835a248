// The swerve robot finds out where its modules point, and then drives a metre. Its encoders begin to count wherever a module stands; a switch
// of each is closed while it points forward, or nearly so: forward is the middle between where it closes and where it opens.
//
//     build/examples/swerve_home --sim teensy-homing --view
#include <halyard/program.h>
#include <math.h>

#define SEEK_EFFORT 0.13 // slow: a module turns by less than a degree between two statuses
#define MOST_RAD    (2.5 * HY_PI)
#define SPEED_M_S   0.3
#define WAY_M       1.0
#define PERIOD_S    0.02

typedef enum { LEAVE, SEEK, CROSS, FOUND, LOST } step;

/// The search of one module. A switch changes between two statuses: its edge is taken to be in the middle of them.
typedef struct {
    step step;
    double start_rad, before_rad, closes_rad;
} homing;

static hy_teensy robot;
static hy_swerve_drive drive;
static homing module[HY_TEENSY_MODULES];
static const char *const names[] = { "front left", "rear left", "rear right", "front right" };
static double start_m;
static bool drives;

static hy_encoder *azimuth(int i)
{
    return &robot.encoder[2 * i + 1];
}

static void start(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    for (int i = 0; i < HY_TEENSY_MODULES; i++) {
        const double at_rad = azimuth(i)->distance;
        module[i] = (homing){ LEAVE, at_rad, at_rad, 0 };
    }
    drives = false;
}

/// Leaves a closed switch clockwise, then turns counter-clockwise until it closes, and until it opens.
static step home(homing *self, bool is_closed, hy_encoder *encoder)
{
    const double edge_rad = (self->before_rad + encoder->distance) / 2;
    self->before_rad = encoder->distance;
    if (fabs(encoder->distance - self->start_rad) > MOST_RAD) {
        return LOST;
    }
    if (self->step == LEAVE) {
        return is_closed ? LEAVE : SEEK;
    }
    if (self->step == SEEK) {
        self->closes_rad = edge_rad;
        return is_closed ? CROSS : SEEK;
    }
    if (is_closed) {
        return CROSS;
    }
    hy_encoder_set_position(encoder, encoder->distance - (self->closes_rad + edge_rad) / 2);
    return FOUND;
}

/// Whether all modules have been found.
static bool home_all(int64_t now_us)
{
    int found = 0;
    for (int i = 0; i < HY_TEENSY_MODULES; i++) {
        homing *const self = &module[i];
        if (self->step < FOUND) {
            self->step = robot.has_home[i] ? home(self, robot.at_home[i], azimuth(i)) : LOST;
        }
        if (self->step == LOST) {
            hy_program_set_status("the %s module has no home switch, or it never closes", names[i]);
            hy_teensy_devices.stop(&robot, now_us);
            return false;
        }
        const double effort = self->step == LEAVE ? -SEEK_EFFORT : SEEK_EFFORT;
        hy_motor_set(&robot.motor[2 * i + 1], self->step < FOUND ? effort : 0, now_us);
        found += self->step == FOUND ? 1 : 0;
    }
    hy_program_set_status("%d of %d modules found", found, HY_TEENSY_MODULES);
    return found == HY_TEENSY_MODULES;
}

static void find_and_drive(void *context, int64_t now_us)
{
    (void)context;
    if (!drives) {
        drives = home_all(now_us) && hy_teensy_swerve_drive_init(&drive, &robot, PERIOD_S);
        start_m = robot.encoder[0].distance;
        return;
    }
    const double way_m = fabs(robot.encoder[0].distance - start_m);
    const hy_chassis_speeds ahead = { .vx_m_s = way_m < WAY_M ? SPEED_M_S : 0 };
    hy_swerve_drive_robot(&drive, ahead, now_us);
    hy_program_set_status(
        "%s %.2f m; modules at %.1f %.1f %.1f %.1f degrees",
        way_m < WAY_M ? "drove" : "arrived:", way_m, hy_deg_from_rad(azimuth(0)->distance),
        hy_deg_from_rad(azimuth(1)->distance), hy_deg_from_rad(azimuth(2)->distance),
        hy_deg_from_rad(azimuth(3)->distance));
}

int main(int argc, char **argv)
{
    const hy_program program = {
        .name = "swerve_home",
        .about = "finds where its modules point by their home switches, and drives a metre",
        .robots = { { .teensy = &robot } },
        .loop = { .mode = { [HY_MODE_AUTONOMOUS] = { .init = start, .periodic = find_and_drive } } },
    };
    return hy_program_main(&program, argc, argv);
}
