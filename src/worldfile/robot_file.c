// Robot files: SPEC robot. The keys are those of the table of a robot's traits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "read.h"
#include "text/text.h"

// --------------------------------------------------------------------------- reading

static bool read_section(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_read_keys keys = { .count = 0 };
    hy_read_add_section(&keys, &hy_robot_traits_table, field->key);
    return hy_read_map(yaml, field->key, &keys, node, target);
}

// Fields of one section stand together in the table, behind the name, which is of none.
static bool begins_section(size_t index)
{
    const hy_spec_field *const field = &hy_robot_traits_table.fields[index];
    return field->section != NULL &&
           (field[-1].section == NULL || strcmp(field[-1].section, field->section) != 0);
}

static hy_status read_robot(hy_yaml *yaml, hy_robot_traits *out)
{
    static const hy_yaml_words words = { "robot files", "a robot file holds one robot",
                                         "a robot begins with 'name: ...'" };
    hy_read_keys keys = { .count = 0 };
    hy_read_add_section(&keys, &hy_robot_traits_table, NULL);
    for (size_t i = 0; i < hy_robot_traits_table.count; i++) {
        if (begins_section(i)) {
            hy_read_add(&keys, &(hy_yaml_field){ .key = hy_robot_traits_table.fields[i].section,
                                                 .type = HY_YAML_OTHER,
                                                 .read = read_section });
        }
    }
    const hy_yaml_table table = { "a robot", keys.field, keys.count, false };
    yaml->words = &words;
    return hy_yaml_parse(yaml, &table, out);
}

static hy_yaml yaml_of(const hy_worldfile_text *text, hy_world_error *error)
{
    error->text[0] = '\0';
    return (hy_yaml){ .name = text->name,
                      .text = text->yaml,
                      .error = error->text,
                      .error_size = sizeof error->text };
}

hy_status hy_robot_file_parse(const hy_worldfile_text *text, hy_robot_traits *out,
                              hy_world_error *error)
{
    hy_yaml yaml = yaml_of(text, error);
    hy_robot_traits_ideal(out);
    hy_path_name(text->name, out->name, sizeof out->name);
    if (read_robot(&yaml, out) != HY_OK) {
        hy_robot_traits_ideal(out);
    }
    return yaml.status;
}

hy_status hy_robot_file_read(const char *path, hy_robot_traits *out, hy_world_error *error)
{
    hy_room bytes;
    hy_worldfile_text text = { .name = path };
    hy_yaml yaml = yaml_of(&text, error);
    hy_robot_traits_ideal(out);
    hy_status status = hy_yaml_read_file(&yaml, "robot file", &bytes);
    if (status == HY_OK) {
        text.yaml = (hy_bytes){ bytes.data, bytes.size };
        status = hy_robot_file_parse(&text, out, error);
        free(bytes.data);
    }
    return status;
}

hy_status hy_robot_choose(const char *text, hy_robot_traits *out, hy_world_error *error)
{
    error->text[0] = '\0';
    if (strcmp(text, "ideal") == 0) {
        hy_robot_traits_ideal(out);
        return HY_OK;
    }
    if (strcmp(text, "typical") == 0) {
        hy_robot_traits_typical(out);
        return HY_OK;
    }
    const size_t digits = strspn(text, "0123456789");
    const bool is_seed = digits > 0 && text[digits] == '\0';
    if (!is_seed && strpbrk(text, "./") != NULL) {
        return hy_robot_file_read(text, out, error);
    }
    if (!is_seed) {
        snprintf(error->text, sizeof error->text,
                 "'%.40s' is no robot: it is ideal, typical, a whole number or a robot file, such "
                 "as my_xrp.yaml",
                 text);
        return HY_EFORMAT;
    }
    if (digits > 18) {
        snprintf(error->text, sizeof error->text,
                 "'%.40s' is too long for a seed: at most 18 digits", text);
        return HY_ERANGE;
    }
    hy_robot_traits_draw(out, strtoull(text, NULL, 10));
    return HY_OK;
}

// --------------------------------------------------------------------------- writing

/// Bytes of the character that `at` begins with if a YAML file holds it as it is between quotes (YAML 1.1, 5.1: printable, and no
/// line break); else 0.
static size_t plain_size(const char *at)
{
    const uint8_t *const c = (const uint8_t *)at;
    const size_t size = hy_utf8_size(c);
    const bool is_break = size == 3 && (memcmp(c, "\u2028", 3) == 0 || memcmp(c, "\u2029", 3) == 0);
    const bool is_mark =
        size == 3 && (memcmp(c, "\uFEFF", 3) == 0 || (c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe));
    return hy_yaml_is_control(at) || is_break || is_mark || c[0] == '"' || c[0] == '\\' ? 0 : size;
}

/// Between quotes; what the file could not hold is a space. Of a text that does not end it writes what there is room for.
static void quote(const char *text, char out[HY_ROBOT_TEXT + 3])
{
    size_t size = 0;
    out[size++] = '"';
    // coverage: a text that ends is shorter
    while (*text != '\0' && size <= HY_ROBOT_TEXT) {
        const size_t plain = plain_size(text);
        if (plain == 0) {
            out[size++] = ' ';
        }
        // coverage: likewise
        for (size_t i = 0; i < plain && size <= HY_ROBOT_TEXT; i++) {
            out[size++] = text[i];
        }
        text += plain > 0 ? plain : 1;
    }
    out[size++] = '"';
    out[size] = '\0';
}

static int write_value(const hy_spec_field *field, const void *of, char *out, size_t room)
{
    static const char *const decays[] = {
        [HY_DECAY_CONTROLLER] = "controller", [HY_DECAY_BRAKE] = "brake", [HY_DECAY_COAST] = "coast"
    };
    const char *const at = (const char *)of + field->offset;
    char quoted[HY_ROBOT_TEXT + 3];
    double number;
    hy_bridge_decay decay;
    switch (field->type) {
    case HY_SPEC_TEXT: quote(at, quoted); return snprintf(out, room, "%s\n", quoted);
    case HY_SPEC_CHOICE:
        memcpy(&decay, at, sizeof decay);
        return snprintf(out, room, "%s\n", decays[decay]);
    default:
        memcpy(&number, at, sizeof number);
        return snprintf(out, room, "%.12g\n", number / field->unit);
    }
}

size_t hy_robot_file_write(const hy_robot_traits *traits, hy_room room)
{
    char line[128];
    size_t size = 0;
    for (size_t i = 0; i < hy_robot_traits_table.count; i++) {
        const hy_spec_field *const field = &hy_robot_traits_table.fields[i];
        int length =
            snprintf(line, sizeof line, "%s%s%s%s: ", begins_section(i) ? field->section : "",
                     begins_section(i) ? ":\n" : "", field->section != NULL ? "  " : "", field->name);
        length += write_value(field, traits, line + length, sizeof line - (size_t)length);
        if (size <= room.size && (size_t)length <= room.size - size) {
            memcpy(room.data + size, line, (size_t)length);
        }
        size += (size_t)length;
    }
    return size;
}
