// What the boards of all robots have in common: who commands, enabling, encoders, the LED and the
// button, and when a status is due. SPEC xrp-robot and teensy-robot.
#include <assert.h>
#include <string.h>

#include "kind.h"
#include "pins.h"

// --------------------------------------------------------------------------- enable and disable

static void shut_off(hy_board *self)
{
    for (unsigned i = 0; i < self->kind->dialect->motors; i++) {
        self->actuators.motor_duty[i] = 0.0;
    }
    for (unsigned i = 0; i < self->kind->servos; i++) {
        self->actuators.servo_pulse_us[i] = SERVO_MIDDLE_US;
    }
}

static void count_encoders(hy_board *self, bool count, int64_t now_us)
{
    for (unsigned i = 0; i < self->kind->dialect->encoders; i++) {
        if (count) {
            encoder_count_on(&self->encoders[i], now_us);
        } else {
            encoder_count_off(&self->encoders[i], now_us);
        }
    }
}

static void set_enabled(hy_board *self, bool enabled, int64_t now_us)
{
    if (enabled == self->enabled) {
        return;
    }
    self->enabled = enabled;
    shut_off(self); // also when it becomes enabled: nothing starts with an old value
    count_encoders(self, enabled || self->kind->counts_while_disabled, now_us);
}

/// Runs the watchdog at `now_us`, or at the newest time that the board knows if that is later; returns which it is.
static int64_t run_watchdog(hy_board *self, int64_t given_us)
{
    const int64_t now_us = given_us > self->now_us ? given_us : self->now_us;
    int64_t ran_out_us;
    if (session_expire(&self->session, now_us, &ran_out_us) && self->enabled) {
        self->session.counts.watchdog_trips++;
        set_enabled(self, false, ran_out_us);
    }
    return now_us;
}

// --------------------------------------------------------------------------- commands

void board_obey_block(hy_board *self, const hy_block *block)
{
    const hy_wire_value v = hy_block_value(self->kind->dialect, block);
    if (v.kind == HY_WIRE_DIO && v.id == self->kind->led_dio) {
        self->actuators.led = v.level == 1; // also while disabled
    } else if (self->enabled) {
        self->kind->move(self, &v);
    }
}

void hy_board_obey(hy_board *self, hy_bytes datagram)
{
    hy_block_iter iter = hy_block_begin(datagram);
    for (hy_block block; hy_block_next(&iter, &block);) {
        board_obey_block(self, &block);
    }
    if (iter.malformed) {
        self->session.counts.rx_malformed++;
    }
}

void hy_board_receive(hy_board *self, const hy_endpoint *from, hy_bytes datagram, int64_t at_us)
{
    const int64_t now_us = run_watchdog(self, at_us);
    const session_time time = { .at_us = at_us, .now_us = now_us };
    switch (session_receive(&self->session, from, datagram, &time)) {
    case SESSION_DROP: return;
    case SESSION_STOP: set_enabled(self, false, now_us); return;
    case SESSION_OBEY: break;
    }
    const bool is_enabling = datagram.data[2] == HY_WIRE_CONTROL_ENABLED;
    self->is_stopped = self->is_stopped && is_enabling;
    set_enabled(self, is_enabling && !self->is_stopped, now_us);
    if (self->kind->obey != NULL) {
        self->kind->obey(self, datagram);
    } else {
        hy_board_obey(self, datagram);
    }
}

bool hy_board_admits(const hy_board *self, const hy_endpoint *from, hy_bytes *datagram,
                     int64_t at_us, hy_board_refused *sum)
{
    session after = self->session;
    const session_time time = { at_us, at_us > self->now_us ? at_us : self->now_us };
    int64_t ran_out_us;
    if (session_expire(&after, time.now_us, &ran_out_us)) {
        return true;
    }
    if (session_only_counts(&after, from, datagram->size)) {
        *(datagram->size < HY_WIRE_HEADER_SIZE ? &sum->too_short : &sum->strangers) += 1;
        return false;
    }
    if (datagram->size > HY_WIRE_HEADER_SIZE &&
        session_receive(&after, from, *datagram, &time) != SESSION_OBEY) {
        datagram->size = HY_WIRE_HEADER_SIZE;
    }
    return true;
}

void hy_board_note_refused(hy_board *self, const hy_board_refused *sum)
{
    self->session.counts.rx_strangers += sum->strangers;
    self->session.counts.rx_too_short += sum->too_short;
}

void hy_board_note_loss(hy_board *self)
{
    self->session.counts.losses++;
    set_enabled(self, false, self->now_us);
}

void hy_board_stop(hy_board *self)
{
    self->is_stopped = true;
    set_enabled(self, false, self->now_us);
}

// --------------------------------------------------------------------------- sensors and status

void hy_board_sense(hy_board *self, const hy_sensors *sensors, int64_t now_us)
{
    self->now_us = run_watchdog(self, now_us);
    for (unsigned i = 0; i < self->kind->dialect->encoders; i++) {
        encoder_sense(&self->encoders[i], sensors->encoder_counts[i], now_us);
    }
    self->button = sensors->button;
    if (self->kind->sense != NULL) {
        self->kind->sense(self, sensors, now_us);
    }
}

bool hy_board_sees_floor_late(const hy_board *self)
{
    return self->kind->see_floor != NULL;
}

void hy_board_see_floor(hy_board *self, const double reflectance[HY_PIN_REFLECTANCE])
{
    assert(self->kind->see_floor != NULL);
    self->kind->see_floor(self, reflectance);
}

