// The XRP: what its firmware does with commands, and what it tells of its pins. SPEC xrp-robot.
#include <halyard/wire.h>
#include <string.h>

#include "kind.h"
#include "pins.h"
#include "turn.h"

#define XRP_MOTORS 4

#define IMU_PERIOD_US   40000
#define RANGE_PERIOD_US 50000

// The stock XRP firmware reads so many bytes of a datagram into a buffer that is one byte longer.
#define STOCK_READ_MAX    8192
#define STOCK_MEMORY_SIZE (STOCK_READ_MAX + 1)

enum { REFLECTANCE_LEFT, REFLECTANCE_RIGHT, RANGEFINDER, XRP_ANALOGS };

// What the firmware read last, and when it reads again.
typedef struct {
    double reflectance[2], range_m;
    int64_t range_due_us, imu_due_us;
    double gyro_rate_rad_s[3], gyro_angle_rad[3], accel_m_s2[3]; // along the IMU's axes
    // Bytes of datagrams, old ones under new ones: with stock defects only.
    uint8_t stock_memory[STOCK_MEMORY_SIZE];
} xrp_state;

_Static_assert(sizeof(xrp_state) <= HY_BOARD_STATE_MAX, "it lies in the kind's own state");

static void xrp_start(hy_board *self, int64_t now_us)
{
    xrp_state *own = self->own;
    own->range_due_us = now_us;
    own->imu_due_us = now_us;
    own->accel_m_s2[2] = HY_GRAVITY_M_S2;
}

// --------------------------------------------------------------------------- commands

// `value` is -1..+1 for motors and for servos. The firmware takes what comes, and so its defects
// keep it; otherwise what is no number is no command, and the rest is limited.
static void set_output(hy_board *self, unsigned id, double value)
{
    const unsigned servo = id - HY_WIRE_SERVO_FIRST_ID; // huge for a motor
    const bool trusted = self->options.stock_bugs;
    if (id < XRP_MOTORS) {
        self->actuators.motor_duty[id] = motor_duty(trusted ? value : sane_effort(value));
    } else if (servo < self->kind->servos && (trusted || is_finite(value))) {
        self->actuators.servo_pulse_us[servo] = servo_pulse_us(trusted ? value : sane_effort(value));
    }
}

// Both kinds of block move both kinds of output: the id says which.
static void xrp_move(hy_board *self, const hy_wire_value *v)
{
    if (v->kind == HY_WIRE_MOTOR) {
        set_output(self, v->id, (double)v->value);
    } else if (v->kind == HY_WIRE_SERVO) {
        set_output(self, v->id,
                   (double)(float)(2.0 * (double)v->value - 1.0)); // rounded as the firmware does
    }
}

// The firmware believes every size byte: a block that runs past the datagram goes on in the bytes that
// earlier, longer datagrams left behind. What would lie past the buffer is not there.
static void obey_with_stale_bytes(hy_board *self, hy_bytes datagram)
{
    xrp_state *const own = self->own;
    uint8_t *const memory = own->stock_memory;
    const size_t size = datagram.size < STOCK_READ_MAX ? datagram.size : STOCK_READ_MAX;
    memcpy(memory, datagram.data, size);
    size_t next = HY_WIRE_HEADER_SIZE;
    while (next < size) {
        const size_t at = next;
        next = at + 1 + memory[at];
        const size_t payload_at = at + 2;
        const size_t end = next < STOCK_MEMORY_SIZE ? next : STOCK_MEMORY_SIZE;
        if (payload_at <= end) {
            const hy_block block = { memory[at + 1], at, { &memory[payload_at], end - payload_at } };
            board_obey_block(self, &block);
        }
    }
    if (next > size) {
        self->session.counts.rx_malformed++;
    }
}

static void xrp_obey(hy_board *self, hy_bytes datagram)
{
    if (self->options.stock_bugs) {
        obey_with_stale_bytes(self, datagram);
    } else {
        hy_board_obey(self, datagram);
    }
}

// --------------------------------------------------------------------------- sensors

// The IMU sits with x to the right and y forward; the vehicle's x is forward and its y to the left.
static void along_imu(const double vehicle[3], double imu[3])
{
    imu[0] = 0.0 - vehicle[1]; // never -0
    imu[1] = vehicle[0];
    imu[2] = vehicle[2];
}

