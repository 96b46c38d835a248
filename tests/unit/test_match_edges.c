// What a match hands out at its edges: walls and goals of the map, lidars, a restart, the bytes of a spec, the hash.
#include "match_bench.h"

#include <stdlib.h>

static size_t lidars_of(hy_vehicle_spec *vehicle)
{
    size_t count = 0;
    while (hy_vehicle_spec_wired(vehicle, HY_SENSOR_LIDAR, count) != NULL) {
        count++;
    }
    return count;
}

static void a_lidar_is_added_to_one_player_once(void **state)
{
    (void)state;
    hy_match_spec spec = match_bench_read(FIELD_2020);
    size_t before[6];
    unsigned without = 0;
    for (unsigned i = 0; i < 6; i++) {
        before[i] = lidars_of(&spec.world.vehicle[i]);
        without = before[i] == 0 && i > 0 ? i : without;
    }
    assert_true(without > 0); // not the first player
    for (int times = 0; times < 2; times++) {
        assert_true(hy_match_spec_add_lidar(&spec, without + 1));
        for (unsigned i = 0; i < 6; i++) {
            assert_int_equal(lidars_of(&spec.world.vehicle[i]), before[i] + (i == without));
        }
    }
    spec.world.vehicle[6] = spec.world.vehicle[0]; // which is none of them
    assert_false(hy_match_spec_add_lidar(&spec, 7));
    hy_match_spec_free(&spec);
}

static void a_refusal_names_the_file(void **state)
{
    (void)state;
    hy_match_spec spec = match_bench_read(FIELD_2020);
    hy_world_error error = { "" };
    assert_int_equal(hy_match_spec_set_players(&spec, 7, &error), HY_ERANGE);
    assert_non_null(strstr(
        error.text,
        "field2020.yaml: this match is for 7 players, but the world has 6 vehicles of kind tank"));
    spec.world.source[0] = '\0';
    assert_int_equal(hy_match_spec_set_players(&spec, 0, &error), HY_ERANGE);
    assert_string_equal(error.text,
                        "this match is for 0 players, but the world has 6 vehicles of kind tank");
    hy_match_model *model;
    spec.world.step_s = 0.005;
    assert_int_equal(hy_match_compile(&spec, &model, &error), HY_ERANGE);
    assert_string_equal(error.text, "a match needs step_ms: 10");
    assert_null(model);
    spec.world.step_s = HY_MATCH_STEP_US * 1e-6;
    hy_world_spec_keep_tanks(&spec.world, 0);
    assert_non_null(hy_match_spec_add_vehicle(&spec, "xrp", (hy_point){ 0, 0 }, 0));
    assert_int_equal(hy_match_compile(&spec, &model, &error), HY_ERANGE);
    assert_string_equal(error.text, "a match is for 1 to 6 vehicles of kind tank, not 0");
    struct {
        hy_world_error error;
        char behind[512];
    } long_one = { 0 };
    memset(spec.world.source, 'x', sizeof spec.world.source - 1);
    spec.world.source[sizeof spec.world.source - 1] = '\0';
    assert_int_equal(hy_match_spec_set_players(&spec, 1234567890, &long_one.error), HY_ERANGE);
    assert_int_equal(strlen(long_one.error.text), sizeof long_one.error.text - 1); // cut off
    assert_int_equal(long_one.behind[0], '\0');
    hy_match_spec_free(&spec);
}

// A goal's sides follow each other, and the last ends where the first begins; its middle is the mean of its corners.
static void goals_are_closed_rings_about_their_middle(void **state)
{
    (void)state;
    hy_match_spec spec = match_bench_read(FIELD_2020);
    spec.world.goal[0].corners[spec.world.goal[0].count] = (hy_point){ 5, 5 }; // which is none of them
    match_bench b = match_bench_start(&spec);
    const hy_world_model *const world = hy_match_world(b.model);
    const hy_point middle = hy_match_middle(b.model);
    hy_segment walls[512];
    size_t at;
    const size_t count = hy_match_walls(b.model, walls, 512);
    (void)hy_world_segments(world, &at);
    assert_true(count <= 512 && hy_world_describe(world).goals == 2);
    for (size_t i = 0; i < 2; i++) {
        const hy_world_goal *const goal = hy_world_goal_at(world, i);
        double x_m = 0, y_m = 0;
        for (size_t k = 0; k < goal->count; k++, at++) {
            const hy_point from = goal->corners[k],
                           to = goal->corners[k + 1 == goal->count ? 0 : k + 1];
            assert_true(fabs(walls[at].from.x_m + middle.x_m - from.x_m) < 1e-12);
            assert_true(fabs(walls[at].from.y_m + middle.y_m - from.y_m) < 1e-12);
            assert_true(fabs(walls[at].to.x_m + middle.x_m - to.x_m) < 1e-12);
            assert_true(fabs(walls[at].to.y_m + middle.y_m - to.y_m) < 1e-12);
            x_m += from.x_m;
            y_m += from.y_m;
        }
        const hy_point goal_m = hy_match_goal(b.model, goal->side);
        assert_true(fabs(goal_m.x_m - (x_m / (double)goal->count - middle.x_m)) < 1e-9);
        assert_true(fabs(goal_m.y_m - (y_m / (double)goal->count - middle.y_m)) < 1e-9);
    }
    assert_int_equal(at, count);
    match_bench_end(&b);
}

