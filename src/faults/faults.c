// One direction of a bad network, and a robot's defects.
#include <halyard/faults.h>

#include <string.h>

#define REORDER_HOLD_US 100000 // the longest that a datagram waits to be overtaken
#define RATE_QUEUE_US \
    250000             // what would wait longer for its turn is lost, as in a full transmit queue
#define SLIP_SHARE 0.3 // of the effort that a slipping wheel still transmits

// --------------------------------------------------------------------------- outages

bool hy_faults_is_outage(const hy_faults_spec *spec, int64_t since_start_us)
{
    for (size_t i = 0; i < spec->outage_count; i++) {
        const hy_faults_outage *const outage = &spec->outage[i];
        int64_t within_us = since_start_us - outage->from_us;
        if (within_us >= 0 && outage->every_us > 0) {
            within_us %= outage->every_us;
        }
        if (within_us >= 0 && within_us < outage->length_us) {
            return true;
        }
    }
    return false;
}

// --------------------------------------------------------------------------- one direction

void hy_faults_init(hy_faults *self, const hy_faults_direction *direction,
                    const hy_faults_spec *spec, uint64_t stream, int64_t start_us)
{
    memset(self, 0, sizeof *self);
    self->direction = *direction;
    self->spec = spec;
    self->start_us = start_us;
    self->random = hy_random_seeded(spec->seed ^ stream * UINT64_C(0x9e3779b97f4a7c15));
}

// Every draw happens for every datagram, whatever the others decided: so one fault more in a spec changes nothing in the others.
static bool draw_random(hy_faults *self, double random)
{
    return hy_random_unit(&self->random) < random;
}

static size_t free_slot(const hy_faults *self)
{
    for (size_t i = 0; i < HY_FAULTS_SLOTS; i++) {
        if (!self->slots[i].used) {
            return i;
        }
    }
    return HY_FAULTS_SLOTS;
}

// Returns the slot, or HY_FAULTS_SLOTS if it is lost for want of room.
static size_t store_datagram(hy_faults *self, const hy_endpoint *peer, hy_bytes datagram,
                             int64_t due_us)
{
    const size_t slot = free_slot(self);
    if (slot == HY_FAULTS_SLOTS || datagram.size > HY_FAULTS_DATAGRAM_MAX) {
        self->counters.overflowed++;
        return HY_FAULTS_SLOTS;
    }
    self->slots[slot].used = true;
    self->slots[slot].size = (uint16_t)datagram.size;
    self->slots[slot].due_us = due_us;
    self->slots[slot].number = self->next_number++;
    self->slots[slot].peer = *peer;
    if (datagram.size > 0) {
        memcpy(self->slots[slot].bytes, datagram.data, datagram.size);
    }
    return slot;
}

// Gilbert's model: a channel is good or in a burst; in a burst everything is lost.
static bool is_lost_in_burst(hy_faults *self)
{
    const hy_faults_direction *const d = &self->direction;
    const double end = d->burst_length > 1.0 ? 1.0 / d->burst_length : 1.0;
    const bool begins = draw_random(self, d->burst), ends = draw_random(self, end);
    if (self->in_burst) {
        self->in_burst = !ends;
        return true;
    }
    self->in_burst = begins && !ends;
    return begins;
}

// When the last byte of a datagram has passed a link of limited rate; INT64_MAX: its queue is full.
static int64_t passed_us(hy_faults *self, size_t size, int64_t now_us)
{
    if (self->direction.rate_bytes_s <= 0.0) {
        return now_us;
    }
    const int64_t begins_us = self->rate_free_us > now_us ? self->rate_free_us : now_us;
    if (begins_us - now_us > RATE_QUEUE_US) {
        return INT64_MAX;
    }
    self->rate_free_us = begins_us + (int64_t)((double)size * 1e6 / self->direction.rate_bytes_s);
    return self->rate_free_us;
}

