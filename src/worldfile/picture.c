// Pictures as mats.
#include "read.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>

#include "system/system.h"

static hy_status read_picture(png_image *image, hy_mat_spec *mat, const char **why)
{
    // Checked before anything is unpacked: a small file can claim a huge picture.
    if ((size_t)image->width * image->height > HY_MAT_CELLS) {
        *why = "has more than 16 million pixels: scale it down";
        return HY_ERANGE;
    }
    if (!hy_mat_spec_make(mat, image->width, image->height, 0)) {
        *why = "does not fit into memory";
        return HY_EMEMORY;
    }
    image->format = PNG_FORMAT_GRAY;
    const png_color white = { 255, 255, 255 };
    // A negative stride turns the picture's rows around: its first row is the mat's last.
    const png_int_32 stride = -(png_int_32)image->width;
    if (png_image_finish_read(image, &white, mat->cells, stride, NULL) == 0) {
        free(mat->cells);
        mat->cells = NULL;
        *why = "is a damaged PNG picture";
        return HY_EFORMAT;
    }
    for (size_t i = 0; i < mat->columns * mat->rows; i++) {
        mat->cells[i] = (uint8_t)(255 - mat->cells[i]);
    }
    return HY_OK;
}

hy_status hy_read_picture(const char *path, hy_mat_spec *mat, const char **why)
{
    FILE *file = hy_file_open(path);
    if (file == NULL) {
        *why = "cannot be opened";
        return HY_EFILE;
    }
    png_image image = { .version = PNG_IMAGE_VERSION };
    hy_status status = HY_EFORMAT;
    *why = "is not a PNG picture";
    if (png_image_begin_read_from_stdio(&image, file) != 0) {
        status = read_picture(&image, mat, why);
    }
    png_image_free(&image);
    fclose(file);
    return status;
}
