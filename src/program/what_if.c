#include "what_if.h"

#include <halyard/robots.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "system/system.h"
#include "text/text_plain.h"

#define ERROR_MAX 320
#define PEERS_MAX 64 // that are told apart; others do not count as drivers

// --------------------------------------------------------------------------- who drove which board

typedef struct {
    hy_endpoint peer;
    uint64_t datagrams;
} board_peer;

static bool find_boards(program_what_if *self, const hy_program *program, size_t *robots, char *error)
{
    const hy_sim_setup *const setup = hy_record_inputs_setup(self->inputs);
    size_t count = 0;
    while (count < HY_PROGRAM_ROBOTS && hy_program_device_class(&program->robots[count]) != NULL) {
        const hy_robot_type *const type = hy_program_robot_type(&program->robots[count]);
        size_t board = 0;
        for (size_t i = 0; i < count; i++) { // the next one of its type
            board = hy_program_robot_type(&program->robots[i]) == type ? self->recorded.boards[i] + 1
                                                                       : board;
        }
        while (board < setup->board_count &&
               hy_robot_type_of_board(setup->boards[board].options.kind, NULL) != type) {
            board++;
        }
        if (board == setup->board_count) {
            (void)snprintf(error, ERROR_MAX, "it has no board for robot %zu of this program (%s)",
                           count + 1, type != NULL ? type->title : "a robot of another kind");
            return false;
        }
        self->recorded.boards[count++] = board;
    }
    *robots = count;
    return true;
}

static void count_datagram(board_peer peers[PEERS_MAX], const hy_sim_datagram *datagram)
{
    size_t i = 0;
    while (i < PEERS_MAX && peers[i].datagrams > 0 &&
           !hy_endpoint_equal(&peers[i].peer, &datagram->peer)) {
        i++;
    }
    if (i < PEERS_MAX && datagram->bytes.size >= HY_WIRE_HEADER_SIZE) { // a probe is one byte
        peers[i].peer = datagram->peer;
        peers[i].datagrams++;
    }
}

// Whoever sent a board most: others are strangers, and stay.
static bool find_driver(program_what_if *self, size_t robot, char *error)
{
    board_peer peers[PEERS_MAX] = { { .datagrams = 0 } };
    hy_sim_input input;
    hy_record_inputs_rewind(self->inputs);
    while (hy_record_inputs_next(self->inputs, &input)) {
        for (size_t i = 0; i < input.datagram_count; i++) {
            if (input.datagrams[i].board == self->recorded.boards[robot]) {
                count_datagram(peers, &input.datagrams[i]);
            }
        }
    }
    hy_record_inputs_rewind(self->inputs);
    const board_peer *driver = &peers[0];
    for (size_t i = 1; i < PEERS_MAX; i++) {
        driver = peers[i].datagrams > driver->datagrams ? &peers[i] : driver;
    }
    self->recorded.drivers[robot] = driver->peer;
    if (driver->datagrams == 0) {
        (void)snprintf(error, ERROR_MAX,
                       "nobody drove robot %zu in it, so it does not say when to enable", robot + 1);
    }
    return driver->datagrams > 0;
}

// --------------------------------------------------------------------------- start and end

static bool next_input(void *context, hy_sim_input *input)
{
    return hy_record_inputs_next(context, input);
}

static hy_status read_file(program_what_if *self, const hy_program *program, char *error)
{
    hy_world_error why = { "" };
    size_t robots = 0;
    const hy_status status = hy_record_inputs_open(self->file, &self->inputs, &why);
    if (status != HY_OK) {
        (void)snprintf(error, ERROR_MAX, "%.300s", why.text);
        return status;
    }
    if (!find_boards(self, program, &robots, error)) {
        return HY_ERANGE;
    }
    for (size_t i = 0; i < robots; i++) {
        if (!find_driver(self, i, error)) {
            return HY_ERANGE;
        }
    }
    self->recorded.sim = hy_record_inputs_setup(self->inputs);
    self->recorded.next = next_input;
    self->recorded.context = self->inputs;
    return HY_OK;
}

hy_status program_what_if_open(program_what_if *self, const hy_program *program, const char *path,
                               char *error)
{
    char why[ERROR_MAX] = "";
    *self = (program_what_if){ .inputs = NULL };
    if (!hy_file_map(path, &self->file, error)) {
        return HY_EFILE;
    }
    const hy_status status = read_file(self, program, why);
    if (status != HY_OK) {
        (void)snprintf(error, ERROR_MAX, "%.100s: %.200s", path, why);
    }
    return status;
}

void program_what_if_close(program_what_if *self)
{
    hy_record_inputs_close(self->inputs);
    hy_file_unmap(&self->file);
}

// --------------------------------------------------------------------------- what is printed

static void print_row(const char *name, double before, double now)
{
    hy_print(stdout, "  %-26s %14.6g %14.6g%s\n", name, before, now,
             before < now || before > now ? "  *" : "");
}

void program_what_if_print(const program_what_if *self, const hy_program *program,
                           const hy_run_outcome *now)
{
    const hy_run_outcome *const before = &self->before.run;
    hy_print(stdout, "  %-26s %14s %14s\n", program->name, "recorded", "now");
    print_row("time, s", before->time_s, now->time_s);
    print_row("driven, m", before->driven_m, now->driven_m);
    print_row("x, m", before->x_m, now->x_m);
    print_row("y, m", before->y_m, now->y_m);
    print_row("heading, degrees", hy_deg_from_rad(before->heading_rad),
              hy_deg_from_rad(now->heading_rad));
    print_row("touched something", (double)before->touches, (double)now->touches);
    print_row("stopped by its watchdog", (double)before->watchdog_trips, (double)now->watchdog_trips);
    if (now->has_line) {
        print_row("laps", before->laps, now->laps);
        print_row("from the line, mean, mm", before->line_mean_m * 1e3, now->line_mean_m * 1e3);
        print_row("from the line, most, mm", before->line_most_m * 1e3, now->line_most_m * 1e3);
    }
    if (now->has_score) {
        print_row("score of blue", before->blue_score, now->blue_score);
        print_row("score of red", before->red_score, now->red_score);
    }
    if (self->before.differing_step == 0) {
        hy_print(stdout, "%s: all %" PRIu64 " steps are equal, bit for bit", program->name,
                 now->steps);
    } else {
        hy_print(stdout, "%s: different from step %" PRIu64 " of %" PRIu64 " on", program->name,
                 self->before.differing_step, now->steps);
    }
    const char *const damage = hy_record_inputs_damage(self->inputs);
    hy_print(stdout, "%s%s\n", damage[0] != '\0' ? "; " : "", damage);
}
