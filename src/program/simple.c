// Programs whose steps wait for each other: a stack of the program's own, a loop that lets it go on, and an XRP's moves.
#define HY_SIMPLE_LONG_NAMES
#include <halyard/simple.h>

#include <math.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>

#include "note.h"
#include "system/system_threads.h"
#include "text/text_plain.h"

#define LONGEST    1e6    // centimetres, degrees or seconds of one call
#define REST_US    500000 // behind the last line: what rolls comes to rest
#define FOREVER_US (INT64_MAX / 2)

#define CALLS(X)         \
    X(drive_straight_cm) \
    X(turn_deg)          \
    X(set_effort)        \
    X(rangefinder_cm) X(line_left) X(line_right) X(servo_deg) X(led) X(wait_button) X(wait_s)
#define CALL_INDEX(name) CALL_##name,
#define CALL_NAME(name)  #name,
typedef enum { CALLS(CALL_INDEX) } simple_call;
static const char *const call_names[] = { CALLS(CALL_NAME) };

typedef struct {
    hy_program program;
    void (*robot)(void);
    hy_xrp xrp;
    program_note *note;
    int64_t now_us;
    hy_drive_efforts effort;
    double goal_rad;         // where it should look
    unsigned called, warned; // bits of simple_call: in this loop; ever
    hy_thread thread;        // of the program's function
    jmp_buf end;
    bool is_started, has_returned, is_ending, is_its_turn;
} simple_run;

static simple_run run; // a beginner's calls have no argument for it
static _Thread_local bool is_inside;
static const uint32_t nothing; // that changes

// --------------------------------------------------------------------------- turns

// The program's function runs on a stack of its own, so that it can wait in the middle, and in turns with the loop, never beside it: so
// what both use needs no lock, and equal runs stay equal. Here that stack is a thread's, as every system has them and the sanitizers
// understand them. A browser without threads needs a coroutine, which WebAssembly has by Asyncify or JSPI: instead of this section.
static hy_mutex mutex = HY_MUTEX_INIT; // of run.is_its_turn
static hy_condition changed = HY_CONDITION_INIT;

static void give_turn(bool to_it)
{
    hy_mutex_lock(&mutex);
    run.is_its_turn = to_it;
    hy_condition_signal(&changed);
    hy_mutex_unlock(&mutex);
}

static void await_turn(bool its)
{
    hy_mutex_lock(&mutex);
    while (run.is_its_turn != its) {
        hy_condition_wait(&changed, &mutex);
    }
    hy_mutex_unlock(&mutex);
}

// Of the function: a loop later it goes on, or it is ended here.
static void wait_for_loop(void)
{
    give_turn(false);
    await_turn(true);
    if (run.is_ending) {
        longjmp(run.end, 1);
    }
}

// Waits until `*count` changes, or until `most_us` have passed.
static void await_change(const uint32_t *count, int64_t most_us)
{
    const uint32_t before = *count;
    for (const int64_t end_us = run.now_us + most_us; run.now_us < end_us && *count == before;) {
        wait_for_loop();
    }
}

static void run_robot(void *unused)
{
    (void)unused;
    is_inside = true;
    (void)program_note_use(run.note);
    await_turn(true);
    if (!run.is_ending && setjmp(run.end) == 0) {
        run.robot();
        run.effort = (hy_drive_efforts){ 0 };
        await_change(&nothing, REST_US);
    }
    run.has_returned = true;
    give_turn(false);
}

// False: the function has returned, or there is none.
static bool resume(void)
{
    if (!run.is_started || run.has_returned) {
        return false;
    }
    give_turn(true);
    await_turn(false);
    return !run.has_returned;
}

static void end(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    run.is_ending = true;
    (void)resume();
    if (run.is_started) {
        hy_thread_join(&run.thread);
    }
    run.is_started = run.has_returned = run.is_ending = false;
}

// --------------------------------------------------------------------------- calls

// Begins a call. False: not in the program's function.
static bool begin_call(simple_call call)
{
    static atomic_flag is_said = ATOMIC_FLAG_INIT;
    if (!is_inside && !atomic_flag_test_and_set(&is_said)) {
        hy_print(stderr, "%s() does nothing here: call it in the block behind HY_SIMPLE_MAIN()\n",
                 call_names[call]);
    }
    if (!is_inside) {
        return false;
    }
    if ((run.called >> call & 1) != 0) {
        wait_for_loop();
    }
    run.called |= 1U << call;
    return true;
}

