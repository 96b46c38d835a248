// The event loop of a program that serves until Ctrl-C, or for a while: what is watched, the end, and the sentences if it cannot be.
#ifndef HALYARD_HOST_LOOP_H
#define HALYARD_HOST_LOOP_H

#include <halyard/link.h>

typedef struct {
    hy_loop loop;
    const char *program; ///< Who says what goes wrong.
    hy_status status;    ///< HY_OK, or the first failure: later calls then do nothing.
    bool is_over;        ///< A signal came, the time is over, or hy_host_loop_quit() was called.
} hy_host_loop;

void hy_host_loop_init(hy_host_loop *self, const char *program);

/// hy_loop_every() and hy_loop_watch(); a failure is said by hy_host_loop_start(), or behind that by hy_host_loop_run().
void hy_host_loop_every(hy_host_loop *self, int64_t first_us, int64_t period_us,
                        hy_loop_elapsed *elapsed, void *context);
void hy_host_loop_watch(hy_host_loop *self, intptr_t descriptor, hy_loop_readable *readable,
                        void *context);

/// Ends the loop `duration_s` after `start_us`; 0: does not.
void hy_host_loop_end_after(hy_host_loop *self, int64_t start_us, double duration_s);

void hy_host_loop_quit(hy_host_loop *self);

/// Takes the signals that end it. False with a sentence if that or one of the calls before failed.
bool hy_host_loop_start(hy_host_loop *self);

/// Runs until its end, and gives the signals back. False with a sentence if the system refuses.
bool hy_host_loop_run(hy_host_loop *self);

/// Instead of hy_host_loop_run(): what is due at once, as long as `goes_on` says so.
bool hy_host_loop_race(hy_host_loop *self, bool (*goes_on)(void *context), void *context);

#endif
