#include "pose_log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "moments.h"
#include "tracks.h"

#define CANDIDATES_MAX 64 // channels that may be poses
#define FIELDS_MAX     16 // Field2d tables
#define TYPE_MARK      "/.type"
#define LARGE_FLOOR_M  5.0 // robots on a longer floor are as large as those of FRC
#define PI             3.14159265358979323846
#define LENGTH_MAX_US  UINT64_C(10000000000000) // of what is shown

typedef enum {
    POSE_2D,    // x, y, heading
    POSE_3D,    // x, y, z, and a quaternion
    POSE_FIELD, // x, y, degrees
} pose_form;

// A channel that may be a robot's pose.
typedef struct {
    pose_form form;
    hy_bytes name;
    track values;
} candidate;

struct pose_log {
    hy_bytes file;
    const hy_wpilog_times *times;
    char damage[300];
    candidate candidates[CANDIDATES_MAX];
    size_t candidate_count;
    hy_bytes fields[FIELDS_MAX]; // names of Field2d tables
    size_t field_count;
    uint32_t type_entries[FIELDS_MAX]; // of their channels ".type", and those of other tables
    hy_bytes type_tables[FIELDS_MAX];
    size_t type_count;
    track enabled;
    const candidate *robots[HY_SCENE_ROBOTS]; // those that are shown
    uint64_t start_us, end_us;
    char names[HY_SCENE_ROBOTS][48];
    hy_point corners[4];
    hy_scene_part part;
    hy_scene_wheel wheels[4];
    hy_scene_robot looks[HY_SCENE_ROBOTS];
    moments events;
    hy_scene_replay replay;
    hy_scene scene;
    hy_scene_state state;
    hy_scene_robot_state states[HY_SCENE_ROBOTS];
};

static bool ends_in(hy_bytes bytes, const char *text)
{
    const size_t size = strlen(text);
    return bytes.size >= size && memcmp(bytes.data + bytes.size - size, text, size) == 0;
}

// --------------------------------------------------------------------------- reading the file

static void add_candidate(pose_log *self, const hy_wpilog_record *record, pose_form form)
{
    if (self->candidate_count < CANDIDATES_MAX) {
        self->candidates[self->candidate_count++] =
            (candidate){ .form = form, .name = record->name, .values.entry = record->entry };
    }
}

static void take_start(pose_log *self, const hy_wpilog_record *record)
{
    if (hy_wpilog_text_is(record->type, "struct:Pose2d")) {
        add_candidate(self, record, POSE_2D);
    } else if (hy_wpilog_text_is(record->type, "struct:Pose3d")) {
        add_candidate(self, record, POSE_3D);
    } else if (hy_wpilog_text_is(record->type, "double[]")) {
        add_candidate(self, record, POSE_FIELD);
    } else if (hy_wpilog_text_is(record->type, "boolean") &&
               hy_wpilog_text_is(record->name, "DS:enabled")) {
        self->enabled.entry = record->entry;
    } else if (hy_wpilog_text_is(record->type, "string") && ends_in(record->name, TYPE_MARK) &&
               self->type_count < FIELDS_MAX) {
        self->type_entries[self->type_count] = record->entry;
        self->type_tables[self->type_count++] =
            (hy_bytes){ record->name.data, record->name.size - strlen(TYPE_MARK) };
    }
}

static void take_table_type(pose_log *self, const hy_wpilog_record *record)
{
    for (size_t i = 0; i < self->type_count; i++) {
        if (self->type_entries[i] == record->entry && hy_wpilog_text_is(record->value, "Field2d") &&
            self->field_count < FIELDS_MAX) {
            self->fields[self->field_count++] = self->type_tables[i];
        }
    }
}

static bool take_value(pose_log *self, const hy_wpilog_record *record)
{
    if (record->entry == self->enabled.entry && record->entry != 0) {
        return track_append(&self->enabled, self->file, record);
    }
    for (size_t i = 0; i < self->candidate_count; i++) {
        if (self->candidates[i].values.entry == record->entry) {
            return track_append(&self->candidates[i].values, self->file, record);
        }
    }
    take_table_type(self, record);
    return true;
}

static bool read_file(pose_log *self)
{
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    (void)hy_wpilog_reader_init(&reader, self->file); // its header was read before
    while (hy_wpilog_next(&reader, &record)) {
        if (record.kind == HY_WPILOG_START) {
            take_start(self, &record);
        } else if (record.kind == HY_WPILOG_VALUE &&
                   !hy_wpilog_is_outlier(self->times, record.at_us) && !take_value(self, &record)) {
            return false;
        }
    }
    hy_wpilog_describe_damage(&reader, self->damage, sizeof self->damage);
    return true;
}

