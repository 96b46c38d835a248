#include <halyard/base.h>

void hy_path_name(const char *path, char *out, size_t room)
{
    const char *name = path, *end = path;
    for (; *end != '\0'; end++) {
        name = *end == '/' ? end + 1 : name;
    }
    for (const char *at = end; at > name; at--) {
        if (*at == '.') {
            end = at;
            break;
        }
    }
    size_t size = 0;
    for (; name < end && size + 1 < room; name++) {
        out[size++] = *name;
    }
    out[size] = '\0';
}
