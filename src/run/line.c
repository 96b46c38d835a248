#include "run_line.h"

#include <math.h>
#include <stdlib.h>

#define CELL_M    0.005
#define CELLS_MAX 512 // along each side: a larger floor has larger cells
#define DARK      0.5

static unsigned cells_along(double length_m, double cell_m)
{
    const double cells = length_m / cell_m + 1.0;
    return cells < CELLS_MAX ? (unsigned)cells : CELLS_MAX;
}

static size_t mark_dark(run_line *self, const hy_world_model *model)
{
    size_t dark = 0;
    for (unsigned row = 0; row < self->rows; row++) {
        for (unsigned column = 0; column < self->columns; column++) {
            const double x_m = (column + 0.5) * self->cell_m, y_m = (row + 0.5) * self->cell_m;
            const bool is_dark = hy_world_darkness(model, x_m, y_m) > DARK;
            self->distance_m[(size_t)row * self->columns + column] = is_dark ? 0.0F : INFINITY;
            self->middle_x_m += is_dark ? x_m : 0.0;
            self->middle_y_m += is_dark ? y_m : 0.0;
            dark += is_dark;
        }
    }
    return dark;
}

// --------------------------------------------------------------------------- distances

/// Felzenszwalb, Huttenlocher, "Distance Transforms of Sampled Functions" (2012), algorithm 1: the squared distance along one line of
/// cells is the lower envelope of the parabolas (q - p)^2 + f(p). `f` has `count` values, `stride` apart, in cells squared.
typedef struct {
    unsigned at[CELLS_MAX];     // places of the envelope's parabolas
    double from[CELLS_MAX + 1]; // where each begins
    double f[CELLS_MAX];
} envelope;

static double crossing(const envelope *e, unsigned q, unsigned p)
{
    return ((e->f[q] + (double)q * q) - (e->f[p] + (double)p * p)) / (2.0 * q - 2.0 * p);
}

static void spread(envelope *e, float *line, unsigned count, size_t stride)
{
    int last = -1;
    for (unsigned q = 0; q < count; q++) {
        e->f[q] = (double)line[q * stride];
        if (isinf(e->f[q])) {
            continue;
        }
        double from = -INFINITY;
        while (last >= 0 && (from = crossing(e, q, e->at[last])) <= e->from[last]) {
            last--;
        }
        last++;
        e->at[last] = q;
        e->from[last] = last == 0 ? -INFINITY : from;
    }
    for (int q = (int)count - 1, k = last; q >= 0 && last >= 0; q--) {
        while (k > 0 && e->from[k] > q) {
            k--;
        }
        const double off = q - (double)e->at[k];
        line[(size_t)q * stride] = (float)(off * off + e->f[e->at[k]]);
    }
}

static bool measure(run_line *self)
{
    envelope *const e = malloc(sizeof *e);
    if (e == NULL) {
        return false;
    }
    for (unsigned column = 0; column < self->columns; column++) {
        spread(e, &self->distance_m[column], self->rows, self->columns);
    }
    for (unsigned row = 0; row < self->rows; row++) {
        spread(e, &self->distance_m[(size_t)row * self->columns], self->columns, 1);
    }
    for (size_t i = 0; i < (size_t)self->rows * self->columns; i++) {
        self->distance_m[i] = sqrtf(self->distance_m[i]) * (float)self->cell_m;
    }
    free(e);
    return true;
}

bool run_line_find(run_line *self, const hy_world_model *model)
{
    const hy_world_facts facts = hy_world_describe(model);
    *self = (run_line){ .distance_m = NULL };
    if (!facts.has_mat && hy_world_darkness(model, 0.0, 0.0) <= DARK) {
        return true;
    }
    const double longest_m = facts.width_m > facts.height_m ? facts.width_m : facts.height_m;
    const double cell_m = longest_m / CELLS_MAX > CELL_M ? longest_m / CELLS_MAX : CELL_M;
    *self = (run_line){ .cell_m = cell_m,
                        .columns = cells_along(facts.width_m, cell_m),
                        .rows = cells_along(facts.height_m, cell_m) };
    self->distance_m = calloc((size_t)self->rows * self->columns, sizeof *self->distance_m);
    if (self->distance_m == NULL) {
        return false;
    }
    const size_t dark = mark_dark(self, model);
    if (dark == 0) {
        run_line_free(self);
        return true;
    }
    self->is_there = true;
    self->middle_x_m /= (double)dark;
    self->middle_y_m /= (double)dark;
    return measure(self);
}

void run_line_free(run_line *self)
{
    free(self->distance_m);
    *self = (run_line){ 0 };
}

static unsigned cell_of(double at_m, double cell_m, unsigned count)
{
    const double cell = at_m / cell_m;
    return !(cell > 0.0) ? 0 : cell >= count ? count - 1 : (unsigned)cell;
}

double run_line_distance_m(const run_line *self, double x_m, double y_m)
{
    const unsigned column = cell_of(x_m, self->cell_m, self->columns);
    const unsigned row = cell_of(y_m, self->cell_m, self->rows);
    return (double)self->distance_m[(size_t)row * self->columns + column];
}
