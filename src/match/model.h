/// @file model.h
/// What a match is played on, and with whom.
#ifndef HY_MATCH_MODEL_H
#define HY_MATCH_MODEL_H

#include <halyard/match.h>

struct hy_match_model {
    hy_world_model *world;
    hy_point middle; ///< Of the field, in the world.
    unsigned players;
    size_t extra_vehicles;
    size_t player_vehicle[HY_MATCH_PLAYERS], extra_vehicle[HY_WORLD_VEHICLES];
};

#endif
