/// @file faults.h
/// A network that loses, delays, repeats and alters datagrams on purpose, and a robot with defects:
/// for testing robot programs against what classrooms and gyms really have. Pure: time is an
/// argument, random numbers have a seed, no socket. The same datagrams at the same times have the
/// same fate on every machine.
///
///     static hy_faults air; // large: not on the stack
///
///     static void lose(const hy_endpoint *robot, hy_bytes datagram, int64_t now_us)
///     {
///         hy_faults_spec spec;
///         hy_faults_error error;
///         if (hy_faults_parse("loss=10%,jitter=40ms", &spec, &error) != HY_OK) {
///             puts(error.text);
///         }
///         hy_faults_init(&air, &spec.to_robot, &spec, 1, now_us);
///         hy_faults_put(&air, robot, datagram, now_us);
///         hy_endpoint to;
///         while (hy_faults_take(&air, now_us, &to, &datagram)) { /* send it */ }
///     }
#ifndef HALYARD_FAULTS_H
#define HALYARD_FAULTS_H

#include <halyard/base.h>

HY_API_BEGIN

#define HY_FAULTS_WINDOWS 8 ///< Most outages, and most reboots, of one spec.
/// Datagrams that one direction can hold back; more are lost and counted.
#define HY_FAULTS_SLOTS 128
/// Bytes of one that is held back; longer ones are lost and counted.
#define HY_FAULTS_DATAGRAM_MAX 2048

// --------------------------------------------------------------------------- what goes wrong

/// One direction of the network. All zero: a perfect wire. Chances are per datagram, [0, 1].
typedef struct {
    double loss;
    double burst;        ///< Chance that a burst of losses begins (Gilbert's model) ...
    double burst_length; ///< ... which ends after so many datagrams on average, 1 or more.
    int64_t delay_us;    ///< Every datagram takes at least this long.
    int64_t jitter_us;   ///< And up to this much more, evenly drawn. Order is kept.
    double duplicate;    ///< Chance that it arrives twice.
    /// Chance that it is held back until a later one has passed, for 100 ms at most.
    double reorder;
    double corrupt;      ///< Chance that one of its bits is flipped.
    double truncate;     ///< Chance that it loses one or more bytes at its end.
    double rate_bytes_s; ///< Bytes per second that get through, others wait; 0: no limit.
} hy_faults_direction;

/// A stretch of time without any datagram, both directions.
typedef struct {
    int64_t from_us, length_us; ///< Since the start.
    int64_t every_us;           ///< Comes again after so long; 0: never.
} hy_faults_outage;

/// Which of a robot's readings does not change any more.
typedef enum {
    HY_FAULTS_NOTHING_STUCK = 0,
    HY_FAULTS_GYRO = 1,
    HY_FAULTS_ACCEL = 2,
    HY_FAULTS_RANGE = 4,
    HY_FAULTS_REFLECTANCE = 8,
} hy_faults_sensors;

/// Everything that one --faults asks for. All zero: nothing goes wrong.
typedef struct {
    hy_faults_direction to_robot, from_robot;
    hy_faults_outage outage[HY_FAULTS_WINDOWS];
    size_t outage_count;
    int64_t reboot_us[HY_FAULTS_WINDOWS]; ///< The robot restarts at these times since the start.
    size_t reboot_count;
    int64_t clock_jump_us,
        clock_jump_at_us;  ///< The receiver's clock jumps forward by so much, once; 0: it does not.
    uint16_t start_number; ///< The first sequence number that the robot or the program sends.
    bool has_start_number;
    uint8_t dead_encoders;   ///< Bit n: encoder n shows no movement.
    uint8_t slipping_wheels; ///< Bit n: the wheel of motor n has lost 70 % of its effort.
    unsigned stuck_sensors;  ///< hy_faults_sensors, added up.
    uint64_t seed;
} hy_faults_spec;

/// Why a spec could not be read: one sentence with the item and what to write instead.
typedef struct {
    char text[256];
} hy_faults_error;

/// Reads a spec: items `name=value`, separated by commas, blanks or line ends; '#' begins a
/// comment. A name of a preset stands for its items. "up." or "down." before the name of a network
/// fault limits it to datagrams to or from the robot. Later items win; "outage=none" takes all
/// outages before it away.
///
///     loss=5%  burst=1%:8  delay=20ms  jitter=40ms  duplicate=1%  reorder=2%
///     corrupt=1%  truncate=1%  rate=20kB/s
///     outage=5s+2s  outage=5s+2s/30s  reboot=10s  clock=500ms@10s  start=65530  seed=7
///     dead-encoder=0  slip=1  stuck=gyro
///
/// HY_OK, or HY_EFORMAT with a sentence; `out` is then all zero. O(length).
hy_status hy_faults_parse(const char *text, hy_faults_spec *out, hy_faults_error *error);

