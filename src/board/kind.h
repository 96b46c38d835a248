/// @file kind.h
/// What a board consists of, and the table in which one robot's firmware differs from another's.
#ifndef HALYARD_BOARD_KIND_H
#define HALYARD_BOARD_KIND_H

#include "encoder.h"
#include "session.h"

// The stock XRP firmware reads so many bytes of a datagram into a buffer that is one byte longer.
#define STOCK_READ_MAX    8192
#define STOCK_MEMORY_SIZE (STOCK_READ_MAX + 1)

/// What an XRP's firmware read last, and when it reads again.
typedef struct {
    double reflectance[2], range_m;
    int64_t range_due_us, imu_due_us;
    double gyro_rate_rad_s[3], gyro_angle_rad[3], accel_m_s2[3]; // along the IMU's axes
    // Bytes of datagrams, old ones under new ones: with stock defects only.
    uint8_t stock_memory[STOCK_MEMORY_SIZE];
} xrp_state;

/// The same of a Teensy.
typedef struct {
    double gyro_rate_rad_s[3], gyro_angle_rad[3], battery_v;
} teensy_state;

/// The firmware of one robot. What is not here is the same for all of them: board.c.
typedef struct {
    const hy_dialect *dialect;
    int64_t status_period_us;
    bool counts_while_disabled; ///< Its encoders never rest.
    unsigned turned_encoders;   ///< Bit n: the firmware turns the direction of encoder n around.
    /// Fills what the robot's hardware decides: `servos`, `encoder_hz`, and its own state at power-up.
    void (*start)(hy_board *self, int64_t now_us);
    /// Obeys the blocks of an accepted command.
    void (*obey)(hy_board *self, hy_bytes datagram);
    /// Moves what a motor or servo block names; called only while enabled.
    void (*move)(hy_board *self, const hy_wire_value *value);
    /// Reads the pins that only this robot has.
    void (*sense)(hy_board *self, const hy_sensors *sensors, int64_t now_us);
    /// Adds what they told to a status.
    void (*report)(const hy_board *self, hy_wire_status *status);
} board_kind;

extern const board_kind board_kind_xrp;
extern const board_kind board_kind_teensy;

struct hy_board {
    const board_kind *kind;
    hy_board_options options;
    session session;
    bool enabled;
    hy_actuators actuators;
    encoder encoders[HY_WIRE_ENCODERS];
    bool button;
    // Set by the kind's start().
    unsigned servos; // that have a pin
    int64_t encoder_hz;
    union {
        xrp_state xrp;
        teensy_state teensy;
    } own;
};

/// Obeys every block of a datagram up to its end, or to the first that runs past it.
void board_obey(hy_board *self, hy_bytes datagram);

/// Obeys one block.
void board_obey_block(hy_board *self, const hy_block *block);

#endif
