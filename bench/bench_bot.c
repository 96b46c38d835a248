// What the robot library costs over code that somebody would write by hand for one robot, in a
// straight line and without its checks, and what one whole loop of a robot program costs without
// the system calls. Rounds alternate, so that both see the same machine. Elementary functions are
// base's on both sides: they are what gives the same bits everywhere.
#include <halyard/bot.h>

#include "../tests/support/robot_loop.h"
#include "measure.h"

#include <math.h>
#include <string.h>

#define ROUNDS 101
#define CALLS  20000
#define STEPS  64 // readings of a short drive, over and over

/// Time of the processor, not of the clock: other programs' turns do not count.
static double cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

// --------------------------------------------------------------------------- what is measured

typedef struct {
    hy_differential_odometry differential;
    hy_swerve_odometry swerve;
    hy_swerve_state modules[4];
    hy_chassis_speeds chassis;
    // The floors' own.
    struct {
        double x, y, cos, sin, heading, left, right, way[4];
    } by_hand;
    struct {
        double gyro, left, right;
        hy_swerve_position modules[4];
        hy_chassis_speeds speeds;
        hy_swerve_state states[4];
    } step[STEPS];
    double sum; // of results, printed: nothing may be left out
} stage;

#define ARM   0.115
#define TRACK 0.155

static const hy_translation2d places[4] = {
    { ARM, ARM }, { -ARM, ARM }, { -ARM, -ARM }, { ARM, -ARM }
};

static void run_differential_odometry(stage *s)
{
    for (unsigned i = 0; i < CALLS; i++) {
        const unsigned k = i % STEPS;
        hy_differential_odometry_update(&s->differential, s->step[k].gyro,
                                        (hy_wheel_distances){ s->step[k].left, s->step[k].right });
        s->sum += s->differential.odometry.pose.translation.x_m;
    }
}

/// The end of the arc in a straight line: the two sines and cosines that the formula needs, and no
/// more.
static void arc_by_hand(stage *s, double dx, double dy, double heading)
{
    const double dtheta = heading - s->by_hand.heading;
    const hy_sine_cosine turn = hy_sin_cos(dtheta), there = hy_sin_cos(heading);
    const double along = fabs(dtheta) < 1e-9 ? 1.0 : turn.sin / dtheta;
    const double across = fabs(dtheta) < 1e-9 ? 0.5 * dtheta : (1.0 - turn.cos) / dtheta;
    const double x = dx * along - dy * across, y = dx * across + dy * along;
    s->by_hand.x += x * s->by_hand.cos - y * s->by_hand.sin;
    s->by_hand.y += x * s->by_hand.sin + y * s->by_hand.cos;
    s->by_hand.cos = there.cos;
    s->by_hand.sin = there.sin;
    s->by_hand.heading = heading;
}

__attribute__((noinline)) static void differential_by_hand(stage *s, double gyro, double left,
                                                           double right)
{
    const double dx = (left - s->by_hand.left + right - s->by_hand.right) / 2;
    s->by_hand.left = left;
    s->by_hand.right = right;
    arc_by_hand(s, dx, 0.0, gyro);
}

static void run_differential_by_hand(stage *s)
{
    for (unsigned i = 0; i < CALLS; i++) {
        const unsigned k = i % STEPS;
        differential_by_hand(s, s->step[k].gyro, s->step[k].left, s->step[k].right);
        s->sum += s->by_hand.x;
    }
}

static void run_swerve_odometry(stage *s)
{
    for (unsigned i = 0; i < CALLS; i++) {
        const unsigned k = i % STEPS;
        hy_swerve_odometry_update(&s->swerve, s->step[k].gyro, s->step[k].modules);
        s->sum += s->swerve.odometry.pose.translation.x_m;
    }
}

