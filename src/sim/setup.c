// The byte form of a setup: SPEC sim 4.
#include <halyard/robots.h>

#include <stdio.h>
#include <string.h>

#include "base/base_transfer.h"
#include "sim_setup.h"

#define MAGIC_SIZE  4
#define NAME_SIZE   32 // of a robot's type or variant, with its NUL
#define DAY_US      (INT64_C(86400) * 1000000)
#define HEAD_MAX    4096 // more than all that stands before the world needs
#define RATE_MAX    1e15
#define SECONDS_MAX 1e9

static const uint8_t magic[MAGIC_SIZE] = { 'H', 'Y', 'S', 'S' };

enum { HAS_MATCH = 1, HAS_FAULTS = 2, FLAGS_MAX = 3 };

// What stands before the world: the same struct for both directions.
typedef struct {
    unsigned flags;
    uint64_t seed;
    double lidar_noise_m, match_s;
    hy_point middle;
    size_t board_count;
    hy_sim_board boards[HY_SIM_BOARDS];
    char robots[HY_SIM_BOARDS][2][NAME_SIZE]; // type and variant
    hy_faults_spec faults;
} setup_head;

// --------------------------------------------------------------------------- faults

static void hy_transfer_u64(hy_transfer_cursor *c, uint64_t *value)
{
    *value = hy_transfer_number(c, *value, 8);
}

static void hy_transfer_time(hy_transfer_cursor *c, int64_t *value_us)
{
    hy_transfer_i64_within(c, value_us, 0, DAY_US);
}

static void hy_transfer_direction(hy_transfer_cursor *c, hy_faults_direction *d)
{
    hy_transfer_f64_within(c, &d->loss, 0, 1);
    hy_transfer_f64_within(c, &d->burst, 0, 1);
    hy_transfer_f64_within(c, &d->burst_length, 0, RATE_MAX);
    hy_transfer_time(c, &d->delay_us);
    hy_transfer_time(c, &d->jitter_us);
    hy_transfer_f64_within(c, &d->duplicate, 0, 1);
    hy_transfer_f64_within(c, &d->reorder, 0, 1);
    hy_transfer_f64_within(c, &d->corrupt, 0, 1);
    hy_transfer_f64_within(c, &d->truncate, 0, 1);
    hy_transfer_f64_within(c, &d->rate_bytes_s, 0, RATE_MAX);
    c->failed = c->failed || (d->rate_bytes_s > 0 && d->rate_bytes_s < 1);
}

// How many entries of a list of the faults follow.
static void hy_transfer_count(hy_transfer_cursor *c, size_t *count)
{
    *count = hy_transfer_small(c, (unsigned)*count, HY_FAULTS_WINDOWS);
}

static void hy_transfer_faults(hy_transfer_cursor *c, hy_faults_spec *f)
{
    hy_transfer_direction(c, &f->to_robot);
    hy_transfer_direction(c, &f->from_robot);
    hy_transfer_count(c, &f->outage_count);
    for (size_t i = 0; i < f->outage_count; i++) {
        hy_transfer_time(c, &f->outage[i].from_us);
        hy_transfer_time(c, &f->outage[i].length_us);
        hy_transfer_time(c, &f->outage[i].every_us);
    }
    hy_transfer_count(c, &f->reboot_count);
    for (size_t i = 0; i < f->reboot_count; i++) {
        hy_transfer_time(c, &f->reboot_us[i]);
    }
    hy_transfer_time(c, &f->clock_jump_us);
    hy_transfer_time(c, &f->clock_jump_at_us);
    hy_transfer_bool(c, &f->has_start_number);
    f->start_number = (uint16_t)hy_transfer_number(c, f->start_number, 2);
    f->dead_encoders = (uint8_t)hy_transfer_number(c, f->dead_encoders, 1);
    f->slipping_wheels = (uint8_t)hy_transfer_number(c, f->slipping_wheels, 1);
    f->stuck_sensors = hy_transfer_small(c, f->stuck_sensors, 15);
    hy_transfer_u64(c, &f->seed);
}

// --------------------------------------------------------------------------- what stands before the world

static void hy_transfer_name(hy_transfer_cursor *c, char name[NAME_SIZE])
{
    const size_t length = hy_transfer_small(c, (unsigned)strlen(name), NAME_SIZE - 1);
    for (size_t i = 0; i < length; i++) {
        name[i] = (char)hy_transfer_number(c, (uint8_t)name[i], 1);
        c->failed = c->failed || name[i] == '\0';
    }
    name[length] = '\0';
}

static void hy_transfer_board(hy_transfer_cursor *c, setup_head *head, size_t index)
{
    hy_sim_board *const board = &head->boards[index];
    hy_transfer_index(c, &board->vehicle);
    hy_transfer_name(c, head->robots[index][0]);
    hy_transfer_name(c, head->robots[index][1]);
    board->options.encoder_format = (hy_encoder_format)hy_transfer_small(
        c, (unsigned)board->options.encoder_format, HY_ENCODER_SHORT);
    hy_transfer_bool(c, &board->options.stock_bugs);
}

