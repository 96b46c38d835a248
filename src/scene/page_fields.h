/// @file page_fields.h
/// Every member of the JSON that a page gets (docs/spec/page.md), each described once: its kind, its name, its unit, when it is
/// there, and its value. The writer (write.c), the page's types (page/src/net/wire.ts) and the document's table are made of these lists.
///
/// X(kind, name, unit, value...) is always there, O(kind, name, unit, condition, value...) only if the condition holds. put_KIND() writes the
/// value and WIRE_KIND is its type in TypeScript. A list uses the variables that it is documented with.
#ifndef HALYARD_SCENE_PAGE_FIELDS_H
#define HALYARD_SCENE_PAGE_FIELDS_H

// Digits behind the point: a tenth of a millimetre, of a milliradian, and what a motor or a pixel shows.
#define LENGTH 4
#define ANGLE  4
#define RATE   3
#define RANGE  3
#define SHARE  3
#define TIME   3
#define STAMP  6 // pages draw between states: a thousandth of a second would show
#define FIGURE 1
#define TRAIT  4

// clang-format off
#define WIRE_number          "number"
#define WIRE_number_or_null  "number | null"
#define WIRE_string          "string"
#define WIRE_string_or_null  "string | null"
#define WIRE_flag            "boolean"
#define WIRE_flag_or_null    "boolean | null"
#define WIRE_list            "number[]"
#define WIRE_outline         "number[]"
#define WIRE_lidar           "number[]"
#define WIRE_cone            "number[] | null"
#define WIRE_places          "number[][]"
#define WIRE_scans           "number[][]"
#define WIRE_pieces          "number[][]"
#define WIRE_shades          "(number | null)[]"
#define WIRE_readings        "Record<string, number>"
#define WIRE_values          "Record<string, number>"
#define WIRE_scene           "Scene"
#define WIRE_mat             "Mat | null"
#define WIRE_replay          "Replay"
#define WIRE_traits          "Traits"
#define WIRE_walls           "Wall[]"
#define WIRE_goals           "Goal[]"
#define WIRE_parts           "Part[]"
#define WIRE_wheels          "Wheel[]"
#define WIRE_sensors         "Sensor[]"
#define WIRE_events          "ReplayEvent[]"
#define WIRE_robots          "Robot[]"
#define WIRE_robot_states    "RobotState[]"
#define WIRE_match_state     "MatchState"
#define WIRE_sim_state       "SimState"
#define WIRE_replay_state    "ReplayState"
#define WIRE_phantoms        "Phantom[]"
#define WIRE_phantom_states  "PhantomState[]"
#define WIRE_run             "Run"
#define WIRE_players         "Player[]"
#define WIRE_names           "string[]"
#define WIRE_series          "Series[]"
#define WIRE_samples         "number[]"
#define WIRE_seats           "Seat[]"
#define WIRE_tunables        "Tunable[]"
#define WIRE_choosers        "Chooser[]"

/// `hello`; `scene`: what hy_scene_write() wrote.
#define HELLO_FIELDS(X, O)                                                   \
    X(string, type,        "", "hello")                                      \
    X(number, version,     "", 1, 0)                                         \
    X(flag,   may_command, "", hello->may_command)                           \
    X(number, seat,        "", hello->seat, 0)                               \
    X(flag,   watchers,    "", hello->watchers)                              \
    O(string, addresses,   "", hello->addresses != NULL, hello->addresses)   \
    O(string, token,       "", hello->token != NULL, hello->token)           \
    X(scene,  scene,       "", scene)

#define SCENE_FIELDS(X, O)                                                                      \
    X(string, kind,          "",       scene->is_match ? "match" : "board")                     \
    X(string, title,         "",       scene->title)                                            \
    X(list,   floor,         "m",      scene->floor_m, 4, LENGTH)                               \
    X(number, floor_shade,   "0 .. 1", scene->floor_shade, SHARE)                               \
    X(mat,    mat,           "",       scene)                                                   \
    O(string, gltf,          "",       scene->gltf_url != NULL, scene->gltf_url)                \
    X(walls,  walls,         "",       scene->walls, scene->wall_count)                         \
    X(goals,  goals,         "",       scene->goals, scene->goal_count)                         \
    X(number, piece_radius,  "m",      scene->piece_radius_m, LENGTH)                           \
    O(string, faults,        "",       scene->faults != NULL, scene->faults)                    \
    O(number, match_seconds, "s",      scene->match_s > 0, scene->match_s, TIME)                \
    O(replay, replay,        "",       scene->replay != NULL, scene->replay)                    \
    O(phantoms, phantoms,    "",       scene->phantom_count > 0, scene->phantoms, scene->phantom_count) \
    X(robots, robots,        "",       scene->robots, scene->robot_count)

