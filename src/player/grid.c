// Dijkstra's algorithm over square cells with a binary heap. E. W. Dijkstra, "A note on two problems in connexion with graphs",
// Numerische Mathematik 1 (1959).
#include "grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL_M      0.2
#define WALLS_MOST  4096
#define SIDE_MOST_M 45.0 // 225 cells: fewer than 65,536 in all
#define NONE        UINT16_MAX
#define WALLS_KEPT  3   // of a cell; at a corner they differ
#define WIDE_M      0.9 // with so much clearance a path costs its length
#define NARROW_COST 4.0 // how many times more a metre costs per metre of missing room
#define BUSY_SIDE   7   // cells, 0.6 m to each side
#define REACH_SIDE  11  // cells, 1 m to each side
#define REACH_COST  4.0
#define BUSY_US     500000
#define BUSY_COST \
    12.0 // added for each metre of path where another robot stands, which may have left by then

// --------------------------------------------------------------------------- cells and points

static bool cell_of(const hy_grid *self, hy_point at, size_t *cell)
{
    const double column = floor((at.x_m - self->corner.x_m) / CELL_M);
    const double row = floor((at.y_m - self->corner.y_m) / CELL_M);
    if (!(column >= 0.0 && row >= 0.0 && column < (double)self->columns && row < (double)self->rows)) {
        return false;
    }
    *cell = (size_t)row * self->columns + (size_t)column;
    return true;
}

static hy_point middle_of(const hy_grid *self, size_t cell)
{
    const size_t column = cell % self->columns, row = cell / self->columns;
    return (hy_point){ self->corner.x_m + ((double)column + 0.5) * CELL_M,
                       self->corner.y_m + ((double)row + 0.5) * CELL_M };
}

// The `index`th of side x side points around one, a cell apart.
static hy_point beside(hy_point at, int index, int side)
{
    const int column = index % side - side / 2, row = index / side - side / 2;
    return (hy_point){ at.x_m + column * CELL_M, at.y_m + row * CELL_M };
}

double hy_grid_distance(hy_point a, hy_point b)
{
    return hypot(b.x_m - a.x_m, b.y_m - a.y_m);
}

static double to_wall_m(const hy_segment *wall, hy_point at)
{
    const double dx = wall->to.x_m - wall->from.x_m, dy = wall->to.y_m - wall->from.y_m;
    const double square = dx * dx + dy * dy;
    const double along = (at.x_m - wall->from.x_m) * dx + (at.y_m - wall->from.y_m) * dy;
    const double share = square > 0.0 ? hy_clamp(along / square, 0.0, 1.0, 0.0) : 0.0;
    return hy_grid_distance(at,
                            (hy_point){ wall->from.x_m + share * dx, wall->from.y_m + share * dy });
}

// --------------------------------------------------------------------------- life

static bool measure(hy_grid *self, const hy_segment *walls, size_t count)
{
    hy_point low = { INFINITY, INFINITY }, high = { -INFINITY, -INFINITY };
    for (size_t i = 0; i < count; i++) {
        const hy_point ends[] = { walls[i].from, walls[i].to };
        for (size_t k = 0; k < 2; k++) {
            if (!isfinite(ends[k].x_m) || !isfinite(ends[k].y_m)) {
                return false;
            }
            low = (hy_point){ fmin(low.x_m, ends[k].x_m), fmin(low.y_m, ends[k].y_m) };
            high = (hy_point){ fmax(high.x_m, ends[k].x_m), fmax(high.y_m, ends[k].y_m) };
        }
    }
    if (!(high.x_m - low.x_m < SIDE_MOST_M && high.y_m - low.y_m < SIDE_MOST_M)) {
        return false;
    }
    self->corner = low;
    self->columns = (size_t)ceil((high.x_m - low.x_m) / CELL_M) + 1;
    self->rows = (size_t)ceil((high.y_m - low.y_m) / CELL_M) + 1;
    return true;
}

// The nearest wall of all but the `besides_count` that were found before.
static uint16_t nearest_wall(const hy_grid *self, size_t count, hy_point at,
                             const uint16_t *besides, size_t besides_count)
{
    uint16_t nearest = besides_count > 0 ? besides[0] : 0;
    double nearest_m = INFINITY;
    for (size_t i = 0; i < count; i++) {
        bool is_new = true;
        for (size_t k = 0; k < besides_count; k++) {
            is_new = is_new && besides[k] != i;
        }
        const double clear_m = is_new ? to_wall_m(&self->walls[i], at) : INFINITY;
        if (clear_m < nearest_m) {
            nearest_m = clear_m;
            nearest = (uint16_t)i;
        }
    }
    return nearest;
}