static void hy_transfer_head(hy_transfer_cursor *c, setup_head *head)
{
    for (size_t i = 0; i < MAGIC_SIZE; i++) {
        c->failed = c->failed || hy_transfer_number(c, magic[i], 1) != magic[i];
    }
    c->failed = c->failed || hy_transfer_number(c, HY_SIM_SETUP_VERSION, 2) != HY_SIM_SETUP_VERSION;
    head->flags = hy_transfer_small(c, head->flags, FLAGS_MAX);
    hy_transfer_u64(c, &head->seed);
    hy_transfer_f64_within(c, &head->lidar_noise_m, 0, SECONDS_MAX);
    hy_transfer_f64_within(c, &head->match_s, 0, SECONDS_MAX);
    hy_transfer_f64_within(c, &head->middle.x_m, -SECONDS_MAX, SECONDS_MAX);
    hy_transfer_f64_within(c, &head->middle.y_m, -SECONDS_MAX, SECONDS_MAX);
    head->board_count = hy_transfer_small(c, (unsigned)head->board_count, HY_SIM_BOARDS);
    for (size_t i = 0; i < head->board_count; i++) {
        hy_transfer_board(c, head, i);
    }
    if ((head->flags & HAS_FAULTS) != 0) {
        hy_transfer_faults(c, &head->faults);
    }
}

// --------------------------------------------------------------------------- writing

// False: a board's robot is not in the table.
static bool fill_head(const hy_sim_setup *setup, setup_head *head)
{
    *head = (setup_head){ .flags = (setup->match != NULL ? HAS_MATCH : 0) |
                                   (setup->faults != NULL ? HAS_FAULTS : 0),
                          .seed = setup->seed,
                          .lidar_noise_m = setup->lidar_noise_m,
                          .match_s = setup->match_s,
                          .board_count = setup->board_count };
    if (setup->match != NULL) {
        head->middle = hy_match_middle(setup->match);
    }
    if (setup->faults != NULL) {
        head->faults = *setup->faults;
    }
    for (size_t i = 0; i < setup->board_count; i++) {
        const hy_robot_variant *variant = NULL;
        const hy_robot_type *const type =
            hy_robot_type_of_board(setup->boards[i].options.kind, &variant);
        if (type == NULL) {
            return false;
        }
        head->boards[i] = setup->boards[i];
        (void)snprintf(head->robots[i][0], NAME_SIZE, "%s", type->name);
        (void)snprintf(head->robots[i][1], NAME_SIZE, "%s", variant->name);
    }
    return true;
}

size_t hy_sim_setup_write(const hy_sim_setup *setup, hy_room room)
{
    uint8_t bytes[HEAD_MAX] = { 0 };
    hy_transfer_cursor c = { .to = bytes, .size = sizeof bytes };
    setup_head head;
    if (!fill_head(setup, &head)) {
        return 0;
    }
    hy_transfer_head(&c, &head);
    const hy_bytes world =
        hy_world_spec_bytes(setup->match != NULL ? hy_match_world(setup->match) : setup->world);
    if (!c.failed && room.size >= c.at + world.size) {
        memcpy(room.data, bytes, c.at);
        memcpy(room.data + c.at, world.data, world.size);
    }
    return c.failed ? 0 : c.at + world.size;
}

// --------------------------------------------------------------------------- reading

static bool find_kinds(setup_head *head, hy_world_error *error)
{
    for (size_t i = 0; i < head->board_count; i++) {
        const hy_robot_type *const type = hy_robot_type_find(head->robots[i][0]);
        const hy_robot_variant *const variant =
            type != NULL ? hy_robot_variant_find(type, head->robots[i][1]) : NULL;
        if (variant == NULL) {
            (void)snprintf(error->text, sizeof error->text,
                           "this program knows no robot '%s' with the hardware '%s'",
                           head->robots[i][0], head->robots[i][1]);
            return false;
        }
        head->boards[i].options.kind = variant->board;
        head->boards[i].options.stock_bugs =
            head->boards[i].options.stock_bugs && hy_board_has_stock_bugs(variant->board);
    }
    return true;
}

static hy_status compile(hy_sim_stored *self, const setup_head *head, hy_bytes world,
                         hy_world_error *error)
{
    hy_match_spec spec = { .middle = head->middle };
    hy_status status = hy_world_spec_read(world, &spec.world);
    if (status != HY_OK) {
        (void)snprintf(error->text, sizeof error->text, "the description of its world: %s",
                       status == HY_EFORMAT ? "malformed" : hy_status_text(status));
    } else if ((head->flags & HAS_MATCH) != 0) {
        status = hy_match_compile(&spec, &self->match, error);
    } else {
        status = hy_world_compile(&spec.world, &self->world, error);
    }
    hy_match_spec_free(&spec);
    return status;
}

hy_status hy_sim_stored_read(hy_sim_stored *self, hy_bytes bytes, hy_world_error *error)
{
    hy_transfer_cursor c = { .reads = true, .from = bytes.data, .size = bytes.size };
    setup_head head = { .flags = 0 };
    memset(self, 0, sizeof *self);
    hy_transfer_head(&c, &head);
    if (c.failed) {
        (void)snprintf(error->text, sizeof error->text, "it is cut, malformed or of another version");
        return HY_EFORMAT;
    }
    if (!find_kinds(&head, error)) {
        return HY_EFORMAT;
    }
    const hy_bytes world = { bytes.data + c.at, bytes.size - c.at };
    const hy_status status = compile(self, &head, world, error);
    if (status != HY_OK) {
        return status;
    }
    memcpy(self->boards, head.boards, sizeof self->boards);
    self->faults = head.faults;
    self->setup = (hy_sim_setup){ .world = self->world,
                                  .match = self->match,
                                  .boards = self->boards,
                                  .board_count = head.board_count,
                                  .seed = head.seed,
                                  .lidar_noise_m = head.lidar_noise_m,
                                  .match_s = head.match_s };
    if ((head.flags & HAS_FAULTS) != 0) {
        self->setup.faults = &self->faults;
    }
    return HY_OK;
}

void hy_sim_stored_free(hy_sim_stored *self)
{
    hy_match_free(self->match);
    hy_world_free(self->world);
    memset(self, 0, sizeof *self);
}
