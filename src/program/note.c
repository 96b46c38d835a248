#include "note.h"

#include <halyard/program.h>
#include <halyard/telemetry.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Of the run that this thread is in: hy_program_set_status() has no argument for it.
static _Thread_local program_note *current;

program_note *program_note_use(program_note *note)
{
    program_note *const before = current;
    current = note;
    return before;
}

// --------------------------------------------------------------------------- text

typedef enum {
    DIRECTIVE_PERCENT,
    DIRECTIVE_INT,
    DIRECTIVE_LONG,
    DIRECTIVE_SIZE,
    DIRECTIVE_DOUBLE,
    DIRECTIVE_OTHER
} directive_kind;

// Of printf(): what stands at a '%'.
typedef struct {
    directive_kind kind;
    size_t size;
} directive;

static directive directive_at(const char *format)
{
    size_t size = 1;
    size += strspn(format + size, "-+ #0");
    size += strspn(format + size, "0123456789");
    size += format[size] == '.' ? 1 + strspn(format + size + 1, "0123456789") : 0;
    const char length = format[size] == 'l' || format[size] == 'z' ? format[size++] : '\0';
    const char conversion = format[size];
    directive_kind kind = DIRECTIVE_OTHER;
    if (conversion == '%' && size == 1) {
        kind = DIRECTIVE_PERCENT;
    } else if (conversion != '\0' && strchr("diuxXc", conversion) != NULL) {
        kind = length == 'l' ? DIRECTIVE_LONG : length == 'z' ? DIRECTIVE_SIZE : DIRECTIVE_INT;
    } else if (conversion != '\0' && strchr("fFeEgG", conversion) != NULL && length == '\0') {
        kind = DIRECTIVE_DOUBLE;
    }
    return (directive){ kind, size + 1 };
}

// Keeps what a text is printed from. False if it cannot wait: a long format, many values, or one that is a pointer.
static bool keep_values(program_note *self, const char *format, va_list arguments)
{
    size_t values = 0;
    for (const char *at = format; (at = strchr(at, '%')) != NULL;) {
        const directive d = directive_at(at);
        if (d.kind == DIRECTIVE_OTHER || values == PROGRAM_NOTE_VALUES) {
            return false;
        }
        program_note_value *const value = &self->values[values];
        switch (d.kind) {
        case DIRECTIVE_INT: value->of_int = va_arg(arguments, int); break;
        case DIRECTIVE_LONG: value->of_long = va_arg(arguments, long); break;
        case DIRECTIVE_SIZE: value->of_size = va_arg(arguments, size_t); break;
        case DIRECTIVE_DOUBLE: value->of_double = va_arg(arguments, double); break;
        case DIRECTIVE_PERCENT:
        case DIRECTIVE_OTHER: break;
        }
        values += d.kind != DIRECTIVE_PERCENT;
        at += d.size;
    }
    const size_t size = strlen(format);
    if (size < sizeof self->format) {
        memcpy(self->format, format, size + 1);
    }
    return size < sizeof self->format;
}

static int print_value(char *to, size_t room, const char *format, directive_kind kind,
                       const program_note_value *value)
{
    switch (kind) {
    case DIRECTIVE_INT: return snprintf(to, room, format, value->of_int);
    case DIRECTIVE_LONG: return snprintf(to, room, format, value->of_long);
    case DIRECTIVE_SIZE: return snprintf(to, room, format, value->of_size);
    case DIRECTIVE_DOUBLE: return snprintf(to, room, format, value->of_double);
    case DIRECTIVE_PERCENT:
    case DIRECTIVE_OTHER: break;
    }
    return snprintf(to, room, "%%");
}

static void print_kept(const program_note *self, char text[PROGRAM_NOTE_MAX])
{
    const program_note_value *value = self->values;
    size_t used = 0;
    for (const char *at = self->format; *at != '\0' && used < PROGRAM_NOTE_MAX - 1;) {
        if (*at != '%') {
            text[used++] = *at++;
            continue;
        }
        char one[PROGRAM_NOTE_MAX];
        const directive d = directive_at(at);
        memcpy(one, at, d.size);
        one[d.size] = '\0';
        const int size = print_value(text + used, PROGRAM_NOTE_MAX - used, one, d.kind, value);
        used += size > 0 ? (size_t)size : 0;
        value += d.kind != DIRECTIVE_PERCENT;
        at += d.size;
    }
    text[used < PROGRAM_NOTE_MAX ? used : PROGRAM_NOTE_MAX - 1] = '\0';
}

static void put_text(program_note *self, const char text[PROGRAM_NOTE_MAX])
{
    self->has_changed = self->has_changed || strcmp(text, self->text) != 0;
    memcpy(self->text, text, sizeof self->text);
    self->is_waiting = false;
}

const char *program_note_text(program_note *self)
{
    if (self->is_waiting) {
        char text[PROGRAM_NOTE_MAX];
        print_kept(self, text);
        put_text(self, text);
    }
    return self->text;
}

