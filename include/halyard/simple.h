/// @file simple.h
/// A first program for an XRP: one step after the other, in centimetres, degrees and seconds. Each
/// call returns when its step is done. This one drives a figure eight:
///
///     #include <halyard/simple.h>
///     HY_SIMPLE_MAIN(figure_eight)
///     {
///         for (int corner = 0; corner < 8; corner++) {
///             drive_straight_cm(20, 0.6);
///             turn_deg(corner < 4 ? 90 : -90);
///         }
///     }
///
/// It is a robot program as every other (halyard/program.h): the same options, keys and reasons to
/// stop. It begins when somebody enables the robot. Whatever disables the robot ends it where it
/// is: the call that waits never returns, and enabling begins again with the first line. (Variables
/// outside of functions keep their values; what was allocated is not freed; in C++ no destructor
/// runs.) When its last line is done, the motors stop, and half a second later the robot is
/// disabled; without a person at the terminal the run is then over.
///
/// Time passes while a call waits. A loop that only looks, such as
/// `while (rangefinder_cm() > 20) { }`, waits as well: a call that is made again within one loop of
/// the robot (20 ms) waits for the next one. The motors run on as they were set, but a program that
/// makes no call for half a second has its robot disabled: wait_s() is the way to wait.
///
/// A number out of range is limited to it; NaN stops the motors and does nothing else.
/// The status line says so, once for each function.
///
/// There is one such program in a process at a time, and only its function, with the functions that
/// it calls, may call what is below: elsewhere, as in main() or another thread, these calls do
/// nothing but print a sentence. hy_program_set_status() and its like may be called there, too.
#ifndef HALYARD_SIMPLE_H
#define HALYARD_SIMPLE_H

#include <halyard/program.h>

HY_API_BEGIN

/// Drives `distance_cm` ahead, back if that or `effort` is negative, and stops; the gyro keeps it
/// straight. Efforts up to `effort`, [-1, +1]; while the wheels stand, as much more as they need.
/// False if it gave up: the wheels have stood for 3 s, as before a wall, or an argument is NaN.
bool hy_simple_drive_straight_cm(double distance_cm, double effort);

/// Turns by `angle_deg` on the spot, counter-clockwise (to the left) if positive, and stops. Errors
/// do not add up: it turns from where the move before should have ended, unless the robot looks
/// more than 5 degrees elsewhere by now. False as hy_simple_drive_straight_cm().
bool hy_simple_turn_deg(double angle_deg);

/// Both motors run at these efforts from now on, [-1, +1], positive forward; does not wait.
void hy_simple_set_effort(double left, double right);

/// How far away the next thing ahead is, 0 to 400; 400: nothing in reach, 0: no sensor.
double hy_simple_rangefinder_cm(void);

/// How dark the floor is below the left (right) reflectance sensor, 0 white to 1 black.
double hy_simple_line_left(void);
double hy_simple_line_right(void);

/// Servo 1 to 4 goes to `angle_deg`, [0, 180]; does not wait until it is there.
void hy_simple_servo_deg(int servo, double angle_deg);

/// Switches the LED on or off.
void hy_simple_led(bool on);

/// Waits until the user button is pressed; the motors go on as they were.
void hy_simple_wait_button(void);

/// Waits for `time_s`, rounded up to the next 0.02 s; the motors go on as they were.
void hy_simple_wait_s(double time_s);

/// The program whose steps are in `robot`, for hy_program_main(), or for hy_program_run() to test
/// it. `name` must stay. It belongs to the library, and is valid until the next call.
const hy_program *hy_simple_program(const char *name, void (*robot)(void));

HY_API_END

/// Stands before the block with the steps of a program, which gets the name `robot`, and defines
/// main(), unless HY_PROGRAM_NO_MAIN is defined: so the same file can be linked into a test.
#define HY_SIMPLE_MAIN(robot)                          \
    void robot(void);                                  \
    HY_PROGRAM_MAIN(*hy_simple_program(#robot, robot)) \
    void robot(void)

// The same under short names, which are functions of each file that includes this: one that has
// other uses for these names defines HY_SIMPLE_LONG_NAMES before.
#ifndef HY_SIMPLE_LONG_NAMES
// clang-format off
/// hy_simple_drive_straight_cm(), and so on.
static inline bool drive_straight_cm(double distance_cm, double effort)
{ return hy_simple_drive_straight_cm(distance_cm, effort); }
static inline bool turn_deg(double angle_deg) { return hy_simple_turn_deg(angle_deg); }
static inline void set_effort(double left, double right) { hy_simple_set_effort(left, right); }
static inline double rangefinder_cm(void) { return hy_simple_rangefinder_cm(); }
static inline double line_left(void) { return hy_simple_line_left(); }
static inline double line_right(void) { return hy_simple_line_right(); }
static inline void servo_deg(int servo, double deg) { hy_simple_servo_deg(servo, deg); }
static inline void led(bool on) { hy_simple_led(on); }
static inline void wait_button(void) { hy_simple_wait_button(); }
static inline void wait_s(double time_s) { hy_simple_wait_s(time_s); }
// clang-format on
#endif

#endif
