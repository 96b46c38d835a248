/// @file bot_devices.h
/// A robot's motors, servos and sensors, in SI units and with the habits of its firmware taken care
/// of.
///
/// The library neither sends nor receives. Whoever does copies what the robot reports into
/// hy_readings, calls the update function, and copies what hy_outputs says into the next command.
/// (`halyard/robot.h` does so on a PC, a loop on a microcontroller can too.) No allocation; time is
/// an argument: microseconds of any clock that does not go backwards. A struct serves one thread at
/// a time; everything is O(1). NaN and infinities are refused: a setter returns false, an effort
/// counts as 0, and a reading is as if it had not come, and counted.
///
///     static hy_xrp xrp; // hy_xrp_init() once
///
///     static void once_a_period(const hy_readings *readings, hy_outputs *out, int64_t now_us)
///     {
///         hy_xrp_update(&xrp, readings, now_us);
///         hy_motor *const left = &xrp.motor[0], *const right = &xrp.motor[1];
///         const double effort = xrp.rangefinder.range_m > 0.2 ? 0.5 : 0.0;
///         hy_motor_set(left, effort, now_us); // positive is forward, for both
///         hy_motor_set(right, effort, now_us);
///         hy_xrp_outputs(&xrp, out, now_us);
///     }
#ifndef HALYARD_BOT_DEVICES_H
#define HALYARD_BOT_DEVICES_H

#include <halyard/base.h>

HY_API_BEGIN

#define HY_READINGS_ENCODERS 8
#define HY_READINGS_ANALOGS  8

// --------------------------------------------------------------------------- what goes in and out

/// An encoder as the robot reports it.
typedef struct {
    int32_t count;       ///< Quadrature counts; may wrap.
    uint32_t period_num; ///< (clock ticks a count << 1) | 1 if counting up.
    uint32_t period_den; ///< Clock ticks a second.
    bool has_period;     ///< False: firmware that sends only counts.
} hy_encoder_reading;

/// A status of the robot, in the units of the wire. What was not reported has its bit or flag
/// clear.
typedef struct {
    uint8_t encoders; ///< Bit n: encoder n was reported.
    uint8_t analogs;  ///< Bit n: analog input n was reported.
    bool has_gyro, has_accel, has_button;
    bool button;       ///< The user button is down.
    uint32_t digitals; ///< Bit n: digital input n was reported; the user button is not among them.
    uint32_t digital_levels; ///< Bit n: it is high.
    hy_encoder_reading encoder[HY_READINGS_ENCODERS];
    float gyro_rate_dps[3], gyro_angle_deg[3]; ///< About x, y, z.
    float accel_g[3];                          ///< Along x, y, z.
    float analog_v[HY_READINGS_ANALOGS];
} hy_readings;

/// What the robot is to do, in the units of the wire.
typedef struct {
    uint8_t motors; ///< Bit n: motor n is commanded.
    uint8_t servos; ///< Bit n: servo n is commanded.
    bool led;
    float motor[8]; ///< Effort, [-1, +1].
    float servo[4]; ///< Position, [0, 1].
    // What a program that gets it wrong should be told; all zero: nothing.
    uint8_t set_once; ///< Bit n: motor n was set once, and stopped when nobody set it again.
    uint8_t limited_motors, limited_servos; ///< Bit n: motor or servo n was asked for more.
    float asked_effort, asked_position;     ///< What the last one of each was asked for.
} hy_outputs;

// --------------------------------------------------------------------------- motors and servos

/// Its first argument is a whole device: compilers that know this refuse `&xrp.motor[4]`.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 10
#define HY_TAKES_DEVICE __attribute__((access(read_write, 1)))
#else
#define HY_TAKES_DEVICE
#endif

/// The last call of this process that was handed something else than an initialised motor, servo or
/// encoder, as `&xrp.motor[4]` is, and did nothing: its name, a literal. NULL: none. O(1).
const char *hy_device_mistaken(void);

#define HY_MOTOR_TIMEOUT_US 100000 ///< WPILib's too: a motor that nobody has set for so long stops.

/// A motor with a speed controller. All zero: it stands, until it is initialised.
typedef struct {
    uint32_t kind;     // private: that it was initialised
    uint32_t timeouts; ///< Read-only: times that it was stopped because nobody set it.
    double effort;     ///< Read-only: as set, [-1, +1], before inversion.
    double asked;      ///< Read-only: the same before it was limited.
    // Private.
    int64_t timeout_us, set_us;
    bool inverted, is_limited, is_set_once;
    uint8_t sets; // since it stood: 0, 1, or 2 for more
} hy_motor;