void hy_program_set_status(const char *format, ...)
{
    if (current == NULL) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    current->is_waiting = keep_values(current, format, arguments);
    va_end(arguments);
    if (!current->is_waiting) {
        char text[PROGRAM_NOTE_MAX];
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        put_text(current, text);
    }
}

void hy_program_finish(void)
{
    if (current != NULL) {
        current->has_finished = true;
    }
}

// --------------------------------------------------------------------------- hints

__attribute__((format(printf, 1, 2))) static void add_hint(const char *format, ...)
{
    if (current != NULL && current->hints < PROGRAM_NOTE_HINTS) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(current->hint[current->hints++], PROGRAM_NOTE_HINT_MAX, format, arguments);
        va_end(arguments);
    }
}

// The first time in this run that it got something of that kind wrong.
static bool is_new(program_note_kind kind, bool is_wrong)
{
    const bool is_first = is_wrong && current != NULL && !current->has_hinted[kind];
    if (is_first) {
        current->has_hinted[kind] = true;
    }
    return is_first;
}

// The number of the last bit that is set; 0 if none is.
static unsigned last_of(unsigned bits)
{
    unsigned last = 0;
    for (; bits > 1; bits >>= 1) {
        last++;
    }
    return last;
}

void program_note_outputs(const hy_outputs *out)
{
    const double effort = (double)out->asked_effort, position = (double)out->asked_position;
    if (is_new(PROGRAM_NOTE_EFFORT, out->limited_motors != 0)) {
        add_hint("motor %u: %g limited to %d", last_of(out->limited_motors), effort,
                 (effort > 0.0) - (effort < 0.0));
    }
    if (is_new(PROGRAM_NOTE_POSITION, out->limited_servos != 0)) {
        add_hint("servo %u: %g of its range limited to %d (its angles are radians)",
                 last_of(out->limited_servos), position, position > 0.0);
    }
    if (is_new(PROGRAM_NOTE_SET_ONCE, out->set_once != 0)) {
        add_hint("motor %u was set only once; set it in every periodic call", last_of(out->set_once));
    }
    const char *const call = hy_device_mistaken();
    if (is_new(PROGRAM_NOTE_NO_DEVICE, call != NULL)) {
        add_hint("%s() did nothing: what it was given is no device of the robot; is an index too "
                 "large?",
                 call);
    }
}

const char *program_note_next_hint(program_note *self)
{
    return self->hints_shown < self->hints ? self->hint[self->hints_shown++] : NULL;
}

// --------------------------------------------------------------------------- values

// The channel of `name` in the log of the run; 0 if there is none.
static hy_channel channel_of(const char *name, hy_channel_kind kind, const hy_struct_type *type)
{
    char channel[HY_CHANNEL_NAME_MAX + 1];
    if (current == NULL || current->telemetry == NULL) {
        return 0;
    }
    (void)snprintf(channel, sizeof channel, "%s/%.200s",
                   hy_telemetry_names(current->telemetry)->values, name);
    const hy_channel_spec spec = { .name = channel, .kind = kind, .type = type };
    return hy_telemetry_declare(current->telemetry, &spec);
}

void hy_program_put_number(const char *name, double value)
{
    const hy_channel channel = channel_of(name, HY_CHANNEL_DOUBLE, NULL);
    if (channel != 0) {
        hy_telemetry_put_double(current->telemetry, channel, value);
    }
}

void hy_program_put_boolean(const char *name, bool value)
{
    const hy_channel channel = channel_of(name, HY_CHANNEL_BOOLEAN, NULL);
    if (channel != 0) {
        hy_telemetry_put_boolean(current->telemetry, channel, value);
    }
}

void hy_program_put_pose(const char *name, hy_pose2d pose)
{
    const hy_channel channel = channel_of(name, HY_CHANNEL_STRUCT, &hy_struct_pose2d);
    if (channel != 0) {
        const hy_telemetry_pose2d value = { pose.translation.x_m, pose.translation.y_m,
                                            hy_rotation2d_rad(pose.rotation) };
        hy_telemetry_put_struct(current->telemetry, channel, &value);
    }
}

// Of the run; else `none`.
static hy_tunables *tunables_or(hy_tunables *none)
{
    hy_tunables *const tunables = current != NULL ? &current->tunables : none;
    tunables->telemetry = current != NULL ? current->telemetry : NULL;
    return tunables;
}

bool hy_program_tunable(const char *name, double *value, double low, double high)
{
    hy_tunables none = { .telemetry = NULL };
    program_saved_apply(current != NULL ? current->saved : NULL, name, value);
    return hy_tunable(tunables_or(&none), name, value, low, high);
}

bool hy_program_chooser(const char *name, const char *const *options, size_t count, size_t *chosen)
{
    hy_tunables none = { .telemetry = NULL };
    return hy_chooser(tunables_or(&none), name, options, count, chosen);
}

hy_telemetry *hy_program_telemetry(void)
{
    return current != NULL ? current->telemetry : NULL;
}
