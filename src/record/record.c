// A log file that a thread writes from the ring buffer of its sink.
#include <halyard/telemetry.h>

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"
#include "system/system.h"
#include "system/system_threads.h"
#include "text/text_plain.h"

#define ROOM           (1 << 22) // bytes that wait for the disk
#define WRITE_EVERY_US 50000
#define SYNC_EVERY_US  1000000
#define DATE_EVERY_US  10000000
#define DATE_JUMP_US   100000

struct hy_record {
    hy_record_options options;
    hy_file_output output;
    hy_wpilog *log;
    hy_thread thread;
    // The thread sleeps on `wake`, and who waits for room in the buffer on `written`.
    hy_mutex mutex;
    hy_condition wake, written;
    bool is_closing, is_waited_for; // under the mutex
    _Atomic uint64_t bytes;
    _Atomic int failure; // errno of the first write that failed; 0: none
};

static void sentence(hy_record_error *error, const char *path, const char *what, const char *advice)
{
    (void)snprintf(error->text, sizeof error->text, "%.400s: %s%s", path, what, advice);
}

// --------------------------------------------------------------------------- the thread

static void report_failure(hy_record *self, int number)
{
    hy_record_error error = { "" };
    char why[100];
    (void)snprintf(why, sizeof why, "cannot be written: %.60s", strerror(number));
    sentence(&error, self->output.path, why, "; the recording ends here, the program continues");
    atomic_store(&self->failure, number);
    if (self->options.report != NULL) {
        self->options.report(self->options.context, error.text);
    } else {
        hy_print(stderr, "%s\n", error.text);
    }
}

// Writes what waits; after a failure it is thrown away, so that nobody waits for room.
static void write_waiting(hy_record *self)
{
    for (hy_bytes bytes; (bytes = hy_wpilog_peek(self->log)).size > 0;) {
        size_t done = bytes.size;
        if (atomic_load(&self->failure) == 0) {
            done = hy_file_write(&self->output, bytes);
            if (done == 0) {
                report_failure(self, errno);
            }
            atomic_fetch_add(&self->bytes, done);
        }
        hy_wpilog_consume(self->log, done);
    }
}

static void write_file(void *context)
{
    hy_record *const self = context;
    int64_t synced_us = hy_time_now_us();
    bool is_last = false;
    while (!is_last) {
        hy_mutex_lock(&self->mutex);
        is_last = self->is_closing;
        hy_mutex_unlock(&self->mutex);

        write_waiting(self);
        const int64_t now_us = hy_time_now_us();
        if (is_last || now_us - synced_us >= SYNC_EVERY_US) {
            hy_file_sync(&self->output);
            synced_us = now_us;
        }

        hy_mutex_lock(&self->mutex);
        self->is_waited_for = false;
        hy_condition_signal(&self->written);
        if (!self->is_closing) {
            hy_condition_wait_for(&self->wake, &self->mutex, WRITE_EVERY_US);
        }
        hy_mutex_unlock(&self->mutex);
    }
}

// Of the sink: returns once the thread has written something.
static bool wait_for_room(void *context)
{
    hy_record *const self = context;
    hy_mutex_lock(&self->mutex);
    self->is_waited_for = true;
    hy_condition_signal(&self->wake);
    while (self->is_waited_for) {
        hy_condition_wait(&self->written, &self->mutex);
    }
    hy_mutex_unlock(&self->mutex);
    return true;
}

// --------------------------------------------------------------------------- opening and closing

static hy_status start_thread(hy_record *self, hy_record_error *error)
{
    hy_mutex_init(&self->mutex);
    hy_condition_init(&self->wake);
    hy_condition_init(&self->written);
    if (!hy_thread_start(&self->thread, write_file, self)) {
        sentence(error, self->output.path, "no thread to write it: ", strerror(errno));
        return HY_ESYSTEM;
    }
    return HY_OK;
}

static void record_free(hy_record *self)
{
    char why[HY_SYSTEM_ERROR_MAX];
    (void)hy_file_close(&self->output, false, why);
    hy_wpilog_close(self->log);
    free(self);
}

hy_status hy_record_open(const hy_record_options *options, hy_record **out, hy_record_error *error)
{
    *out = NULL;
    hy_record *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        sentence(error, options->path, "there is not enough memory to record", "");
        return HY_EMEMORY;
    }
    self->options = *options;
    const hy_wpilog_options log = { ROOM, options->waits ? wait_for_room : NULL, self };
    hy_status status = hy_wpilog_open(&log, &self->log);
    if (status != HY_OK) {
        sentence(error, options->path, "there is not enough memory to record", "");
    } else if (!hy_file_create(&self->output, options->path,
                               options->overwrite ? HY_FILE_OVERWRITE : 0, error->text) ||
               !hy_file_place(&self->output, error->text)) { // who reads the old one keeps it
        status = HY_EFILE;
    } else {
        status = start_thread(self, error);
    }
    if (status != HY_OK) {
        record_free(self);
        return status;
    }
    *out = self;
    return HY_OK;
}

