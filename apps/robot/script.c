#include "script.h"

#include <errno.h>
#include <halyard/robots.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/text_decimal.h"

#define SCRIPT_BYTES_MAX   (1 << 20)
#define SCRIPT_SECONDS_MAX 1e6
#define WORD_MAX           32 // longer words are no numbers and no commands

static const struct {
    const char *name, *arguments;
} verbs[SCRIPT_VERB_COUNT] = {
#define SCRIPT_ROW(verb, name, arguments, help) [verb] = { name, arguments },
    SCRIPT_VERBS(SCRIPT_ROW)
#undef SCRIPT_ROW
};

// --------------------------------------------------------------------------- one line

// A line under way: what is left of it, and where that is.
typedef struct {
    const char *start, *at, *end;
    const hy_dialect *dialect;
    script_error *error;
} reader;

__attribute__((format(printf, 3, 4))) static bool wrong(reader *self, const char *where,
                                                        const char *format, ...)
{
    self->error->column = (unsigned)(where - self->start) + 1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(self->error->what, sizeof self->error->what, format, arguments);
    va_end(arguments);
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(reader *self)
{
    while (self->at < self->end && is_blank(*self->at)) {
        self->at++;
    }
}

// The next word, whose start is returned; `word` gets as much of it as fits, and is empty at the line's end.
static const char *read_word(reader *self, char word[WORD_MAX])
{
    skip_blanks(self);
    const char *const start = self->at;
    while (self->at < self->end && !is_blank(*self->at)) {
        self->at++;
    }
    const size_t length = (size_t)(self->at - start);
    const size_t kept = length < WORD_MAX ? length : WORD_MAX - 1;
    memcpy(word, start, kept);
    word[kept] = '\0';
    for (char *c = word; *c != '\0'; c++) { // nothing that would upset a terminal goes into a message
        *c = *c >= ' ' && *c < 127 ? *c : '?';
    }
    return start;
}

static bool read_number(reader *self, const char *what, double low, double high, double *out)
{
    char word[WORD_MAX];
    const char *const start = read_word(self, word);
    if (word[0] == '\0') {
        return wrong(self, start, "%s is missing here, a number between %g and %g", what, low, high);
    }
    if (!hy_decimal_read(word, out)) {
        return wrong(self, start, "%s has to be a number, not '%s'", what, word);
    }
    if (*out < low || *out > high) {
        return wrong(self, start, "%s has to be between %g and %g, not %s", what, low, high, word);
    }
    return true;
}

static bool read_channel(reader *self, const char *what, unsigned channels, unsigned *out)
{
    skip_blanks(self);
    const char *const start = self->at;
    double number = 0.0;
    if (!read_number(self, "the channel", 0, 31, &number)) {
        return false;
    }
    *out = (unsigned)number;
    if ((double)*out != number) {
        return wrong(self, start, "the channel has to be a whole number");
    }
    return *out < channels || wrong(self, start, "a robot of the kind %s:// has no %s %u",
                                    self->dialect->name, what, *out);
}

static bool read_switch(reader *self, double *out)
{
    char word[WORD_MAX];
    const char *const start = read_word(self, word);
    *out = strcmp(word, "on") == 0;
    return *out != 0.0 || strcmp(word, "off") == 0 ||
           wrong(self, start, "'on' or 'off' is needed here");
}

static bool read_text(reader *self, hy_bytes *out)
{
    skip_blanks(self);
    const char *const start = self->at;
    *out = (hy_bytes){ (const uint8_t *)start, (size_t)(self->end - start) };
    self->at = self->end;
    return out->size <= SCRIPT_TEXT_MAX ||
           wrong(self, start, "the text is longer than %d bytes", SCRIPT_TEXT_MAX);
}

// What the channels of a robot without a left and a right wheel move is another matter.
static bool fits_robot(reader *self, script_verb verb, const char *where)
{
    const bool is_for_two_wheels =
        verb == SCRIPT_DRIVE || verb == SCRIPT_ARCADE || verb == SCRIPT_LED;
    const hy_robot_type *const type = hy_robot_type_of_dialect(self->dialect);
    return !is_for_two_wheels || (type != NULL && type->wheels != NULL) ||
           wrong(self,
                 where, "'%s' is for a robot with two wheels, as an XRP; a robot of the kind %s:// is driven by 'motor'",
                 verbs[verb].name, self->dialect->name);
}

static bool read_arguments(reader *self, const char *kinds, script_command *out)
{
    size_t numbers = 0;
    for (const char *kind = kinds; *kind != '\0'; kind++) {
        bool ok = true;
        switch (*kind) {
        case 'e': ok = read_number(self, "an effort", -1, 1, &out->number[numbers++]); break;
        case 'p': ok = read_number(self, "a position", 0, 1, &out->number[numbers++]); break;
        case 'm': ok = read_channel(self, "motor", self->dialect->motors, &out->channel); break;
        case 's': ok = read_channel(self, "servo", self->dialect->servos, &out->channel); break;
        case 'b': ok = read_switch(self, &out->number[numbers++]); break;
        default: ok = read_text(self, &out->text); break;
        }
        if (!ok) {
            return false;
        }
    }
    char word[WORD_MAX];
    const char *const start = read_word(self, word);
    return word[0] == '\0' ||
           wrong(self, start, "'%s' is too much: the command ends before it", word);
}

static bool read_time(reader *self, double *time_s)
{
    char word[WORD_MAX];
    const char *const start = read_word(self, word);
    const bool is_relative = word[0] == '+';
    double number;
    if (!hy_decimal_read(word + is_relative, &number) || number < 0.0 || word[is_relative] == '+') {
        return wrong(self, start, "a line starts with a time in seconds like 1.5 or +0.5, not '%s'",
                     word);
    }
    number += is_relative ? *time_s : 0.0;
    if (number < *time_s) {
        return wrong(self, start, "the time %g s is before that of the line before, %g s", number,
                     *time_s);
    }
    if (number > SCRIPT_SECONDS_MAX) {
        return wrong(self, start, "the time is over %g s", SCRIPT_SECONDS_MAX);
    }
    *time_s = number;
    return true;
}

static bool read_command(reader *self, script_command *out)
{
    char word[WORD_MAX];
    const char *const start = read_word(self, word);
    if (word[0] == '\0') {
        return wrong(self, start, "a command is missing behind the time");
    }
    for (unsigned verb = 0; verb < SCRIPT_VERB_COUNT; verb++) {
        if (strcmp(word, verbs[verb].name) == 0) {
            out->verb = (script_verb)verb;
            if (!fits_robot(self, (script_verb)verb, start)) {
                return false;
            }
            return read_arguments(self, verbs[verb].arguments, out);
        }
    }
    return wrong(self, start, "there is no command '%s'; 'halyard drive --help' lists them", word);
}

int script_read_line(script_reader *self, script_command *out, script_error *error)
{
    const char *const start = (const char *)self->text.data + self->at;
    const size_t left = self->text.size - self->at;
    const char *const newline = memchr(start, '\n', left);
    const char *end = newline != NULL ? newline : start + left;
    self->at += (size_t)(end - start) + (newline != NULL);
    const char *const comment = memchr(start, '#', (size_t)(end - start));
    end = comment != NULL ? comment : end;
    while (end > start && is_blank(end[-1])) {
        end--;
    }
    reader line = { start, start, end, self->dialect, error };
    skip_blanks(&line);
    if (line.at == end) {
        return 0;
    }
    *out = (script_command){ .time_s = 0.0 };
    if (!read_time(&line, &self->time_s) || !read_command(&line, out)) {
        return -1;
    }
    out->time_s = self->time_s;
    return 1;
}

// --------------------------------------------------------------------------- a whole file

static hy_status read_commands(script *self, script_reader *lines, script_error *error)
{
    size_t room = 0;
    for (error->line = 1; lines->at < lines->text.size; error->line++) {
        if (self->count == room) {
            room = room == 0 ? 64 : room * 2;
            script_command *const more = realloc(self->commands, room * sizeof *more);
            if (more == NULL) {
                snprintf(error->what, sizeof error->what, "there is not enough memory");
                return HY_EMEMORY;
            }
            self->commands = more;
        }
        const int got = script_read_line(lines, &self->commands[self->count], error);
        if (got < 0) {
            return HY_EFORMAT;
        }
        self->count += (size_t)got;
    }
    return HY_OK;
}

static hy_status read_file(FILE *file, uint8_t **text, size_t *size)
{
    *text = malloc(SCRIPT_BYTES_MAX + 1);
    if (*text == NULL) { // coverage: memory ran out
        return HY_EMEMORY;
    }
    *size = fread(*text, 1, SCRIPT_BYTES_MAX + 1, file);
    if (ferror(file)) {
        return HY_EFILE;
    }
    return *size > SCRIPT_BYTES_MAX ? HY_ERANGE : HY_OK;
}

hy_status script_load(script *self, const hy_dialect *dialect, const char *path, char *error,
                      size_t error_size)
{
    *self = (script){ .count = 0 };
    FILE *const file = fopen(path, "rb");
    if (file == NULL) {
        snprintf(error, error_size, "%s: cannot be read: %s", path, strerror(errno));
        return HY_EFILE;
    }
    size_t size = 0;
    hy_status status = read_file(file, &self->text, &size);
    if (status != HY_OK) {
        snprintf(error, error_size, "%s: %s%s", path,
                 status == HY_ERANGE ? "longer than 1 MB: that is no script" : "cannot be read: ",
                 status == HY_ERANGE ? "" : strerror(errno));
    }
    fclose(file);
    if (status == HY_OK) {
        script_error wrong_line = { .column = 1 };
        script_reader lines = { .text = { self->text, size }, .dialect = dialect };
        status = read_commands(self, &lines, &wrong_line);
        if (status != HY_OK) {
            snprintf(error, error_size, "%s:%u:%u: %s", path, wrong_line.line, wrong_line.column,
                     wrong_line.what);
        }
    }
    if (status != HY_OK) {
        script_free(self);
    }
    return status;
}

void script_free(script *self)
{
    free(self->commands);
    free(self->text);
    *self = (script){ .count = 0 };
}
