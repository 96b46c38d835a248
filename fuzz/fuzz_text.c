// LINK: robot config wire link base
// Short texts that people type: addresses, numbers, robots' URLs. What is understood reads the same when it is written
// out again; what is not leaves everything as it was.
#include <halyard/link.h>
#include <halyard/robot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <assert.h>

#include "config/config.h"

#define TEXT_MAX 300

static void check_endpoint(const char *text)
{
    const hy_endpoint untouched = { .port = 4711, .scope = 7 };
    hy_endpoint first = untouched, second;
    if (hy_endpoint_parse(text, 3540, &first) != HY_OK) {
        assert(hy_endpoint_equal(&first, &untouched));
        return;
    }
    char written[HY_ENDPOINT_TEXT_MAX];
    assert(hy_endpoint_format(&first, written) == written && strlen(written) < sizeof written);
    assert(hy_endpoint_parse(written, 1, &second) == HY_OK);
    assert(hy_endpoint_equal(&first, &second));
}

// What it takes is what strtod() makes of the same text; and it takes less than that.
static void check_number(const char *text)
{
    double number = 0.0;
    if (hy_number_read(text, &number) == HY_NUMBER_OK) {
        char *end = NULL;
        const double other = strtod(text, &end);
        assert(*end == '\0' && isfinite(number));
        assert(fabs(number - other) <= 1e-15 * fabs(other));
    }
}

static void check_url(const char *text)
{
    const hy_dialect *const dialect = hy_robot_dialect(text);
    if (dialect != NULL) {
        const size_t length = strlen(dialect->name);
        assert(strncmp(text, dialect->name, length) == 0 && strncmp(text + length, "://", 3) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size >= TEXT_MAX) {
        return 0;
    }
    char *const text = malloc(size + 1); // its end is where the sanitizer looks
    if (text == NULL) {
        return 0;
    }
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    check_endpoint(text);
    check_number(text);
    check_url(text);
    free(text);
    return 0;
}
