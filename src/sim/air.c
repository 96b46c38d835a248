#include "air.h"

#define NUMBER_SIZE 2 // SPEC wire 2: a packet begins with its number, the high byte first

void sim_air_start(sim_air *self, const hy_faults_spec *spec, size_t index)
{
    hy_faults_init(&self->to_robot, &spec->to_robot, spec, 2 * index, 0);
    hy_faults_init(&self->from_robot, &spec->from_robot, spec, 2 * index + 1, 0);
    self->pins = (hy_faults_pins){ .has_stuck = false };
}

void sim_air_send(sim_air *self, const hy_faults_spec *spec, const hy_endpoint *to, hy_room bytes,
                  int64_t now_us)
{
    if (spec->has_start_number && bytes.size >= NUMBER_SIZE) {
        const unsigned number = (unsigned)bytes.data[0] << 8 | bytes.data[1];
        const unsigned shifted = number + spec->start_number;
        bytes.data[0] = (uint8_t)(shifted >> 8);
        bytes.data[1] = (uint8_t)shifted;
    }
    hy_faults_put(&self->from_robot, to, (hy_bytes){ bytes.data, bytes.size }, now_us);
}

int64_t sim_air_clock_us(const hy_faults_spec *spec, int64_t now_us)
{
    return now_us >= spec->clock_jump_at_us ? now_us + spec->clock_jump_us : now_us;
}

void sim_air_hash(const sim_air *self, hy_hash *hash)
{
    hy_faults_hash(&self->to_robot, hash);
    hy_faults_hash(&self->from_robot, hash);
}