static void warn(simple_call call, const char *what)
{
    if ((run.warned >> call & 1) == 0) {
        hy_program_set_status("%s(): %s", call_names[call], what);
    }
    run.warned |= 1U << call;
}

// `value` within `low` .. `high`. False: it is no number; the motors stop, and nothing else is to be done.
static bool limit(simple_call call, double *value, double low, double high)
{
    char text[80];
    if (isnan(*value)) {
        run.effort = (hy_drive_efforts){ 0 };
        warn(call, "an argument is NaN, not a number; the motors stop");
    } else if (*value < low || *value > high) {
        (void)snprintf(text, sizeof text, "%g is outside of %g to %g; limited", *value, low, high);
        warn(call, text);
    }
    *value = hy_clamp(*value, low, high, NAN);
    return !isnan(*value);
}

// --------------------------------------------------------------------------- moves

#define CLOSE_M       0.004   // near enough
#define CLOSE_RAD     0.012   // the same of an angle
#define OFF_RAD       0.087   // more is no error of ours: somebody turned the robot
#define START_TO_MOVE 0.22    // effort at which the wheels begin to turn
#define AHEAD_GAIN    2.0     // effort per metre that is left
#define TURN_GAIN     0.3     // effort per radian that is left
#define STRAIGHT_GAIN 1.0     // the same while it drives
#define TURN_MOST     0.4     // effort
#define GROWTH        0.01    // effort that is added with each status while the robot is slow
#define SLOW          0.5     // of what is near enough, from one status to the next: less is slow
#define STANDS        0.0005  // metres or radians from one status to the next: less is no motion
#define WIDER         1.3     // what is near enough grows by, when the robot has gone past it
#define ARRIVED_US    200000  // it stands for so long: then what the sensors say is true
#define STUCK_US      3000000 // it gives up
#define STATUS_US     100000  // a status without a gyro is not waited for any longer

static double way_m(void)
{
    return (run.xrp.encoder[0].distance + run.xrp.encoder[1].distance) / 2.0;
}

// Drives by `way` metres, or turns by `way` radians (CALL_turn_deg). The effort is in proportion to what is left, and more than what
// starts the motors. Motors that stand need more than motors that turn, on a weak battery most of all: so it grows while the robot is
// slow (an integral term), and shrinks again. Such a term alone swings around 0 for ever on some robots: each time that it goes past,
// less is asked of it.
static bool move(simple_call call, double way, double most)
{
    const bool turns = call == CALL_turn_deg;
    const double *const heading_rad = &run.xrp.gyro.angle_rad[2];
    const double gain = turns ? TURN_GAIN : AHEAD_GAIN, end_m = way_m() + way;
    double close = turns ? CLOSE_RAD : CLOSE_M, left = 0.0, more = 0.0;
    int64_t moved_us = run.now_us, driven_us = run.now_us;
    const bool is_off = fabs(*heading_rad - run.goal_rad) > OFF_RAD;
    run.goal_rad = (is_off ? *heading_rad : run.goal_rad) + (turns ? way : 0.0);
    for (;; await_change(&run.xrp.gyro.readings, STATUS_US)) {
        const double before = left, left_rad = run.goal_rad - *heading_rad;
        left = turns ? left_rad : end_m - way_m();
        const double moved = fabs(left - before);
        const bool is_past = left * before < 0.0;
        close *= is_past ? WIDER : 1.0;
        more = hy_clamp(more + (moved < SLOW * close ? GROWTH : -GROWTH), 0.0, 1.0, 0.0);
        moved_us = moved < STANDS ? moved_us : run.now_us;
        run.effort = (hy_drive_efforts){ 0 };
        if (is_past || fabs(left) <= close) {
            more = 0.0;
        }
        if (fabs(left) > close) {
            const double effort = fmin(START_TO_MOVE + gain * fabs(left), most) + more;
            const double signed_effort = copysign(effort, left);
            run.effort = turns ? hy_arcade_efforts(0.0, signed_effort, false)
                               : hy_arcade_efforts(signed_effort, STRAIGHT_GAIN * left_rad, false);
            driven_us = run.now_us;
        } else if (run.now_us - driven_us >= ARRIVED_US) {
            return true;
        }
        if (driven_us - moved_us >= STUCK_US) {
            run.effort = (hy_drive_efforts){ 0 };
            warn(call, "gave up: the wheels stand; is something in the way?");
            return false;
        }
    }
}

