// One simulated robot for Python. The robot is driven over its board, by datagrams, as any other: recordings, their replay and the page
// then need nothing of their own.
#include "native.h"

#include <halyard/board.h>
#include <halyard/link.h>
#include <halyard/robots.h>
#include <halyard/worldfile.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/host_page.h"
#include "record/record_sim.h"
#include "run/run_judge.h"

#define PROGRAM "halyard"
#define VEHICLE 0 // the first one is driven
#define REPEAT_US \
    100000 // an unchanged command is sent again, long before the board's watchdog runs out
#define DRIVER_PORT    1
#define OUTPUT_CHANNEL "/Program/Output"

struct hy_py {
    hy_world_model *model;
    hy_sim *sim;
    const hy_robot_type *type;
    const hy_robot_variant *variant;
    hy_world_fittings fittings;
    char world[HY_WORLDFILE_PATH_MAX], robot[HY_WORLDFILE_PATH_MAX];
    double pwm_hz, step_s; // as they were asked for
    hy_sim_record record;
    hy_channel output;
    hy_host_page page;
    run_line line;
    run_judge judge; // its `line` is NULL until it begins
    bool button;     // as the simulation knows it
    hy_wire_command sent;
    int64_t sent_us;
};

void hy_py_sizes(size_t sizes[HY_PY_STRUCTS])
{
    sizes[0] = sizeof(hy_py_setup);
    sizes[1] = sizeof(hy_py_facts);
    sizes[2] = sizeof(hy_py_actions);
    sizes[3] = sizeof(hy_py_sensors);
    sizes[4] = sizeof(hy_py_truth);
    sizes[5] = sizeof(hy_py_outcome);
}

const char *hy_py_version(void)
{
    return hy_version();
}

// --------------------------------------------------------------------------- life

static bool explain(char *error, const char *text)
{
    (void)snprintf(error, HY_PY_ERROR, "%s", text);
    return false;
}

static bool find_robot(hy_py *self, const char *path, char *error)
{
    const char *const kind = hy_world_describe(self->model).vehicles > 0
                                 ? hy_world_vehicle_kind(self->model, VEHICLE)
                                 : NULL;
    for (size_t i = 0; kind != NULL && (self->type = hy_robot_type_at(i)) != NULL; i++) {
        for (size_t k = 0; k < self->type->variant_count; k++) {
            if (strcmp(self->type->variants[k].vehicle, kind) == 0) {
                self->variant = &self->type->variants[k];
                return true;
            }
        }
    }
    (void)snprintf(error, HY_PY_ERROR,
                   "%.500s: its first vehicle is %s, which has no controller to drive it by", path,
                   kind == NULL ? "missing" : kind);
    return false;
}

static bool load(hy_py *self, const hy_py_setup *setup, char *error)
{
    char path[HY_WORLDFILE_PATH_MAX];
    hy_world_error why;
    hy_robot_traits traits;
    hy_world_spec *const spec = malloc(sizeof *spec);
    if (spec == NULL) {
        return explain(error, hy_status_text(HY_EMEMORY));
    }
    bool ok = hy_worldfile_find(setup->world, path, &why) &&
              (setup->robot == NULL || hy_robot_choose(setup->robot, &traits, &why) == HY_OK);
    ok = ok && hy_worldfile_read(path, spec, &why) == HY_OK;
    if (ok) {
        const hy_worldfile_robots robots = { .pwm_hz = setup->pwm_hz,
                                             .traits = setup->robot != NULL ? &traits : NULL };
        hy_worldfile_set_robots(spec, &robots);
        spec->step_s = setup->step_s > 0 ? setup->step_s : spec->step_s;
        ok = hy_world_compile(spec, &self->model, &why) == HY_OK;
        hy_world_spec_free(spec);
    }
    free(spec);
    return ok ? find_robot(self, path, error) : explain(error, why.text);
}

static bool start(hy_py *self, uint64_t seed, char *error)
{
    hy_world_error why;
    const hy_sim_board board = { VEHICLE, { .kind = self->variant->board } };
    const hy_sim_setup setup = {
        .world = self->model, .boards = &board, .board_count = 1, .seed = seed
    };
    self->fittings = hy_world_fittings_of(self->model, VEHICLE);
    self->sent_us = -REPEAT_US;
    return hy_sim_open(&setup, &self->sim, &why) == HY_OK || explain(error, why.text);
}

