// The page of a run in a simulation: --view.
#ifndef HALYARD_PROGRAM_PAGE_H
#define HALYARD_PROGRAM_PAGE_H

#include "host/host_page.h"

#include "session.h"
#include "values.h"

typedef struct {
    hy_host_page host;
    program_values values; // for its plots
    char url[HY_VIEW_URL_MAX];
    size_t robots; // that the program drives; the caller sets it
    // Private.
    program_session *session;
    hy_run *run;
    unsigned tuning_shown;              // hy_tunables.changes that its pages know
    bool is_pressed[HY_PROGRAM_ROBOTS]; // as the run knows it
} program_page;

// Opens the page that was asked for, and says where it is and what else is ready; `with_terminal`: a person sees it there. HY_OK, or
// a sentence in `error`; HY_EFORMAT: what was asked for cannot be used.
hy_status program_page_open(program_page *self, program_session *session, hy_run *run,
                            bool with_terminal, hy_view_error *error);

// Takes in what the visitors want: at the run's times, and at the time of the host's clock.
void program_page_obey(program_page *self, int64_t host_us);

// Makes the changes of tunables that they want, between two loops of the program.
void program_page_tune(const program_page *self);

// Shows the world as it is now, if it is time.
void program_page_show(program_page *self, int64_t host_us);

#endif