#define MAT_FIELDS(X, O)                                     \
    X(string, url,    "",  scene->mat_url)                   \
    X(number, x,      "m", scene->mat_m[0], LENGTH)          \
    X(number, y,      "m", scene->mat_m[1], LENGTH)          \
    X(number, width,  "m", scene->mat_m[2], LENGTH)          \
    X(number, height, "m", scene->mat_m[3], LENGTH)

#define WALL_FIELDS(X, O)                                    \
    X(number,  height, "m", wall->height_m, LENGTH)          \
    X(outline, points, "m", &wall->outline)

#define GOAL_FIELDS(X, O)                                                            \
    X(string,  alliance, "",  goal->alliance == HY_ALLIANCE_BLUE ? "Blue" : "Red")   \
    X(outline, points,   "m", &goal->outline)

#define REPLAY_FIELDS(X, O)                                  \
    X(number, from, "s", replay->from_s, STAMP)              \
    X(number, to,   "s", replay->length_s, STAMP)            \
    X(events, events, "",  replay->events, replay->event_count) \
    X(number, left_out, "", replay->left_out, 0)             \
    X(number, outliers, "", replay->outliers, 0)

#define EVENT_FIELDS(X, O)                                   \
    X(number, t,     "s", event->t_s, STAMP)                 \
    X(string, kind,  "",  event->kind)                       \
    X(number, robot, "",  event->robot, 0)

#define PHANTOM_FIELDS(X, O)                                 \
    X(string, name,   "",  phantom->name)                    \
    X(number, look,   "",  phantom->look, 0)                 \
    X(number, length, "s", phantom->length_s, TIME)          \
    X(number, driven, "m", phantom->driven_m, LENGTH)        \
    X(list,   laps,   "s", phantom->laps_s, phantom->lap_count, TIME)

#define ROBOT_FIELDS(X, O)                                                                      \
    X(string,         kind,        "",             robot->kind)                                 \
    X(string,         name,        "",             robot->name)                                 \
    X(string_or_null, alliance,    "",             robot->alliance)                             \
    X(number,         player,      "",             robot->player, 0)                            \
    X(parts,          parts,       "",             robot->parts, robot->part_count)             \
    X(wheels,         wheels,      "",             robot->wheels, robot->wheel_count)           \
    X(cone,           range_cone,  "m, m, rad, m", robot)                                       \
    X(places,         reflectance, "m",            robot->reflectance_at, robot->reflectance_count) \
    X(number,         encoders,    "",             robot->encoders, 0)                          \
    X(number,         servos,      "",             robot->servos, 0)                            \
    O(sensors,        sensors,     "",             robot->sensor_count > 0, robot->sensors, robot->sensor_count) \
    O(traits,         traits,      "",             robot->traits != NULL, robot->traits)        \
    O(string,         gltf,        "",             robot->gltf_url != NULL, robot->gltf_url)

