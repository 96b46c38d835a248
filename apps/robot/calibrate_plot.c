// A calibration as a picture (SVG): for each phase of the script what was measured and what the calibrated robot does.
#include "calibrate.h"

#include <math.h>
#include <stdlib.h>

// Pixels.
#define WIDTH      1140.0
#define HEAD       74.0
#define PANEL      480.0 // width of a panel
#define LEFT       66.0  // of the left panel; it has the numbers of its axis before it
#define APART      84.0  // from a panel to the next
#define CURVES     150.0 // height of what is measured and fitted
#define DIFFERENCE 48.0  // height of the difference below it
#define GAP        10.0
#define ROW        (CURVES + GAP + DIFFERENCE + 58)

#define LEFT_COLOR  "#1f6fb4"
#define RIGHT_COLOR "#c8511b"
#define YAW_COLOR   "#2e7d32"

// What is drawn in one panel: numbers of a status and of its fit.
typedef struct {
    const char *title;
    size_t lines;
    const char *color[2];
    bool is_heading;
} plot_panel;

static const plot_panel panels[] = {
    { "wheels, counts", 2, { LEFT_COLOR, RIGHT_COLOR }, false },
    { "heading, degrees", 1, { YAW_COLOR, NULL }, true },
};

// A phase of one robot, and where on the page it is.
typedef struct {
    FILE *to;
    const hy_calibration_log *log;
    const hy_calibration_status *fitted;
    const hy_calibration_phase *phase;
    const plot_panel *panel;
    double left, top, height; // of the box
    double low, high;         // of the values in it
} plot_box;

typedef enum { MEASURED, FITTED, OFF } plot_what;

// Since the beginning of the phase.
static double value_of(const plot_box *box, plot_what what, size_t line, size_t i)
{
    const hy_calibration_status *const zero = &box->log->statuses[box->phase->first];
    const hy_calibration_status *const is = &box->log->statuses[i], *const fit = &box->fitted[i];
    double measured, fitted;
    if (box->panel->is_heading) {
        measured = hy_deg_from_rad(is->yaw_rad - zero->yaw_rad);
        fitted = hy_deg_from_rad(fit->yaw_rad - zero->yaw_rad);
    } else {
        measured = is->counts[line] - zero->counts[line];
        fitted = fit->counts[line] - zero->counts[line];
    }
    return what == MEASURED ? measured : what == FITTED ? fitted : fitted - measured;
}

// --------------------------------------------------------------------------- axes

// 1, 2 or 5 with zeros: about four of them in the range.
static double tick_of(double range)
{
    const double power = pow(10, floor(log10(range / 4)));
    const double steps = range / 4 / power;
    return power * (steps < 1.5 ? 1 : steps < 3.5 ? 2 : steps < 7.5 ? 5 : 10);
}

static double x_of(const plot_box *box, double at_s)
{
    return box->left + PANEL * (at_s - box->phase->from_s) / (box->phase->to_s - box->phase->from_s);
}

static double y_of(const plot_box *box, double value)
{
    return box->top + box->height * (box->high - value) / (box->high - box->low);
}

static void set_range(plot_box *box, bool of_difference, double least)
{
    box->low = -least;
    box->high = least;
    const size_t end = box->phase->first + box->phase->count;
    for (size_t i = box->phase->first; i < end; i++) {
        for (size_t line = 0; line < box->panel->lines; line++) {
            const double one = value_of(box, of_difference ? OFF : MEASURED, line, i);
            const double two = value_of(box, of_difference ? OFF : FITTED, line, i);
            box->low = fmin(box->low, fmin(one, two));
            box->high = fmax(box->high, fmax(one, two));
        }
    }
    const double margin = 0.05 * (box->high - box->low);
    box->low -= margin;
    box->high += margin;
}

static void draw_axis(const plot_box *box, bool has_seconds)
{
    FILE *const to = box->to;
    const double bottom = box->top + box->height;
    const double room = box->height < CURVES ? 1.4 : 1; // fewer in the lower part
    const double tick = tick_of(room * (box->high - box->low));
    fprintf(to, "<rect class=\"box\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
            box->left, box->top, PANEL, box->height);
    for (int k = (int)ceil(box->low / tick); k * tick <= box->high; k++) {
        const double y = y_of(box, k * tick);
        fprintf(to, "<path class=\"grid\" d=\"M%.1f %.1fh%.1f\"/>", box->left, y, PANEL);
        fprintf(to, "<text class=\"end\" x=\"%.1f\" y=\"%.1f\">%.4g</text>\n", box->left - 6, y + 4,
                k * tick);
    }
    const double seconds = tick_of(2 * (box->phase->to_s - box->phase->from_s) / 4);
    for (int k = (int)ceil(box->phase->from_s / seconds); k * seconds <= box->phase->to_s; k++) {
        const double x = x_of(box, k * seconds);
        fprintf(to, "<path class=\"grid\" d=\"M%.1f %.1fv%.1f\"/>\n", x, box->top, box->height);
        if (has_seconds) {
            fprintf(to, "<text class=\"middle\" x=\"%.1f\" y=\"%.1f\">%.4g s</text>\n", x,
                    bottom + 16, k * seconds);
        }
    }
}

