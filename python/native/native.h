/// @file native.h
/// What the Python package calls through ctypes: one simulated robot in its world behind plain numbers, so that Python
/// needs to know the layout of no other struct of the library. Built as libhalyard_python.so, of which only
/// halyard_sim/_native.py knows; no program in C uses it, and it may change with every version.
///
/// Functions that can fail return false and put one sentence into `error`, which has HY_PY_ERROR bytes. A handle belongs
/// to one thread at a time. Every pointer must be valid; what Python code passes is checked by _native.py.
#ifndef HALYARD_PYTHON_NATIVE_H
#define HALYARD_PYTHON_NATIVE_H

#include <halyard/base.h>

HY_API_BEGIN

#define HY_PY_ERROR 1536 ///< Bytes of a sentence.
#define HY_PY_TEXT  64   ///< Bytes of a name.

typedef struct hy_py hy_py;

/// What is simulated.
typedef struct {
    const char *world; ///< A name or a file, as hy_worldfile_find() takes it.
    const char *robot; ///< As hy_robot_choose() takes it; NULL: what the world's file says.
    uint64_t seed;     ///< For all sensor noise.
    double pwm_hz;     ///< Of the PWM of the motors; 0: the controller's.
    double step_s;     ///< Of the world; 0: what its file says.
} hy_py_setup;

/// Static facts, all doubles but the names.
typedef struct {
    double step_s, width_m, height_m;
    double motors, servos, encoders; ///< How many.
    double m_per_count, track_m;     ///< Of its wheels; 0: it is not steered by two wheels.
    char world[HY_PY_TEXT], kind[HY_PY_TEXT], robot[HY_PY_TEXT];
} hy_py_facts;

/// What acts on the robot until the next call.
typedef struct {
    double motor[HY_PIN_MOTORS];    ///< [-1, +1]; positive drives the motor's wheel forward.
    double servo_us[HY_PIN_SERVOS]; ///< Pulse widths, 500 to 2500; 0: no pulse was ever sent.
    double led, button; ///< 0 or 1: the LED is lit; somebody holds the user button down.
} hy_py_actions;

/// What its sensors read after the last step, noise included.
typedef struct {
    double time_s;                          ///< Simulated time since the start.
    double encoder_counts[HY_PIN_ENCODERS]; ///< Whole counts; rise when the wheel goes forward.
    double gyro_rate_rad_s[3], gyro_angle_rad[3], accel_m_s2[3]; ///< x forward, y left, z up.
    double reflectance[HY_PIN_REFLECTANCE]; ///< Left, right: 0 white .. 1 black.
    double range_m, battery_v, button;
} hy_py_sensors;

/// What is true of it now.
typedef struct {
    double x_m, y_m, heading_rad, speed_m_s, lateral_m_s, rate_z_rad_s;
    double wheel_counts[HY_PIN_ENCODERS]; ///< Turned since the start.
    double reflectance[HY_PIN_REFLECTANCE], range_m, battery_v;
    double motor_duty[HY_PIN_MOTORS], servo_rad[HY_PIN_SERVOS];
    double touching, touching_field, led, button, browned_out;
} hy_py_truth;

/// What a run has shown since hy_py_judge().
typedef struct {
    double driven_m, touches;        ///< Length of its path; how often it began to touch something.
    double has_line;                 ///< Something on the floor is dark, and so:
    double laps;                     ///< Times around its middle, counter-clockwise positive.
    double line_mean_m, line_most_m; ///< Distance of the reflectance sensors' middle from the dark.
} hy_py_outcome;

#define HY_PY_STRUCTS 6

/// The sizes of the structs above, in their order, which _native.py compares with its own.
void hy_py_sizes(size_t sizes[HY_PY_STRUCTS]);

/// The version of the library: static.
const char *hy_py_version(void);

/// Starts a simulation at time 0; `*out` is NULL if it fails. End it with hy_py_close(); NULL is harmless there.
bool hy_py_open(const hy_py_setup *setup, hy_py **out, char *error);
void hy_py_close(hy_py *self);

void hy_py_facts_of(const hy_py *self, hy_py_facts *out);

/// Makes it what hy_py_open() gave with this seed, bit for bit. Not while it is recorded.
bool hy_py_restart(hy_py *self, uint64_t seed, char *error);

/// Puts the robot and all pieces where they started, at rest; time goes on.
void hy_py_put_back(hy_py *self);

/// Advances by `count` steps of the world, then reads the sensors.
void hy_py_step(hy_py *self, const hy_py_actions *actions, uint64_t count, hy_py_sensors *out);

void hy_py_sense(const hy_py *self, hy_py_sensors *out);
void hy_py_true(const hy_py *self, hy_py_truth *out);
/// x, y and heading, without the cost of the rest.
void hy_py_pose(const hy_py *self, double pose[3]);

/// Begins to judge the run, which costs a few milliseconds; what it has shown since then.
bool hy_py_judge(hy_py *self, char *error);
void hy_py_judged(const hy_py *self, hy_py_outcome *out);

/// hy_sim_state_hash().
uint64_t hy_py_hash(const hy_py *self);

/// Draws the world from above, rows from the top, three bytes a pixel: floor, obstacles, robot.
void hy_py_render(const hy_py *self, uint8_t *rgb, uint64_t columns, uint64_t rows);

/// Records everything from now on, which must be the start. hy_py_record_end() completes the file.
bool hy_py_record(hy_py *self, const char *path, bool overwrite, char *error);
bool hy_py_record_end(hy_py *self, char *error);
/// Puts what a program printed into the recording, at the simulated time; nothing without one.
void hy_py_print(hy_py *self, const char *text);

/// Serves the page of the simulation at ADDR:PORT, and prints its address.
bool hy_py_page(hy_py *self, const char *listen, bool opens, char *error);

enum { HY_PY_BUTTON = 1, HY_PY_RESET = 2, HY_PY_STOP = 4 };

/// Shows the page the world as it is now, and asks what it wants: HY_PY_BUTTON while the button is held, the others once.
/// Call it some 20 times a second; 0 without a page.
unsigned hy_py_poll(hy_py *self);
/// The page's address, "" without one.
void hy_py_url(const hy_py *self, char *out);

HY_API_END

#endif
