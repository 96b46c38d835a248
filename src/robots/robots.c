#include <halyard/board.h>
#include <halyard/robots.h>

#include <string.h>

#include "list.h"

const hy_robot_type *hy_robot_type_at(size_t index)
{
    if (index < robots_list_count) {
        return &robots_list[index];
    }
#ifdef HALYARD_HAS_EXTRA_ROBOTS
    if (index - robots_list_count < hy_extra_robot_count) {
        return &hy_extra_robots[index - robots_list_count];
    }
#endif
    return NULL;
}

const hy_robot_type *hy_robot_type_find(const char *name)
{
    const hy_robot_type *type = NULL;
    for (size_t i = 0; (type = hy_robot_type_at(i)) != NULL && strcmp(type->name, name) != 0; i++) {
    }
    return type;
}

const hy_robot_type *hy_robot_type_of_dialect(const hy_dialect *dialect)
{
    const hy_robot_type *type = NULL;
    for (size_t i = 0; (type = hy_robot_type_at(i)) != NULL && type->dialect != dialect; i++) {
    }
    return type;
}

const hy_robot_type *hy_robot_type_of_devices(const hy_device_class *devices)
{
    const hy_robot_type *type = NULL;
    for (size_t i = 0; (type = hy_robot_type_at(i)) != NULL && type->devices != devices; i++) {
    }
    return type;
}

const hy_robot_type *hy_robot_type_of_board(const hy_board_kind *board,
                                            const hy_robot_variant **variant)
{
    const hy_robot_type *type;
    for (size_t i = 0; (type = hy_robot_type_at(i)) != NULL; i++) {
        for (size_t k = 0; k < type->variant_count; k++) {
            if (type->variants[k].board == board) {
                if (variant != NULL) {
                    *variant = &type->variants[k];
                }
                return type;
            }
        }
    }
    return NULL;
}

int64_t hy_robot_status_period_us(const hy_robot_type *type)
{
    return type->variants[0].board->status_period_us;
}

const hy_robot_variant *hy_robot_variant_find(const hy_robot_type *type, const char *name)
{
    for (size_t i = 0; i < type->variant_count; i++) {
        if (strcmp(type->variants[i].name, name) == 0) {
            return &type->variants[i];
        }
    }
    return NULL;
}