/// As a robot file has them (docs/spec/robot.md); lists are left, right; "x": factors.
#define TRAITS_FIELDS(X, O)                                                       \
    X(string, name,         "",      traits->name)                                \
    X(list,   strength,     "x",     traits->strength, 2, TRAIT)                  \
    X(list,   speed,        "x",     traits->speed, 2, TRAIT)                     \
    X(list,   friction,     "x",     traits->friction, 2, TRAIT)                  \
    X(number, breakaway,    "x",     traits->breakaway, TRAIT)                    \
    X(list,   wheel_size,   "x",     traits->wheel_size, 2, TRAIT)                \
    X(number, track,        "x",     traits->track, TRAIT)                        \
    X(number, mass,         "x",     traits->mass, TRAIT)                         \
    X(number, volts,        "V",     traits->battery_v, TRAIT)                    \
    X(number, ohm,          "ohm",   traits->battery_ohm, TRAIT)                  \
    X(number, capacity,     "Ah",    traits->battery_ah, TRAIT)                   \
    X(list,   white,        "0 .. 1", traits->white, 2, TRAIT)                    \
    X(list,   black,        "0 .. 1", traits->black, 2, TRAIT)                    \
    X(number, gyro_scale,   "x",     traits->gyro_scale, TRAIT)                   \
    X(number, gyro_bias,    "rad/s", traits->gyro_bias_rad_s, STAMP)              \
    X(number, gyro_warm_up, "rad/s", traits->gyro_warm_up_rad_s, STAMP)           \
    X(number, echoes,       "x",     traits->echoes, TRAIT)                       \
    X(number, spikes,       "1/s",   traits->spikes_per_s, TRAIT)                  \
    X(number, azimuth_play, "rad",   traits->azimuth_play_rad, STAMP)

#define PART_FIELDS(X, O)                                    \
    X(string,  role,   "",  part->role)                      \
    X(number,  low,    "m", part->low_m, LENGTH)             \
    X(number,  high,   "m", part->high_m, LENGTH)            \
    X(outline, points, "m", &part->outline)

#define WHEEL_FIELDS(X, O)                                   \
    X(number, x,      "m", wheel->x_m, LENGTH)               \
    X(number, y,      "m", wheel->y_m, LENGTH)               \
    X(number, radius, "m", wheel->radius_m, LENGTH)          \
    X(number, width,  "m", wheel->width_m, LENGTH)

#define SENSOR_FIELDS(X, O)                                                                     \
    X(string, name,       "",          sensor->name)                                            \
    X(string, type,       "",          sensor->type)                                            \
    X(list,   at,         "m, m, rad", ((const double[]){ sensor->x_m, sensor->y_m, sensor->heading_rad }), 3, LENGTH) \
    X(number, half_angle, "rad",       sensor->half_rad, ANGLE)                                 \
    X(number, far,        "m",         sensor->far_m, LENGTH)

#define STATE_FIELDS(X, O)                                                                      \
    X(string,       type,      "",  "state")                                                    \
    X(number,       t,         "s", state->t_s, STAMP)                                          \
    O(number,       simulated, "s", state->is_simulated, state->simulated_s, STAMP)             \
    O(match_state,  match,     "",  state->is_match, state)                                     \
    O(sim_state,    sim,       "",  state->is_sim_known, state)                                 \
    O(replay_state, replay,    "",  state->is_replay, state)                                    \
    O(phantom_states, phantoms, "", state->phantom_count > 0, state->phantoms, state->phantom_count) \
    O(run,          run,       "",  state->has_run, state)                                      \
    X(robot_states, robots,    "",  state->robots, state->robot_count)                          \
    X(pieces,       pieces,    "m", state->pieces, state->piece_count)                          \
    O(values,       values,    "",  state->value_count > 0, state->values, state->value_count)

#define MATCH_STATE_FIELDS(X, O)                             \
    X(number, blue,      "",  state->blue_score, 0)          \
    X(number, red,       "",  state->red_score, 0)           \
    X(flag,   runs,      "",  state->timer_runs)             \
    X(number, timer,     "s", state->timer_s, TIME)          \
    X(flag,   collision, "",  state->in_collision)

#define SIM_STATE_FIELDS(X, O)                               \
    X(number, speed,   "",   state->speed, SHARE)            \
    X(number, step_us, "us", state->step_us, FIGURE)         \
    X(number, refused, "",   state->refused, 0)

#define REPLAY_STATE_FIELDS(X, O)                            \
    X(number, at,   "s", state->replay_s, STAMP)             \
    X(number, pace, "",  state->pace, SHARE)

/// The gap is positive while the first robot is behind.
#define PHANTOM_STATE_FIELDS(X, O)                                                                                      \
    X(list,   at,        "m, m, rad", ((const double[]){ phantom->x_m, phantom->y_m, phantom->heading_rad }), 3, LENGTH) \
    O(number, gap,       "s",         phantom->has_gap, phantom->gap_s, TIME)                                           \
    O(number, gap_m,     "m",         phantom->has_gap, phantom->gap_m, LENGTH)                                         \
    X(number, splits,    "",          phantom->splits, 0)                                                               \
    O(number, split_gap, "s",         phantom->splits > 0, phantom->split_gap_s, TIME)