// Each point of a step is in its place, also where the kept ones wrap; a restart forgets all, of every player.
static void keep_points_of(size_t points_a_step)
{
    hy_match_spec spec = match_bench_read(FIELD_2020);
    for (unsigned player = 1; player <= 6; player++) {
        assert_true(hy_match_spec_add_lidar(&spec, player));
        hy_vehicle_spec_wired(&spec.world.vehicle[player - 1], HY_SENSOR_LIDAR, 0)->of.lidar.rays_per_s =
            100.0 * (double)points_a_step;
    }
    match_bench b = match_bench_start(&spec);
    hy_lidar_point last = { 0, 0, 0 };
    for (int step = 0; step < 50; step++) { // more than twice what is kept
        match_bench_run(&b, 1);
        const hy_lidar_points points = hy_match_lidar(b.match, 2, points_a_step + 1);
        assert_int_equal(points.count, points_a_step + (step > 0));
        if (step > 0) {
            assert_memory_equal(&points.points[0], &last, sizeof last);
        }
        size_t echoes;
        const hy_world_echo *const echo =
            hy_world_echoes(hy_match_world_state(b.match), hy_match_vehicle(b.model, 2), &echoes);
        assert_int_equal(echoes, points_a_step);
        for (size_t i = 0; i < points_a_step; i++) {
            const hy_lidar_point *const point = &points.points[points.count - points_a_step + i];
            assert_true(point->azimuth_rad == echo[i].azimuth_rad && point->elevation_rad == 0);
            assert_true(point->range_m == echo[i].range_m);
        }
        last = points.points[points.count - 1];
    }
    for (unsigned player = 0; player < 6; player++) {
        assert_int_equal(b.seen.robot[player].lidar.count, points_a_step);
    }
    hy_match_restart(b.match, &(hy_match_options){ .seed = 1 });
    for (unsigned player = 1; player <= 6; player++) {
        assert_int_equal(hy_match_points(b.match, player), 0);
        assert_int_equal(hy_match_lidar(b.match, player, 10).count, 0);
    }
    match_bench_run(&b, 1);
    for (unsigned player = 1; player <= 6; player++) {
        assert_int_equal(hy_match_lidar(b.match, player, 1600).count, points_a_step);
    }
    match_bench_end(&b);
}

static void lidar_points_are_kept_in_order_until_a_restart(void **state)
{
    (void)state;
    keep_points_of(80);
    keep_points_of(70); // what is kept is no multiple of this one: a step's points wrap
}

// Bit for bit what a match that is started anew is.
static void a_restart_is_a_start(void **state)
{
    (void)state;
    const hy_match_options options = { .seed = 3, .lidar_noise_m = 0.03, .match_s = 5 };
    match_bench b = match_bench_of(FIELD_2020);
    b.commands[0] = (hy_match_commands){ .left_drive = 1, .outtake = true, .timer_start_stop = true };
    match_bench_run(&b, 30);
    hy_match *fresh = NULL;
    (void)hy_match_open(b.model, &options, &fresh);
    hy_match_restart(b.match, &options);
    for (int step = 0; step < 20; step++) {
        assert_true(hy_match_hash(b.match) == hy_match_hash(fresh));
        hy_match_step(b.match, b.now_us);
        hy_match_step(fresh, b.now_us);
    }
    const hy_lidar_points points = hy_match_lidar(b.match, 1, 800),
                          wanted = hy_match_lidar(fresh, 1, 800);
    assert_int_equal(points.count, 800);
    assert_int_equal(wanted.count, 800);
    assert_memory_equal(points.points, wanted.points, 800 * sizeof *points.points);
    hy_match_close(fresh);
    match_bench_end(&b);
}

