#include "packet_print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/text_plain.h"

#define NUMBER_TEXT_MAX 32

static const char *const kind_names[HY_WIRE_KINDS] = {
    [HY_WIRE_UNKNOWN] = "unknown", [HY_WIRE_MOTOR] = "motor",     [HY_WIRE_SERVO] = "servo",
    [HY_WIRE_DIO] = "dio",         [HY_WIRE_ANALOG] = "analog",   [HY_WIRE_GYRO] = "gyro",
    [HY_WIRE_ACCEL] = "accel",     [HY_WIRE_ENCODER] = "encoder",
};

// The size byte of a block counts the tag and the payload.
static unsigned size_byte(const hy_block *block)
{
    return (unsigned)block->payload.size + 1;
}

static hy_wire_command header_of(hy_bytes packet)
{
    hy_wire_command header = { 0 };
    header.seq = (uint16_t)(packet.data[0] << 8 | packet.data[1]);
    header.control = packet.data[2];
    return header;
}

// --------------------------------------------------------------------------- JSON

// Digits that read back to the same float, few where few do; 9 always do.
static const char *float_text(float value, char text[NUMBER_TEXT_MAX])
{
    if (!isfinite(value)) {
        return "null";
    }
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, NUMBER_TEXT_MAX, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value) {
            break;
        }
    }
    return text;
}

static void json_floats(FILE *out, const char *key, const float values[3])
{
    char text[3][NUMBER_TEXT_MAX];
    hy_print(out, ",\"%s\":[%s,%s,%s]", key, float_text(values[0], text[0]),
             float_text(values[1], text[1]), float_text(values[2], text[2]));
}

static void json_block(FILE *out, const hy_dialect *dialect, const hy_block *block)
{
    const hy_wire_value value = hy_block_value(dialect, block);
    char text[NUMBER_TEXT_MAX];
    hy_print(out, "{\"at\":%zu,\"kind\":\"%s\"", block->at, kind_names[value.kind]);
    switch (value.kind) {
    case HY_WIRE_MOTOR:
    case HY_WIRE_SERVO:
    case HY_WIRE_ANALOG:
        hy_print(out, ",\"id\":%u,\"value\":%s", value.id, float_text(value.value, text));
        break;
    case HY_WIRE_DIO: fprintf(out, ",\"id\":%u,\"value\":%u", value.id, value.level); break;
    case HY_WIRE_ENCODER:
        fprintf(out, ",\"id\":%u,\"count\":%" PRId32, value.id, value.count);
        if (value.has_period) {
            fprintf(out, ",\"period_num\":%" PRIu32 ",\"period_den\":%" PRIu32, value.period_num,
                    value.period_den);
        }
        break;
    case HY_WIRE_GYRO:
        json_floats(out, "rate_dps", value.rate_dps);
        json_floats(out, "angle_deg", value.angle_deg);
        break;
    case HY_WIRE_ACCEL: json_floats(out, "accel_g", value.accel_g); break;
    default: fprintf(out, ",\"tag\":%u,\"size\":%u", block->tag, size_byte(block)); break;
    }
    fputc('}', out);
}

static void json_error(FILE *out, size_t at, hy_wire_error error)
{
    hy_print(out, "{\"at\":%zu,\"what\":\"%s\"}", at, hy_wire_error_text(error));
}

void packet_print_json(FILE *out, const hy_dialect *dialect, hy_bytes packet)
{
    if (packet.size < HY_WIRE_HEADER_SIZE) {
        fputs("{\"seq\":null,\"control\":null,\"blocks\":[],\"error\":", out);
        json_error(out, 0, HY_WIRE_NO_HEADER);
        fputs("}\n", out);
        return;
    }
    const hy_wire_command header = header_of(packet);
    fprintf(out, "{\"seq\":%u,\"control\":%u,\"blocks\":[", header.seq, header.control);
    hy_block_iter iter = hy_block_begin(packet);
    hy_block block;
    for (const char *gap = ""; hy_block_next(&iter, &block); gap = ",") {
        fputs(gap, out);
        json_block(out, dialect, &block);
    }
    fputs("],\"error\":", out);
    if (iter.malformed) {
        json_error(out, iter.error_at, HY_WIRE_CUT_BLOCK);
    } else {
        fputs("null", out);
    }
    fputs("}\n", out);
}