static hy_grid_cell cell_at(const hy_grid *self, size_t wall_count, hy_point at)
{
    hy_grid_cell cell = { .cost_m = INFINITY, .busy_us = INT64_MIN / 2 };
    for (size_t i = 0; i < WALLS_KEPT; i++) {
        cell.walls[i] = nearest_wall(self, wall_count, at, cell.walls, i);
    }
    cell.clear_m = (float)to_wall_m(&self->walls[cell.walls[0]], at);
    return cell;
}

hy_status hy_grid_init(hy_grid *self, const hy_segment *walls, size_t count)
{
    *self = (hy_grid){ 0 };
    if (count == 0 || count > WALLS_MOST || !measure(self, walls, count)) {
        return HY_ERANGE;
    }
    const size_t cells = self->columns * self->rows;
    self->walls = calloc(count, sizeof *self->walls);
    self->cells = calloc(cells, sizeof *self->cells);
    self->heap = calloc(cells, sizeof *self->heap);
    if (self->walls == NULL || self->cells == NULL || self->heap == NULL) {
        hy_grid_free(self);
        return HY_EMEMORY;
    }
    memcpy(self->walls, walls, count * sizeof *walls);
    for (size_t i = 0; i < cells; i++) {
        self->cells[i] = cell_at(self, count, middle_of(self, i));
    }
    return HY_OK;
}

void hy_grid_free(hy_grid *self)
{
    free(self->walls);
    free(self->cells);
    free(self->heap);
    *self = (hy_grid){ 0 };
}

// --------------------------------------------------------------------------- what stands where

double hy_grid_clear(const hy_grid *self, hy_point at)
{
    size_t cell;
    if (!cell_of(self, at, &cell)) {
        return 0.0;
    }
    double clear_m = INFINITY;
    for (size_t i = 0; i < WALLS_KEPT; i++) {
        clear_m = fmin(clear_m, to_wall_m(&self->walls[self->cells[cell].walls[i]], at));
    }
    return clear_m;
}

void hy_grid_mark(hy_grid *self, hy_point at, int64_t now_us)
{
    for (int i = 0; i < BUSY_SIDE * BUSY_SIDE; i++) {
        size_t cell;
        if (cell_of(self, beside(at, i, BUSY_SIDE), &cell)) {
            self->cells[cell].busy_us = now_us;
        }
    }
}

bool hy_grid_is_busy(const hy_grid *self, hy_point at, int64_t now_us)
{
    size_t cell;
    return cell_of(self, at, &cell) && now_us - self->cells[cell].busy_us < BUSY_US;
}

// --------------------------------------------------------------------------- the heap

static void put(hy_grid *self, size_t place, uint16_t cell)
{
    self->heap[place] = cell;
    self->cells[cell].heap_at = (uint16_t)place;
}

static float cost_at(const hy_grid *self, size_t place)
{
    return self->cells[self->heap[place]].cost_m;
}