// --------------------------------------------------------------------------- curves

static void draw_line(const plot_box *box, plot_what what, size_t line)
{
    static const char *const classes[] = { "measured", "fitted", "off" };
    const hy_calibration_phase *const phase = box->phase;
    fprintf(box->to, "<polyline class=\"%s\" stroke=\"%s\" points=\"", classes[what],
            box->panel->color[line]);
    for (size_t i = phase->first; i < phase->first + phase->count; i++) {
        const int64_t since_us = box->log->statuses[i].at_us - box->log->commands[0].at_us;
        // What came before the first command stands at its edge.
        const double at_s = fmax((double)since_us * 1e-6, phase->from_s);
        fprintf(box->to, "%s%.1f,%.1f", i == phase->first ? "" : " ", x_of(box, at_s),
                y_of(box, value_of(box, what, line, i)));
    }
    fprintf(box->to, "\"/>\n");
}

static void draw_panel(plot_box *box)
{
    const double least = box->panel->is_heading ? 1 : 5; // of differences
    box->height = CURVES;
    set_range(box, false, least);
    draw_axis(box, false);
    for (size_t line = 0; line < box->panel->lines; line++) {
        draw_line(box, MEASURED, line);
        draw_line(box, FITTED, line);
    }
    box->top += CURVES + GAP;
    box->height = DIFFERENCE;
    set_range(box, true, least);
    box->high = fmax(box->high, -box->low);
    box->low = -box->high;
    draw_axis(box, true);
    for (size_t line = 0; line < box->panel->lines; line++) {
        draw_line(box, OFF, line);
    }
}

// --------------------------------------------------------------------------- the picture

static void write_escaped(FILE *to, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        switch (*at) {
        case '&': fputs("&amp;", to); break;
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        default: fputc(*at, to); break;
        }
    }
}

static void write_head(FILE *to, const hy_calibration *result, size_t phases)
{
    const double height = HEAD + ROW * (double)phases;
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<style>.box{fill:none;stroke:#999}.grid{stroke:#ddd;fill:none}"
            ".measured{fill:none;stroke-width:5;stroke-opacity:.35}"
            ".fitted{fill:none;stroke-width:1.4}.off{fill:none;stroke-width:1.2}"
            "text{fill:#222}.end{text-anchor:end}.middle{text-anchor:middle}"
            ".title{font-weight:bold;font-size:14px}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
            "<text class=\"title\" style=\"font-size:17px\" x=\"%.0f\" y=\"26\">Calibration of ",
            WIDTH, height, WIDTH, height, LEFT);
    write_escaped(to, result->traits.name);
    fprintf(to,
            "</text>\n<text x=\"%.0f\" y=\"46\">wide: measured; thin: the calibrated robot, from "
            "where the measured one last stood; below: fitted less measured. Wheels: "
            "<tspan fill=\"%s\">left</tspan>, <tspan fill=\"%s\">right</tspan>.</text>\n",
            LEFT, LEFT_COLOR, RIGHT_COLOR);
}

bool calibrate_plot(FILE *to, const hy_calibration_log *log, const hy_calibration *result)
{
    hy_calibration_phase phases[HY_CALIBRATION_PHASES];
    const size_t count = hy_calibration_phases(log, phases);
    hy_calibration_status *const fitted = malloc((log->status_count + 1) * sizeof *fitted);
    const bool is_fitted = fitted != NULL && hy_calibration_fitted(log, result, fitted) == HY_OK;
    if (is_fitted) {
        write_head(to, result, count);
        for (size_t i = 0; i < count; i++) {
            for (size_t k = 0; k < sizeof panels / sizeof panels[0]; k++) {
                plot_box box = { .to = to,
                                 .log = log,
                                 .fitted = fitted,
                                 .phase = &phases[i],
                                 .panel = &panels[k],
                                 .left = LEFT + (PANEL + APART) * (double)k,
                                 .top = HEAD + ROW * (double)i + 10 };
                fprintf(to, "<text class=\"title\" x=\"%.1f\" y=\"%.1f\">%s: %s</text>\n", box.left,
                        box.top - 8, phases[i].what, panels[k].title);
                draw_panel(&box);
            }
        }
        fprintf(to, "</svg>\n");
    }
    free(fitted);
    return is_fitted;
}
