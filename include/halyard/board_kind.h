/// @file board_kind.h
/// A kind of board: what one robot's firmware and hardware do differently from another's. To add a
/// robot, write a dialect, a kind and a row of the table of robots (halyard/robots.h). Everything
/// that is not here is the same for all boards: who commands, enabling, the watchdog, encoders, the
/// LED, the button, the stream of statuses.
///
///     static void move(hy_board *self, const hy_wire_value *v)
///     {
///         if (v->kind == HY_WIRE_MOTOR && v->id < 2) {
///             const double duty = hy_clamp((double)v->value, -1.0, 1.0, 0.0);
///             hy_board_outputs(self)->motor_duty[v->id] = duty;
///         }
///     }
///     extern const hy_dialect my_dialect;
///     const hy_board_kind my_board = { .dialect = &my_dialect,
///                                      .status_period_us = 20000,
///                                      .encoder_hz = 1000000,
///                                      .led_dio = 1,
///                                      .move = move };
///
/// The functions of a kind are called by the board's own calls, on the same thread: no allocation,
/// no clock, O(1).
#ifndef HALYARD_BOARD_KIND_H
#define HALYARD_BOARD_KIND_H

#include <halyard/board.h>

HY_API_BEGIN

#define HY_BOARD_STATE_MAX 8448 ///< Bytes: the most that a kind can keep about one board.

/// What is zero or NULL is a property that the kind does not have, but for `dialect`,
/// `status_period_us`, `encoder_hz` (if the dialect has encoders) and `move`, which every kind
/// needs.
struct hy_board_kind {
    const hy_dialect *dialect;
    int64_t status_period_us;   ///< Between two statuses, > 0.
    int64_t encoder_hz;         ///< Clock that times encoder counts: the status's period_den.
    unsigned servos;            ///< Servos that have a pin; at most HY_PIN_SERVOS.
    unsigned turned_encoders;   ///< Bit n: the firmware reports encoder n with the opposite sign.
    unsigned button_dio;        ///< DIO on which the user button is reported.
    unsigned led_dio;           ///< DIO that lights the LED.
    bool counts_while_disabled; ///< Its encoders count also while the robot is disabled.
    bool has_stock_bugs;        ///< hy_board_options.stock_bugs means something for it.
    size_t state_size;          ///< Bytes of hy_board_own(), at most HY_BOARD_STATE_MAX.
    /// Fills the kind's own state, which is zeroed before, at power-up.
    void (*start)(hy_board *self, int64_t now_us);
    /// Obeys the blocks of an accepted command; NULL: hy_board_obey().
    void (*obey)(hy_board *self, hy_bytes datagram);
    /// Moves what a motor or servo block names; called only while enabled. The value is as it was
    /// sent, maybe NaN.
    void (*move)(hy_board *self, const hy_wire_value *value);
    /// Reads the pins that only this robot has.
    void (*sense)(hy_board *self, const hy_sensors *sensors, int64_t now_us);
    /// Replaces the reflectance that `sense` read, just before a status is written; NULL: the kind
    /// needs it in `sense`. See hy_board_sees_floor_late().
    void (*see_floor)(hy_board *self, const double reflectance[HY_PIN_REFLECTANCE]);
    /// Adds to a status what `sense` read; encoders and the button are there already.
    void (*report)(const hy_board *self, hy_wire_status *status);
    /// Adds the kind's own state to a hash, number by number; NULL: its bytes, which then must not
    /// have pointers or padding.
    void (*hash)(const hy_board *self, hy_hash *hash);
};

/// Obeys every block of a datagram up to its end, or to the first that runs past it.
void hy_board_obey(hy_board *self, hy_bytes datagram);

/// What the kind keeps about this board: `state_size` bytes, aligned for any type.
void *hy_board_own(hy_board *self);
const void *hy_board_own_const(const hy_board *self);

/// The outputs, for `move` to change.
hy_actuators *hy_board_outputs(hy_board *self);

HY_API_END

#endif
