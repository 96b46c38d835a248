/// @file person.h
/// The names that people give themselves (docs/spec/page.md, "Names"). Pure.
#ifndef HY_VIEW_PERSON_H
#define HY_VIEW_PERSON_H

#include <halyard/base.h>

#define VIEW_NAME_CHARACTERS 20
#define VIEW_NAME_SIZE       (4 * VIEW_NAME_CHARACTERS + 1)

/// Copies a name with a NUL behind it. False, and nothing is copied, if it is longer than VIEW_NAME_CHARACTERS, not UTF-8, has a
/// character that is not seen or that changes how its neighbours are shown: control, bidirectional, zero-width, line separators, tags,
/// or if none of its characters shows anything: blanks, fillers, combining marks alone. Nothing at all is a name: "".
bool view_name_take(char out[VIEW_NAME_SIZE], hy_bytes said);

#endif
