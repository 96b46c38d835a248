// Keys of maps from the tables of specs.
#include "read.h"

#include <assert.h>
#include <string.h>

bool hy_read_no_memory(hy_yaml *yaml, const hy_yaml_node *node)
{
    return hy_yaml_fail(yaml, HY_EMEMORY, node, "there is not enough memory for this world");
}

hy_spec_place hy_read_place(const hy_yaml_node *node)
{
    const hy_yaml_mark mark = hy_yaml_where(node);
    return (hy_spec_place){ (unsigned)mark.line + 1, (unsigned)mark.column + 1 };
}

// --------------------------------------------------------------------------- choices

/// The words of a choice, by its name.
static const char *const *words_of_choice(const char *name)
{
    static const char *const sides[] = { "", "blue", "red", NULL };
    static const char *const drives[] = { "dcmotor", "ideal", NULL };
    static const char *const decays[] = { "controller", "brake", "coast", NULL };
    return strcmp(name, "alliance") == 0 ? sides : strcmp(name, "decay") == 0 ? decays : drives;
}

// --------------------------------------------------------------------------- keys

static bool is_in(const hy_spec_field *field, const char *section)
{
    return section == NULL ? field->section == NULL
                           : field->section != NULL && strcmp(field->section, section) == 0;
}

void hy_read_add(hy_read_keys *keys, const hy_yaml_field *field)
{
    assert(keys->count < sizeof keys->field / sizeof keys->field[0]);
    keys->field[keys->count++] = *field;
}

void hy_read_add_section(hy_read_keys *keys, const hy_spec_table *table, const char *section)
{
    for (size_t i = 0; i < table->count; i++) {
        const hy_spec_field *from = &table->fields[i];
        hy_yaml_field key = { .key = from->name,
                              .required = from->needed,
                              .offset = from->offset,
                              .low = from->low,
                              .high = from->high,
                              .unit = from->unit };
        bool is_key = is_in(from, section);
        switch (from->type) {
        case HY_SPEC_NUMBER: key.type = HY_YAML_NUMBER; break;
        case HY_SPEC_POINT: key.type = HY_YAML_POINT; break;
        case HY_SPEC_TEXT: key.type = HY_YAML_TEXT; break;
        case HY_SPEC_CHOICE:
            key.type = HY_YAML_WORD;
            key.words = words_of_choice(from->name);
            break;
        case HY_SPEC_FLAG:
        case HY_SPEC_LIST:
        case HY_SPEC_MAT: is_key = false; break;
        }
        if (is_key) {
            hy_read_add(keys, &key);
        }
    }
}

bool hy_read_map(hy_yaml *yaml, const char *what, const hy_read_keys *keys, hy_yaml_node *node,
                 void *target)
{
    const hy_yaml_table table = { what, keys->field, keys->count, false };
    return hy_yaml_map(yaml, &table, node, target);
}

// --------------------------------------------------------------------------- points

bool hy_read_point_list(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                        hy_read_points *list)
{
    if (!hy_yaml_list(yaml, field->key, node, list->span, &list->count)) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        double point[2];
        if (!hy_yaml_point(yaml, field, hy_yaml_item(yaml, node, i), point)) {
            return false;
        }
        list->at[i] = (hy_point){ point[0], point[1] };
    }
    return true;
}

bool hy_read_convex(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                    hy_point *corners, size_t *count)
{
    hy_read_points list = { corners, { 3, HY_WORLD_CORNERS }, 0 };
    if (!hy_read_point_list(yaml, field, node, &list)) {
        return false;
    }
    *count = list.count;
    const char *wrong = hy_polygon_convex(corners, *count);
    return wrong == NULL || hy_yaml_fail(yaml, HY_ERANGE, node, "%s: %s", field->key, wrong);
}