static void each_motor_shows_its_share_of_its_own_speed(void **state)
{
    (void)state;
    match_bench b = match_bench_of(FIELD_2020);
    b.commands[1] = (hy_match_commands){ .left_drive = 0.5,
                                         .right_drive = 0.25,
                                         .intake_center = -0.5,
                                         .intake_left = 0.75,
                                         .intake_right = -0.25,
                                         .tube = 0.125 };
    match_bench_run(&b, 1);
    const hy_world_tank *const tank =
        hy_world_tank_at(hy_match_world(b.model), hy_match_vehicle(b.model, 2));
    const hy_match_robot *const robot = &b.seen.robot[1];
    assert_true(robot->left_drive_rad_s == 0.5 * tank->left_drive_rad_s);
    assert_true(robot->right_drive_rad_s == 0.25 * tank->right_drive_rad_s);
    assert_true(robot->intake_center_rad_s == -0.5 * tank->intake_center_rad_s);
    assert_true(robot->intake_left_rad_s == 0.75 * tank->intake_left_rad_s);
    assert_true(robot->intake_right_rad_s == -0.25 * tank->intake_right_rad_s);
    assert_true(robot->tube_rad_s == 0.125 * tank->tube_rad_s);
    for (unsigned player = 0; player < 6; player++) { // whoever holds reset: all stand
        b.commands[player].reset = true;
        match_bench_run(&b, 1);
        assert_true(robot->left_drive_rad_s == 0 && robot->right_drive_rad_s == 0 &&
                    robot->tube_rad_s == 0);
        assert_true(robot->intake_center_rad_s == 0 && robot->intake_left_rad_s == 0 &&
                    robot->intake_right_rad_s == 0);
        b.commands[player].reset = false;
        match_bench_run(&b, 1);
        assert_true(robot->left_drive_rad_s > 0);
    }
    match_bench_end(&b);
}

static void sensors_tell_the_pose_of_the_state(void **state)
{
    (void)state;
    match_bench b = match_bench_of(FIELD_2020);
    match_bench_run(&b, 10);
    for (unsigned player = 1; player <= 6; player++) {
        hy_match_sensors sensors;
        hy_match_read_sensors(b.match, player, &sensors);
        const hy_match_robot *const robot = &b.seen.robot[player - 1];
        assert_true(sensors.x_m == robot->x_m && sensors.y_m == robot->y_m);
        assert_true(sensors.heading_rad == robot->heading_rad);
        assert_true(fabs(sensors.x_m) < 5 && fabs(sensors.y_m) < 9); // about the field's middle
    }
    match_bench_end(&b);
}

// The same match twice, but that one player holds the timer's button.
static void the_hash_knows_what_a_core_holds(void **state)
{
    (void)state;
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        match_bench b = match_bench_of(FIELD_2020);
        b.commands[0].timer_start_stop = i == 1;
        b.commands[0].outtake = i == 2;
        match_bench_run(&b, 1);
        hashes[i] = hy_match_hash(b.match);
        match_bench_end(&b);
    }
    assert_true(hashes[0] != hashes[1] && hashes[0] != hashes[2] && hashes[1] != hashes[2]);
}

// Recordings hold it, so what it is made of stays: the world, the timer, what was taken out, and what each core holds.
static void the_hash_is_made_of_the_same(void **state)
{
    (void)state;
    match_bench b = match_bench_of(FIELD_2020);
    match_bench_score(&b, 0, 0, 0);
    match_bench_score(&b, 1, 1, 0);
    b.commands[0].timer_start_stop = true;
    match_bench_run(&b, 3);
    b.commands[0] = (hy_match_commands){ .left_drive = 0.5, .intake_right = -0.25, .outtake = true };
    b.commands[1] = (hy_match_commands){ .right_drive = 0.125, .timer_start_stop = true };
    match_bench_run(&b, 2);
    const hy_match_facts facts = hy_match_describe(b.match);
    assert_true(facts.timer_runs && !facts.over);
    hy_hash hash = hy_hash_start();
    hy_hash_u64(&hash, hy_world_hash(hy_match_world_state(b.match)));
    hy_hash_u64(&hash, (uint64_t)facts.timer_us);
    hy_hash_u64(&hash, 2); // it runs, and is not over
    for (size_t i = 0; i < HY_WORLD_GOALS; i++) {
        hy_hash_u64(&hash, hy_world_goal_at(hy_match_world(b.model), 0)->side == b.seen.robot[0].side
                               ? i == 0
                               : i == 1);
    }
    for (unsigned player = 0; player < 6; player++) {
        const hy_match_commands *const c = &b.commands[player];
        const double shares[] = { c->left_drive,  c->right_drive,  c->intake_center,
                                  c->intake_left, c->intake_right, c->tube };
        for (size_t i = 0; i < 6; i++) {
            hy_hash_u64(&hash, (uint64_t)(int64_t)(shares[i] * 512));
        }
        hy_hash_u64(&hash, player == 0 ? 1 : player == 1 ? 2 : 0); // the buttons that they hold
    }
    assert_true(hy_match_hash(b.match) == hash.value);
    match_bench_end(&b);
}