#define RUN_FIELDS(X, O)                                     \
    X(number, t,    "s", state->run_s, STAMP)                \
    X(list,   laps, "s", state->laps_s, state->lap_count, TIME)

#define IF_LIST(robot, count) (robot)->is_board && (robot)->count > 0

#define ROBOT_STATE_FIELDS(X, O)                                                                                        \
    X(list,           at,          "m, m, rad", ((const double[]){ robot->x_m, robot->y_m, robot->heading_rad }), 3, LENGTH) \
    O(list,           drive,       "rad/s",     robot->is_tank, robot->drive_rad_s, 2, RATE)                            \
    O(list,           intake,      "rad/s",     robot->is_tank, robot->intake_rad_s, 3, RATE)                           \
    O(number,         tube,        "rad/s",     robot->is_tank, robot->tube_rad_s, RATE)                                \
    O(lidar,          lidar,       "rad, m",    robot->lidar.count > 0, &robot->lidar)                                  \
    O(scans,          scans,       "rad, m",    robot->scan_count > 0, robot->scans, robot->scan_count)                 \
    O(readings,       readings,    "SI",        robot->reading_count > 0, robot->readings, robot->reading_count)        \
    O(flag,           enabled,     "",          robot->is_board || robot->is_extra, robot->enabled)                     \
    O(flag,           driven,      "",          robot->driven, robot->driven)                                           \
    O(flag,           stopped,     "",          robot->stopped, robot->stopped)                                         \
    O(list,           duty,        "-1 .. 1",   IF_LIST(robot, duty_count), robot->duty, robot->duty_count, SHARE)      \
    O(list,           encoders,    "counts",    IF_LIST(robot, encoder_count), robot->encoder_counts, robot->encoder_count, 0) \
    O(number_or_null, range,       "m",         robot->is_board && robot->has_range, robot->range_m, RANGE)             \
    O(shades,         reflectance, "0 .. 1",    IF_LIST(robot, reflectance_count), robot->reflectance, robot->reflectance_count) \
    O(list,           servos,      "rad",       IF_LIST(robot, servo_count), robot->servo_rad, robot->servo_count, ANGLE) \
    O(list,           azimuths,    "rad",       IF_LIST(robot, azimuth_count), robot->azimuth_rad, robot->azimuth_count, ANGLE) \
    O(flag,           led,         "",          robot->is_board, robot->led)                                            \
    O(flag,           button,      "",          robot->is_board, robot->button)                                         \
    O(flag,           touching,    "",          robot->is_board, robot->touching)                                       \
    O(number,         battery,     "V",         robot->has_battery, robot->battery_v, RATE)                            \
    O(flag,           brownout,    "",          robot->browned_out, robot->browned_out)

/// `links`, `drivers`, `count`: hy_scene_write_players()'s.
#define PLAYERS_FIELDS(X, O)                                 \
    X(string,  type,    "", "players")                       \
    X(players, players, "", links, drivers, count)

/// `link`; `owner` and `name` as texts.
#define PLAYER_FIELDS(X, O)                                                  \
    X(number,         player,          "",       link->player, 0)            \
    X(string,         owner,           "",       owner)                      \
    O(string,         name,            "",       has_name(name), name)       \
    X(flag_or_null,   core,            "",       link->core)                 \
    X(flag,           sim,             "",       link->sim)                  \
    X(number_or_null, rate_hz,         "Hz",     link->rate_hz, FIGURE)      \
    X(number_or_null, age_ms,          "ms",     link->age_ms, FIGURE)       \
    X(number_or_null, loss,            "0 .. 1", link->loss, LENGTH)         \
    X(number_or_null, latency_ms,      "ms",     link->latency_ms, FIGURE)   \
    X(flag_or_null,   heard,           "",       link->heard)                \
    X(number_or_null, core_rate_hz,    "Hz",     link->core_rate_hz, FIGURE) \
    X(number_or_null, core_age_ms,     "ms",     link->core_age_ms, FIGURE)  \
    X(number_or_null, core_latency_ms, "ms",     link->core_latency_ms, FIGURE)

