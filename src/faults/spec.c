// Reads what --faults says.
#include <halyard/faults.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEM_MAX    96
#define DAY_US      86400e6
#define SEPARATORS  ", \t\r\n"
#define NESTING_MAX 2 // a preset in a spec
#define NO_OUTAGE   "none"

static const hy_faults_preset_entry presets[] = {
    { "bad-wifi",
      "loss=2% burst=0.5%:10 delay=5ms jitter=40ms duplicate=0.5% reorder=1% outage=20s+400ms/20s",
      "a weak signal: some loss, jitter, a gap of 0.4 s every 20 s" },
    { "gym-full-of-phones", "loss=10% burst=2%:6 delay=10ms jitter=120ms rate=40kB/s",
      "a crowded channel: a tenth lost, delays of up to 130 ms" },
    { "wifi-stalls", "jitter=10ms outage=7s+700ms/11s outage=23s+2500ms/47s",
      "nothing passes for 0.7 s now and then, and at times for 2.5 s" },
    { "dying-battery", "slip=1 dead-encoder=1 stuck=range reboot=45s",
      "a robot with defects: a weak wheel, a dead encoder, a stuck rangefinder, a restart" },
};

const hy_faults_preset_entry *hy_faults_presets(size_t *count)
{
    *count = sizeof presets / sizeof presets[0];
    return presets;
}

const char *hy_faults_preset(const char *name)
{
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++) {
        if (strcmp(presets[i].name, name) == 0) {
            return presets[i].items;
        }
    }
    return NULL;
}

// --------------------------------------------------------------------------- values

// Reads a decimal number and moves `*text` behind it. strtod() alone takes "nan", "inf" and "0x10".
static bool read_number(const char **text, double *out)
{
    char *end = NULL;
    if ((**text < '0' || **text > '9') && **text != '.') {
        return false;
    }
    if (**text == '0' && ((*text)[1] == 'x' || (*text)[1] == 'X')) {
        return false;
    }
    *out = strtod(*text, &end);
    if (end == *text || !isfinite(*out)) {
        return false;
    }
    *text = end;
    return true;
}

// Consumes `word` if `*text` begins with it.
static bool skip_word(const char **text, const char *word)
{
    const size_t size = strlen(word);
    if (strncmp(*text, word, size) != 0) {
        return false;
    }
    *text += size;
    return true;
}

static bool read_chance(const char **text, double *out)
{
    if (!read_number(text, out)) {
        return false;
    }
    *out = skip_word(text, "%") ? *out / 100.0 : *out;
    return *out <= 1.0;
}

static bool read_time(const char **text, int64_t *out_us)
{
    double value;
    if (!read_number(text, &value)) {
        return false;
    }
    if (skip_word(text, "us")) {
    } else if (skip_word(text, "ms")) {
        value *= 1e3;
    } else if (skip_word(text, "s")) {
        value *= 1e6;
    } else {
        return false; // a time without a unit would be guessed
    }
    *out_us = (int64_t)(value + 0.5);
    return value <= DAY_US;
}