// --------------------------------------------------------------------------- text

// The name of a channel, or NULL. `names` may be NULL where the dialect has no such kind.
static const char *channel(const char *const *names, unsigned count, unsigned id)
{
    return names != NULL && id < count ? names[id] : NULL;
}

static const char *name_of(const hy_dialect *d, const hy_wire_value *value)
{
    const unsigned id = value->id;
    // Unsigned: an id below the first servo's is far above the last one's.
    const unsigned servo = id - HY_WIRE_SERVO_FIRST_ID;
    const char *name = NULL;
    switch (value->kind) {
    case HY_WIRE_MOTOR: name = channel(d->motor_names, d->motors, id); break;
    case HY_WIRE_SERVO: name = channel(d->servo_names, d->servos, servo); break;
    case HY_WIRE_DIO: name = channel(d->dio_names, d->dios, id); break;
    case HY_WIRE_ANALOG: name = channel(d->analog_names, d->analogs, id); break;
    case HY_WIRE_ENCODER: name = channel(d->encoder_names, d->encoders, id); break;
    default: break;
    }
    return name != NULL ? name : "";
}

static void text_encoder(FILE *out, const hy_wire_value *value)
{
    hy_print(out, "%11" PRId32 " counts", value->count);
    if (!value->has_period) {
        return;
    }
    const hy_wire_encoder encoder = { value->count, value->period_num, value->period_den, true };
    float rate_counts_s;
    switch (hy_wire_encoder_rate(&encoder, &rate_counts_s)) {
    case HY_ENCODER_MOVING: fprintf(out, "  %+9.1f counts/s", (double)rate_counts_s); break;
    case HY_ENCODER_STILL: fputs("  still", out); break;
    default: fputs("  rate unknown", out); break;
    }
    fprintf(out, "  (period %" PRIu32 "/%" PRIu32 ")", value->period_num, value->period_den);
}

static void text_block(FILE *out, const hy_dialect *dialect, const hy_block *block)
{
    const hy_wire_value value = hy_block_value(dialect, block);
    hy_print(out, "  %4zu  %-8s", block->at, kind_names[value.kind]);
    switch (value.kind) {
    case HY_WIRE_GYRO:
        fprintf(out, "                         rate %.2f %.2f %.2f deg/s  angle %.2f %.2f %.2f deg",
                (double)value.rate_dps[0], (double)value.rate_dps[1], (double)value.rate_dps[2],
                (double)value.angle_deg[0], (double)value.angle_deg[1], (double)value.angle_deg[2]);
        break;
    case HY_WIRE_ACCEL:
        fprintf(out, "                         %.3f %.3f %.3f g", (double)value.accel_g[0],
                (double)value.accel_g[1], (double)value.accel_g[2]);
        break;
    case HY_WIRE_UNKNOWN:
        fprintf(out, "                         tag 0x%02x, size %u: skipped", block->tag,
                size_byte(block));
        break;
    default:
        hy_print(out, " %3u  %-18s ", value.id, name_of(dialect, &value));
        if (value.kind == HY_WIRE_ENCODER) {
            text_encoder(out, &value);
        } else if (value.kind == HY_WIRE_DIO) {
            hy_print(out, "%11u %s", value.level, value.level == 1 ? "high" : "low");
        } else {
            hy_print(out, "%11.4f%s", (double)value.value, value.kind == HY_WIRE_ANALOG ? " V" : "");
        }
        break;
    }
    fputc('\n', out);
}

void packet_print_text(FILE *out, const hy_dialect *dialect, hy_bytes packet, const char *title)
{
    if (packet.size < HY_WIRE_HEADER_SIZE) {
        hy_print(out, "%s  %zu bytes: %s\n", title, packet.size,
                 hy_wire_error_text(HY_WIRE_NO_HEADER));
        return;
    }
    const hy_wire_command header = header_of(packet);
    hy_print(out, "%s  seq %u  control %u  %zu bytes\n", title, header.seq, header.control,
             packet.size);
    hy_block_iter iter = hy_block_begin(packet);
    hy_block block;
    while (hy_block_next(&iter, &block)) {
        text_block(out, dialect, &block);
    }
    if (iter.malformed) {
        hy_print(out, "  %4zu  %s\n", iter.error_at, hy_wire_error_text(HY_WIRE_CUT_BLOCK));
    }
}
