// LINK: program record sim worldfile match board config world wire base
// LARGE BLOCKS
// Any bytes are verified and shown as a recording, played as a log, and run by a robot program, or refused with a sentence.
#include <halyard/program.h>
#include <halyard/replay.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "record/record_log.h"
#include "record/record_playback.h"
#include "record/record_series.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Takes the place of a part of `scene` that needs nearly all of the time and reads no byte of the file: opening a recording draws the
// floor, of up to 4 million pixels.
bool hy_scene_draw_mat(hy_scene_of_world *self, const hy_world_model *model)
{
    (void)self;
    (void)model;
    return true;
}

static hy_xrp xrp;

static void drive(void *context, int64_t now_us)
{
    (void)context;
    hy_motor_set(&xrp.motor[0], xrp.reflectance.left, now_us);
    hy_program_put_number("left", xrp.reflectance.left);
}

// It is run on the inputs of any other program, too.
static void run_program(hy_bytes file)
{
    static const hy_program program = {
        .name = "line_follow",
        .robots = { { .xrp = &xrp } },
        .loop = { .mode = { [HY_MODE_TELEOP] = { .periodic = drive } } },
    };
    hy_program_replay_report report;
    hy_program_replay(&program, file, &report);
    assert(strlen(report.text) > 0 && report.offset <= file.size);
    assert(report.result != HY_REPLAY_EQUAL || report.differing_loops == 0);
}

static void take_channel(void *context, const hy_channel_info *channel, uint64_t now_us)
{
    (void)context;
    (void)now_us;
    assert(strlen(channel->name) > 0);
}

static void take_value(void *context, const hy_channel_info *channel, uint64_t now_us, hy_bytes value)
{
    uint64_t *const last_us = context;
    (void)channel;
    (void)value;
    assert(now_us >= *last_us);
    *last_us = now_us;
}

static void play(hy_bytes file)
{
    uint64_t last_us = 0;
    const hy_telemetry_sink sink = { &last_us, take_channel, take_value };
    hy_log_player *player;
    hy_world_error error = { "" };
    if (hy_log_player_open(file, sink, &player, &error) == HY_OK) {
        const hy_log_facts facts = hy_log_player_facts(player);
        assert(facts.end_s >= facts.start_s);
        hy_log_player_move(player, facts.start_s, 1);
        hy_log_player_move(player, facts.start_s + 1.0, 1000);
        hy_log_player_move(player, facts.end_s, 2000);
        hy_log_player_move(player, facts.start_s, 3000);
    } else {
        assert(strlen(error.text) > 0);
    }
    hy_log_player_close(player);
}

static void read_series(hy_bytes file)
{
    hy_series *series;
    hy_scene_sample samples[8];
    if (hy_series_open(file, &series) == HY_OK) {
        for (unsigned i = 0; i < hy_series_count(series) && i < 16; i++) {
            hy_scene_series wanted = { .channel = i, .samples = samples, .room = 8 };
            hy_series_read(series, 0, 10, &wanted, 1);
            assert(wanted.count <= 8);
        }
        hy_series_close(series);
    }
}

// An index that was kept beside the file, altered, with the hash that fits: the last word is that of all before it.
static void alter_index(uint8_t *bytes, size_t size, hy_random *random)
{
    hy_hash hash = hy_hash_start();
    for (int i = 0; i < 3; i++) {
        bytes[hy_random_below(random, (uint32_t)(size - 8))] = (uint8_t)hy_random_below(random, 256);
    }
    for (size_t i = 0; i + 8 < size; i += 8) {
        uint64_t word = 0;
        for (size_t k = 8; k-- > 0;) {
            word = word << 8 | bytes[i + k];
        }
        hy_hash_u64(&hash, word);
    }
    for (size_t k = 0; k < 8; k++) {
        bytes[size - 8 + k] = (uint8_t)(hash.value >> (8 * k));
    }
}

static void open_with_index(hy_bytes file, hy_bytes index)
{
    hy_playback *playback;
    hy_world_error error = { "" };
    const hy_playback_source source = { file, index, 1 };
    if (hy_playback_open_source(&source, &playback, &error) == HY_OK) {
        const double length_s = hy_playback_scene(playback)->replay->length_s;
        assert(hy_playback_state(playback, length_s)->replay_s <= length_s);
        (void)hy_playback_state(playback, length_s / 3);
    }
    hy_playback_close(playback);
}

static void try_index(hy_playback *playback, hy_bytes file)
{
    const hy_bytes index = hy_playback_index(playback, 1);
    hy_hash seed = hy_hash_start();
    hy_hash_bytes(&seed, file);
    hy_random random = hy_random_seeded(seed.value);
    if (index.size > 0) {
        alter_index((uint8_t *)(uintptr_t)index.data, index.size, &random);
        open_with_index(file, index);
    }
    free((void *)(uintptr_t)index.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    run_program((hy_bytes){ data, size });
    play((hy_bytes){ data, size });
    hy_replay_report report;
    hy_replay_verify((hy_bytes){ data, size }, &report);
    assert(strlen(report.text) > 0);
    assert(report.result != HY_REPLAY_EQUAL || report.hashes > 0);
    assert(report.offset <= size);
    hy_playback *playback;
    hy_world_error error = { "" };
    if (hy_playback_open((hy_bytes){ data, size }, &playback, &error) == HY_OK) {
        const double length_s = hy_playback_scene(playback)->replay->length_s;
        assert(hy_playback_state(playback, length_s / 2)->replay_s <= length_s);
        (void)hy_playback_state(playback, length_s);
        try_index(playback, (hy_bytes){ data, size });
    } else {
        assert(strlen(error.text) > 0);
    }
    hy_playback_close(playback);
    read_series((hy_bytes){ data, size });
    return 0;
}
