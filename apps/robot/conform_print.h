/// @file conform_print.h
/// The report of a graded robot: for people, as JSON, and as JUnit's XML, which CI systems show.
#ifndef HALYARD_APPS_CONFORM_PRINT_H
#define HALYARD_APPS_CONFORM_PRINT_H

#include <halyard/robot_check.h>

#include <stdio.h>

/// The whole report, to stdout. Failures come with what was sent, what was expected, what came and why it matters.
void conform_print(const hy_conform_report *report, const char *url);

/// One JSON object a line: each result, then the sum.
void conform_print_json(const hy_conform_report *report, const char *url);

/// JSON of a run that could not be graded: one object, which says why.
void conform_print_json_error(const char *url, const char *why);

/// JUnit's XML: a test suite with a test case for each result.
void conform_print_junit(FILE *out, const hy_conform_report *report, const char *url);

/// JUnit's XML of a run that could not be graded: one test case with an error, which says why.
void conform_print_junit_error(FILE *out, const char *url, const char *why);

#endif
