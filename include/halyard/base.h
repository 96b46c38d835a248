/// @file base.h
/// What every part of Halyard shares: status codes, byte views, endpoints, angles and random
/// numbers.
///
/// Freestanding C11: no operating system, no allocation, no global state. Every function here is
/// O(1) unless it says otherwise, may be called from any thread, and keeps nothing of its
/// arguments.
///
///     hy_random random = hy_random_seeded(1);
///     const double angle_rad = hy_wrap_angle(7.0 * hy_random_unit(&random));
///     printf("%.3f %s\n", hy_sin(angle_rad), hy_status_text(HY_EADDRESS));
#ifndef HALYARD_BASE_H
#define HALYARD_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What stands between these two has C linkage, also in C++, and is exported by the shared library,
/// which is compiled with hidden visibility otherwise.
#if defined(__GNUC__) && !defined(_WIN32)
#define HY_API_PUSH _Pragma("GCC visibility push(default)")
#define HY_API_POP  _Pragma("GCC visibility pop")
#else
#define HY_API_PUSH
#define HY_API_POP
#endif
#ifdef __cplusplus
#define HY_API_BEGIN \
    extern "C" {     \
    HY_API_PUSH
#define HY_API_END \
    HY_API_POP     \
    }
#else
#define HY_API_BEGIN HY_API_PUSH
#define HY_API_END   HY_API_POP
#endif

HY_API_BEGIN

// --------------------------------------------------------------------------- version

/// The version of these headers (semantic versioning). The build reads it from here.
#define HY_VERSION_MAJOR 0
#define HY_VERSION_MINOR 1
#define HY_VERSION_PATCH 0
#define HY_VERSION       "0.1.0"

/// The version of the library that is linked, "MAJOR.MINOR.PATCH", to be compared with HY_VERSION:
/// static, never NULL.
const char *hy_version(void);

// --------------------------------------------------------------------------- status codes

/// Every way in which the machine, a file or a name can refuse. `HY_OK` and above are success.
/// A caller's bug is an assertion instead, and malformed input from the network is counted and
/// dropped.
#define HY_STATUS_MAP(X)                                         \
    X(HY_OK, 0, "ok")                                            \
    X(HY_AGAIN, -1, "nothing to do right now, try again later")  \
    X(HY_EADDRESS, -2, "the address is not understood")          \
    X(HY_ENAME, -3, "the host name is not known")                \
    X(HY_EINUSE, -4, "the address is in use by another program") \
    X(HY_EUNREACHABLE, -5, "the host cannot be reached")         \
    X(HY_EPERMISSION, -6, "permission denied")                   \
    X(HY_EFILE, -7, "the file cannot be read or written")        \
    X(HY_EFORMAT, -8, "the content is malformed")                \
    X(HY_ERANGE, -9, "a value is out of range")                  \
    X(HY_EFULL, -10, "there is no room left")                    \
    X(HY_ESYSTEM, -11, "the operating system refused")           \
    X(HY_EMEMORY, -12, "there is not enough memory")

typedef enum {
#define HY_STATUS_ENUM(name, value, text) name = (value),
    HY_STATUS_MAP(HY_STATUS_ENUM)
#undef HY_STATUS_ENUM
} hy_status;

/// The sentence for `status`: static, never NULL, "unknown status" for a value not in the list.
const char *hy_status_text(hy_status status);

// --------------------------------------------------------------------------- byte views

/// Bytes that someone else owns; valid only while their buffer is.
typedef struct {
    const uint8_t *data; ///< May be NULL only if `size` is 0.
    size_t size;         ///< Bytes.
} hy_bytes;

/// Room for bytes that someone else owns; valid only while their buffer is.
typedef struct {
    uint8_t *data; ///< May be NULL only if `size` is 0.
    size_t size;   ///< Bytes.
} hy_room;

// --------------------------------------------------------------------------- network endpoints

