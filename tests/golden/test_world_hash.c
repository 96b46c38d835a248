// The same inputs give the same states, bit for bit, whatever the compiler and its optimisation:
// every build compares the hashes of scripted drives with those in world_hash.txt.
//
// When a change of the physics is meant: HALYARD_WRITE_GOLDEN=1 writes the file anew.
#include <stdlib.h>

#include "world_bench.h"

#define GOLDEN HALYARD_TEST_DATA "/golden/world_hash.txt"
#define STEPS  6000
#define EVERY  500
#define ROBOTS 10

static const char crowd[] =
    "name: crowd\nfloor: { width_m: 2, height_m: 2, shade: 0.3 }\n"
    "mat: { size_m: [2, 2], shapes: [{ arc: { center_m: [1, 1], radius_m: 0.5, width_m: 0.1 } }] "
    "}\n"
    "obstacles: [{ disc: { center_m: [1, 1], radius_m: 0.1 } },\n"
    "  { wall: { from_m: [0.6, 1.0], to_m: [0.8, 0.8] } }]\n"
    "vehicles:\n" XRP_AT(0.4, 0.4, 0) XRP_AT(1.6, 0.4, 90) XRP_AT(1.6, 1.6, 200)
        XRP_AT(0.4, 1.6, 300) "    motors: { left_speed: 0.95 }\n    wheels: { grip: 0.4 }\n";

/// Robots of both kinds in each other's way.
static const char mixed[] = "name: mixed\nfloor: { width_m: 2, height_m: 2 }\n"
                            "vehicles:\n" SWERVE_AT(0.5, 0.5, 10) XRP_AT(1, 1, 90)
                                SWERVE_AT(1.5, 1.5, 190) "    modules: { grip: 0.3 }\n";

/// Robots as they are built, on a floor as it is: unequal motors, bridges that coast, batteries that empty, sonars that lose echoes and hear
/// each other's robots, dust, ramps, more sensors than the boards read, and tanks with named motors and weak batteries.
// clang-format off
static const char classroom[] =
    "name: classroom\nfloor: { width_m: 6, height_m: 6, shade: 0.1 }\n"
    "mat: { corner_m: [1, 1], size_m: [1, 1], shapes: [{ line: { points_m: [[1, 1.2], [2, 1.8]] } }] }\n"
    "obstacles:\n"
    "  - box: { center_m: [2.2, 0.8], size_m: [0.3, 0.2], angle_deg: 20 }\n"
    "  - disc: { center_m: [1.2, 2.3], radius_m: 0.02 }\n"
    "  - polygon: { corners_m: [[0.2, 2.0], [0.6, 2.1], [0.3, 2.4]] }\n"
    "regions:\n"
    "  - box: { center_m: [1.5, 1.5], size_m: [0.8, 0.5], angle_deg: 15, grip: 0.15 }\n"
    "  - disc: { center_m: [0.8, 0.8], radius_m: 0.3, grip: 1.4 }\n"
    "  - box: { center_m: [0.6, 1.6], size_m: [0.6, 0.6], angle_deg: 30, slope_deg: 8 }\n"
    "  - disc: { center_m: [4.5, 4.5], radius_m: 1, grip: 0.5 }\n"
    "  - box: { center_m: [4.5, 1.5], size_m: [2, 2], angle_deg: 70, slope_deg: 6 }\n"
    "vehicles:\n"
    XRP_AT(0.5, 0.5, 45)
    "    robot: 7\n"
    "    bridge: { decay: coast, pwm_hz: 50 }\n"
    "    sensors:\n"
    "      - reflectance: { name: middle, at_m: [0.085, 0] }\n"
    "      - lidar: { name: scanner, near_m: 0.1, far_m: 4, rays_per_s: 360, sweeps_per_s: 10, noise_m: 0.01 }\n"
    "      - range: { name: rear, at_m: [-0.08, 0], heading_deg: 180, far_m: 2 }\n"
    XRP_AT(1.5, 0.5, 130)
    "    robot: 11\n"
    XRP_AT(0.5, 1.2, -20)
    "    robot: typical\n"
    "    bridge: { decay: coast }\n"
    SWERVE_AT(2.5, 2.5, 200)
    "    robot: 5\n"
    "    bridge: { decay: coast }\n"
    "    azimuth: { start_deg: 90, home_deg: 3 }\n"
    VEHICLE_AT("tank", 4.5, 1.5, 90)
    "    drive: { motors: 4-cim }\n"
    "    battery: { volts: 8, resistance_ohm: 0.03 }\n"
    VEHICLE_AT("tank", 4.5, 4.5, -90)
    "    drive: { motors: 4-neo }\n"
    "    lidar: {}\n";
// clang-format on