/// Starts at 0 with HY_MOTOR_TIMEOUT_US. `inverted` for one that is mounted the other way round, as
/// the XRP's right one.
void hy_motor_init(hy_motor *self, bool inverted);

/// How long the motor runs on without being set; 0 or less: for ever.
HY_TAKES_DEVICE void hy_motor_set_timeout(hy_motor *self, int64_t timeout_us);

/// Runs at `effort`, limited to [-1, +1]; what is not finite stops it.
HY_TAKES_DEVICE void hy_motor_set(hy_motor *self, double effort, int64_t now_us);

/// Stops at once.
HY_TAKES_DEVICE void hy_motor_stop(hy_motor *self, int64_t now_us);

/// What to send: inverted where needed, 0 (and counted, once) when the timeout has passed. Always
/// finite and in [-1, +1].
double hy_motor_output(hy_motor *self, int64_t now_us);

/// A servo that reaches from 0 to `range_rad`. All zero: it is not commanded, and stays where it
/// is.
typedef struct {
    uint32_t kind;    // private: that it was initialised
    bool is_set;      ///< Read-only: commanded at all.
    double range_rad; ///< Read-only.
    double position;  ///< Read-only: [0, 1].
    double asked;     ///< Read-only: the same before it was limited.
} hy_servo;

/// Not commanded yet. False, and nothing changes, unless `range_rad` is finite and positive; the
/// XRP's is pi.
bool hy_servo_init(hy_servo *self, double range_rad);

/// Goes to `position`, limited to [0, 1]; to `angle_rad`, limited to [0, range]. False, and the
/// servo stays, if not finite.
HY_TAKES_DEVICE bool hy_servo_set_position(hy_servo *self, double position);
HY_TAKES_DEVICE bool hy_servo_set_angle(hy_servo *self, double angle_rad);
double hy_servo_angle_rad(const hy_servo *self);

/// The on-board LED: off, on, or blinking. All zero: off.
typedef struct {
    bool on;           // private
    int64_t period_us; // private
} hy_led;

/// On or off from the next outputs on; ends blinking.
void hy_led_set(hy_led *self, bool on);

/// Half of `period_us` on, half off; 0 or less: on.
void hy_led_blink(hy_led *self, int64_t period_us);
bool hy_led_output(const hy_led *self, int64_t now_us);

// --------------------------------------------------------------------------- sensors

#define HY_ENCODER_STILL_US 500000 ///< A wheel that has not moved a count for so long stands.

/// An encoder: how far and how fast something has turned, in units of the caller's, such as metres.
typedef struct {
    uint32_t kind;     // private: that it was initialised
    uint32_t readings; ///< Read-only: how many have come.
    double distance;   ///< Read-only: since the start or the last reset.
    double rate;       ///< Read-only: a second; 0 when it stands.
    int64_t counts;    ///< Read-only: since the start or the last reset; never wraps.
    // Private.
    double distance_per_count;
    int64_t changed_us, updated_us;
    int32_t count;
    bool has_count, absolute;
} hy_encoder;

/// `distance_per_count` may be negative, to count the other way. False, and nothing changes, if it
/// is 0 or not finite.
bool hy_encoder_init(hy_encoder *self, double distance_per_count);

/// Absolute: the robot's own count is the position, 0 where the robot says 0. Else (the default) 0
/// is where the first reading finds it. Call it before that.
HY_TAKES_DEVICE void hy_encoder_set_absolute(hy_encoder *self, bool absolute);

/// A reading came. The rate is the firmware's if it sends periods: exact at low speed; but not for
/// longer than the next count is overdue, and not with the direction from before a reversal, both
/// of which the stock firmware reports. Without periods the rate is that of the counts since the
/// last reading.
void hy_encoder_update(hy_encoder *self, const hy_encoder_reading *reading, int64_t now_us);

/// Distance and counts are 0 here.
HY_TAKES_DEVICE void hy_encoder_reset(hy_encoder *self);

