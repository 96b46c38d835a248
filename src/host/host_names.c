#include "host_names.h"

// clang-format off
static const hy_option table[] = {
    { HY_OPTION(LIST, hy_host_names, hosts), .name = "allow-host", .value = "NAME", .help = "serve browsers that call this computer NAME, not only by its addresses; may be repeated" },
    { HY_OPTION(LIST, hy_host_names, origins), .name = "nt-allow-origin", .value = "SCHEME://HOST[:PORT]", .help = "let web pages of that origin connect like programs of their computer, such as http://localhost:5173; may be repeated" },
};
// clang-format on

static bool allow(const char *program, hy_web_names *names, const hy_option *option,
                  const hy_option_list *list, bool (*add)(hy_web_names *names, const char *value))
{
    for (size_t i = 0; i < list->count; i++) {
        if (!add(names, list->items[i])) {
            hy_print_error(program, "--%s needs %s, up to %d times in all, not '%s'", option->name,
                           option->value, HY_WEB_NAMES_MAX, list->items[i]);
            return false;
        }
    }
    return true;
}

static bool check(const char *program, void *to)
{
    hy_host_names *const self = to;
    self->names.count = 0;
    return allow(program, &self->names, &table[0], &self->hosts, hy_web_allow_host) &&
           allow(program, &self->names, &table[1], &self->origins, hy_web_allow_origin);
}

hy_option_group hy_host_names_group(hy_host_names *to, bool serves_nt)
{
    hy_option_group group = HY_OPTION_GROUP_CHECKED(NULL, table, to, check);
    group.count = serves_nt ? 2 : 1;
    to->hosts = (hy_option_list){ .items = to->host_items, .room = HY_WEB_NAMES_MAX };
    to->origins = (hy_option_list){ .items = to->origin_items, .room = HY_WEB_NAMES_MAX };
    return group;
}
