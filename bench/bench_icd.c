// What a match costs as JSON: six vehicles, twenty pieces and two whole lidar sweeps, 1,600 points, in as
// many messages as UDP needs for them; beside yyjson, which builds the same tree and writes it. Then
// what reading costs: every message into our structs, beside yyjson's parsing alone. Rounds alternate; told is what
// a tenth of them did not exceed, in processor time.
#include <halyard/icd.h>
#include <string.h>
#include <yyjson.h>

#include "measure.h"

#define ROUNDS   201
#define GOAL_US  40.0
#define SWEEP    800
#define PIECES   20
#define MESSAGES 4

typedef struct {
    hy_icd_match match;
    hy_icd_lidar_point points[2][SWEEP];
    hy_icd_sticks sticks;
    hy_icd_commands commands;
    uint8_t text[MESSAGES][HY_ICD_MESSAGE_MAX]; ///< As ours wrote it.
    size_t size[MESSAGES];
    size_t count;
    hy_icd_reader *reader;
    uint8_t pool[1 << 20];
    uint64_t sum; // of results, printed: nothing may be left out
} stage;

// --------------------------------------------------------------------------- ours

static void write_match(stage *s, hy_icd_form form)
{
    size_t from = 0;
    s->count = 0;
    do {
        const hy_room room = { s->text[s->count], HY_ICD_MESSAGE_MAX };
        s->size[s->count] = hy_icd_write_match(&s->match, form, &from, room);
        s->sum += s->size[s->count++];
    } while (from < 2 * SWEEP);
}

static void write_document(stage *s)
{
    write_match(s, HY_ICD_DOCUMENT);
}

static void write_later(stage *s)
{
    write_match(s, HY_ICD_LATER);
}

static void read_match(stage *s)
{
    hy_icd_match match;
    for (size_t i = 0; i < s->count; i++) {
        s->sum += hy_icd_read_match(s->reader, (hy_bytes){ s->text[i], s->size[i] }, &match) == HY_OK;
        s->sum += match.piece_count;
    }
}

static void write_small(stage *s)
{
    uint8_t text[512];
    for (int i = 0; i < 1000; i++) {
        s->sticks.left_y = i - 500;
        s->commands.left_drive = i - 500;
        s->sum += hy_icd_write_sticks(&s->sticks, (hy_room){ text, sizeof text });
        s->sum += hy_icd_write_commands(&s->commands, (hy_room){ text, sizeof text });
    }
}

static void read_small(stage *s)
{
    uint8_t text[2][512];
    const size_t size[2] = {
        hy_icd_write_sticks(&s->sticks, (hy_room){ text[0], sizeof text[0] }),
        hy_icd_write_commands(&s->commands, (hy_room){ text[1], sizeof text[1] }),
    };
    for (int i = 0; i < 1000; i++) {
        hy_icd_sticks sticks;
        hy_icd_commands commands;
        s->sum += hy_icd_read_sticks(s->reader, (hy_bytes){ text[0], size[0] }, &sticks) == HY_OK;
        s->sum += hy_icd_read_commands(s->reader, (hy_bytes){ text[1], size[1] }, &commands) == HY_OK;
    }
}

// --------------------------------------------------------------------------- yyjson

static yyjson_mut_val *tree_of_lidar(yyjson_mut_doc *doc, const hy_icd_lidar *lidar)
{
    yyjson_mut_val *const list = yyjson_mut_arr(doc);
    for (size_t i = 0; i < lidar->count; i++) {
        yyjson_mut_val *const point = yyjson_mut_arr_add_obj(doc, list);
        yyjson_mut_obj_add_real(doc, point, "azimuth", lidar->points[i].azimuth_rad);
        yyjson_mut_obj_add_real(doc, point, "elevation", lidar->points[i].elevation_rad);
        yyjson_mut_obj_add_real(doc, point, "range", lidar->points[i].range_m);
    }
    return list;
}

