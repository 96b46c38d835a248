// How fast recordings run again (`halyard replay FILE --verify`), in recorded time over the processor's time of one core: a match of six
// robots, the same with an XRP and a Teensy in it, and an XRP on a line.
#include <halyard/record_replay.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "measure.h"

#define ROUNDS 9

#ifndef RECORD_MATCH // no tests in this build
#define RECORD_MATCH ""
#define RECORD_XRP   ""
#endif

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

// Records with a command of the shell, in which $F is the file, and runs that again.
static bool measure(const char *name, const char *recorder, double wanted)
{
    char path[] = "/tmp/halyard-bench-XXXXXX", command[1024];
    const int descriptor = mkstemp(path);
    if (descriptor < 0) {
        return false;
    }
    (void)close(descriptor);
    (void)snprintf(command, sizeof command, "F=%s; %s >/dev/null 2>&1", path, recorder);
    const bool is_recorded = system(command) == 0; // NOLINT(cert-env33-c): our own programs
    const hy_bytes file = is_recorded ? read_file(path) : (hy_bytes){ NULL, 0 };
    (void)unlink(path);
    double times[ROUNDS];
    hy_replay_report report = { .result = HY_REPLAY_IMPOSSIBLE };
    for (int i = 0; i < ROUNDS && file.size > 0; i++) {
        const double start_ns = measure_cpu_ns();
        hy_replay_verify(file, &report);
        times[i] = report.simulated_s / ((measure_cpu_ns() - start_ns) * 1e-9);
    }
    free((void *)(uintptr_t)file.data);
    if (report.result != HY_REPLAY_EQUAL) {
        printf("%s: not measured: %s\n", name, file.size > 0 ? report.text : "nothing recorded");
        return false;
    }
    const double median = measure_median(times, ROUNDS);
    printf("%-32s %8.0f times real time (median of %d; best %.0f; wanted %.0f)\n", name, median,
           ROUNDS, times[ROUNDS - 1], wanted);
    return true;
}

int main(void)
{
    const bool match = measure("six robots", RECORD_MATCH " \"$F\" 60 robots", 300);
    const bool boards = measure("six robots and two boards", RECORD_MATCH " \"$F\" 60", 300);
    const bool xrp = measure("an XRP on a line",
                             RECORD_XRP " --sim xrp-line --speed max --duration 60 --no-nt"
                                        " --record \"$F\" --overwrite",
                             4000);
    return match && boards && xrp ? 0 : 1;
}
