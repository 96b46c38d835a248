// Phantoms: the path of each recorded robot in steps of 20 ms, and the point of it that the living robot has reached.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "laps.h"
#include "record_phantoms.h"
#include "record_playback.h"

#define PERIOD_S   0.02 // as often as poses are recorded
#define LENGTH_MAX 3600 // seconds of a run that are kept
#define PAUSE_S    1.0  // an interruption that does not end a run
#define STANDS_M   1e-4 // a robot that has driven no farther has not left its start
#define SPLITS     4    // of a lap, or of a run without laps

// The point of a path that the living robot has reached is looked for this far ahead of the last one, in shares of half a lap
// line, and in at most so many steps: a phantom may have stood still.
#define WINDOW_LINES 2.0
#define WINDOW_STEPS 3000

// A path may come back over itself: a point farther ahead than the first of these, in shares of half a lap line, is only taken if it is
// nearer than all points before it by the second one.
#define AHEAD_LINES  0.25
#define NEARER_LINES 0.25
#define ROUND_LINES  1e-4 // and any point if it is nearer by more than rounding

// A robot that moves farther than so many half lap lines in a second was put there.
#define FASTEST_LINES   4.0
#define SHORTEST_MOVE_S 0.025 // steps are shorter, but the clock of a match may stand still

typedef struct {
    double x_m, y_m, heading_rad;
    double driven_m; // since the start
} path_pose;

typedef struct {
    char name[64], kind[32];
    path_pose *path; // from its start, every PERIOD_S
    size_t count;
    lap_counter laps;
    double split_m; // from one split to the next
    // While somebody races against it.
    size_t reached; // the step of the path before the point that the living robot has reached
    bool has_gap;
    double gap_s, gap_m;
    unsigned splits; // that the living robot has passed
    double split_gap_s;
} phantom;

struct hy_phantoms {
    phantom phantoms[HY_PHANTOMS_MAX];
    size_t count;
    double line_m; // half of a lap line
    hy_phantoms_living living;
    bool is_known, has_run;
    double start_s, stopped_s;
    lap_counter laps;
    // What scene and state point to.
    hy_scene_phantom shown[HY_PHANTOMS_MAX];
    hy_scene_phantom_state states[HY_PHANTOMS_MAX];
};

hy_status hy_phantoms_open(hy_phantoms **out)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? HY_OK : HY_EMEMORY;
}

void hy_phantoms_close(hy_phantoms *self)
{
    for (size_t i = 0; self != NULL && i < self->count; i++) {
        free(self->phantoms[i].path);
    }
    free(self);
}

// --------------------------------------------------------------------------- a recording

// When the run in a recording starts: its first robot is enabled, or the match's clock starts. 0 if that never happens.
static double find_start(const hy_scene *scene)
{
    const hy_scene_replay *const replay = scene->replay;
    for (size_t i = 0; i < replay->event_count; i++) {
        const hy_scene_event *const event = &replay->events[i];
        const bool is_start = scene->is_match
                                  ? strcmp(event->kind, "start") == 0
                                  : strcmp(event->kind, "enable") == 0 && event->robot == 1;
        if (is_start) {
            return event->t_s;
        }
    }
    return 0.0;
}

static bool take_path(phantom *self, hy_playback *playback, double line_m)
{
    const hy_scene *const scene = hy_playback_scene(playback);
    const double start_s = find_start(scene);
    const double length_s = fmin(scene->replay->length_s - start_s, LENGTH_MAX);
    self->count = (size_t)(length_s / PERIOD_S) + 1;
    self->path = calloc(self->count, sizeof *self->path);
    for (size_t i = 0; i < self->count && self->path != NULL; i++) {
        const double t_s = (double)i * PERIOD_S;
        const hy_scene_state *const state = hy_playback_state(playback, start_s + t_s);
        const hy_scene_robot_state *const robot = &state->robots[0];
        const hy_phantoms_living at = { t_s, robot->x_m, robot->y_m, robot->heading_rad, true };
        if (i == 0) {
            lap_counter_start(&self->laps, &at, line_m);
        } else {
            lap_counter_move(&self->laps, &at);
        }
        self->path[i] = (path_pose){ at.x_m, at.y_m, at.heading_rad, self->laps.driven_m };
    }
    if (self->path == NULL) {
        return false;
    }
    const double round_m = self->laps.count > 0 ? self->laps.crossed_m / (double)self->laps.count
                                                : self->laps.driven_m;
    self->split_m = round_m / SPLITS;
    return true;
}

static double line_of(const hy_scene *scene)
{
    return fmin(scene->floor_m[2] - scene->floor_m[0], scene->floor_m[3] - scene->floor_m[1]) / 4.0;
}

