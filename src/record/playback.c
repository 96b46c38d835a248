// A recording as pictures: an index of the values that a picture needs, and a state put together from those of one moment.
#include <halyard/telemetry.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "moments.h"
#include "picture.h"
#include "pose_log.h"
#include "record_playback.h"
#include "saved_index.h"
#include "series.h"
#include "sim/sim_publish.h"
#include "sim/sim_scene.h"
#include "sim/sim_setup.h"
#include "start.h"
#include "tracks.h"

#define ROBOT_TRACKS  14
#define COMMON_TRACKS (PROGRAM_POSES + PROGRAM_POSES_MAX)
#define TRACKS        (COMMON_TRACKS + HY_SCENE_ROBOTS * ROBOT_TRACKS)

#define PROGRAM_POSES_MAX 4 // that a robot program publishes; more are not shown
#define VALUES_MAX        (HY_SCENE_TRUTH * (PROGRAM_POSES_MAX + 1))

// What of a robot, and of the whole, is shown.
enum {
    POSE,
    MOTORS,
    ENCODERS,
    RANGE,
    REFLECTANCE,
    BATTERY,
    LED,
    BUTTON,
    ENABLED,
    TOUCHING,
    COMMANDS,
    SERVOS,
    LIDAR,
    WATCHDOG
};
enum { PIECES, BLUE, RED, TIME_LEFT, RUNNING, PROGRAM_POSES };

typedef struct {
    const char *name, *type;
} track_kind;

static const track_kind robot_kinds[ROBOT_TRACKS] = {
    [POSE] = { "/Truth/Pose", "struct:Pose2d" },
    [MOTORS] = { "/Motors", "double[]" },
    [ENCODERS] = { "/Sensors/Encoders", "double[]" },
    [RANGE] = { "/Sensors/Range", "double" },
    [REFLECTANCE] = { "/Sensors/Reflectance", "double[]" },
    [BATTERY] = { "/Battery", "double" },
    [LED] = { "/LED", "boolean" },
    [BUTTON] = { "/Button", "boolean" },
    [ENABLED] = { "/Enabled", "boolean" },
    [TOUCHING] = { "/Touching", "boolean" },
    [COMMANDS] = { "/Commands", "struct:MatchCommands" },
    [SERVOS] = { "/Servos", "double[]" },
    [LIDAR] = { "/Lidar", "struct:Translation2d[]" },
    [WATCHDOG] = { "/Link/WatchdogTrips", "int64" },
};
static const track_kind common_kinds[PROGRAM_POSES] = {
    [PIECES] = { "/Field/Pieces", "struct:Translation3d[]" },
    [BLUE] = { "/Match/Blue", "int64" },
    [RED] = { "/Match/Red", "int64" },
    [TIME_LEFT] = { "/Match/Time", "double" },
    [RUNNING] = { "/Match/Running", "boolean" },
};

_Static_assert(TRACKS <= PICTURE_TRACKS, "the picture has room for all");

struct hy_playback {
    hy_bytes file;
    char damage[800];
    hy_sim_stored stored;
    hy_sim *sim; // at its start: what is shown that is not recorded
    hy_sim_scene drawn;
    pose_log *poses;   // not NULL: of another program's recording, which has nothing of the above
    hy_series *series; // made in the same pass over the file, with the points from which it is read
    hy_point middle;
    picture shown; // its tracks: common ones, the program's poses, then those of each robot
    hy_bytes pose_names[PROGRAM_POSES_MAX]; // of channels; without bytes: there are no more
    moment_channel channels[TRACKS];
    moments events;
    hy_wpilog_reader read; // how reading the file ended
    hy_wpilog_times times;
    bool is_indexed; // by bytes that were kept
    hy_scene_replay replay;
    hy_scene_state state;
    hy_scene_robot_state robots[HY_SCENE_ROBOTS];
    hy_icd_piece pieces[HY_WORLD_PIECES];
    hy_lidar_point scans[HY_SCENE_ROBOTS][HY_SCENE_SCAN_POINTS];
    hy_world_pose start; // of the first robot
    hy_scene_value values[VALUES_MAX];
    char value_names[PROGRAM_POSES_MAX][HY_SCENE_TRUTH][HY_SCENE_VALUE_NAME];
};

static const char no_memory[] = "there is not enough memory for its index";

// --------------------------------------------------------------------------- the setup