// --------------------------------------------------------------------------- poses

// False: the value is no pose.
static bool read_pose(pose_form form, hy_bytes value, double pose[3])
{
    double read[7] = { 0 };
    if (value.size != (form == POSE_3D ? 56 : 24) || track_doubles(value, read, 7) < 3) {
        return false;
    }
    pose[0] = read[0];
    pose[1] = read[1];
    // SPEC wpilog: a quaternion is w, x, y, z; its heading is the angle of the rotated x axis.
    pose[2] = form == POSE_2D      ? read[2]
              : form == POSE_FIELD ? read[2] * PI / 180
                                   : atan2(2 * (read[3] * read[6] + read[4] * read[5]),
                                           1 - 2 * (read[5] * read[5] + read[6] * read[6]));
    return isfinite(pose[0]) && isfinite(pose[1]) && isfinite(pose[2]);
}

static bool pose_of(const pose_log *self, const candidate *of, size_t index, double pose[3])
{
    const track_value *const value = &of->values.values[index];
    return read_pose(of->form, (hy_bytes){ self->file.data + value->offset, value->size }, pose);
}

// A double[] is a pose only in a Field2d: "TABLE/OBJECT".
static bool is_in_field(const pose_log *self, hy_bytes name)
{
    for (size_t i = 0; i < self->field_count; i++) {
        const hy_bytes table = self->fields[i];
        if (name.size > table.size + 1 && memcmp(name.data, table.data, table.size) == 0 &&
            name.data[table.size] == '/' &&
            memchr(name.data + table.size + 1, '/', name.size - table.size - 1) == NULL) {
            return true;
        }
    }
    return false;
}

static void choose_robots(pose_log *self)
{
    for (size_t i = 0; i < self->candidate_count; i++) {
        const candidate *const one = &self->candidates[i];
        double pose[3];
        if (self->scene.robot_count < HY_SCENE_ROBOTS && one->values.count > 0 &&
            pose_of(self, one, 0, pose) &&
            (one->form != POSE_FIELD || is_in_field(self, one->name))) {
            self->robots[self->scene.robot_count++] = one;
        }
    }
}

// --------------------------------------------------------------------------- the scene

// The file's time begins with its first pose; the floor has all poses on it, and the field's corner.
static void measure(pose_log *self)
{
    double box[4] = { 0, 0, 0, 0 }, pose[3];
    self->start_us = UINT64_MAX;
    for (size_t robot = 0; robot < self->scene.robot_count; robot++) {
        const candidate *const one = self->robots[robot];
        const track_value *const values = one->values.values;
        self->start_us = values[0].at_us < self->start_us ? values[0].at_us : self->start_us;
        const uint64_t end_us = values[one->values.count - 1].at_us;
        self->end_us = end_us > self->end_us ? end_us : self->end_us;
        for (size_t i = 0; i < one->values.count; i++) {
            if (pose_of(self, one, i, pose)) {
                box[0] = fmin(box[0], pose[0]);
                box[1] = fmin(box[1], pose[1]);
                box[2] = fmax(box[2], pose[0]);
                box[3] = fmax(box[3], pose[1]);
            }
        }
    }
    if (self->end_us - self->start_us > LENGTH_MAX_US) {
        self->end_us = self->start_us + LENGTH_MAX_US;
    }
    const double size = fmax(box[2] - box[0], box[3] - box[1]);
    const double margin = fmin(fmax(0.1 * size, 0.3), 2.0);
    for (size_t i = 0; i < 4; i++) {
        const double edge = box[i] + (i < 2 ? -margin : margin);
        self->scene.floor_m[i] = fmin(fmax(edge, -1000.0), 1000.0);
    }
}

static hy_bytes drop_front(hy_bytes name, const char *text)
{
    const size_t size = strlen(text);
    const bool is_there = name.size > size && memcmp(name.data, text, size) == 0;
    return is_there ? (hy_bytes){ name.data + size, name.size - size } : name;
}

