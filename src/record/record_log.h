/// @file record_log.h
/// Any WPILOG file, also those of other programs, played into a sink of telemetry, such as a
/// NetworkTables server's (nt.h): at any pace, from any moment. No file is opened here and no clock
/// is read.
///
///     static void play(hy_bytes file, hy_telemetry_sink sink)
///     {
///         hy_log_player *player;
///         hy_world_error error;
///         if (hy_log_player_open(file, sink, &player, &error) != HY_OK) {
///             puts(error.text);
///             return;
///         }
///         const hy_log_facts facts = hy_log_player_facts(player);
///         for (double at_s = facts.start_s; at_s < facts.end_s; at_s += 0.02) {
///             hy_log_player_move(player, at_s, (uint64_t)(at_s * 1e6));
///         }
///         hy_log_player_close(player);
///     }
#ifndef HALYARD_RECORD_LOG_H
#define HALYARD_RECORD_LOG_H

#include <halyard/telemetry.h>
#include <halyard/world.h>

typedef struct hy_log_player hy_log_player;

/// What a file has.
typedef struct {
    double start_s, end_s; ///< Of its first and last value but outliers; both 0 without values.
    size_t channels;       ///< That are played.
    size_t values;         ///< Of these channels.
    /// Channels that are not played: more than HY_CHANNELS_MAX, with a name that is too long, or
    /// with one that is there already.
    size_t left_out;
    const char *left_out_names; ///< The first of them, "NT:/a, NT:/b ..".
    const char *damage; ///< What cannot be read, with its offset, and outliers; "": neither.
} hy_log_facts;

/// Declares the channels of `file`, the bytes of a whole file, which must stay, to `sink`: with
/// their types and units, without "NT:" before their names, and not the inputs of a recording
/// (docs/spec/recording.md). HY_OK; or `*out` is NULL and `error` has a sentence: HY_EFORMAT (no
/// WPILOG file), HY_EMEMORY. Any bytes will do. O(size), and O(values log values) if they are not
/// in the order of time; 16 bytes a value. End it with hy_log_player_close(); the sink must outlive
/// it.
hy_status hy_log_player_open(hy_bytes file, hy_telemetry_sink sink, hy_log_player **out,
                             hy_world_error *error);
void hy_log_player_close(hy_log_player *self); ///< NULL is harmless.

/// O(1). The texts are the player's.
hy_log_facts hy_log_player_facts(const hy_log_player *self);

/// Moves on to `to_s`, of the file's time: puts every value since the last call. Back, or more than
/// two seconds on, it puts the newest value of each channel instead. The sink gets the values in
/// the order of time and at times that do not fall, the last of them at `now_us`. O(values), and
/// O(all values before `to_s`) for a jump.
void hy_log_player_move(hy_log_player *self, double to_s, uint64_t now_us);

#endif
