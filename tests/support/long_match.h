/// A match in which all six robots and two boards are driven in every step, recorded as fast as it can be computed.
#ifndef LONG_MATCH_H
#define LONG_MATCH_H

#include <halyard/match.h>

#define LONG_MATCH_PLAYERS 6
#define LONG_MATCH_BOARDS  2
#define LONG_MATCH_STEP_US 10000

/// Records `seconds` of a match with extra vehicles (read_match_with_extra_vehicles()) to `path`, with `boards` of them driven. If it cannot, it prints why
/// and returns false.
bool record_long_match(const hy_match_model *model, const char *path, double seconds, size_t boards);

#endif
