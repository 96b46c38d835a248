// The vehicles of a world file.
#include "read.h"

#include <string.h>

#define PART_MOST_M 1.5

// --------------------------------------------------------------------------- sensors that every kind has or has not

/// Adds the keys of a sensor that is wired: where it looks is the kind's.
static void add_wired_keys(hy_read_keys *keys, hy_sensor_type type)
{
    hy_read_keys all = { .count = 0 };
    hy_read_add_section(&all, hy_sensor_spec_table(type), NULL);
    for (size_t i = 0; i < all.count; i++) {
        if (strcmp(all.field[i].key, "name") != 0 && strcmp(all.field[i].key, "heading_deg") != 0) {
            hy_read_add(keys, &all.field[i]);
        }
    }
}

static bool read_wired(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    const hy_sensor_type type = strcmp(field->key, "imu") == 0 ? HY_SENSOR_IMU : HY_SENSOR_RANGE;
    hy_read_keys keys = { .count = 0 };
    add_wired_keys(&keys, type);
    return hy_read_map(yaml, field->key, &keys, node, hy_vehicle_spec_wired(target, type, 0));
}

/// Both reflectance sensors at once.
typedef struct {
    hy_sensor_spec both; ///< Midway between them.
    double apart_m;
} reflectance_pair;

static bool read_reflectance(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                             void *target)
{
    hy_sensor_spec *left = hy_vehicle_spec_wired(target, HY_SENSOR_REFLECTANCE, 0);
    hy_sensor_spec *right = hy_vehicle_spec_wired(target, HY_SENSOR_REFLECTANCE, 1);
    reflectance_pair pair = { *left, left->at_m.y_m - right->at_m.y_m };
    pair.both.at_m.y_m = (left->at_m.y_m + right->at_m.y_m) / 2;
    hy_read_keys keys = { .count = 0 };
    add_wired_keys(&keys, HY_SENSOR_REFLECTANCE);
    hy_read_add(&keys, &(hy_yaml_field){ .key = "apart_m",
                                         .type = HY_YAML_NUMBER,
                                         .high = 0.5,
                                         .offset = offsetof(reflectance_pair, apart_m) });
    if (!hy_read_map(yaml, field->key, &keys, node, &pair)) {
        return false;
    }
    *left = *right = pair.both;
    left->at_m.y_m = pair.both.at_m.y_m + pair.apart_m / 2;
    right->at_m.y_m = pair.both.at_m.y_m - pair.apart_m / 2;
    return true;
}

static bool read_lidar(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_sensor_spec *lidar = hy_vehicle_spec_add_sensor(target, HY_SENSOR_LIDAR);
    if (lidar == NULL) {
        return hy_yaml_fail(yaml, HY_ERANGE, node, "a vehicle has at most %d sensors",
                            HY_WORLD_SENSORS);
    }
    lidar->wired = true;
    hy_read_keys keys = { .count = 0 };
    add_wired_keys(&keys, HY_SENSOR_LIDAR);
    return hy_read_map(yaml, field->key, &keys, node, lidar);
}

// --------------------------------------------------------------------------- sensors that are not wired

/// The type that the key of a sensor in a list stands for.
static hy_sensor_type type_of_key(const char *key)
{
    int type = 0;
    while (type + 1 < HY_SENSOR_TYPES && strcmp(hy_sensor_type_name((hy_sensor_type)type), key) != 0) {
        type++;
    }
    return (hy_sensor_type)type;
}

static bool read_extra_sensor(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                              void *target)
{
    const hy_sensor_type type = type_of_key(field->key);
    hy_sensor_spec *sensor = target;
    hy_read_keys keys = { .count = 0 };
    hy_sensor_spec_init(sensor, type);
    hy_read_add_section(&keys, hy_sensor_spec_table(type), NULL);
    for (size_t i = 0; i < keys.count; i++) {
        keys.field[i].required = strcmp(keys.field[i].key, "name") == 0;
    }
    return hy_read_map(yaml, field->key, &keys, node, sensor);
}

static const hy_yaml_field extra_fields[] = {
    { .key = "imu", .type = HY_YAML_OTHER, .read = read_extra_sensor },
    { .key = "reflectance", .type = HY_YAML_OTHER, .read = read_extra_sensor },
    { .key = "range", .type = HY_YAML_OTHER, .read = read_extra_sensor },
    { .key = "lidar", .type = HY_YAML_OTHER, .read = read_extra_sensor },
};
static const hy_yaml_table extra_table = HY_YAML_TABLE("a sensor", extra_fields);

