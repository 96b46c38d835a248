// A recording as pictures: an index of the values that a picture needs, and a state put together from those of one moment.
#include <halyard/record_playback.h>
#include <halyard/sim_scene.h>
#include <halyard/sim_setup.h>
#include <halyard/telemetry_wpilog.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channels.h"
#include "pose_log.h"
#include "series.h"
#include "tracks.h"

#define SETUP_MAX     (32u << 20)
#define ROBOT_TRACKS  14
#define COMMON_TRACKS 5
#define TRACKS        (COMMON_TRACKS + HY_SCENE_ROBOTS * ROBOT_TRACKS)
#define ENTRIES       65536 // entries with higher numbers are not shown
#define CONTACT_GAP_S 0.5   // a robot that touches again within this time still touches

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
enum { PIECES, BLUE, RED, TIME_LEFT, RUNNING };

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
static const track_kind common_kinds[COMMON_TRACKS] = {
    [PIECES] = { "/Field/Pieces", "struct:Translation3d[]" },
    [BLUE] = { "/Match/Blue", "int64" },
    [RED] = { "/Match/Red", "int64" },
    [TIME_LEFT] = { "/Match/Time", "double" },
    [RUNNING] = { "/Match/Running", "boolean" },
};

_Static_assert(TRACKS < UINT8_MAX, "track_of[] has a byte for each");

struct hy_playback {
    hy_bytes file;
    char damage[800];
    hy_sim_stored stored;
    hy_sim *sim; // at its start: what is shown that is not recorded
    hy_sim_scene drawn;
    pose_log *poses;   // not NULL: of another program's recording, which has nothing of the above
    hy_series *series; // made in the same pass over the file; NULL: no memory
    hy_point middle;
    track tracks[TRACKS];      // common ones, then those of each robot
    uint8_t track_of[ENTRIES]; // one more than the track of each entry of the file; 0: none
    uint64_t length_us;
    hy_scene_replay replay;
    hy_scene_event events[HY_SCENE_EVENTS];
    hy_scene_state state;
    hy_scene_robot_state robots[HY_SCENE_ROBOTS];
    hy_icd_piece pieces[HY_WORLD_PIECES];
    hy_lidar_point scans[HY_SCENE_ROBOTS][HY_SCENE_SCAN_POINTS];
};

static const char no_memory[] = "there is not enough memory for its index";

// --------------------------------------------------------------------------- the setup

static hy_status append_part(uint8_t **setup, size_t *size, hy_bytes part)
{
    uint8_t *const joined =
        part.size <= SETUP_MAX - *size ? realloc(*setup, *size + part.size + 1) : NULL;
    if (joined == NULL) {
        return HY_EMEMORY;
    }
    if (part.size > 0) {
        memcpy(joined + *size, part.data, part.size);
    }
    *setup = joined;
    *size += part.size;
    return HY_OK;
}

// Joins the parts of the setup, which stand in front of all inputs.
static hy_status find_setup(hy_bytes file, uint8_t **setup, size_t *size, hy_world_error *error)
{
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    uint32_t setup_entry = 0, input_entry = 0;
    hy_status status = hy_wpilog_reader_start(&reader, file);
    if (status != HY_OK) {
        (void)snprintf(error->text, sizeof error->text, "it is no log file (WPILOG): %s",
                       reader.damage);
    }
    while (status == HY_OK && hy_wpilog_next(&reader, &record)) {
        if (record.kind == HY_WPILOG_START && hy_wpilog_text_is(record.name, RECORD_SETUP_CHANNEL)) {
            setup_entry = record.entry;
        } else if (record.kind == HY_WPILOG_START &&
                   (hy_wpilog_text_is(record.name, RECORD_INPUT_CHANNEL) ||
                    hy_wpilog_text_is(record.name, RECORD_PLAIN_CHANNEL))) {
            input_entry = record.entry;
        } else if (record.kind == HY_WPILOG_VALUE && record.entry == setup_entry) {
            status = append_part(setup, size, record.value);
        } else if (record.kind == HY_WPILOG_VALUE && record.entry == input_entry) {
            break;
        }
    }
    if (status == HY_EMEMORY) {
        (void)snprintf(error->text, sizeof error->text, "%s", no_memory);
    }
    return status;
}

