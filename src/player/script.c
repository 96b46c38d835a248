#include <halyard/player.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/text_decimal.h"

#define SECONDS_MAX 1e6
#define LINE_MAX_   500

typedef struct {
    hy_player_script *script;
    size_t room;
    hy_icd_sticks sticks; // as the lines so far left them
    double time_s;
    unsigned line;
    const char *name;
    hy_player_error error;
} parser;

__attribute__((format(printf, 3, 4))) static hy_status refuse(parser *self, hy_status status,
                                                              const char *format, ...)
{
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(self->error.text, self->error.size, "%s:%u: %s", self->name, self->line, what);
    return status;
}

// --------------------------------------------------------------------------- one line

static bool set_value(hy_icd_sticks *sticks, const char *key, size_t key_size, double value,
                      bool *is_in_range)
{
#define SET(name_, member_, type_, low_, high_)                                      \
    if (strlen(name_) == key_size && memcmp(key, name_, key_size) == 0) {            \
        *is_in_range = value >= (low_) && value <= (high_) && value == (int)(value); \
        sticks->member_ = *is_in_range ? (type_)value : (type_)0;                    \
        return true;                                                                 \
    }
    HY_PLAYER_SCRIPT_KEYS(SET)
#undef SET
    return false;
}

static hy_status take_assignment(parser *self, const char *word)
{
    const char *const equals = strchr(word, '=');
    double value = 0.0;
    if (equals == NULL || !hy_decimal_read(equals + 1, &value)) {
        return refuse(self, HY_EFORMAT, "'%s' is not NAME=NUMBER, as in left_y=512", word);
    }
    bool is_in_range = true;
    const double known = hy_clamp(value, -1e6, 1e6, 0.0);
    if (!set_value(&self->sticks, word, (size_t)(equals - word), known, &is_in_range)) {
        return refuse(
            self, HY_EFORMAT,
            "there is no stick, trigger or button '%.*s'; 'halyard joystick --help' lists them",
            (int)(equals - word), word);
    }
    if (!is_in_range) {
        return refuse(
            self, HY_EFORMAT,
            "%s is out of range: axes are whole numbers -512..512, triggers 0..512, buttons 0 or 1",
            word);
    }
    return HY_OK;
}

static hy_status take_time(parser *self, const char *word)
{
    const bool is_relative = word[0] == '+';
    double time_s = 0.0;
    if (!hy_decimal_read(word + is_relative, &time_s) || time_s < 0.0) {
        return refuse(self, HY_EFORMAT,
                      "'%s' is no time: seconds, as in 1.5, or +0.5 after the line before", word);
    }
    time_s += is_relative ? self->time_s : 0.0;
    if (time_s < self->time_s || time_s > SECONDS_MAX) {
        return refuse(self, HY_EFORMAT, "time %s lies before the line above, or beyond %.0f s",
                      word, SECONDS_MAX);
    }
    self->time_s = time_s;
    return HY_OK;
}

static hy_status add_step(parser *self)
{
    hy_player_script *const script = self->script;
    if (script->count == self->room) {
        const size_t room = self->room == 0 ? 64 : 2 * self->room;
        hy_player_script_step *const more = realloc(script->steps, room * sizeof *more);
        if (more == NULL) {
            return refuse(self, HY_EMEMORY, "there is not enough memory");
        }
        script->steps = more;
        self->room = room;
    }
    script->steps[script->count++] = (hy_player_script_step){ self->time_s, self->sticks };
    return HY_OK;
}

// Sets `over` at a quit.
static hy_status take_line(parser *self, char *line, bool *over)
{
    line[strcspn(line, "#")] = '\0';
    char *rest = NULL;
    const char *word = strtok_r(line, " \t\r", &rest);
    if (word == NULL) {
        return HY_OK;
    }
    hy_status status = take_time(self, word);
    while (status == HY_OK && !*over && (word = strtok_r(NULL, " \t\r", &rest)) != NULL) {
        if (strcmp(word, "quit") == 0) {
            *over = true;
        } else {
            status = take_assignment(self, word);
        }
    }
    self->script->end_s = self->time_s;
    return status == HY_OK ? add_step(self) : status;
}

// --------------------------------------------------------------------------- a whole script

hy_status hy_player_script_parse(hy_player_script *self, hy_bytes text, const char *name,
                                 hy_player_error error)
{
    *self = (hy_player_script){ 0 };
    parser parsing = { .script = self, .name = name, .error = error };
    hy_status status = HY_OK;
    bool over = false;
    size_t at = 0;
    while (at < text.size && status == HY_OK && !over) {
        const uint8_t *const end = memchr(text.data + at, '\n', text.size - at);
        const size_t size = end != NULL ? (size_t)(end - (text.data + at)) : text.size - at;
        char line[LINE_MAX_];
        parsing.line++;
        if (size >= sizeof line || memchr(text.data + at, '\0', size) != NULL) {
            status = refuse(&parsing, HY_EFORMAT, "the line is longer than %d bytes, or no text",
                            LINE_MAX_ - 1);
            break;
        }
        memcpy(line, text.data + at, size);
        line[size] = '\0';
        status = take_line(&parsing, line, &over);
        at += size + 1;
    }
    if (status != HY_OK) {
        hy_player_script_free(self);
    }
    return status;
}

void hy_player_script_free(hy_player_script *self)
{
    free(self->steps);
    *self = (hy_player_script){ 0 };
}

hy_icd_sticks hy_player_script_at(const hy_player_script *self, double time_s)
{
    if (time_s >= self->end_s) {
        return (hy_icd_sticks){ 0 };
    }
    size_t low = 0, high = self->count; // steps before `low` have begun
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (self->steps[middle].time_s <= time_s) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 ? self->steps[low - 1].sticks : (hy_icd_sticks){ 0 };
}
