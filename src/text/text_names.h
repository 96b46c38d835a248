/// @file text_names.h
/// Names and their numbers, 1, 2, 3 .. in the order in which they are added: a crit-bit tree, whose
/// time depends on the length of a name alone, so that no choice of names makes it slow.
///
///     hy_names names = { .count = 0 };
///     const uint32_t number = hy_names_add(&names, (hy_bytes){ (const uint8_t *)"left", 4 });
///     if (number == 0) { puts("no memory"); }
///     hy_names_free(&names);
#ifndef HALYARD_TEXT_NAMES_H
#define HALYARD_TEXT_NAMES_H

#include <halyard/base.h>

/// All zero is empty.
typedef struct {
    // Private.
    struct hy_name *names;
    uint32_t count, room, root;
} hy_names;

/// The number of a name; 0: it was not added. O(size of the name).
uint32_t hy_names_find(const hy_names *self, hy_bytes name);

/// The number of a name, a new one if it was not added before; 0: there is no memory for it. Its
/// bytes must stay. O(size of the name).
uint32_t hy_names_add(hy_names *self, hy_bytes name);

/// Frees the tree, not the bytes of the names; it is empty then.
void hy_names_free(hy_names *self);

#endif
