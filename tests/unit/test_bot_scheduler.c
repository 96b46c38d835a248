// Commands whose calls ask the scheduler for anything, at random, against a second scheduler, which is slow and plain.
#include "bot_checks.h"

#include "environment.h"

#include <string.h>

enum {
    LEAVES = 8,
    COMMANDS = 13,
    SUBSYSTEMS = 4,
    MEMBERS = 3,
    PERIOD_US = 20000,
    CALLS = 16 * LEAVES,
    LOOPS_OF_A_WORLD = 250
};

#define LOOPS (is_long_run() ? 1000000 : 200000)

typedef enum { LEAF, SEQUENCE, PARALLEL, RACE, DEADLINE, TIMEOUT, REPEAT, KINDS } kind;

/// A command of a world: leaves come first, then groups of what is before them.
typedef struct {
    kind kind;
    uint32_t requirements;
    bool uninterruptible, runs_when_disabled;
    int members[MEMBERS], count;
    int64_t duration_us;
    int parent; ///< -1: none.
} part;

typedef enum {
    CALL_START,
    CALL_STEP,
    CALL_IS_FINISHED,
    CALL_END,
    CALL_INTERRUPTED,
    CALL_ANSWER
} call_kind;
typedef enum { IDLE, WAITING, CHOSEN, RUNNING } stage_kind;

/// One of the two schedulers, and all that its commands ask for: the same of both as long as they make the same calls.
typedef struct side side;
typedef struct {
    bool (*schedule)(side *self, int command);
    void (*cancel)(side *self, int command);
    void (*cancel_all)(side *self);
    void (*set_default)(side *self, unsigned subsystem, int command);
    void (*run)(side *self, bool enabled);
    bool (*is_scheduled)(const side *self, int command);
} side_calls;

typedef struct {
    side *side;
    int leaf;
} leaf_context;

struct side {
    const side_calls *calls;
    const part *parts;
    hy_random random;
    int64_t now_us;
    uint16_t log[CALLS * 3];
    size_t length;
    // The scheduler under test.
    hy_scheduler scheduler;
    hy_command command[COMMANDS];
    hy_command *members[COMMANDS][MEMBERS];
    leaf_context context[LEAVES];
    // The model: the stage of each command, and when it came there.
    stage_kind stage[COMMANDS];
    uint64_t order[COMMANDS], orders, refused;
    bool cancelled[COMMANDS], alive[COMMANDS], busy;
    int defaults[SUBSYSTEMS];
    int64_t began_us[COMMANDS];
};

static void log_call(side *self, int what, call_kind call)
{
    assert_true(self->length < sizeof self->log / sizeof self->log[0]); // the loop is bounded
    self->log[self->length++] = (uint16_t)(what << 3 | (int)call);
}

static void ask_for_anything(side *self, hy_random *random)
{
    const int command = (int)hy_random_below(random, COMMANDS);
    const uint32_t what = hy_random_below(random, 16);
    if (what < 11) {
        log_call(self, self->calls->schedule(self, command), CALL_ANSWER);
    } else if (what < 13) {
        self->calls->cancel(self, command);
    } else if (what == 13 && hy_random_below(random, 4) == 0) {
        self->calls->cancel_all(self);
    } else if (what == 14) {
        const unsigned subsystem = hy_random_below(random, SUBSYSTEMS);
        self->calls->set_default(self, subsystem, hy_random_below(random, 3) == 0 ? -1 : command);
    } else if (what == 15) {
        self->calls->run(self, true);
    }
}

/// A command calls: what it does is drawn. The answer is for is_finished().
static bool user_code(side *self, int leaf, call_kind call)
{
    log_call(self, leaf, call);
    for (uint32_t i = hy_random_below(&self->random, 8); i >= 6; i--) {
        ask_for_anything(self, &self->random);
    }
    return hy_random_below(&self->random, 12) == 0;
}

// The scheduler under test.

