// The mat of a world file: painted from shapes, or a picture.
#include "read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_SHAPES 2000
#define MOST_POINTS 2000
#define FILE_NAME   256
#define PATH        1024

/// Shapes and pictures wait until the whole section is read: keys may come in any order.
typedef struct {
    hy_point corner_m, size_m;
    double shade, cell_m;
    hy_yaml_node *shapes;
    hy_yaml_node *picture_at;
    char picture[FILE_NAME];
} mat_keys;

typedef struct {
    hy_mat_spec *mat;
    hy_point center_m, size_m;
    double radius_m, width_m, shade, from_rad, to_rad, angle_rad;
    hy_point *points_m;
    size_t point_count;
} shape_spec;

#define FIELD(spec, key_, type_, member, required_, low_, high_, unit_)                      \
    {                                                                                        \
        .key = key_, .type = type_, .required = required_, .offset = offsetof(spec, member), \
        .low = low_, .high = high_, .unit = unit_                                            \
    }
#define SHAPE(...)  FIELD(shape_spec, __VA_ARGS__)
#define SHADE_FIELD SHAPE("shade", HY_YAML_NUMBER, shade, false, 0, 1, 1)

// --------------------------------------------------------------------------- shapes

static bool read_points(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    shape_spec *spec = target;
    hy_read_points list = { NULL, { 2, MOST_POINTS }, 0 };
    if (!hy_yaml_list(yaml, field->key, node, list.span, &list.count)) {
        return false;
    }
    list.at = spec->points_m = calloc(list.count, sizeof *spec->points_m);
    spec->point_count = list.count;
    return list.at != NULL ? hy_read_point_list(yaml, field, node, &list)
                           : hy_read_no_memory(yaml, node);
}

static const hy_yaml_field line_fields[] = {
    { .key = "points_m",
      .type = HY_YAML_OTHER,
      .read = read_points,
      .required = true,
      .low = -HY_FLOOR_MOST_M,
      .high = HY_FLOOR_MOST_M },
    SHAPE("width_m", HY_YAML_NUMBER, width_m, false, 0.001, 10, 1),
    SHADE_FIELD,
};
static const hy_yaml_table line_table = HY_YAML_TABLE("a line", line_fields);

static const hy_yaml_field arc_fields[] = {
    SHAPE("center_m", HY_YAML_POINT, center_m, true, -HY_FLOOR_MOST_M, HY_FLOOR_MOST_M, 1),
    SHAPE("radius_m", HY_YAML_NUMBER, radius_m, true, 0.005, HY_FLOOR_MOST_M, 1),
    SHAPE("from_deg", HY_YAML_NUMBER, from_rad, false, -720, 720, HY_RAD_PER_DEG),
    SHAPE("to_deg", HY_YAML_NUMBER, to_rad, false, -720, 720, HY_RAD_PER_DEG),
    SHAPE("width_m", HY_YAML_NUMBER, width_m, false, 0.001, 10, 1),
    SHADE_FIELD,
};
static const hy_yaml_table arc_table = HY_YAML_TABLE("an arc", arc_fields);

static const hy_yaml_field disc_fields[] = {
    SHAPE("center_m", HY_YAML_POINT, center_m, true, -HY_FLOOR_MOST_M, HY_FLOOR_MOST_M, 1),
    SHAPE("radius_m", HY_YAML_NUMBER, radius_m, true, 0.001, HY_FLOOR_MOST_M, 1),
    SHADE_FIELD,
};
static const hy_yaml_table disc_table = HY_YAML_TABLE("a disc", disc_fields);

static const hy_yaml_field box_fields[] = {
    SHAPE("center_m", HY_YAML_POINT, center_m, true, -HY_FLOOR_MOST_M, HY_FLOOR_MOST_M, 1),
    SHAPE("size_m", HY_YAML_POINT, size_m, true, 0.001, HY_FLOOR_MOST_M, 1),
    SHAPE("angle_deg", HY_YAML_NUMBER, angle_rad, false, -360, 360, HY_RAD_PER_DEG),
    SHADE_FIELD,
};
static const hy_yaml_table box_table = HY_YAML_TABLE("a box", box_fields);

static bool painted(hy_yaml *yaml, hy_yaml_node *node, bool done)
{
    return done || hy_yaml_fail(yaml, HY_ERANGE, node,
                                "this mat takes too much paint: use fewer or smaller shapes, or "
                                "a larger cell_m");
}

static bool read_line(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    shape_spec *spec = target;
    (void)field;
    const bool done =
        hy_yaml_map(yaml, &line_table, node, spec) &&
        painted(yaml, node,
                hy_mat_spec_line(spec->mat,
                                 &(hy_mat_line){ spec->points_m, spec->point_count, spec->width_m },
                                 spec->shade));
    free(spec->points_m);
    return done;
}

static bool read_arc(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    shape_spec *spec = target;
    (void)field;
    if (!hy_yaml_map(yaml, &arc_table, node, spec)) {
        return false;
    }
    if (spec->to_rad <= spec->from_rad) {
        return hy_yaml_fail(yaml, HY_ERANGE, node, "an arc's to_deg must be more than its from_deg");
    }
    const hy_mat_arc arc = { spec->center_m, spec->radius_m, spec->width_m, spec->from_rad,
                             spec->to_rad };
    return painted(yaml, node, hy_mat_spec_arc(spec->mat, &arc, spec->shade));
}

