// The core that a newcomer copies, in the place of ours: it has to keep straight by the encoders and stop before what the lidar sees.
#include "cmocka_all.h"

#include <halyard/icd.h>
#include <halyard/link.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "await.h"
#include "match_ports.h"
#include "program.h"

#define SECOND_US 1000000
#define LIMIT_US  (60 * SECOND_US)

#define STOP_M    2.0 // as the example has it
#define NEAR_M    0.2
#define AHEAD_RAD 0.2

typedef struct {
    match_ports ports;
    program sim, core, joystick;
    hy_link view;
    hy_icd_reader *reader;
    hy_icd_match seen;
    uint64_t views;
    double ahead_m;               // the nearest echo ahead of the robot in the sweep under way,
    double sweep_ahead_m;         // and in the last whole one
    double azimuth_rad;           // of the newest point
    double before_y_m, still_y_m; // the robot's place one and two sweeps ago
} bench;

static void look_ahead(bench *self)
{
    const hy_icd_lidar *const lidar = &self->seen.vehicle[0].lidar;
    for (size_t i = 0; i < lidar->count; i++) {
        const hy_icd_lidar_point p = lidar->points[i];
        if (p.azimuth_rad < self->azimuth_rad) { // a turn is whole
            self->sweep_ahead_m = self->ahead_m;
            self->ahead_m = INFINITY;
            self->still_y_m = self->before_y_m;
            self->before_y_m = self->seen.vehicle[0].y_m;
        }
        self->azimuth_rad = p.azimuth_rad;
        if (cos(p.azimuth_rad) > cos(AHEAD_RAD) && p.range_m > 0.0) {
            self->ahead_m = fmin(self->ahead_m, p.range_m);
        }
    }
}

static void turn(bench *self)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self->view, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(hy_icd_read_match(self->reader, batch[i].bytes, &self->seen), HY_OK);
        look_ahead(self);
        self->views++;
    }
    usleep(500);
}

#define AWAIT(self, is_so) AWAIT_BY(turn, self, is_so, LIMIT_US)

static void start(bench *self, const char *script_path)
{
    static char example[1024];
    const char *const end = strrchr(HALYARD_BINARY, '/');
    snprintf(example, sizeof example, "%.*s/examples/core_custom", (int)(end - HALYARD_BINARY),
             HALYARD_BINARY);
    const char *const shift = self->ports.shift_text;
    const char *const sim[] = { HALYARD_BINARY, "sim", "--players", "1", "--shift", shift, NULL };
    const char *const core[] = { example, "1", shift, NULL };
    const char *const joystick[] = { HALYARD_BINARY, "joystick", "--script", script_path,
                                     "--shift",      shift,      NULL };
    self->sim = program_start(sim);
    assert_true(program_await(&self->sim, "ready: 1 players", LIMIT_US));
    self->core = program_start(core);
    self->joystick = program_start(joystick);
    assert_true(program_await(&self->joystick, "connected\n", LIMIT_US));
}

static void end(program *it)
{
    kill(it->pid, SIGTERM);
    assert_int_equal(program_end(it, NULL, 0), 0);
}

static bool stands(const bench *self)
{
    return fabs(self->before_y_m - self->still_y_m) < 0.001;
}

static void it_stops_before_what_is_ahead(void **state)
{
    (void)state;
    static bench b;
    char path[64];
    snprintf(path, sizeof path, "/tmp/halyard-custom-%d", (int)getpid());
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("0 left_y=-100\n+1 left_y=0\n+1 a=1\n+3000 quit\n", file) >= 0);
    fclose(file);
    b.reader = hy_icd_reader_open();
    match_ports_take(&b.ports);
    match_ports_open(&b.ports, HY_ICD_VIEW, 1, &b.view);
    start(&b, path);

    // Until A is held the sticks drive: back, away from what is ahead.
    AWAIT(&b, b.views > 0);
    const double from_x_m = b.seen.vehicle[0].x_m, from_y_m = b.seen.vehicle[0].y_m;
    AWAIT(&b, b.seen.vehicle[0].y_m < from_y_m - 0.2);
    // Then it drives by itself, and stands where it should.
    AWAIT(&b, b.seen.vehicle[0].left_drive_rad_s > 10.0);
    AWAIT(&b, fabs(b.sweep_ahead_m - STOP_M) < NEAR_M && stands(&b));
    print_message("stands %.2f m before it, %.3f m off its line\n", b.sweep_ahead_m,
                  b.seen.vehicle[0].x_m - from_x_m);
    assert_true(fabs(b.seen.vehicle[0].x_m - from_x_m) < 0.1);
    assert_true(b.seen.vehicle[0].y_m > from_y_m);

    end(&b.joystick);
    end(&b.core);
    end(&b.sim);
    unlink(path);
    hy_link_close(&b.view);
    hy_icd_reader_close(b.reader);
    match_ports_give_back(&b.ports);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_stops_before_what_is_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