static void rise(hy_grid *self, size_t place)
{
    const uint16_t cell = self->heap[place];
    const float cost_m = self->cells[cell].cost_m;
    while (place > 0 && cost_at(self, (place - 1) / 2) > cost_m) {
        put(self, place, self->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put(self, place, cell);
}

static uint16_t take_cheapest(hy_grid *self)
{
    const uint16_t cheapest = self->heap[0], last = self->heap[--self->heap_size];
    const float cost_m = self->cells[last].cost_m;
    size_t place = 0;
    for (size_t child = 1; child < self->heap_size; child = 2 * place + 1) {
        child += child + 1 < self->heap_size && cost_at(self, child + 1) < cost_at(self, child);
        if (cost_at(self, child) >= cost_m) {
            break;
        }
        put(self, place, self->heap[child]);
        place = child;
    }
    if (self->heap_size > 0) {
        put(self, place, last);
    }
    self->cells[cheapest].heap_at = NONE;
    return cheapest;
}

static void offer(hy_grid *self, size_t cell, float cost_m, uint16_t from)
{
    hy_grid_cell *const to = &self->cells[cell];
    if (cost_m >= to->cost_m) {
        return;
    }
    const bool waits = isfinite(to->cost_m) && to->heap_at != NONE;
    to->cost_m = cost_m;
    to->from = from;
    if (!waits) {
        put(self, self->heap_size++, (uint16_t)cell);
    }
    rise(self, to->heap_at);
}

// --------------------------------------------------------------------------- paths

// A robot that stands too near to a wall may come from there, but never go there.
static double step_cost(const hy_grid_cell *from, const hy_grid_cell *to, int64_t now_us)
{
    const double clear_m = (double)to->clear_m;
    if (clear_m < HY_GRID_CLEAR_M && !(clear_m > (double)from->clear_m)) {
        return INFINITY;
    }
    const double narrow = clear_m < WIDE_M ? NARROW_COST * (WIDE_M - clear_m) : 0.0;
    return 1.0 + narrow + (now_us - to->busy_us < BUSY_US ? BUSY_COST : 0.0);
}

static void visit(hy_grid *self, uint16_t cell, int64_t now_us)
{
    const hy_grid_cell *const from = &self->cells[cell];
    const size_t column = cell % self->columns, row = cell / self->columns;
    for (int turn = 0; turn < 9; turn++) {
        const int dx = turn % 3 - 1, dy = turn / 3 - 1;
        if ((dx == 0 && dy == 0) || (column == 0 && dx < 0) || (row == 0 && dy < 0) ||
            (column + 1 == self->columns && dx > 0) || (row + 1 == self->rows && dy > 0)) {
            continue;
        }
        const size_t next = (size_t)((long)cell + dy * (long)self->columns + dx);
        const double cost = step_cost(from, &self->cells[next], now_us);
        offer(self, next, (float)((double)from->cost_m + cost * CELL_M * hypot(dx, dy)), cell);
    }
}

void hy_grid_plan(hy_grid *self, hy_point from, int64_t now_us)
{
    for (size_t i = 0; i < self->columns * self->rows; i++) {
        self->cells[i].cost_m = INFINITY;
        self->cells[i].from = NONE;
    }
    size_t start;
    self->heap_size = 0;
    if (!cell_of(self, from, &start)) {
        return;
    }
    offer(self, start, 0.0F, NONE);
    while (self->heap_size > 0) {
        visit(self, take_cheapest(self), now_us);
    }
}

// The cheapest cell that a robot may stand in, within a metre of a point that may be too near to a wall.
static uint16_t reachable(const hy_grid *self, hy_point to)
{
    uint16_t best = NONE;
    double best_cost = INFINITY;
    for (int i = 0; i < REACH_SIDE * REACH_SIDE; i++) {
        const hy_point at = beside(to, i, REACH_SIDE);
        size_t cell;
        if (!cell_of(self, at, &cell)) {
            continue;
        }
        const double cost = (double)self->cells[cell].cost_m + REACH_COST * hy_grid_distance(at, to);
        if (cost < best_cost) {
            best_cost = cost;
            best = (uint16_t)cell;
        }
    }
    return best;
}

double hy_grid_cost(const hy_grid *self, hy_point to)
{
    const uint16_t cell = reachable(self, to);
    return cell == NONE
               ? INFINITY
               : (double)self->cells[cell].cost_m + hy_grid_distance(middle_of(self, cell), to);
}

static bool is_straight(const hy_grid *self, hy_point from, hy_point to)
{
    const double length_m = hy_grid_distance(from, to);
    const double start_m = hy_grid_clear(self, from);
    const int steps = (int)(length_m / (CELL_M / 2.0));
    for (int i = 1; i <= steps; i++) {
        const double share = i * (CELL_M / 2.0) / length_m;
        const hy_point at = { from.x_m + share * (to.x_m - from.x_m),
                              from.y_m + share * (to.y_m - from.y_m) };
        if (hy_grid_clear(self, at) < fmin(HY_GRID_CLEAR_M + CELL_M / 2.0, start_m)) {
            return false;
        }
    }
    return true;
}

hy_point hy_grid_next(const hy_grid *self, hy_point here, hy_point to, double most_m)
{
    uint16_t cell = reachable(self, to);
    hy_point next = to;
    while (cell != NONE && (hy_grid_distance(here, next) > most_m || !is_straight(self, here, next))) {
        next = middle_of(self, cell);
        cell = self->cells[cell].from;
    }
    return next;
}

hy_point hy_grid_off_wall(const hy_grid *self, hy_point at, double most_m)
{
    const double right_m = hy_grid_clear(self, (hy_point){ at.x_m + CELL_M, at.y_m });
    const double left_m = hy_grid_clear(self, (hy_point){ at.x_m - CELL_M, at.y_m });
    const double above_m = hy_grid_clear(self, (hy_point){ at.x_m, at.y_m + CELL_M });
    const double below_m = hy_grid_clear(self, (hy_point){ at.x_m, at.y_m - CELL_M });
    const double dx_m = right_m - left_m, dy_m = above_m - below_m, length_m = hypot(dx_m, dy_m);
    const double missing_m = HY_GRID_CLEAR_M + CELL_M - hy_grid_clear(self, at);
    const double share = length_m > 0.0 ? hy_clamp(missing_m, 0.0, most_m, 0.0) / length_m : 0.0;
    return (hy_point){ at.x_m + share * dx_m, at.y_m + share * dy_m };
}
