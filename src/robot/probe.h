/// @file probe.h
/// What a search and a check have in common: the question, and how to wait for answers.
#ifndef HALYARD_ROBOT_PROBE_H
#define HALYARD_ROBOT_PROBE_H

#include <halyard/base.h>

/// One byte that asks "who is there?": too short for a command, whatever it is.
#define HY_ROBOT_PROBE ((hy_bytes){ (const uint8_t *)"?", 1 })

#endif