static void a_spec_is_the_same_after_its_bytes(void **state)
{
    (void)state;
    hy_match_spec spec = match_bench_read(FIELD_2020), again, broken;
    spec.middle = (hy_point){ 0.1, -3.25 }; // the lowest bits are 0
    const size_t size = hy_match_spec_write(&spec, (hy_room){ NULL, 0 });
    uint8_t *const bytes = calloc(2, size), *const twice = bytes + size;
    assert_non_null(bytes);
    bytes[size - 1] = 0xEE;
    assert_int_equal(hy_match_spec_write(&spec, (hy_room){ bytes, size - 1 }), size);
    assert_int_equal(bytes[size - 1], 0xEE); // too little room: nothing behind it is written
    assert_int_equal(hy_match_spec_write(&spec, (hy_room){ bytes, 21 }), size);
    assert_int_equal(hy_match_spec_write(&spec, (hy_room){ bytes, size }), size);
    static const uint8_t begin[22] = { 'H',  'Y',  'M',  'S', 1, 0, 0x9A, 0x99, 0x99, 0x99, 0x99,
                                       0x99, 0xB9, 0x3F, 0,   0, 0, 0,    0,    0,    0x0A, 0xC0 };
    assert_memory_equal(bytes, begin, sizeof begin);
    assert_int_equal(hy_match_spec_read((hy_bytes){ bytes, size }, &again), HY_OK);
    assert_true(again.middle.x_m == 0.1 && again.middle.y_m == -3.25);
    assert_int_equal(again.world.vehicle_count, spec.world.vehicle_count);
    assert_int_equal(hy_match_spec_write(&again, (hy_room){ twice, size }), size);
    assert_memory_equal(bytes, twice, size);

    memset(&broken, 0x5a, sizeof broken);
    assert_int_equal(hy_match_spec_read((hy_bytes){ bytes, 21 }, &broken), HY_EFORMAT);
    assert_true(broken.middle.x_m == 0 && broken.middle.y_m == 0);
    assert_int_equal(broken.world.vehicle_count, 0);
    bytes[0] ^= 1;
    memset(&broken, 0x5a, sizeof broken);
    assert_int_equal(hy_match_spec_read((hy_bytes){ bytes, size }, &broken), HY_EFORMAT);
    hy_match_spec_free(&broken); // nothing to free
    hy_match_spec_free(&again);
    hy_match_spec_free(&spec);
    free(bytes);
}

// --------------------------------------------------------------------------- extra vehicles