static void add_vehicle(yyjson_mut_doc *doc, yyjson_mut_val *list, const hy_icd_vehicle *vehicle,
                        const hy_icd_lidar *lidar)
{
    yyjson_mut_val *const v = yyjson_mut_arr_add_obj(doc, list);
    yyjson_mut_obj_add_str(doc, v, "team", vehicle->team);
    yyjson_mut_obj_add_str(doc, v, "alliance",
                           vehicle->alliance == HY_ALLIANCE_BLUE ? "Blue" : "Red");
    yyjson_mut_obj_add_real(doc, v, "x", vehicle->x_m);
    yyjson_mut_obj_add_real(doc, v, "y", vehicle->y_m);
    yyjson_mut_obj_add_real(doc, v, "theta", vehicle->theta_rad);
    yyjson_mut_obj_add_real(doc, v, "intakeCenterMotorSpeed", vehicle->intake_center_rad_s);
    yyjson_mut_obj_add_real(doc, v, "intakeLeftMotorSpeed", vehicle->intake_left_rad_s);
    yyjson_mut_obj_add_real(doc, v, "intakeRightMotorSpeed", vehicle->intake_right_rad_s);
    yyjson_mut_obj_add_real(doc, v, "tubeMotorSpeed", vehicle->tube_rad_s);
    yyjson_mut_obj_add_real(doc, v, "leftDriveMotorSpeed", vehicle->left_drive_rad_s);
    yyjson_mut_obj_add_real(doc, v, "rightDriveMotorSpeed", vehicle->right_drive_rad_s);
    yyjson_mut_obj_add_val(doc, v, "lidarSweep", tree_of_lidar(doc, lidar));
}

static void add_piece(yyjson_mut_doc *doc, yyjson_mut_val *list, const hy_icd_piece *piece)
{
    yyjson_mut_val *const p = yyjson_mut_arr_add_obj(doc, list);
    yyjson_mut_obj_add_real(doc, p, "x", piece->x_m);
    yyjson_mut_obj_add_real(doc, p, "y", piece->y_m);
    yyjson_mut_obj_add_real(doc, p, "z", piece->z_m);
    yyjson_mut_obj_add_int(doc, p, "ingestionState", (int)piece->ingestion);
}

static void tree_of_match(yyjson_mut_doc *doc, const hy_icd_match *match, size_t with_lidar)
{
    yyjson_mut_val *const root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_int(doc, root, "blueScore", match->blue_score);
    yyjson_mut_obj_add_int(doc, root, "redScore", match->red_score);
    yyjson_mut_obj_add_bool(doc, root, "isTimerRunning", match->timer_runs);
    yyjson_mut_obj_add_real(doc, root, "timer", match->timer_s);
    yyjson_mut_obj_add_bool(doc, yyjson_mut_obj_add_obj(doc, root, "field"), "inCollision",
                            match->in_collision);
    yyjson_mut_val *const vehicles = yyjson_mut_obj_add_arr(doc, root, "vehicles");
    for (size_t i = 0; i < match->vehicle_count; i++) {
        const hy_icd_lidar none = { NULL, 0 };
        add_vehicle(doc, vehicles, &match->vehicle[i],
                    i == with_lidar ? &match->vehicle[i].lidar : &none);
    }
    yyjson_mut_val *const pieces = yyjson_mut_obj_add_arr(doc, root, "gamePieces");
    for (size_t i = 0; i < match->piece_count; i++) {
        add_piece(doc, pieces, &match->piece[i]);
    }
}

/// One sweep a message, which is how its longer numbers fit.
static void write_by_yyjson(stage *s, yyjson_write_flag flags)
{
    for (size_t i = 0; i < 2; i++) {
        yyjson_mut_doc *const doc = yyjson_mut_doc_new(NULL);
        tree_of_match(doc, &s->match, i);
        size_t size;
        char *const text = yyjson_mut_write(doc, flags, &size);
        s->sum += size;
        free(text);
        yyjson_mut_doc_free(doc);
    }
}

static void write_all_digits(stage *s)
{
    write_by_yyjson(s, YYJSON_WRITE_NOFLAG);
}

static void write_six_digits(stage *s)
{
    write_by_yyjson(s, YYJSON_WRITE_FP_TO_FIXED(6));
}

