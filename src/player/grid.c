// Dijkstra's algorithm over square cells. E. W. Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1
// (1959).
#include "grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL_M      0.2
#define STRAIGHT_M  0.2F // from cell to cell
#define DIAGONAL_M  0.2828427F
#define BUCKET_M    0.19F // less than CELL_M; all buckets together are more than the dearest step
#define WALLS_MOST  4096
#define SIDE_MOST_M 45.0 // 225 cells: fewer than 65,536 in all
#define NONE        UINT16_MAX
#define WALLS_KEPT  3      // of a cell; at a corner they differ
#define HALF_CELL_M 0.1415 // from a cell's middle to its corner
#define WIDE_M      0.9F   // with so much clearance a path costs its length
#define NARROW_COST 4.0F   // how many times more a metre costs per metre of missing room
#define BUSY_SIDE   7      // cells, 0.6 m to each side
#define REACH_SIDE  11     // cells, 1 m to each side
#define REACH_COST  4.0
#define SEARCH_M    1.0 // costs so far apart are searched at once
#define BUSY_US     500000
#define BUSY_COST \
    12.0F // added for each metre of path where another robot stands, which may have left by then

// --------------------------------------------------------------------------- cells and points

static bool cell_of(const hy_grid *self, hy_point at, size_t *cell)
{
    const double column = (at.x_m - self->corner.x_m) * (1.0 / CELL_M);
    const double row = (at.y_m - self->corner.y_m) * (1.0 / CELL_M);
    if (!(column >= 0.0 && row >= 0.0 && column < self->columns && row < self->rows)) {
        return false;
    }
    *cell = (size_t)row * (size_t)self->columns + (size_t)column;
    return true;
}

static hy_point middle_of(const hy_grid *self, size_t cell)
{
    const int column = (int)cell % self->columns, row = (int)cell / self->columns;
    return (hy_point){ self->corner.x_m + (column + 0.5) * CELL_M,
                       self->corner.y_m + (row + 0.5) * CELL_M };
}

// The `index`th of side x side points around one, a cell apart.
static hy_point beside(hy_point at, int index, int side)
{
    const int column = index % side - side / 2, row = index / side - side / 2;
    return (hy_point){ at.x_m + column * CELL_M, at.y_m + row * CELL_M };
}

double hy_grid_distance(hy_point a, hy_point b)
{
    return sqrt(hy_grid_square(
        a, b)); // hypot() costs ten times as much, and nothing here is near to overflowing
}

static double to_wall_square(const hy_segment *wall, hy_point at)
{
    const double dx = wall->to.x_m - wall->from.x_m, dy = wall->to.y_m - wall->from.y_m;
    const double square = dx * dx + dy * dy;
    const double along = (at.x_m - wall->from.x_m) * dx + (at.y_m - wall->from.y_m) * dy;
    const double share = square > 0.0 ? hy_clamp(along / square, 0.0, 1.0, 0.0) : 0.0;
    return hy_grid_square(at, (hy_point){ wall->from.x_m + share * dx, wall->from.y_m + share * dy });
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
    self->columns = (int)ceil((high.x_m - low.x_m) / CELL_M) + 1;
    self->rows = (int)ceil((high.y_m - low.y_m) / CELL_M) + 1;
    return true;
}

