#include "drive.h"

double hy_implicit_share(double rate_s, double step_s)
{
    const double z = rate_s * step_s;
    if (z < 1e-3) {
        return 0.5 + z / 12; // the series of what follows, which loses its digits here
    }
    return 1 / (1 - hy_exp(-z)) - 1 / z;
}

void hy_motor_prepare(hy_motor_model *motor, double step_s)
{
    motor->step_s = step_s;
    motor->per_ohm = 1 / motor->resistance_ohm;
    motor->torque_n_m_v = motor->torque_n_m_a / motor->resistance_ohm;
    motor->coulomb_n_m_s = motor->coulomb_n_m * step_s;
    const double damping_n_m_s = motor->torque_n_m_v * motor->emf_v_s; // of the back-EMF
    const double late = hy_implicit_share(damping_n_m_s / motor->inertia_kg_m2, step_s);
    motor->step_kg_m2 = motor->inertia_kg_m2 + late * damping_n_m_s * step_s;
    motor->keep_kg_m2 = motor->inertia_kg_m2 - (1 - late) * damping_n_m_s * step_s;
}

double hy_battery_voltage(const hy_battery_spec *battery, const hy_motor_model *motor,
                          const double *duty, const double *rad_s, size_t count)
{
    // A bridge at duty d turns volts v into d v and takes d i from the battery, so every motor is a
    // resistance of R / d^2 with its back-EMF behind it; one linear equation gives the volts.
    double conductance = 0;
    double emf_a = 0;
    for (size_t i = 0; i < count; i++) {
        const double per_ohm = duty[i] * motor[i].per_ohm;
        conductance += duty[i] * per_ohm;
        emf_a += per_ohm * motor[i].forward * motor[i].emf_v_s * rad_s[i];
    }
    const double volts = (battery->open_v + battery->resistance_ohm * (emf_a - battery->board_a)) /
                         (1 + battery->resistance_ohm * conductance);
    return volts > 0 ? volts : 0;
}

double hy_motor_free_step(const hy_motor_model *motor, double volts, double rad_s)
{
    const double momentum = motor->keep_kg_m2 * rad_s + motor->step_s * volts * motor->torque_n_m_v;
    const double friction = motor->coulomb_n_m_s;
    // Dry friction takes what it can, and no more than brings the shaft to rest.
    return (momentum - hy_clamp(momentum, -friction, friction, 0)) / motor->step_kg_m2;
}