static void leaf_start(void *context, int64_t now_us)
{
    (void)now_us;
    const leaf_context *const self = context;
    side *const real = self->side;
    for (int i = 0; i < LEAVES; i++) { // neither it nor another that needs the same may be running
        assert_false(real->alive[i] &&
                     (i == self->leaf ||
                      (real->parts[i].requirements & real->parts[self->leaf].requirements) != 0));
    }
    real->alive[self->leaf] = true;
    user_code(real, self->leaf, CALL_START);
}

static void leaf_step(void *context, int64_t now_us)
{
    (void)now_us;
    const leaf_context *const self = context;
    assert_true(self->side->alive[self->leaf]);
    user_code(self->side, self->leaf, CALL_STEP);
}

static bool leaf_is_finished(void *context, int64_t now_us)
{
    (void)now_us;
    const leaf_context *const self = context;
    return user_code(self->side, self->leaf, CALL_IS_FINISHED);
}

static void leaf_end(void *context, bool interrupted, int64_t now_us)
{
    (void)now_us;
    const leaf_context *const self = context;
    assert_true(self->side->alive[self->leaf]);
    self->side->alive[self->leaf] = false;
    user_code(self->side, self->leaf, interrupted ? CALL_INTERRUPTED : CALL_END);
}

static bool real_schedule(side *self, int command)
{
    return hy_scheduler_schedule(&self->scheduler, &self->command[command], self->now_us);
}

static void real_cancel(side *self, int command)
{
    hy_scheduler_cancel(&self->scheduler, &self->command[command], self->now_us);
}

static void real_cancel_all(side *self)
{
    const bool is_within = self->scheduler.running;
    hy_scheduler_cancel_all(&self->scheduler, self->now_us);
    assert_true(is_within || self->scheduler.first == NULL); // only what the ends asked for waits
}

static void real_set_default(side *self, unsigned subsystem, int command)
{
    const bool is_set = hy_scheduler_set_default(&self->scheduler, subsystem,
                                                 command < 0 ? NULL : &self->command[command]);
    log_call(self, is_set, CALL_ANSWER);
}

static void real_run(side *self, bool enabled)
{
    hy_scheduler_run(&self->scheduler, enabled, self->now_us);
}

static bool real_is_scheduled(const side *self, int command)
{
    return hy_scheduler_is_scheduled(&self->scheduler, &self->command[command]);
}

static const side_calls real_calls = { real_schedule,    real_cancel, real_cancel_all,
                                       real_set_default, real_run,    real_is_scheduled };

static bool real_group(side *self, int i)
{
    hy_command *const group = &self->command[i];
    const part *const made = &self->parts[i];
    const size_t count = (size_t)made->count;
    switch (made->kind) {
    case SEQUENCE: return hy_command_sequence(group, self->members[i], count);
    case PARALLEL: return hy_command_parallel(group, self->members[i], count);
    case RACE: return hy_command_race(group, self->members[i], count);
    case DEADLINE: return hy_command_deadline(group, self->members[i], count);
    case TIMEOUT: return hy_command_timeout(group, self->members[i][0], made->duration_us);
    default: return hy_command_repeat(group, self->members[i][0]);
    }
}

static void start_real(side *self, const part *parts)
{
    static const hy_command_calls leaf_calls = { leaf_start, leaf_step, leaf_is_finished, leaf_end };
    self->calls = &real_calls;
    self->parts = parts;
    for (int i = 0; i < COMMANDS; i++) {
        if (parts[i].kind == LEAF) {
            self->context[i] = (leaf_context){ self, i };
            hy_command_init(&self->command[i], &leaf_calls, &self->context[i], parts[i].requirements);
            self->command[i].is_uninterruptible = parts[i].uninterruptible;
            self->command[i].runs_when_disabled = parts[i].runs_when_disabled;
            continue;
        }
        for (int k = 0; k < parts[i].count; k++) {
            self->members[i][k] = &self->command[parts[i].members[k]];
        }
        assert_true(real_group(self, i));
        assert_int_equal(self->command[i].requirements, parts[i].requirements);
    }
}

// The model. Groups first: what is alive of them tells what is to be stepped and ended.

static void model_start(side *self, int i)
{
    const part *const made = &self->parts[i];
    self->alive[i] = true;
    self->began_us[i] = self->now_us;
    if (made->kind == LEAF) {
        user_code(self, i, CALL_START);
    }
    for (int k = 0; k < (made->kind == SEQUENCE ? 1 : made->count); k++) {
        model_start(self, made->members[k]);
    }
}