static void xrp_see_floor(hy_board *self, const double reflectance[HY_PIN_REFLECTANCE])
{
    xrp_state *own = self->own;
    memcpy(own->reflectance, reflectance, sizeof own->reflectance);
}

static void xrp_sense(hy_board *self, const hy_sensors *sensors, int64_t now_us)
{
    xrp_state *own = self->own;
    xrp_see_floor(self, sensors->reflectance);
    if (turn_comes(&own->range_due_us, RANGE_PERIOD_US, now_us)) {
        own->range_m = sensors->range_m;
    }
    if (turn_comes(&own->imu_due_us, IMU_PERIOD_US, now_us)) {
        along_imu(sensors->gyro_rate_rad_s, own->gyro_rate_rad_s);
        along_imu(sensors->gyro_angle_rad, own->gyro_angle_rad);
        along_imu(sensors->accel_m_s2, own->accel_m_s2);
    }
}

// --------------------------------------------------------------------------- status

// Degrees, starting at 180, 0 <= yaw < 360.
static float report_yaw(double angle_rad)
{
    const float yaw_deg = (float)(180.0 + hy_deg_from_rad(hy_wrap_angle(angle_rad)));
    return yaw_deg < 360.0F ? yaw_deg : 0.0F;
}

static void report_imu(const xrp_state *own, hy_wire_status *out)
{
    out->has_gyro = true;
    out->has_accel = true;
    for (unsigned i = 0; i < 3; i++) {
        out->gyro_rate_dps[i] = (float)hy_deg_from_rad(own->gyro_rate_rad_s[i]);
        out->gyro_angle_deg[i] = (float)hy_deg_from_rad(hy_wrap_angle(own->gyro_angle_rad[i]));
        out->accel_g[i] = (float)(own->accel_m_s2[i] / HY_GRAVITY_M_S2);
    }
    out->gyro_angle_deg[2] = report_yaw(own->gyro_angle_rad[2]);
}

static void xrp_report(const hy_board *self, hy_wire_status *out)
{
    const xrp_state *own = self->own;
    report_imu(own, out);
    out->analogs = (1U << XRP_ANALOGS) - 1;
    out->analog_v[REFLECTANCE_LEFT] = reflectance_v(own->reflectance[0]);
    out->analog_v[REFLECTANCE_RIGHT] = reflectance_v(own->reflectance[1]);
    out->analog_v[RANGEFINDER] = range_v(own->range_m);
}

static void hash(const hy_board *self, hy_hash *out)
{
    const xrp_state *own = hy_board_own_const(self);
    for (unsigned i = 0; i < 3; i++) {
        hy_hash_f64(out, own->gyro_rate_rad_s[i]);
        hy_hash_f64(out, own->gyro_angle_rad[i]);
        hy_hash_f64(out, own->accel_m_s2[i]);
    }
    hy_hash_f64(out, own->reflectance[0]);
    hy_hash_f64(out, own->reflectance[1]);
    hy_hash_f64(out, own->range_m);
    hy_hash_u64(out, (uint64_t)own->range_due_us);
    hy_hash_u64(out, (uint64_t)own->imu_due_us);
    if (self->options.stock_bugs) {
        hy_hash_bytes(out, (hy_bytes){ own->stock_memory, sizeof own->stock_memory });
    }
}

// Left is turned so that both wheels count up when the robot goes forward; for a wheel that stands this shows as a
// period of 0xfffffffe.
#define XRP_KIND(servos_, encoder_hz_)                                                          \
    {                                                                                           \
        .dialect = &hy_dialect_xrp, .status_period_us = HY_XRP_STATUS_PERIOD_US,                \
        .encoder_hz = (encoder_hz_), .servos = (servos_), .turned_encoders = 1U << 0,           \
        .button_dio = 0, .led_dio = 1, .has_stock_bugs = true, .state_size = sizeof(xrp_state), \
        .start = xrp_start, .obey = xrp_obey, .move = xrp_move, .sense = xrp_sense,             \
        .see_floor = xrp_see_floor, .report = xrp_report, .hash = hash,                         \
    }

const hy_board_kind hy_board_xrp = XRP_KIND(HY_PIN_SERVOS, 9375000);
const hy_board_kind hy_board_xrp_beta = XRP_KIND(2, 8312500);
