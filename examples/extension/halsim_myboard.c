// A WPILib extension for a board of your own: copy this file and change what is yours. This board has
// two motors, an LED and two encoders, and blocks with tags of its own.
//
// Robot code makes SimDevices "MyMotor:left" and "MyMotor:right" with an output "speed", Encoder(2, 3)
// and Encoder(4, 5), and DigitalOutput(0). Start it with
//   HALSIM_EXTENSIONS=/path/to/libhalsim_myboard.so HALSIMMYBOARD_HOST=my-board.local
#include <halyard/halsim.h>

// --------------------------------------------------------------------------- the bytes

enum { MOTORS = 2, DIOS = 1, ENCODERS = 2 };

static size_t encode_command(const hy_wire_command *command, hy_room room);
static hy_wire_report decode_status(hy_bytes datagram, hy_wire_status *out);

static const hy_dialect my_dialect = {
    .name = "myboard",
    .tag = { [HY_WIRE_MOTOR] = 0x41, [HY_WIRE_DIO] = 0x42, [HY_WIRE_ENCODER] = 0x43 },
    .motors = MOTORS,
    .dios = DIOS,
    .encoders = ENCODERS,
    .command_encode = encode_command,
    .status_decode = decode_status,
};

// A board with blocks of its own kind writes them here with hy_block_write().
static size_t encode_command(const hy_wire_command *command, hy_room room)
{
    hy_block_writer writer = hy_block_write_begin(room, command->seq, command->control);
    for (unsigned n = 0; n < MOTORS; n++) {
        const hy_wire_value motor = { .kind = HY_WIRE_MOTOR,
                                      .id = (uint8_t)n,
                                      .value = command->motor[n] };
        hy_block_write_value(&writer, &my_dialect, &motor);
    }
    for (unsigned n = 0; n < DIOS; n++) {
        if ((command->dios >> n & 1) != 0) {
            const hy_wire_value dio = { .kind = HY_WIRE_DIO,
                                        .id = (uint8_t)n,
                                        .level = (uint8_t)(command->dio_levels >> n & 1) };
            hy_block_write_value(&writer, &my_dialect, &dio);
        }
    }
    return writer.full ? 0 : writer.size;
}

static void take(const hy_wire_value *value, hy_wire_status *out)
{
    if (value->kind == HY_WIRE_ENCODER && value->id < ENCODERS) {
        out->encoders = (uint8_t)(out->encoders | 1U << value->id);
        out->encoder[value->id] = (hy_wire_encoder){ .count = value->count,
                                                     .period_num = value->period_num,
                                                     .period_den = value->period_den,
                                                     .has_period = value->has_period };
    }
}

static hy_wire_report decode_status(hy_bytes datagram, hy_wire_status *out)
{
    *out = (hy_wire_status){ .seq = 0 };
    if (datagram.size < HY_WIRE_HEADER_SIZE) {
        return (hy_wire_report){ .error = HY_WIRE_NO_HEADER };
    }
    out->seq = (uint16_t)(datagram.data[0] << 8 | datagram.data[1]);
    hy_block_iter iter = hy_block_begin(datagram);
    for (hy_block block; hy_block_next(&iter, &block);) {
        const hy_wire_value value = hy_block_value(&my_dialect, &block);
        take(&value, out);
    }
    return (hy_wire_report){ .error = iter.malformed ? HY_WIRE_CUT_BLOCK : HY_WIRE_WELL_FORMED,
                             .error_at = iter.error_at };
}

// --------------------------------------------------------------------------- the board

static const hy_halsim_output outputs[] = {
    { "MyMotor:left", HY_WIRE_MOTOR, 0 },
    { "MyMotor:right", HY_WIRE_MOTOR, 1 },
};

static const hy_halsim_board my_board = {
    .name = "halsim_myboard",
    .host_variable = "HALSIMMYBOARD_HOST",
    .port_variable = "HALSIMMYBOARD_PORT",
    .dialect = &my_dialect,
    .outputs = outputs,
    .output_count = sizeof outputs / sizeof outputs[0],
    .encoder_first_dio = 2,
};

HY_HALSIM_EXPORT int HALSIM_InitExtension(void);

int HALSIM_InitExtension(void)
{
    return hy_halsim_load(&my_board);
}