// Who is no tank is an extra vehicle: it stands where it was put about the field's middle, and its board drives it.
static void an_extra_vehicle_is_driven_by_its_board(void **state)
{
    (void)state;
    hy_match_spec spec = match_bench_read(FIELD_2020);
    assert_non_null(hy_match_spec_add_vehicle(&spec, "xrp", (hy_point){ 0.5, 0.75 }, 0.25));
    assert_non_null(hy_match_spec_add_vehicle(&spec, "xrp", (hy_point){ -0.5, 0.75 }, 0));
    match_bench b = match_bench_start(&spec);
    assert_int_equal(hy_match_players(b.model), 6);
    assert_int_equal(hy_match_extra_vehicles(b.model), 2);
    const hy_world_model *const world = hy_match_world(b.model);
    const hy_point middle = hy_match_middle(b.model);
    const size_t vehicle = hy_match_extra_vehicle(b.model, 0);
    match_bench_run(&b, 1);
    const hy_truth start = hy_world_truth(world, hy_match_world_state(b.match), vehicle);
    assert_true(fabs(start.x_m - middle.x_m - 0.5) < 1e-3 &&
                fabs(start.y_m - middle.y_m - 0.75) < 1e-3);
    assert_true(fabs(start.heading_rad - 0.25) < 1e-3);
    hy_match_actuate(b.match, 0, &(hy_actuators){ .motor_duty = { 1, 1 } }, true);
    match_bench_run(&b, 100);
    const hy_truth there = hy_world_truth(world, hy_match_world_state(b.match), vehicle);
    assert_true(fabs(there.heading_rad - start.heading_rad) >
                1); // its left motor is mounted the other way round
    const hy_truth other =
        hy_world_truth(world, hy_match_world_state(b.match), hy_match_extra_vehicle(b.model, 1));
    assert_true(fabs(other.x_m - middle.x_m + 0.5) < 1e-3);
    hy_sensors sensors;
    hy_world_read_sensors(world, hy_match_world_state(b.match), vehicle, &sensors);
    assert_true(sensors.button);
    hy_world_read_sensors(world, hy_match_world_state(b.match), hy_match_extra_vehicle(b.model, 1),
                          &sensors);
    assert_false(sensors.button);
    assert_true(hy_match_reset_vehicle(b.match, vehicle));
    const hy_truth back = hy_world_truth(world, hy_match_world_state(b.match), vehicle);
    assert_true(fabs(back.heading_rad - start.heading_rad) < 1e-3);
    match_bench_end(&b);
}

// --------------------------------------------------------------------------- pieces

static void a_piece_is_placed_about_the_fields_middle(void **state)
{
    (void)state;
    match_bench b = match_bench_of(FIELD_2020);
    hy_match_place_piece(b.match, 3, &(hy_piece){ .x_m = 0.25, .y_m = -0.5 });
    hy_match_read_state(b.match, &b.seen);
    assert_true(fabs(b.seen.piece[3].x_m - 0.25) < 1e-6 && fabs(b.seen.piece[3].y_m + 0.5) < 1e-6);
    match_bench_end(&b);
}

// A robot that drives over a piece with its center intake running has it, and no other robot has.
static void what_a_robot_has_ingested_is_its_own(void **state)
{
    (void)state;
    match_bench b = match_bench_of(FIELD_2020);
    hy_match_sensors sensors;
    match_bench_run(&b, 1);
    const hy_match_robot *const robot = &b.seen.robot[0];
    hy_match_place_piece(b.match, 0,
                         &(hy_piece){ .x_m = robot->x_m + 0.7 * cos(robot->heading_rad),
                                      .y_m = robot->y_m + 0.7 * sin(robot->heading_rad) });
    for (int step = 0; step < 2; step++) {
        for (unsigned player = 1; player <= 6; player++) {
            hy_match_read_sensors(b.match, player, &sensors);
            assert_int_equal(sensors.ingested, step == 1 && player == 1);
        }
        b.commands[0] =
            (hy_match_commands){ .left_drive = 0.2, .right_drive = 0.2, .intake_center = 1 };
        match_bench_run(&b, 100);
    }
    match_bench_end(&b);
}

// The second of two pieces that are taken out at once comes one diameter on, the way that they roll, and as far from a third.
static void pieces_that_come_out_at_once_lie_side_by_side(void **state)
{
    (void)state;
    static const struct {
        hy_point v_m_s, aside; // aside: in diameters
    } rows[] = {
        { { 2, 0 }, { 1, 0 } },     { { -2, 0 }, { -1, 0 } }, { { 0, 2 }, { 0, 1 } },
        { { 0, -2 }, { 0, -1 } },   { { 2, 1 }, { 1, 0.5 } }, { { 1, -2 }, { 0.5, -1 } },
        { { -2, 1 }, { -1, 0.5 } }, { { 2, 2 }, { 1, 1 } },   { { 0.5, 0 }, { 1, 0 } },
        { { 0, 0.5 }, { 0, 1 } },   { { 0, 0 }, { 0, 0 } }, // nowhere to go
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hy_match_spec spec = match_bench_read(FIELD_2020);
        spec.world.goal[0].outtake_x_m = spec.middle.x_m; // the field's middle, which is free
        spec.world.goal[0].outtake_y_m = spec.middle.y_m;
        spec.world.goal[0].outtake_vx_m_s = rows[i].v_m_s.x_m;
        spec.world.goal[0].outtake_vy_m_s = rows[i].v_m_s.y_m;
        match_bench b = match_bench_start(&spec);
        const double diameter_m = 2 * hy_world_describe(hy_match_world(b.model)).piece_radius_m;
        for (size_t piece = 0; piece < 3; piece++) {
            match_bench_score(&b, piece, 0, 0.2 * (double)piece - 0.2);
        }
        match_bench_run(&b, 3);
        assert_int_equal(b.seen.blue_score + b.seen.red_score, 3);
        for (unsigned player = 0; player < 6; player++) {
            b.commands[player].outtake = true;
        }
        match_bench_run(&b, 1);
        // They have rolled for one step, all the same way. Rounding decides whether the next place is taken still.
        const hy_match_piece *const p = b.seen.piece;
        const hy_point aside = rows[i].aside;
        for (int k = 1; k < 3; k++) {
            const double x = (p[k].x_m - p[k - 1].x_m) / diameter_m,
                         y = (p[k].y_m - p[k - 1].y_m) / diameter_m;
            const double places = hypot(x, y) > 1.6 ? 2 : 1;
            assert_true(fabs(x - places * aside.x_m) < 1e-2 && fabs(y - places * aside.y_m) < 1e-2);
        }
        assert_int_equal(b.seen.blue_score + b.seen.red_score, 3); // what was taken out stays counted
        const hy_match_facts facts = hy_match_describe(b.match);
        assert_int_equal(facts.blue_score, b.seen.blue_score);
        assert_int_equal(facts.red_score, b.seen.red_score);
        assert_int_equal(facts.steps, 4);
        match_bench_end(&b);
    }
}

