/// @file tuning.h
/// Private: who changes a program's tunables and choosers while it runs: dashboards and pages.
#ifndef PROGRAM_TUNING_H
#define PROGRAM_TUNING_H

#include "journal/journal.h"
#include "view/view.h"

/// Records a change (`journal` may be NULL) and makes it: of the chooser that is published as `channel` if there is a `text`, else of the
/// tunable. Call it in the thread that runs the program, between two of its loops.
void program_tuning_change(program_note *note, program_journal *journal, hy_channel channel,
                           double value, const char *text);

/// Makes the changes that pages of `view` (NULL: there is none) want.
void program_tuning_obey(hy_view *view, program_note *note, program_journal *journal);

/// Sends pages what they may change, if that is not what `*shown` says: hy_tunables.changes of the last call, at first 0.
void program_tuning_show(hy_view *view, const hy_tunables *tunables, unsigned *shown);

#endif