// Joins the parts of the setup, which stand in front of all inputs.
static hy_status find_setup(hy_bytes file, record_start *start, hy_world_error *error)
{
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    record_kind kind = RECORD_OTHER;
    if (hy_wpilog_reader_init(&reader, file) != HY_OK) {
        (void)snprintf(error->text, sizeof error->text, "it is no log file (WPILOG): %s",
                       reader.damage);
        return HY_EFORMAT;
    }
    while ((kind == RECORD_OTHER || kind == RECORD_HASH) && hy_wpilog_next(&reader, &record)) {
        kind = record_start_take(start, &record);
    }
    if (kind == RECORD_SETUP_REFUSED) {
        (void)snprintf(error->text, sizeof error->text, "%s", no_memory);
    }
    return kind == RECORD_SETUP_REFUSED ? HY_EMEMORY : HY_OK;
}

static hy_status open_poses(hy_playback *self, hy_world_error *error)
{
    self->times = hy_wpilog_find_times(self->file);
    const hy_status status = pose_log_open(self->file, &self->times, &self->poses, error);
    if (status == HY_OK) {
        (void)snprintf(self->damage, sizeof self->damage, "%s", pose_log_damage(self->poses));
    }
    return status;
}

// A setup that this version cannot use, such as one of a later version: the poses are shown, if there are any.
static hy_status show_poses_only(hy_playback *self, hy_world_error *error)
{
    hy_world_error unread;
    const hy_status status = open_poses(self, &unread);
    if (status == HY_OK) {
        const char *const damage = pose_log_damage(self->poses);
        (void)snprintf(self->damage, sizeof self->damage,
                       "only poses are shown, for its description of the world cannot be used: "
                       "%.500s%s%s",
                       error->text, damage[0] != '\0' ? "; " : "", damage);
    }
    return status;
}

static hy_status start_sim(hy_playback *self, hy_bytes setup, hy_world_error *error)
{
    hy_status status = hy_sim_stored_read(&self->stored, setup, error);
    if (status == HY_OK) {
        status = hy_sim_open(&self->stored.setup, &self->sim, error);
    }
    return status == HY_EFORMAT || status == HY_ERANGE ? show_poses_only(self, error) : status;
}

static hy_status start_scene(hy_playback *self, hy_world_error *error)
{
    record_start start = { .setup = NULL };
    hy_status status = find_setup(self->file, &start, error);
    if (status == HY_OK && start.setup_size == 0) {
        status = open_poses(self, error);
    } else if (status == HY_OK) {
        status = start_sim(self, (hy_bytes){ start.setup, start.setup_size }, error);
    }
    record_start_free(&start);
    if (status == HY_OK && self->poses == NULL && !hy_sim_scene_open(&self->drawn, self->sim)) {
        status = HY_EMEMORY;
        (void)snprintf(error->text, sizeof error->text, "%s", no_memory);
    }
    return status;
}

// --------------------------------------------------------------------------- the index

static size_t robot_track(size_t robot, size_t kind)
{
    return COMMON_TRACKS + robot * ROBOT_TRACKS + kind;
}

static void name_prefix(const hy_playback *self, size_t robot, char out[32])
{
    if (self->drawn.world.scene.robot_count == 1) {
        (void)snprintf(out, 32, "/Robot");
    } else {
        (void)snprintf(out, 32, "/Robot%zu", robot + 1);
    }
}

// Takes `prefix` off the name; false: it begins with something else.
static bool take_prefix(hy_bytes *name, const char *prefix)
{
    const size_t size = strlen(prefix);
    if (name->size < size || memcmp(name->data, prefix, size) != 0) {
        return false;
    }
    *name = (hy_bytes){ name->data + size, name->size - size };
    return true;
}