hy_telemetry_sink hy_record_sink(hy_record *self)
{
    return hy_wpilog_sink(self->log);
}

// The thread may be done with writing, but not yet with saying so, when the first wait begins: only what it writes before the second
// wait ends is surely all that was put.
void hy_record_flush(hy_record *self)
{
    (void)wait_for_room(self);
    (void)wait_for_room(self);
}

hy_record_counts hy_record_count(const hy_record *self)
{
    const hy_wpilog_drops drops = hy_wpilog_dropped(self->log);
    return (hy_record_counts){ atomic_load(&self->bytes), drops.values + drops.inputs };
}

hy_status hy_record_close(hy_record *self, hy_record_error *error)
{
    if (self == NULL) {
        return HY_OK;
    }
    hy_mutex_lock(&self->mutex);
    self->is_closing = true;
    hy_condition_signal(&self->wake);
    hy_mutex_unlock(&self->mutex);
    hy_thread_join(&self->thread);
    const int failure = atomic_load(&self->failure);
    const uint64_t dropped = hy_record_count(self).dropped;
    hy_status status = HY_OK;
    if (failure != 0) {
        sentence(error, self->output.path, "is not complete: ", strerror(failure));
        status = HY_EFILE;
    } else if (dropped > 0) {
        (void)snprintf(error->text, sizeof error->text,
                       "%.400s: the disk was too slow, %llu records are missing", self->output.path,
                       (unsigned long long)dropped);
        status = HY_EFILE;
    }
    hy_record_error unclosed;
    if (!hy_file_close(&self->output, true, unclosed.text) && status == HY_OK) {
        *error = unclosed;
        status = HY_EFILE;
    }
    hy_condition_close(&self->written);
    hy_condition_close(&self->wake);
    hy_mutex_close(&self->mutex);
    record_free(self);
    return status;
}

// --------------------------------------------------------------------------- what a file says of its run

void hy_record_metadata(hy_telemetry *telemetry, const char *name, const char *text)
{
    char channel[HY_CHANNEL_NAME_MAX + 1];
    (void)snprintf(channel, sizeof channel, "/Metadata/%.200s", name);
    const hy_channel_spec spec = { .name = channel, .kind = HY_CHANNEL_STRING, .is_file_only = true };
    hy_telemetry_put_text(telemetry, hy_telemetry_declare(telemetry, &spec), text);
}

static const char *without_folders(const char *path)
{
    const char *const folders_end = strrchr(path, '/');
    return folders_end != NULL ? folders_end + 1 : path;
}

void hy_record_file_name(hy_telemetry *telemetry, const char *name, const char *path)
{
    hy_record_metadata(telemetry, name, without_folders(path != NULL ? path : ""));
}

void hy_record_add_option(char *text, const char *name, const char *value)
{
    const size_t used = strlen(text), room = HY_RECORD_OPTIONS_MAX - used;
    if (value != NULL && snprintf(text + used, room, "%s--%s %s", used > 0 ? " " : "", name,
                                  without_folders(value)) >= (int)room) {
        text[used] = '\0';
    }
}

void hy_record_add_number(char *text, const char *name, double value)
{
    char number[32];
    (void)snprintf(number, sizeof number, "%.10g", value);
    hy_record_add_option(text, name, value != 0.0 ? number : NULL);
}

void hy_record_dialect(hy_telemetry *telemetry, hy_nt_dialect dialect)
{
    hy_telemetry_set_dialect(telemetry, dialect);
    if (dialect == HY_NT_DIALECT_2027) {
        hy_record_metadata(telemetry, "Dialect", "2027");
    }
}

void hy_record_date(hy_record_dates *self, hy_telemetry *telemetry, uint64_t log_us, int64_t at_us)
{
    const int64_t offset_us = at_us - (int64_t)log_us;
    const bool is_due = self->put_us == 0 || at_us - self->put_us >= DATE_EVERY_US ||
                        llabs(offset_us - self->offset_us) > DATE_JUMP_US;
    self->offset_us =
        offset_us; // a run that is faster or slower than real time moves it little by little
    if (!is_due) {
        return;
    }
    const hy_channel_spec spec = { .name = "systemTime",
                                   .kind = HY_CHANNEL_INT64,
                                   .metadata = "{\"source\":\"Halyard\",\"format\":\"time_t_us\"}",
                                   .is_file_only = true };
    const int64_t since_us = hy_time_now_us() - at_us;
    hy_telemetry_put_int64(telemetry, hy_telemetry_declare(telemetry, &spec),
                           hy_time_date_us() - since_us);
    self->put_us = at_us;
}
