// A log file and the thread that writes it: nothing is lost, no file is overwritten, a full disk is one sentence, and whatever a killed
// program had written can be read.
#include <halyard/telemetry.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "record/record.h"

#define KILLS  200
#define VALUES 300000

static char path[256];

static int make_path(void **state)
{
    (void)state;
    const char *const folder = getenv("TMPDIR");
    (void)snprintf(path, sizeof path, "%s/halyard-record-%ld.wpilog",
                   folder != NULL ? folder : "/tmp", (long)getpid());
    (void)unlink(path);
    return 0;
}

static int remove_path(void **state)
{
    (void)state;
    (void)unlink(path);
    return 0;
}

// --------------------------------------------------------------------------- putting and reading

typedef struct {
    hy_record *record;
    hy_telemetry *telemetry;
    hy_channel number;
} recording;

static recording begin(hy_record_options options)
{
    recording r;
    hy_record_error error = { "" };
    options.path = options.path == NULL ? path : options.path;
    if (hy_record_open(&options, &r.record, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(hy_telemetry_open(&r.telemetry), HY_OK);
    assert_int_equal(hy_telemetry_attach(r.telemetry, hy_record_sink(r.record)), HY_OK);
    r.number = hy_telemetry_declare(
        r.telemetry, &(hy_channel_spec){ .name = "/number", .kind = HY_CHANNEL_INT64 });
    return r;
}

static void put(const recording *r, int64_t value)
{
    hy_telemetry_set_time(r->telemetry, (uint64_t)value);
    hy_telemetry_put_int64(r->telemetry, r->number, value);
}

static hy_status finish(recording *r, hy_record_error *error)
{
    const hy_status status = hy_record_close(r->record, error);
    hy_telemetry_close(r->telemetry);
    return status;
}

// How many values the file has: 0, 1, 2 .. in order. `damage` is why reading ended.
static int64_t read_values(const char **damage)
{
    static uint8_t bytes[VALUES * 32];
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    assert_int_equal(fclose(file), 0);
    hy_wpilog_reader reader;
    int64_t count = 0;
    if (hy_wpilog_reader_init(&reader, (hy_bytes){ bytes, size }) == HY_OK) {
        for (hy_wpilog_record record; hy_wpilog_next(&reader, &record);) {
            if (record.kind == HY_WPILOG_VALUE) {
                assert_int_equal(record.at_us, count);
                count++;
            }
        }
    }
    *damage = reader.damage;
    return count;
}

// --------------------------------------------------------------------------- tests

static void every_value_is_in_the_file_when_it_is_closed(void **state)
{
    (void)state;
    recording r = begin((hy_record_options){ .waits = true });
    for (int64_t i = 0; i < VALUES; i++) {
        put(&r, i);
    }
    hy_record_error error = { "" };
    assert_int_equal(hy_record_count(r.record).dropped, 0);
    if (finish(&r, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    const char *damage;
    assert_int_equal(read_values(&damage), VALUES);
    assert_null(damage);
}

static void a_file_that_is_there_is_not_overwritten_unless_asked(void **state)
{
    (void)state;
    hy_record_error error = { "" };
    recording first = begin((hy_record_options){ .waits = true });
    put(&first, 0);
    assert_int_equal(finish(&first, &error), HY_OK);

    hy_record *record;
    assert_int_equal(hy_record_open(&(hy_record_options){ .path = path }, &record, &error), HY_EFILE);
    assert_null(record);
    assert_non_null(strstr(error.text, path));
    assert_non_null(strstr(error.text, "exists already"));
    const char *damage;
    assert_int_equal(read_values(&damage), 1);

    recording second = begin((hy_record_options){ .overwrite = true });
    assert_int_equal(finish(&second, &error), HY_OK);
    assert_int_equal(read_values(&damage), 0);
    assert_null(damage);
}

static void a_path_that_cannot_be_written_is_a_sentence(void **state)
{
    (void)state;
    hy_record *record;
    hy_record_error error = { "" };
    const hy_record_options missing = { .path = "/nowhere/x.wpilog" };
    assert_int_equal(hy_record_open(&missing, &record, &error), HY_EFILE);
    assert_string_equal(error.text,
                        "/nowhere/x.wpilog: cannot be written (No such file or directory)");
    static char name[1000];
    memset(name, 'x', sizeof name - 1);
    assert_int_equal(hy_record_open(&(hy_record_options){ .path = name }, &record, &error), HY_EFILE);
    assert_non_null(strstr(error.text, "too long"));
}

// With a reader and without: the first could stop reading, and opening the second would not come to its end.
static void a_named_pipe_is_a_sentence_and_not_waited_for(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    (void)alarm(20);
    for (int readers = 0; readers < 2; readers++) {
        const int reader = readers > 0 ? open(path, O_RDONLY | O_NONBLOCK) : -1;
        hy_record *record;
        hy_record_error error = { "" };
        const hy_record_options options = { .path = path, .overwrite = true };
        assert_int_equal(hy_record_open(&options, &record, &error), HY_EFILE);
        assert_null(record);
        assert_non_null(strstr(error.text, "not a regular file"));
        if (reader >= 0) {
            (void)close(reader);
        }
    }
    (void)alarm(0);
}

static _Atomic int reports;
static char reported[640];

static void count_report(void *context, const char *text)
{
    (void)context;
    (void)snprintf(reported, sizeof reported, "%s", text);
    atomic_fetch_add(&reports, 1);
}

static void a_full_disk_is_one_sentence_and_the_program_goes_on(void **state)
{
    (void)state;
    atomic_store(&reports, 0);
    recording r = begin((hy_record_options){
        .path = "/dev/full", .overwrite = true, .waits = true, .report = count_report });
    for (int64_t i = 0; i < VALUES; i++) {
        put(&r, i); // waits, but not for ever
    }
    hy_record_error error = { "" };
    assert_int_equal(finish(&r, &error), HY_EFILE);
    assert_int_equal(atomic_load(&reports), 1);
    assert_non_null(strstr(reported, "/dev/full: cannot be written: No space left on device"));
    assert_non_null(strstr(error.text, "is not complete"));
}

static int64_t clock_us(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

typedef struct {
    uint64_t at_us[20];
    int64_t value[20];
    size_t count;
} date_list;

static void declare_date(void *context, const hy_channel_info *channel, uint64_t now_us)
{
    (void)context;
    (void)channel;
    (void)now_us;
}

static void take_date(void *context, const hy_channel_info *channel, uint64_t now_us, hy_bytes value)
{
    date_list *const self = context;
    assert_string_equal(channel->name, "systemTime");
    assert_true(self->count < 20 && value.size == 8);
    self->at_us[self->count] = now_us;
    memcpy(&self->value[self->count++], value.data, 8);
}

// Not what it shows when it is put: a log may be behind, and is put late on a busy host.
static void the_clock_of_the_day_is_that_of_the_logs_time(void **state)
{
    (void)state;
    enum { BEHIND_US = 300000, SKIP_US = 2000000, SLACK_US = 100 };
    date_list list = { .count = 0 };
    hy_record_dates dates = { 0 };
    hy_telemetry *telemetry;
    assert_int_equal(hy_telemetry_open(&telemetry), HY_OK);
    assert_int_equal(
        hy_telemetry_attach(telemetry, (hy_telemetry_sink){ &list, declare_date, take_date }), HY_OK);
    const int64_t start_us = clock_us(CLOCK_MONOTONIC) - 26000000 - SKIP_US - BEHIND_US;
    for (uint64_t log_us = 0; log_us <= 26000000; log_us += 20000) { // 2 s are left out behind 12 s
        const int64_t at_us = start_us + (int64_t)log_us + (log_us > 12000000 ? SKIP_US : 0);
        const size_t count = list.count;
        hy_telemetry_set_time(telemetry, log_us);
        const int64_t begin_us = clock_us(CLOCK_MONOTONIC), day_us = clock_us(CLOCK_REALTIME),
                      middle_us = clock_us(CLOCK_MONOTONIC);
        hy_record_date(&dates, telemetry, log_us, at_us);
        const int64_t end_us = clock_us(CLOCK_MONOTONIC);
        if (list.count > count) { // whatever the scheduler does between two readings of clocks
            const int64_t apart_us = list.value[count] - at_us;
            assert_true(apart_us >= day_us - middle_us - SLACK_US);
            assert_true(apart_us <= day_us - begin_us + (end_us - middle_us) + SLACK_US);
        }
    }
    static const uint64_t wanted[] = { 0, 10000000, 12020000, 22020000 };
    assert_int_equal(list.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(list.at_us[i], wanted[i]);
    }
    hy_telemetry_close(telemetry);
}

static void record_until_killed(int ready)
{
    const recording r = begin((hy_record_options){ .overwrite = true, .waits = true });
    if (write(ready, "", 1) != 1) {
        _exit(1);
    }
    for (int64_t i = 0; i < VALUES; i++) {
        put(&r, i);
        if (i % 100 == 0) {
            (void)nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
        }
    }
    pause();
}

// Kills it after up to 100 ms: the thread writes every 50.
static void kill_in_the_middle(hy_random *random)
{
    int pipe_ends[2];
    assert_int_equal(pipe(pipe_ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        record_until_killed(pipe_ends[1]);
        _exit(0);
    }
    char byte;
    assert_int_equal(read(pipe_ends[0], &byte, 1), 1);
    (void)nanosleep(&(struct timespec){ .tv_nsec = (long)hy_random_below(random, 100000000) }, NULL);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    (void)close(pipe_ends[0]);
    (void)close(pipe_ends[1]);
}

static void what_a_killed_program_had_written_can_be_read(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(1);
    int64_t most = 0;
    for (int i = 0; i < KILLS; i++) {
        kill_in_the_middle(&random);
        const char *damage;
        const int64_t count = read_values(&damage);
        if (damage != NULL) { // a write that did not come to its end, or none at all
            assert_true(
                strcmp(damage, "the file ends in a record") == 0 ||
                (count == 0 && strcmp(damage, "the file does not begin with \"WPILOG\"") == 0));
        }
        most = count > most ? count : most;
    }
    assert_true(most > 0);
}

static _Atomic int signals_taken;
static pthread_t signal_taker;

static void take_signal(int number)
{
    (void)number;
    signal_taker = pthread_self();
    atomic_fetch_add(&signals_taken, 1);
}

// While this thread blocks a signal nobody takes it, though the thread of the file is there: whoever runs a robot waits for signals.
static void the_thread_of_the_file_takes_no_signal(void **state)
{
    (void)state;
    sigset_t one, before;
    atomic_store(&signals_taken, 0);
    recording r = begin((hy_record_options){ .waits = true });
    const struct sigaction ours = { .sa_handler = take_signal };
    struct sigaction old;
    assert_int_equal(sigaction(SIGUSR1, &ours, &old), 0);
    (void)sigemptyset(&one);
    (void)sigaddset(&one, SIGUSR1);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, &one, &before), 0);
    assert_int_equal(kill(getpid(), SIGUSR1), 0);
    hy_record_error error = { "" };
    assert_int_equal(finish(&r, &error), HY_OK); // the other thread has run to its end
    assert_int_equal(atomic_load(&signals_taken), 0);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
    assert_int_equal(atomic_load(&signals_taken), 1);
    assert_true(pthread_equal(signal_taker, pthread_self()));
    assert_int_equal(sigaction(SIGUSR1, &old, NULL), 0);
}

static void closing_nothing_is_harmless(void **state)
{
    (void)state;
    assert_int_equal(hy_record_close(NULL, NULL), HY_OK);
}

static void options_that_changed_a_run_are_one_text(void **state)
{
    (void)state;
    char text[HY_RECORD_OPTIONS_MAX] = "", long_name[300];
    hy_record_add_option(text, "robot", NULL);
    hy_record_add_number(text, "pwm", 0.0);
    assert_string_equal(text, "");
    hy_record_add_option(text, "robot", "/home/somebody/my_xrp.yaml");
    hy_record_add_number(text, "pwm", 50.0);
    hy_record_add_number(text, "lidar-noise", 0.02);
    assert_string_equal(text, "--robot my_xrp.yaml --pwm 50 --lidar-noise 0.02");
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    hy_record_add_option(text, "drive", long_name); // no room: left out whole
    hy_record_add_option(text, "drive", "ideal");
    assert_string_equal(text, "--robot my_xrp.yaml --pwm 50 --lidar-noise 0.02 --drive ideal");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_that_changed_a_run_are_one_text),
        cmocka_unit_test_setup_teardown(every_value_is_in_the_file_when_it_is_closed, make_path,
                                        remove_path),
        cmocka_unit_test_setup_teardown(a_file_that_is_there_is_not_overwritten_unless_asked,
                                        make_path, remove_path),
        cmocka_unit_test(a_path_that_cannot_be_written_is_a_sentence),
        cmocka_unit_test_setup_teardown(a_named_pipe_is_a_sentence_and_not_waited_for, make_path,
                                        remove_path),
        cmocka_unit_test(the_clock_of_the_day_is_that_of_the_logs_time),
        cmocka_unit_test(a_full_disk_is_one_sentence_and_the_program_goes_on),
        cmocka_unit_test_setup_teardown(what_a_killed_program_had_written_can_be_read, make_path,
                                        remove_path),
        cmocka_unit_test_setup_teardown(the_thread_of_the_file_takes_no_signal, make_path,
                                        remove_path),
        cmocka_unit_test(closing_nothing_is_harmless),
    };
    return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