// A setup that this version cannot use, such as one of a later version: the poses are shown, if there are any.
static hy_status show_poses_only(hy_playback *self, hy_world_error *error)
{
    hy_world_error unread;
    const hy_status status = pose_log_open(self->file, &self->poses, &unread);
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
        status = hy_sim_start(&self->stored.setup, &self->sim, error);
    }
    return status == HY_EFORMAT || status == HY_ERANGE ? show_poses_only(self, error) : status;
}

static hy_status start_scene(hy_playback *self, hy_world_error *error)
{
    uint8_t *setup = NULL;
    size_t size = 0;
    hy_status status = find_setup(self->file, &setup, &size, error);
    if (status == HY_OK && size == 0) {
        status = pose_log_open(self->file, &self->poses, error);
    } else if (status == HY_OK) {
        status = start_sim(self, (hy_bytes){ setup, size }, error);
    }
    free(setup);
    if (status == HY_OK && self->poses == NULL && !hy_sim_scene_start(&self->drawn, self->sim)) {
        status = HY_EMEMORY;
        (void)snprintf(error->text, sizeof error->text, "%s", no_memory);
    }
    return status;
}

// --------------------------------------------------------------------------- the index

static track *robot_track(hy_playback *self, size_t robot, size_t kind)
{
    return &self->tracks[COMMON_TRACKS + robot * ROBOT_TRACKS + kind];
}

static void name_prefix(const hy_playback *self, size_t robot, char out[32])
{
    if (self->drawn.world.scene.robot_count == 1) {
        (void)snprintf(out, 32, "/Robot");
    } else {
        (void)snprintf(out, 32, "/Robot%zu", robot + 1);
    }
}

static bool starts(const hy_wpilog_record *record, const char *prefix, const track_kind *kind)
{
    char name[HY_WORLD_TEXT];
    (void)snprintf(name, sizeof name, "NT:%s%s", prefix, kind->name);
    return hy_wpilog_text_is(record->name, name) && hy_wpilog_text_is(record->type, kind->type);
}

static void start_track(hy_playback *self, track *of, uint32_t entry)
{
    self->track_of[of->entry] = 0;
    self->track_of[entry] = (uint8_t)(of - self->tracks + 1);
    of->entry = entry;
}

static void take_start(hy_playback *self, const hy_wpilog_record *record)
{
    if (record->entry >= ENTRIES) {
        return;
    }
    self->track_of[record->entry] = 0; // its number is used again
    for (size_t i = 0; i < COMMON_TRACKS; i++) {
        if (starts(record, "", &common_kinds[i])) {
            start_track(self, &self->tracks[i], record->entry);
        }
    }
    for (size_t robot = 0; robot < self->drawn.world.scene.robot_count; robot++) {
        char prefix[32];
        name_prefix(self, robot, prefix);
        for (size_t i = 0; i < ROBOT_TRACKS; i++) {
            if (starts(record, prefix, &robot_kinds[i])) {
                start_track(self, robot_track(self, robot, i), record->entry);
            }
        }
    }
}

static bool take_value(hy_playback *self, const hy_wpilog_record *record)
{
    const unsigned found = record->entry < ENTRIES ? self->track_of[record->entry] : 0;
    if (found == 0) {
        return true;
    }
    track *const to = &self->tracks[found - 1];
    if (!track_append(to, self->file, record)) {
        return false;
    }
    const uint64_t at_us = to->values[to->count - 1].at_us, most_us = (uint64_t)HY_SIM_TIME_MAX_US;
    if (at_us > self->length_us) {
        self->length_us = at_us < most_us ? at_us : most_us;
    }
    return true;
}

static bool make_index(hy_playback *self)
{
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    (void)hy_wpilog_reader_start(&reader, self->file); // its header was read before
    self->series = series_start(self->file);
    while (hy_wpilog_next(&reader, &record)) {
        if (self->series != NULL) {
            series_take(self->series, &record);
        }
        if (record.kind == HY_WPILOG_START) {
            take_start(self, &record);
        } else if (record.kind == HY_WPILOG_VALUE && !take_value(self, &record)) {
            return false;
        }
    }
    if (self->series != NULL && !series_finish(self->series)) {
        hy_series_close(self->series);
        self->series = NULL;
    }
    if (reader.damage != NULL) {
        (void)snprintf(self->damage, sizeof self->damage,
                       "behind offset %zu nothing can be read: %s", reader.offset, reader.damage);
    }
    return true;
}

// --------------------------------------------------------------------------- events

