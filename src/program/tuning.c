#include "tuning.h"

#include <assert.h>

static_assert(HY_TUNABLES_MAX <= HY_SCENE_TUNABLES, "a page shows every tunable");
static_assert(HY_CHOOSERS_MAX <= HY_SCENE_CHOOSERS, "a page shows every chooser");

void program_tuning_change(program_note *note, program_journal *journal, hy_channel channel,
                           double value, const char *text)
{
    program_journal_change(journal, channel, value, text);
    if (text != NULL) {
        (void)hy_tunables_choose(&note->tunables, channel, text);
    } else {
        (void)hy_tunables_set(&note->tunables, channel, value);
    }
}

void program_tuning_obey(hy_view *view, program_note *note, program_journal *journal)
{
    const hy_tunables *const all = &note->tunables;
    for (hy_view_change change; view != NULL && hy_view_take_change(view, &change);) {
        if (!change.is_choice && change.index < all->count) {
            const hy_tunable_entry *const entry = &all->entries[change.index];
            program_tuning_change(note, journal, entry->channel,
                                  change.is_start ? entry->start : change.value, NULL);
        } else if (change.is_choice && change.index < all->chooser_count) {
            const hy_chooser_entry *const entry = &all->choosers[change.index];
            const size_t option = change.is_start ? entry->start : change.option;
            if (option < entry->count) {
                program_tuning_change(note, journal, entry->selected, 0.0, entry->options[option]);
            }
        }
    }
}

void program_tuning_show(hy_view *view, const hy_tunables *tunables, unsigned *shown)
{
    hy_scene_tunable numbers[HY_TUNABLES_MAX];
    hy_scene_chooser choosers[HY_CHOOSERS_MAX];
    if (view == NULL || tunables->changes == *shown) {
        return;
    }
    *shown = tunables->changes;
    for (size_t i = 0; i < tunables->count; i++) {
        const hy_tunable_entry *const entry = &tunables->entries[i];
        numbers[i] = (hy_scene_tunable){ entry->name, *entry->value, entry->low, entry->high };
    }
    for (size_t i = 0; i < tunables->chooser_count; i++) {
        const hy_chooser_entry *const entry = &tunables->choosers[i];
        choosers[i] = (hy_scene_chooser){ entry->name, entry->options, entry->count, *entry->chosen };
    }
    hy_view_set_tuning(
        view, &(hy_scene_tuning){ numbers, tunables->count, choosers, tunables->chooser_count });
}