/// The position of now is `distance`, to the nearest count, whatever the robot counts: it has been
/// found by something else, such as a switch. From then on the encoder is not absolute any more.
/// False, and nothing changes, if it is not finite or too large to count.
HY_TAKES_DEVICE bool hy_encoder_set_position(hy_encoder *self, double distance);

/// The robot has started again, and with it its counter: the next reading continues where this one
/// is, or is the position if absolute.
void hy_encoder_rebase(hy_encoder *self);

/// A gyro: angles that go on past a full turn, from readings that wrap (the XRP's heading starts at
/// 180 degrees and wraps at 360) or do not. All zero: waiting for the first reading.
typedef struct {
    /// Read-only: about x, y, z since the first reading or the last reset; z is the heading.
    double angle_rad[3];
    double rate_rad_s[3]; ///< Read-only.
    uint32_t readings;    ///< Read-only: used.
    uint32_t refused;     ///< Read-only: with numbers that are not finite.
    // Private.
    double last_deg[3];
    bool has_angle;
} hy_gyro;

/// A reading came. Between two readings the robot must have turned less than half a turn about each
/// axis.
void hy_gyro_update(hy_gyro *self, const float rate_dps[3], const float angle_deg[3]);

/// All angles are 0 here.
void hy_gyro_reset(hy_gyro *self);

/// The robot has started again: the next reading continues at the angles of now.
void hy_gyro_rebase(hy_gyro *self);

/// What pushes the robot, gravity included: at rest (0, 0, +9.8). All zero: waiting.
typedef struct {
    double accel_m_s2[3];       ///< Read-only: along x, y, z.
    uint32_t readings, refused; ///< Read-only.
} hy_accelerometer;

/// A reading in multiples of 9.80665 m/s2; one that is not finite is refused and counted.
void hy_accelerometer_update(hy_accelerometer *self, const float accel_g[3]);

/// The pair of sensors that look at the floor. All zero: waiting.
typedef struct {
    double left, right;     ///< Read-only: 0 white .. 1 black.
    double left_v, right_v; ///< Read-only: volts, 0..5.
    /// Read-only: false until the robot has measured; negative volts say that it has not.
    bool is_ready;
    uint32_t refused; ///< Read-only.
} hy_reflectance;

/// A reading in volts: 0 white .. 5 black. Negative ones say that there is none yet; what is not
/// finite is refused and counted.
void hy_reflectance_update(hy_reflectance *self, float left_v, float right_v);

/// The ultrasonic rangefinder. All zero: waiting.
typedef struct {
    double range_m; ///< Read-only: 0..HY_RANGEFINDER_MAX_M.
    /// Read-only: false until the robot has measured; 0 V, what a robot without the sensor sends,
    /// is no measurement.
    bool is_ready;
    bool is_saturated; ///< Read-only: nothing within HY_RANGEFINDER_MAX_M.
    uint32_t refused;  ///< Read-only.
} hy_rangefinder;

#define HY_RANGEFINDER_MAX_M 4.0

/// A reading in volts, 5 for HY_RANGEFINDER_MAX_M; one that is not finite is refused and counted.
void hy_rangefinder_update(hy_rangefinder *self, float volts);

/// A button and its edges. All zero: up.
typedef struct {
    bool is_down;               ///< Read-only.
    uint32_t presses, releases; ///< Read-only: edges since the start.
    // Private.
    uint32_t presses_seen, releases_seen;
} hy_button;

/// The level of its pin now: a change is an edge, and counted.
void hy_button_update(hy_button *self, bool is_down);

/// True once for every time that it went down (up) since the last call, however many.
bool hy_button_was_pressed(hy_button *self);
bool hy_button_was_released(hy_button *self);

// --------------------------------------------------------------------------- whole robots

/// What can be done with the devices of any robot: `devices` is the struct of that robot, the
/// caller's.
typedef struct {
    unsigned button_dio;         ///< DIO on which the robot reports its user button.
    unsigned led_dio;            ///< DIO that lights its LED.
    void (*init)(void *devices); ///< Fills all of it.
    void (*update)(void *devices, const hy_readings *readings, int64_t now_us);
    void (*outputs)(void *devices, hy_outputs *out, int64_t now_us); ///< Writes all of `out`.
    /// The robot has started again: distances and angles continue from their last values.
    void (*rebase)(void *devices);
    void (*stop)(void *devices, int64_t now_us); ///< All motors.
} hy_device_class;