static void model_end(side *self, int i, bool interrupted)
{
    self->alive[i] = false;
    if (self->parts[i].kind == LEAF) {
        user_code(self, i, interrupted ? CALL_INTERRUPTED : CALL_END);
    }
    for (int k = 0; k < self->parts[i].count; k++) {
        if (self->alive[self->parts[i].members[k]]) {
            model_end(self, self->parts[i].members[k], true);
        }
    }
}

static bool model_step(side *self, int i)
{
    const part *const made = &self->parts[i];
    if (made->kind == LEAF) {
        user_code(self, i, CALL_STEP);
        return user_code(self, i, CALL_IS_FINISHED);
    }
    int ended = 0, left = 0;
    for (int k = 0; k < made->count; k++) {
        const int member = made->members[k];
        if (self->alive[member] && model_step(self, member)) {
            model_end(self, member, false);
            ended++;
            if (made->kind == SEQUENCE) { // the next one is stepped in the next loop
                if (k + 1 < made->count) {
                    model_start(self, made->members[k + 1]);
                }
                return k + 1 == made->count;
            }
        }
        left += self->alive[member];
    }
    switch (made->kind) {
    case SEQUENCE: return false;
    case RACE: return ended > 0;
    case DEADLINE: return !self->alive[made->members[0]];
    case TIMEOUT: return left == 0 || self->now_us - self->began_us[i] >= made->duration_us;
    case REPEAT:
        if (left == 0) {
            model_start(self, made->members[0]);
        }
        return false;
    default: return left == 0;
    }
}

/// The one of a stage that came there first; -1 if there is none.
static int model_first(const side *self, stage_kind stage, uint64_t after)
{
    int first = -1;
    for (int i = 0; i < COMMANDS; i++) {
        if (self->stage[i] == stage && self->order[i] > after &&
            (first < 0 || self->order[i] < self->order[first])) {
            first = i;
        }
    }
    return first;
}

static void model_put(side *self, int i, stage_kind stage)
{
    self->stage[i] = stage;
    self->order[i] = ++self->orders;
    self->cancelled[i] = false;
}

static void model_finish(side *self, int i, bool interrupted)
{
    self->stage[i] = IDLE;
    model_end(self, i, interrupted);
}

/// Interrupts, oldest first, until none is left that is cancelled or needs one of these.
static void model_interrupt(side *self, uint32_t requirements)
{
    int victim;
    do {
        victim = -1;
        for (int i = 0; i < COMMANDS; i++) {
            if (self->stage[i] == RUNNING &&
                (self->cancelled[i] || (self->parts[i].requirements & requirements) != 0) &&
                (victim < 0 || self->order[i] < self->order[victim])) {
                victim = i;
            }
        }
        if (victim >= 0) {
            model_finish(self, victim, true);
        }
    } while (victim >= 0);
}

static void model_begin(side *self, int command)
{
    for (int i = 0; i < COMMANDS; i++) {
        if (self->stage[i] == RUNNING && !self->cancelled[i] && self->parts[i].uninterruptible &&
            (self->parts[i].requirements & self->parts[command].requirements) != 0) {
            self->stage[command] = IDLE;
            self->refused++;
            return;
        }
    }
    model_interrupt(self, self->parts[command].requirements);
    if (self->stage[command] == CHOSEN) {
        model_put(self, command, RUNNING);
        model_start(self, command);
    }
}

static void model_settle(side *self)
{
    if (!self->busy) {
        self->busy = true;
        model_interrupt(self, 0);
        self->busy = false;
    }
}

static bool model_schedule(side *self, int command)
{
    if (self->parts[command].parent >= 0 ||
        (self->stage[command] == RUNNING && self->cancelled[command])) {
        self->refused++;
        return false;
    }
    if (self->stage[command] == IDLE && self->busy) {
        model_put(self, command, WAITING);
    } else if (self->stage[command] == IDLE) {
        self->busy = true;
        model_put(self, command, CHOSEN);
        model_begin(self, command);
        self->busy = false;
        model_settle(self);
    }
    return self->stage[command] != IDLE;
}

