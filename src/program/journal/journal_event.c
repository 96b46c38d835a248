// The same functions write and read an event: `move` transfers one number in the direction of its cursor, so the two cannot differ.
#include "journal_event.h"

#include <string.h>

#include "base/base_transfer.h"

#define CLOCK_MAX_US (INT64_C(1) << 53)

typedef hy_transfer_cursor cursor;

// --------------------------------------------------------------------------- numbers and texts

static void move_small(cursor *c, unsigned *value, unsigned most)
{
    *value = hy_transfer_small(c, *value, most);
}

static void move_u8(cursor *c, uint8_t *value)
{
    *value = (uint8_t)hy_transfer_number(c, *value, 1);
}

static void move_u32(cursor *c, uint32_t *value)
{
    *value = (uint32_t)hy_transfer_number(c, *value, 4);
}

static void move_u64(cursor *c, uint64_t *value)
{
    *value = hy_transfer_number(c, *value, 8);
}

static void move_time(cursor *c, int64_t *value_us)
{
    hy_transfer_i64(c, value_us);
}

// The program's clock: what no clock shows would overflow in the program.
static void move_clock(cursor *c, int64_t *value_us)
{
    move_time(c, value_us);
    c->failed = c->failed || *value_us < 0 || *value_us > CLOCK_MAX_US;
}

static void move_float(cursor *c, float *value)
{
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    move_u32(c, &bits);
    memcpy(value, &bits, sizeof bits);
}

static void move_double(cursor *c, double *value)
{
    hy_transfer_f64(c, value);
}

static void move_bool(cursor *c, bool *value)
{
    hy_transfer_bool(c, value);
}

static void move_text(cursor *c, char text[JOURNAL_TEXT_MAX])
{
    unsigned size = c->reads ? 0 : (unsigned)strlen(text);
    move_small(c, &size, JOURNAL_TEXT_MAX - 1);
    for (unsigned i = 0; i < size; i++) {
        text[i] = (char)hy_transfer_number(c, (uint8_t)text[i], 1);
        c->failed = c->failed || text[i] == '\0';
    }
    text[size] = '\0';
}

// --------------------------------------------------------------------------- devices

enum { HAS_BUTTON = 1, HAS_DIGITALS = 2 };

static void move_encoder(cursor *c, hy_encoder_reading *encoder)
{
    uint32_t count = (uint32_t)encoder->count;
    move_u32(c, &count);
    memcpy(&encoder->count, &count, sizeof count);
    move_u32(c, &encoder->period_num);
    move_u32(c, &encoder->period_den);
    move_bool(c, &encoder->has_period);
}

/// The button, and what other digital inputs there are: a bit says whether there are any, since robots without them came first.
static void move_digitals(cursor *c, hy_readings *r)
{
    unsigned has = (r->has_button ? HAS_BUTTON : 0) | (r->digitals != 0 ? HAS_DIGITALS : 0);
    move_small(c, &has, HAS_BUTTON | HAS_DIGITALS);
    r->has_button = (has & HAS_BUTTON) != 0;
    move_bool(c, &r->button);
    if ((has & HAS_DIGITALS) != 0) {
        move_u32(c, &r->digitals);
        move_u32(c, &r->digital_levels);
        c->failed = c->failed || r->digitals == 0; // so that there is one form of each
    }
}

static void move_readings(cursor *c, hy_readings *r)
{
    move_u8(c, &r->encoders);
    move_u8(c, &r->analogs);
    move_bool(c, &r->has_gyro);
    move_bool(c, &r->has_accel);
    move_digitals(c, r);
    for (size_t i = 0; i < HY_READINGS_ENCODERS; i++) {
        if ((r->encoders >> i & 1) != 0) {
            move_encoder(c, &r->encoder[i]);
        }
    }
    for (size_t i = 0; i < HY_READINGS_ANALOGS; i++) {
        if ((r->analogs >> i & 1) != 0) {
            move_float(c, &r->analog_v[i]);
        }
    }
    for (size_t i = 0; i < 3 && r->has_gyro; i++) {
        move_float(c, &r->gyro_rate_dps[i]);
        move_float(c, &r->gyro_angle_deg[i]);
    }
    for (size_t i = 0; i < 3 && r->has_accel; i++) {
        move_float(c, &r->accel_g[i]);
    }
}

static void move_outputs(cursor *c, hy_outputs *o)
{
    move_u8(c, &o->motors);
    move_u8(c, &o->servos);
    move_bool(c, &o->led);
    for (size_t i = 0; i < sizeof o->motor / sizeof o->motor[0]; i++) {
        if ((o->motors >> i & 1) != 0) {
            move_float(c, &o->motor[i]);
        }
    }
    for (size_t i = 0; i < sizeof o->servo / sizeof o->servo[0]; i++) {
        if ((o->servos >> i & 1) != 0) {
            move_float(c, &o->servo[i]);
        }
    }
}

// --------------------------------------------------------------------------- the station

static void move_key(cursor *c, hy_key_event *key)
{
    unsigned what = key->what;
    move_small(c, &what, HY_KEYBOARD_REPORT);
    key->what = (hy_key_what)what;
    move_u32(c, &key->key);
    move_u8(c, &key->modifiers);
    move_bool(c, &key->releases);
}

static void move_link(cursor *c, hy_program_link *link)
{
    move_bool(c, &link->is_up);
    move_bool(c, &link->is_taken);
    move_double(c, &link->rate_hz);
    move_double(c, &link->loss);
    move_double(c, &link->loss_total);
    move_time(c, &link->age_us);
    move_u64(c, &link->commands);
    move_u64(c, &link->statuses);
}