static bool read_sensor(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_yaml_node *value;
    const hy_yaml_field *const choice = hy_yaml_choice(yaml, &extra_table, node, &value);
    (void)field;
    if (choice == NULL) {
        return false;
    }
    hy_sensor_spec *const sensor = hy_vehicle_spec_add_sensor(target, HY_SENSOR_IMU);
    return sensor != NULL
               ? hy_yaml_value(yaml, choice, value, sensor)
               : hy_yaml_fail(yaml, HY_ERANGE, node,
                              "a vehicle has at most %d sensors, those of its kind included",
                              HY_WORLD_SENSORS);
}

// --------------------------------------------------------------------------- the shape of a tank

/// Reads one polygon of the shape.
static bool read_part(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                      hy_world_part_kind kind, hy_tank_spec *spec)
{
    if (spec->part_count == HY_WORLD_PARTS) {
        return hy_yaml_fail(yaml, HY_ERANGE, node, "a shape has at most %d polygons", HY_WORLD_PARTS);
    }
    hy_world_part *part = &spec->part[spec->part_count];
    part->kind = kind;
    const hy_yaml_field as = { .key = field->key, .low = -PART_MOST_M, .high = PART_MOST_M };
    if (!hy_read_convex(yaml, &as, node, part->corners, &part->count)) {
        return false;
    }
    spec->part_count++;
    return true;
}

static bool read_polygon(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    const bool is_bumper = strcmp(field->key, "bumpers_m") == 0;
    return read_part(yaml, field, node, is_bumper ? HY_PART_BUMPER : HY_PART_BODY, target);
}

static bool read_region(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    static const char *const keys[] = { "intake_center_m", "intake_left_m", "intake_right_m",
                                        "tube_m" };
    int which = 0;
    while (which < 3 && strcmp(field->key, keys[which]) != 0) {
        which++;
    }
    return read_part(yaml, field, node, (hy_world_part_kind)(HY_PART_INTAKE_CENTER + which), target);
}

static const hy_yaml_field shape_fields[] = {
    { .key = "bodies_m",
      .type = HY_YAML_OTHER,
      .read = read_polygon,
      .items = { 1, HY_WORLD_PARTS },
      .required = true },
    { .key = "bumpers_m", .type = HY_YAML_OTHER, .read = read_polygon, .items = { 1, HY_WORLD_PARTS } },
    { .key = "intake_center_m", .type = HY_YAML_OTHER, .read = read_region },
    { .key = "intake_left_m", .type = HY_YAML_OTHER, .read = read_region },
    { .key = "intake_right_m", .type = HY_YAML_OTHER, .read = read_region },
    { .key = "tube_m", .type = HY_YAML_OTHER, .read = read_region },
};
static const hy_yaml_table shape_table = HY_YAML_TABLE("shape", shape_fields);

/// A shape in the file replaces all of the default one.
static bool read_shape(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_tank_spec *spec = &((hy_vehicle_spec *)target)->of.tank;
    (void)field;
    spec->part_count = 0;
    return hy_yaml_map(yaml, &shape_table, node, spec);
}

// --------------------------------------------------------------------------- a vehicle

static bool skip_key(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    (void)yaml, (void)field, (void)node, (void)target; // it was read before the rest
    return true;
}

/// The robot of the world's file, which `--robot` replaces.
static bool read_robot(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    const char *const text = hy_yaml_text(yaml, field->key, node);
    hy_robot_traits traits;
    hy_world_error error;
    if (text == NULL) {
        return false;
    }
    const bool is_seed = strspn(text, "0123456789") == strlen(text);
    const bool is_name = strcmp(text, "ideal") == 0 || strcmp(text, "typical") == 0;
    if ((!is_seed && !is_name) || hy_robot_choose(text, &traits, &error) != HY_OK) {
        return hy_yaml_fail(yaml, HY_EFORMAT, node,
                            "%s is ideal, typical, or a seed of at most 18 digits", field->key);
    }
    return hy_vehicle_spec_set_traits(target, &traits);
}

/// The named motors of a tank's drive: their numbers are set first, so that other keys replace them.
static bool read_motors(hy_yaml *yaml, hy_yaml_node *drive, hy_tank_spec *tank)
{
    const hy_yaml_node *const node = hy_yaml_find(yaml, drive, "motors");
    const char *const name = node != NULL ? hy_yaml_peek(node) : "4-neo";
    return (name != NULL && hy_tank_spec_set_motors(tank, name)) ||
           hy_yaml_fail(yaml, HY_EFORMAT, node, "motors is 4-neo or 4-cim");
}

