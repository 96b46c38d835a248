/// @file scene.h
/// What other programs are told about a match: the messages of the interface document (icd.h), converted
/// from and to the SI units of match.h. The only place where its integers and the match meet.
#ifndef HALYARD_SCENE_H
#define HALYARD_SCENE_H

#include <halyard/icd.h>
#include <halyard/match.h>

#ifdef __cplusplus
extern "C" {
#endif

// --------------------------------------------------------------------------- messages of a match

/// Commands of the interface document as shares of full speed: exactly n / 512. O(1), cannot fail.
///
///     hy_icd_read_commands(reader, bytes, &message);
///     const hy_match_commands commands = hy_match_commands_from_icd(&message);
hy_match_commands hy_match_commands_from_icd(const hy_icd_commands *message);

/// Sim -> core. Encoders become ten bits, 1024 counts a turn of the wheel. The lidar's points stay the match's,
/// valid until its next step. O(1), cannot fail.
void hy_icd_sensors_from_match(const hy_match_sensors *sensors, hy_icd_sensors *out);

/// Sim -> view. The lidars' points stay the match's, valid until its next step. O(robots and pieces), cannot fail.
void hy_icd_match_from_state(const hy_match_state *state, hy_icd_match *out);

#ifdef __cplusplus
}
#endif

#endif
