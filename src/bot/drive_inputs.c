#include <halyard/bot.h>

#include "finite.h"

static double stick(double value)
{
    return limited(finite_or_0(value), -1.0, 1.0);
}

static hy_drive_efforts desaturated(double left, double right)
{
    const double most = larger(absolute(left), absolute(right));
    const double scale = most > 1.0 ? 1.0 / most : 1.0;
    return (hy_drive_efforts){ left * scale, right * scale };
}

hy_drive_efforts hy_arcade_efforts(double x_speed, double z_rotation, bool square_inputs)
{
    double x = stick(x_speed), z = stick(z_rotation);
    if (square_inputs) {
        x = hy_square_input(x);
        z = hy_square_input(z);
    }
    const double greater = larger(absolute(x), absolute(z));
    if (greater == 0.0) {
        return (hy_drive_efforts){ 0.0, 0.0 };
    }
    // The stick's square has more room in its corners than the wheels: all of it is scaled by how
    // much farther the corner is in the direction in which the stick points.
    const double room = (absolute(x) + absolute(z)) / greater;
    return (hy_drive_efforts){ (x - z) / room, (x + z) / room };
}

hy_drive_efforts hy_curvature_efforts(double x_speed, double z_rotation, bool turn_in_place)
{
    const double x = stick(x_speed), z = stick(z_rotation);
    const double turn = turn_in_place ? z : absolute(x) * z;
    return desaturated(x - turn, x + turn);
}

hy_drive_efforts hy_tank_efforts(double left, double right, bool square_inputs)
{
    const double l = stick(left), r = stick(right);
    return square_inputs ? (hy_drive_efforts){ hy_square_input(l), hy_square_input(r) }
                         : (hy_drive_efforts){ l, r };
}
