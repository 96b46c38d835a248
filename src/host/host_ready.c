#include "host_ready.h"

#include <halyard/link.h>
#include <halyard/robot.h>

#include <stdarg.h>
#include <string.h>

#include "text/text_plain.h"

#define START "halyard: ready"

void hy_ready_line_add(hy_ready_line *self, const char *key, const char *format, ...)
{
    const size_t used = strlen(self->pairs);
    const size_t room = sizeof self->pairs - used;
    const int head = snprintf(self->pairs + used, room, " %s=", key);
    va_list values;
    va_start(values, format);
    const bool fits = (size_t)head < room &&
                      vsnprintf(self->pairs + used + head, room - (size_t)head, format, values) <
                          (int)(room - (size_t)head);
    va_end(values);
    if (!fits) {
        self->pairs[used] = '\0';
    }
}

void hy_ready_line_add_address(hy_ready_line *self, const char *key, const hy_endpoint *listen)
{
    char text[HY_ENDPOINT_TEXT_MAX];
    const hy_endpoint usable = hy_endpoint_local(listen);
    hy_ready_line_add(self, key, "%s", hy_endpoint_format(&usable, text));
    char others[HY_ROBOT_REACHABLE_MAX], others_key[32];
    if (hy_endpoint_is_every(listen) && hy_robot_reachable_at(listen, others)[0] != '\0') {
        for (char *at = others; (at = strchr(at, ' ')) != NULL;) {
            *at = ',';
        }
        (void)snprintf(others_key, sizeof others_key, "%s_others", key);
        hy_ready_line_add(self, others_key, "%s", others);
    }
}

void hy_ready_line_print(const hy_ready_line *self, FILE *out)
{
    hy_print(out, START "%s\n", self->pairs);
    fflush(out);
}

bool hy_ready_line_is(const char *line)
{
    const size_t size = sizeof START - 1;
    return strncmp(line, START, size) == 0 && (line[size] == ' ' || line[size] == '\0');
}

bool hy_ready_line_find(const char *line, const char *key, char *out, size_t size)
{
    out[0] = '\0';
    const size_t key_size = strlen(key);
    const char *at = hy_ready_line_is(line) ? line + sizeof START - 1 : "";
    while (*at == ' ') {
        at++;
        const size_t pair_size = strcspn(at, " ");
        if (pair_size > key_size && at[key_size] == '=' && strncmp(at, key, key_size) == 0) {
            const size_t value_size = pair_size - key_size - 1;
            if (value_size >= size) {
                return false;
            }
            memcpy(out, at + key_size + 1, value_size);
            out[value_size] = '\0';
            return true;
        }
        at += pair_size;
    }
    return false;
}