static bool is_equal(hy_bytes a, hy_bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

// The track of a pose that a robot program publishes: that of its name, or the next free one.
static int find_program_pose(hy_playback *self, hy_bytes name, hy_bytes type)
{
    if (!hy_wpilog_text_is(type, "struct:Pose2d") || name.size == 0) {
        return -1;
    }
    for (size_t i = 0; i < PROGRAM_POSES_MAX && !hy_sim_publishes(name); i++) {
        if (self->pose_names[i].size == 0) {
            self->pose_names[i] = name;
        }
        if (is_equal(self->pose_names[i], name)) {
            return (int)(PROGRAM_POSES + i);
        }
    }
    return -1;
}

static int find_kind(const track_kind *kinds, size_t count, hy_bytes name, hy_bytes type)
{
    for (size_t i = 0; i < count; i++) {
        if (hy_wpilog_text_is(name, kinds[i].name) && hy_wpilog_text_is(type, kinds[i].type)) {
            return (int)i;
        }
    }
    return -1;
}

// The track that an entry is; -1: none.
static int find_track(hy_playback *self, const hy_wpilog_record *record)
{
    hy_bytes name = record->name;
    if (!take_prefix(&name, "NT:")) {
        return -1;
    }
    int found = find_kind(common_kinds, PROGRAM_POSES, name, record->type);
    for (size_t robot = 0; found < 0 && robot < self->drawn.world.scene.robot_count; robot++) {
        char prefix[32];
        hy_bytes rest = name;
        name_prefix(self, robot, prefix);
        const int kind = take_prefix(&rest, prefix)
                             ? find_kind(robot_kinds, ROBOT_TRACKS, rest, record->type)
                             : -1;
        found = kind >= 0 ? (int)robot_track(robot, (size_t)kind) : -1;
    }
    return found >= 0 ? found : find_program_pose(self, name, record->type);
}

static void take_moment(hy_playback *self, int number, const hy_wpilog_record *record)
{
    if (number >= 0 && self->channels[number].is_used) {
        moments_take(&self->events, &self->channels[number], self->shown.end_us, record->value);
    }
}

static bool take_record(hy_playback *self, const hy_wpilog_record *record, size_t offset)
{
    if (!series_take(self->series, record, offset) || !picture_take(&self->shown, record, offset)) {
        return false;
    }
    take_moment(self, picture_track_of(&self->shown, record), record);
    return record->kind != HY_WPILOG_START ||
           picture_start_entry(&self->shown, offset, record->entry, find_track(self, record));
}

static void set_moment(hy_playback *self, size_t number, moment_type type, size_t robot)
{
    self->channels[number] =
        (moment_channel){ .is_used = true, .type = type, .robot = (unsigned)robot };
}

static void set_moments(hy_playback *self)
{
    set_moment(self, RUNNING, MOMENT_MATCH, 0);
    set_moment(self, BLUE, MOMENT_SCORE_BLUE, 0);
    set_moment(self, RED, MOMENT_SCORE_RED, 0);
    for (size_t i = 0; i < self->drawn.world.scene.robot_count; i++) {
        set_moment(self, robot_track(i, ENABLED), MOMENT_ENABLING, i + 1);
        set_moment(self, robot_track(i, WATCHDOG), MOMENT_WATCHDOG, i + 1);
        set_moment(self, robot_track(i, TOUCHING), MOMENT_CONTACT, i + 1);
    }
}

static bool start_index(hy_playback *self)
{
    const size_t robots = self->drawn.world.scene.robot_count;
    self->series = series_start(self->file);
    self->shown.file = self->file;
    self->shown.times = &self->times;
    self->shown.tracks = COMMON_TRACKS + robots * ROBOT_TRACKS;
    self->shown.points = self->series != NULL ? series_points(self->series) : NULL;
    set_moments(self);
    return self->series != NULL;
}

static void drop_index(hy_playback *self)
{
    hy_series_close(self->series);
    picture_free(&self->shown);
    self->series = NULL;
    self->shown = (picture){ .tracks = 0 };
    self->events = (moments){ .count = 0 };
    memset(self->pose_names, 0, sizeof self->pose_names);
}

// One pass over the file.
static bool read_index(hy_playback *self, hy_wpilog_groups *groups)
{
    hy_wpilog_reader *const reader = &self->read;
    hy_wpilog_record record;
    (void)hy_wpilog_reader_init(reader, self->file); // its header was read before
    while (hy_wpilog_next(reader, &record)) {
        hy_wpilog_groups_take(groups, &record, reader->begin);
        if (!take_record(self, &record, reader->begin)) {
            return false;
        }
    }
    return true;
}

// Most files have no outliers, and one pass is enough: which values are some is known behind it.
static bool make_index(hy_playback *self)
{
    hy_wpilog_groups groups = { .count = 0 };
    self->times = (hy_wpilog_times){ .last_us = UINT64_MAX };
    bool ok = read_index(self, &groups);
    self->times = hy_wpilog_groups_times(&groups);
    if (ok && self->times.outliers > 0) {
        drop_index(self);
        ok = start_index(self) && read_index(self, &groups);
    }
    return ok && series_finish(self->series);
}

static saved_index saved_of(hy_playback *self)
{
    return (saved_index){ &self->shown, series_points(self->series), &self->events, &self->read,
                          &self->times };
}

// Their names are in the records that start them, of which an index that was kept has the offsets.
static void name_program_poses(hy_playback *self)
{
    for (size_t i = 0; i < self->shown.start_count && self->is_indexed; i++) {
        hy_wpilog_record record;
        if (log_points_read(self->file, self->shown.starts[i].offset, &record) &&
            take_prefix(&record.name, "NT:")) {
            (void)find_program_pose(self, record.name, record.type);
        }
    }
    for (size_t i = 0; i < PROGRAM_POSES_MAX; i++) {
        char name[HY_SCENE_VALUE_NAME];
        hy_wpilog_copy_text(self->pose_names[i], name, sizeof name);
        for (size_t k = 0; k < HY_SCENE_TRUTH; k++) {
            hy_scene_name_pose(name, k, self->value_names[i][k]);
        }
    }
}

// From the bytes that were kept, if they are of this file; else from the file.
static bool find_index(hy_playback *self, const hy_playback_source *source)
{
    if (!start_index(self)) {
        return false;
    }
    const saved_index saved = saved_of(self);
    self->is_indexed = source->index.size > 0 &&
                       saved_index_read(&saved, source->index, source->changed) &&
                       series_take_noted(self->series);
    if (self->is_indexed) {
        return true;
    }
    drop_index(self);
    return start_index(self) && make_index(self);
}

// How the record at `offset` is read.
static hy_wpilog_reader read_from(const hy_playback *self, size_t offset)
{
    hy_wpilog_reader reader = { .offset = 0 };
    hy_wpilog_record record;
    hy_wpilog_reader_continue(&reader,
                              (hy_bytes){ self->file.data + offset, self->file.size - offset });
    (void)hy_wpilog_next(&reader, &record);
    return reader;
}

// An index that was kept says where something cannot be read; why is found by reading it there.
static void find_damage(hy_playback *self)
{
    self->read.damage = read_from(self, self->read.offset).damage;
    self->read.why_skipped = read_from(self, self->read.first_skipped).why_skipped;
    self->read.skipped = self->read.why_skipped != NULL ? self->read.skipped : 0;
    hy_wpilog_describe_damage(&self->read, self->damage, sizeof self->damage);
}

// --------------------------------------------------------------------------- opening

static hy_status open_all(hy_playback *self, const hy_playback_source *source, hy_world_error *error)
{
    const hy_status status = start_scene(self, error);
    if (status == HY_OK && self->poses != NULL) {
        (void)hy_series_open(self->file, &self->series);
        hy_wpilog_describe_outliers(&self->times, self->file, self->damage, sizeof self->damage);
    }
    if (status != HY_OK || self->poses != NULL) {
        return status;
    }
    if (!find_index(self, source)) {
        (void)snprintf(error->text, sizeof error->text, "%s", no_memory);
        return HY_EMEMORY;
    }
    if (self->stored.setup.match != NULL) {
        self->middle = hy_match_middle(self->stored.setup.match);
    } else {
        (void)hy_scene_draw_mat(&self->drawn.world, hy_sim_model(self->sim)); // without memory: no mat
    }
    name_program_poses(self);
    const hy_scene_state *const first = hy_sim_scene_state(&self->drawn, self->sim);
    if (first->robot_count > 0) {
        const hy_scene_robot_state *const robot = first->robots;
        self->start = (hy_world_pose){ robot->x_m, robot->y_m, robot->heading_rad, false };
    }
    find_damage(self);
    hy_wpilog_describe_outliers(&self->times, self->file, self->damage, sizeof self->damage);
    const uint64_t most_us = (uint64_t)HY_SIM_TIME_MAX_US;
    const uint64_t end_us = self->shown.end_us;
    self->replay.events = self->events.events;
    self->replay.event_count = self->events.count;
    self->replay.left_out = self->events.left_out;
    self->replay.outliers = (unsigned)self->times.outliers;
    self->replay.length_s = (double)(end_us < most_us ? end_us : most_us) * 1e-6;
    self->drawn.world.scene.replay = &self->replay;
    for (size_t i = 0; i < self->drawn.world.scene.robot_count; i++) {
        self->drawn.world.robots[i].player = 0;
    }
    for (size_t i = 0; i < hy_sim_boards(self->sim) && self->stored.setup.match != NULL; i++) {
        hy_scene_robot *const robot = &self->drawn.world.robots[hy_sim_board_vehicle(self->sim, i)];
        robot->name = robot->kind; // not that of the world
    }
    return HY_OK;
}

hy_status hy_playback_open_source(const hy_playback_source *source, hy_playback **out,
                                  hy_world_error *error)
{
    *out = NULL;
    hy_playback *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        (void)snprintf(error->text, sizeof error->text, "%s", no_memory);
        return HY_EMEMORY;
    }
    self->file = source->file;
    const hy_status status = open_all(self, source, error);
    if (status != HY_OK) {
        hy_playback_close(self);
        return status;
    }
    *out = self;
    return HY_OK;
}