static bool read_disc(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    shape_spec *spec = target;
    (void)field;
    return hy_yaml_map(yaml, &disc_table, node, spec) &&
           painted(yaml, node,
                   hy_mat_spec_disc(spec->mat, spec->center_m, spec->radius_m, spec->shade));
}

static bool read_box(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    shape_spec *spec = target;
    (void)field;
    if (!hy_yaml_map(yaml, &box_table, node, spec)) {
        return false;
    }
    const hy_mat_box box = { spec->center_m, spec->size_m, spec->angle_rad };
    return painted(yaml, node, hy_mat_spec_box(spec->mat, &box, spec->shade));
}

static const hy_yaml_field shape_fields[] = {
    { .key = "line", .type = HY_YAML_OTHER, .read = read_line },
    { .key = "arc", .type = HY_YAML_OTHER, .read = read_arc },
    { .key = "disc", .type = HY_YAML_OTHER, .read = read_disc },
    { .key = "box", .type = HY_YAML_OTHER, .read = read_box },
};
static const hy_yaml_table shape_table = HY_YAML_TABLE("a shape", shape_fields);

static bool paint_shapes(hy_yaml *yaml, hy_yaml_node *list, hy_mat_spec *mat)
{
    size_t count;
    if (!hy_yaml_list(yaml, "shapes", list, (hy_yaml_span){ 0, MOST_SHAPES }, &count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        shape_spec spec = { .mat = mat, .width_m = 0.019, .shade = 1, .to_rad = 2 * HY_PI };
        hy_yaml_node *value;
        hy_yaml_node *item = hy_yaml_item(yaml, list, i);
        const hy_yaml_field *choice = hy_yaml_choice(yaml, &shape_table, item, &value);
        if (choice == NULL || !hy_yaml_value(yaml, choice, value, &spec)) {
            return false;
        }
    }
    return true;
}

// --------------------------------------------------------------------------- the mat

static bool keep_shapes(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    (void)yaml, (void)field;
    ((mat_keys *)target)->shapes = node;
    return true;
}

static bool keep_picture(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    mat_keys *spec = target;
    const char *text = hy_yaml_text(yaml, field->key, node);
    if (text == NULL) {
        return false;
    }
    const int length = snprintf(spec->picture, sizeof spec->picture, "%s", text);
    if (length < 0 || (size_t)length >= sizeof spec->picture) {
        return hy_yaml_fail(yaml, HY_ERANGE, node, "picture: the file's name is too long");
    }
    spec->picture_at = node;
    return true;
}

#define MAT(...) FIELD(mat_keys, __VA_ARGS__)

static const hy_yaml_field mat_fields[] = {
    MAT("corner_m", HY_YAML_POINT, corner_m, false, -HY_FLOOR_MOST_M, HY_FLOOR_MOST_M, 1),
    MAT("size_m", HY_YAML_POINT, size_m, true, 0.01, HY_FLOOR_MOST_M, 1),
    MAT("shade", HY_YAML_NUMBER, shade, false, 0, 1, 1),
    MAT("cell_m", HY_YAML_NUMBER, cell_m, false, 0.0002, 0.1, 1),
    { .key = "picture", .type = HY_YAML_OTHER, .read = keep_picture },
    { .key = "shapes", .type = HY_YAML_OTHER, .read = keep_shapes },
};
static const hy_yaml_table mat_table = HY_YAML_TABLE("mat", mat_fields);

static bool read_picture(hy_yaml *yaml, const mat_keys *spec, hy_mat_spec *mat)
{
    char path[PATH];
    const bool absolute = spec->picture[0] == '/' || yaml->folder[0] == '\0';
    const int length = snprintf(path, sizeof path, "%s%s%s", absolute ? "" : yaml->folder,
                                absolute ? "" : "/", spec->picture);
    if (length < 0 || (size_t)length >= sizeof path) {
        return hy_yaml_fail(yaml, HY_ERANGE, spec->picture_at, "picture: the path is too long");
    }
    const char *why;
    const hy_status status = hy_read_picture(path, mat, &why);
    return status == HY_OK ||
           hy_yaml_fail(yaml, status, spec->picture_at, "the picture %s %s", path, why);
}

static bool make_cells(hy_yaml *yaml, const mat_keys *spec, hy_yaml_node *node, hy_mat_spec *mat)
{
    if (spec->picture_at != NULL) {
        return read_picture(yaml, spec, mat);
    }
    const double columns = ceil(spec->size_m.x_m / spec->cell_m);
    const double rows = ceil(spec->size_m.y_m / spec->cell_m);
    if (columns * rows > (double)HY_MAT_CELLS) {
        return hy_yaml_fail(yaml, HY_ERANGE, node,
                            "the mat has more than 16 million cells: make cell_m larger");
    }
    return hy_mat_spec_make(mat, (size_t)columns, (size_t)rows, spec->shade) ||
           hy_read_no_memory(yaml, node);
}

bool hy_read_mat(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    (void)field;
    hy_mat_spec *mat = &((hy_world_spec *)target)->mat;
    mat_keys spec = { .cell_m = 0.001 };
    if (!hy_yaml_map(yaml, &mat_table, node, &spec) || !make_cells(yaml, &spec, node, mat)) {
        return false;
    }
    mat->corner_m = spec.corner_m;
    mat->size_m = spec.size_m;
    return spec.shapes == NULL || paint_shapes(yaml, spec.shapes, mat);
}
