/// @file robot_loop.h
/// What a robot program on a PC does between two system calls at 50 Hz: decodes a status, brings the devices up to date,
/// odometry, a PID controller on the heading, a differential drive, and encodes a command. A benchmark measures it, a
/// test counts what it asks of the system.
#ifndef HALYARD_TESTS_ROBOT_LOOP_H
#define HALYARD_TESTS_ROBOT_LOOP_H

#include <halyard/program.h>
#include <halyard/wire.h>

#define ROBOT_LOOP_STATUSES 64 // of a short drive, over and over

typedef struct {
    hy_xrp xrp;
    hy_differential_odometry odometry;
    hy_pid heading;
    hy_differential_drive drive;
    hy_commander commander;
    hy_seq_gate gate;
    uint8_t status[ROBOT_LOOP_STATUSES][HY_WIRE_STATUS_MAX];
    size_t status_size[ROBOT_LOOP_STATUSES];
    hy_wire_datagram out[2];
    int64_t now_us;
    unsigned step;
} robot_loop;

static inline void robot_loop_fill(robot_loop *self)
{
    for (unsigned i = 0; i < ROBOT_LOOP_STATUSES; i++) {
        hy_wire_status status = { .encoders = 0x0F,
                                  .analogs = 0x07,
                                  .has_gyro = true,
                                  .has_accel = true,
                                  .dios = 1,
                                  .accel_g = { 0, 0, 1 },
                                  .analog_v = { 1.25F, 3.75F, 0.5F } };
        const double swing = hy_sin(0.1 * i);
        status.gyro_angle_deg[2] = (float)(180.0 + 20.0 * swing);
        status.gyro_rate_dps[2] = (float)(5.0 * swing);
        for (int k = 0; k < 4; k++) {
            status.encoder[k] =
                (hy_wire_encoder){ (int32_t)(300 * swing) + 7 * k, 33381 + i, 9375000, true };
        }
        self->status_size[i] =
            hy_xrp_status_encode(&status, (hy_room){ self->status[i], HY_WIRE_STATUS_MAX });
    }
}

static inline void robot_loop_start(robot_loop *self)
{
    hy_differential_kinematics kinematics;
    *self = (robot_loop){ 0 };
    robot_loop_fill(self);
    hy_program_devices_init(&(hy_program_robot){ .xrp = &self->xrp });
    hy_differential_kinematics_init(&kinematics, HY_XRP_TRACK_M);
    hy_differential_odometry_start(&self->odometry, &kinematics, 0.0,
                                   (hy_wheel_distances){ 0.0, 0.0 }, HY_POSE2D_ORIGIN);
    hy_pid_init(&self->heading, (hy_pid_gains){ 0.9, 0.1, 0.02 }, 0.02);
    hy_pid_set_continuous(&self->heading, -HY_PI, HY_PI);
    hy_differential_drive_init(&self->drive, &self->xrp.motor[0], &self->xrp.motor[1]);
    hy_commander_init(&self->commander, &hy_dialect_xrp);
    hy_commander_enable(&self->commander);
}

/// One loop; a number that depends on all of it.
static inline double robot_loop_once(robot_loop *self)
{
    const hy_program_robot robot = { .xrp = &self->xrp };
    const unsigned step = self->step++ % ROBOT_LOOP_STATUSES;
    hy_wire_status status;
    self->now_us += HY_LOOP_PERIOD_US;
    hy_xrp_status_decode((hy_bytes){ self->status[step], self->status_size[step] }, &status);
    if (hy_seq_gate_accept(&self->gate, (uint16_t)self->step, self->now_us)) {
        hy_program_devices_update(&robot, &status, self->now_us);
    }
    const hy_wheel_distances wheels = { self->xrp.encoder[0].distance,
                                        self->xrp.encoder[1].distance };
    hy_differential_odometry_update(&self->odometry, self->xrp.gyro.angle_rad[2], wheels);
    const double turn = hy_pid_calculate_to(&self->heading, self->odometry.odometry.heading_rad, 0.3);
    hy_differential_drive_arcade(&self->drive, 0.6, turn, false, self->now_us);
    hy_program_devices_command(&robot, &self->commander.command, self->now_us);
    hy_commander_write(&self->commander, self->now_us, self->out);
    return self->odometry.odometry.pose.translation.x_m + (double)self->out[0].data[10];
}

#endif
