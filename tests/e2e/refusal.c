#include "refusal.h"

#include <string.h>

#include "cmocka_all.h"
#include "program.h"

#define ARGUMENTS_MAX 30

void check_refusal(const char *const *arguments, int exit_status, const char *sentence)
{
    const char *line[ARGUMENTS_MAX + 2] = { HALYARD_BINARY };
    for (size_t i = 0; i < ARGUMENTS_MAX && arguments[i] != NULL; i++) {
        line[i + 1] = arguments[i];
    }
    char said[4096];
    program refused = program_start(line);
    const int status = program_end(&refused, said, sizeof said);
    const char *const line_end = strchr(said, '\n');
    if (status != exit_status || strstr(said, sentence) == NULL || line_end == NULL ||
        line_end[1] != '\0') {
        fail_msg("halyard %s %s ...: exit status %d, it said: %s", arguments[0],
                 arguments[1] != NULL ? arguments[1] : "", status, said);
    }
}
