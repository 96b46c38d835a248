#include "view_record.h"

#include <halyard/telemetry.h>

#include <stdio.h>

#define PERIOD_US 20000
#define EARLY_US  5000 // messages come every 10 ms, some a little early

// clang-format off
static const hy_channel_row rows[] = {
    HY_CHANNEL_ROW(view_record, pieces, 0, "/Field/Pieces", STRUCT_ARRAY, ON_CHANGE, .type = &hy_struct_translation3d),
    HY_CHANNEL_ROW(view_record, blue, 0, "/Match/Blue", INT64, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(view_record, red, 0, "/Match/Red", INT64, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(view_record, time_left, 0, "/Match/Time", DOUBLE, SELDOM, .unit = "s"),
    HY_CHANNEL_ROW(view_record, running, 0, "/Match/Running", BOOLEAN, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(view_record, enabled, 0, "DS:enabled", BOOLEAN, ON_CHANGE, .is_file_only = true),
};
static const hy_channel_row robot_rows[] = {
    HY_CHANNEL_ROW(view_robot_channels, pose, 0, "/Truth/Pose", STRUCT, ALWAYS, .type = &hy_struct_pose2d),
    HY_CHANNEL_ROW(view_robot_channels, alliance, 0, "/Alliance", STRING, SELDOM, .unit = NULL),
    HY_CHANNEL_ROW(view_robot_channels, team, 0, "/Team", STRING, SELDOM, .unit = NULL),
};
// clang-format on

void view_record_declare(view_record *self)
{
    if (self->file->sim.telemetry != NULL) {
        (void)hy_telemetry_declare_list(self->file->sim.telemetry, "", HY_CHANNEL_LIST(rows), 0,
                                        self); // what is missing goes nowhere
    }
}

// Names are those of sim_publish.h: /Robot if there is one, else /Robot1, /Robot2 ..
static void declare_robots(view_record *self, size_t count)
{
    for (; self->robot_count < count; self->robot_count++) {
        char prefix[32] = "/Robot";
        if (count > 1) {
            (void)snprintf(prefix, sizeof prefix, "/Robot%zu", self->robot_count + 1);
        }
        (void)hy_telemetry_declare_list(self->file->sim.telemetry, prefix,
                                        HY_CHANNEL_LIST(robot_rows), 0,
                                        &self->robots[self->robot_count]);
    }
}

static void put_robots(const view_record *self, const hy_icd_match *match)
{
    hy_telemetry *const to = self->file->sim.telemetry;
    for (size_t i = 0; i < match->vehicle_count; i++) {
        const hy_icd_vehicle *const robot = &match->vehicle[i];
        const hy_telemetry_pose2d pose = { robot->x_m + self->middle.x_m,
                                           robot->y_m + self->middle.y_m, robot->theta_rad };
        hy_telemetry_put_struct(to, self->robots[i].pose, &pose);
        hy_telemetry_put_text(to, self->robots[i].alliance,
                              robot->alliance == HY_ALLIANCE_RED ? "Red" : "Blue");
        hy_telemetry_put_text(to, self->robots[i].team, robot->team);
    }
}

static void put_pieces(const view_record *self, const hy_icd_match *match)
{
    hy_telemetry_translation3d places[HY_ICD_PIECES];
    for (size_t i = 0; i < match->piece_count; i++) {
        places[i] = (hy_telemetry_translation3d){ match->piece[i].x_m + self->middle.x_m,
                                                  match->piece[i].y_m + self->middle.y_m,
                                                  match->piece[i].z_m };
    }
    hy_telemetry_put_structs(self->file->sim.telemetry, self->pieces, places, match->piece_count);
}

static void put_score(const view_record *self, const hy_icd_match *match)
{
    hy_telemetry *const to = self->file->sim.telemetry;
    hy_telemetry_put_int64(to, self->blue, match->blue_score);
    hy_telemetry_put_int64(to, self->red, match->red_score);
    hy_telemetry_put_double(to, self->time_left, match->timer_s);
    hy_telemetry_put_boolean(to, self->running, match->timer_runs);
    hy_telemetry_put_boolean(to, self->enabled, match->timer_runs);
}

void view_record_put(view_record *self, const hy_icd_match *match, int64_t now_us)
{
    if (self->file->sim.telemetry == NULL || now_us < self->due_us) {
        return;
    }
    self->due_us = now_us + PERIOD_US - EARLY_US;
    hy_host_record_time(self->file, now_us);
    declare_robots(self, match->vehicle_count);
    put_robots(self, match);
    put_pieces(self, match);
    put_score(self, match);
}

void view_record_sticks(view_record *self, unsigned number, const hy_icd_sticks *sticks,
                        int64_t now_us)
{
    if (self->file->sim.telemetry == NULL) {
        return;
    }
    hy_host_record_time(self->file, now_us);
    if (!self->has_sticks[number - 1]) {
        self->sticks[number - 1] = stick_channels_declare(self->file->sim.telemetry, number - 1);
        self->has_sticks[number - 1] = true;
    }
    stick_channels_put(&self->sticks[number - 1], self->file->sim.telemetry, sticks);
}