static void model_cancel(side *self, int command)
{
    if (self->stage[command] == RUNNING) {
        self->cancelled[command] = true;
        model_settle(self);
    } else {
        self->stage[command] = IDLE;
    }
}

static void model_cancel_all(side *self)
{
    for (int i = 0; i < COMMANDS; i++) {
        self->stage[i] = self->stage[i] == RUNNING ? RUNNING : IDLE;
        self->cancelled[i] = true;
    }
    model_settle(self);
}

static void model_set_default(side *self, unsigned subsystem, int command)
{
    const bool is_good = command < 0 || (self->parts[command].parent < 0 &&
                                         self->parts[command].requirements == HY_REQUIRES(subsystem));
    if (is_good) {
        self->defaults[subsystem] = command;
    }
    log_call(self, is_good, CALL_ANSWER);
}

static bool model_may_run(const side *self, int command, bool enabled)
{
    return enabled || self->parts[command].runs_when_disabled;
}

static void model_run(side *self, bool enabled)
{
    if (self->busy) {
        return;
    }
    self->busy = true;
    uint64_t after = 0;
    for (int i; (i = model_first(self, RUNNING, after)) >= 0;) {
        after = self->order[i];
        if (self->cancelled[i] || !model_may_run(self, i, enabled)) {
            model_finish(self, i, true);
        } else if (model_step(self, i)) {
            model_finish(self, i, false);
        } else if (self->cancelled[i]) {
            model_finish(self, i, true);
        }
    }
    model_interrupt(self, 0);
    for (int i = 0; i < COMMANDS; i++) { // what is asked for from now on waits for the next loop
        self->stage[i] = self->stage[i] == WAITING ? CHOSEN : self->stage[i];
    }
    for (int i; (i = model_first(self, CHOSEN, 0)) >= 0;) {
        if (model_may_run(self, i, enabled)) {
            model_begin(self, i);
        } else {
            self->stage[i] = IDLE;
        }
    }
    uint32_t needed = 0;
    for (int i = 0; i < COMMANDS; i++) {
        needed |= self->stage[i] == RUNNING ? self->parts[i].requirements : 0;
    }
    for (unsigned s = 0; s < SUBSYSTEMS; s++) {
        const int i = self->defaults[s];
        if (i >= 0 && (needed & HY_REQUIRES(s)) == 0 && self->stage[i] == IDLE &&
            model_may_run(self, i, enabled)) {
            model_put(self, i, CHOSEN);
            model_begin(self, i);
        }
    }
    self->busy = false;
    model_settle(self);
}

static bool model_is_scheduled(const side *self, int command)
{
    return self->stage[command] != IDLE &&
           !(self->stage[command] == RUNNING && self->cancelled[command]);
}

static const side_calls model_calls = { model_schedule,    model_cancel, model_cancel_all,
                                        model_set_default, model_run,    model_is_scheduled };

static void start_model(side *self, const part *parts)
{
    self->calls = &model_calls;
    self->parts = parts;
    for (int i = 0; i < SUBSYSTEMS; i++) {
        self->defaults[i] = -1;
    }
}

// Both.

/// Makes a group of parts before `i` that are free; a leaf if there are not enough.
static void draw_group(part *parts, int i, hy_random *random)
{
    const kind wanted = (kind)(1 + hy_random_below(random, KINDS - 1));
    const bool is_around = wanted == TIMEOUT || wanted == REPEAT;
    part group = { .kind = wanted,
                   .parent = -1,
                   .runs_when_disabled = true,
                   .duration_us = (int64_t)hy_random_below(random, 5) * PERIOD_US };
    const int most = is_around ? 1 : 1 + (int)hy_random_below(random, MEMBERS);
    for (int tries = 0; tries < 20 || group.count == 0; tries++) {
        const int k = (int)hy_random_below(random, (uint32_t)i);
        const bool fits = wanted == SEQUENCE || (group.requirements & parts[k].requirements) == 0;
        if (group.count == most || parts[k].parent >= 0 || !fits) {
            continue;
        }
        parts[k].parent = i;
        group.members[group.count++] = k;
        group.requirements |= parts[k].requirements;
        group.uninterruptible = group.uninterruptible || parts[k].uninterruptible;
        group.runs_when_disabled = group.runs_when_disabled && parts[k].runs_when_disabled;
    }
    parts[i] = group;
}