static void damage(hy_faults *self, size_t slot)
{
    const bool corrupts = draw_random(self, self->direction.corrupt);
    const bool truncates = draw_random(self, self->direction.truncate);
    const uint32_t bit = hy_random_below(&self->random, HY_FAULTS_DATAGRAM_MAX * 8u);
    const uint32_t cut = hy_random_below(&self->random, HY_FAULTS_DATAGRAM_MAX);
    if (slot == HY_FAULTS_SLOTS || self->slots[slot].size == 0) {
        return;
    }
    const uint32_t size = self->slots[slot].size;
    if (corrupts) {
        self->slots[slot].bytes[bit / 8 % size] ^= (uint8_t)(1u << bit % 8);
        self->counters.corrupted++;
    }
    if (truncates) {
        self->slots[slot].size = (uint16_t)(size - 1 - cut % size);
        self->counters.truncated++;
    }
}

// A datagram that is held back goes as soon as a later one has been put.
static void hold_or_release(hy_faults *self, size_t slot, bool reorders, int64_t due_us)
{
    if (self->held > 0 && self->slots[self->held - 1].used) {
        const size_t held = self->held - 1;
        self->slots[held].due_us = due_us;
        self->slots[held].number = self->next_number++;
    }
    self->held = 0;
    if (reorders && slot < HY_FAULTS_SLOTS) {
        self->slots[slot].due_us = due_us + REORDER_HOLD_US;
        self->held = slot + 1;
        self->counters.reordered++;
    }
}

void hy_faults_change(hy_faults *self, const hy_faults_direction *direction)
{
    self->direction = *direction;
}

void hy_faults_put(hy_faults *self, const hy_endpoint *peer, hy_bytes datagram, int64_t now_us)
{
    const hy_faults_direction *const d = &self->direction;
    self->counters.put++;
    const bool is_lost = draw_random(self, d->loss), is_burst_lost = is_lost_in_burst(self);
    const bool is_doubled = draw_random(self, d->duplicate), reorders = draw_random(self, d->reorder);
    const int64_t jitter_us = (int64_t)(hy_random_unit(&self->random) * (double)d->jitter_us);
    const bool is_outage = hy_faults_is_outage(self->spec, now_us - self->start_us);
    const int64_t sent_us =
        is_lost || is_burst_lost || is_outage ? 0 : passed_us(self, datagram.size, now_us);
    self->counters.outage_lost += is_outage;
    self->counters.burst_lost += is_burst_lost && !is_outage;
    self->counters.lost += is_lost && !is_burst_lost && !is_outage;
    self->counters.rate_lost += sent_us == INT64_MAX;
    if (is_lost || is_burst_lost || is_outage || sent_us == INT64_MAX) {
        damage(self, HY_FAULTS_SLOTS);
        return;
    }
    int64_t due_us = sent_us + d->delay_us + jitter_us;
    due_us = due_us > self->last_due_us
                 ? due_us
                 : self->last_due_us; // jitter does not reorder; `reorder` does
    self->last_due_us = due_us;
    const size_t slot = store_datagram(self, peer, datagram, due_us);
    damage(self, slot);
    if (is_doubled && slot < HY_FAULTS_SLOTS) {
        store_datagram(self, peer, (hy_bytes){ self->slots[slot].bytes, self->slots[slot].size },
                       due_us);
        self->counters.duplicated++;
    }
    hold_or_release(self, slot, reorders, due_us);
}

void hy_faults_put_untouched(hy_faults *self, const hy_endpoint *peer, hy_bytes datagram,
                             bool drop_earlier, int64_t now_us)
{
    self->counters.put++;
    for (size_t i = 0; i < HY_FAULTS_SLOTS && drop_earlier; i++) {
        self->counters.lost += self->slots[i].used;
        self->slots[i].used = false;
    }
    self->held = drop_earlier ? 0 : self->held;
    const size_t slot = store_datagram(self, peer, datagram, now_us);
    if (slot < HY_FAULTS_SLOTS) {
        self->slots[slot].due_us = INT64_MIN; // before everything that waits
    }
}

