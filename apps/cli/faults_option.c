#include "faults_option.h"

#include <halyard/robot.h>

#include <inttypes.h>
#include <stdio.h>

#include "app.h"

bool faults_option_read(const char *command, const char *text, hy_faults_spec *out)
{
    hy_faults_error error;
    *out = (hy_faults_spec){ 0 };
    if (text == NULL || hy_robot_read_faults(text, out, &error) == HY_OK) {
        return true;
    }
    app_error(command, "--faults: %s", error.text);
    return false;
}

bool faults_option_has_board(const char *command, const char *text, size_t boards)
{
    if (text == NULL || boards > 0) {
        return true;
    }
    app_error(command, "--faults is for the robots of --board, and there is none");
    return false;
}

void faults_option_announce(const char *command, const char *text)
{
    if (text != NULL) {
        app_error(command, "injecting faults: %s", text);
    }
}

static void print_direction(const char *command, const char *what, const hy_faults_counters *c)
{
    app_error(command,
              "faults, %s: %" PRIu64 " datagrams, %" PRIu64 " passed; lost %" PRIu64
              ", in bursts %" PRIu64 ", in outages %" PRIu64 ", for the rate limit %" PRIu64
              "; %" PRIu64 " doubled, %" PRIu64 " reordered, %" PRIu64 " corrupted, %" PRIu64
              " truncated",
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

void faults_option_add(hy_sim_fault_counts *sum, const hy_sim *sim)
{
    for (size_t i = 0; i < hy_sim_boards(sim); i++) {
        const hy_sim_fault_counts counts = hy_sim_faults(sim, i);
        add(&sum->to_robot, &counts.to_robot);
        add(&sum->from_robot, &counts.from_robot);
    }
}

void faults_option_print_sum(const char *command, const hy_sim_fault_counts *sum)
{
    print_direction(command, "to the robots", &sum->to_robot);
    print_direction(command, "from the robots", &sum->from_robot);
}

void faults_option_sum_up(const char *command, const char *text, const hy_sim *sim)
{
    for (size_t i = 0; i < hy_sim_boards(sim) && text != NULL; i++) {
        const hy_sim_fault_counts counts = hy_sim_faults(sim, i);
        print_direction(command, "to the robot", &counts.to_robot);
        print_direction(command, "from the robot", &counts.from_robot);
    }
}
