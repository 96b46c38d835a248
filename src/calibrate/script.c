// What the robot does to be known: on 1.2 m by 1 m of floor, ways out and back.
#include <halyard/calibrate.h>

#define REST(seconds)              \
    {                              \
        "rest", seconds, { 0, 0 }, \
        {                          \
            0, 0                   \
        }                          \
    }
#define GO(what, seconds, left, right)  \
    {                                   \
        what, seconds, { left, right }, \
        {                               \
            left, right                 \
        }                               \
    }
// There, a rest, back, a rest.
#define BOTH_WAYS(what, seconds, rest, left, right) \
    GO(what, seconds, left, right), REST(rest), GO(what, seconds, -(left), -(right)), REST(rest)
#define RAMP(effort)                                \
    { "ramps", 2.0, { 0, 0 }, { effort, effort } }, \
        { "ramps", 1.0, { effort, effort }, { 0, 0 } }, REST(0.4)

static const hy_calibration_piece script[] = {
    REST(3.0),
    // Speeds, time constants, what happens at effort 0.
    BOTH_WAYS("steps", 1.0, 0.5, 0.25, 0.25),
    BOTH_WAYS("steps", 1.0, 0.5, 0.4, 0.4),
    BOTH_WAYS("steps", 1.0, 0.5, 0.6, 0.6),
    BOTH_WAYS("steps", 1.0, 0.5, 0.8, 0.8),
    BOTH_WAYS("steps", 1.0, 0.5, 1.0, 1.0),
    // Distance between the wheels, against the gyro.
    BOTH_WAYS("pivots", 0.7, 0.4, -0.2, 0.2),
    BOTH_WAYS("pivots", 0.7, 0.4, -0.35, 0.35),
    BOTH_WAYS("pivots", 0.7, 0.4, -0.6, 0.6),
    BOTH_WAYS("pivots", 0.7, 0.4, -1.0, 1.0),
    // How far the battery's voltage falls: one motor against two.
    BOTH_WAYS("single wheels", 0.8, 0.4, 0.4, 0),
    BOTH_WAYS("single wheels", 0.8, 0.4, 0, 0.4),
    BOTH_WAYS("single wheels", 0.8, 0.4, 0.8, 0),
    BOTH_WAYS("single wheels", 0.8, 0.4, 0, 0.8),
    // Friction: where they begin to move, and where they stop.
    RAMP(0.35),
    RAMP(-0.35),
    BOTH_WAYS("turns", 4.0, 0.5, -0.5, 0.5),
    BOTH_WAYS("curves", 2.0, 0.5, 0.7, 0.45),
    REST(2.8),
};

const hy_calibration_piece *hy_calibration_script(size_t *count)
{
    *count = sizeof script / sizeof script[0];
    return script;
}

double hy_calibration_script_s(void)
{
    double sum = 0;
    for (size_t i = 0; i < sizeof script / sizeof script[0]; i++) {
        sum += script[i].seconds;
    }
    return sum;
}

const hy_calibration_piece *hy_calibration_efforts(double at_s, double effort[2])
{
    effort[0] = effort[1] = 0;
    for (size_t i = 0; i < sizeof script / sizeof script[0]; i++) {
        const hy_calibration_piece *const piece = &script[i];
        if (at_s < piece->seconds) {
            for (size_t side = 0; side < 2; side++) {
                const double change = piece->to[side] - piece->from[side];
                effort[side] = piece->from[side] + change * at_s / piece->seconds;
            }
            return piece;
        }
        at_s -= piece->seconds;
    }
    return NULL;
}
