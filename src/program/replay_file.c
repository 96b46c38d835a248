// --replay: the file of a recording, and with --record a copy of it that has what the program does now as well.
#include <halyard/telemetry.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base_bytes.h"
#include "journal/replay_run.h"
#include "options.h"
#include "replay.h"
#include "system/system.h"
#include "text/text_plain.h"

#define DIFFERENT    1
#define IMPOSSIBLE   2
#define GIVES_UP_US  5000000 // a call of the program that takes longer never returns
#define RECORD_HEAD  17      // lengths of 4, 4 and 8 bytes, and these
#define RECORD_SIZES 0x7f

// --------------------------------------------------------------------------- the copy

// New entries: the recorded names with /Replay in front, beside which viewers list the recorded ones.
typedef struct {
    hy_file_output output;
    uint32_t first_entry; // behind those of the recording
} replay_copy;

static void write_head(const replay_copy *self, uint32_t entry, size_t payload, uint64_t at_us)
{
    uint8_t head[RECORD_HEAD] = { RECORD_SIZES };
    hy_store_le(head + 1, entry, 4);
    hy_store_le(head + 5, payload, 4);
    hy_store_le(head + 9, at_us, 8);
    (void)fwrite(head, 1, sizeof head, self->output.stream);
}

static void write_text(const replay_copy *self, const char *text)
{
    uint8_t size[4];
    hy_store_le(size, strlen(text), sizeof size);
    (void)fwrite(size, 1, sizeof size, self->output.stream);
    (void)fputs(text, self->output.stream);
}

static void copy_declare(void *context, const hy_channel_info *channel, uint64_t now_us)
{
    const replay_copy *const self = context;
    char name[HY_CHANNEL_NAME_MAX + 16];
    uint8_t start[5] = { 0 }; // the control record of a start, and the entry
    const bool is_schema = channel->kind == HY_CHANNEL_SCHEMA; // viewers look for it under its name
    (void)snprintf(name, sizeof name, "%s%s%s%s",
                   channel->is_file_only ? "" : "NT:", is_schema ? "" : "/Replay",
                   is_schema || channel->name[0] == '/' ? "" : "/", channel->name);
    hy_store_le(start + 1, self->first_entry + channel->handle, 4);
    write_head(self, 0,
               sizeof start + 4 + strlen(name) + 4 + strlen(channel->type) + 4 +
                   strlen(channel->metadata),
               now_us);
    (void)fwrite(start, 1, sizeof start, self->output.stream);
    write_text(self, name);
    write_text(self, channel->type);
    write_text(self, channel->metadata);
}

static void copy_put(void *context, const hy_channel_info *channel, uint64_t now_us, hy_bytes value)
{
    const replay_copy *const self = context;
    write_head(self, self->first_entry + channel->handle, value.size, now_us);
    (void)fwrite(value.data, 1, value.size, self->output.stream);
}

// What of the recording can be read goes into the copy as it is.
static bool start_copy(replay_copy *self, const hy_program *program,
                       const hy_program_options *options, hy_bytes recording)
{
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    if (options->record == NULL || hy_wpilog_reader_init(&reader, recording) != HY_OK) {
        return true;
    }
    while (hy_wpilog_next(&reader, &record)) {
        const bool is_start = record.kind == HY_WPILOG_START;
        self->first_entry =
            is_start && record.entry > self->first_entry ? record.entry : self->first_entry;
    }
    char error[HY_SYSTEM_ERROR_MAX];
    if (!hy_file_create(&self->output, options->record, options->overwrite ? HY_FILE_OVERWRITE : 0,
                        error)) {
        hy_print_error(program->name, "%s", error);
        return false;
    }
    (void)fwrite(recording.data, 1, reader.offset, self->output.stream);
    return true;
}

// --------------------------------------------------------------------------- the whole

static int replay_mapped(const hy_program *program, const hy_program_options *options, hy_bytes file)
{
    replay_copy copy = { .first_entry = 0 };
    char error[HY_SYSTEM_ERROR_MAX];
    program_watch watch = { .in_process = true, .gives_up_us = GIVES_UP_US };
    const hy_telemetry_sink sink = { &copy, copy_declare, copy_put };
    hy_program_replay_report report;
    if (!start_copy(&copy, program, options, file)) {
        return IMPOSSIBLE;
    }
    const program_replay_setup setup = { .program = program,
                                         .file = file,
                                         .also = copy.output.stream != NULL ? &sink : NULL,
                                         .watch = &watch };
    program_watch_start(&watch, program->name);
    program_replay_run(&setup, &report);
    program_watch_end(&watch);
    if (report.result == HY_REPLAY_EQUAL) {
        hy_print(stdout, "%s: %s: %s\n", program->name, options->replay, report.text);
    } else {
        hy_print_error(program->name, "%s: %s", options->replay, report.text);
    }
    if (!hy_file_close(&copy.output, report.loops > 0, error)) { // only a whole copy gets the name
        hy_print_error(program->name, "%s", error);
        return IMPOSSIBLE;
    }
    return report.result == HY_REPLAY_EQUAL     ? 0
           : report.result == HY_REPLAY_DIFFERS ? DIFFERENT
                                                : IMPOSSIBLE;
}

int program_replay_execute(const hy_program *program, const hy_program_options *options)
{
    hy_bytes file;
    char error[HY_SYSTEM_ERROR_MAX];
    if (!hy_file_map(options->replay, &file, error)) {
        hy_print_error(program->name, "%s", error);
        return IMPOSSIBLE;
    }
    const int status = replay_mapped(program, options, file);
    hy_file_unmap(&file);
    return status;
}