// The slot that goes out first; HY_FAULTS_SLOTS if all are free.
static size_t first_slot(const hy_faults *self)
{
    size_t first = HY_FAULTS_SLOTS;
    for (size_t i = 0; i < HY_FAULTS_SLOTS; i++) {
        if (!self->slots[i].used) {
            continue;
        }
        if (first == HY_FAULTS_SLOTS || self->slots[i].due_us < self->slots[first].due_us ||
            (self->slots[i].due_us == self->slots[first].due_us &&
             self->slots[i].number < self->slots[first].number)) {
            first = i;
        }
    }
    return first;
}

bool hy_faults_take(hy_faults *self, int64_t now_us, hy_endpoint *peer, hy_bytes *bytes)
{
    const size_t slot = first_slot(self);
    if (slot == HY_FAULTS_SLOTS || self->slots[slot].due_us > now_us) {
        return false;
    }
    self->slots[slot].used = false; // its bytes stay until the slot is used again
    self->held = self->held == slot + 1 ? 0 : self->held;
    self->counters.taken++;
    *peer = self->slots[slot].peer;
    *bytes = (hy_bytes){ self->slots[slot].bytes, self->slots[slot].size };
    return true;
}

int64_t hy_faults_due_us(const hy_faults *self)
{
    const size_t slot = first_slot(self);
    return slot == HY_FAULTS_SLOTS ? INT64_MAX : self->slots[slot].due_us;
}

void hy_faults_hash(const hy_faults *self, hy_hash *hash)
{
    for (size_t i = 0; i < 4; i++) {
        hy_hash_u64(hash, self->random.s[i]);
    }
    hy_hash_u64(hash, self->next_number);
    hy_hash_u64(hash, (uint64_t)self->last_due_us);
    hy_hash_u64(hash, (uint64_t)self->rate_free_us);
    hy_hash_u64(hash, self->held << 1 | self->in_burst);
    for (size_t i = 0; i < HY_FAULTS_SLOTS; i++) {
        if (!self->slots[i].used) {
            continue;
        }
        hy_hash_u64(hash, self->slots[i].number);
        hy_hash_u64(hash, (uint64_t)self->slots[i].due_us);
        for (size_t k = 0; k < self->slots[i].size; k++) {
            hy_hash_u64(hash, self->slots[i].bytes[k]);
        }
    }
}

// --------------------------------------------------------------------------- a robot with defects

void hy_faults_apply_sensors(hy_faults_pins *self, const hy_faults_spec *spec, hy_sensors *sensors)
{
    if (!self->has_stuck) {
        self->has_stuck = true;
        self->stuck = *sensors;
    }
    for (size_t i = 0; i < HY_PIN_ENCODERS; i++) {
        if ((spec->dead_encoders >> i & 1) != 0) {
            sensors->encoder_counts[i] = self->stuck.encoder_counts[i];
        }
    }
    if ((spec->stuck_sensors & HY_FAULTS_GYRO) != 0) {
        memcpy(sensors->gyro_rate_rad_s, self->stuck.gyro_rate_rad_s,
               sizeof sensors->gyro_rate_rad_s);
        memcpy(sensors->gyro_angle_rad, self->stuck.gyro_angle_rad, sizeof sensors->gyro_angle_rad);
    }
    if ((spec->stuck_sensors & HY_FAULTS_ACCEL) != 0) {
        memcpy(sensors->accel_m_s2, self->stuck.accel_m_s2, sizeof sensors->accel_m_s2);
    }
    if ((spec->stuck_sensors & HY_FAULTS_RANGE) != 0) {
        sensors->range_m = self->stuck.range_m;
    }
    if ((spec->stuck_sensors & HY_FAULTS_REFLECTANCE) != 0) {
        memcpy(sensors->reflectance, self->stuck.reflectance, sizeof sensors->reflectance);
    }
}

void hy_faults_apply_actuators(const hy_faults_spec *spec, hy_actuators *actuators)
{
    for (size_t i = 0; i < HY_PIN_MOTORS; i++) {
        if ((spec->slipping_wheels >> i & 1) != 0) {
            actuators->motor_duty[i] *= SLIP_SHARE;
        }
    }
}