static void add_event(hy_playback *self, uint64_t at_us, const char *kind, size_t robot)
{
    if (self->replay.event_count < HY_SCENE_EVENTS) {
        self->events[self->replay.event_count++] =
            (hy_scene_event){ (double)at_us * 1e-6, kind, (unsigned)robot };
    }
}

// Where a flag of a robot becomes true, or false if that has a name, too.
static void add_changes(hy_playback *self, const track *of, size_t robot, const char *const kinds[2])
{
    bool was = false;
    uint64_t changed_us = 0;
    for (size_t i = 0; i < of->count; i++) {
        bool is = was;
        track_flag((hy_bytes){ self->file.data + of->values[i].offset, of->values[i].size }, &is);
        const uint64_t at_us = of->values[i].at_us;
        const bool is_again = kinds[0] == NULL && changed_us > 0 &&
                              (double)(at_us - changed_us) * 1e-6 < CONTACT_GAP_S;
        if (is != was && kinds[is] != NULL && !is_again) {
            add_event(self, at_us, kinds[is], robot);
        }
        changed_us = is ? at_us : changed_us;
        was = is;
    }
}

// Where a count grows.
static void add_counts(hy_playback *self, const track *of, size_t robot, const char *kind)
{
    int last = 0;
    for (size_t i = 0; i < of->count; i++) {
        int count = last;
        track_int((hy_bytes){ self->file.data + of->values[i].offset, of->values[i].size }, &count);
        if (count > last) {
            add_event(self, of->values[i].at_us, kind, robot);
        }
        last = count;
    }
}

static int compare_events(const void *a, const void *b)
{
    const hy_scene_event *const first = a, *const second = b;
    return (first->t_s > second->t_s) - (first->t_s < second->t_s);
}

static void find_events(hy_playback *self)
{
    static const char *const enabling[2] = { "disable", "enable" };
    static const char *const touching[2] = { NULL, "contact" };
    static const char *const running[2] = { "match", "match" };
    add_changes(self, &self->tracks[RUNNING], 0, running);
    add_counts(self, &self->tracks[BLUE], 0, "score");
    add_counts(self, &self->tracks[RED], 0, "score");
    for (size_t i = 0; i < self->drawn.world.scene.robot_count; i++) {
        add_changes(self, robot_track(self, i, ENABLED), i + 1, enabling);
        add_counts(self, robot_track(self, i, WATCHDOG), i + 1, "watchdog");
    }
    for (size_t i = 0; i < self->drawn.world.scene.robot_count; i++) { // the most: last
        add_changes(self, robot_track(self, i, TOUCHING), i + 1, touching);
    }
    qsort(self->events, self->replay.event_count, sizeof *self->events, compare_events);
}

// --------------------------------------------------------------------------- opening

static hy_status open_all(hy_playback *self, hy_world_error *error)
{
    const hy_status status = start_scene(self, error);
    if (status == HY_OK && self->poses != NULL) {
        (void)hy_series_open(self->file, &self->series);
    }
    if (status != HY_OK || self->poses != NULL) {
        return status;
    }
    if (!make_index(self)) {
        (void)snprintf(error->text, sizeof error->text, "%s", no_memory);
        return HY_EMEMORY;
    }
    if (self->stored.setup.match != NULL) {
        self->middle = hy_match_middle(self->stored.setup.match);
    } else {
        (void)hy_scene_draw_mat(&self->drawn.world, hy_sim_model(self->sim)); // without memory: no mat
    }
    find_events(self);
    self->replay.events = self->events;
    self->replay.length_s = (double)self->length_us * 1e-6;
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

hy_status hy_playback_open(hy_bytes file, hy_playback **out, hy_world_error *error)
{
    *out = NULL;
    hy_playback *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        (void)snprintf(error->text, sizeof error->text, "%s", no_memory);
        return HY_EMEMORY;
    }
    self->file = file;
    const hy_status status = open_all(self, error);
    if (status != HY_OK) {
        hy_playback_close(self);
        return status;
    }
    *out = self;
    return HY_OK;
}

void hy_playback_close(hy_playback *self)
{
    if (self == NULL) {
        return;
    }
    pose_log_close(self->poses);
    hy_series_close(self->series);
    hy_sim_scene_end(&self->drawn);
    hy_sim_end(self->sim);
    hy_sim_stored_free(&self->stored);
    for (size_t i = 0; i < TRACKS; i++) {
        free(self->tracks[i].values);
    }
    free(self);
}