static void a_piece_more_than_a_diameter_away_is_in_nobodys_way(void **state)
{
    (void)state;
    static const struct {
        double away; // diameters
        bool is_moved;
    } rows[] = { { 0.9, true }, { 1.1, false } };
    for (size_t i = 0; i < 2; i++) {
        hy_match_spec spec = match_bench_read(FIELD_2020);
        spec.world.goal[0].outtake_x_m = spec.middle.x_m;
        spec.world.goal[0].outtake_y_m = spec.middle.y_m;
        spec.world.goal[0].outtake_vx_m_s = 2;
        spec.world.goal[0].outtake_vy_m_s = 0;
        match_bench b = match_bench_start(&spec);
        const double diameter_m = 2 * hy_world_describe(hy_match_world(b.model)).piece_radius_m;
        match_bench_score(&b, 0, 0, 0);
        hy_match_place_piece(b.match, 1,
                             &(hy_piece){ .x_m = -0.6 * rows[i].away * diameter_m,
                                          .y_m = -0.8 * rows[i].away * diameter_m });
        match_bench_run(&b, 3);
        for (unsigned player = 0; player < 6; player++) {
            b.commands[player].outtake = true;
        }
        match_bench_run(&b, 1);
        assert_true((b.seen.piece[0].x_m > diameter_m) == rows[i].is_moved); // it has rolled 2 cm
        match_bench_end(&b);
    }
}

// --------------------------------------------------------------------------- options

static void a_match_may_be_shorter_than_a_second(void **state)
{
    (void)state;
    match_bench b = match_bench_of(FIELD_2020);
    hy_match_restart(b.match, &(hy_match_options){ .seed = 1, .match_s = 0.5 });
    assert_true(hy_match_describe(b.match).timer_us == 500000);
    hy_match_restart(b.match, &(hy_match_options){ .seed = 1, .match_s = -1 });
    assert_true(hy_match_describe(b.match).timer_us == 135000000);
    match_bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lidar_is_added_to_one_player_once),
        cmocka_unit_test(a_refusal_names_the_file),
        cmocka_unit_test(goals_are_closed_rings_about_their_middle),
        cmocka_unit_test(lidar_points_are_kept_in_order_until_a_restart),
        cmocka_unit_test(sensors_tell_the_pose_of_the_state),
        cmocka_unit_test(an_extra_vehicle_is_driven_by_its_board),
        cmocka_unit_test(a_piece_is_placed_about_the_fields_middle),
        cmocka_unit_test(what_a_robot_has_ingested_is_its_own),
        cmocka_unit_test(pieces_that_come_out_at_once_lie_side_by_side),
        cmocka_unit_test(a_piece_more_than_a_diameter_away_is_in_nobodys_way),
        cmocka_unit_test(a_restart_is_a_start),
        cmocka_unit_test(each_motor_shows_its_share_of_its_own_speed),
        cmocka_unit_test(a_match_may_be_shorter_than_a_second),
        cmocka_unit_test(the_hash_knows_what_a_core_holds),
        cmocka_unit_test(the_hash_is_made_of_the_same),
        cmocka_unit_test(a_spec_is_the_same_after_its_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
