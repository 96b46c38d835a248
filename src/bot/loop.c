#include <halyard/bot.h>

const char *hy_mode_name(hy_mode mode)
{
    switch (mode) {
    case HY_MODE_AUTONOMOUS: return "autonomous";
    case HY_MODE_TELEOP: return "teleop";
    case HY_MODE_TEST: return "test";
    case HY_MODE_DISABLED:
    case HY_MODES:
    default: return "disabled";
    }
}

void hy_timed_robot_init(hy_timed_robot *self, const hy_robot_program *program, int64_t period_us,
                         bool simulated, int64_t now_us)
{
    *self = (hy_timed_robot){ .mode = HY_MODE_DISABLED,
                              .due_us = now_us,
                              .program = program,
                              .period_us = period_us > 0 ? period_us : HY_LOOP_PERIOD_US,
                              .simulated = simulated };
}

enum { STAGE_INIT, STAGE_PERIODIC, STAGE_EXIT, STAGES };

// Mode HY_MODES stands for the robot's own calls, HY_MODES + 1 for the simulation's.
static const char *const call_names[HY_MODES + 2][STAGES] = {
    [HY_MODE_DISABLED] = { "disabled init", "disabled periodic", "disabled exit" },
    [HY_MODE_AUTONOMOUS] = { "autonomous init", "autonomous periodic", "autonomous exit" },
    [HY_MODE_TELEOP] = { "teleop init", "teleop periodic", "teleop exit" },
    [HY_MODE_TEST] = { "test init", "test periodic", "test exit" },
    [HY_MODES] = { "robot init", "robot periodic", "robot exit" },
    [HY_MODES + 1] = { "simulation init", "simulation periodic", "simulation exit" },
};
#define ROBOT      HY_MODES
#define SIMULATION (HY_MODES + 1)

static void tell_watcher(const hy_timed_robot *self, const char *call)
{
    if (self->watcher != NULL) {
        self->watcher(self->watcher_context, call);
    }
}

static void call(const hy_timed_robot *self, hy_loop_call what, const char *name, int64_t now_us)
{
    if (what != NULL) {
        tell_watcher(self, name);
        what(self->program->context, now_us);
        tell_watcher(self, NULL);
    }
}

static void start_mode(hy_timed_robot *self, int64_t now_us)
{
    self->started = true;
    call(self, self->program->robot_init, call_names[ROBOT][STAGE_INIT], now_us);
    if (self->simulated) {
        call(self, self->program->simulation_init, call_names[SIMULATION][STAGE_INIT], now_us);
    }
}

static void leave_mode(hy_timed_robot *self, int64_t now_us)
{
    if (self->in_mode) {
        call(self, self->program->mode[self->mode].exit, call_names[self->mode][STAGE_EXIT], now_us);
        self->in_mode = false;
    }
}

static void enter_mode(hy_timed_robot *self, hy_mode mode, int64_t now_us)
{
    self->mode = mode;
    self->in_mode = true;
    call(self, self->program->mode[mode].init, call_names[mode][STAGE_INIT], now_us);
}

/// The first moment on the grid of periods that is later than `now_us`.
static void plan_next(hy_timed_robot *self, int64_t now_us)
{
    const int64_t missed = (now_us - self->due_us) / self->period_us;
    self->skipped += (uint64_t)missed;
    self->due_us += (missed + 1) * self->period_us;
}

bool hy_timed_robot_begin(hy_timed_robot *self, hy_mode wanted, int64_t now_us)
{
    if (now_us < self->due_us) {
        return false;
    }
    const hy_mode mode = (unsigned)wanted < HY_MODES ? wanted : HY_MODE_DISABLED;
    plan_next(self, now_us);
    self->began_us = now_us;
    self->loops++;
    if (!self->started) {
        start_mode(self, now_us);
    }
    if (!self->in_mode || mode != self->mode) {
        leave_mode(self, now_us);
        enter_mode(self, mode, now_us);
    }
    call(self, self->program->mode[mode].periodic, call_names[mode][STAGE_PERIODIC], now_us);
    call(self, self->program->robot_periodic, call_names[ROBOT][STAGE_PERIODIC], now_us);
    if (self->simulated) {
        call(self, self->program->simulation_periodic, call_names[SIMULATION][STAGE_PERIODIC],
             now_us);
    }
    return true;
}

bool hy_timed_robot_end(hy_timed_robot *self, int64_t now_us)
{
    self->last_us = now_us - self->began_us;
    self->worst_us = self->last_us > self->worst_us ? self->last_us : self->worst_us;
    const bool is_overrun = self->last_us > self->period_us;
    self->overruns += is_overrun ? 1 : 0;
    return is_overrun;
}

void hy_timed_robot_exit(hy_timed_robot *self, int64_t now_us)
{
    leave_mode(self, now_us);
}