hy_status hy_playback_open(hy_bytes file, hy_playback **out, hy_world_error *error)
{
    return hy_playback_open_source(&(hy_playback_source){ .file = file }, out, error);
}

bool hy_playback_is_indexed(const hy_playback *self)
{
    return self->is_indexed;
}

hy_bytes hy_playback_index(hy_playback *self, uint64_t changed)
{
    if (self->poses != NULL) {
        return (hy_bytes){ NULL, 0 };
    }
    const saved_index saved = saved_of(self);
    return saved_index_write(&saved, changed);
}

void hy_playback_close(hy_playback *self)
{
    if (self == NULL) {
        return;
    }
    pose_log_close(self->poses);
    hy_series_close(self->series);
    hy_sim_scene_close(&self->drawn);
    hy_sim_close(self->sim);
    hy_sim_stored_free(&self->stored);
    picture_free(&self->shown);
    free(self);
}

const char *hy_playback_damage(const hy_playback *self)
{
    return self->damage;
}

double hy_playback_start_s(const hy_playback *self)
{
    return self->poses != NULL ? pose_log_start_s(self->poses) : 0.0;
}

const hy_series *hy_playback_series(const hy_playback *self)
{
    return self->series;
}

const hy_scene *hy_playback_scene(const hy_playback *self)
{
    return self->poses != NULL ? pose_log_scene(self->poses) : &self->drawn.world.scene;
}

