// Reading and writing what passes between programs: packets, JSON, the page's messages, WPILib's simulated HAL.
#include <halyard/icd.h>
#include <halyard/wire.h>

#include <string.h>

#include "../src/halsim/state.h"
#include "cost.h"
#include "scene/scene.h"

#define MANY   1000
#define SWEEP  800
#define PIECES 20

// --------------------------------------------------------------------------- packets

static struct {
    const hy_dialect *dialect;
    hy_wire_command command;
    hy_wire_status status;
    uint8_t command_bytes[HY_WIRE_COMMAND_MAX], status_bytes[HY_WIRE_STATUS_MAX];
    size_t command_size, status_size;
} wire;

static void write_command(unsigned count)
{
    const hy_room room = { wire.command_bytes, sizeof wire.command_bytes };
    for (unsigned i = 0; i < count; i++) {
        wire.command.seq = (uint16_t)i;
        wire.command_size = wire.dialect->command_encode(&wire.command, room);
    }
}

static void write_status(unsigned count)
{
    const hy_room room = { wire.status_bytes, sizeof wire.status_bytes };
    for (unsigned i = 0; i < count; i++) {
        wire.status.seq = (uint16_t)i;
        wire.status_size = wire.dialect->status_encode(&wire.status, room);
    }
}

static void read_command(unsigned count)
{
    const hy_bytes bytes = { wire.command_bytes, wire.command_size };
    for (unsigned i = 0; i < count; i++) {
        if (wire.dialect->command_decode(bytes, &wire.command).error != HY_WIRE_WELL_FORMED) {
            cost_fail("a command was not understood");
        }
    }
}

static void read_status(unsigned count)
{
    const hy_bytes bytes = { wire.status_bytes, wire.status_size };
    for (unsigned i = 0; i < count; i++) {
        if (wire.dialect->status_decode(bytes, &wire.status).error != HY_WIRE_WELL_FORMED) {
            cost_fail("a status was not understood");
        }
    }
}

/// A packet with everything that a robot of the dialect has; of an XRP what the stock firmware sends.
static void prepare_wire(void *about)
{
    wire.dialect = about;
    const hy_dialect *const d = wire.dialect;
    wire.command = (hy_wire_command){ .control = HY_WIRE_CONTROL_ENABLED,
                                      .motors = (uint8_t)((1U << d->motors) - 1),
                                      .servos = (uint8_t)(d->servos > 2 ? 3U : (1U << d->servos) - 1),
                                      .servo = { 0.25F, 0.75F } };
    wire.status =
        (hy_wire_status){ .encoders = (uint8_t)((1U << d->encoders) - 1),
                          .analogs = (uint8_t)((1U << (d->analogs > 3 ? 3 : d->analogs)) - 1),
                          .has_gyro = true,
                          .has_accel = true,
                          .dios = 1,
                          .gyro_angle_deg = { 0, 0, 180 },
                          .accel_g = { 0, 0, 1 },
                          .analog_v = { 1.25F, 3.75F, 0.5F } };
    for (int i = 0; i < HY_WIRE_MOTORS; i++) {
        wire.command.motor[i] = (float)i / 8 - 0.5F;
    }
    for (int i = 0; i < HY_WIRE_ENCODERS; i++) {
        wire.status.encoder[i] = (hy_wire_encoder){ 1000 * i, 33381, 9375000, true };
    }
    write_command(1);
    write_status(1);
}

// --------------------------------------------------------------------------- JSON

static struct {
    hy_icd_match match;
    hy_icd_lidar_point points[2][SWEEP];
    uint8_t text[8][HY_ICD_MESSAGE_MAX];
    size_t size[8], messages;
    hy_icd_reader *reader;
    hy_icd_sticks sticks;
    hy_icd_commands commands;
    uint8_t small[2][512];
    size_t small_size[2];
} icd;

static void write_match(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        size_t from = 0;
        icd.messages = 0;
        do {
            const hy_room room = { icd.text[icd.messages], HY_ICD_MESSAGE_MAX };
            icd.size[icd.messages++] = hy_icd_write_match(&icd.match, HY_ICD_DOCUMENT, &from, room);
        } while (from < hy_icd_match_points(&icd.match));
    }
}

static void read_match(unsigned count)
{
    static hy_icd_match match;
    for (unsigned i = 0; i < count; i++) {
        for (size_t m = 0; m < icd.messages; m++) {
            if (hy_icd_read_match(icd.reader, (hy_bytes){ icd.text[m], icd.size[m] }, &match) !=
                HY_OK) {
                cost_fail("a match was not understood");
            }
        }
    }
}

static void write_small(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        icd.sticks.left_y = (int)i % 512;
        icd.commands.left_drive = (int)i % 512;
        icd.small_size[0] =
            hy_icd_write_sticks(&icd.sticks, (hy_room){ icd.small[0], sizeof icd.small[0] });
        icd.small_size[1] =
            hy_icd_write_commands(&icd.commands, (hy_room){ icd.small[1], sizeof icd.small[1] });
    }
}

