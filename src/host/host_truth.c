#include "host_truth.h"

#include "options/options.h"

static void write_list(FILE *file, const char *key, const double *values, size_t count)
{
    fprintf(file, ",\"%s\":[", key);
    for (size_t i = 0; i < count; i++) {
        fprintf(file, "%s%.6f", i == 0 ? "" : ",", values[i]);
    }
    fputc(']', file);
}

static void write_flag(FILE *file, const char *key, bool value)
{
    fprintf(file, ",\"%s\":%s", key, value ? "true" : "false");
}

/// The readings of sensors that are not wired, by name; no key without them. Their names need no escaping.
static void write_further(FILE *file, const hy_sim *sim)
{
    hy_world_reading readings[HY_WORLD_READINGS];
    const size_t count =
        hy_world_read_extra_sensors(hy_sim_model(sim), hy_sim_world(sim),
                                    hy_sim_board_vehicle(sim, 0), readings, HY_WORLD_READINGS);
    for (size_t i = 0; i < count; i++) {
        fprintf(file, "%s\"%s.%s\":%.6f", i == 0 ? ",\"sensors\":{" : ",", readings[i].sensor,
                readings[i].quantity, readings[i].value);
    }
    fputs(count > 0 ? "}" : "", file);
}

static void write_line(void *context, const hy_sim *sim)
{
    FILE *const f = ((hy_host_truth *)context)->output.stream;
    const hy_truth t = hy_sim_truth(sim, hy_sim_board_vehicle(sim, 0));
    const hy_board *const board = hy_sim_board_at(sim, 0);
    const hy_actuators *const pins = hy_board_actuators(board);
    const hy_dialect *const channels = hy_board_dialect(board);
    fprintf(f, "{\"t_s\":%.6f,\"simulated_s\":%.6f", (double)hy_sim_now_us(sim) * 1e-6,
            hy_sim_simulated_s(sim));
    fprintf(f, ",\"x_m\":%.6f,\"y_m\":%.6f,\"heading_rad\":%.6f", t.x_m, t.y_m, t.heading_rad);
    write_list(f, "wheel_counts", t.wheel_counts, channels->encoders);
    write_list(f, "duty", t.motor_duty, channels->motors);
    write_list(f, "servo_us", pins->servo_pulse_us, channels->servos);
    write_flag(f, "led", t.led);
    write_flag(f, "button", t.button);
    write_list(f, "reflectance", t.reflectance, HY_PIN_REFLECTANCE);
    fprintf(f, ",\"range_m\":%.6f", t.range_m);
    write_flag(f, "enabled", hy_board_is_enabled(board));
    fprintf(f, ",\"speed_m_s\":%.6f,\"lateral_m_s\":%.6f,\"rate_z_rad_s\":%.6f", t.speed_m_s,
            t.lateral_m_s, t.rate_z_rad_s);
    write_flag(f, "touching", t.touching);
    fprintf(f, ",\"battery_v\":%.4f", t.battery_v);
    write_further(f, sim);
    fputs("}\n", f);
}

static void end(void *context)
{
    hy_host_truth *const self = context;
    char error[HY_SYSTEM_ERROR_MAX];
    self->has_failed = !hy_file_close(&self->output, true, error);
    if (self->has_failed) {
        hy_print_error(self->program, "--truth %s", error);
    }
}

bool hy_host_truth_start(hy_host_truth *self, hy_host *host)
{
    static const hy_attachment_functions functions = { .on_step = write_line, .close = end };
    char error[HY_SYSTEM_ERROR_MAX];
    if (self->name == NULL) {
        return true;
    }
    self->program = host->program;
    if (!hy_file_create(&self->output, self->name, HY_FILE_OVERWRITE | HY_FILE_PIPES, error) ||
        !hy_file_place(&self->output, error)) {
        hy_print_error(self->program, "--truth %s", error);
        return false;
    }
    setvbuf(self->output.stream, NULL, _IOLBF, 0); // whoever follows the file sees whole lines
    hy_host_attach(host, &functions, self);
    return true;
}