// --------------------------------------------------------------------------- the state

static hy_bytes robot_value(const hy_playback *self, size_t robot, size_t kind)
{
    return self->shown.values[robot_track(robot, kind)];
}

// SPEC world: pulses of 500 us to 2500 us are -90 to 90 degrees. The arm is shown where it was sent, without the time that it takes.
static void show_servos(hy_scene_robot_state *out, hy_bytes value)
{
    double pulses_us[HY_PIN_SERVOS];
    const size_t count = track_doubles(value, pulses_us, HY_PIN_SERVOS);
    for (size_t i = 0; i < count; i++) {
        if (pulses_us[i] > 0) {
            out->servo_rad[i] = (hy_clamp(pulses_us[i], 500, 2500, 0) - 1500) / 1000 * (HY_PI / 2);
        }
    }
}

// Recorded is where the rays ended on the floor.
static void show_lidar(hy_playback *self, size_t index, hy_bytes value)
{
    hy_scene_robot_state *const out = &self->robots[index];
    size_t count = 0;
    for (size_t i = 0; i + 16 <= value.size && count < HY_SCENE_SCAN_POINTS; i += 16) {
        double end[2] = { 0, 0 };
        (void)track_doubles((hy_bytes){ value.data + i, 16 }, end, 2);
        const double x_m = end[0] - self->middle.x_m - out->x_m;
        const double y_m = end[1] - self->middle.y_m - out->y_m;
        self->scans[index][count++] =
            (hy_lidar_point){ .azimuth_rad = atan2(y_m, x_m) - out->heading_rad,
                              .range_m = hypot(x_m, y_m) };
    }
    out->lidar = (hy_icd_lidar){ self->scans[index], count };
}

static void show_board(hy_playback *self, size_t index)
{
    hy_scene_robot_state *const out = &self->robots[index];
    const hy_world_fittings fittings = hy_world_fittings_of(hy_sim_model(self->sim), index);
    hy_truth truth = { .x_m = 0 };
    const size_t motors = track_doubles(robot_value(self, index, MOTORS), out->duty, HY_PIN_MOTORS);
    for (size_t i = 0; i < motors; i++) {
        out->duty[i] *= fittings.motor_forward[i];
    }
    (void)track_doubles(robot_value(self, index, ENCODERS), truth.wheel_counts, HY_PIN_ENCODERS);
    for (size_t i = 0; i < HY_PIN_ENCODERS; i++) {
        truth.wheel_counts[i] *= fittings.encoder_forward[i];
        out->encoder_counts[i] = floor(truth.wheel_counts[i]);
    }
    show_servos(out, robot_value(self, index, SERVOS));
    out->azimuth_count = hy_scene_azimuths(&fittings, &truth, out->azimuth_rad);
    (void)track_doubles(robot_value(self, index, RANGE), &out->range_m, 1);
    (void)track_doubles(robot_value(self, index, REFLECTANCE), out->reflectance, HY_PIN_REFLECTANCE);
    (void)track_doubles(robot_value(self, index, BATTERY), &out->battery_v, 1);
    track_flag(robot_value(self, index, LED), &out->led);
    track_flag(robot_value(self, index, BUTTON), &out->button);
    track_flag(robot_value(self, index, ENABLED), &out->enabled);
}