// A box on wheels: a log does not say what its robots look like.
static void make_looks(pose_log *self)
{
    const double size = fmax(self->scene.floor_m[2] - self->scene.floor_m[0],
                             self->scene.floor_m[3] - self->scene.floor_m[1]);
    const double half = size > LARGE_FLOOR_M ? 0.4 : 0.08;
    for (size_t i = 0; i < 4; i++) {
        const double x = (i == 0 || i == 3) ? half : -half;
        const double y = i < 2 ? half : -half;
        self->corners[i] = (hy_point){ x, y };
        self->wheels[i] = (hy_scene_wheel){ 0.7 * x, 0.7 * y, 0.15 * half, 0.1 * half };
    }
    self->part = (hy_scene_part){ "body", 0.1 * half, 0.5 * half, { self->corners, 4 } };
    for (size_t i = 0; i < self->scene.robot_count; i++) {
        hy_bytes name = drop_front(drop_front(self->robots[i]->name, "NT:/"), "SmartDashboard/");
        const size_t room = sizeof self->names[i] - 1;
        if (name.size > room) { // its end tells more than its begin
            name = (hy_bytes){ name.data + name.size - room, room };
        }
        (void)snprintf(self->names[i], sizeof self->names[i], "%.*s", (int)name.size,
                       (const char *)name.data);
        self->looks[i] = (hy_scene_robot){ .kind = "robot",
                                           .name = self->names[i],
                                           .parts = &self->part,
                                           .part_count = 1,
                                           .wheels = self->wheels,
                                           .wheel_count = 4 };
    }
}

static void find_events(pose_log *self)
{
    moment_channel enabling = { .is_used = true, .type = MOMENT_ENABLING };
    for (size_t i = 0; i < self->enabled.count; i++) {
        const track_value *const value = &self->enabled.values[i];
        const hy_bytes flag = { self->file.data + value->offset, value->size };
        if (value->at_us < self->start_us) {
            track_flag(flag, &enabling.was);
        } else if (value->at_us <= self->end_us) {
            moments_take(&self->events, &enabling, value->at_us - self->start_us, flag);
        }
    }
}

static hy_status make_scene(pose_log *self, hy_world_error *error)
{
    choose_robots(self);
    if (self->scene.robot_count == 0) {
        (void)snprintf(error->text, sizeof error->text,
                       "it has no description of its world, so Halyard did not record it or it was "
                       "cut at its begin, and no poses (struct:Pose2d, struct:Pose3d, Field2d) to "
                       "show; --export csv prints its values");
        return HY_EFORMAT;
    }
    measure(self);
    make_looks(self);
    find_events(self);
    self->replay.length_s = (double)(self->end_us - self->start_us) * 1e-6;
    self->replay.events = self->events.events;
    self->replay.event_count = self->events.count;
    self->replay.left_out = self->events.left_out;
    self->replay.outliers = (unsigned)self->times->outliers;
    self->scene.title = "log";
    self->scene.floor_shade = 0.6;
    self->scene.robots = self->looks;
    self->scene.replay = &self->replay;
    return HY_OK;
}

// --------------------------------------------------------------------------- life

hy_status pose_log_open(hy_bytes file, const hy_wpilog_times *times, pose_log **out,
                        hy_world_error *error)
{
    *out = NULL;
    pose_log *const self = calloc(1, sizeof *self);
    hy_status status = HY_EMEMORY;
    if (self != NULL) {
        self->file = file;
        self->times = times;
        status = read_file(self) ? make_scene(self, error) : HY_EMEMORY;
    }
    if (status == HY_EMEMORY) {
        (void)snprintf(error->text, sizeof error->text, "there is not enough memory for its index");
    }
    if (status != HY_OK) {
        pose_log_close(self);
        return status;
    }
    *out = self;
    return HY_OK;
}

void pose_log_close(pose_log *self)
{
    if (self == NULL) {
        return;
    }
    for (size_t i = 0; i < self->candidate_count; i++) {
        free(self->candidates[i].values.values);
    }
    free(self->enabled.values);
    free(self);
}

const char *pose_log_damage(const pose_log *self)
{
    return self->damage;
}

double pose_log_start_s(const pose_log *self)
{
    return (double)self->start_us * 1e-6;
}

const hy_scene *pose_log_scene(const pose_log *self)
{
    return &self->scene;
}

hy_scene_state *pose_log_state(pose_log *self, double at_s)
{
    const double length_s = self->replay.length_s;
    const double shown_s = at_s > 0.0 ? at_s < length_s ? at_s : length_s : 0.0;
    const uint64_t at_us = self->start_us + (uint64_t)(shown_s * 1e6 + 0.5);
    for (size_t i = 0; i < self->scene.robot_count; i++) {
        const candidate *const one = self->robots[i];
        const hy_bytes value = track_at(self->file, &one->values, at_us);
        double pose[3];
        if (read_pose(one->form, value, pose) || pose_of(self, one, 0, pose)) {
            self->states[i] =
                (hy_scene_robot_state){ .x_m = pose[0], .y_m = pose[1], .heading_rad = pose[2] };
        }
    }
    self->state = (hy_scene_state){ .robots = self->states,
                                    .robot_count = self->scene.robot_count,
                                    .is_replay = true,
                                    .replay_s = shown_s };
    return &self->state;
}
