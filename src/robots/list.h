/// @file list.h
/// The rows of the table of robots.
#ifndef HALYARD_ROBOTS_LIST_H
#define HALYARD_ROBOTS_LIST_H

#include <halyard/robots.h>

extern const hy_robot_type robots_list[];
extern const size_t robots_list_count;

// The rows of the file that HALYARD_EXTRA_ROBOTS names, if it names one.
extern const hy_robot_type hy_extra_robots[];
extern const size_t hy_extra_robot_count;

#endif