bool hy_py_open(const hy_py_setup *setup, hy_py **out, char *error)
{
    *out = NULL;
    hy_py *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        return explain(error, hy_status_text(HY_EMEMORY));
    }
    (void)snprintf(self->world, sizeof self->world, "%s", setup->world);
    (void)snprintf(self->robot, sizeof self->robot, "%s", setup->robot != NULL ? setup->robot : "");
    self->pwm_hz = setup->pwm_hz;
    self->step_s = setup->step_s;
    if (!load(self, setup, error) || !start(self, setup->seed, error)) {
        hy_py_close(self);
        return false;
    }
    *out = self;
    return true;
}

void hy_py_close(hy_py *self)
{
    if (self != NULL) {
        hy_record_error unread;
        if (self->record.telemetry != NULL) {
            (void)hy_sim_record_close(&self->record, &unread);
        }
        hy_host_page_close(&self->page);
        run_line_free(&self->line);
        hy_sim_close(self->sim);
        hy_world_free(self->model);
        free(self);
    }
}

void hy_py_facts_of(const hy_py *self, hy_py_facts *out)
{
    const hy_world_facts facts = hy_world_describe(self->model);
    const hy_dialect *const dialect = self->type->dialect;
    const hy_robot_traits *const traits = hy_world_traits(self->model, VEHICLE);
    *out = (hy_py_facts){ .step_s = (double)facts.step_us * 1e-6,
                          .width_m = facts.width_m,
                          .height_m = facts.height_m,
                          .motors = dialect->motors,
                          .servos = dialect->servos,
                          .encoders = dialect->encoders };
    if (self->type->wheels != NULL) {
        out->m_per_count = self->type->wheels->m_per_count;
        out->track_m = self->type->wheels->track_m;
    }
    (void)snprintf(out->world, sizeof out->world, "%s", facts.name);
    (void)snprintf(out->kind, sizeof out->kind, "%s", self->type->name);
    (void)snprintf(out->robot, sizeof out->robot, "%s", traits != NULL ? traits->name : "");
}

// --------------------------------------------------------------------------- stepping

static hy_endpoint driver(void)
{
    return (hy_endpoint){ .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 }, .port = DRIVER_PORT };
}

// Of the degrees that the firmware makes of a position it takes the whole ones: half a degree above is on the safe side.
static float servo_position(double pulse_us)
{
    const double degree = floor((hy_clamp(pulse_us, 500, 2500, 1500) - 500) / 2000 * 180 + 0.5);
    return (float)((degree < 180 ? degree + 0.5 : 180) / 180);
}

static hy_wire_command command_of(const hy_py *self, const hy_py_actions *actions)
{
    const hy_dialect *const dialect = self->type->dialect;
    hy_wire_command out = { .control = HY_WIRE_CONTROL_ENABLED };
    for (unsigned i = 0; i < dialect->motors; i++) {
        out.motors = (uint8_t)(out.motors | 1U << i);
        out.motor[i] =
            (float)(hy_clamp(actions->motor[i], -1, 1, 0) * self->fittings.motor_forward[i]);
    }
    for (unsigned i = 0; i < dialect->servos; i++) {
        if (actions->servo_us[i] > 0) {
            out.servos = (uint8_t)(out.servos | 1U << i);
            out.servo[i] = servo_position(actions->servo_us[i]);
        }
    }
    const unsigned led = self->variant->board->led_dio;
    out.dios = 1U << led;
    out.dio_levels = actions->led > 0 ? 1U << led : 0;
    return out;
}

static bool is_same(const hy_wire_command *a, const hy_wire_command *b)
{
    return a->servos == b->servos && a->dio_levels == b->dio_levels &&
           memcmp(a->motor, b->motor, sizeof a->motor) == 0 &&
           memcmp(a->servo, b->servo, sizeof a->servo) == 0;
}

