#include "board_print.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/figures.h"
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

static hy_board_counters sum_of(const board_options *options, const board_robot *robots)
{
    hy_board_counters sum = { .commands = 0 };
    for (size_t i = 0; i < options->count; i++) {
        const hy_board_counters *const c = hy_board_counts(hy_sim_board_at(robots[i].sim, 0));
        sum.commands += c->commands;
        sum.statuses += c->statuses;
        sum.probes_answered += c->probes_answered;
        sum.watchdog_trips += c->watchdog_trips;
        sum.rx_too_short += c->rx_too_short;
        sum.rx_sequence += c->rx_sequence;
        sum.rx_old += c->rx_old;
        sum.rx_strangers += c->rx_strangers;
        sum.rx_malformed += c->rx_malformed;
    }
    return sum;
}

static void print_figures(const hy_board_counters *c, uint64_t overflowed, double ran_s)
{
    const figure figures[] = {
        { "ran_s", ran_s },
        { "commands", (double)c->commands },
        { "statuses", (double)c->statuses },
        { "probes_answered", (double)c->probes_answered },
        { "watchdog_trips", (double)c->watchdog_trips },
        { "too_short", (double)c->rx_too_short },
        { "late_or_doubled", (double)c->rx_sequence },
        { "read_too_late", (double)c->rx_old },
        { "from_strangers", (double)c->rx_strangers },
        { "malformed", (double)c->rx_malformed },
        { "overflowed", (double)overflowed },
    };
    FIGURES_PRINT(figures);
}

// What a person wants to know; --json has all of it.
static void print_sentence(const board_options *options, const hy_board_counters *c,
                           uint64_t overflowed, double ran_s)
{
    char robots[32] = "", stops[96] = "", unused[64] = "";
    const uint64_t useless = c->rx_too_short + c->rx_sequence + c->rx_old + c->rx_strangers +
                             c->rx_malformed + overflowed;
    if (options->count > 1) {
        (void)snprintf(robots, sizeof robots, "%" PRIu64 " robots ", options->count);
    }
    if (c->watchdog_trips > 0) {
        (void)snprintf(stops, sizeof stops,
                       "; %" PRIu64 " times a robot stopped because no command came any more",
                       c->watchdog_trips);
    }
    if (useless > 0) {
        (void)snprintf(unused, sizeof unused, "; %" PRIu64 " datagrams could not be used", useless);
    }
    hy_print_error(BOARD_COMMAND, "%sran %.1f s and obeyed %" PRIu64 " commands%s%s", robots, ran_s,
                   c->commands, stops, unused);
}

void board_print_end(const board_options *options, board_robot *robots, double ran_s)
{
    const hy_board_counters sum = sum_of(options, robots);
    hy_sim_fault_counts faults = { .to_robot = { .put = 0 } };
    uint64_t overflowed = 0;
    for (size_t i = 0; i < options->count; i++) {
        hy_host_faults_add(&faults, robots[i].sim);
        overflowed += hy_host_boards_overflowed(&robots[i].boards);
    }
    if (options->is_json) {
        print_figures(&sum, overflowed, ran_s);
    } else {
        print_sentence(options, &sum, overflowed, ran_s);
    }
    if (options->count == 1) {
        hy_host_faults_sum_up(BOARD_COMMAND, options->faults.text, robots[0].sim);
    } else if (options->faults.text != NULL) {
        hy_host_faults_print_sum(BOARD_COMMAND, &faults);
    }
}
