#include "map.h"

#include <math.h>

#define DOTS_X          2 // a braille character is 2 x 4 dots, which makes them square
#define DOTS_Y          4
#define POINT_SPACING_M 0.02
#define RANGE_MAX_M     3.9  // the rangefinder ends at 4 m: there it saw nothing
#define SONAR_AHEAD_M   0.10 // XRP: the rangefinder sits so far before the axle
#define BODY_AHEAD_M    0.09 // XRP: the body around the axle, for drawing
#define BODY_BEHIND_M   0.09
#define BODY_SIDE_M     0.085
#define MARGIN_M        0.15
#define LINE_DOTS_MAX   2000.0 // longer than the largest screen's diagonal

// --------------------------------------------------------------------------- what there is to show

static void add_point(map_trail *trail, double x_m, double y_m)
{
    if (trail->count > 0) {
        const size_t last = (trail->count - 1) % MAP_POINTS;
        const double dx = x_m - trail->points[last].x_m;
        const double dy = y_m - trail->points[last].y_m;
        if (dx * dx + dy * dy < POINT_SPACING_M * POINT_SPACING_M) {
            return;
        }
    }
    const size_t next = trail->count % MAP_POINTS;
    trail->points[next] = (hy_point){ x_m, y_m };
    trail->count++;
}

static size_t kept(const map_trail *trail)
{
    return trail->count < MAP_POINTS ? (size_t)trail->count : MAP_POINTS;
}

void map_update(map *self, double range_m)
{
    const track *const at = &self->track;
    add_point(&self->driven, at->x_m, at->y_m);
    self->echo_m = range_m > 0.0 && range_m < RANGE_MAX_M ? range_m : -1.0;
    if (self->echo_m > 0.0) {
        const double ahead_m = SONAR_AHEAD_M + self->echo_m;
        add_point(&self->seen, at->x_m + ahead_m * cos(at->heading_rad),
                  at->y_m + ahead_m * sin(at->heading_rad));
    }
}

// --------------------------------------------------------------------------- the dots

typedef struct {
    double x0_m, y0_m, x1_m, y1_m;
} box;

typedef struct {
    unsigned columns, rows;
    box inside;                  // nothing is drawn beyond it
    double left_m, top_m, dot_m; // the upper left corner, and the side of a dot
    uint8_t dots[SCREEN_ROWS_MAX][SCREEN_COLUMNS_MAX];
    uint8_t looks[SCREEN_ROWS_MAX][SCREEN_COLUMNS_MAX];
} canvas;

static void set_dot(canvas *self, double x_m, double y_m, screen_look look)
{
    // Unicode 6.0, braille patterns: the bits go down the left column, then the right, the last row behind.
    static const uint8_t bits[DOTS_Y][DOTS_X] = {
        { 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 }
    };
    const double x = floor((x_m - self->left_m) / self->dot_m);
    const double y = floor((self->top_m - y_m) / self->dot_m);
    const box *const in = &self->inside;
    if (!(x_m >= in->x0_m && x_m <= in->x1_m && y_m >= in->y0_m && y_m <= in->y1_m)) {
        return;
    }
    if (!(x >= 0.0 && y >= 0.0 && x < self->columns * DOTS_X && y < self->rows * DOTS_Y)) {
        return;
    }
    const unsigned dot_x = (unsigned)x, dot_y = (unsigned)y;
    self->dots[dot_y / DOTS_Y][dot_x / DOTS_X] |= bits[dot_y % DOTS_Y][dot_x % DOTS_X];
    self->looks[dot_y / DOTS_Y][dot_x / DOTS_X] = (uint8_t)look;
}

static void draw_line(canvas *self, const hy_world_segment *line, screen_look look)
{
    const double x_m = line->x1_m - line->x0_m, y_m = line->y1_m - line->y0_m;
    const unsigned steps =
        (unsigned)fmin(ceil(fmax(fabs(x_m), fabs(y_m)) / self->dot_m), LINE_DOTS_MAX) + 1;
    for (unsigned i = 0; i <= steps; i++) {
        const double share = (double)i / steps;
        set_dot(self, line->x0_m + share * x_m, line->y0_m + share * y_m, look);
    }
}

static void draw_points(canvas *self, const hy_point *points, size_t count, screen_look look)
{
    for (size_t i = 0; i < count; i++) {
        set_dot(self, points[i].x_m, points[i].y_m, look);
    }
}

// --------------------------------------------------------------------------- what fits

static void include_point(box *self, double x_m, double y_m)
{
    self->x0_m = fmin(self->x0_m, x_m);
    self->y0_m = fmin(self->y0_m, y_m);
    self->x1_m = fmax(self->x1_m, x_m);
    self->y1_m = fmax(self->y1_m, y_m);
}

static void include_trail(box *self, const map_trail *trail)
{
    for (size_t i = 0; i < kept(trail); i++) {
        include_point(self, trail->points[i].x_m, trail->points[i].y_m);
    }
}

static bool has_floor(const map *self)
{
    return self->width_m > 0.0 && self->height_m > 0.0;
}

static box extent(const map *self)
{
    const track *const at = &self->track;
    if (has_floor(self)) {
        return (box){ 0.0, 0.0, self->width_m, self->height_m };
    }
    box all = { at->x_m - 0.3, at->y_m - 0.3, at->x_m + 0.3, at->y_m + 0.3 };
    include_trail(&all, &self->driven);
    include_trail(&all, &self->seen);
    return all;
}

