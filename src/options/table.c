#include "table.h"

#include <string.h>

option_entry option_at(const hy_command_line *line, size_t index)
{
    for (size_t i = 0; i < line->group_count; i++) {
        hy_option_group *const group = &line->groups[i];
        if (index < group->count) {
            return (option_entry){ group, &group->options[index] };
        }
        index -= group->count;
    }
    return (option_entry){ NULL, NULL };
}

option_entry option_find(const hy_command_line *line, const char *name, size_t size)
{
    option_entry found;
    for (size_t i = 0; (found = option_at(line, i)).option != NULL; i++) {
        const char *const known = found.option->name;
        if (known != NULL && strlen(known) == size && memcmp(known, name, size) == 0) {
            break;
        }
    }
    return found;
}

option_entry option_needed(const hy_command_line *line, option_entry e)
{
    const char *const own = e.option->needs, *const of_group = e.group->needs;
    const option_entry needed =
        own != NULL ? option_find(line, own, strlen(own)) : (option_entry){ NULL, NULL };
    return needed.option != NULL || of_group == NULL ? needed
                                                     : option_find(line, of_group, strlen(of_group));
}
