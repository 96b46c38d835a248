#include "drive.h"

#define ROUNDING_N_S 1e-15 // of sums of impulses, which are below 1 N s

void hy_body_prepare(hy_body_model *body)
{
    body->per_kg = 1 / body->mass_kg;
    body->per_kg_m2 = 1 / body->inertia_kg_m2;
}

hy_motion hy_body_pushed(const hy_body_model *body, hy_motion motion, hy_push push)
{
    return (hy_motion){ motion.x + push.x * body->per_kg, motion.y + push.y * body->per_kg,
                        motion.turn + push.turn * body->per_kg_m2 };
}

hy_motion hy_body_turned(hy_motion motion, double step_s)
{
    // Cayley's rotation: it keeps the velocity's size.
    const double half = motion.turn * step_s / 2;
    const double c = (1 - half * half) / (1 + half * half);
    const double s = 2 * half / (1 + half * half);
    return (hy_motion){ c * motion.x + s * motion.y, c * motion.y - s * motion.x, motion.turn };
}

hy_rim_model hy_rim_of(const hy_motor_model *motor, double radius_m, double drag_n_s)
{
    return (hy_rim_model){
        .step_kg = motor->step_kg_m2 / (radius_m * radius_m),
        .keep_kg = motor->keep_kg_m2 / (radius_m * radius_m),
        .n_s_per_v = motor->step_s * (motor->torque_n_m_v / radius_m),
        .stiction_n_s = motor->coulomb_n_m_s / radius_m + drag_n_s,
    };
}

double hy_rim_momentum(const hy_rim_model *rim, double rim_m_s, double volts)
{
    return rim->keep_kg * rim_m_s + rim->n_s_per_v * volts;
}

double hy_rim_speed(const hy_rim_model *rim, double momentum)
{
    const bool stands = momentum < ROUNDING_N_S && momentum > -ROUNDING_N_S;
    return stands ? 0 : momentum / rim->step_kg;
}