static void fit(canvas *self, const box *all)
{
    const double width_m = all->x1_m - all->x0_m + MARGIN_M;
    const double height_m = all->y1_m - all->y0_m + MARGIN_M;
    self->dot_m = fmax(width_m / (self->columns * DOTS_X), height_m / (self->rows * DOTS_Y));
    self->left_m = (all->x0_m + all->x1_m - self->columns * DOTS_X * self->dot_m) / 2.0;
    self->top_m = (all->y0_m + all->y1_m + self->rows * DOTS_Y * self->dot_m) / 2.0;
}

// --------------------------------------------------------------------------- the picture

// A point of the robot's body, `ahead_m` and `left_m` of its axle.
static void body_point(const track *at, double ahead_m, double left_m, double *x_m, double *y_m)
{
    const double c = cos(at->heading_rad), s = sin(at->heading_rad);
    *x_m = at->x_m + ahead_m * c - left_m * s;
    *y_m = at->y_m + ahead_m * s + left_m * c;
}

static void draw_robot(canvas *self, const track *at)
{
    static const double corners[][2] = {
        { BODY_AHEAD_M, BODY_SIDE_M },    { -BODY_BEHIND_M, BODY_SIDE_M },
        { -BODY_BEHIND_M, -BODY_SIDE_M }, { BODY_AHEAD_M, -BODY_SIDE_M },
        { BODY_AHEAD_M, BODY_SIDE_M },
    };
    for (size_t i = 0; i + 1 < sizeof corners / sizeof corners[0]; i++) {
        hy_world_segment edge;
        body_point(at, corners[i][0], corners[i][1], &edge.x0_m, &edge.y0_m);
        body_point(at, corners[i + 1][0], corners[i + 1][1], &edge.x1_m, &edge.y1_m);
        draw_line(self, &edge, LOOK_ROBOT);
    }
}

static void draw_echo(canvas *self, const track *at, double echo_m)
{
    if (echo_m > 0.0) {
        hy_world_segment beam;
        body_point(at, SONAR_AHEAD_M, 0.0, &beam.x0_m, &beam.y0_m);
        body_point(at, SONAR_AHEAD_M + echo_m, 0.0, &beam.x1_m, &beam.y1_m);
        draw_line(self, &beam, LOOK_DIM);
        set_dot(self, beam.x1_m, beam.y1_m, LOOK_ECHO);
    }
}

static uint32_t arrow_of(double heading_rad)
{
    static const uint16_t arrows[] = { 0x2192, 0x2197, 0x2191, 0x2196,
                                       0x2190, 0x2199, 0x2193, 0x2198 };
    const double eighths = hy_wrap_angle(heading_rad) / (HY_PI / 4.0);
    return arrows[(unsigned)(lround(eighths) + 8) % 8];
}

static void put_arrow(const canvas *self, const track *at, screen *out, const screen_area *area)
{
    const double x = floor((at->x_m - self->left_m) / (self->dot_m * DOTS_X));
    const double y = floor((self->top_m - at->y_m) / (self->dot_m * DOTS_Y));
    if (x >= 0.0 && y >= 0.0 && x < self->columns && y < self->rows) {
        screen_put(out, area->column + (unsigned)x, area->row + (unsigned)y, LOOK_ROBOT,
                   arrow_of(at->heading_rad));
    }
}

static uint32_t rune_of(const canvas *self, unsigned x, unsigned y, bool ascii)
{
    static const char plain[LOOKS] = {
        [LOOK_WALL] = '#', [LOOK_TRACK] = '.', [LOOK_ECHO] = '+', [LOOK_DIM] = ':', [LOOK_ROBOT] = 'o'
    };
    return ascii ? (uint32_t)plain[self->looks[y][x]] : 0x2800u + self->dots[y][x];
}

void map_draw(const map *self, screen *out, const screen_area *area)
{
    const unsigned columns = area->columns, rows = area->rows;
    if (columns == 0 || rows == 0 || columns > SCREEN_COLUMNS_MAX || rows > SCREEN_ROWS_MAX) {
        return;
    }
    canvas picture = { .columns = columns, .rows = rows };
    const box all = extent(self);
    fit(&picture, &all);
    // An obstacle may stick out of the room, and odometry may drift out of it.
    picture.inside = has_floor(self) ? all : (box){ -INFINITY, -INFINITY, INFINITY, INFINITY };
    draw_points(&picture, self->floor, self->floor_count, LOOK_DIM); // what comes later lies on top
    draw_echo(&picture, &self->track, self->echo_m);
    draw_points(&picture, self->driven.points, kept(&self->driven), LOOK_TRACK);
    draw_points(&picture, self->seen.points, kept(&self->seen), LOOK_ECHO);
    for (size_t i = 0; i < self->wall_count; i++) {
        draw_line(&picture, &self->walls[i], LOOK_WALL);
    }
    draw_robot(&picture, &self->track);
    for (unsigned y = 0; y < rows; y++) {
        for (unsigned x = 0; x < columns; x++) {
            if (picture.dots[y][x] != 0) {
                screen_put(out, area->column + x, area->row + y, (screen_look)picture.looks[y][x],
                           rune_of(&picture, x, y, out->ascii));
            }
        }
    }
    put_arrow(&picture, &self->track, out, area);
}
