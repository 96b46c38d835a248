// Every recording of this folder runs again as it was recorded, whatever the compiler and its optimisation: hash by hash.
#include <halyard/replay.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"

#define RECORDINGS_MIN 12
#define SIZE_MOST      (4 << 20)

static size_t read_recording(const char *name, uint8_t *out)
{
    char path[600];
    (void)snprintf(path, sizeof path, "%s/replay/%s", HALYARD_TEST_DATA, name);
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(out, 1, SIZE_MOST, file);
    assert_true(feof(file));
    (void)fclose(file);
    return size;
}

static void verify_recording(const char *name, uint8_t *bytes)
{
    hy_replay_report report;
    hy_replay_verify((hy_bytes){ bytes, read_recording(name, bytes) }, &report);
    if (report.result != HY_REPLAY_EQUAL) {
        fail_msg("%s: %s; if that was intended: tools/make_replays.sh", name, report.text);
    }
    const bool is_cut = strcmp(name, "cut.wpilog") == 0;
    assert_int_equal(report.is_partial, is_cut);
    assert_true(report.simulated_s >= (is_cut ? 1.0 : 2.0));
    assert_true(report.hashes >= (uint64_t)(report.simulated_s * 2.0));
}

static void recordings_run_again(void **state)
{
    (void)state;
    char folder[512];
    size_t count = 0;
    uint8_t *const bytes = malloc(SIZE_MOST);
    assert_non_null(bytes);
    (void)snprintf(folder, sizeof folder, "%s/replay", HALYARD_TEST_DATA);
    DIR *const entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        const char *const end = strrchr(entry->d_name, '.');
        if (end != NULL && strcmp(end, ".wpilog") == 0) {
            verify_recording(entry->d_name, bytes);
            count++;
        }
    }
    (void)closedir(entries);
    free(bytes);
    assert_true(count >= RECORDINGS_MIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(recordings_run_again) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
