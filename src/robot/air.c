#include "air.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "robot_state.h"

#define FILE_MAX 16384

void robot_air_flush(hy_robot_air *self, hy_link *link, int64_t now_us)
{
    hy_endpoint to;
    hy_bytes bytes;
    while (hy_faults_take(&self->to_robot, now_us, &to, &bytes)) {
        if (link->is_open) {
            (void)hy_link_send(link, &to, bytes); // what the network refuses is counted by the link
        }
    }
}

int64_t robot_air_due_us(const hy_robot_air *self)
{
    if (self == NULL) {
        return INT64_MAX;
    }
    const int64_t to_us = hy_faults_due_us(&self->to_robot);
    const int64_t from_us = hy_faults_due_us(&self->from_robot);
    return to_us < from_us ? to_us : from_us;
}

// --------------------------------------------------------------------------- what may be injected

// Faults of a robot itself, which only a virtual one can have.
static bool has_faults_of_a_robot(const hy_faults_spec *faults)
{
    return faults->reboot_count > 0 || faults->clock_jump_us != 0 || faults->dead_encoders != 0 ||
           faults->slipping_wheels != 0 || faults->stuck_sensors != 0;
}

// Each address of its name gets its turn while nobody answers, and none is asked about faults again.
static bool is_on_this_machine(const hy_robot *self)
{
    for (size_t i = 0; i < self->address_count; i++) {
        if (!hy_endpoint_is_loopback(&self->addresses[i])) {
            return false;
        }
    }
    return true;
}

hy_status hy_robot_set_faults(hy_robot *self, const hy_faults_spec *faults, hy_faults_error *error)
{
    error->text[0] = '\0';
    free(self->air);
    self->air = NULL;
    if (faults == NULL || !hy_faults_is_any(faults)) {
        return HY_OK;
    }
    if (has_faults_of_a_robot(faults)) {
        snprintf(error->text, sizeof error->text,
                 "reboot, clock, dead-encoder, slip and stuck are faults of a robot: give them to "
                 "'halyard board'");
        return HY_ERANGE;
    }
    const char *const local = hy_faults_local_item(faults);
    if (local != NULL && !is_on_this_machine(self)) {
        snprintf(error->text, sizeof error->text,
                 "'%s' is refused for a robot on another machine: it could drive on, or obey what "
                 "nobody sent%s",
                 local,
                 faults->outage_count > 0 ? "; outage=none leaves the outages of a preset out" : "");
        return HY_EPERMISSION;
    }
    hy_robot_air *const air = malloc(sizeof *air);
    if (air == NULL) {
        snprintf(error->text, sizeof error->text, "%s", hy_status_text(HY_EMEMORY));
        return HY_EMEMORY;
    }
    const int64_t now_us = hy_clock_now_us();
    air->spec = *faults;
    hy_faults_init(&air->to_robot, &air->spec.to_robot, &air->spec, 0, now_us);
    hy_faults_init(&air->from_robot, &air->spec.from_robot, &air->spec, 1, now_us);
    self->air = air;
    if (faults->has_start_number) {
        self->peer.commander.seq = hy_seq_sender_at(faults->start_number);
    }
    return HY_OK;
}

bool hy_robot_get_faults(const hy_robot *self, hy_faults_counters *to_robot,
                         hy_faults_counters *from_robot)
{
    const bool has_any = self->air != NULL;
    *to_robot = has_any ? self->air->to_robot.counters : (hy_faults_counters){ .put = 0 };
    *from_robot = has_any ? self->air->from_robot.counters : (hy_faults_counters){ .put = 0 };
    return has_any;
}

// --------------------------------------------------------------------------- the text of --faults

static hy_status read_file(const char *name, hy_faults_spec *out, hy_faults_error *error)
{
    char text[FILE_MAX + 1];
    hy_faults_error mistake;
    FILE *const file = fopen(name, "r");
    if (file == NULL) {
        snprintf(
            error->text, sizeof error->text,
            "%.80s: not a fault, not a preset, and there is no such file (%s); write for example "
            "loss=5%%,jitter=40ms or bad-wifi",
            name, strerror(errno));
        return HY_EFILE;
    }
    errno = 0;
    const size_t size = fread(text, 1, sizeof text, file);
    const int refusal = ferror(file) != 0 ? errno : 0;
    fclose(file);
    if (refusal != 0) {
        snprintf(error->text, sizeof error->text, "%.80s: cannot be read (%s)", name,
                 strerror(refusal));
        return HY_EFILE;
    }
    if (size > FILE_MAX || memchr(text, '\0', size) != NULL) {
        snprintf(error->text, sizeof error->text,
                 "%.80s: not a file of faults (it is over %d bytes, or not text)", name, FILE_MAX);
        return HY_EFORMAT;
    }
    text[size] = '\0';
    const hy_status status = hy_faults_parse(text, out, &mistake);
    if (status != HY_OK) {
        snprintf(error->text, sizeof error->text, "%.60s: %.180s", name, mistake.text);
    }
    return status;
}

hy_status hy_robot_read_faults(const char *text, hy_faults_spec *out, hy_faults_error *error)
{
    if (text[strspn(text, ", \t\r\n")] == '\0') { // such as a variable of a script that is not set
        *out = (hy_faults_spec){ 0 };
        snprintf(error->text, sizeof error->text,
                 "there is no fault in '%.20s'; write for example loss=5%%,jitter=40ms or bad-wifi",
                 text);
        return HY_EFORMAT;
    }
    const hy_status status = hy_faults_parse(text, out, error);
    return status != HY_OK && strchr(text, '=') == NULL ? read_file(text, out, error) : status;
}
