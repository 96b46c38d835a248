// Calibration of robots with hidden numbers: how well laps that are not in the script are predicted.
#include <halyard/world.h>

#include <math.h>
#include <string.h>

#include "../tests/support/calibrate_bench.h"
#include "measure.h"

#define SEEDS 20

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double square(double x)
{
    return x * x;
}

// How far the hidden numbers are from what was found, over all robots.
typedef struct {
    double off[CALIBRATE_HIDDEN];
    unsigned seeds, within, determined, within_determined;
} hidden_numbers;

static void compare_numbers(const hy_calibration *result, const hy_robot_traits *hidden,
                            hidden_numbers *to)
{
    for (size_t i = 0; i < CALIBRATE_HIDDEN; i++) {
        bool is_determined;
        const double deviations = calibrate_off(result, hidden, i, &is_determined);
        to->off[i] += square(deviations);
        to->within += fabs(deviations) <= 1 ? 1 : 0;
        to->determined += is_determined ? 1 : 0;
        to->within_determined += is_determined && fabs(deviations) <= 1 ? 1 : 0;
    }
}

static void print_numbers(const hidden_numbers *numbers)
{
    puts("numbers off the truth, in standard deviations as reported (root mean square):");
    for (size_t i = 0; i < CALIBRATE_HIDDEN; i++) {
        printf("  %s %.2f\n", calibrate_hidden_name(i), sqrt(numbers->off[i] / numbers->seeds));
    }
    printf("within one standard deviation: %u of %u numbers; %u of %u that are determined\n",
           numbers->within, numbers->seeds * CALIBRATE_HIDDEN, numbers->within_determined,
           numbers->determined);
}

// bench_calibrate [FIRST_SEED]
int main(int argc, char **argv)
{
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    static hy_calibration_log log;
    double position[SEEDS * CALIBRATE_LAPS], heading[SEEDS * CALIBRATE_LAPS];
    double longest_s = 0, worst_share = 0;
    const unsigned seeds = (unsigned)measure_repeats(SEEDS);
    hidden_numbers numbers = { .seeds = seeds };
    double lap_off[2] = { 0 };
    unsigned is_farther = 0;
    unsigned bridges = 0, count = 0;
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        hy_robot_traits hidden, ideal;
        hy_calibration result;
        hy_robot_traits_ideal(&ideal);
        calibrate_hide(&hidden, seed);
        calibrate_record(&log, &hidden, seed);
        const clock_t from = clock();
        if (hy_calibrate(&log, 0, &result) != HY_OK) {
            puts("it was not fitted");
            return 1;
        }
        const double took_s = (double)(clock() - from) / CLOCKS_PER_SEC;
        longest_s = fmax(longest_s, took_s);
        bridges += result.coasts == (hidden.decay == HY_DECAY_COAST) ? 1 : 0;
        compare_numbers(&result, &hidden, &numbers);
        double error_m = 0, default_m = 0;
        double said_position[CALIBRATE_LAPS], said_heading[CALIBRATE_LAPS];
        for (unsigned lap = 0; lap < CALIBRATE_LAPS; lap++) {
            const calibrate_error error = calibrate_compare(&hidden, &result.traits, lap);
            const calibrate_error before = calibrate_compare(&hidden, &ideal, lap);
            position[count] = 100 * error.position_rms_m / error.way_m;
            heading[count++] = hy_deg_from_rad(error.heading_rms_rad);
            const hy_calibration_lap *const said = &result.laps[lap];
            said_position[lap] = 100 * said->position_rms_m / said->way_m;
            said_heading[lap] = hy_deg_from_rad(said->heading_rms_rad);
            lap_off[0] += square(error.position_rms_m / said->position_rms_m);
            lap_off[1] += square(error.heading_rms_rad / said->heading_rms_rad);
            is_farther += error.position_rms_m > 2 * said->position_rms_m ? 1 : 0;
            error_m += error.position_rms_m / CALIBRATE_LAPS;
            default_m += before.position_rms_m / CALIBRATE_LAPS;
        }
        worst_share = fmax(worst_share, error_m / default_m);
        printf("seed %2u: bridge %s%s (%.1f times), %u simulations, %.2f s; left %.1f counts, %.1f "
               "degrees; %.2f cm a metre, %.2f "
               "degrees (predicted %.2f, %.2f); of the defaults' error %.3f\n",
               (unsigned)seed, result.coasts ? "coasts" : "brakes",
               result.coasts == (hidden.decay == HY_DECAY_COAST) ? "" : " WRONG", result.bridge_ratio,
               result.simulations, took_s, result.counts_rms, hy_deg_from_rad(result.yaw_rms_rad),
               (position[count - 1] + position[count - 2] + position[count - 3]) / 3,
               (heading[count - 1] + heading[count - 2] + heading[count - 3]) / 3,
               (said_position[0] + said_position[1] + said_position[2]) / 3,
               (said_heading[0] + said_heading[1] + said_heading[2]) / 3, error_m / default_m);
    }
    const double position_cm = median(position, count), heading_deg = median(heading, count);
    printf(
        "median of %u laps: %.3f cm a metre, %.3f degrees; worst: %.2f cm a metre, %.2f degrees\n",
        count, position_cm, heading_deg, position[count - 1], heading[count - 1]);
    printf(
        "bridge right: %u of %u; worst share of the defaults' error: %.3f; longest fit: %.2f s\n",
        bridges, seeds, worst_share, longest_s);
    print_numbers(&numbers);
    printf("errors of laps, of the predicted ones (root mean square): position %.2f, heading %.2f; "
           "%u of %u "
           "positions more than twice as far off\n",
           sqrt(lap_off[0] / count), sqrt(lap_off[1] / count), is_farther, count);
    const bool is_good = position_cm <= 1 && heading_deg <= 1.5 && bridges == seeds &&
                         worst_share <= 1.0 / 3 && longest_s <= 20;
    puts(is_good ? "as promised" : "NOT as promised");
    return is_good ? 0 : 1;
}
