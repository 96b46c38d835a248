/// @file robots.h
/// The table of robot types: what a robot is called, what it speaks, which board and which vehicle
/// it is made of. Programs iterate the table; none tests a name. src/robots/list.c has the rows.
///
///     for (size_t i = 0; hy_robot_type_at(i) != NULL; i++) {
///         printf("%s://\n", hy_robot_type_at(i)->name);
///     }
///
/// To add a robot, write a C file with a dialect, a board kind (halyard/board.h) and rows, and
/// name it to CMake: `cmake -DHALYARD_EXTRA_ROBOTS=/path/my_robot.c`. It defines
///
///     const hy_robot_type hy_extra_robots[] = { { .name = "mine" } };
///     const size_t hy_extra_robot_count = 1;
///
/// tests/e2e/made_up_robot.c is a whole example. All of this is constant, and may be read from any
/// thread.
#ifndef HALYARD_ROBOTS_H
#define HALYARD_ROBOTS_H

#include <halyard/board.h>
#include <halyard/bot_devices.h>
#include <halyard/wire.h>

HY_API_BEGIN

/// One version of a robot's hardware.
typedef struct {
    const char *name;           ///< As in `halyard board --hardware`: "prod".
    const hy_board_kind *board; ///< Its controller.
    const char *vehicle; ///< Its body: the kind of a vehicle in a world (docs/spec/world.md).
    /// Its bridges disconnect the motors in the off-phase of their PWM and at effort 0, instead of
    /// shorting them.
    bool coasts;
    double pwm_hz; ///< Of the PWM of its motors, with its stock firmware.
} hy_robot_variant;

/// How a robot with a left and a right wheel is driven and what its odometry needs.
typedef struct {
    unsigned left_motor, right_motor, left_encoder, right_encoder; ///< Channels of the dialect.
    bool left_is_inverted, right_is_inverted; ///< The motor goes forward with a negative effort.
    double m_per_count;                       ///< Way of a wheel for one count of its encoder.
    double track_m;                           ///< From wheel to wheel.
    bool has_range;                           ///< Of a rangefinder that looks ahead:
    unsigned range_analog;                    ///< its analog input ...
    double range_m_per_v;                     ///< ... and the distance for a volt.
} hy_robot_wheels;

/// One type of robot.
typedef struct {
    /// As in commands, and as the scheme of its URL; lower case, at most 15 bytes.
    const char *name;
    const char *title;                ///< For people: "XRP".
    const hy_dialect *dialect;        ///< No other type has it.
    const hy_robot_variant *variants; ///< At least one; the first is meant where none is named.
    size_t variant_count;
    const char *world;              ///< Where a virtual one is put if no world is named.
    const hy_device_class *devices; ///< Its devices in robot programs; NULL: none yet.
    const hy_robot_wheels *wheels;  ///< NULL: it is not steered by two wheels.
    /// Bit n: motor n is driven by `halyard conform`. Together they turn the robot on the spot, or
    /// turn parts of it while it stands; 0: its motion cannot be graded.
    uint8_t test_motors;
    unsigned test_encoder; ///< The encoder of one of them; it rises with a positive effort.
    /// A sentence on firmware whose encoders have no period; NULL: nothing to say.
    const char *old_firmware_advice;
} hy_robot_type;

/// Type `index`; NULL behind the last one. O(1).
const hy_robot_type *hy_robot_type_at(size_t index);

/// The type called `name`, exactly; NULL if there is none. O(types).
const hy_robot_type *hy_robot_type_find(const char *name);

/// The type that speaks `dialect`, or whose programs use devices of `devices`; NULL if there is
/// none. O(types).
const hy_robot_type *hy_robot_type_of_dialect(const hy_dialect *dialect);
const hy_robot_type *hy_robot_type_of_devices(const hy_device_class *devices);

/// The type that has a variant with this board; NULL if there is none. `variant`, if it is not
/// NULL, is set to it.
const hy_robot_type *hy_robot_type_of_board(const hy_board_kind *board,
                                            const hy_robot_variant **variant);

/// Microseconds between two statuses of such a robot, of its first variant.
int64_t hy_robot_status_period_us(const hy_robot_type *type);

/// The variant of `type` called `name`; NULL if there is none.
const hy_robot_variant *hy_robot_variant_find(const hy_robot_type *type, const char *name);

HY_API_END

#endif
