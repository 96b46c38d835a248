// What a calibration has found out, for people.
#include "calibrate.h"
#include "text/text_plain.h"

// What no recording of the script can say.
static const char *const never[] = {
    "wheels: the size of both: encoders see no way on the floor; measure the diameter",
    "reflectance and rangefinder: the script looks at no line and no wall; as a typical robot has "
    "them",
};

static void print_values(FILE *to, const hy_calibration *result, bool determined)
{
    for (size_t i = 0; i < HY_CALIBRATION_VALUES; i++) {
        const hy_calibration_value *const value = &result->values[i];
        if (value->is_determined == determined && determined) {
            hy_print(to, "  %-24s %10.4g +- %.2g\n", value->name, value->value, value->deviation);
        } else if (value->is_determined == determined) {
            hy_print(to, "  %s: not determined, %s\n", value->name, value->why);
        }
    }
}

static void print_bounds(FILE *to, const hy_calibration *result)
{
    for (size_t i = 0; i < HY_CALIBRATION_VALUES; i++) {
        const hy_calibration_value *const value = &result->values[i];
        if (value->is_at_bound) {
            hy_print(to, "at its bound: %s: %.4g; what is beyond was not tried, so do not trust it\n",
                     value->name, value->value);
        }
    }
}

static void print_laps(FILE *to, const hy_calibration *result)
{
    fprintf(to, "predicted error on laps of 15 s without feedback, root mean square (wheels 1 %% "
                "larger than "
                "assumed add 1 cm a metre):\n");
    for (size_t i = 0; i < HY_CALIBRATION_LAPS; i++) {
        const hy_calibration_lap *const lap = &result->laps[i];
        if (lap->way_m > 0) {
            hy_print(to, "  %-8s %.2g cm a metre, %.2g degrees\n", lap->what,
                     100 * lap->position_rms_m / lap->way_m, hy_deg_from_rad(lap->heading_rms_rad));
        } else {
            fprintf(to, "  none: too little is known\n");
            return;
        }
    }
}

// What is left, and when it is more than usual, what may have happened.
static void print_rest(FILE *to, const hy_calibration *result)
{
    if (result->left_out > 0) {
        fprintf(to, "left out: %zu statuses, between a pause of the connection and the next rest\n",
                result->left_out);
    }
    fprintf(to,
            "what the calibrated robot does not explain, since the last rest: %.1f counts, %.1f "
            "degrees (root mean square)\n",
            result->counts_rms, hy_deg_from_rad(result->yaw_rms_rad));
    if (result->is_poor) {
        fprintf(to, "warning: 2 counts and 1.5 degrees are usual. Did the robot touch something, "
                    "did a wheel slip, was\n"
                    "the connection bad? The plots show where they differ. Calibrate again if the "
                    "errors below are too large.\n");
    }
}

void calibrate_print(FILE *to, const hy_calibration *result)
{
    hy_print(to, "bridge: %s; with the other bridge the recording fits %.3g times worse\n",
             result->coasts ? "coasts" : "brakes", result->bridge_ratio);
    fprintf(to, "determined, with standard deviations (two of three numbers lie within one):\n");
    print_values(to, result, true);
    fprintf(to, "not determined:\n");
    print_values(to, result, false);
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        hy_print(to, "  %s\n", never[i]);
    }
    print_rest(to, result);
    print_bounds(to, result);
    print_laps(to, result);
}