// The datagram that has to go out with the next step; 0 if none has.
static size_t next_command(hy_py *self, const hy_wire_command *wanted, int64_t now_us, hy_room room)
{
    if (is_same(wanted, &self->sent) && now_us - self->sent_us < REPEAT_US) {
        return 0;
    }
    const uint16_t seq = (uint16_t)(self->sent.seq + 1);
    self->sent = *wanted;
    self->sent.seq = seq;
    self->sent_us = now_us;
    return self->type->dialect->command_encode(&self->sent, room);
}

static void step(hy_py *self, const hy_wire_command *wanted, bool is_down)
{
    uint8_t bytes[HY_WIRE_COMMAND_MAX];
    const int64_t now_us = hy_sim_now_us(self->sim) + hy_sim_step_us(self->sim);
    const hy_sim_datagram datagram = {
        .peer = driver(),
        .at_us = hy_sim_now_us(self->sim),
        .bytes = { bytes, next_command(self, wanted, now_us, (hy_room){ bytes, sizeof bytes }) },
    };
    const hy_sim_button button = { VEHICLE, is_down };
    const hy_sim_input input = { .now_us = now_us,
                                 .world_steps = 1,
                                 .datagrams = &datagram,
                                 .datagram_count = datagram.bytes.size > 0,
                                 .buttons = &button,
                                 .button_count = is_down != self->button };
    self->button = is_down;
    hy_sim_step(self->sim, &input);
    for (hy_sim_datagram status; hy_sim_next_datagram(self->sim, &status);) { // nobody reads them
    }
    if (self->judge.line != NULL) {
        run_judge_step(&self->judge, self->sim, true, false);
    }
    hy_sim_record_step(&self->record, self->sim);
    hy_host_page_collect(&self->page, self->sim);
}

void hy_py_step(hy_py *self, const hy_py_actions *actions, uint64_t count, hy_py_sensors *out)
{
    const hy_wire_command wanted = command_of(self, actions);
    for (uint64_t i = 0; i < count; i++) {
        step(self, &wanted, actions->button > 0);
    }
    hy_py_sense(self, out);
}

void hy_py_put_back(hy_py *self)
{
    const hy_sim_reset all = { HY_SIM_RESET_ALL };
    hy_sim_step(
        self->sim,
        &(hy_sim_input){ .now_us = hy_sim_now_us(self->sim), .resets = &all, .reset_count = 1 });
}

bool hy_py_restart(hy_py *self, uint64_t seed, char *error)
{
    if (self->record.telemetry != NULL) {
        return explain(error, "a recording is under way; end it before the world is reset");
    }
    hy_sim_restart(self->sim, seed);
    self->sent = (hy_wire_command){ 0 };
    self->sent_us = -REPEAT_US;
    self->button = false;
    self->judge.line = NULL;
    run_line_free(&self->line);
    return true;
}

// --------------------------------------------------------------------------- reading

void hy_py_sense(const hy_py *self, hy_py_sensors *out)
{
    hy_sensors in;
    hy_world_read_sensors(self->model, hy_sim_world(self->sim), VEHICLE, &in);
    *out = (hy_py_sensors){ .time_s = hy_sim_simulated_s(self->sim),
                            .reflectance = { in.reflectance[0], in.reflectance[1] },
                            .range_m = in.range_m,
                            .battery_v = in.battery_v,
                            .button = in.button };
    for (size_t i = 0; i < HY_PIN_ENCODERS; i++) {
        out->encoder_counts[i] = floor(in.encoder_counts[i] * self->fittings.encoder_forward[i]);
    }
    memcpy(out->gyro_rate_rad_s, in.gyro_rate_rad_s, sizeof in.gyro_rate_rad_s);
    memcpy(out->gyro_angle_rad, in.gyro_angle_rad, sizeof in.gyro_angle_rad);
    memcpy(out->accel_m_s2, in.accel_m_s2, sizeof in.accel_m_s2);
}