static bool read_whole(const char **text, uint64_t most, uint64_t *out)
{
    uint64_t value = 0;
    const char *at = *text;
    while (*at >= '0' && *at <= '9') {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (value > (most - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
        at++;
    }
    const bool has_digits = at != *text;
    *text = at;
    *out = value;
    return has_digits && value <= most;
}

// --------------------------------------------------------------------------- items

// What an item is read into.
typedef struct {
    hy_faults_spec *spec;
    bool to_robot, from_robot; // which directions a network fault is for
} faults_target;

typedef bool faults_reader(const char **text, const faults_target *target);

static void set_direction(const faults_target *target, size_t offset, double value)
{
    hy_faults_direction *const directions[] = { &target->spec->to_robot, &target->spec->from_robot };
    const bool wanted[] = { target->to_robot, target->from_robot };
    for (size_t i = 0; i < 2; i++) {
        if (wanted[i]) {
            memcpy((char *)directions[i] + offset, &value, sizeof value);
        }
    }
}

#define CHANCE_READER(name)                                                 \
    static bool read_##name(const char **text, const faults_target *target) \
    {                                                                       \
        double value;                                                       \
        if (!read_chance(text, &value)) {                                   \
            return false;                                                   \
        }                                                                   \
        set_direction(target, offsetof(hy_faults_direction, name), value);  \
        return true;                                                        \
    }
CHANCE_READER(loss)
CHANCE_READER(duplicate)
CHANCE_READER(reorder)
CHANCE_READER(corrupt)
CHANCE_READER(truncate)

static bool read_burst(const char **text, const faults_target *target)
{
    double random, length;
    if (!read_chance(text, &random) || !skip_word(text, ":") || !read_number(text, &length) ||
        !(length >= 1.0 && length <= 1e6)) {
        return false;
    }
    set_direction(target, offsetof(hy_faults_direction, burst), random);
    set_direction(target, offsetof(hy_faults_direction, burst_length), length);
    return true;
}

static bool read_delay(const char **text, const faults_target *target)
{
    int64_t value_us;
    if (!read_time(text, &value_us)) {
        return false;
    }
    target->spec->to_robot.delay_us = target->to_robot ? value_us : target->spec->to_robot.delay_us;
    target->spec->from_robot.delay_us =
        target->from_robot ? value_us : target->spec->from_robot.delay_us;
    return true;
}

static bool read_jitter(const char **text, const faults_target *target)
{
    int64_t value_us;
    if (!read_time(text, &value_us)) {
        return false;
    }
    target->spec->to_robot.jitter_us = target->to_robot ? value_us : target->spec->to_robot.jitter_us;
    target->spec->from_robot.jitter_us =
        target->from_robot ? value_us : target->spec->from_robot.jitter_us;
    return true;
}

static bool read_rate(const char **text, const faults_target *target)
{
    double value;
    if (!read_number(text, &value) || value <= 0.0) {
        return false;
    }
    if (skip_word(text, "kB/s")) {
        value *= 1e3;
    } else if (skip_word(text, "MB/s")) {
        value *= 1e6;
    } else if (!skip_word(text, "B/s")) {
        return false;
    }
    set_direction(target, offsetof(hy_faults_direction, rate_bytes_s), value);
    return value >= 1.0;
}

static bool read_outage(const char **text, const faults_target *target)
{
    hy_faults_spec *const spec = target->spec;
    hy_faults_outage outage = { 0 };
    if (skip_word(text, NO_OUTAGE)) {
        spec->outage_count = 0;
        return true;
    }
    if (!read_time(text, &outage.from_us) || !skip_word(text, "+") ||
        !read_time(text, &outage.length_us)) {
        return false;
    }
    if (skip_word(text, "/") && (!read_time(text, &outage.every_us) || outage.every_us == 0)) {
        return false;
    }
    spec->outage[spec->outage_count++] = outage;
    return true;
}

// Kept in the order of time.
static bool read_reboot(const char **text, const faults_target *target)
{
    hy_faults_spec *const spec = target->spec;
    int64_t at_us;
    if (!read_time(text, &at_us)) {
        return false;
    }
    size_t place = spec->reboot_count++;
    for (; place > 0 && spec->reboot_us[place - 1] > at_us; place--) {
        spec->reboot_us[place] = spec->reboot_us[place - 1];
    }
    spec->reboot_us[place] = at_us;
    return true;
}

static bool read_clock(const char **text, const faults_target *target)
{
    return read_time(text, &target->spec->clock_jump_us) && skip_word(text, "@") &&
           read_time(text, &target->spec->clock_jump_at_us);
}

static bool read_start(const char **text, const faults_target *target)
{
    uint64_t value;
    if (!read_whole(text, UINT16_MAX, &value)) {
        return false;
    }
    target->spec->start_number = (uint16_t)value;
    target->spec->has_start_number = true;
    return true;
}

static bool read_seed(const char **text, const faults_target *target)
{
    return read_whole(text, UINT64_MAX, &target->spec->seed);
}

static bool read_dead_encoder(const char **text, const faults_target *target)
{
    uint64_t value;
    if (!read_whole(text, HY_PIN_ENCODERS - 1, &value)) {
        return false;
    }
    target->spec->dead_encoders |= (uint8_t)(1u << value);
    return true;
}

static bool read_slip(const char **text, const faults_target *target)
{
    uint64_t value;
    if (!read_whole(text, HY_PIN_MOTORS - 1, &value)) {
        return false;
    }
    target->spec->slipping_wheels |= (uint8_t)(1u << value);
    return true;
}

static bool read_stuck(const char **text, const faults_target *target)
{
    static const struct {
        const char *name;
        hy_faults_sensors sensor;
    } sensors[] = { { "gyro", HY_FAULTS_GYRO },
                    { "accel", HY_FAULTS_ACCEL },
                    { "range", HY_FAULTS_RANGE },
                    { "reflectance", HY_FAULTS_REFLECTANCE } };
    for (size_t i = 0; i < sizeof sensors / sizeof sensors[0]; i++) {
        if (skip_word(text, sensors[i].name)) {
            target->spec->stuck_sensors |= (unsigned)sensors[i].sensor;
            return true;
        }
    }
    return false;
}

static const struct {
    const char *name, *example;
    faults_reader *read;
    bool has_direction;
} items[] = {
    { "loss", "loss=5%", read_loss, true },
    { "burst", "burst=1%:8", read_burst, true },
    { "delay", "delay=20ms", read_delay, true },
    { "jitter", "jitter=40ms", read_jitter, true },
    { "duplicate", "duplicate=1%", read_duplicate, true },
    { "reorder", "reorder=2%", read_reorder, true },
    { "corrupt", "corrupt=1%", read_corrupt, true },
    { "truncate", "truncate=1%", read_truncate, true },
    { "rate", "rate=20kB/s", read_rate, true },
    { "outage", "outage=5s+2s or outage=5s+2s/30s", read_outage, false },
    { "reboot", "reboot=10s", read_reboot, false },
    { "clock", "clock=500ms@10s", read_clock, false },
    { "start", "start=65530", read_start, false },
    { "seed", "seed=7", read_seed, false },
    { "dead-encoder", "dead-encoder=0", read_dead_encoder, false },
    { "slip", "slip=1", read_slip, false },
    { "stuck", "stuck=gyro, accel, range or reflectance", read_stuck, false },
};

// --------------------------------------------------------------------------- the whole text

static hy_status parse_items(const char *text, unsigned depth, hy_faults_spec *out,
                             hy_faults_error *error);

static bool has_no_room(const hy_faults_spec *spec, faults_reader *read, const char *value)
{
    return (read == read_outage && spec->outage_count == HY_FAULTS_WINDOWS &&
            strcmp(value, NO_OUTAGE) != 0) ||
           (read == read_reboot && spec->reboot_count == HY_FAULTS_WINDOWS);
}

static hy_status read_item(const char *item, unsigned depth, hy_faults_spec *out,
                           hy_faults_error *error)
{
    const char *at = item;
    faults_target target = { .spec = out, .to_robot = true, .from_robot = true };
    if (skip_word(&at, "up.")) {
        target.from_robot = false;
    } else if (skip_word(&at, "down.")) {
        target.to_robot = false;
    }
    const bool is_directed = at != item;
    const char *const preset = depth < NESTING_MAX && !is_directed ? hy_faults_preset(item) : NULL;
    if (preset != NULL) {
        return parse_items(preset, depth + 1, out, error);
    }
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        const char *value = at;
        if (!skip_word(&value, items[i].name) || !skip_word(&value, "=")) {
            continue;
        }
        if (is_directed && !items[i].has_direction) {
            snprintf(error->text, sizeof error->text, "'%s': %s has no direction; write %s", item,
                     items[i].name, items[i].example);
            return HY_EFORMAT;
        }
        if (has_no_room(out, items[i].read, value)) {
            snprintf(error->text, sizeof error->text, "'%s': there is room for %d of %s", item,
                     HY_FAULTS_WINDOWS, items[i].name);
            return HY_EFORMAT;
        }
        if (!items[i].read(&value, &target) || *value != '\0') {
            snprintf(error->text, sizeof error->text, "'%s' is not understood; write it like %s",
                     item, items[i].example);
            return HY_EFORMAT;
        }
        return HY_OK;
    }
    snprintf(
        error->text, sizeof error->text,
        "'%s' is not a fault; write items such as loss=5%%, delay=20ms, outage=5s+2s, or a preset "
        "such as bad-wifi",
        item);
    return HY_EFORMAT;
}

static hy_status parse_items(const char *text, unsigned depth, hy_faults_spec *out,
                             hy_faults_error *error)
{
    while (*text != '\0') {
        text += strspn(text, SEPARATORS);
        if (*text == '#') {
            text += strcspn(text, "\n");
            continue;
        }
        const size_t size = strcspn(text, SEPARATORS "#");
        char item[ITEM_MAX];
        if (size >= sizeof item) {
            snprintf(error->text, sizeof error->text, "'%.40s...' is too long for one fault", text);
            return HY_EFORMAT;
        }
        memcpy(item, text, size);
        item[size] = '\0';
        text += size;
        const hy_status status = size > 0 ? read_item(item, depth, out, error) : HY_OK;
        if (status != HY_OK) {
            return status;
        }
    }
    return HY_OK;
}

hy_status hy_faults_parse(const char *text, hy_faults_spec *out, hy_faults_error *error)
{
    *out = (hy_faults_spec){ 0 };
    error->text[0] = '\0';
    const hy_status status = parse_items(text, 0, out, error);
    if (status != HY_OK) {
        *out = (hy_faults_spec){ 0 };
    }
    return status;
}

// --------------------------------------------------------------------------- what a spec has

const char *hy_faults_local_item(const hy_faults_spec *spec)
{
    const struct {
        bool is_there;
        const char *name;
    } local[] = {
        { spec->to_robot.corrupt > 0.0 || spec->from_robot.corrupt > 0.0, "corrupt" },
        { spec->to_robot.truncate > 0.0 || spec->from_robot.truncate > 0.0, "truncate" },
        { spec->has_start_number, "start" },
        { spec->outage_count > 0, "outage" },
        { spec->reboot_count > 0, "reboot" },
        { spec->clock_jump_us != 0, "clock" },
        { spec->dead_encoders != 0, "dead-encoder" },
        { spec->slipping_wheels != 0, "slip" },
        { spec->stuck_sensors != 0, "stuck" },
    };
    for (size_t i = 0; i < sizeof local / sizeof local[0]; i++) {
        if (local[i].is_there) {
            return local[i].name;
        }
    }
    return NULL;
}

static bool is_any_in(const hy_faults_direction *d)
{
    return d->loss > 0.0 || d->burst > 0.0 || d->delay_us > 0 || d->jitter_us > 0 ||
           d->duplicate > 0.0 || d->reorder > 0.0 || d->corrupt > 0.0 || d->truncate > 0.0 ||
           d->rate_bytes_s > 0.0;
}

bool hy_faults_is_any(const hy_faults_spec *spec)
{
    return is_any_in(&spec->to_robot) || is_any_in(&spec->from_robot) ||
           hy_faults_local_item(spec) != NULL;
}