#define HY_XRP_MOTORS         4
#define HY_XRP_SERVOS         4
#define HY_XRP_ENCODERS       4
#define HY_XRP_COUNTS_PER_REV 585.0 ///< Of a wheel: 12 a motor turn, gears 48.75:1.
#define HY_XRP_WHEEL_RADIUS_M 0.030
#define HY_XRP_TRACK_M        0.155
#define HY_XRP_M_PER_COUNT    (2.0 * HY_PI * HY_XRP_WHEEL_RADIUS_M / HY_XRP_COUNTS_PER_REV)

/// Everything that an XRP has. Motor and encoder 0 are the left wheel's, 1 the right wheel's.
typedef struct {
    /// Motor 1 is inverted: both wheels go forward with positive efforts.
    hy_motor motor[HY_XRP_MOTORS];
    hy_servo servo[HY_XRP_SERVOS];       ///< 0..pi.
    hy_encoder encoder[HY_XRP_ENCODERS]; ///< 0 and 1 in metres of way, 2 and 3 in counts.
    hy_gyro gyro;
    hy_accelerometer accelerometer;
    hy_reflectance reflectance;
    hy_rangefinder rangefinder;
    hy_button button;
    hy_led led;
} hy_xrp;

/// As after power on: nothing measured, motors at 0 with HY_MOTOR_TIMEOUT_US; the encoders of the
/// two wheels count metres.
void hy_xrp_init(hy_xrp *self);
/// A status came at `now_us`: all devices get their readings. O(devices).
void hy_xrp_update(hy_xrp *self, const hy_readings *readings, int64_t now_us);

/// What to send now: motors 0 to 3, the servos that were set, and the LED. Writes all of `out`.
void hy_xrp_outputs(hy_xrp *self, hy_outputs *out, int64_t now_us);

/// After the robot has started again: encoders and gyro go on from where they were.
void hy_xrp_rebase(hy_xrp *self);

extern const hy_device_class hy_xrp_devices; ///< Of hy_xrp.

#define HY_TEENSY_MODULES        4
#define HY_TEENSY_MOTORS         8
#define HY_TEENSY_ENCODERS       8
#define HY_TEENSY_WHEEL_RADIUS_M 0.030
#define HY_TEENSY_MODULE_M       0.115   ///< Of a module from the middle, along x and along y.
#define HY_TEENSY_DRIVE_COUNTS   979.68  ///< A turn of a wheel.
#define HY_TEENSY_STEER_COUNTS   3591.84 ///< A turn of a module.
#define HY_TEENSY_MAX_M_S        1.14    ///< At full effort.
#define HY_TEENSY_HOME_DIO       20      ///< Of module 0; WPILib's encoders have 4 to 19.

/// Everything that the swerve robot with a Teensy has. Motors and encoders 2n and 2n + 1 drive and
/// steer module n; the modules are front left, rear left, rear right, front right.
typedef struct {
    hy_motor motor[HY_TEENSY_MOTORS];
    hy_encoder encoder[HY_TEENSY_ENCODERS]; ///< Even: metres of way. Odd: radians, 0 is forward.
    hy_gyro gyro;
    hy_button button;
    hy_led led;
    double battery_v; ///< Read-only; 0 until measured.
    /// Read-only: whether a module has a home switch, and whether that is closed: then the module
    /// points forward, or nearly so. They are digital inputs HY_TEENSY_HOME_DIO and the next
    /// three; most robots have none.
    bool has_home[HY_TEENSY_MODULES], at_home[HY_TEENSY_MODULES];
} hy_teensy;

/// As after power on: nothing measured, motors at 0 with HY_MOTOR_TIMEOUT_US.
void hy_teensy_init(hy_teensy *self);
/// A status came at `now_us`: all devices get their readings. O(devices).
void hy_teensy_update(hy_teensy *self, const hy_readings *readings, int64_t now_us);
/// What to send now: all motors and the LED. Writes all of `out`.
void hy_teensy_outputs(hy_teensy *self, hy_outputs *out, int64_t now_us);

/// After the robot has started again: distances and gyro continue from their last values. The
/// azimuths are absolute, since a module points forward when its robot is switched on; those whose
/// position was set (hy_encoder_set_position()) continue, too.
void hy_teensy_rebase(hy_teensy *self);

extern const hy_device_class hy_teensy_devices; ///< Of hy_teensy.

HY_API_END

#endif