void hy_py_true(const hy_py *self, hy_py_truth *out)
{
    const hy_truth truth = hy_sim_truth(self->sim, VEHICLE);
    *out = (hy_py_truth){ .x_m = truth.x_m,
                          .y_m = truth.y_m,
                          .heading_rad = truth.heading_rad,
                          .speed_m_s = truth.speed_m_s,
                          .lateral_m_s = truth.lateral_m_s,
                          .rate_z_rad_s = truth.rate_z_rad_s,
                          .reflectance = { truth.reflectance[0], truth.reflectance[1] },
                          .range_m = truth.range_m,
                          .battery_v = truth.battery_v,
                          .touching = truth.touching,
                          .touching_field = truth.touching_field,
                          .led = truth.led,
                          .button = truth.button,
                          .browned_out = truth.browned_out };
    memcpy(out->wheel_counts, truth.wheel_counts, sizeof truth.wheel_counts);
    memcpy(out->servo_rad, truth.servo_rad, sizeof truth.servo_rad);
    for (size_t i = 0; i < HY_PIN_MOTORS; i++) {
        out->motor_duty[i] = truth.motor_duty[i] * self->fittings.motor_forward[i];
    }
}

void hy_py_pose(const hy_py *self, double pose[3])
{
    const hy_world_pose at = hy_world_pose_of(hy_sim_world(self->sim), VEHICLE);
    pose[0] = at.x_m;
    pose[1] = at.y_m;
    pose[2] = at.heading_rad;
}

bool hy_py_judge(hy_py *self, char *error)
{
    if (self->judge.line == NULL && !run_line_find(&self->line, self->model)) {
        return explain(error, hy_status_text(HY_EMEMORY));
    }
    run_judge_start(&self->judge, self->sim, 0, &self->line);
    self->judge.due_us += hy_sim_now_us(self->sim);
    return true;
}

void hy_py_judged(const hy_py *self, hy_py_outcome *out)
{
    *out = (hy_py_outcome){ 0 };
    if (self->judge.line != NULL) {
        const hy_run_outcome run = run_judge_end(&self->judge, self->sim);
        *out = (hy_py_outcome){ run.driven_m, (double)run.touches, run.has_line,
                                run.laps,     run.line_mean_m,     run.line_most_m };
    }
}

uint64_t hy_py_hash(const hy_py *self)
{
    return hy_sim_state_hash(self->sim);
}

// --------------------------------------------------------------------------- from above

static bool is_inside(const hy_point *corners, size_t count, hy_point at)
{
    for (size_t i = 0; i < count; i++) {
        const hy_point a = corners[i], b = corners[(i + 1) % count];
        if ((b.x_m - a.x_m) * (at.y_m - a.y_m) < (b.y_m - a.y_m) * (at.x_m - a.x_m)) {
            return false;
        }
    }
    return true;
}

static bool is_obstacle(const hy_world_model *model, hy_point at)
{
    for (size_t i = 0; i < hy_world_solids(model); i++) {
        const hy_world_solid solid = hy_world_solid_at(model, i);
        if (is_inside(solid.corners, solid.count, at)) {
            return true;
        }
    }
    return false;
}

static bool is_vehicle(const hy_py *self, size_t vehicle, hy_point at)
{
    const hy_world_pose pose = hy_world_pose_of(hy_sim_world(self->sim), vehicle);
    const hy_sine_cosine turn = hy_sin_cos(pose.heading_rad);
    const hy_point off = { at.x_m - pose.x_m, at.y_m - pose.y_m };
    const hy_point own = { off.x_m * turn.cos + off.y_m * turn.sin,
                           off.y_m * turn.cos - off.x_m * turn.sin };
    size_t count;
    const hy_world_part *const parts = hy_world_parts(self->model, vehicle, &count);
    for (size_t i = 0; i < count; i++) {
        if (is_inside(parts[i].corners, parts[i].count, own)) {
            return true;
        }
    }
    return false;
}

static uint32_t color_at(const hy_py *self, size_t vehicles, hy_point at)
{
    for (size_t i = 0; i < vehicles; i++) {
        if (is_vehicle(self, i, at)) {
            return i == VEHICLE ? 0x2060e0 : 0xe08020;
        }
    }
    if (is_obstacle(self->model, at)) {
        return 0x907050;
    }
    const double darkness = hy_clamp(hy_world_darkness(self->model, at.x_m, at.y_m), 0, 1, 0);
    return (uint32_t)(255 * (1 - darkness) + 0.5) * 0x010101U;
}

