// How fast recordings run again (`halyard replay FILE --verify`), in recorded time over the processor's time of one core: a match of six
// robots, the same with an XRP and a Teensy in it, and an XRP on a line.
#include <halyard/replay.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../tests/support/long_match.h"
#include "../tests/support/match_with_extra_vehicles.h"
#include "measure.h"

#define ROUNDS  9
#define SECONDS 60 // of each recording

static hy_bytes read_file(const char *path)
{
    FILE *const stream = fopen(path, "rb");
    hy_bytes file = { NULL, 0 };
    if (stream == NULL) {
        return file;
    }
    (void)fseek(stream, 0, SEEK_END);
    const long size = ftell(stream);
    uint8_t *const bytes = size > 0 ? malloc((size_t)size) : NULL;
    rewind(stream);
    if (bytes != NULL && fread(bytes, 1, (size_t)size, stream) == (size_t)size) {
        file = (hy_bytes){ bytes, (size_t)size };
    } else {
        free(bytes);
    }
    (void)fclose(stream);
    return file;
}

// Verifies what `record` writes into a file.
static bool measure(const char *name, bool (*record)(const char *path), double wanted)
{
    char path[] = "/tmp/halyard-bench-XXXXXX";
    const int descriptor = mkstemp(path);
    if (descriptor < 0) {
        return false;
    }
    (void)close(descriptor);
    const hy_bytes file = record(path) ? read_file(path) : (hy_bytes){ NULL, 0 };
    (void)unlink(path);
    const int rounds = measure_repeats(ROUNDS);
    double times[ROUNDS];
    hy_replay_report report = { .result = HY_REPLAY_IMPOSSIBLE };
    for (int i = 0; i < rounds && file.size > 0; i++) {
        const double start_ns = measure_cpu_ns();
        hy_replay_verify(file, &report);
        times[i] = report.simulated_s / ((measure_cpu_ns() - start_ns) * 1e-9);
    }
    free((void *)(uintptr_t)file.data);
    if (report.result != HY_REPLAY_EQUAL) {
        printf("%s: not measured: %s\n", name, file.size > 0 ? report.text : "nothing recorded");
        return false;
    }
    const double median = measure_median(times, (size_t)rounds);
    printf("%-32s %8.0f times real time (median of %d; best %.0f; wanted %.0f)\n", name, median,
           rounds, times[rounds - 1], wanted);
    return true;
}

static bool record_match(const char *path, size_t boards)
{
    hy_world_error error = { .text = "" };
    hy_match_model *const model = read_match_with_extra_vehicles(&error);
    const bool is_recorded = model != NULL && record_long_match(model, path, SECONDS, boards);
    hy_match_free(model);
    (void)fprintf(stderr, "%s", error.text);
    return is_recorded;
}

static bool record_robots(const char *path)
{
    return record_match(path, 0);
}

static bool record_boards(const char *path)
{
    return record_match(path, LONG_MATCH_BOARDS);
}

static bool record_xrp(const char *path)
{
    char command[1024];
    (void)snprintf(
        command, sizeof command,
        "'%s' --sim xrp-line --speed max --duration %d --no-nt --record %s --overwrite >/dev/null",
        LINE_FOLLOW, SECONDS, path);
    return system(command) == 0; // NOLINT(cert-env33-c): our own program
}

int main(void)
{
    const bool match = measure("six robots", record_robots, 300);
    const bool boards = measure("six robots and two boards", record_boards, 300);
    const bool xrp = measure("an XRP on a line", record_xrp, 4000);
    return match && boards && xrp ? 0 : 1;
}
