#include "robot_choices.h"

#include <string.h>

// Adds a name unless it is there; `names` ends with NULL.
static void add_name(const char *names[ROBOT_CHOICES_MAX + 1], const char *name)
{
    size_t count = 0;
    while (names[count] != NULL && strcmp(names[count], name) != 0) {
        count++;
    }
    if (count < ROBOT_CHOICES_MAX) {
        names[count] = name;
    }
}

void robot_choices_fill(robot_choices *out)
{
    *out = (robot_choices){ .types = { NULL } };
    const hy_robot_type *type;
    for (size_t i = 0; (type = hy_robot_type_at(i)) != NULL; i++) {
        add_name(out->types, type->name);
        for (size_t k = 0; k < type->variant_count; k++) {
            add_name(out->variants, type->variants[k].name);
        }
    }
}
