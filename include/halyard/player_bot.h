/// @file player_bot.h
/// A player of the four-part simulator that plays a whole match by itself: it finds balls with its
/// robot's lidar, drives around obstacles and other robots, takes the balls in and brings them to
/// its alliance's goal. It knows of the match only what the sim tells every core: the robot's pose,
/// its lidar and, in the later form of the messages, how many balls are aboard; and, as every team
/// does, the map of the field.
///
/// Pure: opens no socket and no file, and time is an argument. One thread at a time.
///
///     static hy_icd_commands play(hy_player_bot *bot, const hy_icd_sensors *newest,
///                                 int64_t now_us)
///     {
///         return hy_player_bot_drive(bot, newest, true, now_us);
///     }
#ifndef HALYARD_PLAYER_BOT_H
#define HALYARD_PLAYER_BOT_H

#include <halyard/base.h>
#include <halyard/icd.h>

HY_API_BEGIN

/// The map of a field. The bot copies it.
typedef struct {
    /// Of the edge, the obstacles and the goals, metres in the field's frame; hy_match_walls() has
    /// them. 1 to 4096.
    const hy_segment *walls;
    size_t wall_count;    ///< How many `walls`.
    hy_point goal[3];     ///< The middle of each alliance's goal, by hy_alliance.
    double ball_radius_m; ///< Of the game pieces.
} hy_player_field;

/// How well it plays.
typedef enum {
    HY_PLAYER_EASY, ///< One ball at a time, at half the speed, with a rest after each.
    HY_PLAYER_HARD, ///< Three balls at a time, as fast as it can steer.
} hy_player_skill;

/// A bot. Opaque.
typedef struct hy_player_bot hy_player_bot;

/// Makes a bot for a field, about 140 kB for that of 2020; it learns its alliance from the half of
/// the field in which its robot stands at the first state. NULL if memory is used up, or the map
/// has no walls, too many or one that is not finite. End it with hy_player_bot_free().
hy_player_bot *hy_player_bot_new(const hy_player_field *field, hy_player_skill skill);
void hy_player_bot_free(hy_player_bot *self); ///< Harmless on NULL.

/// The commands at `now_us` for the newest `sensors`, which are `is_new` if they came since the
/// last call: drive, intakes and tube; it presses no button. Nothing without a pose. Allocates
/// nothing. O(points and balls), and four times a second O(cells log cells) for a new path.
hy_icd_commands hy_player_bot_drive(hy_player_bot *self, const hy_icd_sensors *sensors, bool is_new,
                                    int64_t now_us);

/// What a bot is doing, for a status line, a picture or a test.
typedef struct {
    const char *doing;   ///< "looking for balls", "fetching a ball", ...; static.
    hy_point target;     ///< Where it drives to, field's frame.
    size_t balls_seen;   ///< Balls on the floor that it knows of.
    unsigned balls_held; ///< That it believes to be aboard.
} hy_player_bot_facts;
/// O(balls).
hy_player_bot_facts hy_player_bot_describe(const hy_player_bot *self);

HY_API_END

#endif
