/// @file worldfile.h
/// Readers of files that describe worlds and matches: our own YAML (docs/spec/world.md), the
/// pictures that it names, and the reference simulator's robotConfig.yml (docs/spec/match.md). They
/// fill a spec, which the caller may edit before it is compiled.
///
///     hy_world_model *model;
///     hy_world_error error;
///     if (hy_worldfile_load("worlds/xrp-arena.yaml", &model, &error) != HY_OK) {
///         puts(error.text);
///     }
///     hy_world_free(model);
#ifndef HALYARD_WORLDFILE_H
#define HALYARD_WORLDFILE_H

#include <halyard/match.h>
#include <halyard/robots.h>
#include <halyard/world.h>

HY_API_BEGIN

/// A file in memory.
typedef struct {
    hy_bytes yaml;
    const char *name;   ///< Stands for the file in messages.
    const char *folder; ///< Where pictures are looked for.
} hy_worldfile_text;

#define HY_WORLDFILE_PATH_MAX 1024

/// The file of the world called `name` into `path`. What has a '/' or ends in ".yaml" or ".yml" is
/// a file already; a name is looked for in the folder that HALYARD_WORLDS names, in the installed
/// one (hy_worldfile_installed()), where Halyard was built, and where that build installs. False
/// with a sentence in `error` if there is no such world.
bool hy_worldfile_find(const char *name, char path[HY_WORLDFILE_PATH_MAX], hy_world_error *error);

/// The file or folder `name` of share/halyard into `path`: beside the running program, else beside
/// libhalyard.so, wherever they have been moved to. False if neither has it.
bool hy_worldfile_installed(const char *name, char path[HY_WORLDFILE_PATH_MAX]);

/// Reads a world file, and the pictures that it names relative to itself. HY_OK, or `error` has one
/// sentence with file, line and column, and `spec` is empty: HY_EFILE, HY_EFORMAT, HY_ERANGE,
/// HY_EMEMORY (no memory). `spec` need not be initialised; free it with hy_world_spec_free().
/// Allocates. Safe with hostile files: bounded time and memory (at most 16 million cells of a mat).
hy_status hy_worldfile_read(const char *path, hy_world_spec *spec, hy_world_error *error);

/// The same from memory.
hy_status hy_worldfile_parse(const hy_worldfile_text *text, hy_world_spec *spec,
                             hy_world_error *error);

/// Reads a world file and compiles it, unchanged: vehicles have no controllers. On failure `*model`
/// is NULL; free it with hy_world_free().
hy_status hy_worldfile_load(const char *path, hy_world_model **model, hy_world_error *error);

/// What robots bring into a world that its file leaves to them.
typedef struct {
    /// The controller of all vehicles of its kind; NULL: the first variant of the type of robot
    /// that has such a vehicle.
    const hy_robot_variant *variant;
    double pwm_hz; ///< Of the PWM of their motors; 0: as the controller has it.
    /// What sets each XRP of the world apart from its type; NULL: what the world's file says.
    const hy_robot_traits *traits;
} hy_worldfile_robots;

/// Sets what the vehicles of a spec leave to their controllers: how the bridges of their motors
/// decay, and their PWM; and the traits of robots. `robots` may be NULL: the defaults.
void hy_worldfile_set_robots(hy_world_spec *spec, const hy_worldfile_robots *robots);

/// hy_worldfile_load() with robots in its vehicles.
hy_status hy_worldfile_load_robots(const char *path, const hy_worldfile_robots *robots,
                                   hy_world_model **model, hy_world_error *error);

/// Reads a robot file (docs/spec/robot.md): what sets one robot apart from its type. Keys that it
/// does not have are as hy_robot_traits_ideal() has them; a robot without a name is called like its
/// file. HY_OK, or `error` has one sentence with file, line and column: HY_EFILE, HY_EFORMAT,
/// HY_ERANGE, HY_EMEMORY. Allocates, keeps nothing. Safe with hostile files.
hy_status hy_robot_file_read(const char *path, hy_robot_traits *out, hy_world_error *error);

/// The same from memory.
hy_status hy_robot_file_parse(const hy_worldfile_text *text, hy_robot_traits *out,
                              hy_world_error *error);

/// The text of a robot file with all keys into `room`, without a NUL. Returns its bytes, at most
/// HY_ROBOT_FILE_MAX, also if the room is too small: then its content is undefined.
size_t hy_robot_file_write(const hy_robot_traits *traits, hy_room room);

#define HY_ROBOT_FILE_MAX 4096 ///< Most bytes that hy_robot_file_write() makes.

/// The robot that `--robot` names: "ideal", "typical", a whole number (a seed), or a file, whose
/// name has a '.' or '/'. Otherwise as hy_robot_file_read().
hy_status hy_robot_choose(const char *text, hy_robot_traits *out, hy_world_error *error);

/// Reads what a match is played on: a world file with tanks (worlds/field2020.yaml is the game of
/// 2020), of which the first six are kept, or the reference simulator's robotConfig.yml, unchanged;
/// its content tells which it is. Otherwise as hy_worldfile_read(). Free `spec` with
/// hy_match_spec_free().
hy_status hy_worldfile_read_match(const char *path, hy_match_spec *spec, hy_world_error *error);

/// The same from memory.
hy_status hy_worldfile_parse_match(const hy_worldfile_text *text, hy_match_spec *spec,
                                   hy_world_error *error);

/// Reads what a match is played on and compiles it, unchanged. On failure `*model` is NULL; free it
/// with hy_match_free().
hy_status hy_worldfile_load_match(const char *path, hy_match_model **model, hy_world_error *error);

HY_API_END

#endif