static void move_robot_count(cursor *c, size_t *robots)
{
    unsigned count = (unsigned)*robots;
    move_small(c, &count, HY_PROGRAM_ROBOTS);
    *robots = count;
}

static void move_state(cursor *c, journal_event *event)
{
    hy_program_state *const state = &event->state;
    unsigned wish = event->wish;
    move_clock(c, &state->now_us);
    move_bool(c, &state->is_enabled);
    move_bool(c, &state->is_emergency);
    move_bool(c, &state->has_terminal);
    move_bool(c, &state->is_ending);
    move_bool(c, &state->has_failed);
    move_bool(c, &state->is_over);
    move_robot_count(c, &state->robots);
    for (size_t i = 0; i < state->robots; i++) {
        move_link(c, &state->link[i]);
    }
    move_small(c, &wish, HY_PROGRAM_END);
    event->wish = (hy_program_wish)wish;
}

static void move_addresses(cursor *c, journal_event *event)
{
    move_robot_count(c, &event->state.robots);
    for (size_t i = 0; i < event->state.robots; i++) {
        move_text(c, event->address[i]);
    }
}

// --------------------------------------------------------------------------- events

// What a call has published and said.
static void move_effects(cursor *c, journal_event *event)
{
    move_u32(c, &event->puts);
    move_bool(c, &event->has_said);
    if (event->has_said) {
        move_text(c, event->text);
    }
}

static void move_device_call(cursor *c, journal_event *event)
{
    move_small(c, &event->index, HY_PROGRAM_ROBOTS - 1);
    if (event->kind != JOURNAL_REBASE) {
        move_clock(c, &event->now_us);
    }
    if (event->kind == JOURNAL_UPDATE) {
        move_readings(c, &event->readings);
    } else if (event->kind == JOURNAL_OUTPUTS) {
        move_outputs(c, &event->outputs);
    }
}

static void move_program_call(cursor *c, journal_event *event)
{
    if (event->kind == JOURNAL_CALL) {
        move_small(c, &event->index, JOURNAL_CALLS - 1);
        move_clock(c, &event->now_us);
    } else if (event->kind == JOURNAL_KEY) {
        move_clock(c, &event->now_us);
        move_key(c, &event->key);
    } else {
        move_state(c, event);
    }
    move_effects(c, event);
}

static void move_event(cursor *c, journal_event *event)
{
    unsigned kind = event->kind;
    move_small(c, &kind, JOURNAL_KINDS - 1);
    event->kind = (journal_kind)kind;
    switch (event->kind) {
    case JOURNAL_START:
        move_small(c, &event->index, UINT8_MAX);
        move_text(c, event->name);
        move_addresses(c, event);
        break;
    case JOURNAL_SAVED:
    case JOURNAL_TUNE:
        move_text(c, event->name);
        move_double(c, &event->value);
        break;
    case JOURNAL_CHOOSE:
        move_text(c, event->name);
        move_text(c, event->text);
        break;
    case JOURNAL_UPDATE:
    case JOURNAL_REBASE:
    case JOURNAL_STOP:
    case JOURNAL_OUTPUTS: move_device_call(c, event); break;
    case JOURNAL_CALL:
    case JOURNAL_KEY:
    case JOURNAL_SUPERVISE: move_program_call(c, event); break;
    case JOURNAL_STATE:
        move_text(c, event->text);
        move_addresses(c, event);
        break;
    case JOURNAL_END: break;
    case JOURNAL_KINDS:
    default: c->failed = true; break;
    }
}

static uint32_t check_of(uint64_t number, hy_bytes event)
{
    hy_hash hash = hy_hash_start();
    hy_hash_u64(&hash, number);
    hy_hash_bytes(&hash, event);
    return (uint32_t)(hash.value ^ hash.value >> 32);
}

size_t journal_event_write(const journal_event *event, uint64_t number,
                           uint8_t out[JOURNAL_EVENT_MAX]) // NOLINT(readability-non-const-parameter)
{
    journal_event copy = *event;
    cursor c = { .to = out, .at = JOURNAL_HEAD, .size = JOURNAL_EVENT_MAX };
    move_event(&c, &copy);
    cursor head = { .to = out, .size = JOURNAL_HEAD };
    (void)hy_transfer_number(&head, number, 8);
    (void)hy_transfer_number(
        &head, check_of(number, (hy_bytes){ out + JOURNAL_HEAD, c.at - JOURNAL_HEAD }), 4);
    return c.at;
}

bool journal_event_read(hy_bytes bytes, uint64_t *number, journal_event *event)
{
    cursor c = { .reads = true, .from = bytes.data, .size = bytes.size };
    *event = (journal_event){ .kind = JOURNAL_KINDS };
    *number = hy_transfer_number(&c, 0, 8);
    const uint64_t check = hy_transfer_number(&c, 0, 4);
    if (c.failed || check != check_of(*number, (hy_bytes){ bytes.data + JOURNAL_HEAD,
                                                           bytes.size - JOURNAL_HEAD })) {
        return false;
    }
    move_event(&c, event);
    return !c.failed && c.at == bytes.size;
}

const char *journal_call_name(unsigned call)
{
    static const char *const names[JOURNAL_CALLS] = {
        "disabled init",       "disabled periodic", "disabled exit",   "autonomous init",
        "autonomous periodic", "autonomous exit",   "teleop init",     "teleop periodic",
        "teleop exit",         "test init",         "test periodic",   "test exit",
        "robot init",          "robot periodic",    "simulation init", "simulation periodic",
    };
    return names[call];
}