/// Four modules in a square about the middle: the mean of their motions.
__attribute__((noinline)) static void swerve_by_hand(stage *s, double gyro,
                                                     const hy_swerve_position *m)
{
    const double w0 = m[0].distance_m - s->by_hand.way[0], w1 = m[1].distance_m - s->by_hand.way[1];
    const double w2 = m[2].distance_m - s->by_hand.way[2], w3 = m[3].distance_m - s->by_hand.way[3];
    const double dx =
        (w0 * m[0].angle.cos + w1 * m[1].angle.cos + w2 * m[2].angle.cos + w3 * m[3].angle.cos) / 4;
    const double dy =
        (w0 * m[0].angle.sin + w1 * m[1].angle.sin + w2 * m[2].angle.sin + w3 * m[3].angle.sin) / 4;
    for (int i = 0; i < 4; i++) {
        s->by_hand.way[i] = m[i].distance_m;
    }
    arc_by_hand(s, dx, dy, gyro);
}

static void run_swerve_by_hand(stage *s)
{
    for (unsigned i = 0; i < CALLS; i++) {
        const unsigned k = i % STEPS;
        swerve_by_hand(s, s->step[k].gyro, s->step[k].modules);
        s->sum += s->by_hand.x;
    }
}

static void run_to_modules(stage *s)
{
    for (unsigned i = 0; i < CALLS; i++) {
        hy_swerve_to_modules(&s->swerve.kinematics, s->step[i % STEPS].speeds,
                             (hy_translation2d){ 0.0, 0.0 }, s->modules);
        s->sum += s->modules[i % 4].speed_m_s;
    }
}

static inline void module_by_hand(hy_swerve_state *m, double x, double y)
{
    m->speed_m_s = sqrt(x * x + y * y);
    if (m->speed_m_s > 1e-6) {
        m->angle = (hy_rotation2d){ x / m->speed_m_s, y / m->speed_m_s };
    }
}

__attribute__((noinline)) static void to_modules_by_hand(hy_swerve_state *m, hy_chassis_speeds v)
{
    const double turn = v.omega_rad_s * ARM;
    module_by_hand(&m[0], v.vx_m_s - turn, v.vy_m_s + turn);
    module_by_hand(&m[1], v.vx_m_s - turn, v.vy_m_s - turn);
    module_by_hand(&m[2], v.vx_m_s + turn, v.vy_m_s - turn);
    module_by_hand(&m[3], v.vx_m_s + turn, v.vy_m_s + turn);
}

static void run_to_modules_by_hand(stage *s)
{
    for (unsigned i = 0; i < CALLS; i++) {
        to_modules_by_hand(s->modules, s->step[i % STEPS].speeds);
        s->sum += s->modules[i % 4].speed_m_s;
    }
}

static void run_to_chassis(stage *s)
{
    for (unsigned i = 0; i < CALLS; i++) {
        s->chassis = hy_swerve_to_chassis(&s->swerve.kinematics, s->step[i % STEPS].states);
        s->sum += s->chassis.omega_rad_s;
    }
}

__attribute__((noinline)) static hy_chassis_speeds to_chassis_by_hand(const hy_swerve_state *m)
{
    const double x0 = m[0].speed_m_s * m[0].angle.cos, y0 = m[0].speed_m_s * m[0].angle.sin;
    const double x1 = m[1].speed_m_s * m[1].angle.cos, y1 = m[1].speed_m_s * m[1].angle.sin;
    const double x2 = m[2].speed_m_s * m[2].angle.cos, y2 = m[2].speed_m_s * m[2].angle.sin;
    const double x3 = m[3].speed_m_s * m[3].angle.cos, y3 = m[3].speed_m_s * m[3].angle.sin;
    return (hy_chassis_speeds){ (x0 + x1 + x2 + x3) / 4, (y0 + y1 + y2 + y3) / 4,
                                (y0 - y1 - y2 + y3 - x0 - x1 + x2 + x3) / (8 * ARM) };
}

static void run_to_chassis_by_hand(stage *s)
{
    for (unsigned i = 0; i < CALLS; i++) {
        s->chassis = to_chassis_by_hand(s->step[i % STEPS].states);
        s->sum += s->chassis.omega_rad_s;
    }
}

