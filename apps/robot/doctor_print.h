/// @file doctor_print.h
/// What `halyard doctor` has learnt, for people and for programs.
#ifndef HALYARD_APPS_DOCTOR_PRINT_H
#define HALYARD_APPS_DOCTOR_PRINT_H

#include <halyard/robot.h>
#include <halyard/robot_check.h>

#include <stdio.h>

/// What a search was about, beside its candidates.
typedef struct {
    const hy_robot_search *search;
    const hy_robot_network *too_large; ///< Networks that were not swept for their size.
    size_t too_large_count;
    bool is_sweep;
    bool is_in_robots_wifi; ///< This computer has an address beside HY_ROBOT_ACCESS_POINT.
} doctor_search;

/// One robot that was looked at.
typedef struct {
    const char *url;
    hy_endpoint address;
    hy_robot_report report;
    hy_robot_finding findings[HY_FINDINGS];
    size_t finding_count;
} doctor_target;

/// A table of who answered, and what to do next. As JSON: one object on one line.
void doctor_print_search(const doctor_search *found);
void doctor_print_search_json(const doctor_search *found);

/// The figures in columns, then the findings as sentences. As JSON: one object on one line.
void doctor_print_target(const doctor_target *target);
void doctor_print_target_json(const doctor_target *target);

/// What can be published of one robot: no address, name or folder. `calibration` is the path of a robot file, of which only the file's name
/// is written, and `grades` what conform found; both may be NULL.
void doctor_write_report(FILE *out, const doctor_target *target, const char *calibration,
                         const hy_conform_report *grades);

/// A robot whose address could not be found, as one object of JSON.
void doctor_print_failure_json(const char *url, const char *sentence);

/// True if one of the findings is trouble.
bool doctor_has_trouble(const doctor_target *target);

#endif