static void show_robot(hy_playback *self, size_t index)
{
    hy_scene_robot_state *const out = &self->robots[index];
    double pose[3], commands[6];
    if (track_doubles(robot_value(self, index, POSE), pose, 3) == 3) {
        out->x_m = pose[0] - self->middle.x_m;
        out->y_m = pose[1] - self->middle.y_m;
        out->heading_rad = pose[2];
    }
    track_flag(robot_value(self, index, TOUCHING), &out->touching);
    if (out->is_board) {
        show_board(self, index);
    }
    if (out->is_tank && track_doubles(robot_value(self, index, COMMANDS), commands, 6) == 6) {
        memcpy(out->drive_rad_s, commands, sizeof out->drive_rad_s);
        memcpy(out->intake_rad_s, commands + 2, sizeof out->intake_rad_s);
        out->tube_rad_s = commands[5];
    }
    out->reading_count = out->scan_count = 0;
    show_lidar(self, index, robot_value(self, index, LIDAR));
}

static void show_pieces(hy_playback *self)
{
    const hy_bytes value = self->shown.values[PIECES];
    for (size_t i = 0; i < self->state.piece_count; i++) {
        double place[3];
        if (value.size >= 24 * (i + 1) &&
            track_doubles((hy_bytes){ value.data + 24 * i, 24 }, place, 3) == 3) {
            self->pieces[i].x_m = place[0] - self->middle.x_m;
            self->pieces[i].y_m = place[1] - self->middle.y_m;
            self->pieces[i].z_m = place[2];
        }
    }
}

// The poses of a robot program, and where its robot really is in the frame of its start.
static size_t show_values(hy_playback *self)
{
    if (self->pose_names[0].size == 0 || self->state.robot_count == 0) {
        return 0;
    }
    const hy_scene_robot_state *const robot = self->robots;
    hy_scene_truth(self->start, (hy_world_pose){ robot->x_m, robot->y_m, robot->heading_rad, false },
                   self->values);
    size_t count = HY_SCENE_TRUTH;
    for (size_t i = 0; i < PROGRAM_POSES_MAX; i++) {
        hy_world_pose pose;
        if (track_pose(self->shown.values[PROGRAM_POSES + i], &pose)) {
            const double members[HY_SCENE_TRUTH] = { pose.x_m, pose.y_m, pose.heading_rad };
            for (size_t k = 0; k < HY_SCENE_TRUTH; k++) {
                self->values[count++] = (hy_scene_value){ self->value_names[i][k], members[k] };
            }
        }
    }
    return count;
}

hy_scene_state *hy_playback_state(hy_playback *self, double at_s)
{
    if (self->poses != NULL) {
        return pose_log_state(self->poses, at_s);
    }
    const double length_s = self->replay.length_s;
    const double shown_s = at_s > 0.0 ? at_s < length_s ? at_s : length_s : 0.0;
    picture_seek(&self->shown, (uint64_t)(shown_s * 1e6 + 0.5));
    hy_scene_state *const out = &self->state;
    *out = *hy_sim_scene_state(&self->drawn, self->sim);
    memcpy(self->robots, out->robots, out->robot_count * sizeof *out->robots);
    memcpy(self->pieces, out->pieces, out->piece_count * sizeof *out->pieces);
    out->robots = self->robots;
    out->pieces = self->pieces;
    out->replay_s = shown_s;
    out->is_simulated = false;
    out->is_replay = true;
    for (size_t i = 0; i < out->robot_count; i++) {
        show_robot(self, i);
    }
    show_pieces(self);
    out->values = self->values;
    out->value_count = show_values(self);
    track_int(self->shown.values[BLUE], &out->blue_score);
    track_int(self->shown.values[RED], &out->red_score);
    (void)track_doubles(self->shown.values[TIME_LEFT], &out->timer_s, 1);
    track_flag(self->shown.values[RUNNING], &out->timer_runs);
    return out;
}