static hy_wire_encoder report_encoder(const hy_board *self, unsigned index, int64_t now_us)
{
    const encoder *e = &self->encoders[index];
    const uint32_t period = encoder_period(e, now_us);
    const bool is_turned = (self->kind->turned_encoders >> index & 1U) != 0;
    return (hy_wire_encoder){
        .count = (int32_t)(is_turned ? 0U - e->count : e->count),
        .period_num = is_turned ? period ^ 1U : period,
        .period_den = (uint32_t)e->clock_hz,
        .has_period = self->options.encoder_format == HY_ENCODER_LONG,
    };
}

static size_t write_status(const hy_board *self, uint16_t seq, int64_t now_us, hy_room room)
{
    hy_wire_status status = { .seq = seq };
    const unsigned encoders = self->kind->dialect->encoders;
    status.encoders = (uint8_t)((1U << encoders) - 1);
    for (unsigned i = 0; i < encoders; i++) {
        status.encoder[i] = report_encoder(self, i, now_us);
    }
    status.dios = UINT32_C(1) << self->kind->button_dio;
    status.dio_levels = self->button ? status.dios : 0;
    if (self->kind->report != NULL) {
        self->kind->report(self, &status);
    }
    return self->kind->dialect->status_encode(&status, room);
}

size_t hy_board_send(hy_board *self, int64_t now_us, hy_endpoint *to, hy_room room)
{
    assert(room.size >= HY_WIRE_STATUS_MAX);
    self->now_us = run_watchdog(self, now_us);
    session_status next;
    if (!session_next_status(&self->session, now_us, &next)) {
        return 0;
    }
    if (next.is_regular) {
        for (unsigned i = 0; i < self->kind->dialect->encoders; i++) {
            encoder_latch(&self->encoders[i]);
        }
    }
    *to = next.to;
    return write_status(self, next.seq, now_us, room);
}

// --------------------------------------------------------------------------- the rest

size_t hy_board_size(void)
{
    return sizeof(hy_board) + HY_BOARD_STATE_MAX;
}

bool hy_board_has_stock_bugs(const hy_board_kind *kind)
{
    return kind->has_stock_bugs;
}

hy_board *hy_board_init(void *memory, const hy_board_options *options, int64_t now_us)
{
    const hy_board_kind *const kind = options->kind;
    assert(kind != NULL && kind->state_size <= HY_BOARD_STATE_MAX);
    assert(!options->stock_bugs || kind->has_stock_bugs);
    hy_board *self = memory;
    *self = (hy_board){ .kind = kind, .options = *options, .now_us = now_us, .own = self + 1 };
    memset(self->own, 0, kind->state_size);
    if (kind->start != NULL) {
        kind->start(self, now_us);
    }
    session_start(&self->session, options->stock_bugs, kind->status_period_us, now_us);
    for (unsigned i = 0; i < kind->dialect->encoders; i++) {
        encoder_start(&self->encoders[i], kind->encoder_hz, now_us);
    }
    count_encoders(self, kind->counts_while_disabled, now_us);
    shut_off(self); // the firmware centres the servos as soon as it runs
    return self;
}

void *hy_board_own(hy_board *self)
{
    return self->own;
}

const void *hy_board_own_const(const hy_board *self)
{
    return self->own;
}

hy_actuators *hy_board_outputs(hy_board *self)
{
    return &self->actuators;
}

const hy_dialect *hy_board_dialect(const hy_board *self)
{
    return self->kind->dialect;
}

int64_t hy_board_status_period_us(const hy_board *self)
{
    return self->kind->status_period_us;
}

int64_t hy_board_due_us(const hy_board *self)
{
    return session_due_us(&self->session);
}

const hy_actuators *hy_board_actuators(const hy_board *self)
{
    return &self->actuators;
}

bool hy_board_is_enabled(const hy_board *self)
{
    return self->enabled;
}

bool hy_board_is_stopped(const hy_board *self)
{
    return self->is_stopped;
}

hy_endpoint hy_board_owner(const hy_board *self)
{
    return self->session.alive ? self->session.commander : (hy_endpoint){ 0 };
}

uint64_t hy_board_hash(const hy_board *self)
{
    hy_hash hash = hy_hash_start();
    const hy_actuators *const out = &self->actuators;
    for (unsigned i = 0; i < HY_PIN_MOTORS; i++) {
        hy_hash_f64(&hash, out->motor_duty[i]);
    }
    for (unsigned i = 0; i < HY_PIN_SERVOS; i++) {
        hy_hash_f64(&hash, out->servo_pulse_us[i]);
    }
    hy_hash_u64(&hash, (uint64_t)self->is_stopped << 8 |
                           (uint64_t)self->options.encoder_format << 3 | (uint64_t)out->led << 2 |
                           (uint64_t)self->enabled << 1 | (uint64_t)self->button);
    session_hash(&self->session, &hash);
    hy_hash_u64(&hash, (uint64_t)self->now_us);
    for (unsigned i = 0; i < self->kind->dialect->encoders; i++) {
        encoder_hash(&self->encoders[i], &hash);
    }
    if (self->kind->hash != NULL) {
        self->kind->hash(self, &hash);
    } else {
        hy_hash_bytes(&hash, (hy_bytes){ self->own, self->kind->state_size });
    }
    return hash.value;
}

const hy_board_counters *hy_board_counts(const hy_board *self)
{
    return &self->session.counts;
}
