#include "wire_invariants.h"
#include <halyard/wire.h>

#define BLOCKS_MAX  32768
#define OUTPUTS     256
#define SERVO_FIRST 100 // among the outputs: motors stand before

/// The blocks of a datagram, found without the code under test.
typedef struct {
    struct {
        size_t at;
        uint8_t tag;
        const uint8_t *payload;
        size_t size;
    } block[BLOCKS_MAX];
    size_t count, padding, cut_at;
    bool is_cut;
} block_list;

static void list_blocks(hy_bytes d, block_list *out)
{
    out->count = out->padding = out->cut_at = 0;
    out->is_cut = false;
    size_t at = HY_WIRE_HEADER_SIZE;
    while (at < d.size) {
        const size_t body = d.data[at];
        if (body == 0) {
            out->padding++;
            at++;
            continue;
        }
        if (at + 1 + body > d.size) {
            out->is_cut = true;
            out->cut_at = at;
            return;
        }
        out->block[out->count].at = at;
        out->block[out->count].tag = d.data[at + 1];
        out->block[out->count].payload = d.data + at + 2;
        out->block[out->count].size = body - 1;
        out->count++;
        at += 1 + body;
    }
}

static uint32_t u32_at(const uint8_t *p)
{
    return ((uint32_t)p[0] * 256 + p[1]) * 65536 + (uint32_t)p[2] * 256 + p[3];
}

