// How much the codec costs over code that knows its packet beforehand: the same bytes written and
// checked in a straight line by hand, with the same limits on values and the same fields set, none
// left as it was. Rounds alternate, so that both see the same machine.
#include <halyard/wire.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS       201
#define CALLS        20000
#define COMMAND_SIZE 45
#define STATUS_SIZE  128

// --------------------------------------------------------------------------- floors

static void floor_put_u32(uint8_t *p, uint32_t value)
{
    const uint32_t swapped =
        value >> 24 | (value >> 8 & 0xFF00) | (value << 8 & 0xFF0000) | value << 24;
    memcpy(p, &swapped, sizeof swapped);
}

static uint32_t floor_get_u32(const uint8_t *p)
{
    uint32_t value;
    memcpy(&value, p, sizeof value);
    return value >> 24 | (value >> 8 & 0xFF00) | (value << 8 & 0xFF0000) | value << 24;
}

static void floor_put_f32(uint8_t *p, uint8_t tag, uint8_t id, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    p[0] = 6;
    p[1] = tag;
    p[2] = id;
    floor_put_u32(p + 3, bits);
}

static float floor_limit(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value == value ? value : 0.0F;
}

/// Four motors and two servos, limited to their ranges as the codec limits them.
__attribute__((noinline)) static size_t floor_encode(const hy_wire_command *command, hy_room room)
{
    uint8_t *const p = room.data;
    if (room.size < COMMAND_SIZE) {
        return 0;
    }
    p[0] = (uint8_t)(command->seq >> 8);
    p[1] = (uint8_t)command->seq;
    p[2] = command->control;
    floor_put_f32(p + 3, 0x12, 0, floor_limit(command->motor[0], -1, 1));
    floor_put_f32(p + 10, 0x12, 1, floor_limit(command->motor[1], -1, 1));
    floor_put_f32(p + 17, 0x12, 2, floor_limit(command->motor[2], -1, 1));
    floor_put_f32(p + 24, 0x12, 3, floor_limit(command->motor[3], -1, 1));
    floor_put_f32(p + 31, 0x13, 4, floor_limit(command->servo[0], 0, 1));
    floor_put_f32(p + 38, 0x13, 5, floor_limit(command->servo[1], 0, 1));
    return COMMAND_SIZE;
}

static bool floor_is(const uint8_t *p, uint8_t size, uint8_t tag)
{
    return p[0] == size && p[1] == tag;
}

