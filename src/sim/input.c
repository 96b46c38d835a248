// The byte form of an input. SPEC sim. The same code walks an input to write it and to read it: `transfer` moves one number
// between a struct and the bytes, in the direction that its cursor has, so that the two cannot differ.
#include <halyard/sim.h>

#include <assert.h>
#include <string.h>

#include "base/base_transfer.h"

// --------------------------------------------------------------------------- entries of lists

static void hy_transfer_bytes(hy_transfer_cursor *c, hy_bytes *bytes)
{
    assert(c->reads || bytes->size <= UINT16_MAX);
    bytes->size = (size_t)hy_transfer_number(c, bytes->size, 2);
    if (!hy_transfer_has_room(c, bytes->size)) {
        bytes->size = 0;
    } else if (c->reads) {
        bytes->data = c->from + c->at;
    } else if (bytes->size > 0) {
        memcpy(c->to + c->at, bytes->data, bytes->size);
    }
    c->at += bytes->size;
}

static void hy_transfer_datagram(hy_transfer_cursor *c, void *entry)
{
    hy_sim_datagram *const self = entry;
    hy_transfer_index(c, &self->board);
    hy_transfer_fixed(c, self->peer.ip, sizeof self->peer.ip);
    self->peer.scope = (uint32_t)hy_transfer_number(c, self->peer.scope, 4);
    self->peer.port = (uint16_t)hy_transfer_number(c, self->peer.port, 2);
    hy_transfer_i64(c, &self->at_us);
    hy_transfer_bytes(c, &self->bytes);
}

static void hy_transfer_command(hy_transfer_cursor *c, void *entry)
{
    hy_sim_command *const self = entry;
    hy_match_commands *const to = &self->commands;
    self->player = (unsigned)hy_transfer_number(c, self->player, 1);
    hy_transfer_i64(c, &self->at_us);
    hy_transfer_f64(c, &to->left_drive);
    hy_transfer_f64(c, &to->right_drive);
    hy_transfer_f64(c, &to->intake_center);
    hy_transfer_f64(c, &to->intake_left);
    hy_transfer_f64(c, &to->intake_right);
    hy_transfer_f64(c, &to->tube);
    hy_transfer_bool(c, &to->timer_start_stop);
    hy_transfer_bool(c, &to->reset);
    hy_transfer_bool(c, &to->outtake);
}

static void hy_transfer_reset(hy_transfer_cursor *c, void *entry)
{
    hy_sim_reset *const self = entry;
    size_t vehicle = self->vehicle == HY_SIM_RESET_ALL ? UINT8_MAX : self->vehicle;
    hy_transfer_index(c, &vehicle);
    self->vehicle = vehicle == UINT8_MAX ? HY_SIM_RESET_ALL : vehicle;
}

static void hy_transfer_button(hy_transfer_cursor *c, void *entry)
{
    hy_sim_button *const self = entry;
    hy_transfer_index(c, &self->vehicle);
    hy_transfer_bool(c, &self->is_down);
}

static void hy_transfer_power_cycle(hy_transfer_cursor *c, void *entry)
{
    hy_sim_power_cycle *const self = entry;
    hy_transfer_index(c, &self->board);
}

static void hy_transfer_placement(hy_transfer_cursor *c, void *entry)
{
    hy_sim_placement *const self = entry;
    hy_transfer_index(c, &self->piece);
    hy_transfer_f64(c, &self->x_m);
    hy_transfer_f64(c, &self->y_m);
    hy_transfer_f64(c, &self->z_m);
    hy_transfer_f64(c, &self->vx_m_s);
    hy_transfer_f64(c, &self->vy_m_s);
    hy_transfer_f64(c, &self->vz_m_s);
}

static void hy_transfer_lidar_noise(hy_transfer_cursor *c, void *entry)
{
    hy_transfer_f64(c, entry);
}

static void hy_transfer_board_change(hy_transfer_cursor *c, void *entry)
{
    hy_sim_board_change *const self = entry;
    hy_transfer_index(c, &self->board);
    self->encoder_format =
        (hy_encoder_format)hy_transfer_small(c, (unsigned)self->encoder_format, HY_ENCODER_SHORT);
    hy_transfer_bool(c, &self->stock_bugs);
}

static void hy_transfer_push(hy_transfer_cursor *c, void *entry)
{
    hy_sim_push *const self = entry;
    hy_transfer_index(c, &self->vehicle);
}

static void hy_transfer_refusal(hy_transfer_cursor *c, void *entry)
{
    hy_sim_refusal *const self = entry;
    hy_transfer_index(c, &self->board);
    self->refused.strangers = hy_transfer_number(c, self->refused.strangers, 8);
    self->refused.too_short = hy_transfer_number(c, self->refused.too_short, 8);
}

// --------------------------------------------------------------------------- lists

/// One list of an input: where its entries are, how many, and how one of them is transferred.
typedef struct {
    size_t items_at, count_at, entry_size, room_at;
    void (*transfer)(hy_transfer_cursor *c, void *entry);
} list_kind;

#define LIST(items, count, function)                                                    \
    {                                                                                   \
        offsetof(hy_sim_input, items), offsetof(hy_sim_input, count),                   \
            sizeof *((hy_sim_input *)0)->items, offsetof(hy_sim_lists, items), function \
    }

