// For programs that are linked without the simulation: halyard_robot_program_sim brings the other program_sim_main().
#include "program_options.h"
#include "program_sim.h"

int program_sim_main(const hy_program *program, const hy_program_options *options, bool json)
{
    (void)options, (void)json;
    program_complain(program, "--sim: this program was linked without halyard_robot_program_sim");
    return 1;
}