static float floor_get_f32(const uint8_t *p)
{
    const uint32_t bits = floor_get_u32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool floor_encoder(const uint8_t *p, uint8_t id, hy_wire_encoder *out)
{
    *out = (hy_wire_encoder){ (int32_t)floor_get_u32(p + 3), floor_get_u32(p + 7),
                              floor_get_u32(p + 11), true };
    return floor_is(p, 14, 0x18) && p[2] == id;
}

static bool floor_analog(const uint8_t *p, uint8_t id, float *out)
{
    *out = floor_get_f32(p + 3);
    return floor_is(p, 6, 0x15) && p[2] == id;
}

/// The stock firmware's status and nothing else: every size, tag and channel checked.
__attribute__((noinline)) static bool floor_decode(hy_bytes datagram, hy_wire_status *out)
{
    const uint8_t *const p = datagram.data;
    if (datagram.size != STATUS_SIZE) {
        return false;
    }
    out->seq = (uint16_t)(p[0] << 8 | p[1]);
    out->control = p[2];
    out->encoders = 0x0F;
    out->analogs = 0x07;
    out->has_gyro = true;
    out->has_accel = true;
    out->dios = 1;
    out->dio_levels = p[66] == 1;
    bool ok = floor_encoder(p + 3, 0, &out->encoder[0]);
    ok &= floor_encoder(p + 18, 1, &out->encoder[1]);
    ok &= floor_encoder(p + 33, 2, &out->encoder[2]);
    ok &= floor_encoder(p + 48, 3, &out->encoder[3]);
    memset(&out->encoder[4], 0, 4 * sizeof out->encoder[0]);
    ok &= floor_is(p + 63, 3, 0x14) && p[65] == 0;
    ok &= floor_is(p + 67, 25, 0x16);
    for (unsigned i = 0; i < 3; i++) {
        out->gyro_rate_dps[i] = floor_get_f32(p + 69 + 4 * i);
        out->gyro_angle_deg[i] = floor_get_f32(p + 81 + 4 * i);
        out->accel_g[i] = floor_get_f32(p + 95 + 4 * i);
    }
    ok &= floor_is(p + 93, 13, 0x17);
    ok &= floor_analog(p + 107, 0, &out->analog_v[0]);
    ok &= floor_analog(p + 114, 1, &out->analog_v[1]);
    ok &= floor_analog(p + 121, 2, &out->analog_v[2]);
    memset(&out->analog_v[3], 0, 5 * sizeof out->analog_v[0]);
    return ok;
}

// --------------------------------------------------------------------------- measuring

typedef struct {
    hy_wire_command command;
    hy_wire_status status;
    uint8_t command_bytes[HY_WIRE_COMMAND_MAX];
    uint8_t status_bytes[STATUS_SIZE];
    uint64_t sum; // of results, printed: nothing may be left out
} stage;

static void run_encode(stage *s)
{
    for (unsigned i = 0; i < CALLS; i++) {
        s->command.seq = (uint16_t)i;
        s->sum += hy_xrp_command_encode(&s->command,
                                        (hy_room){ s->command_bytes, sizeof s->command_bytes });
        s->sum += s->command_bytes[1];
    }
}

static void run_encode_floor(stage *s)
{
    for (unsigned i = 0; i < CALLS; i++) {
        s->command.seq = (uint16_t)i;
        s->sum += floor_encode(&s->command, (hy_room){ s->command_bytes, sizeof s->command_bytes });
        s->sum += s->command_bytes[1];
    }
}

static void run_decode(stage *s)
{
    for (unsigned i = 0; i < CALLS; i++) {
        s->status_bytes[1] = (uint8_t)i;
        const hy_wire_report report =
            hy_xrp_status_decode((hy_bytes){ s->status_bytes, STATUS_SIZE }, &s->status);
        s->sum += report.error == HY_WIRE_WELL_FORMED;
        s->sum += s->status.seq;
    }
}

static void run_decode_floor(stage *s)
{
    for (unsigned i = 0; i < CALLS; i++) {
        s->status_bytes[1] = (uint8_t)i;
        s->sum += floor_decode((hy_bytes){ s->status_bytes, STATUS_SIZE }, &s->status);
        s->sum += s->status.seq;
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double ns_per_call(void (*run)(stage *), stage *s)
{
    const double began = seconds();
    run(s);
    return (seconds() - began) * 1e9 / CALLS;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof values[0], compare);
    return values[ROUNDS / 2];
}

static void measure(const char *what, void (*run)(stage *), void (*run_floor)(stage *), stage *s)
{
    static double ns[ROUNDS], floor_ns[ROUNDS], ratio[ROUNDS];
    for (unsigned i = 0; i < ROUNDS; i++) {
        ns[i] = ns_per_call(run, s);
        floor_ns[i] = ns_per_call(run_floor, s);
        ratio[i] = ns[i] / floor_ns[i];
    }
    printf("%-28s %6.1f ns, by hand %6.1f ns, ratio %.2f (goal: at most 1.1)\n", what, median(ns),
           median(floor_ns), median(ratio));
}

/// A floor that did less than the codec would be no floor.
static bool floors_do_the_same(const stage *s)
{
    uint8_t bytes[2][HY_WIRE_COMMAND_MAX] = { { 0 } };
    hy_wire_status decoded[2];
    memset(decoded, 0xA5, sizeof decoded);
    const size_t size = hy_xrp_command_encode(&s->command, (hy_room){ bytes[0], sizeof bytes[0] });
    const bool same_command =
        floor_encode(&s->command, (hy_room){ bytes[1], sizeof bytes[1] }) == size &&
        memcmp(bytes[0], bytes[1], size) == 0;
    const hy_bytes packet = { s->status_bytes, STATUS_SIZE };
    const hy_wire_report report = hy_xrp_status_decode(packet, &decoded[0]);
    const bool decodes = floor_decode(packet, &decoded[1]) && report.error == HY_WIRE_WELL_FORMED;
    uint8_t again[2][STATUS_SIZE];
    for (int i = 0; i < 2; i++) {
        hy_xrp_status_encode(&decoded[i], (hy_room){ again[i], STATUS_SIZE });
    }
    return same_command && decodes && decoded[1].encoder[7].count == 0 &&
           decoded[1].analog_v[7] == 0 && memcmp(again[0], again[1], STATUS_SIZE) == 0;
}

static void fill(stage *s)
{
    s->command = (hy_wire_command){ .control = 1,
                                    .motors = 0x0F,
                                    .servos = 0x03,
                                    .motor = { 0.5F, -0.5F, 0.25F, -1.0F },
                                    .servo = { 0.25F, 0.75F } };
    hy_wire_status status = { .encoders = 0x0F,
                              .analogs = 0x07,
                              .has_gyro = true,
                              .has_accel = true,
                              .dios = 1,
                              .gyro_angle_deg = { 0, 0, 180.0F },
                              .accel_g = { 0, 0, 1.0F },
                              .analog_v = { 1.25F, 3.75F, 0.5F } };
    for (int i = 0; i < 4; i++) {
        status.encoder[i] = (hy_wire_encoder){ 1000 * i, 33381, 9375000, true };
    }
    if (hy_xrp_status_encode(&status, (hy_room){ s->status_bytes, STATUS_SIZE }) != STATUS_SIZE) {
        abort();
    }
}

int main(void)
{
    static stage s;
    fill(&s);
    if (!floors_do_the_same(&s)) {
        fprintf(stderr, "the floors differ from the codec: there is nothing to compare\n");
        return 1;
    }
    measure("encode a 45-byte command", run_encode, run_encode_floor, &s);
    measure("decode a 128-byte status", run_decode, run_decode_floor, &s);
    printf("(check sum %llu)\n", (unsigned long long)s.sum);
    return 0;
}