static void read_small(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const hy_bytes sticks = { icd.small[0], icd.small_size[0] };
        const hy_bytes commands = { icd.small[1], icd.small_size[1] };
        if (hy_icd_read_sticks(icd.reader, sticks, &icd.sticks) != HY_OK ||
            hy_icd_read_commands(icd.reader, commands, &icd.commands) != HY_OK) {
            cost_fail("sticks or commands were not understood");
        }
    }
}

/// Six vehicles, twenty pieces and two whole lidar sweeps.
static void prepare_icd(void *about)
{
    (void)about;
    hy_random random = hy_random_seeded(1);
    hy_icd_match *const m = &icd.match;
    *m = (hy_icd_match){ .timer_s = 101.32, .vehicle_count = 6, .piece_count = PIECES };
    for (size_t i = 0; i < 6; i++) {
        memcpy(m->vehicle[i].team, "3260", 5);
        m->vehicle[i].x_m = 8 * hy_random_unit(&random) - 4;
        m->vehicle[i].theta_rad = 8 * hy_random_unit(&random) - 4;
        m->vehicle[i].left_drive_rad_s = 80 * hy_random_unit(&random);
    }
    for (size_t i = 0; i < PIECES; i++) {
        m->piece[i].x_m = 8 * hy_random_unit(&random) - 4;
        m->piece[i].y_m = 16 * hy_random_unit(&random) - 8;
    }
    for (size_t i = 0; i < 2 * SWEEP; i++) {
        icd.points[i / SWEEP][i % SWEEP] =
            (hy_icd_lidar_point){ (double)(i % SWEEP) * 2 * HY_PI / SWEEP, 0,
                                  0.75 + 11 * hy_random_unit(&random) };
    }
    m->vehicle[0].lidar = (hy_icd_lidar){ icd.points[0], SWEEP };
    m->vehicle[1].lidar = (hy_icd_lidar){ icd.points[1], SWEEP };
    if (icd.reader == NULL && (icd.reader = hy_icd_reader_open()) == NULL) {
        cost_fail("no memory");
    }
    write_match(1);
    write_small(1);
}

// --------------------------------------------------------------------------- the page

static const hy_point corners[] = { { -4.1, 7.3 }, { 4.1, 7.3 }, { 4.1, -7.3 }, { -4.1, -7.3 } };
static const hy_scene_wall walls[] = { { 0.5, { corners, 4 } },
                                       { 0.5, { corners, 2 } },
                                       { 0.3, { corners, 4 } },
                                       { 0.3, { corners, 3 } } };
static const hy_scene_goal goals[] = { { HY_ALLIANCE_RED, { corners, 4 } },
                                       { HY_ALLIANCE_BLUE, { corners, 4 } } };
static const hy_scene_part parts[] = { { "body", 0.05, 0.3, { corners, 4 } },
                                       { "bumper", 0.1, 0.2, { corners, 4 } },
                                       { "tube", 0.1, 0.6, { corners, 4 } } };
static const hy_scene_wheel wheels[] = { { 0, 0.28, 0.0762, 0.03 }, { 0, -0.28, 0.0762, 0.03 } };

static struct {
    hy_scene_robot robot_scenes[6];
    hy_scene_robot_state robots[6];
    hy_icd_piece pieces[PIECES];
    uint8_t text[1 << 16];
} view;

static void write_scene(unsigned count)
{
    const hy_scene scene = { .is_match = true,
                             .title = "field 2020",
                             .floor_m = { -4.2, -9, 4.2, 9 },
                             .walls = walls,
                             .wall_count = 4,
                             .goals = goals,
                             .goal_count = 2,
                             .piece_radius_m = 0.0889,
                             .robots = view.robot_scenes,
                             .robot_count = 6 };
    for (unsigned i = 0; i < count; i++) {
        hy_text text = hy_text_in((hy_room){ view.text, sizeof view.text });
        hy_scene_write(&text, &scene);
        if (text.is_full) {
            cost_fail("a scene did not fit");
        }
    }
}

static void write_state(unsigned count)
{
    const hy_scene_state state = { .is_match = true,
                                   .timer_s = 134.99,
                                   .robots = view.robots,
                                   .robot_count = 6,
                                   .pieces = view.pieces,
                                   .piece_count = PIECES };
    for (unsigned i = 0; i < count; i++) {
        hy_text text = hy_text_in((hy_room){ view.text, sizeof view.text });
        hy_scene_write_state(&text, &state);
        if (text.is_full) {
            cost_fail("a state did not fit");
        }
    }
}