/// One end of a UDP conversation: a plain value, so that parts that never open a socket can tell
/// peers apart. IPv4 addresses are stored IPv4-mapped (RFC 4291, 2.5.5.2). All zero is "nobody".
typedef struct {
    uint8_t ip[16]; ///< IPv6 address, or ::ffff:a.b.c.d, network byte order.
    uint32_t scope; ///< Interface index of a link-local IPv6 address, else 0.
    uint16_t port;  ///< Host byte order, 1..65535; 0 in "nobody" and in "any port".
} hy_endpoint;

/// True if both are the same address, scope and port.
bool hy_endpoint_equal(const hy_endpoint *a, const hy_endpoint *b);

/// True if `endpoint` is all zero: no peer at all.
bool hy_endpoint_is_nobody(const hy_endpoint *endpoint);

/// The first 12 bytes of an IPv4 address in `ip`, as an initializer: `.ip = { HY_IPV4_PREFIX, 127,
/// 0, 0, 1 }`.
#define HY_IPV4_PREFIX 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff

/// The IPv4 address whose four bytes are `address`.
hy_endpoint hy_endpoint_ipv4(const uint8_t address[4], uint16_t port);

/// True if `endpoint` is an IPv4 address.
bool hy_endpoint_is_ipv4(const hy_endpoint *endpoint);

/// True if `endpoint` is one of this machine's own: 127.0.0.0/8 or ::1.
bool hy_endpoint_is_loopback(const hy_endpoint *endpoint);

/// True if `endpoint` stands for every address of this machine: 0.0.0.0 or [::].
bool hy_endpoint_is_every(const hy_endpoint *endpoint);

/// Where a program on this machine connects to what listens on `endpoint`: the address itself, or
/// 127.0.0.1 if it stands for every address.
hy_endpoint hy_endpoint_local(const hy_endpoint *endpoint);

// --------------------------------------------------------------------------- pins

// Pins of the largest robot that there is, the Teensy's; an XRP leaves the rest at 0.
#define HY_PIN_MOTORS      8
#define HY_PIN_SERVOS      4
#define HY_PIN_ENCODERS    8
#define HY_PIN_REFLECTANCE 2

/// What a robot's electronics do to its body: the output pins of a board, the inputs of a vehicle.
/// A board writes it and a world reads it; neither knows the other. All zero is a robot at rest
/// with its servos unpowered.
typedef struct {
    /// Share of the battery voltage, [-1, +1]; the sign is the bridge's.
    double motor_duty[HY_PIN_MOTORS];
    /// Pulse width in microseconds, 500..2500; 0 is no pulse.
    double servo_pulse_us[HY_PIN_SERVOS];
    bool led; ///< The on-board LED is lit.
} hy_actuators;

/// What a robot's body does to its electronics: the input pins of a board, the outputs of a
/// vehicle. Axes are the vehicle's: x forward, y left, z up (right-handed, SAE calls it ISO 8855).
typedef struct {
    /// Shaft position in quadrature counts since the start, as the encoder's pins tell it: whole
    /// counts are edges, so floor() of it is what a counter shows. Never wraps. A positive duty on
    /// the motor of the same number makes it fall on an XRP, and rise on a swerve robot: they are
    /// wired so.
    double encoder_counts[HY_PIN_ENCODERS];
    double gyro_rate_rad_s[3]; ///< Angular rates about x, y, z, noise and bias included.
    double gyro_angle_rad[3];  ///< The rates above, added up since power-up; never wraps.
    double accel_m_s2[3];      ///< Specific force: at rest on level ground (0, 0, +9.80665).
    double reflectance[HY_PIN_REFLECTANCE]; ///< Left, right: 0 white .. 1 black.
    double range_m;        ///< Rangefinder, metres; its largest range where nothing echoes.
    double battery_v;      ///< At the terminals, under the present load.
    bool button;           ///< The user button is held down.
    uint8_t home_switches; ///< Bit n: module n has one ...
    uint8_t at_home;       ///< ... and it is closed: the module points forward, or nearly so.
} hy_sensors;

// --------------------------------------------------------------------------- points and poses

/// A point or a vector of the floor, or of a vehicle in its own axes.
typedef struct {
    double x_m, y_m;
} hy_point;

