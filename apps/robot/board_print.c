#include "board_print.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/network_notice.h"
#include "host/host_ready.h"
#include "robot_world.h"
#include "text/text_plain.h"

// Which robot of its type it is. Values of the ready line have no blanks.
static void name_robot(const hy_sim *sim, hy_ready_line *ready)
{
    const hy_robot_traits *const traits = hy_world_traits(hy_sim_model(sim), ROBOT_WORLD_VEHICLE);
    if (traits != NULL) {
        char name[HY_ROBOT_TEXT];
        snprintf(name, sizeof name, "%s", traits->name);
        for (char *at = name; *at != '\0'; at++) {
            *at = *at == ' ' ? '_' : *at;
        }
        hy_ready_line_add(ready, "robot", "%s", name);
    }
}

void board_print_one(const board_options *options, const board_robot *robot, const hy_host_page *page)
{
    char text[HY_ENDPOINT_TEXT_MAX];
    const hy_endpoint *const local = &robot->boards.link[0].local;
    const hy_endpoint usable = hy_endpoint_local(local);
    hy_ready_line ready = { .pairs = "" };
    hy_ready_line_add_address(&ready, "udp", local);
    name_robot(robot->sim, &ready);
    hy_host_page_add(page, &ready);
    hy_host_nt_announce(&options->nt, &ready);
    hy_ready_line_print(&ready, stdout);
    hy_print(stdout, "listening on %s\n", hy_endpoint_format(&usable, text));
    network_notice(local,
                   "can drive this robot and read its sensors: its protocol has no password");
    hy_host_nt_notice(&options->nt, stdout);
    hy_host_faults_announce(BOARD_COMMAND, options->faults.text);
    fflush(stdout);
}

void board_print_many(const board_options *options, const hy_endpoint *first)
{
    hy_ready_line ready = { .pairs = "" };
    hy_ready_line_add_address(&ready, "udp", first);
    hy_ready_line_add(&ready, "count", "%" PRIu64, options->count);
    hy_ready_line_print(&ready, stdout);
    network_notice(first,
                   "can drive these robots and read their sensors: their protocol has no password");
    hy_host_faults_announce(BOARD_COMMAND, options->faults.text);
    fflush(stdout);
}

void board_print_end(const board_options *options, board_robot *robot, double ran_s)
{
    const hy_board_counters *const c = hy_board_counts(hy_sim_board_at(robot->sim, 0));
    hy_print_error(BOARD_COMMAND,
                   "ran %.1f s: %" PRIu64 " commands obeyed, %" PRIu64 " statuses sent, %" PRIu64
                   " probes answered, %" PRIu64 " watchdog trips; dropped %" PRIu64
                   " too short, %" PRIu64 " late or doubled, %" PRIu64 " read too late, %" PRIu64
                   " from strangers; %" PRIu64 " malformed",
                   ran_s, c->commands, c->statuses, c->probes_answered, c->watchdog_trips,
                   c->rx_too_short, c->rx_sequence, c->rx_old, c->rx_strangers, c->rx_malformed);
    hy_host_faults_sum_up(BOARD_COMMAND, options->faults.text, robot->sim);
    // What the board cannot count: it never saw them.
    const uint64_t overflowed = hy_host_boards_overflowed(&robot->boards);
    if (overflowed > 0) {
        hy_print_error(BOARD_COMMAND, "receive buffer overflowed; %" PRIu64 " datagrams lost",
                       overflowed);
    }
}

void board_print_ends(const board_options *options, board_robot *robots, double ran_s)
{
    hy_board_counters sum = { .commands = 0 };
    hy_sim_fault_counts faults = { .to_robot = { .put = 0 } };
    uint64_t overflowed = 0;
    for (size_t i = 0; i < options->count; i++) {
        hy_host_faults_add(&faults, robots[i].sim);
        const hy_board_counters *const c = hy_board_counts(hy_sim_board_at(robots[i].sim, 0));
        sum.commands += c->commands;
        sum.statuses += c->statuses;
        sum.watchdog_trips += c->watchdog_trips;
        overflowed += hy_host_boards_overflowed(&robots[i].boards);
    }
    hy_print_error(
        BOARD_COMMAND,
        "%" PRIu64 " robots ran %.1f s: %" PRIu64 " commands obeyed, %" PRIu64
        " statuses sent, %" PRIu64 " watchdog trips; %" PRIu64 " datagrams lost in this machine",
        options->count, ran_s, sum.commands, sum.statuses, sum.watchdog_trips, overflowed);
    if (options->faults.text != NULL) {
        hy_host_faults_print_sum(BOARD_COMMAND, &faults);
    }
}