// In the order of the bits of the byte form.
static const list_kind lists_of_input[] = {
    LIST(datagrams, datagram_count, hy_transfer_datagram),
    LIST(commands, command_count, hy_transfer_command),
    LIST(resets, reset_count, hy_transfer_reset),
    LIST(buttons, button_count, hy_transfer_button),
    LIST(power_cycles, power_cycle_count, hy_transfer_power_cycle),
    LIST(placements, placement_count, hy_transfer_placement),
    LIST(lidar_noises_m, lidar_noise_count, hy_transfer_lidar_noise),
    LIST(board_changes, board_change_count, hy_transfer_board_change),
    LIST(pushes, push_count, hy_transfer_push),
    LIST(refusals, refusal_count, hy_transfer_refusal),
};
enum {
    LISTS = sizeof lists_of_input / sizeof lists_of_input[0],
    LISTS_BEFORE_3 = 8, // of version 2, whose bits are one byte
};

static size_t count_of(const hy_sim_input *input, const list_kind *kind)
{
    size_t count;
    memcpy(&count, (const char *)input + kind->count_at, sizeof count);
    return count;
}

static void write_list(hy_transfer_cursor *c, const hy_sim_input *input, const list_kind *kind)
{
    union {
        hy_sim_datagram datagram;
        hy_sim_command command;
        hy_sim_placement placement;
        hy_sim_board_change change;
    } entry; // a copy: the input is constant, and the functions above also read
    const char *items;
    memcpy(&items, (const char *)input + kind->items_at, sizeof items);
    const size_t count = count_of(input, kind);
    assert(count <= HY_SIM_LIST_MAX && kind->entry_size <= sizeof entry);
    (void)hy_transfer_number(c, count, 1);
    for (size_t i = 0; i < count && !c->failed; i++) {
        memcpy(&entry, items + i * kind->entry_size, kind->entry_size);
        kind->transfer(c, &entry);
    }
}

static void read_list(hy_transfer_cursor *c, hy_sim_input *input, const list_kind *kind,
                      hy_sim_lists *lists)
{
    char *const items = (char *)lists + kind->room_at;
    const size_t count = hy_transfer_small(c, 0, HY_SIM_LIST_MAX);
    c->failed = c->failed || count == 0; // a list without entries has no bit
    memset(items, 0, count * kind->entry_size);
    for (size_t i = 0; i < count && !c->failed; i++) {
        kind->transfer(c, items + i * kind->entry_size);
    }
    memcpy((char *)input + kind->items_at, &items, sizeof items);
    memcpy((char *)input + kind->count_at, &count, sizeof count);
}

// --------------------------------------------------------------------------- the input

static unsigned bits_of_lists(const hy_sim_input *input)
{
    unsigned bits = 0;
    for (size_t i = 0; i < LISTS; i++) {
        bits |= count_of(input, &lists_of_input[i]) > 0 ? 1U << i : 0;
    }
    return bits;
}

/// Version and bits of the lists, with the steps between them. An input has the oldest version that can hold it, so that it
/// has one byte form. Returns the bits.
static unsigned hy_transfer_head(hy_transfer_cursor *c, unsigned bits, unsigned *world_steps)
{
    const bool is_old = bits >> LISTS_BEFORE_3 == 0;
    const uint64_t version = hy_transfer_number(c, is_old ? 2 : HY_SIM_INPUT_VERSION, 2);
    *world_steps = hy_transfer_small(c, *world_steps, 1);
    const uint64_t is = hy_transfer_number(c, bits, version == 2 ? 1 : 2);
    const bool is_newer = is >> LISTS_BEFORE_3 != 0;
    c->failed =
        c->failed || is >> LISTS != 0 || version != (is_newer ? (uint64_t)HY_SIM_INPUT_VERSION : 2);
    return (unsigned)is;
}

size_t hy_sim_input_write(const hy_sim_input *input, hy_room room)
{
    assert(input->world_steps <= 1);
    hy_transfer_cursor c = { .to = room.data, .size = room.size };
    const unsigned bits = bits_of_lists(input);
    unsigned world_steps = input->world_steps;
    (void)hy_transfer_head(&c, bits, &world_steps);
    (void)hy_transfer_number(&c, (uint64_t)input->now_us, 8);
    for (size_t i = 0; i < LISTS && !c.failed; i++) {
        if ((bits >> i & 1) != 0) {
            write_list(&c, input, &lists_of_input[i]);
        }
    }
    return c.failed ? 0 : c.at;
}

hy_status hy_sim_input_read(hy_bytes bytes, hy_sim_lists *lists, hy_sim_input *input, size_t *size)
{
    hy_transfer_cursor c = { .reads = true, .from = bytes.data, .size = bytes.size };
    hy_sim_input out = { 0 };
    const unsigned bits = hy_transfer_head(&c, 0, &out.world_steps);
    hy_transfer_i64(&c, &out.now_us);
    c.failed = c.failed || out.now_us < 0 || out.now_us > HY_SIM_TIME_MAX_US;
    for (size_t i = 0; i < LISTS && !c.failed; i++) {
        if ((bits >> i & 1) != 0) {
            read_list(&c, &out, &lists_of_input[i], lists);
        }
    }
    if (c.failed) {
        return HY_EFORMAT;
    }
    *input = out;
    *size = c.at;
    return HY_OK;
}