// --------------------------------------------------------------------------- a differential drive

static void run_differential_kinematics(stage *s)
{
    const hy_differential_kinematics kinematics = { TRACK };
    for (unsigned i = 0; i < CALLS; i++) {
        const hy_wheel_speeds wheels =
            hy_differential_to_wheels(&kinematics, s->step[i % STEPS].speeds);
        const hy_chassis_speeds chassis = hy_differential_to_chassis(&kinematics, wheels);
        s->sum += chassis.vx_m_s + chassis.omega_rad_s;
    }
}

__attribute__((noinline)) static hy_wheel_speeds to_wheels_by_hand(hy_chassis_speeds v)
{
    const double turn = v.omega_rad_s * (TRACK / 2);
    return (hy_wheel_speeds){ v.vx_m_s - turn, v.vx_m_s + turn };
}

__attribute__((noinline)) static hy_chassis_speeds from_wheels_by_hand(hy_wheel_speeds w)
{
    return (hy_chassis_speeds){ (w.left_m_s + w.right_m_s) / 2, 0.0,
                                (w.right_m_s - w.left_m_s) / TRACK };
}

static void run_differential_kinematics_by_hand(stage *s)
{
    for (unsigned i = 0; i < CALLS; i++) {
        const hy_wheel_speeds wheels = to_wheels_by_hand(s->step[i % STEPS].speeds);
        const hy_chassis_speeds chassis = from_wheels_by_hand(wheels);
        s->sum += chassis.vx_m_s + chassis.omega_rad_s;
    }
}

// --------------------------------------------------------------------------- a whole loop

static double measure_loop(void)
{
    static robot_loop loop;
    static double ns[ROUNDS];
    double sum = 0;
    robot_loop_start(&loop);
    for (unsigned i = 0; i < ROUNDS; i++) {
        const double began = cpu_ns();
        for (unsigned k = 0; k < CALLS; k++) {
            sum += robot_loop_once(&loop);
        }
        ns[i] = (cpu_ns() - began) / CALLS;
    }
    printf("%-34s %6.1f ns (goal: under 1000)\n", "one whole 50 Hz loop of an XRP",
           measure_median(ns, ROUNDS));
    return sum;
}

// --------------------------------------------------------------------------- measuring

static double ns_per_call(void (*run)(stage *), stage *s)
{
    const double began = cpu_ns();
    run(s);
    return (cpu_ns() - began) / CALLS;
}

