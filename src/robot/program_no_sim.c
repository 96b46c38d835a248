// For programs that are linked without the simulation: halyard_robot_program_sim brings the other program_sim_execute().
#include "program_options.h"
#include "program_sim.h"

int program_sim_execute(const hy_program *program, const hy_program_options *options,
                        hy_program_outcome *outcome)
{
    (void)options, (void)outcome;
    program_complain(program, "--sim: this program was linked without halyard_robot_program_sim");
    return 1;
}
