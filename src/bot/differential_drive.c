#include <halyard/bot.h>

#include "finite.h"

void hy_differential_drive_init(hy_differential_drive *self, hy_motor *left, hy_motor *right)
{
    *self = (hy_differential_drive){ left, right, 0.02, 1.0 };
}

bool hy_differential_drive_set_deadband(hy_differential_drive *self, double deadband)
{
    if (!(deadband >= 0.0) || !(deadband < 1.0)) {
        return false;
    }
    self->deadband = deadband;
    return true;
}

bool hy_differential_drive_set_max_output(hy_differential_drive *self, double max_output)
{
    if (!(max_output >= 0.0) || !(max_output <= 1.0)) {
        return false;
    }
    self->max_output = max_output;
    return true;
}

static double behind_deadband(const hy_differential_drive *self, double value)
{
    return hy_apply_deadband(value, self->deadband, 1.0);
}

static void set_efforts(hy_differential_drive *self, hy_drive_efforts efforts, int64_t now_us)
{
    hy_motor_set(self->left, efforts.left * self->max_output, now_us);
    hy_motor_set(self->right, efforts.right * self->max_output, now_us);
}

void hy_differential_drive_arcade(hy_differential_drive *self, double x_speed, double z_rotation,
                                  bool square_inputs, int64_t now_us)
{
    const double x = behind_deadband(self, x_speed), z = behind_deadband(self, z_rotation);
    set_efforts(self, hy_arcade_efforts(x, z, square_inputs), now_us);
}

void hy_differential_drive_curvature(hy_differential_drive *self, double x_speed, double z_rotation,
                                     bool turn_in_place, int64_t now_us)
{
    const double x = behind_deadband(self, x_speed), z = behind_deadband(self, z_rotation);
    set_efforts(self, hy_curvature_efforts(x, z, turn_in_place), now_us);
}

void hy_differential_drive_tank(hy_differential_drive *self, double left, double right,
                                bool square_inputs, int64_t now_us)
{
    const double l = behind_deadband(self, left), r = behind_deadband(self, right);
    set_efforts(self, hy_tank_efforts(l, r, square_inputs), now_us);
}

void hy_differential_drive_stop(hy_differential_drive *self, int64_t now_us)
{
    set_efforts(self, (hy_drive_efforts){ 0.0, 0.0 }, now_us);
}