const char *hy_playback_damage(const hy_playback *self)
{
    const bool is_foreign = self->poses != NULL && self->damage[0] == '\0';
    return is_foreign ? pose_log_damage(self->poses) : self->damage;
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

static hy_bytes robot_value(hy_playback *self, size_t robot, size_t kind, uint64_t at_us)
{
    return track_at(self->file, robot_track(self, robot, kind), at_us);
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

static void show_board(hy_playback *self, size_t index, uint64_t at_us)
{
    hy_scene_robot_state *const out = &self->robots[index];
    const hy_world_fittings fittings = hy_world_fittings_of(hy_sim_model(self->sim), index);
    hy_truth truth = { .x_m = 0 };
    const size_t motors =
        track_doubles(robot_value(self, index, MOTORS, at_us), out->duty, HY_PIN_MOTORS);
    for (size_t i = 0; i < motors; i++) {
        out->duty[i] *= fittings.motor_forward[i];
    }
    (void)track_doubles(robot_value(self, index, ENCODERS, at_us), truth.wheel_counts,
                        HY_PIN_ENCODERS);
    for (size_t i = 0; i < HY_PIN_ENCODERS; i++) {
        truth.wheel_counts[i] *= fittings.encoder_forward[i];
        out->encoder_counts[i] = floor(truth.wheel_counts[i]);
    }
    show_servos(out, robot_value(self, index, SERVOS, at_us));
    out->azimuth_count = hy_scene_azimuths(&fittings, &truth, out->azimuth_rad);
    (void)track_doubles(robot_value(self, index, RANGE, at_us), &out->range_m, 1);
    (void)track_doubles(robot_value(self, index, REFLECTANCE, at_us), out->reflectance,
                        HY_PIN_REFLECTANCE);
    (void)track_doubles(robot_value(self, index, BATTERY, at_us), &out->battery_v, 1);
    track_flag(robot_value(self, index, LED, at_us), &out->led);
    track_flag(robot_value(self, index, BUTTON, at_us), &out->button);
    track_flag(robot_value(self, index, ENABLED, at_us), &out->enabled);
}

static void show_robot(hy_playback *self, size_t index, uint64_t at_us)
{
    hy_scene_robot_state *const out = &self->robots[index];
    double pose[3], commands[6];
    if (track_doubles(robot_value(self, index, POSE, at_us), pose, 3) == 3) {
        out->x_m = pose[0] - self->middle.x_m;
        out->y_m = pose[1] - self->middle.y_m;
        out->heading_rad = pose[2];
    }
    track_flag(robot_value(self, index, TOUCHING, at_us), &out->touching);
    if (out->is_board) {
        show_board(self, index, at_us);
    }
    if (out->is_tank && track_doubles(robot_value(self, index, COMMANDS, at_us), commands, 6) == 6) {
        memcpy(out->drive_rad_s, commands, sizeof out->drive_rad_s);
        memcpy(out->intake_rad_s, commands + 2, sizeof out->intake_rad_s);
        out->tube_rad_s = commands[5];
    }
    out->reading_count = out->scan_count = 0;
    show_lidar(self, index, robot_value(self, index, LIDAR, at_us));
}

static void show_pieces(hy_playback *self, uint64_t at_us)
{
    const hy_bytes value = track_at(self->file, &self->tracks[PIECES], at_us);
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

hy_scene_state *hy_playback_state(hy_playback *self, double at_s)
{
    if (self->poses != NULL) {
        return pose_log_state(self->poses, at_s);
    }
    const double length_s = self->replay.length_s;
    const double shown_s = at_s > 0.0 ? at_s < length_s ? at_s : length_s : 0.0;
    const uint64_t at_us = (uint64_t)(shown_s * 1e6 + 0.5);
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
        show_robot(self, i, at_us);
    }
    show_pieces(self, at_us);
    track_int(track_at(self->file, &self->tracks[BLUE], at_us), &out->blue_score);
    track_int(track_at(self->file, &self->tracks[RED], at_us), &out->red_score);
    (void)track_doubles(track_at(self->file, &self->tracks[TIME_LEFT], at_us), &out->timer_s, 1);
    track_flag(track_at(self->file, &self->tracks[RUNNING], at_us), &out->timer_runs);
    return out;
}