bool hy_simple_drive_straight_cm(double distance_cm, double effort)
{
    const simple_call call = CALL_drive_straight_cm;
    return begin_call(call) && limit(call, &distance_cm, -LONGEST, LONGEST) &&
           limit(call, &effort, -1.0, 1.0) &&
           move(call, (effort < 0.0 ? -0.01 : 0.01) * distance_cm, fabs(effort));
}

bool hy_simple_turn_deg(double angle_deg)
{
    const simple_call call = CALL_turn_deg;
    return begin_call(call) && limit(call, &angle_deg, -LONGEST, LONGEST) &&
           move(call, hy_rad_from_deg(angle_deg), TURN_MOST);
}

// --------------------------------------------------------------------------- the other calls

void hy_simple_set_effort(double left, double right)
{
    const simple_call call = CALL_set_effort;
    if (begin_call(call) && limit(call, &left, -1.0, 1.0) && limit(call, &right, -1.0, 1.0)) {
        run.effort = (hy_drive_efforts){ left, right };
    }
}

double hy_simple_rangefinder_cm(void)
{
    return begin_call(CALL_rangefinder_cm) ? run.xrp.rangefinder.range_m * 100.0 : 0.0;
}

double hy_simple_line_left(void)
{
    return begin_call(CALL_line_left) ? run.xrp.reflectance.left : 0.0;
}

double hy_simple_line_right(void)
{
    return begin_call(CALL_line_right) ? run.xrp.reflectance.right : 0.0;
}

void hy_simple_servo_deg(int servo, double angle_deg)
{
    const simple_call call = CALL_servo_deg;
    if (!begin_call(call)) {
        return;
    }
    if (servo < 1 || servo > HY_XRP_SERVOS) {
        warn(call, "an XRP has servos 1 to 4; nothing is done");
    } else if (limit(call, &angle_deg, 0.0, 180.0)) {
        (void)hy_servo_set_angle(&run.xrp.servo[servo - 1], hy_rad_from_deg(angle_deg));
    }
}

void hy_simple_led(bool on)
{
    if (begin_call(CALL_led)) {
        hy_led_set(&run.xrp.led, on);
    }
}

void hy_simple_wait_button(void)
{
    if (begin_call(CALL_wait_button)) {
        await_change(&run.xrp.button.presses, FOREVER_US);
    }
}

void hy_simple_wait_s(double time_s)
{
    if (begin_call(CALL_wait_s) && limit(CALL_wait_s, &time_s, 0.0, LONGEST)) {
        await_change(&nothing, (int64_t)(time_s * 1e6));
    }
}

// --------------------------------------------------------------------------- the loop

static void start(void *context, int64_t now_us)
{
    end(context, now_us); // a recording that was cut has no exit
    run.note = program_note_use(NULL);
    (void)program_note_use(run.note);
    run.effort = (hy_drive_efforts){ 0 };
    run.goal_rad = run.xrp.gyro.angle_rad[2];
    run.is_started = hy_thread_start(&run.thread, run_robot, NULL);
    if (!run.is_started) {
        hy_program_set_status("the system refuses this program a thread");
    }
}

static void go_on(void *context, int64_t now_us)
{
    (void)context;
    run.now_us = now_us;
    run.called = 0;
    if (!resume()) {
        hy_program_finish();
    }
    hy_motor_set(&run.xrp.motor[0], run.effort.left, now_us);
    hy_motor_set(&run.xrp.motor[1], run.effort.right, now_us);
}

const hy_program *hy_simple_program(const char *name, void (*robot)(void))
{
    end(NULL, 0);
    run = (simple_run){
        .program = { .name = name,
                     .robots = { { .xrp = &run.xrp } },
                     .loop = { .mode = { [HY_MODE_AUTONOMOUS] = { start, go_on, end } } } },
        .robot = robot,
    };
    return &run.program;
}
