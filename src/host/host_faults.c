#include "host_faults.h"

#include <halyard/robot.h>

#include <inttypes.h>
#include <stdio.h>

// clang-format off
static const hy_option table[] = {
    { HY_OPTION(TEXT, hy_host_faults, text), .name = "faults", .value = "SPEC|FILE|PRESET", .reads = true, .needs = "board", .help = "inject faults, such as loss=5%,jitter=40ms,outage=5s+2s; a file of them; or a preset: bad-wifi, gym-full-of-phones, wifi-stalls, dying-battery" },
};
// clang-format on

static bool check(const char *program, void *to)
{
    hy_host_faults *const self = to;
    hy_faults_error error;
    if (self->text == NULL || hy_robot_read_faults(self->text, &self->spec, &error) == HY_OK) {
        return true;
    }
    hy_print_error(program, "--faults: %s", error.text);
    return false;
}

hy_option_group hy_host_faults_group(hy_host_faults *to)
{
    return (hy_option_group)HY_OPTION_GROUP_CHECKED(NULL, table, to, check);
}

void hy_host_faults_announce(const char *program, const char *text)
{
    if (text != NULL) {
        hy_print_error(program, "injecting faults: %s", text);
    }
}

static void print_direction(const char *program, const char *what, const hy_faults_counters *c)
{
    hy_print_error(
        program,
        "faults, %s: %" PRIu64 " datagrams, %" PRIu64 " passed; lost %" PRIu64
        ", in bursts %" PRIu64 ", in outages %" PRIu64 ", for the rate limit %" PRIu64 "; %" PRIu64
        " doubled, %" PRIu64 " reordered, %" PRIu64 " corrupted, %" PRIu64 " truncated",
        what, c->put, c->taken, c->lost, c->burst_lost, c->outage_lost,
        c->rate_lost + c->overflowed, c->duplicated, c->reordered, c->corrupted, c->truncated);
}

static void add(hy_faults_counters *sum, const hy_faults_counters *c)
{
    sum->put += c->put;
    sum->taken += c->taken;
    sum->lost += c->lost;
    sum->burst_lost += c->burst_lost;
    sum->outage_lost += c->outage_lost;
    sum->rate_lost += c->rate_lost;
    sum->duplicated += c->duplicated;
    sum->reordered += c->reordered;
    sum->corrupted += c->corrupted;
    sum->truncated += c->truncated;
    sum->overflowed += c->overflowed;
}

void hy_host_faults_add(hy_sim_fault_counts *sum, const hy_sim *sim)
{
    for (size_t i = 0; i < hy_sim_boards(sim); i++) {
        const hy_sim_fault_counts counts = hy_sim_faults(sim, i);
        add(&sum->to_robot, &counts.to_robot);
        add(&sum->from_robot, &counts.from_robot);
    }
}

void hy_host_faults_print_sum(const char *program, const hy_sim_fault_counts *sum)
{
    print_direction(program, "to the robots", &sum->to_robot);
    print_direction(program, "from the robots", &sum->from_robot);
}

void hy_host_faults_sum_up(const char *program, const char *text, const hy_sim *sim)
{
    for (size_t i = 0; i < hy_sim_boards(sim) && text != NULL; i++) {
        const hy_sim_fault_counts counts = hy_sim_faults(sim, i);
        print_direction(program, "to the robot", &counts.to_robot);
        print_direction(program, "from the robot", &counts.from_robot);
    }
}