/// A straight line from one point to another.
typedef struct {
    hy_point from, to;
} hy_segment;

// --------------------------------------------------------------------------- alliances

typedef enum {
    HY_ALLIANCE_NONE,
    HY_ALLIANCE_BLUE,
    HY_ALLIANCE_RED,
} hy_alliance;

// --------------------------------------------------------------------------- lidar points

/// One ray of a lidar, in the axes of its vehicle: x forward, y left.
typedef struct {
    double azimuth_rad;   ///< [0, 2 pi], 0 ahead, counter-clockwise.
    double elevation_rad; ///< 0 for a lidar that turns in a plane.
    double range_m;       ///< -1: nothing within reach.
} hy_lidar_point;

/// Points that somebody else owns; valid only while their owner says so.
typedef struct {
    const hy_lidar_point *points; ///< May be NULL only if `count` is 0.
    size_t count;
} hy_lidar_points;

// --------------------------------------------------------------------------- numbers

#define HY_PI 3.14159265358979323846

#define HY_RAD_PER_DEG   (HY_PI / 180)
#define HY_RAD_S_PER_RPM (2 * HY_PI / 60)
#define HY_GRAVITY_M_S2  9.80665 ///< Standard gravity.

/// Degrees to radians and back; no wrapping.
static inline double hy_rad_from_deg(double deg)
{
    return deg * HY_RAD_PER_DEG;
}
static inline double hy_deg_from_rad(double rad)
{
    return rad * (180.0 / HY_PI);
}

/// `value` limited to [low, high]; NaN gives `if_nan`. Requires low <= high.
static inline double hy_clamp(double value, double low, double high, double if_nan)
{
    if (value != value) {
        return if_nan;
    }
    return value < low ? low : value > high ? high : value;
}

// --------------------------------------------------------------------------- random numbers

/// A pseudo-random stream (xoshiro256**, Blackman and Vigna 2018): the same seed gives the same
/// numbers on every machine. Copying the struct copies the stream. Not for secrets.
typedef struct {
    uint64_t s[4]; // private
} hy_random;

/// Starts a stream; every seed is good, also 0 (the state is filled by splitmix64).
hy_random hy_random_seeded(uint64_t seed);

