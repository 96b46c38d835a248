#include "example_laps.h"

#include <math.h>
#include <stdio.h>

#include "cmocka_all.h"

// --------------------------------------------------------------------------- the line as its file has it

#define PIECES_MAX 32
#define SENSORS_M \
    0.085 // of the middle between the two sensors, ahead of the axle (docs/spec/world.md)
#define DEG (3.14159265358979323846 / 180.0)

typedef struct {
    bool is_arc;
    double x0, y0, x1, y1;      // of a straight piece
    double cx, cy, r, from, to; // of an arc
} piece;

typedef struct {
    piece pieces[PIECES_MAX];
    size_t count;
    double length_m;
} mat_line;

static void read_piece(mat_line *self, const char *text)
{
    piece p = { 0 };
    if (sscanf(text, " - line: { points_m: [[%lf, %lf], [%lf, %lf]]", &p.x0, &p.y0, &p.x1, &p.y1) ==
        4) {
        self->length_m += hypot(p.x1 - p.x0, p.y1 - p.y0);
    } else if (sscanf(text,
                      " - arc: { center_m: [%lf, %lf], radius_m: %lf, from_deg: %lf, to_deg: %lf",
                      &p.cx, &p.cy, &p.r, &p.from, &p.to) == 5) {
        p.is_arc = true;
        self->length_m += p.r * (p.to - p.from) * DEG;
    } else {
        return;
    }
    assert_true(self->count < PIECES_MAX);
    self->pieces[self->count++] = p;
}

static mat_line read_line(void)
{
    mat_line self = { .count = 0 };
    char text[256];
    FILE *const file = fopen(HALYARD_TEST_DATA "/../worlds/xrp-line.yaml", "r");
    assert_non_null(file);
    while (fgets(text, sizeof text, file) != NULL) {
        read_piece(&self, text);
    }
    fclose(file);
    assert_int_equal(self.count, 8);
    assert_true(self.length_m > 3.0); // what the example has to drive
    return self;
}

static double distance_to(const piece *p, double x, double y)
{
    if (!p->is_arc) {
        const double dx = p->x1 - p->x0, dy = p->y1 - p->y0;
        const double t = ((x - p->x0) * dx + (y - p->y0) * dy) / (dx * dx + dy * dy);
        const double at = fmax(0.0, fmin(1.0, t));
        return hypot(x - p->x0 - at * dx, y - p->y0 - at * dy);
    }
    const double middle = 0.5 * (p->from + p->to) * DEG, half = 0.5 * (p->to - p->from) * DEG;
    double angle = remainder(atan2(y - p->cy, x - p->cx) - middle, 360.0 * DEG);
    angle = middle + fmax(-half, fmin(half, angle));
    return hypot(x - p->cx - p->r * cos(angle), y - p->cy - p->r * sin(angle));
}

static double distance_to_line(const mat_line *self, double x, double y)
{
    double least = INFINITY;
    for (size_t i = 0; i < self->count; i++) {
        least = fmin(least, distance_to(&self->pieces[i], x, y));
    }
    return least;
}

// --------------------------------------------------------------------------- laps

typedef struct {
    mat_line line;
    unsigned laps; // to be driven
    double worst_m, turned_rad, last_rad, done_s, worst_x, worst_y;
} lap_watch;

// Laps are turns about a point that the line goes around.
static bool watch_laps(void *context, double t_s, const hy_truth *truth)
{
    lap_watch *const self = context;
    const double x = truth->x_m + SENSORS_M * cos(truth->heading_rad);
    const double y = truth->y_m + SENSORS_M * sin(truth->heading_rad);
    const double off = distance_to_line(&self->line, x, y);
    if (off > self->worst_m) {
        self->worst_m = off;
        self->worst_x = x;
        self->worst_y = y;
    }
    const double angle = atan2(truth->y_m - 0.4, truth->x_m - 1.0);
    self->turned_rad += remainder(angle - self->last_rad, 360.0 * DEG);
    self->last_rad = angle;
    self->done_s = t_s;
    return self->turned_rad < self->laps * 360.0 * DEG && self->worst_m < 0.2;
}

example_result example_laps(const char *name, const example_setup *setup, unsigned laps)
{
    lap_watch watch = { .line = read_line(), .laps = laps, .last_rad = atan2(0.25 - 0.4, 0.6 - 1.0) };
    example_setup own = *setup;
    own.world = "xrp-line";
    own.duration_s = laps * 60.0;
    own.watch = watch_laps;
    own.context = &watch;
    const example_result result = example_run(&own);
    const double driven = watch.turned_rad / (360.0 * DEG);
    const double mean_m_s = driven * watch.line.length_m / watch.done_s;
    print_message("%s, seed %d%s: %.2f laps of %.2f m in %.1f s, %.3f m/s, at most %.1f mm off at "
                  "(%.2f, %.2f), %d datagrams lost\n",
                  name, (int)own.seed, own.bad_air ? ", bad air" : "", driven, watch.line.length_m,
                  watch.done_s, mean_m_s, watch.worst_m * 1e3, watch.worst_x, watch.worst_y,
                  (int)result.lost);
    assert_true(driven >= laps);
    assert_true(mean_m_s >= (own.least_m_s > 0.0 ? own.least_m_s : 0.12));
    assert_true(watch.worst_m <= (own.off_most_m > 0.0 ? own.off_most_m : 0.03));
    return result;
}