/// Random driving that is often at the walls.
static void drive(world_bench *b, hy_random *random)
{
    const size_t vehicles = hy_world_describe(b->model).vehicles;
    for (size_t i = 0; i < vehicles; i++) {
        hy_actuators *actuators = &b->input.vehicle[i];
        const double both = hy_random_unit(random) * 1.8 - 0.6;
        const double apart = hy_random_unit(random) - 0.5;
        world_bench_drive(b, i, both - apart, both + apart);
        actuators->motor_duty[2] = hy_random_unit(random) * 2 - 1;
        if (strcmp(hy_world_vehicle_kind(b->model, i), "xrp") != 0) {
            for (int motor = 0; motor < HY_PIN_MOTORS; motor++) {
                actuators->motor_duty[motor] = hy_random_unit(random) * 2 - 1;
            }
        }
        actuators->servo_pulse_us[0] = 500 + hy_random_unit(random) * 2000;
        actuators->led = hy_random_below(random, 2) == 1;
        b->input.button[i] = hy_random_below(random, 4) == 0;
    }
}

static size_t append_drive(char *text, size_t size, const char *name, world_bench b)
{
    size_t length = 0;
    hy_random random = hy_random_seeded(11);
    for (int step = 0; step < STEPS; step++) {
        if (step % 50 == 0) {
            drive(&b, &random);
        }
        world_bench_step(&b);
        if ((step + 1) % EVERY == 0) {
            const int more = snprintf(text + length, size - length, "%s %d %016llx\n", name,
                                      step + 1, (unsigned long long)hy_world_hash(b.state));
            length += (size_t)more;
        }
    }
    world_bench_end(&b);
    return length;
}

/// The robots that seeds are, as their files say them.
static void append_robots(char *text, size_t size)
{
    size_t length = 0;
    for (uint64_t seed = 0; seed < ROBOTS; seed++) {
        hy_robot_traits robot;
        uint8_t file[HY_ROBOT_FILE_MAX];
        hy_hash hash = hy_hash_start();
        hy_robot_traits_draw(&robot, seed);
        hy_hash_bytes(
            &hash, (hy_bytes){ file, hy_robot_file_write(&robot, (hy_room){ file, sizeof file }) });
        const int more = snprintf(text + length, size - length, "robot %d %016llx\n", (int)seed,
                                  (unsigned long long)hash.value);
        length += (size_t)more;
    }
}

/// The field of 2020 with small robots among the large ones.
static world_bench bench_2020(hy_world_drive tanks)
{
    static const struct {
        const char *type;
        double x_m, y_m, heading_rad;
    } others[] = { { "xrp", 2, 9, 1 }, { "swerve", 6, 9, -2 } };
    world_bench b = { 0 };
    hy_world_error error = { "" };
    hy_world_spec spec;
    if (hy_worldfile_read(HALYARD_TEST_DATA "/../worlds/field2020.yaml", &spec, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_world_spec_set_drive(&spec, tanks);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        hy_vehicle_spec *vehicle = hy_world_spec_add_vehicle(&spec, others[i].type);
        assert_non_null(vehicle);
        vehicle->start_x_m = others[i].x_m;
        vehicle->start_y_m = others[i].y_m;
        vehicle->start_heading_rad = others[i].heading_rad;
    }
    if (hy_world_compile(&spec, &b.model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_world_spec_free(&spec);
    (void)hy_world_open(b.model, 1, &b.state);
    assert_non_null(b.state);
    return b;
}

static void read_golden(char *text, size_t size)
{
    FILE *file = fopen(GOLDEN, "r");
    if (file == NULL) {
        fail_msg("cannot open " GOLDEN);
        return;
    }
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

static void write_golden(const char *text)
{
    FILE *file = fopen(GOLDEN, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_hashes(void **state)
{
    (void)state;
    char got[16384] = "", expected[16384] = "";
    size_t length = append_drive(got, sizeof got, "arena", world_bench_file("xrp-arena.yaml"));
    length +=
        append_drive(got + length, sizeof got - length, "line", world_bench_file("xrp-line.yaml"));
    length +=
        append_drive(got + length, sizeof got - length, "open", world_bench_file("xrp-open.yaml"));
    length += append_drive(got + length, sizeof got - length, "crowd", world_bench_of(crowd));
    length += append_drive(got + length, sizeof got - length, "field",
                           world_bench_file("teensy-field.yaml"));
    length += append_drive(got + length, sizeof got - length, "mixed", world_bench_of(mixed));
    length += append_drive(got + length, sizeof got - length, "field2020",
                           bench_2020(HY_WORLD_DRIVE_DCMOTOR));
    length += append_drive(got + length, sizeof got - length, "ideal2020",
                           bench_2020(HY_WORLD_DRIVE_IDEAL));
    length += append_drive(got + length, sizeof got - length, "classroom", world_bench_of(classroom));
    append_robots(got + length, sizeof got - length);
    if (getenv("HALYARD_WRITE_GOLDEN") != NULL) {
        write_golden(got);
    }
    read_golden(expected, sizeof expected);
    const char *a = got, *b = expected;
    while (*a != '\0') { // line by line: the first that differs says where a world went astray
        const size_t line = strcspn(a, "\n") + 1;
        if (strncmp(a, b, line) != 0) {
            fail_msg("got %.*s, the file says %.*s", (int)line - 1, a, (int)strcspn(b, "\n"), b);
        }
        a += line;
        b += line;
    }
    assert_int_equal(*b, '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_hashes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
