#include "service.h"

#include <halyard/link.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/host_ready.h"
#include "system/system_signals.h"

#define SLICE_US 200000 // of a wait, between looks at whether it is over
#define RESTART_US \
    1000000 // after which one that ended is started again; doubled each time that it ends early
#define RESTART_MOST_US 30000000
#define STEADY_US       30000000 // who ran for so long did not end early
#define EARLY_ENDS_MAX  3

// --------------------------------------------------------------------------- its command line

void service_add(service *self, const char *word)
{
    self->words[self->word_count++] = word;
}

void service_add_pair(service *self, const char *name, const char *value)
{
    service_add(self, name);
    service_add(self, value);
}

const char *service_print(service *self, const char *format, ...)
{
    if (self->text_count == SERVICE_TEXTS_MAX) {
        return NULL;
    }
    char *const text = self->texts[self->text_count++];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, SERVICE_TEXT_SIZE, format, arguments);
    va_end(arguments);
    return text;
}

// --------------------------------------------------------------------------- starting

const char *service_without_name(const char *line)
{
    const char *const colon = strstr(line, ": ");
    return strncmp(line, "halyard ", 8) == 0 && colon != NULL ? colon + 2 : line;
}

static void take_line(service *self, const char *line)
{
    const char *const said = service_without_name(line);
    if (said != line) {
        (void)snprintf(self->complaint, sizeof self->complaint, "%s", said);
    }
    self->on_line(self, line);
}

static void take_lines(service *self)
{
    for (const char *line; (line = hy_child_read(&self->child)) != NULL;) {
        take_line(self, line);
    }
}

bool service_start(service *self)
{
    self->starts++;
    if (self->starts > 1 && self->on_restart != NULL) {
        self->on_restart(self);
    }
    self->words[self->word_count] = NULL;
    self->started_us = hy_clock_now_us();
    self->restart_us = 0;
    self->complaint[0] = '\0';
    const bool started = hy_child_start(&self->child, self->run, self->words);
    if (!started) {
        hy_print_error(self->command, "cannot start %s: %s", self->name, strerror(errno));
    }
    return started;
}

bool service_await_ready(service *self, int limit_ms)
{
    const int64_t end_us = hy_clock_now_us() + limit_ms * INT64_C(1000);
    while (!hy_signals_end() && hy_clock_now_us() < end_us) {
        int status;
        const char *const line = hy_child_await(&self->child, hy_clock_now_us() + SLICE_US);
        if (line != NULL) {
            take_line(self, line);
            if (hy_ready_line_is(line)) {
                return true;
            }
        } else if (hy_child_has_ended(&self->child, &status)) {
            return false; // it said why
        }
    }
    if (!hy_signals_end()) {
        hy_print_error(self->command, "%s did not become ready in %d seconds", self->name,
                       limit_ms / 1000);
    }
    return false;
}

// --------------------------------------------------------------------------- while it runs

static int64_t restart_delay_us(unsigned early_ends)
{
    int64_t delay_us = RESTART_US;
    for (unsigned i = 1; i < early_ends && delay_us < RESTART_MOST_US; i++) {
        delay_us *= 2;
    }
    return delay_us < RESTART_MOST_US ? delay_us : RESTART_MOST_US;
}

// It has ended. False if there is no use in starting it once more.
static bool plan_restart(service *self, int status, int64_t now_us)
{
    self->early_ends = now_us - self->started_us > STEADY_US ? 1 : self->early_ends + 1;
    char how[32], next[64] = "that was too often, the match is over";
    (void)snprintf(how, sizeof how, status < 0 ? "by signal %d" : "with status %d",
                   status < 0 ? -status : status);
    const bool again = self->is_dispensable || self->early_ends < EARLY_ENDS_MAX;
    const int64_t delay_us = restart_delay_us(self->early_ends);
    if (again) {
        (void)snprintf(next, sizeof next, "it is started again in %d s", (int)(delay_us / 1000000));
    }
    hy_print_error(self->command, "%s ended %s%s%s; %s", self->name, how,
                   self->complaint[0] != '\0' ? ", after it said: " : "", self->complaint, next);
    self->restart_us = now_us + delay_us;
    return again;
}

bool service_look_after(service *self, int64_t now_us)
{
    int status = 0;
    take_lines(self);
    if (hy_child_has_ended(&self->child, &status)) {
        take_lines(self);
        hy_child_close(&self->child, 0);
        return (self->may_end && status == 0) || plan_restart(self, status, now_us);
    }
    return self->restart_us == 0 || now_us < self->restart_us || service_start(self);
}

bool service_is_over(const service *self)
{
    return self->child.pid == 0 && self->restart_us == 0;
}

bool service_end(service *self, int limit_ms, bool listens)
{
    const char *line;
    const int64_t until_us = hy_clock_now_us() + limit_ms * INT64_C(1000);
    hy_child_stop(&self->child);
    while (self->child.pid > 0 && (line = hy_child_await(&self->child, until_us)) != NULL) {
        if (listens) {
            take_line(self, line);
        }
    }
    const bool was_running = self->child.pid > 0;
    const int status = hy_child_close(&self->child, limit_ms);
    if (was_running && status != 0) {
        hy_print_error(self->command, "%s ended with %d", self->name, status);
    }
    return !was_running || status == 0;
}