/// `names`, `count`.
#define CHANNELS_FIELDS(X, O)                                \
    X(string, type,  "", "channels")                         \
    X(names,  names, "", names, count)

/// `from_s`, `to_s`; `series`, `count`.
#define PLOT_FIELDS(X, O)                                    \
    X(string, type,   "",  "plot")                           \
    X(number, from,   "s", from_s, STAMP)                    \
    X(number, to,     "s", to_s, STAMP)                      \
    X(series, series, "",  series, count)

#define SERIES_FIELDS(X, O)                                  \
    X(number,  channel, "",          one->channel, 0)        \
    X(samples, samples, "s, any, ...", one)

/// `seats`, `count`: hy_scene_write_seats()'s.
#define SEATS_FIELDS(X, O)                                   \
    X(string, type,  "", "seats")                            \
    X(seats,  seats, "", seats, count)

#define SEAT_FIELDS(X, O)                                    \
    X(number, player, "", seat->player, 0)                   \
    X(string, token,  "", seat->token)                       \
    X(flag,   used,   "", seat->is_used)

/// `tuning`: hy_scene_write_tuning()'s.
#define TUNABLES_FIELDS(X, O)                                \
    X(string,   type,     "", "tunables")                    \
    X(tunables, numbers,  "", tuning->numbers, tuning->number_count) \
    X(choosers, choosers, "", tuning->choosers, tuning->chooser_count)

#define TUNABLE_FIELDS(X, O)                                                     \
    X(string, name,  "",    tunable->name)                               \
    X(number, value, "any", tunable->value, STAMP)                       \
    O(number, low,   "any", isfinite(tunable->low), tunable->low, STAMP) \
    O(number, high,  "any", isfinite(tunable->high), tunable->high, STAMP)

#define CHOOSER_FIELDS(X, O)                                     \
    X(string, name,    "", chooser->name)                        \
    X(names,  options, "", chooser->options, chooser->count)     \
    X(number, chosen,  "", (double)chooser->chosen, 0)

/// `player`, `name`: hy_scene_write_reset()'s.
#define RESET_FIELDS(X, O)                                   \
    X(string, type,   "", "reset")                           \
    X(number, player, "", player, 0)                         \
    O(string, name,   "", has_name(name), name)

/// `type`, `text`.
#define WORD_FIELDS(X, O)      \
    X(string, type, "", type)  \
    X(string, text, "", text)

/// The name of each list above in TypeScript and in the document.
#define PAGE_OBJECTS(D)                  \
    D(Hello, HELLO_FIELDS)               \
    D(Scene, SCENE_FIELDS)               \
    D(Mat, MAT_FIELDS)                   \
    D(Wall, WALL_FIELDS)                 \
    D(Goal, GOAL_FIELDS)                 \
    D(Replay, REPLAY_FIELDS)             \
    D(ReplayEvent, EVENT_FIELDS)         \
    D(Phantom, PHANTOM_FIELDS)           \
    D(Robot, ROBOT_FIELDS)               \
    D(Traits, TRAITS_FIELDS)             \
    D(Part, PART_FIELDS)                 \
    D(Wheel, WHEEL_FIELDS)               \
    D(Sensor, SENSOR_FIELDS)             \
    D(State, STATE_FIELDS)               \
    D(MatchState, MATCH_STATE_FIELDS)    \
    D(SimState, SIM_STATE_FIELDS)        \
    D(ReplayState, REPLAY_STATE_FIELDS)  \
    D(PhantomState, PHANTOM_STATE_FIELDS) \
    D(Run, RUN_FIELDS)                   \
    D(RobotState, ROBOT_STATE_FIELDS)    \
    D(Players, PLAYERS_FIELDS)           \
    D(Player, PLAYER_FIELDS)             \
    D(Channels, CHANNELS_FIELDS)         \
    D(Plot, PLOT_FIELDS)                 \
    D(Series, SERIES_FIELDS)             \
    D(Seats, SEATS_FIELDS)               \
    D(Seat, SEAT_FIELDS)                 \
    D(Tunables, TUNABLES_FIELDS)         \
    D(Tunable, TUNABLE_FIELDS)           \
    D(Chooser, CHOOSER_FIELDS)           \
    D(Reset, RESET_FIELDS)               \
    D(Word, WORD_FIELDS)
// clang-format on

#endif