static hy_status add_playback(hy_phantoms *self, hy_playback *playback, const hy_scene *scene,
                              hy_world_error *error)
{
    const hy_scene *const recorded = hy_playback_scene(playback);
    phantom *const to = &self->phantoms[self->count];
    if (strcmp(recorded->title, scene->title) != 0) {
        (void)snprintf(error->text, sizeof error->text,
                       "it was recorded in the world '%s', not '%s'", recorded->title, scene->title);
        return HY_ERANGE;
    }
    if (recorded->robot_count == 0) {
        (void)snprintf(error->text, sizeof error->text, "it has no robot");
        return HY_EFORMAT;
    }
    if (!take_path(to, playback, self->line_m)) {
        (void)snprintf(error->text, sizeof error->text, "%s", hy_status_text(HY_EMEMORY));
        return HY_EMEMORY;
    }
    (void)snprintf(to->kind, sizeof to->kind, "%s", recorded->robots[0].kind);
    (void)snprintf(error->text, sizeof error->text, "%s", hy_playback_damage(playback));
    self->count++;
    return HY_OK;
}

hy_status hy_phantoms_add(hy_phantoms *self, const char *name, hy_bytes file, const hy_scene *scene,
                          hy_world_error *error)
{
    hy_playback *playback;
    if (self->count == HY_PHANTOMS_MAX) {
        (void)snprintf(error->text, sizeof error->text, "there is room for %d phantoms",
                       HY_PHANTOMS_MAX);
        return HY_EFULL;
    }
    hy_status status = hy_playback_open(file, &playback, error);
    if (status != HY_OK) {
        return status;
    }
    self->line_m = line_of(scene);
    phantom *const to = &self->phantoms[self->count];
    *to = (phantom){ .path = NULL };
    (void)snprintf(to->name, sizeof to->name, "%s", name);
    status = add_playback(self, playback, scene, error);
    hy_playback_close(playback);
    return status;
}

static unsigned look_of(const phantom *self, const hy_scene *scene)
{
    for (size_t i = 0; i < scene->robot_count; i++) {
        if (strcmp(scene->robots[i].kind, self->kind) == 0) {
            return (unsigned)i + 1;
        }
    }
    return 1;
}

void hy_phantoms_show(hy_phantoms *self, hy_scene *scene)
{
    for (size_t i = 0; i < self->count; i++) {
        const phantom *const one = &self->phantoms[i];
        self->shown[i] = (hy_scene_phantom){ .name = one->name,
                                             .look = look_of(one, scene),
                                             .length_s = (double)(one->count - 1) * PERIOD_S,
                                             .driven_m = one->laps.driven_m,
                                             .laps_s = one->laps.laps_s,
                                             .lap_count = one->laps.count };
    }
    scene->phantoms = self->shown;
    scene->phantom_count = self->count;
}

// --------------------------------------------------------------------------- the gap

// A point of a path: so far behind the pose `step`, in steps, and so far from the living robot.
typedef struct {
    size_t step;
    double share, distance_m;
} path_point;

static path_point nearest_of_step(const phantom *self, size_t step, const hy_phantoms_living *robot)
{
    const path_pose *const from = &self->path[step], *const to = &self->path[step + 1];
    const double dx_m = to->x_m - from->x_m, dy_m = to->y_m - from->y_m;
    const double square = dx_m * dx_m + dy_m * dy_m;
    const double along = (robot->x_m - from->x_m) * dx_m + (robot->y_m - from->y_m) * dy_m;
    const double share = square > 0.0 ? fmin(fmax(along / square, 0.0), 1.0) : 0.0;
    return (path_point){ step, share,
                         hypot(from->x_m + share * dx_m - robot->x_m,
                               from->y_m + share * dy_m - robot->y_m) };
}

// The nearest point of the path, from the one that was reached before: laps lie over each other.
static path_point find_reached(const phantom *self, const hy_phantoms_living *robot, double line_m)
{
    path_point best = { self->reached, 0.0, INFINITY };
    const double start_m = self->path[self->reached].driven_m;
    const double end_m = start_m + WINDOW_LINES * line_m;
    double near_m = start_m + AHEAD_LINES * line_m;
    for (size_t i = self->reached;
         i + 1 < self->count && i < self->reached + WINDOW_STEPS && self->path[i].driven_m <= end_m;
         i++) {
        const path_point point = nearest_of_step(self, i, robot);
        const bool is_ahead = self->path[i].driven_m > near_m;
        const double nearer_m = (is_ahead ? NEARER_LINES : ROUND_LINES) * line_m;
        if (point.distance_m + nearer_m < best.distance_m) {
            best = point;
            near_m = fmax(near_m, self->path[i].driven_m + AHEAD_LINES * line_m);
        }
    }
    return best;
}

static double driven_at(const phantom *self, path_point at)
{
    const path_pose *const from = &self->path[at.step];
    return at.share > 0.0 ? from->driven_m + at.share * (from[1].driven_m - from->driven_m)
                          : from->driven_m;
}