static void compare(const char *what, void (*run)(stage *), void (*run_floor)(stage *), stage *s)
{
    static double ns[ROUNDS], floor_ns[ROUNDS], ratio[ROUNDS];
    for (unsigned i = 0; i < ROUNDS; i++) {
        ns[i] = ns_per_call(run, s);
        floor_ns[i] = ns_per_call(run_floor, s);
        ratio[i] = ns[i] / floor_ns[i];
    }
    printf("%-34s %6.1f ns, by hand %6.1f ns, ratio %.2f (goal: at most 2)\n", what,
           measure_median(ns, ROUNDS), measure_median(floor_ns, ROUNDS),
           measure_median(ratio, ROUNDS));
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

/// A floor that did something else would be no floor.
static bool floors_do_the_same(stage *s)
{
    bool same = true;
    hy_swerve_state theirs[4] = { { 0 } };
    for (unsigned i = 1; i < STEPS; i++) {
        hy_differential_odometry_update(&s->differential, s->step[i].gyro,
                                        (hy_wheel_distances){ s->step[i].left, s->step[i].right });
        differential_by_hand(s, s->step[i].gyro, s->step[i].left, s->step[i].right);
        same = same && is_near(s->by_hand.y, s->differential.odometry.pose.translation.y_m);
        const hy_wheel_speeds wheels =
            hy_differential_to_wheels(&(hy_differential_kinematics){ TRACK }, s->step[i].speeds);
        same = same && is_near(to_wheels_by_hand(s->step[i].speeds).left_m_s, wheels.left_m_s) &&
               is_near(from_wheels_by_hand(wheels).omega_rad_s, s->step[i].speeds.omega_rad_s);
        hy_swerve_to_modules(&s->swerve.kinematics, s->step[i].speeds, (hy_translation2d){ 0, 0 },
                             s->modules);
        to_modules_by_hand(theirs, s->step[i].speeds);
        const hy_chassis_speeds a = hy_swerve_to_chassis(&s->swerve.kinematics, s->step[i].states);
        const hy_chassis_speeds b = to_chassis_by_hand(s->step[i].states);
        same = same && is_near(a.vx_m_s, b.vx_m_s) && is_near(a.omega_rad_s, b.omega_rad_s);
        for (int k = 0; k < 4; k++) {
            same = same && is_near(theirs[k].speed_m_s, s->modules[k].speed_m_s) &&
                   is_near(theirs[k].angle.sin, s->modules[k].angle.sin);
        }
    }
    memset(&s->by_hand, 0, sizeof s->by_hand);
    s->by_hand.cos = 1.0;
    for (unsigned i = 1; i < STEPS; i++) {
        hy_swerve_odometry_update(&s->swerve, s->step[i].gyro, s->step[i].modules);
        swerve_by_hand(s, s->step[i].gyro, s->step[i].modules);
        same = same && is_near(s->by_hand.y, s->swerve.odometry.pose.translation.y_m);
    }
    return same;
}

static void fill(stage *s)
{
    for (unsigned i = 0; i < STEPS; i++) {
        const double t = 0.1 * (double)i, swing = sin(t);
        s->step[i].gyro = 0.4 * swing;
        s->step[i].left = 0.3 * swing - 0.03 * t * (STEPS / 10.0 - t);
        s->step[i].right = 0.3 * swing + 0.03 * t * (STEPS / 10.0 - t);
        s->step[i].speeds = (hy_chassis_speeds){ 0.5 * swing, 0.3 * cos(t), 1.5 * swing };
        for (int k = 0; k < 4; k++) {
            const hy_rotation2d angle = hy_rotation2d_from_rad(swing + 0.2 * k);
            s->step[i].modules[k] = (hy_swerve_position){ 0.3 * swing + 0.01 * k, angle };
            s->step[i].states[k] = (hy_swerve_state){ 0.4 * cos(t) + 0.02 * k, angle };
        }
    }
    hy_differential_kinematics differential;
    hy_swerve_kinematics swerve;
    const hy_swerve_position still[4] = { { 0.0, { 1.0, 0.0 } } };
    hy_differential_kinematics_init(&differential, TRACK);
    hy_swerve_kinematics_init(&swerve, places, 4);
    hy_differential_odometry_start(&s->differential, &differential, 0.0,
                                   (hy_wheel_distances){ 0.0, 0.0 }, HY_POSE2D_ORIGIN);
    hy_swerve_odometry_start(&s->swerve, &swerve, 0.0, still, HY_POSE2D_ORIGIN);
    s->by_hand.cos = 1.0;
}

int main(void)
{
    static stage s;
    fill(&s);
    if (!floors_do_the_same(&s)) {
        fprintf(stderr, "the floors differ from the library: there is nothing to compare\n");
        return 1;
    }
    compare("differential odometry, one update", run_differential_odometry,
            run_differential_by_hand, &s);
    compare("differential: to wheels and back", run_differential_kinematics,
            run_differential_kinematics_by_hand, &s);
    compare("swerve odometry, 4 modules", run_swerve_odometry, run_swerve_by_hand, &s);
    compare("swerve: chassis to 4 modules", run_to_modules, run_to_modules_by_hand, &s);
    compare("swerve: 4 modules to chassis", run_to_chassis, run_to_chassis_by_hand, &s);
    s.sum += measure_loop();
    printf("(check sum %g)\n", s.sum);
    return 0;
}
