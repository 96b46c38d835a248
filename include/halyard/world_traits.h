/// @file world_traits.h
/// What sets one robot apart from its type: unequal motors, wheels of unequal size, a battery that
/// is half empty, sensors that read a little too much. An ideal robot has none of that.
///
/// The traits are part of a vehicle's spec (world_spec.h): hy_world_compile() applies them on top
/// of the vehicle's numbers, and recordings keep them with the spec. docs/spec/robot.md says where
/// the numbers come from; worldfile.h reads and writes them as files.
///
///     hy_robot_traits traits;
///     hy_robot_traits_draw(&traits, 7);
///     printf("%s: its right motor has %.0f %% of the left one's torque\n", traits.name,
///            100 * traits.strength[1] / traits.strength[0]);
#ifndef HALYARD_WORLD_TRAITS_H
#define HALYARD_WORLD_TRAITS_H

#include <halyard/base.h>

HY_API_BEGIN

#define HY_ROBOT_TEXT 32 ///< Bytes of the name of a robot, its end included.

typedef enum {
    HY_DECAY_CONTROLLER, ///< As the robot's controller does it; without one, the bridge brakes.
    HY_DECAY_BRAKE,      ///< It shorts the motor: slow decay.
    HY_DECAY_COAST,      ///< It disconnects the motor: fast decay, through diodes.
} hy_bridge_decay;

/// The differences of one robot from its type. Arrays hold left, right. What is called a factor
/// multiplies the type's number, and 1 changes nothing.
typedef struct {
    char name[HY_ROBOT_TEXT]; ///< For people: "typical".
    // Motors: factors of the torque at a given voltage, of the speed without load at a given
    // voltage, and of the dry friction of a shaft that turns.
    double strength[2], speed[2], friction[2];
    /// How much more dry friction a shaft that stands has than one that turns, as a share; 0: as
    /// the type has it.
    double breakaway;
    hy_bridge_decay decay; ///< HY_DECAY_CONTROLLER: as the type has it.
    double pwm_hz;         ///< Of a bridge that coasts; 0: as the type has it.
    double inductance_h;   ///< Of one motor; 0: as the type has it.
    double wheel_size[2];  ///< Factors of the diameter.
    double track;          ///< Factor of the distance between the wheels.
    double mass, inertia;  ///< Factors.
    double battery_v;      ///< Without load, at the start; 0: as the type has it.
    double battery_ohm;    ///< Cells and wiring, at the start; 0: as the type has it.
    double battery_ah;     ///< Ampere hours of a full battery; 0: it never empties.
    // Reflectance sensors: a reading is white + (black - white) * darkness.
    double white[2], black[2];
    double gyro_scale;      ///< A reading is so many times the true rate.
    double gyro_bias_rad_s; ///< What calibration leaves, in addition to what is drawn at the start.
    double gyro_step_rad_s; ///< Readings are multiples of this; 0: of nothing.
    double gyro_warm_up_rad_s; ///< Bias at power-up that goes within minutes.
    /// How well the rangefinder hears: 1 as it was measured, a factor of all distances; 0: it hears
    /// every echo, at fixed times.
    double echoes;
    double spikes_per_s; ///< How often running motors disturb it, if it does not hear every echo.
    /// Of a swerve robot's azimuths: how far a module can be turned while its motor stands; 0: as
    /// the type has it.
    double azimuth_play_rad;
} hy_robot_traits;

/// No differences; its name is "ideal".
void hy_robot_traits_ideal(hy_robot_traits *out);

/// A fixed robot with differences of ordinary size; its name is "typical".
void hy_robot_traits_typical(hy_robot_traits *out);

/// The robot of that number, drawn from the distributions of docs/spec/robot.md; its name is "robot
/// 7" for seed 7. The same seed gives the same robot on every machine.
void hy_robot_traits_draw(hy_robot_traits *out, uint64_t seed);

/// Whether all but the name is as hy_robot_traits_ideal() has it.
bool hy_robot_traits_are_ideal(const hy_robot_traits *traits);

HY_API_END

#endif
