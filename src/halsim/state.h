/// The state of the one extension of a process, and what its files do for each other.
///
/// Three threads meet here: the robot program's (whichever calls the HAL), the worker that receives,
/// and the resolver of names. `lock` guards what they share. The HAL calls us holding locks of its
/// own, so nobody may call the HAL while holding `lock`: two threads would wait for each other.
#ifndef HALYARD_HALSIM_STATE_H
#define HALYARD_HALSIM_STATE_H

#include <halyard/halsim.h>
#include <halyard/link.h>
#include <halyard/wire.h>

#include <stdatomic.h>

#include "hal.h"
#include "os.h"
#include "settings.h"

typedef struct hy_halsim hy_halsim;

/// What the HAL hands back to a callback that serves one of several channels or outputs.
typedef struct {
    hy_halsim *self;
    unsigned index;
} hy_halsim_ref;

/// What robot code commands, as the HAL has it.
typedef struct {
    _Atomic float motor[HY_WIRE_MOTORS]; ///< [-1, +1], never NaN. Set without the lock: each is a number by itself.
    float servo[HY_WIRE_SERVOS]; ///< [0, 1], never NaN.
    uint8_t servos;              ///< Bit n: servo n is commanded.
    uint32_t dio_initialized, dio_inputs, dio_levels;
    bool enabled, emergency_stopped;
} hy_halsim_outputs;

/// A count or an angle of the robot: the HAL shows `raw` - `offset`. So it goes on where it was when the robot has started again or
/// has turned once around, and after a reset from 0.
typedef struct {
    double raw;    ///< As the robot last said.
    double offset; ///< Of a count modulo 2^32.
    enum {
        HY_HALSIM_WAY_NEW,   ///< Nothing was said yet.
        HY_HALSIM_WAY_HOLDS, ///< The next reading changes nothing in the HAL, whatever it is.
        HY_HALSIM_WAY_MOVES,
    } state;
} hy_halsim_way;

typedef struct {
    int32_t slot; ///< The HAL's index; -1 if robot code has no encoder on these channels.
    hy_halsim_way count;
} hy_halsim_encoder;

#define HY_HALSIM_GYRO_VALUES 6

typedef struct {
    hy_halsim_encoder encoder[HY_WIRE_ENCODERS];
    hy_halsim_way angle[3];                 ///< Degrees about x, y, z.
    hal_handle gyro_device;                 ///< 0: none.
    hal_handle gyro[HY_HALSIM_GYRO_VALUES]; ///< 0: none. Rates about x, y, z, then angles.
    uint32_t resets; ///< Times that robot code set one of all that to 0, or made another gyro.
} hy_halsim_inputs;

/// What the HAL was told last.
typedef struct {
    double reading;
    unsigned left; ///< Statuses for which it need not be told the same again.
} hy_halsim_reading;

struct hy_halsim {
    // Set while loading, const afterwards.
    const hy_halsim_board *board;
    hal_functions hal;
    unsigned dios, analogs, encoder_slots; ///< Channels that both the HAL and the wire have.
    hy_halsim_ref refs[HY_WIRE_DIOS];      ///< Index i is i: for channels, slots and outputs alike.
    os_waker waker;

    struct {
        hy_halsim_reading gyro[HY_HALSIM_GYRO_VALUES], accel[3];
        uint32_t resets;
    } shown; ///< The worker's alone.

    /// Where the robot is, as the environment had it when the extension was loaded, and at the first command. Const once `settings`
    /// leads there.
    hy_halsim_settings read[2];

    os_lock lock;                       ///< Guards everything below but what is atomic.
    const hy_halsim_settings *settings; ///< Those that hold now.
    bool has_begun; ///< The first command was due. Before that nobody waits for `link`, which may be opened again.
    hy_link link;
    hy_peer peer;
    hy_halsim_outputs outputs;
    hy_halsim_inputs inputs;
    int64_t unanswered_us; ///< When the first command was sent; 0: none was, -1: answered, or said so.
    bool has_asked;        ///< The resolver has had its first answer.
    bool applying;         ///< The worker is putting statuses into the HAL.
    bool ending;           ///< The last stop is on its way: no step enables any more.
    bool ended;            ///< Nothing is sent or applied any more.
};

// outputs.c: robot code's devices.

/// Servos in their middle, motors off.
void hy_halsim_init_outputs(hy_halsim *self);

/// Starts following the HAL's outputs. Calls the HAL.
void hy_halsim_follow_outputs(hy_halsim *self);

// commands.c: what goes to the robot. Under the lock.

/// Copies what robot code commands into the commander.
void hy_halsim_command(hy_halsim *self);

/// Sends that.
void hy_halsim_send(hy_halsim *self, int64_t now_us);

/// Repeats a stop that is due.
void hy_halsim_send_due(hy_halsim *self, int64_t now_us);

/// Whether the driver station has enabled the robot and not stopped it for good.
static inline bool hy_halsim_may_drive(const hy_halsim *self)
{
    return self->outputs.enabled && !self->outputs.emergency_stopped;
}

/// What robot code may do has changed: stops the robot if that is what it means.
void hy_halsim_update_enabled(hy_halsim *self);

// inputs.c: the robot's sensors.

/// No encoder, no gyro.
void hy_halsim_init_inputs(hy_halsim *self);

/// Starts following the HAL's encoders. Calls the HAL.
void hy_halsim_follow_inputs(hy_halsim *self);

/// A SimDevice was created or freed that may be a gyro. Calls the HAL.
void hy_halsim_gyro_created(hy_halsim *self, const char *name, hal_handle device);
void hy_halsim_gyro_freed(hy_halsim *self, hal_handle device);

/// Puts one status into the HAL. The worker's. `is_new_count`: the robot has started anew.
void hy_halsim_apply(hy_halsim *self, const hy_wire_status *status, bool is_new_count);

#endif