static bool same_float(float a, float b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

static bool is_float_at(const uint8_t *p, float value)
{
    const uint32_t bits = u32_at(p);
    float wanted;
    memcpy(&wanted, &bits, sizeof wanted);
    return same_float(wanted, value);
}

static float float_at(const uint8_t *p)
{
    const uint32_t bits = u32_at(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// --------------------------------------------------------------------------- the iterator and the writer

static const char *check_iterator(hy_bytes d, const block_list *list)
{
    hy_block_iter iter = hy_block_begin(d);
    hy_block block;
    size_t eaten = d.size < HY_WIRE_HEADER_SIZE ? d.size : HY_WIRE_HEADER_SIZE;
    size_t count = 0;
    for (; hy_block_next(&iter, &block); count++) {
        if (count == list->count || block.at != list->block[count].at ||
            block.tag != list->block[count].tag || block.payload.size != list->block[count].size ||
            block.payload.data != list->block[count].payload) {
            return "the iterator gives another block than there is";
        }
        eaten += 2 + block.payload.size;
    }
    if (count != list->count || iter.malformed != list->is_cut) {
        return "the iterator ends elsewhere than the blocks";
    }
    if (!iter.malformed && eaten + list->padding != d.size) {
        return "the iterator ended cleanly without accounting for every byte";
    }
    if (iter.malformed && (iter.error_at != list->cut_at || eaten + list->padding != iter.error_at)) {
        return "the iterator's error does not point at the cut block";
    }
    return hy_block_next(&iter, &block) ? "the iterator continues after its end" : NULL;
}

/// Writing the blocks again gives the datagram without its padding and its cut block.
static const char *check_writer(hy_bytes d, const block_list *list)
{
    static uint8_t written[65536];
    static uint8_t wanted[65536];
    if (d.size < HY_WIRE_HEADER_SIZE) {
        return NULL;
    }
    size_t size = HY_WIRE_HEADER_SIZE;
    memcpy(wanted, d.data, size);
    hy_block_writer writer = hy_block_write_begin((hy_room){ written, sizeof written },
                                                  (uint16_t)(d.data[0] << 8 | d.data[1]), d.data[2]);
    for (size_t i = 0; i < list->count; i++) {
        const size_t body = 2 + list->block[i].size;
        memcpy(wanted + size, d.data + list->block[i].at, body);
        size += body;
        hy_block_write(&writer, list->block[i].tag,
                       (hy_bytes){ list->block[i].payload, list->block[i].size });
    }
    const bool same = !writer.full && writer.size == size && memcmp(written, wanted, size) == 0;
    return same ? NULL : "writing the blocks again gives other bytes";
}

/// A block understood and written again has the same payload, but for what its kind ignores.
static const char *check_values(const hy_dialect *dialect, const block_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const hy_block block = { list->block[i].tag,
                                 list->block[i].at,
                                 { list->block[i].payload, list->block[i].size } };
        const hy_wire_value value = hy_block_value(dialect, &block);
        uint8_t bytes[64] = { 0 };
        hy_block_writer writer = hy_block_write_begin((hy_room){ bytes, sizeof bytes }, 0, 0);
        if (value.kind == HY_WIRE_UNKNOWN) {
            continue;
        }
        if (!hy_block_write_value(&writer, dialect, &value)) {
            return "a value that was understood cannot be written";
        }
        const size_t size = writer.size - HY_WIRE_HEADER_SIZE - 2;
        const bool longer = size > block.payload.size;
        if (longer || bytes[4] != block.tag || memcmp(bytes + 5, block.payload.data, size) != 0) {
            return "a value that was understood is written differently";
        }
    }
    return NULL;
}

// --------------------------------------------------------------------------- the second decoder

typedef struct {
    size_t payload_min;
    unsigned channels;
    bool has_id;
} rule;

static rule rule_of(const hy_dialect *dialect, hy_wire_kind kind, bool is_status)
{
    switch (kind) {
    case HY_WIRE_MOTOR:
    case HY_WIRE_SERVO: return (rule){ is_status ? 0 : 5, 256, true };
    case HY_WIRE_DIO: return (rule){ 2, dialect->dios, true };
    case HY_WIRE_ANALOG: return (rule){ is_status ? 5 : 0, dialect->analogs, true };
    case HY_WIRE_ENCODER: return (rule){ is_status ? 5 : 0, dialect->encoders, true };
    case HY_WIRE_GYRO: return (rule){ is_status ? 24 : 0, 1, false };
    case HY_WIRE_ACCEL: return (rule){ is_status ? 12 : 0, 1, false };
    case HY_WIRE_UNKNOWN:
    case HY_WIRE_KINDS: break;
    }
    return (rule){ 0, 0, false };
}

static hy_wire_kind kind_of(const hy_dialect *dialect, uint8_t tag)
{
    hy_wire_kind kind = HY_WIRE_UNKNOWN;
    for (int k = 1; k < HY_WIRE_KINDS; k++) {
        if (dialect->tag[k] == tag && tag != 0) {
            kind = (hy_wire_kind)k;
        }
    }
    return kind;
}

/// Which output a motor or servo block moves: motors from 0, servos from SERVO_FIRST, -1 none.
static int output_of(const hy_dialect *dialect, unsigned id)
{
    if (id < dialect->motors) {
        return (int)id;
    }
    return id >= 4 && id - 4 < dialect->servos ? (int)(SERVO_FIRST + id - 4) : -1;
}

/// For each channel of each kind, and for each motor or servo, its last block that counts: the index
/// plus 1, or 0.
static uint16_t last_of_kind[HY_WIRE_KINDS][256], last_of_output[OUTPUTS];

/// Finds the last blocks and reckons what is skipped.
static void judge_blocks(const hy_dialect *dialect, const block_list *list, bool is_status,
                         hy_wire_report *report)
{
    memset(last_of_kind, 0, sizeof last_of_kind);
    memset(last_of_output, 0, sizeof last_of_output);
    for (size_t i = 0; i < list->count; i++) {
        const hy_wire_kind kind = kind_of(dialect, list->block[i].tag);
        const rule r = rule_of(dialect, kind, is_status);
        const bool moves = kind == HY_WIRE_MOTOR || kind == HY_WIRE_SERVO;
        if (r.payload_min == 0) {
            report->unknown++;
            continue;
        }
        if (list->block[i].size < r.payload_min) {
            report->too_short++;
            continue;
        }
        const unsigned id = r.has_id ? list->block[i].payload[0] : 0;
        if (id >= r.channels || (moves && output_of(dialect, id) < 0)) {
            report->unknown++;
        } else if (moves) {
            last_of_output[output_of(dialect, id)] = (uint16_t)(i + 1);
        } else {
            last_of_kind[kind][id] = (uint16_t)(i + 1);
        }
    }
}

static const uint8_t *last_payload(const block_list *list, hy_wire_kind kind, int id, size_t *size)
{
    const uint16_t last = last_of_kind[kind][id];
    if (last == 0) {
        return NULL;
    }
    *size = list->block[last - 1].size;
    return list->block[last - 1].payload;
}

static const char *check_report(hy_bytes d, const block_list *list, const hy_wire_report *wanted,
                                const hy_wire_report *got)
{
    const hy_wire_error error = d.size < HY_WIRE_HEADER_SIZE ? HY_WIRE_NO_HEADER
                                : list->is_cut               ? HY_WIRE_CUT_BLOCK
                                                             : HY_WIRE_WELL_FORMED;
    const bool same = got->error == error && got->error_at == list->cut_at &&
                      got->unknown == wanted->unknown && got->too_short == wanted->too_short;
    return same ? NULL : "the report differs from the blocks";
}

/// What the blocks say about one output: the last one wins.
static bool output_value(const hy_dialect *dialect, const block_list *list, int output, float *value)
{
    const uint16_t last = last_of_output[output];
    if (last == 0) {
        return false;
    }
    const bool is_motor_block = list->block[last - 1].tag == dialect->tag[HY_WIRE_MOTOR];
    const float sent = float_at(list->block[last - 1].payload + 1);
    *value = is_motor_block == (output < SERVO_FIRST) ? sent
             : is_motor_block                         ? (sent + 1.0F) / 2.0F
                                                      : 2.0F * sent - 1.0F;
    return true;
}

static const char *check_outputs(const hy_dialect *dialect, const block_list *list,
                                 const hy_wire_command *got)
{
    for (int n = 0; n < HY_WIRE_MOTORS; n++) {
        float value = 0;
        const bool is_set = output_value(dialect, list, n, &value);
        if ((got->motors >> n & 1) != is_set || !same_float(got->motor[n], value)) {
            return "a motor moves otherwise than its last whole block says";
        }
    }
    for (int n = 0; n < HY_WIRE_SERVOS; n++) {
        float value = 0;
        const bool is_set = output_value(dialect, list, SERVO_FIRST + n, &value);
        if ((got->servos >> n & 1) != is_set || !same_float(got->servo[n], value)) {
            return "a servo moves otherwise than its last whole block says";
        }
    }
    return NULL;
}

static const char *check_dios(const block_list *list, uint32_t dios, uint32_t levels)
{
    for (int n = 0; n < HY_WIRE_DIOS; n++) {
        size_t size = 0;
        const uint8_t *const p = last_payload(list, HY_WIRE_DIO, n, &size);
        if ((dios >> n & 1) != (p != NULL) || (levels >> n & 1) != (p != NULL && p[1] == 1)) {
            return "a DIO is otherwise than its last whole block says";
        }
    }
    return NULL;
}

static const char *check_encoders(const block_list *list, const hy_wire_status *got)
{
    for (int n = 0; n < HY_WIRE_ENCODERS; n++) {
        size_t size = 0;
        const uint8_t *const p = last_payload(list, HY_WIRE_ENCODER, n, &size);
        const hy_wire_encoder *const e = &got->encoder[n];
        const bool long_form = p != NULL && size >= 13;
        if ((got->encoders >> n & 1) != (p != NULL) || e->has_period != long_form ||
            (uint32_t)e->count != (p == NULL ? 0 : u32_at(p + 1)) ||
            e->period_num != (long_form ? u32_at(p + 5) : 0) ||
            e->period_den != (long_form ? u32_at(p + 9) : 0)) {
            return "an encoder is otherwise than its last whole block says";
        }
        float rate = 0;
        const hy_encoder_motion motion = hy_wire_encoder_rate(e, &rate);
        if (!(rate >= -4.3e9F && rate <= 4.3e9F) || (rate != 0) != (motion == HY_ENCODER_MOVING)) {
            return "an encoder's rate is not a finite number, or not that of its motion";
        }
    }
    return NULL;
}

static bool axes_match(const uint8_t *payload, const float *axes)
{
    for (int i = 0; i < 3; i++) {
        if (payload == NULL ? axes[i] != 0 : !is_float_at(payload + 4 * i, axes[i])) {
            return false;
        }
    }
    return true;
}

static const char *check_sensors(const block_list *list, const hy_wire_status *got)
{
    size_t size = 0;
    for (int n = 0; n < HY_WIRE_ANALOGS; n++) {
        const uint8_t *const p = last_payload(list, HY_WIRE_ANALOG, n, &size);
        const bool same = p == NULL ? got->analog_v[n] == 0 : is_float_at(p + 1, got->analog_v[n]);
        if ((got->analogs >> n & 1) != (p != NULL) || !same) {
            return "an analog input is otherwise than its last whole block says";
        }
    }
    const uint8_t *const gyro = last_payload(list, HY_WIRE_GYRO, 0, &size);
    const uint8_t *const accel = last_payload(list, HY_WIRE_ACCEL, 0, &size);
    if (got->has_gyro != (gyro != NULL) || !axes_match(gyro, got->gyro_rate_dps) ||
        !axes_match(gyro == NULL ? NULL : gyro + 12, got->gyro_angle_deg)) {
        return "the gyro is otherwise than its last whole block says";
    }
    if (got->has_accel != (accel != NULL) || !axes_match(accel, got->accel_g)) {
        return "the accelerometer is otherwise than its last whole block says";
    }
    return NULL;
}

// --------------------------------------------------------------------------- packets

/// Encoding settles: what was decoded encodes to bytes that decode and encode to themselves, and no
/// value outside its range leaves.
static const char *check_command_canonical(const hy_dialect *dialect, const hy_wire_command *command)
{
    uint8_t once[HY_WIRE_COMMAND_MAX];
    uint8_t twice[HY_WIRE_COMMAND_MAX];
    hy_wire_command again;
    const size_t size = dialect->command_encode(command, (hy_room){ once, sizeof once });
    const hy_wire_report report = dialect->command_decode((hy_bytes){ once, size }, &again);
    if (size < HY_WIRE_HEADER_SIZE || report.error != HY_WIRE_WELL_FORMED || report.unknown != 0 ||
        report.too_short != 0) {
        return "a command was encoded into bytes that are not well formed";
    }
    for (int n = 0; n < HY_WIRE_MOTORS; n++) {
        if (!(again.motor[n] >= -1.0F && again.motor[n] <= 1.0F)) {
            return "a motor's effort outside [-1, +1] was encoded";
        }
    }
    for (int n = 0; n < HY_WIRE_SERVOS; n++) {
        if (!(again.servo[n] >= 0.0F && again.servo[n] <= 1.0F)) {
            return "a servo's position outside [0, 1] was encoded";
        }
    }
    const size_t size_twice = dialect->command_encode(&again, (hy_room){ twice, sizeof twice });
    const bool same = size_twice == size && memcmp(once, twice, size) == 0;
    return same ? NULL : "a command encodes differently the second time";
}

static const char *check_status_canonical(const hy_dialect *dialect, const hy_wire_status *status)
{
    uint8_t once[HY_WIRE_STATUS_MAX];
    uint8_t twice[HY_WIRE_STATUS_MAX];
    hy_wire_status again;
    const size_t size = dialect->status_encode(status, (hy_room){ once, sizeof once });
    const hy_wire_report report = dialect->status_decode((hy_bytes){ once, size }, &again);
    if (size < HY_WIRE_HEADER_SIZE || report.error != HY_WIRE_WELL_FORMED || report.unknown != 0 ||
        report.too_short != 0) {
        return "a status was encoded into bytes that are not well formed";
    }
    const size_t size_twice = dialect->status_encode(&again, (hy_room){ twice, sizeof twice });
    const bool same = size_twice == size && memcmp(once, twice, size) == 0;
    return same ? NULL : "a status encodes differently the second time";
}

/// A byte of padding behind a well formed datagram changes nothing that is decoded: it is what keeps the fast path for the stock
/// firmware's status from being taken.
static const char *check_padded(const hy_dialect *dialect, hy_bytes d, const hy_wire_status *got)
{
    uint8_t padded[2048], bytes[2][HY_WIRE_STATUS_MAX];
    hy_wire_status status;
    if (d.size >= sizeof padded) {
        return NULL;
    }
    memcpy(padded, d.data, d.size);
    padded[d.size] = 0;
    dialect->status_decode((hy_bytes){ padded, d.size + 1 }, &status);
    const size_t size = dialect->status_encode(got, (hy_room){ bytes[0], sizeof bytes[0] });
    const size_t again = dialect->status_encode(&status, (hy_room){ bytes[1], sizeof bytes[1] });
    const bool same = size == again && memcmp(bytes[0], bytes[1], size) == 0;
    return same ? NULL : "padding behind a status changes what it says";
}

static const char *first_of(const char *a, const char *b)
{
    return a != NULL ? a : b;
}

static const char *check_command(const hy_dialect *dialect, hy_bytes d, const block_list *list)
{
    hy_wire_report wanted = { .error = HY_WIRE_WELL_FORMED };
    hy_wire_command got;
    memset(&got, 0xA5, sizeof got); // it is written whole
    const hy_wire_report report = dialect->command_decode(d, &got);
    judge_blocks(dialect, list, false, &wanted);
    const char *broken = check_report(d, list, &wanted, &report);
    broken = first_of(broken, check_outputs(dialect, list, &got));
    broken = first_of(broken, check_dios(list, got.dios, got.dio_levels));
    return first_of(broken, check_command_canonical(dialect, &got));
}

static const char *check_status(const hy_dialect *dialect, hy_bytes d, const block_list *list)
{
    hy_wire_report wanted = { .error = HY_WIRE_WELL_FORMED };
    hy_wire_status got;
    memset(&got, 0xA5, sizeof got);
    const hy_wire_report report = dialect->status_decode(d, &got);
    judge_blocks(dialect, list, true, &wanted);
    const char *broken = check_report(d, list, &wanted, &report);
    broken = first_of(broken, check_encoders(list, &got));
    broken = first_of(broken, check_sensors(list, &got));
    broken = first_of(broken, check_dios(list, got.dios, got.dio_levels));
    if (report.error == HY_WIRE_WELL_FORMED) {
        broken = first_of(broken, check_padded(dialect, d, &got));
    }
    return first_of(broken, check_status_canonical(dialect, &got));
}

const char *wire_broken_invariant(hy_bytes datagram)
{
    static const hy_dialect *const dialects[] = { &hy_dialect_xrp, &hy_dialect_teensy };
    static block_list list;
    list_blocks(datagram, &list);
    const char *broken = check_iterator(datagram, &list);
    broken = first_of(broken, check_writer(datagram, &list));
    for (int i = 0; i < 2; i++) {
        broken = first_of(broken, check_values(dialects[i], &list));
        broken = first_of(broken, check_command(dialects[i], datagram, &list));
        broken = first_of(broken, check_status(dialects[i], datagram, &list));
    }
    return broken;
}