/// The next 64 random bits. O(1), as everything that draws.
static inline uint64_t hy_random_bits(hy_random *random)
{
    uint64_t *const s = random->s;
    const uint64_t times_5 = s[1] * 5;
    const uint64_t result = (times_5 << 7 | times_5 >> 57) * 9;
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

/// Uniform in [0, 1), 53 bits.
double hy_random_unit(hy_random *random);

/// Uniform in 0..bound-1 without bias worth naming (multiply-shift); `bound` >= 1.
uint32_t hy_random_below(hy_random *random, uint32_t bound);

/// 1 / sqrt((2^32 - 1) / 3) in two parts, of which the first has so few bits that its product with
/// a whole number of at most 2^18 is exact.
#define HY_RANDOM_PER_SIGMA      2.6428997919936137e-05
#define HY_RANDOM_PER_SIGMA_REST 1.3668787645319507e-15 ///< The second part.

/// A whole number of at most 2^18 over sqrt((2^32 - 1) / 3), rounded as a division rounds it, in
/// a fraction of its time; also where a compiler makes a fused multiply-add of it.
#define HY_RANDOM_OVER_SIGMA(x) ((x)*HY_RANDOM_PER_SIGMA + (x)*HY_RANDOM_PER_SIGMA_REST)

/// Close to normal with mean 0 and standard deviation 1: the sum of the bits of four 16-bit
/// uniforms (Irwin-Hall, n = 4), so it needs no logarithm and has the same bits everywhere.
/// Range about [-3.46, +3.46].
static inline double hy_random_normal(hy_random *random)
{
    // One draw gives four uniforms on 0..65535; each has the mean 65535/2 and the variance
    // (2^32 - 1)/12, so their sum has the mean 131070 and this standard deviation.
    const uint64_t bits = hy_random_bits(random);
    const uint64_t sum =
        (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48);
    const double off_mean = (double)sum - 131070.0;
    return HY_RANDOM_OVER_SIGMA(off_mean);
}

// --------------------------------------------------------------------------- elementary functions

/// Sine and cosine of `angle_rad`, the same bits on every target: needs only IEEE 754 double
/// arithmetic without contraction (-ffp-contract=off). Error below 1 ulp for every finite angle;
/// from 1e6 rad on slower. NaN and infinities give NaN.
double hy_sin(double angle_rad);
double hy_cos(double angle_rad);

/// Both at once for little more than the price of one: the bits of hy_sin() and hy_cos().
typedef struct {
    double sin, cos;
} hy_sine_cosine;
hy_sine_cosine hy_sin_cos(double angle_rad);

/// The bits of hy_sin_cos() for each of `count` angles, two, four or eight at a time where the
/// processor has vectors. `sines` and `cosines` are the caller's and may not overlap the angles.
void hy_sin_cos_many(const double *angles_rad, size_t count, double *sines, double *cosines);

/// Tangent of `angle_rad`, same-bits promise as above; error below 2 ulp for every finite angle.
/// NaN and infinities give NaN.
double hy_tan(double angle_rad);

/// Angle of the vector (x, y) in [-pi, +pi], same-bits promise as above; error below 1 ulp.
/// hy_atan2(0, 0) is 0 whatever the signs; a NaN argument gives NaN; infinities as in C11 F.10.1.4.
double hy_atan2(double y, double x);

/// e to the power `x`, same-bits promise as above; error below 1 ulp; overflow gives infinity,
/// underflow 0.
double hy_exp(double x);
/// The bits of hy_exp() for each of `count` numbers, as hy_sin_cos_many(); `powers` is the caller's
/// and may not overlap `x`.
void hy_exp_many(const double *x, size_t count, double *powers);

/// Natural logarithm of `x`, same-bits promise as above; error below 1 ulp. hy_log(0) is -infinity;
/// NaN and negative values give NaN.
double hy_log(double x);
/// The bits of hy_log() for each of `count` numbers, as hy_exp_many().
void hy_log_many(const double *x, size_t count, double *logarithms);

/// Square root, correctly rounded: the processor's own where it has one for doubles, else some 54
/// steps on integers with the same bits. -0 gives -0; NaN and negative values give NaN.
double hy_sqrt(double value);

/// Length of the vector (x, y) without overflow on the way; error below 2 ulp. A NaN gives NaN
/// unless the other argument is infinite: then infinity.
double hy_hypot(double x, double y);

/// `angle_rad` brought into (-pi, +pi]: unchanged if it is there already, else with an error below
/// 1 ulp, for every finite angle. NaN and infinities give NaN.
double hy_wrap_angle(double angle_rad);

// --------------------------------------------------------------------------- state hashes

/// A running 64-bit hash (FNV-1a over little-endian bytes) for "same inputs, same state" checks.
typedef struct {
    uint64_t value;
} hy_hash;

/// The hash of nothing yet. Hashes are compared by their `value`, and are no defence against
/// forgery.
hy_hash hy_hash_start(void);

/// Adds `value`: eight bytes, the lowest first, whatever the machine's own order is. Cannot fail.
void hy_hash_u64(hy_hash *hash, uint64_t value);

/// Adds the bit pattern of `value`, so -0.0 differs from 0.0 and NaNs by payload. Cannot fail.
void hy_hash_f64(hy_hash *hash, double value);

/// Adds the number of `bytes`, then the bytes: eight at a time, the rest filled up with zeros.
/// O(bytes). Cannot fail.
void hy_hash_bytes(hy_hash *hash, hy_bytes bytes);

/// Writes the name of a file without its folders and its last ending ("runs/best.wpilog": "best"),
/// with a 0 behind it, into `out`; what does not fit in `room` bytes (at least 1) is cut off.
void hy_path_name(const char *path, char *out, size_t room);

HY_API_END

#endif
