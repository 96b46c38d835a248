/// @file sim_publish.h
/// What a simulation has to tell as telemetry: where its robots are, what their sensors read,
/// pieces and score, under names that AdvantageScope draws.
///
///     static void run(hy_sim *sim, hy_telemetry *telemetry)
///     {
///         static hy_sim_publisher publisher;
///         hy_sim_publisher_init(&publisher, sim, telemetry);
///         for (int64_t now_us = 10000; now_us <= 1000000; now_us += 10000) {
///             hy_sim_step(sim, &(hy_sim_input){ .now_us = now_us, .world_steps = 1 });
///             hy_sim_publish(&publisher, sim);
///         }
///     }
///
/// Times are simulated time, so equal runs publish equal values at equal times. Poses are in the
/// frame of the floor: the origin is its lower left corner, AdvantageScope's "wall-blue".
///
/// | channel | type, unit | when |
/// |---|---|---|
/// | R/Truth/Pose | struct:Pose2d, m and rad | 50 Hz |
/// | R/Truth/Speeds | struct:ChassisSpeeds, m/s and rad/s | 50 Hz |
/// | R/Sensors/Encoders | double[], counts | 50 Hz |
/// | R/Sensors/GyroRate | double[] of x, y, z; rad/s | 50 Hz |
/// | R/Sensors/GyroAngle | double[] of x, y, z; rad | 50 Hz |
/// | R/Sensors/Acceleration | double[] of x, y, z; m/s^2 | 50 Hz |
/// | R/Sensors/Range | double, m | 50 Hz |
/// | R/Sensors/Reflectance | double[] left, right; 0 white .. 1 black | 50 Hz |
/// | R/Sensors/NAME/QUANTITY | double; a sensor that a world file adds | 50 Hz |
/// | R/Motors | double[], share of full duty | 50 Hz |
/// | R/Lidar | struct:Translation2d[], m: where rays ended | each step, only if asked for |
/// | R/Sensors/NAME/Points | the same of a lidar that a world file adds | as R/Lidar |
/// | R/Battery | double, V | on change and every 0.5 s, as all below |
/// | R/LED, R/Button, R/Enabled, R/Touching | boolean | |
/// | R/Brownout | boolean, of a tank: its outputs are off | |
/// | R/Servos | double[], us: pulse widths | |
/// | R/Link/CommandRate | double, Hz: commands that the board took | every 0.5 s |
/// | R/Link/CommandAge | double, s: since a command came, to 20 ms; from the first one on | |
/// | R/Link/Refused, R/Link/WatchdogTrips | int64: counts since the start | |
/// | R/Faults/ToRobot, R/Faults/FromRobot | struct:FaultCounts: since the start | with faults |
/// | R/Commands | struct:MatchCommands, rad/s: what a player's core commands | |
/// | R/Alliance, R/Team | string, of a player's robot | |
/// | R/Pieces | int64: how many it holds | |
/// | /Field/Pieces | struct:Translation3d[], m | 50 Hz while one moves |
/// | /Match/Blue, /Match/Red | int64 | |
/// | /Match/Time | double, s left | every 0.5 s |
/// | /Match/Running | boolean | |
/// | /Match/Events | string: goals, start, stop, end, reset | when they happen |
/// | DS:enabled | boolean, in files only: AdvantageScope's timeline | |
///
/// There is no round trip: no status says which command it answers.
///
/// R is /Robot where there is one, else /Robot1, /Robot2 ..; only robots with a board have sensors,
/// motors, servos, LED, button, Enabled and Link, only those of a match's players Commands,
/// Alliance and Team.
#ifndef HALYARD_SIM_PUBLISH_H
#define HALYARD_SIM_PUBLISH_H

#include <halyard/faults.h>
#include <halyard/sim.h>
#include <halyard/telemetry.h>

/// Channels of one robot. Private.
typedef struct {
    size_t board; // HY_SIM_BOARDS: none
    size_t encoders, motors;
    hy_channel pose, speeds, encoder_counts, gyro_rate, gyro_angle, acceleration, range,
        reflectance, motor_duty;
    hy_channel battery, led, button, enabled, touching, brownout, pieces, servos, lidar;
    hy_channel command_rate, command_age, refused, commands_lost, watchdog_trips, commands,
        alliance, team;
    hy_channel faults_to, faults_from;
    hy_channel readings[HY_WORLD_READINGS], lidars[HY_WORLD_SENSORS];
    size_t reading_count;
    uint64_t last_command_count, seen_command_count;
    uint64_t command_us; // when the newest command was seen
} hy_sim_robot_channels;

/// The channels of a simulation and what they were last. Private; about 35 kB.
typedef struct {
    hy_telemetry *telemetry;
    hy_sim_robot_channels robots[HY_WORLD_VEHICLES];
    hy_channel pieces, blue, red, time_left, running, events, enabled;
    bool has_lidar;
    uint64_t next_us;
    hy_match_facts last_match;
    bool is_enabled;
} hy_sim_publisher;

/// Declares the channels. `sim` and `telemetry` must stay. HY_OK, or HY_EMEMORY: some channels are
/// missing and are not published.
hy_status hy_sim_publisher_init(hy_sim_publisher *self, const hy_sim *sim, hy_telemetry *telemetry);

/// Declares the points of all lidars: points take a hundred times the room of all
/// the rest, so they are published only after this call. `self` has been started. HY_OK or
/// HY_EMEMORY.
hy_status hy_sim_publisher_add_lidar(hy_sim_publisher *self, const hy_sim *sim);

/// Publishes what is due after a step, and sets the time of `telemetry` to simulated time. Without
/// sinks it costs a comparison; 50 times a second of simulated time it asks for the truth of every
/// robot, which costs about as much as a step.
void hy_sim_publish(hy_sim_publisher *self, const hy_sim *sim);

/// The struct FaultCounts, of a channel that has what --faults did to datagrams of one direction.
extern const hy_struct_type hy_struct_fault_counts;

/// Puts such counts into a channel of that type. O(1).
void hy_publish_fault_counts(hy_telemetry *telemetry, hy_channel channel,
                             const hy_faults_counters *counts);

/// Whether the simulation or another part of the library publishes a channel of this name; all
/// others are those of robot programs. O(length of the name).
bool hy_sim_publishes(hy_bytes name);

#endif