static void parse_match(stage *s)
{
    for (size_t i = 0; i < s->count; i++) {
        yyjson_alc memory;
        yyjson_alc_pool_init(&memory, s->pool, sizeof s->pool);
        yyjson_doc *const doc =
            yyjson_read_opts((char *)s->text[i], s->size[i], YYJSON_READ_NOFLAG, &memory, NULL);
        s->sum += yyjson_doc_get_val_count(doc);
    }
}

// --------------------------------------------------------------------------- measuring

typedef void task(stage *);

static double one_us(task *run, stage *s)
{
    const double began = measure_cpu_ns();
    run(s);
    return (measure_cpu_ns() - began) / 1e3;
}

// Returns the microseconds of `run`.
static double compare(const char *what, task *run, const char *beside, task *other, stage *s)
{
    static double us[ROUNDS], other_us[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++) {
        us[i] = one_us(run, s);
        other_us[i] = one_us(other, s);
    }
    const double mine = measure_tenth(us, ROUNDS), theirs = measure_tenth(other_us, ROUNDS);
    printf("%-44s %7.1f us; %s %7.1f us\n", what, mine, beside, theirs);
    return mine;
}

static void fill(stage *s)
{
    hy_random random = hy_random_seeded(1);
    hy_icd_match *const m = &s->match;
    *m = (hy_icd_match){
        .blue_score = 3, .timer_runs = true, .timer_s = 101.32, .vehicle_count = 6, .piece_count = PIECES
    };
    for (size_t i = 0; i < 6; i++) {
        hy_icd_vehicle *const v = &m->vehicle[i];
        memcpy(v->team, "3260", 5);
        v->alliance = i % 2 ? HY_ALLIANCE_RED : HY_ALLIANCE_BLUE;
        double *const numbers[] = { &v->x_m,
                                    &v->y_m,
                                    &v->theta_rad,
                                    &v->intake_center_rad_s,
                                    &v->tube_rad_s,
                                    &v->left_drive_rad_s,
                                    &v->right_drive_rad_s };
        for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
            *numbers[n] = 8 * hy_random_unit(&random) - 4;
        }
    }
    for (size_t i = 0; i < PIECES; i++) {
        m->piece[i].x_m = 8 * hy_random_unit(&random) - 4;
        m->piece[i].y_m = 16 * hy_random_unit(&random) - 8;
    }
    for (size_t i = 0; i < 2 * SWEEP; i++) {
        // One ray in ten finds nothing.
        const double range_m =
            hy_random_below(&random, 10) == 0 ? -1 : 0.75 + 11 * hy_random_unit(&random);
        s->points[i / SWEEP][i % SWEEP] =
            (hy_icd_lidar_point){ (double)(i % SWEEP) * 2 * HY_PI / SWEEP, 0, range_m };
    }
    m->vehicle[0].lidar = (hy_icd_lidar){ s->points[0], SWEEP };
    m->vehicle[1].lidar = (hy_icd_lidar){ s->points[1], SWEEP };
}

int main(void)
{
    static stage s;
    fill(&s);
    s.reader = hy_icd_reader_open();
    if (s.reader == NULL) {
        return 1;
    }
    const double us = compare("write a match, 1600 points", write_document, "yyjson, all digits",
                              write_all_digits, &s);
    printf("goal %.0f us: %s\n", GOAL_US, us <= GOAL_US ? "reached" : "MISSED");
    compare("the same beside six digits", write_document, "yyjson, six digits", write_six_digits, &s);
    compare("write it in the later form", write_later, "the document's form", write_document, &s);
    write_document(&s);
    size_t bytes = 0;
    for (size_t i = 0; i < s.count; i++) {
        bytes += s.size[i];
    }
    compare("read it", read_match, "yyjson's parsing alone", parse_match, &s);
    printf("%-44s %7zu bytes in %zu messages\n", "which is", bytes, s.count);
    compare("write 1000 sticks and 1000 commands", write_small, "read them", read_small, &s);
    hy_icd_reader_close(s.reader);
    printf("(check sum %llu)\n", (unsigned long long)s.sum);
    return 0;
}