void hy_py_render(const hy_py *self, uint8_t *rgb, uint64_t columns, uint64_t rows)
{
    const hy_world_facts facts = hy_world_describe(self->model);
    for (uint64_t row = 0; row < rows; row++) {
        for (uint64_t column = 0; column < columns; column++) {
            const hy_point at = { ((double)column + 0.5) / (double)columns * facts.width_m,
                                  ((double)(rows - row) - 0.5) / (double)rows * facts.height_m };
            const uint32_t color = color_at(self, facts.vehicles, at);
            *rgb++ = (uint8_t)(color >> 16);
            *rgb++ = (uint8_t)(color >> 8);
            *rgb++ = (uint8_t)color;
        }
    }
}

// --------------------------------------------------------------------------- recordings

bool hy_py_record(hy_py *self, const char *path, bool overwrite, char *error)
{
    if (self->record.telemetry != NULL || hy_sim_steps(self->sim) > 0) {
        return explain(
            error,
            self->record.telemetry != NULL
                ? "a recording is under way already"
                : "a recording begins at the start: record before the first step, or reset first");
    }
    const hy_record_options options = { .path = path, .overwrite = overwrite, .waits = true };
    hy_record_error why;
    if (hy_sim_record_open(&self->record, &options, self->sim, &why) != HY_OK) {
        return explain(error, why.text);
    }
    char seed[24], asked[HY_RECORD_OPTIONS_MAX] = "";
    (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)hy_sim_setup_of(self->sim).seed);
    hy_record_add_option(asked, "robot", self->robot[0] != '\0' ? self->robot : NULL);
    hy_record_add_number(asked, "pwm", self->pwm_hz);
    hy_sim_record_file_name(&self->record, "World", self->world);
    hy_sim_record_metadata(&self->record, "Seed", seed);
    hy_sim_record_options(&self->record, asked);
    hy_sim_watch(self->sim, hy_sim_record_input, &self->record);
    const hy_channel_spec spec = { .name = OUTPUT_CHANNEL, .kind = HY_CHANNEL_STRING };
    self->output = hy_telemetry_declare(self->record.telemetry, &spec);
    return true;
}

bool hy_py_record_end(hy_py *self, char *error)
{
    hy_record_error why;
    if (self->record.telemetry == NULL) {
        return explain(error, "there is no recording to end");
    }
    hy_sim_watch(self->sim, NULL, NULL);
    return hy_sim_record_close(&self->record, &why) == HY_OK || explain(error, why.text);
}

void hy_py_print(hy_py *self, const char *text)
{
    if (self->record.telemetry != NULL) {
        hy_telemetry_put_text(self->record.telemetry, self->output, text);
    }
}

// --------------------------------------------------------------------------- the page

bool hy_py_page(hy_py *self, const char *listen, bool opens, char *error)
{
    hy_view_error why;
    const hy_view_place place = { .listen = listen[0] != '\0' ? listen : HY_VIEW_LISTEN };
    if (self->page.view != NULL) {
        return explain(error, "the page is served already");
    }
    if (hy_host_page_open(&self->page, &place, self->sim, NULL, &why) != HY_OK) {
        return explain(error, why.text);
    }
    if (why.text[0] != '\0') {
        (void)fprintf(stderr, PROGRAM ": %s\n", why.text);
    }
    hy_host_page_announce(PROGRAM, self->page.view, "press the robot's button and stop its program",
                          opens);
    return true;
}

unsigned hy_py_poll(hy_py *self)
{
    const int64_t now_us = hy_clock_now_us();
    hy_host_page_show(&self->page, self->sim, now_us);
    unsigned wanted = hy_host_page_poll(&self->page, now_us) ? HY_PY_RESET : 0;
    wanted |= hy_host_page_button(&self->page, VEHICLE, now_us) ? HY_PY_BUTTON : 0;
    wanted |= hy_host_page_take_stop(&self->page) ? HY_PY_STOP : 0;
    return wanted;
}

void hy_py_url(const hy_py *self, char *out)
{
    char url[HY_VIEW_URL_MAX] = "";
    (void)snprintf(out, HY_PY_ERROR, "%s",
                   self->page.view != NULL ? hy_view_url(self->page.view, url) : "");
}
