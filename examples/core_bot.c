// A core that plays by itself until somebody takes its joystick: the ready-made bot, with room for a strategy of your own. It gets what every
// core gets, the robot's pose and its lidar, and knows the map of the field from its file.
//
//     build/halyard sim --bots 1 --players 1 &  build/examples/core_bot
#include <halyard/core.h>
#include <halyard/player.h>
#include <halyard/worldfile.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WALLS_MAX 512

typedef struct {
    hy_player_bot *bot;
    hy_player_mapping mapping;
    const char *doing; // as printed last
} pilot;

static hy_icd_commands think(void *context, const hy_core_input *in)
{
    pilot *const self = context;
    if (in->joystick_up) {
        return hy_player_map(&self->mapping, &in->sticks);
    }
    hy_icd_commands commands = hy_player_bot_drive(self->bot, &in->sensors, in->is_new, in->now_us);
    const hy_player_bot_facts facts = hy_player_bot_describe(self->bot);
    if (self->doing == NULL || strcmp(self->doing, facts.doing) != 0) {
        printf("%s; sees %zu balls, holds %u\n", facts.doing, facts.balls_seen, facts.balls_held);
        fflush(stdout);
        self->doing = facts.doing;
    }
    // Your strategy goes here: change `commands`, or do not ask the bot at all.
    return commands;
}

static hy_player_bot *make_bot(const char *world)
{
    char path[HY_WORLDFILE_PATH_MAX];
    hy_world_error error;
    hy_match_model *model;
    if (!hy_worldfile_find(world, path, &error) ||
        hy_worldfile_load_match(path, &model, &error) != HY_OK) {
        fprintf(stderr, "core_bot: %s\n", error.text);
        return NULL;
    }
    hy_segment walls[WALLS_MAX];
    hy_player_field field = {
        .walls = walls,
        .wall_count = hy_match_walls(model, walls, WALLS_MAX),
        .ball_radius_m = hy_world_describe(hy_match_world(model)).piece_radius_m,
    };
    field.goal[HY_ALLIANCE_BLUE] = hy_match_goal(model, HY_ALLIANCE_BLUE);
    field.goal[HY_ALLIANCE_RED] = hy_match_goal(model, HY_ALLIANCE_RED);
    hy_match_free(model);
    return field.wall_count <= WALLS_MAX ? hy_player_bot_open(&field, HY_PLAYER_HARD) : NULL;
}

int main(int argc, char **argv)
{
    pilot self = { .bot = make_bot("field2020") };
    if (self.bot == NULL) {
        return 1;
    }
    const hy_core_options options = { .player = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1,
                                      .shift = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0 };
    const hy_status status = hy_core_run(&options, think, &self);
    if (status != HY_OK) {
        fprintf(stderr, "core_bot: %s\n", hy_status_text(status));
    }
    hy_player_bot_close(self.bot);
    return status == HY_OK ? 0 : 1;
}