static void draw_parts(part *parts, hy_random *random)
{
    for (int i = 0; i < LEAVES; i++) {
        parts[i] = (part){ .kind = LEAF,
                           .parent = -1,
                           .requirements = hy_random_below(random, 1U << SUBSYSTEMS),
                           .uninterruptible = hy_random_below(random, 8) == 0,
                           .runs_when_disabled = hy_random_below(random, 3) == 0 };
        if (i < SUBSYSTEMS) {
            parts[i].requirements = HY_REQUIRES(i); // may be a default
        }
    }
    for (int i = LEAVES; i < COMMANDS; i++) {
        draw_group(parts, i, random);
    }
}

/// Every command is in one list at most, and only what is not cancelled is there between the calls.
static void check_lists(const side *self)
{
    const hy_command *const lists[] = { self->scheduler.first, self->scheduler.pending };
    uint32_t seen = 0;
    assert_null(self->scheduler.starting);
    for (size_t i = 0; i < 2; i++) {
        for (const hy_command *c = lists[i]; c != NULL; c = c->next) {
            const uint32_t bit = UINT32_C(1) << (c - self->command);
            assert_int_equal(seen & bit, 0);
            assert_true(c->scheduled && !c->cancelled && !c->is_member);
            seen |= bit;
        }
    }
    for (int i = 0; i < COMMANDS; i++) {
        assert_int_equal(self->command[i].scheduled, seen >> i & 1);
    }
}

static void compare(side *real, side *model)
{
    assert_int_equal(real->length, model->length);
    assert_memory_equal(real->log, model->log, real->length * sizeof real->log[0]);
    assert_int_equal(real->scheduler.refused, model->refused);
    for (int i = 0; i < COMMANDS; i++) {
        assert_int_equal(real->calls->is_scheduled(real, i), model->calls->is_scheduled(model, i));
    }
    check_lists(real);
    real->length = model->length = 0;
}

static void run_world(uint64_t seed, uint64_t *calls)
{
    static side sides[2];
    part parts[COMMANDS];
    hy_random script = hy_random_seeded(seed);
    draw_parts(parts, &script);
    memset(sides, 0, sizeof sides);
    start_real(&sides[0], parts);
    start_model(&sides[1], parts);
    sides[0].random = sides[1].random = hy_random_seeded(seed + 1);
    for (int loop = 0; loop < LOOPS_OF_A_WORLD; loop++) {
        for (uint32_t asked = hy_random_below(&script, 5); asked > 0; asked--) {
            hy_random same = script;
            ask_for_anything(&sides[0], &script);
            ask_for_anything(&sides[1], &same);
            *calls += sides[0].length;
            compare(&sides[0], &sides[1]);
        }
        const bool enabled = hy_random_below(&script, 25) != 0;
        for (int i = 0; i < 2; i++) {
            sides[i].now_us += PERIOD_US;
            sides[i].calls->run(&sides[i], enabled);
        }
        *calls += sides[0].length;
        compare(&sides[0], &sides[1]);
    }
}

static uint64_t world_seed;

static void commands_that_ask_for_anything(void **state)
{
    (void)state;
    const uint64_t first = number_from_environment("HY_SEED", 1);
    uint64_t calls = 0;
    for (uint64_t i = 0; i < LOOPS / LOOPS_OF_A_WORLD; i++) {
        world_seed = first + i;
        run_world(world_seed, &calls);
    }
    world_seed = 0;
    print_message("%d loops, %llu calls and answers\n", LOOPS, (unsigned long long)calls);
    assert_true(calls > 5 * (uint64_t)LOOPS);
}

static int print_seed(void **state)
{
    (void)state;
    if (world_seed != 0) {
        print_error("HY_SEED=%llu repeats this\n", (unsigned long long)world_seed);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(commands_that_ask_for_anything, print_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
