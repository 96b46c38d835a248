// LINK: robots text wire base
// Drive scripts: every line is a command within its ranges, or is wrong at a place inside of it.
#include "../apps/robot/script.c"
#include <halyard/wire.h>

#include <assert.h>

static void check_command(const script_command *command, double before_s)
{
    assert(command->time_s >= before_s && command->time_s <= SCRIPT_SECONDS_MAX);
    assert(command->verb < SCRIPT_VERB_COUNT);
    assert(command->channel <= 31);
    for (int i = 0; i < 2; i++) {
        assert(command->number[i] >= -1.0 && command->number[i] <= 1.0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    script_reader lines = { .text = { data, size }, .dialect = &hy_dialect_xrp };
    while (lines.at < size) {
        const size_t start = lines.at;
        const double before_s = lines.time_s;
        script_command command;
        script_error error = { .column = 0 };
        const int got = script_read_line(&lines, &command, &error);
        assert(lines.at > start && lines.at <= size);
        if (got < 0) {
            assert(error.column >= 1 && error.column <= lines.at - start + 1);
            assert(error.what[0] != '\0' && strlen(error.what) < sizeof error.what);
            break;
        }
        if (got > 0) {
            check_command(&command, before_s);
        }
    }
    return 0;
}
