/// @file service.h
/// A subcommand that is kept running as a process of our own: its command line, that it is ready, what it says, its restarts and its end.
#ifndef HALYARD_APPS_SERVICE_H
#define HALYARD_APPS_SERVICE_H

#include "cli/app.h"
#include "system/system_child.h"

#define SERVICE_TEXTS_MAX 24 ///< Words of a command line that are made here.
#define SERVICE_TEXT_SIZE 64

typedef struct service service;

/// Zero-initialised is one that is not in use.
struct service {
    // The caller sets these before service_start().
    const char *command; ///< Who says what becomes of it.
    char name[24];
    app_run *run;
    bool may_end;        ///< It has done its work when it ends with 0.
    bool is_dispensable; ///< It is started again however often it ends.
    void (*on_line)(service *self, const char *line);
    void (*on_restart)(service *self); ///< May change its words; NULL: they stay.
    const char *words[HY_CHILD_ARGUMENTS_MAX + 1];
    unsigned word_count;
    // Read-only.
    hy_child child;
    unsigned starts; ///< How often it was started.
    // Private.
    char texts[SERVICE_TEXTS_MAX][SERVICE_TEXT_SIZE];
    unsigned text_count, early_ends;
    char complaint[HY_CHILD_LINE_MAX]; // its last one, often why it ended
    int64_t started_us, restart_us;    // restart_us: 0 while it runs
};

/// A word of its command line, which must stay.
void service_add(service *self, const char *word);
void service_add_pair(service *self, const char *name, const char *value);

/// The same for a word that is kept here; NULL: there is no room.
__attribute__((format(printf, 2, 3))) const char *service_print(service *self, const char *format,
                                                                ...);

/// False with a sentence if the system refuses.
bool service_start(service *self);

/// Waits until it prints its ready line; hy_signals_end() ends that. False with a sentence, or if it has ended.
bool service_await_ready(service *self, int limit_ms);

/// Passes on what it has said, and starts it again some time after it has ended. False if there is no use in that.
bool service_look_after(service *self, int64_t now_us);

/// Whether it has ended, and is not going to be started again.
bool service_is_over(const service *self);

/// Asks it to end, waits up to `limit_ms` and passes on what it says if it `listens`. False with a sentence if it ended otherwise than in
/// order.
bool service_end(service *self, int limit_ms, bool listens);

/// A line without the name that every program puts before its complaints.
const char *service_without_name(const char *line);

#endif