// Where the phantom is `run_s` after its start: between two poses.
static path_point point_at(const phantom *self, double run_s)
{
    const double steps = fmax(run_s, 0.0) / PERIOD_S;
    const size_t step = steps < (double)(self->count - 1) ? (size_t)steps : self->count - 1;
    return (path_point){ step, step + 1 < self->count ? steps - (double)step : 0.0, 0.0 };
}

// At its start it was until it drove off, so a living robot that waits there, too, is not behind it.
static path_point wait_at_start(const phantom *self, path_point at, double run_s)
{
    const double run_steps = run_s / PERIOD_S;
    while (at.step + 1 < self->count && self->path[at.step + 1].driven_m <= STANDS_M &&
           (double)at.step + at.share < run_steps) {
        const bool is_now = (double)(at.step + 1) > run_steps;
        at.share = is_now ? run_steps - (double)at.step : 0.0;
        at.step += is_now ? 0 : 1;
    }
    return at;
}

static void race(phantom *self, const hy_phantoms *all, double run_s)
{
    const path_point at = wait_at_start(self, find_reached(self, &all->living, all->line_m), run_s);
    self->has_gap = at.distance_m < all->line_m;
    if (!self->has_gap) {
        return; // it takes another way
    }
    self->reached = at.step;
    const double reached_m = driven_at(self, at);
    self->gap_s = run_s - ((double)at.step + at.share) * PERIOD_S;
    self->gap_m = driven_at(self, point_at(self, run_s)) - reached_m;
    while (self->split_m > 0.0 && reached_m >= self->split_m * (self->splits + 1)) {
        self->splits++;
        self->split_gap_s = self->gap_s;
    }
}

// --------------------------------------------------------------------------- the living robot

static void start_run(hy_phantoms *self)
{
    self->has_run = true;
    self->start_s = self->living.t_s;
    lap_counter_start(&self->laps, &self->living, self->line_m);
    for (size_t i = 0; i < self->count; i++) {
        phantom *const one = &self->phantoms[i];
        one->reached = 0;
        one->splits = 0;
        one->has_gap = false;
    }
}

static bool is_put_here(const hy_phantoms *self, const hy_phantoms_living *now)
{
    const double passed_s = fmax(now->t_s - self->living.t_s, SHORTEST_MOVE_S);
    const double moved_m = hypot(now->x_m - self->living.x_m, now->y_m - self->living.y_m);
    return !self->is_known || now->t_s < self->living.t_s ||
           moved_m > FASTEST_LINES * self->line_m * passed_s;
}

void hy_phantoms_move(hy_phantoms *self, const hy_phantoms_living *now)
{
    const hy_phantoms_living before = self->living;
    self->has_run = self->has_run && !is_put_here(self, now);
    self->is_known = true;
    self->living = *now;
    const bool was_running = self->has_run && before.is_running;
    if (was_running && !now->is_running) {
        self->stopped_s = now->t_s;
    }
    if (now->is_running && !was_running && (!self->has_run || now->t_s - self->stopped_s > PAUSE_S)) {
        start_run(self);
    }
    if (!self->has_run || !now->is_running) {
        return;
    }
    lap_counter_move(&self->laps, now);
    for (size_t i = 0; i < self->count; i++) {
        race(&self->phantoms[i], self, now->t_s - self->start_s);
    }
}

static hy_scene_phantom_state state_of(const phantom *self, double run_s)
{
    const path_point at = point_at(self, run_s);
    const path_pose *const from = &self->path[at.step], *const to = from + (at.share > 0.0);
    const double turn_rad = hy_wrap_angle(to->heading_rad - from->heading_rad);
    return (hy_scene_phantom_state){ .x_m = from->x_m + at.share * (to->x_m - from->x_m),
                                     .y_m = from->y_m + at.share * (to->y_m - from->y_m),
                                     .heading_rad = from->heading_rad + at.share * turn_rad,
                                     .has_gap = self->has_gap,
                                     .gap_s = self->gap_s,
                                     .gap_m = self->gap_m,
                                     .splits = self->splits,
                                     .split_gap_s = self->split_gap_s };
}

void hy_phantoms_put(hy_phantoms *self, hy_scene_state *state)
{
    // After an interruption that ended the run, the phantoms stay where they were then.
    const double now_s = self->living.is_running ? self->living.t_s : self->stopped_s;
    const double run_s = self->has_run ? now_s - self->start_s : 0.0;
    for (size_t i = 0; i < self->count; i++) {
        self->states[i] = state_of(&self->phantoms[i], run_s);
        self->states[i].has_gap = self->has_run && self->states[i].has_gap;
    }
    state->phantoms = self->states;
    state->phantom_count = self->count;
    state->has_run = self->has_run;
    state->run_s = run_s;
    state->laps_s = self->laps.laps_s;
    state->lap_count = self->has_run ? self->laps.count : 0;
}