// The nearest wall of all but the `besides_count` that were found before.
static uint16_t nearest_wall(const hy_grid *self, size_t count, hy_point at,
                             const uint16_t *besides, size_t besides_count)
{
    uint16_t nearest = besides_count > 0 ? besides[0] : 0;
    double nearest_square = INFINITY;
    for (size_t i = 0; i < count; i++) {
        bool is_new = true;
        for (size_t k = 0; k < besides_count; k++) {
            is_new = is_new && besides[k] != i;
        }
        const double square = is_new ? to_wall_square(&self->walls[i], at) : INFINITY;
        if (square < nearest_square) {
            nearest_square = square;
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
    cell.clear_m = (float)sqrt(to_wall_square(&self->walls[cell.walls[0]], at));
    return cell;
}

hy_status hy_grid_init(hy_grid *self, const hy_segment *walls, size_t count)
{
    *self = (hy_grid){ .reached = NONE };
    if (count == 0 || count > WALLS_MOST || !measure(self, walls, count)) {
        return HY_ERANGE;
    }
    const size_t cells = (size_t)self->columns * (size_t)self->rows;
    self->walls = calloc(count, sizeof *self->walls);
    self->cells = calloc(cells, sizeof *self->cells);
    if (self->walls == NULL || self->cells == NULL) {
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
    *self = (hy_grid){ 0 };
}

// --------------------------------------------------------------------------- what stands where

double hy_grid_clear(const hy_grid *self, hy_point at)
{
    size_t cell;
    if (!cell_of(self, at, &cell)) {
        return 0.0;
    }
    double square = INFINITY;
    for (size_t i = 0; i < WALLS_KEPT; i++) {
        square = fmin(square, to_wall_square(&self->walls[self->cells[cell].walls[i]], at));
    }
    return sqrt(square);
}

bool hy_grid_is_clear(const hy_grid *self, hy_point at, double clear_m)
{
    size_t cell;
    if (!cell_of(self, at, &cell)) {
        return false;
    }
    bool is_clear = true;
    const bool is_far =
        (double)self->cells[cell].clear_m > clear_m + HALF_CELL_M; // from all of the cell
    for (size_t i = 0; i < WALLS_KEPT && is_clear && !is_far; i++) {
        const hy_segment *const wall = &self->walls[self->cells[cell].walls[i]];
        is_clear = to_wall_square(wall, at) >= clear_m * clear_m;
    }
    return is_clear;
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

// --------------------------------------------------------------------------- what waits

// Cells to which a path was found wait in buckets by its cost. A step costs more than a bucket is wide, so that the cells of the first
// bucket that has some get no cheaper path any more, in whatever order they are taken. R. B. Dial, "Algorithm 360: shortest-path forest with
// topological ordering", Communications of the ACM 12 (1969).
static uint16_t *bucket_of(hy_grid *self, float cost_m)
{
    return &self->buckets[(unsigned)(cost_m / BUCKET_M) % HY_GRID_BUCKETS];
}

static void take_out(hy_grid *self, uint16_t cell)
{
    const hy_grid_cell *const it = &self->cells[cell];
    *(it->before == NONE ? bucket_of(self, it->cost_m) : &self->cells[it->before].behind) =
        it->behind;
    if (it->behind != NONE) {
        self->cells[it->behind].before = it->before;
    }
    self->waiting--;
}

static void offer(hy_grid *self, uint16_t cell, float cost_m, uint16_t from)
{
    hy_grid_cell *const it = &self->cells[cell];
    if (cost_m >= it->cost_m) {
        return;
    }
    if (isfinite(it->cost_m)) {
        take_out(self, cell);
    }
    uint16_t *const first = bucket_of(self, cost_m);
    it->cost_m = cost_m;
    it->from = from;
    it->before = NONE;
    it->behind = *first;
    if (*first != NONE) {
        self->cells[*first].before = cell;
    }
    *first = cell;
    self->waiting++;
}

// --------------------------------------------------------------------------- paths

// A robot that stands too near to a wall may come from there, but never go there.
static float step_cost(const hy_grid *self, const hy_grid_cell *from, const hy_grid_cell *to)
{
    if (to->clear_m < (float)HY_GRID_CLEAR_M && !(to->clear_m > from->clear_m)) {
        return INFINITY;
    }
    const float narrow = to->clear_m < WIDE_M ? NARROW_COST * (WIDE_M - to->clear_m) : 0.0F;
    return 1.0F + narrow + (self->planned_us - to->busy_us < BUSY_US ? BUSY_COST : 0.0F);
}

static void visit(hy_grid *self, uint16_t cell)
{
    static const struct {
        int x, y;
        float length_m;
    } steps[] = { { -1, -1, DIAGONAL_M }, { 0, -1, STRAIGHT_M }, { 1, -1, DIAGONAL_M },
                  { -1, 0, STRAIGHT_M },  { 1, 0, STRAIGHT_M },  { -1, 1, DIAGONAL_M },
                  { 0, 1, STRAIGHT_M },   { 1, 1, DIAGONAL_M } };
    const hy_grid_cell *const from = &self->cells[cell];
    const int column = cell % self->columns, row = cell / self->columns;
    const bool is_edge =
        column == 0 || row == 0 || column == self->columns - 1 || row == self->rows - 1;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const int x = column + steps[i].x, y = row + steps[i].y;
        if (is_edge && (x < 0 || y < 0 || x >= self->columns || y >= self->rows)) {
            continue;
        }
        const int next = y * self->columns + x;
        if (self->cells[next].cost_m > from->cost_m + steps[i].length_m) { // else it has its path
            const float cost = step_cost(self, from, &self->cells[next]);
            offer(self, (uint16_t)next, from->cost_m + cost * steps[i].length_m, cell);
        }
    }
}

void hy_grid_plan(hy_grid *self, hy_point from, int64_t now_us)
{
    for (int i = 0; i < self->columns * self->rows; i++) {
        self->cells[i].cost_m = INFINITY;
        self->cells[i].from = NONE;
    }
    size_t start;
    self->planned_us = now_us;
    self->reached = NONE;
    self->waiting = self->bucket = 0;
    memset(self->buckets, 0xff, sizeof self->buckets); // NONE
    if (cell_of(self, from, &start)) {
        offer(self, (uint16_t)start, 0.0F, NONE);
    }
}

// What all paths cost at least that are not final yet.
static double frontier_m(const hy_grid *self)
{
    return self->waiting > 0 ? self->bucket * (double)BUCKET_M : INFINITY;
}

static void search(hy_grid *self, double until_m)
{
    while (frontier_m(self) < until_m) {
        const uint16_t cell = self->buckets[self->bucket % HY_GRID_BUCKETS];
        if (cell == NONE) {
            self->bucket++;
        } else {
            take_out(self, cell);
            visit(self, cell);
        }
    }
}

// The cheapest cell of those found that a robot may stand in, within a metre of a point that may be too near to a wall; and what it costs.
static double find_nearest(const hy_grid *self, hy_point to, uint16_t *nearest)
{
    double best_cost = INFINITY;
    *nearest = NONE;
    for (int i = 0; i < REACH_SIDE * REACH_SIDE; i++) {
        const hy_point at = beside(to, i, REACH_SIDE);
        size_t cell;
        if (cell_of(self, at, &cell) && (double)self->cells[cell].cost_m < best_cost) {
            const double cost =
                (double)self->cells[cell].cost_m + REACH_COST * hy_grid_distance(at, to);
            *nearest = cost < best_cost ? (uint16_t)cell : *nearest;
            best_cost = fmin(cost, best_cost);
        }
    }
    return best_cost;
}

// Searches on until that cell is final, or costs more than `most_m`. One point is asked for again and again.
static uint16_t reach(hy_grid *self, hy_point to, double most_m)
{
    if (self->reached != NONE && hy_grid_square(to, self->reached_to) <= 0.0) {
        return self->reached;
    }
    uint16_t cell;
    double cost_m = find_nearest(self, to, &cell);
    while (frontier_m(self) < fmin(cost_m, most_m)) {
        search(self, fmin(fmin(cost_m, most_m), frontier_m(self) + SEARCH_M));
        cost_m = find_nearest(self, to, &cell);
    }
    self->reached_to = to;
    self->reached = cost_m <= most_m ? cell : NONE;
    return cell;
}

double hy_grid_cost(hy_grid *self, hy_point to, double most_m)
{
    const uint16_t cell = reach(self, to, most_m);
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
        if (!hy_grid_is_clear(self, at, fmin(HY_GRID_CLEAR_M + CELL_M / 2.0, start_m))) {
            return false;
        }
    }
    return true;
}

hy_point hy_grid_next(hy_grid *self, hy_point here, hy_point to, double most_m)
{
    uint16_t cell = reach(self, to, INFINITY);
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
