#include "blocks.h"

hy_wire_kind hy_dialect_kind(const hy_dialect *dialect, uint8_t tag)
{
    for (unsigned kind = HY_WIRE_UNKNOWN + 1; tag != 0 && kind < HY_WIRE_KINDS; kind++) {
        if (dialect->tag[kind] == tag) {
            return (hy_wire_kind)kind;
        }
    }
    return HY_WIRE_UNKNOWN;
}

static size_t payload_min(hy_wire_kind kind)
{
    switch (kind) {
    case HY_WIRE_MOTOR:
    case HY_WIRE_SERVO:
    case HY_WIRE_ANALOG: return PAYLOAD_CHANNEL_F32;
    case HY_WIRE_DIO: return PAYLOAD_DIO;
    case HY_WIRE_GYRO: return PAYLOAD_GYRO;
    case HY_WIRE_ACCEL: return PAYLOAD_ACCEL;
    case HY_WIRE_ENCODER: return PAYLOAD_ENCODER_SHORT;
    case HY_WIRE_UNKNOWN:
    case HY_WIRE_KINDS: break;
    }
    return 0;
}

// Each value is made where the caller wants it. One that is filled in steps is made on the stack and copied by 16 bytes at a
// time, for which the processor waits until the smaller writes have gone: 80 cycles of 20.
hy_wire_value hy_block_value(const hy_dialect *dialect, const hy_block *block)
{
    const hy_wire_kind kind = hy_dialect_kind(dialect, block->tag);
    const uint8_t *const p = block->payload.data;
    if (block->payload.size < payload_min(kind)) {
        return (hy_wire_value){ .kind = HY_WIRE_UNKNOWN };
    }
    switch (kind) {
    case HY_WIRE_MOTOR:
    case HY_WIRE_SERVO:
    case HY_WIRE_ANALOG:
        return (hy_wire_value){ .kind = kind, .id = p[0], .value = get_f32(p + 1) };
    case HY_WIRE_DIO: return (hy_wire_value){ .kind = kind, .id = p[0], .level = p[1] };
    case HY_WIRE_GYRO:
        return (hy_wire_value){
            .kind = kind,
            .rate_dps = { get_f32(p), get_f32(p + 4), get_f32(p + 8) },
            .angle_deg = { get_f32(p + 12), get_f32(p + 16), get_f32(p + 20) },
        };
    case HY_WIRE_ACCEL:
        return (hy_wire_value){ .kind = kind,
                                .accel_g = { get_f32(p), get_f32(p + 4), get_f32(p + 8) } };
    case HY_WIRE_ENCODER: {
        hy_wire_encoder encoder;
        get_encoder(block->payload, &encoder);
        return (hy_wire_value){ .kind = kind,
                                .id = p[0],
                                .count = encoder.count,
                                .period_num = encoder.period_num,
                                .period_den = encoder.period_den,
                                .has_period = encoder.has_period };
    }
    case HY_WIRE_UNKNOWN:
    case HY_WIRE_KINDS: break;
    }
    return (hy_wire_value){ .kind = kind };
}

bool hy_block_write_value(hy_block_writer *writer, const hy_dialect *dialect,
                          const hy_wire_value *value)
{
    const uint8_t tag = value->kind < HY_WIRE_KINDS ? dialect->tag[value->kind] : 0;
    if (tag == 0) {
        return false;
    }
    switch (value->kind) {
    case HY_WIRE_MOTOR:
    case HY_WIRE_SERVO:
    case HY_WIRE_ANALOG: put_channel_f32(writer, tag, value->id, bits_of_f32(value->value)); break;
    case HY_WIRE_DIO: put_dio(writer, tag, value->id, value->level); break;
    case HY_WIRE_GYRO: put_gyro(writer, tag, value->rate_dps, value->angle_deg); break;
    case HY_WIRE_ACCEL: put_accel(writer, tag, value->accel_g); break;
    case HY_WIRE_ENCODER:
        put_encoder(writer, tag, value->id,
                    &(hy_wire_encoder){ .count = value->count,
                                        .period_num = value->period_num,
                                        .period_den = value->period_den,
                                        .has_period = value->has_period });
        break;
    case HY_WIRE_UNKNOWN:
    case HY_WIRE_KINDS: break;
    }
    return !writer->full;
}
