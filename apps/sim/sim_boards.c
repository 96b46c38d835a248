#include "sim_boards.h"

#include <halyard/robots.h>
#include <halyard/worldfile.h>
#include <stdio.h>
#include <string.h>

#include "cli/app.h"
#include "cli/network_notice.h"
#include "options/options.h"
#include "system/system.h"
#include "text/text_decimal.h"
#include "text/text_plain.h"

// Free floor of the field of 2020 beside its middle line, a metre and a half apart.
#define PLACE_X_M 1.5

// --------------------------------------------------------------------------- the command line

// Reads what stands behind the address: ",X,Y[,DEGREES]". Changes `text`.
static bool read_place(char *text, sim_board_plan *out)
{
    double numbers[3] = { 0.0, 0.0, 0.0 };
    size_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest)) {
        if (count == 3 || !hy_decimal_read(word, &numbers[count++])) {
            return false;
        }
    }
    out->x_m = numbers[0];
    out->y_m = numbers[1];
    out->heading_rad = hy_rad_from_deg(numbers[2]);
    return count >= 2;
}

bool sim_board_read(const char *command, const char *text, size_t index, sim_board_plan *out)
{
    char copy[128];
    const size_t length = strcspn(text, "@");
    snprintf(copy, sizeof copy, "%.*s", (int)length, text);
    const hy_robot_type *const type = hy_robot_type_find(copy);
    *out = (sim_board_plan){ .kind = type != NULL ? type->variants[0].board : NULL,
                             .x_m = PLACE_X_M * (index % 2 == 0 ? 1.0 : -1.0) };
    bool fits = type != NULL && text[length] == '@' && strlen(text) < sizeof copy;
    if (fits) {
        snprintf(copy, sizeof copy, "%s", text + length + 1);
        char *const place = strchr(copy, ',');
        if (place != NULL) {
            *place = '\0';
            fits = read_place(place + 1, out);
        }
        fits = fits && hy_endpoint_parse(copy, HY_WIRE_PORT, &out->listen) == HY_OK;
    }
    if (!fits) {
        hy_print_error(
            command,
            "--board needs a robot and its address, as in xrp@127.0.0.1:3540, and perhaps a "
            "place, as in "
            "teensy@127.0.0.1:3541,1.5,0,90; not '%s'",
            text);
    }
    return fits;
}

bool sim_board_add_vehicle(const sim_board_plan *plan, const hy_robot_traits *traits,
                           hy_match_spec *spec)
{
    const hy_robot_variant *variant = NULL;
    hy_robot_type_of_board(plan->kind, &variant);
    const hy_point at = { plan->x_m, plan->y_m };
    if (hy_match_spec_add_vehicle(spec, variant->vehicle, at, plan->heading_rad) == NULL) {
        return false;
    }
    hy_worldfile_set_robots(&spec->world, &(hy_worldfile_robots){ .traits = traits });
    return true;
}

// --------------------------------------------------------------------------- life

void sim_boards_fill(const sim_board_plan *plans, size_t count, const hy_match_model *model,
                     hy_sim_board out[SIM_BOARDS_MAX])
{
    for (size_t i = 0; i < count; i++) {
        out[i] = (hy_sim_board){ hy_match_extra_vehicle(model, i), { .kind = plans[i].kind } };
    }
}

static bool open_one(sim_boards *self, size_t index, const char *command, const sim_board_plan *plan)
{
    char text[HY_ENDPOINT_TEXT_MAX], owner[HY_PORT_OWNER_MAX];
    self->kind[index] = plan->kind;
    const hy_status status = hy_link_open(&self->ports.link[index], &plan->listen);
    self->ports.count += status == HY_OK ? 1 : 0;
    if (status != HY_OK) {
        hy_print_error(command, "cannot listen on %s for --board: %s%s",
                       hy_endpoint_format(&plan->listen, text),
                       status == HY_EADDRESS
                           ? "this machine has no such address; 0.0.0.0 is all that it has"
                       : status == HY_EINUSE ? "another program has that port; choose another"
                                             : hy_status_text(status),
                       hy_port_owner(status, plan->listen.port, false, owner));
    }
    return status == HY_OK;
}

bool sim_boards_open(sim_boards *self, const char *command, const sim_board_plan *plans, size_t count)
{
    *self = (sim_boards){ .ports.program = command };
    for (size_t i = 0; i < count; i++) {
        if (!open_one(self, i, command, &plans[i])) {
            return false;
        }
        char text[HY_ENDPOINT_TEXT_MAX];
        const hy_endpoint *const local = &self->ports.link[i].local;
        const hy_endpoint usable = hy_endpoint_local(local);
        hy_print(stdout, "%s listening on %s\n", hy_robot_type_of_board(plans[i].kind, NULL)->name,
                 hy_endpoint_format(&usable, text));
        network_notice(local,
                       "can drive this robot and read its sensors: its protocol has no password");
    }
    return true;
}

void sim_boards_tell(const sim_boards *self, const hy_match_model *model, const hy_sim *sim,
                     hy_icd_status *status)
{
    const hy_point middle = hy_match_middle(model);
    status->robot_count = self->ports.count;
    for (size_t i = 0; i < self->ports.count; i++) {
        const hy_truth truth = hy_sim_truth(sim, hy_match_extra_vehicle(model, i));
        const hy_robot_type *const type = hy_robot_type_of_board(self->kind[i], NULL);
        status->robot[i] = (hy_icd_robot){ .x_m = truth.x_m - middle.x_m,
                                           .y_m = truth.y_m - middle.y_m,
                                           .theta_rad = truth.heading_rad,
                                           .enabled = hy_board_is_enabled(hy_sim_board_at(sim, i)),
                                           .battery_v = truth.battery_v };
        snprintf(status->robot[i].kind, sizeof status->robot[i].kind, "%s",
                 hy_world_vehicle_kind(hy_match_world(model), hy_match_extra_vehicle(model, i)));
        snprintf(status->robot[i].name, sizeof status->robot[i].name, "%s", type->title);
    }
}