static void prepare_view(void *about)
{
    prepare_icd(about);
    for (size_t i = 0; i < 6; i++) {
        view.robot_scenes[i] = (hy_scene_robot){ .kind = "tank",
                                                 .name = "3260",
                                                 .alliance = "Blue",
                                                 .player = (unsigned)i + 1,
                                                 .parts = parts,
                                                 .part_count = 3,
                                                 .wheels = wheels,
                                                 .wheel_count = 2 };
        view.robots[i] = (hy_scene_robot_state){ .x_m = icd.match.vehicle[i].x_m,
                                                 .heading_rad = icd.match.vehicle[i].theta_rad,
                                                 .is_tank = true,
                                                 .drive_rad_s = { 87.2151, -3 } };
        view.robots[i].lidar = (hy_icd_lidar){ icd.points[0], i < 2 ? 133 : 0 };
    }
    memcpy(view.pieces, icd.match.piece, sizeof view.pieces);
}

// --------------------------------------------------------------------------- WPILib's HAL

static struct {
    hy_halsim extension;
    double sum;
} hal;

static void take_count(int32_t index, int32_t count)
{
    hal.sum += index + count;
}

static void take_number(int32_t index, double value)
{
    hal.sum += index + value;
}

static void take_value(hal_handle handle, const hal_value *value)
{
    hal.sum += handle + value->data.as_double;
}

/// A HAL that only takes what it is given: what is left is the extension's.
static void prepare_halsim(void *about)
{
    static const hy_halsim_board board = { .name = "bench_cost", .dialect = &hy_dialect_xrp };
    prepare_wire(about);
    hy_halsim *const self = &hal.extension;
    memset(self, 0, sizeof *self);
    self->board = &board;
    hy_os_lock_init(&self->lock);
    self->dios = 16;
    self->analogs = 8;
    self->hal = (hal_functions){ .HALSIM_SetEncoderCount = take_count,
                                 .HALSIM_SetEncoderPeriod = take_number,
                                 .HALSIM_SetDIOValue = take_count,
                                 .HALSIM_SetAnalogInVoltage = take_number,
                                 .HALSIM_SetAccelerometerX = take_number,
                                 .HALSIM_SetAccelerometerY = take_number,
                                 .HALSIM_SetAccelerometerZ = take_number,
                                 .HAL_SetSimValue = take_value };
    for (size_t i = 0; i < HAL_FEATURES; i++) {
        self->hal.has[i] = true;
    }
    hy_halsim_init_outputs(self);
    hy_halsim_init_inputs(self);
    for (int i = 0; i < HY_HALSIM_GYRO_VALUES; i++) {
        self->inputs.gyro[i] = i + 1;
    }
    self->inputs.encoder[0].slot = 0;
    self->inputs.encoder[1].slot = 1;
    hy_peer_init(&self->peer, &hy_dialect_xrp, 2000000);
}

static void apply_status(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        hy_halsim_apply(&hal.extension, &wire.status, false);
    }
}

static void collect_command(unsigned count)
{
    hy_halsim *const self = &hal.extension;
    hy_wire_datagram out[2];
    for (unsigned i = 0; i < count; i++) {
        hy_halsim_command(self);
        hy_commander_write(&self->peer.commander, (int64_t)i * 20000, out);
    }
}

// --------------------------------------------------------------------------- the list

#define XRP    (void *)&hy_dialect_xrp
#define TEENSY (void *)&hy_dialect_teensy

const cost_operation cost_messages[] = {
    { "wire: encode a command, xrp", MANY, prepare_wire, write_command, XRP },
    { "wire: encode a status, xrp", MANY, prepare_wire, write_status, XRP },
    { "wire: decode a command, xrp", MANY, prepare_wire, read_command, XRP },
    { "wire: decode a status, xrp", MANY, prepare_wire, read_status, XRP },
    { "wire: encode a command, teensy", MANY, prepare_wire, write_command, TEENSY },
    { "wire: encode a status, teensy", MANY, prepare_wire, write_status, TEENSY },
    { "wire: decode a command, teensy", MANY, prepare_wire, read_command, TEENSY },
    { "wire: decode a status, teensy", MANY, prepare_wire, read_status, TEENSY },
    { "icd: write a match, 1600 lidar points", 20, prepare_icd, write_match, NULL },
    { "icd: read a match, 1600 lidar points", 20, prepare_icd, read_match, NULL },
    { "icd: write sticks and commands", MANY, prepare_icd, write_small, NULL },
    { "icd: read sticks and commands", MANY, prepare_icd, read_small, NULL },
    { "view: write a scene", 100, prepare_view, write_scene, NULL },
    { "view: write a state", 100, prepare_view, write_state, NULL },
    { "halsim: put a status into the HAL", MANY, prepare_halsim, apply_status, XRP },
    { "halsim: a command from the HAL", MANY, prepare_halsim, collect_command, XRP },
};
const size_t cost_message_count = sizeof cost_messages / sizeof cost_messages[0];