static bool read_section(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_vehicle_spec *const vehicle = target;
    hy_read_keys keys = { .count = 0 };
    hy_read_add_section(&keys, hy_vehicle_spec_table(vehicle->type), field->key);
    if (vehicle->type == HY_VEHICLE_TANK && strcmp(field->key, "drive") == 0) {
        hy_read_add(&keys,
                    &(hy_yaml_field){ .key = "motors", .type = HY_YAML_OTHER, .read = skip_key });
        if (!read_motors(yaml, node, &vehicle->of.tank)) {
            return false;
        }
    }
    return hy_read_map(yaml, field->key, &keys, node, target);
}

/// Adds the sections of a vehicle's table, each once; one with a field that has no default is required.
static void add_sections(hy_read_keys *keys, const hy_spec_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const char *section = table->fields[i].section;
        size_t known = 0;
        while (section != NULL && known < keys->count &&
               strcmp(keys->field[known].key, section) != 0) {
            known++;
        }
        if (section != NULL && known == keys->count) {
            hy_read_add(keys, &(hy_yaml_field){ .key = section,
                                                .type = HY_YAML_OTHER,
                                                .required = table->fields[i].needed,
                                                .read = read_section });
        }
    }
}

static void add_sensors(hy_read_keys *keys, hy_vehicle_spec *vehicle)
{
    static const hy_yaml_field fields[HY_SENSOR_TYPES] = {
        [HY_SENSOR_IMU] = { .key = "imu", .type = HY_YAML_OTHER, .read = read_wired },
        [HY_SENSOR_REFLECTANCE] = { .key = "reflectance",
                                    .type = HY_YAML_OTHER,
                                    .read = read_reflectance },
        [HY_SENSOR_RANGE] = { .key = "rangefinder", .type = HY_YAML_OTHER, .read = read_wired },
        [HY_SENSOR_LIDAR] = { .key = "lidar", .type = HY_YAML_OTHER, .read = read_lidar },
    };
    for (size_t type = 0; type < HY_SENSOR_TYPES; type++) {
        if (hy_vehicle_spec_wired(vehicle, (hy_sensor_type)type, 0) != NULL ||
            (type == HY_SENSOR_LIDAR && vehicle->type == HY_VEHICLE_TANK)) {
            hy_read_add(keys, &fields[type]);
        }
    }
}

static bool read_vehicle(hy_yaml *yaml, hy_yaml_node *node, hy_vehicle_spec *vehicle)
{
    const hy_yaml_node *named = hy_yaml_find(yaml, node, "kind");
    const char *name = named != NULL ? hy_yaml_peek(named) : NULL;
    hy_vehicle_type type;
    if (name == NULL) {
        return hy_yaml_fail(yaml, HY_EFORMAT, node, "a vehicle needs a 'kind', like 'kind: xrp'");
    }
    if (!hy_vehicle_type_find(name, &type)) {
        return hy_yaml_fail(yaml, HY_EFORMAT, node,
                            "there is no such kind of vehicle; kinds: xrp, swerve, tank");
    }
    hy_vehicle_spec_init(vehicle, type);
    vehicle->place = hy_read_place(node);
    const hy_spec_table *table = hy_vehicle_spec_table(type);
    hy_read_keys keys = { .count = 0 };
    hy_read_add(&keys,
                &(hy_yaml_field){
                    .key = "kind", .type = HY_YAML_OTHER, .read = skip_key, .required = true });
    add_sections(&keys, table);
    hy_read_add_section(&keys, table, NULL);
    if (type == HY_VEHICLE_TANK) {
        hy_read_add(&keys,
                    &(hy_yaml_field){ .key = "shape", .type = HY_YAML_OTHER, .read = read_shape });
    }
    if (hy_vehicle_type_has_traits(type)) {
        hy_read_add(&keys,
                    &(hy_yaml_field){ .key = "robot", .type = HY_YAML_OTHER, .read = read_robot });
    }
    hy_read_add(&keys, &(hy_yaml_field){ .key = "gltf",
                                         .type = HY_YAML_OTHER,
                                         .read = hy_read_gltf,
                                         .offset = offsetof(hy_vehicle_spec, gltf) });
    add_sensors(&keys, vehicle);
    hy_read_add(&keys, &(hy_yaml_field){ .key = "sensors",
                                         .type = HY_YAML_OTHER,
                                         .read = read_sensor,
                                         .items = { 0, HY_WORLD_SENSORS } });
    return hy_read_map(yaml, table->what, &keys, node, vehicle);
}

bool hy_read_vehicle(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_world_spec *spec = target;
    (void)field;
    const bool ok = read_vehicle(yaml, node, &spec->vehicle[spec->vehicle_count]);
    spec->vehicle_count += ok ? 1 : 0;
    return ok;
}
