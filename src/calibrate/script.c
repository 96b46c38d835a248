// What the robot does to be known: on 1.2 m by 1 m of floor, ways out and back.

#include <math.h>
#include <string.h>

#include "calibrate.h"

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

// --------------------------------------------------------------------------- phases

#define PIECE_S     15.0 // of a recording that is not of the script
#define LOOP_S      0.025 // the first command comes so much after the script's beginning, or twice that
#define SAME_EFFORT 0.01

static double since_begin_s(const hy_calibration_log *log, int64_t at_us)
{
    return (double)(at_us - log->commands[0].at_us) * 1e-6;
}

static bool is_of_script(const hy_calibration_log *log, const hy_calibration_command *command)
{
    for (int loops = 0; loops <= 2; loops++) {
        double effort[2];
        const double at_s = since_begin_s(log, command->at_us) + loops * LOOP_S;
        (void)hy_calibration_efforts(at_s, effort);
        if (fabs(effort[0] - command->effort[0]) < SAME_EFFORT &&
            fabs(effort[1] - command->effort[1]) < SAME_EFFORT) {
            return true;
        }
    }
    return false;
}

static bool follows_script(const hy_calibration_log *log)
{
    size_t same = 0;
    while (same < log->command_count && is_of_script(log, &log->commands[same])) {
        same++;
    }
    return same == log->command_count;
}

// Rests belong to what is before them, the first one to what is after it.
static size_t divide_script(hy_calibration_phase *phases)
{
    size_t count = 0;
    double at_s = 0;
    for (size_t i = 0; i < sizeof script / sizeof script[0]; i++) {
        const char *const what = script[i].what;
        const bool is_rest = strcmp(what, "rest") == 0;
        if (!is_rest && (count == 0 || strcmp(phases[count - 1].what, what) != 0)) {
            phases[count] = (hy_calibration_phase){ what, count == 0 ? 0 : at_s, at_s, 0, 0 };
            count++;
        }
        at_s += script[i].seconds;
        if (count > 0) {
            phases[count - 1].to_s = at_s;
        }
    }
    return count;
}

static size_t divide_evenly(hy_calibration_phase *phases)
{
    for (size_t i = 0; i < HY_CALIBRATION_PHASES; i++) {
        const double from_s = PIECE_S * (double)i;
        phases[i] = (hy_calibration_phase){ "recording", from_s, from_s + PIECE_S, 0, 0 };
    }
    return HY_CALIBRATION_PHASES;
}

size_t hy_calibration_phases(const hy_calibration_log *log, hy_calibration_phase *phases)
{
    if (log->command_count == 0) {
        return 0;
    }
    const size_t all = follows_script(log) ? divide_script(phases) : divide_evenly(phases);
    size_t count = 0, status = 0;
    for (size_t i = 0; i < all; i++) {
        hy_calibration_phase phase = phases[i];
        phase.first = status;
        while (status < log->status_count &&
               since_begin_s(log, log->statuses[status].at_us) < phase.to_s) {
            status++;
        }
        phase.count = status - phase.first;
        if (phase.count > 0) {
            phases[count++] = phase;
        }
    }
    return count;
}