/// The items of the preset `name`, static; NULL if there is none.
const char *hy_faults_preset(const char *name);

/// The names of all presets with a sentence each, for --help: static, `*count` pairs.
typedef struct {
    const char *name, *items, *about;
} hy_faults_preset_entry;
const hy_faults_preset_entry *hy_faults_presets(size_t *count);

/// The first item of `spec` that may only be used against this machine, because it alters packets
/// or a robot; NULL if it has none. Static text: "corrupt", "truncate", "start", "outage",
/// "reboot", "clock", "dead-encoder", "slip", "stuck".
const char *hy_faults_local_item(const hy_faults_spec *spec);

/// Whether anything goes wrong at all.
bool hy_faults_is_any(const hy_faults_spec *spec);

/// Whether time `since_start_us` lies in an outage. O(outages).
bool hy_faults_is_outage(const hy_faults_spec *spec, int64_t since_start_us);

// -------------------------------------------------------------------- one direction of the network

/// Counters; they only grow.
typedef struct {
    uint64_t put, taken;
    uint64_t lost, burst_lost, outage_lost, rate_lost;
    uint64_t duplicated, reordered, corrupted, truncated;
    uint64_t overflowed; ///< Lost because all slots were in use, or for their length.
} hy_faults_counters;

/// One direction. Read only the counters. Large (about 270 kB): static, or from malloc().
typedef struct {
    hy_faults_counters counters;
    // Private.
    hy_faults_direction direction;
    const hy_faults_spec *spec; // outages
    hy_random random;
    int64_t start_us, last_due_us, rate_free_us;
    uint64_t next_number;
    bool in_burst;
    size_t held; // slot + 1 of the datagram that waits to be overtaken; 0: none
    struct {
        bool used;
        uint16_t size;
        int64_t due_us;
        uint64_t number; // of two that are due at the same time, the older goes first
        hy_endpoint peer;
        uint8_t bytes[HY_FAULTS_DATAGRAM_MAX];
    } slots[HY_FAULTS_SLOTS];
} hy_faults;

/// An empty direction. `spec` has the outages and must outlive it; `stream` tells directions apart
/// that share the spec's seed; outages count from `start_us`.
void hy_faults_init(hy_faults *self, const hy_faults_direction *direction,
                    const hy_faults_spec *spec, uint64_t stream, int64_t start_us);

/// Another network from now on; what is under way keeps its fate.
void hy_faults_change(hy_faults *self, const hy_faults_direction *direction);

/// Copies a datagram in at `now_us`, or loses it. Times must not fall. O(HY_FAULTS_SLOTS).
void hy_faults_put(hy_faults *self, const hy_endpoint *peer, hy_bytes datagram, int64_t now_us);

/// Copies a datagram in that is never lost, delayed or altered: a stop. It overtakes what is held
/// back, and what was put before it and has not been taken is dropped if `drop_earlier` is set, so
/// that a held-back command does not follow its stop.
void hy_faults_put_untouched(hy_faults *self, const hy_endpoint *peer, hy_bytes datagram,
                             bool drop_earlier, int64_t now_us);

/// Takes the first datagram that is due at `now_us`; false if there is none. `bytes` points into
/// `self` and is valid until the next call. O(HY_FAULTS_SLOTS).
bool hy_faults_take(hy_faults *self, int64_t now_us, hy_endpoint *peer, hy_bytes *bytes);

/// Adds everything that decides what happens next to `hash`. O(HY_FAULTS_SLOTS).
void hy_faults_hash(const hy_faults *self, hy_hash *hash);

/// When hy_faults_take() will have something; INT64_MAX if never. O(HY_FAULTS_SLOTS).
int64_t hy_faults_due_us(const hy_faults *self);

// --------------------------------------------------------------------------- a robot with defects

/// What sensors showed when they got stuck. All zero before the first call.
typedef struct {
    hy_sensors stuck; // private
    bool has_stuck;   // private
} hy_faults_pins;

/// Applies the spec's dead encoders and stuck sensors to what a robot's electronics are shown.
/// O(1).
void hy_faults_apply_sensors(hy_faults_pins *self, const hy_faults_spec *spec, hy_sensors *sensors);

/// Applies its slipping wheels to what the electronics do. O(1).
void hy_faults_apply_actuators(const hy_faults_spec *spec, hy_actuators *actuators);

HY_API_END

#endif
