#include "script_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MAX (1 << 20)

hy_status script_file_load(hy_player_script *self, const char *path, hy_player_error error)
{
    *self = (hy_player_script){ 0 };
    FILE *const file = fopen(path, "rb");
    if (file == NULL) {
        snprintf(error.text, error.size, "%s: %s", path, strerror(errno));
        return HY_EFILE;
    }
    uint8_t *const text = malloc(BYTES_MAX + 1);
    const size_t size = text != NULL ? fread(text, 1, BYTES_MAX + 1, file) : 0;
    hy_status status = text == NULL       ? HY_EMEMORY
                       : ferror(file)     ? HY_EFILE
                       : size > BYTES_MAX ? HY_ERANGE
                                          : HY_OK;
    fclose(file);
    if (status == HY_OK) {
        status = hy_player_script_parse(self, (hy_bytes){ text, size }, path, error);
    } else {
        snprintf(error.text, error.size, "%s: %s", path,
                 status == HY_ERANGE ? "longer than a megabyte" : hy_status_text(status));
    }
    free(text);
    return status;
}
