#include <halyard/bot.h>

#include "finite.h"

/// Coefficients of the cubic with these values and derivatives at 0 and at 1.
static void cubic(double c[6], double p0, double d0, double p1, double d1)
{
    const double way = p1 - p0;
    c[0] = p0;
    c[1] = d0;
    c[2] = 3.0 * way - 2.0 * d0 - d1;
    c[3] = -2.0 * way + d0 + d1;
    c[4] = 0.0;
    c[5] = 0.0;
}

typedef struct {
    double p, d, dd;
} end_1d;

/// Coefficients of the quintic with these values and first and second derivatives at 0 and at 1.
static void quintic(double c[6], end_1d a, end_1d b)
{
    const double way = b.p - a.p;
    c[0] = a.p;
    c[1] = a.d;
    c[2] = a.dd / 2.0;
    c[3] = 10.0 * way - 6.0 * a.d - 4.0 * b.d - 1.5 * a.dd + 0.5 * b.dd;
    c[4] = -15.0 * way + 8.0 * a.d + 7.0 * b.d + 1.5 * a.dd - b.dd;
    c[5] = 6.0 * way - 3.0 * (a.d + b.d) - 0.5 * (a.dd - b.dd);
}

hy_spline hy_spline_cubic(const hy_spline_end *start, const hy_spline_end *end)
{
    hy_spline spline = { { 0.0 }, { 0.0 } };
    cubic(spline.x, start->x_m, start->dx_m, end->x_m, end->dx_m);
    cubic(spline.y, start->y_m, start->dy_m, end->y_m, end->dy_m);
    return spline;
}

hy_spline hy_spline_quintic(const hy_spline_end *start, const hy_spline_end *end)
{
    hy_spline spline = { { 0.0 }, { 0.0 } };
    quintic(spline.x, (end_1d){ start->x_m, start->dx_m, start->ddx_m },
            (end_1d){ end->x_m, end->dx_m, end->ddx_m });
    quintic(spline.y, (end_1d){ start->y_m, start->dy_m, start->ddy_m },
            (end_1d){ end->y_m, end->dy_m, end->ddy_m });
    return spline;
}

/// Value and derivatives of a polynomial, by Horner's scheme.
static end_1d polynomial(const double c[6], double t)
{
    return (end_1d){
        c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5])))),
        c[1] + t * (2.0 * c[2] + t * (3.0 * c[3] + t * (4.0 * c[4] + t * (5.0 * c[5])))),
        2.0 * c[2] + t * (6.0 * c[3] + t * (12.0 * c[4] + t * (20.0 * c[5]))),
    };
}

bool hy_spline_at(const hy_spline *spline, double t, hy_spline_point *out)
{
    const end_1d x = polynomial(spline->x, t), y = polynomial(spline->y, t);
    const double speed = hy_hypot(x.d, y.d);
    if (!(speed >= 1e-6) || !is_finite(x.p + y.p) || !is_finite(speed)) {
        return false;
    }
    out->pose.translation = (hy_translation2d){ x.p, y.p };
    out->pose.rotation = hy_rotation2d_from_vector(x.d, y.d);
    out->curvature_rad_m = (x.d * y.dd - x.dd * y.d) / ((x.d * x.d + y.d * y.d) * speed);
    return true;
}
