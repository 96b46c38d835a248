// The whole of WPILib's extension, linked into this program, between a HAL and a robot of the test's own. One process a scenario: the
// extension is one for a process.
#include "cmocka_all.h"

#include <assert.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <halyard/halsim.h>
#include <halyard/link.h>
#include <halyard/wire.h>

#include "../../src/halsim/hal_abi.h"

#define LIMIT_US 30000000 // on a machine that does other things as well

// --------------------------------------------------------------------------- the HAL

// What the extension looks up in this program; the linker exports it.
#define X(feature, result, name, arguments) result name arguments;
HAL_SYMBOLS(X)
#undef X

enum { SLOTS = 2, ANALOGS = 3, DIOS = 4 };

static struct {
    hal_periodic *step;
    hal_notify *enabled, *initialized;
    hal_ending *shutdown;
    void *step_param, *enabled_param, *shutdown_param, *encoder_param[SLOTS];
    int32_t encoders, dios; // that are followed
    // What the extension's thread sets.
    atomic_int encoder_count, levels, millivolts[ANALOGS];
    atomic_bool saw_wrong_count, is_setting;
} hal;

int32_t HALSIM_RegisterSimPeriodicAfterCallback(hal_periodic *call, void *param)
{
    hal.step = call;
    hal.step_param = param;
    return 1;
}

int32_t HALSIM_RegisterDriverStationEnabledCallback(hal_notify *call, void *param, hal_bool now)
{
    (void)now;
    hal.enabled = call;
    hal.enabled_param = param;
    return 1;
}

int32_t HALSIM_RegisterDriverStationEStopCallback(hal_notify *call, void *param, hal_bool now)
{
    (void)call;
    (void)param;
    (void)now;
    return 1;
}

int32_t HALSIM_RegisterSimDeviceCreatedCallback(const char *prefix, void *param,
                                                hal_device_notify *call, hal_bool now)
{
    (void)prefix;
    (void)param;
    (void)call;
    (void)now;
    return 1;
}

int32_t HALSIM_RegisterSimDeviceFreedCallback(const char *prefix, void *param,
                                              hal_device_notify *call, hal_bool now)
{
    (void)prefix;
    (void)param;
    (void)call;
    (void)now;
    return 1;
}

static int32_t follow_no_value(hal_handle handle, void *param, hal_value_notify *call, hal_bool now)
{
    (void)handle;
    (void)param;
    (void)call;
    (void)now;
    return 1;
}

int32_t HALSIM_RegisterSimValueCreatedCallback(hal_handle device, void *param,
                                               hal_value_notify *call, hal_bool now)
{
    return follow_no_value(device, param, call, now);
}

int32_t HALSIM_RegisterSimValueChangedCallback(hal_handle handle, void *param,
                                               hal_value_notify *call, hal_bool now)
{
    return follow_no_value(handle, param, call, now);
}

void HAL_OnShutdown(void *param, hal_ending *call)
{
    hal.shutdown = call;
    hal.shutdown_param = param;
}

int32_t HAL_GetNumDigitalChannels(void)
{
    return DIOS;
}

static int32_t follow_dio(int32_t channel, hal_notify *call, void *param, hal_bool now)
{
    (void)call;
    (void)param;
    (void)now;
    hal.dios += channel == hal.dios;
    return 1;
}

int32_t HALSIM_RegisterDIOInitializedCallback(int32_t channel, hal_notify *call, void *param,
                                              hal_bool now)
{
    return follow_dio(channel, call, param, now);
}

int32_t HALSIM_RegisterDIOIsInputCallback(int32_t channel, hal_notify *call, void *param,
                                          hal_bool now)
{
    (void)channel;
    return follow_dio(-1, call, param, now);
}

int32_t HALSIM_RegisterDIOValueCallback(int32_t channel, hal_notify *call, void *param, hal_bool now)
{
    (void)channel;
    return follow_dio(-1, call, param, now);
}

void HALSIM_SetDIOValue(int32_t channel, hal_bool level)
{
    hal.levels |= level << channel;
}

int32_t HAL_GetNumAnalogInputs(void)
{
    return ANALOGS;
}

void HALSIM_SetAnalogInVoltage(int32_t channel, double volts)
{
    hal.millivolts[channel] = (int)(1000 * volts);
}

int32_t HAL_GetNumEncoders(void)
{
    return SLOTS;
}

int32_t HALSIM_RegisterEncoderInitializedCallback(int32_t slot, hal_notify *call, void *param,
                                                  hal_bool now)
{
    (void)now;
    hal.encoders += slot == hal.encoders;
    hal.initialized = call;
    hal.encoder_param[slot] = param;
    return 1;
}

int32_t HALSIM_RegisterEncoderResetCallback(int32_t slot, hal_notify *call, void *param, hal_bool now)
{
    (void)slot;
    (void)call;
    (void)param;
    (void)now;
    return 1;
}

int32_t HALSIM_GetEncoderDigitalChannelA(int32_t slot)
{
    (void)slot;
    return 4;
}

int32_t HALSIM_GetEncoderDigitalChannelB(int32_t slot)
{
    (void)slot;
    return 5;
}

static bool await_commands(uint8_t control, size_t wanted, hy_endpoint *from);

enum { WRONG_COUNT = 99, SLOW_COUNT };

void HALSIM_SetEncoderCount(int32_t slot, int32_t count)
{
    (void)slot;
    if (count == WRONG_COUNT) {
        hal.saw_wrong_count = true;
    }
    hal.encoder_count = count;
    if (count == SLOW_COUNT) { // the HAL is slow, until the last stop has been sent and a little longer
        hy_endpoint from;
        hal.is_setting = true;
        (void)await_commands(0, 6, &from);
        usleep(20000);
        hal.is_setting = false;
    }
}

void HALSIM_SetEncoderPeriod(int32_t slot, double period_s)
{
    (void)slot;
    (void)period_s;
}

// --------------------------------------------------------------------------- the robot

static const hy_halsim_board board = { .name = "me",
                                       .host_variable = "ROBOT_HOST",
                                       .port_variable = "ROBOT_PORT",
                                       .dialect = &hy_dialect_xrp,
                                       .servos_always = 0x01,
                                       .encoder_first_dio = 4 };

static hy_link robot;
static int resolve_fails; // times that asking for the name fails

/// Opens the robot, and has the environment lead to it. A name leads to IPv6 where this machine has it.
static bool open_robot(const char *host)
{
    const hy_endpoint ipv4 = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 } },
                      ipv6 = { .ip = { [15] = 1 } };
    char port[8];
    const bool is_name = strcmp(host, "robot.local") == 0;
    if (!(is_name && hy_link_open(&robot, &ipv6) == HY_OK) && hy_link_open(&robot, &ipv4) != HY_OK) {
        return false;
    }
    snprintf(port, sizeof port, "%u", robot.local.port);
    setenv("ROBOT_HOST", host, 1);
    setenv("ROBOT_PORT", port, 1);
    return true;
}

static int load(const char *host)
{
    return open_robot(host) ? hy_halsim_load(&board) : -2;
}

static bool is_readable(int64_t wait_us)
{
    struct pollfd watched = { .fd = (int)hy_link_descriptor(&robot), .events = POLLIN };
    return poll(&watched, 1, (int)(wait_us / 1000)) == 1;
}

/// Receives until `wanted` commands with that control byte have come; who sent them is the one to answer.
static bool await_commands(uint8_t control, size_t wanted, hy_endpoint *from)
{
    hy_datagram datagrams[HY_LINK_BATCH];
    size_t count = 0;
    while (count < wanted && is_readable(LIMIT_US)) {
        const size_t received = hy_link_receive(&robot, datagrams, HY_LINK_BATCH);
        for (size_t i = 0; i < received; i++) {
            *from = datagrams[i].peer;
            count += datagrams[i].bytes.data[2] == control;
        }
    }
    return count == wanted;
}

/// Sends statuses as one: nothing comes between them. The first is numbered `seq`.
static void answer(hy_link *as, const hy_endpoint *to, uint16_t seq, size_t number,
                   const int32_t counts[])
{
    static uint8_t bytes[3][HY_WIRE_STATUS_MAX];
    hy_datagram datagrams[3];
    for (size_t i = 0; i < number; i++) {
        // Channels that only one of the two has are not the other's.
        const uint32_t dios = 0x30 | 1U << (DIOS - 1);
        hy_wire_status status = {
            .seq = (uint16_t)(seq + i), .encoders = 1, .dios = dios, .dio_levels = dios, .analogs = 0xFF
        };
        status.encoder[0].count = counts[i];
        status.analog_v[ANALOGS - 1] = 2.5F;
        const size_t size = hy_xrp_status_encode(&status, (hy_room){ bytes[i], sizeof bytes[i] });
        datagrams[i] = (hy_datagram){ .peer = *to, .bytes = { bytes[i], size } };
    }
    hy_link_send_batch(as, datagrams, number);
}

static void answer_one(hy_link *as, const hy_endpoint *to, uint16_t seq, int32_t count)
{
    answer(as, to, seq, 1, &count);
}

static bool shows(int32_t count)
{
    for (const int64_t end_us = hy_clock_now_us() + LIMIT_US; hy_clock_now_us() < end_us;
         usleep(1000)) {
        if (hal.encoder_count == count) {
            return true;
        }
    }
    return false;
}

/// Takes the place of the link's: a name is not known at first, and then where the robot is.
int hy_link_resolve(const char *host, uint16_t default_port, hy_endpoint *out, size_t room)
{
    static atomic_int asked;
    assert(default_port == HY_WIRE_PORT && room > 0 && strncmp(host, "robot.local:", 12) == 0);
    usleep(20000); // as a network does
    if (asked++ < resolve_fails) {
        return HY_EADDRESS;
    }
    out[0] = robot.local;
    return 1;
}

// --------------------------------------------------------------------------- scenarios: 0, or the line that failed

#define EXPECT(condition)    \
    do {                     \
        if (!(condition)) {  \
            return __LINE__; \
        }                    \
    } while (0)

static void be_enabled(bool is_enabled)
{
    hal.enabled("", hal.enabled_param,
                &(hal_value){ .type = HAL_TYPE_BOOLEAN, .data.as_bool = is_enabled });
}

static int a_robot_and_robot_code(void)
{
    hy_endpoint from;
    EXPECT(load("127.0.0.1") == 0);
    EXPECT(hy_halsim_load(&board) == 0); // listed twice
    EXPECT(hal.dios == DIOS && hal.encoders == SLOTS);
    hal.initialized("", hal.encoder_param[0], &(hal_value){ .data.as_bool = 1 });
    EXPECT(!is_readable(0)); // a step sends, and loading does not
    hal.step(hal.step_param);
    hy_datagram first;
    hy_wire_command command;
    EXPECT(is_readable(LIMIT_US) && hy_link_receive(&robot, &first, 1) == 1);
    from = first.peer;
    hy_xrp_command_decode(first.bytes, &command);
    EXPECT(command.control == 0 && command.servos == 1 &&
           command.servo[0] == 0.5F); // servos in their middle
    EXPECT(!is_readable(0));
    hy_link stranger;
    EXPECT(hy_link_open(&stranger, &(hy_endpoint){ .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 } }) ==
           HY_OK);
    answer_one(&robot, &from, 8, 5);
    EXPECT(shows(5));
    answer_one(&stranger, &from, 9, WRONG_COUNT);
    answer_one(&robot, &from, 7, WRONG_COUNT); // late
    answer_one(&robot, &from, 10, 6);
    EXPECT(shows(6));
    EXPECT(!hal.saw_wrong_count);
    EXPECT(hal.levels == 1 << (DIOS - 1) && hal.millivolts[ANALOGS - 1] == 2500);
    usleep(HY_SEQ_SILENCE_US + 50000);
    answer(&robot, &from, 0, 3,
           (const int32_t[]){ 0, 0, -2 }); // it started again, and its wheels did not move for that
    EXPECT(shows(4));
    be_enabled(true);
    hal.step(hal.step_param);
    EXPECT(await_commands(1, 1, &from));
    be_enabled(false);
    EXPECT(await_commands(0, 6, &from)); // at once, and again by the worker
    be_enabled(true);
    hal.step(hal.step_param);
    EXPECT(await_commands(1, 1, &from));
    hal.shutdown(hal.shutdown_param);
    EXPECT(await_commands(0, 6, &from));
    EXPECT(!is_readable(0)); // the end waits for all six
    hal.step(hal.step_param);
    answer_one(&robot, &from, 3, WRONG_COUNT);
    EXPECT(!is_readable(100000)); // nothing goes out after the end
    EXPECT(!hal.saw_wrong_count);
    EXPECT(hy_halsim_load(&board) == -1);
    return 0;
}

/// After the end the HAL is taken apart: the extension's thread must be out of it, though not for ever.
static int a_hal_that_ends_while_it_is_told_something(void)
{
    hy_endpoint from;
    EXPECT(load("127.0.0.1") == 0);
    hal.initialized("", hal.encoder_param[0], &(hal_value){ .data.as_bool = 1 });
    hal.step(hal.step_param);
    EXPECT(await_commands(0, 1, &from));
    answer_one(&robot, &from, 1, SLOW_COUNT);
    EXPECT(shows(SLOW_COUNT));
    hal.shutdown(hal.shutdown_param);
    EXPECT(!hal.is_setting);
    return 0;
}

/// What stands before the cut is used; the first is told of.
static int a_robot_with_malformed_statuses(void)
{
    hy_endpoint from;
    uint8_t status[] = { 0, 0, 0, 6, 0x18, 0, 0, 0, 0, 7, 14, 0x18, 1 };
    EXPECT(load("127.0.0.1") == 0);
    hal.initialized("", hal.encoder_param[0], &(hal_value){ .data.as_bool = 1 });
    hal.step(hal.step_param);
    EXPECT(await_commands(0, 1, &from));
    for (uint8_t i = 1; i <= 2; i++) {
        status[1] = status[9] = i;
        hy_link_send(&robot, &from, (hy_bytes){ status, sizeof status });
        EXPECT(shows(i));
    }
    return 0;
}

static int a_robot_that_falls_silent(void)
{
    hy_endpoint from;
    EXPECT(load("127.0.0.1") == 0);
    hal.step(hal.step_param);
    EXPECT(await_commands(0, 1, &from));
    answer_one(&robot, &from, 1, 5);
    usleep(LIMIT_US);
    return 0;
}

static int a_robot_that_never_answers(void)
{
    EXPECT(load("127.0.0.1") == 0);
    hal.step(hal.step_param);
    usleep(LIMIT_US);
    return 0;
}

static bool await_command_of_a_step(void)
{
    hy_endpoint from;
    for (int i = 0; i < LIMIT_US / 20000; i++) {
        hal.step(hal.step_param);
        if (is_readable(20000)) {
            return await_commands(0, 1, &from);
        }
    }
    return false;
}

/// Loading waits for the name, so the first command has somewhere to go.
static int a_name_that_is_known(void)
{
    EXPECT(load("robot.local") == 0);
    hal.step(hal.step_param);
    EXPECT(is_readable(100000));
    return 0;
}

static int a_name_that_is_known_later(void)
{
    resolve_fails = 1;
    EXPECT(load("robot.local") == 0);
    EXPECT(await_command_of_a_step());
    usleep(LIMIT_US);
    return 0;
}

// --------------------------------------------------------------------------- programs that set the variables themselves

/// Loads for `before`, where nobody is; then the program sets the robot's place, and steps until the robot has a command.
static int set_late(const char *before, const char *host)
{
    setenv("ROBOT_HOST", before, 1);
    setenv("ROBOT_PORT", "9", 1);
    EXPECT(hy_halsim_load(&board) == 0);
    EXPECT(open_robot(host));
    EXPECT(await_command_of_a_step());
    return 0;
}

static int an_address_that_is_set_late(void)
{
    hy_endpoint from;
    EXPECT(set_late("192.0.2.1", "127.0.0.1") == 0);
    setenv("ROBOT_HOST", "192.0.2.7", 1); // which nobody reads any more
    hal.initialized("", hal.encoder_param[0], &(hal_value){ .data.as_bool = 1 });
    hal.step(hal.step_param);
    EXPECT(await_commands(0, 1, &from));
    answer_one(&robot, &from, 1, 5);
    EXPECT(shows(5));
    be_enabled(true);
    hal.step(hal.step_param);
    EXPECT(await_commands(1, 1, &from));
    hal.shutdown(hal.shutdown_param);
    EXPECT(await_commands(0, 6, &from));
    return 0;
}

/// From a socket for IPv4 alone to one for both.
static int a_name_that_is_set_late(void)
{
    EXPECT(set_late("", "robot.local") == 0);
    return 0;
}

/// The name that nobody knows is not asked for any longer.
static int an_address_instead_of_a_name(void)
{
    resolve_fails = 1000;
    EXPECT(set_late("robot.local", "127.0.0.1") == 0);
    usleep(LIMIT_US);
    return 0;
}

static int a_port_that_is_set_late(void)
{
    EXPECT(set_late("127.0.0.1", "127.0.0.1") == 0);
    return 0;
}

static int what_is_set_again_is_no_news(void)
{
    EXPECT(load("127.0.0.1") == 0);
    setenv("ROBOT_HOST", "localhost", 1);
    EXPECT(await_command_of_a_step());
    return 0;
}

static int nobody_where_it_was_set_late(void)
{
    EXPECT(set_late("192.0.2.1", "127.0.0.1") == 0);
    usleep(LIMIT_US);
    return 0;
}

static int nonsense_that_is_set_late(void)
{
    EXPECT(load("127.0.0.1") == 0);
    setenv("ROBOT_HOST", "http://robot", 1);
    hal.step(hal.step_param);
    hal.step(hal.step_param);
    hal.shutdown(hal.shutdown_param);
    EXPECT(!is_readable(100000));
    return 0;
}

static int a_system_without_descriptors(void)
{
    hy_link first;
    EXPECT(hy_link_open(&first, &(hy_endpoint){ .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 } }) == HY_OK);
    const struct rlimit none_more = { (rlim_t)hy_link_descriptor(&first) + 2,
                                      (rlim_t)hy_link_descriptor(&first) + 2 };
    EXPECT(setrlimit(RLIMIT_NOFILE, &none_more) == 0); // enough for the robot, and not for the extension
    EXPECT(load("127.0.0.1") == -1);
    EXPECT(hy_halsim_load(&board) == -1);
    return 0;
}

static int a_port_that_is_none(void)
{
    setenv("ROBOT_PORT", "none", 1);
    EXPECT(hy_halsim_load(&board) == -1);
    return 0;
}

// --------------------------------------------------------------------------- the tests

typedef struct {
    pid_t process;
    int errors;
} scenario;

static scenario begin(int (*run)(void))
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        dup2(ends[1], STDERR_FILENO);
        const int line = run();
        if (line != 0) {
            fprintf(stderr, "line %d\n", line);
        }
        _exit(line != 0);
    }
    close(ends[1]);
    return (scenario){ process, ends[0] };
}

/// Whether both have the same lines, in whichever order: threads say them.
static bool is_said(const char *said, const char *wanted)
{
    for (const char *line = wanted; *line != '\0'; line = strchr(line, '\n') + 1) {
        char text[256];
        snprintf(text, sizeof text, "%.*s", (int)(strchr(line, '\n') + 1 - line), line);
        if (strstr(said, text) == NULL) {
            return false;
        }
    }
    return strlen(said) == strlen(wanted);
}

/// What it says on stderr until it ends, or for 0.7 s after it has said `wanted`, is that; a # stands for a port.
static void expect_said(scenario self, const char *wanted, bool ends)
{
    char said[1024] = "";
    size_t size = 0;
    struct pollfd more = { .fd = self.errors, .events = POLLIN };
    while (poll(&more, 1, !ends && is_said(said, wanted) ? 700 : LIMIT_US / 1000) == 1) {
        char c;
        if (read(self.errors, &c, 1) != 1) {
            break;
        }
        const char before = size > 0 ? said[size - 1] : ' ';
        const bool is_digit = c >= '0' && c <= '9';
        if (is_digit && before == ':') {
            c = '#';
        }
        if (!(is_digit && before == '#') && size + 1 < sizeof said) {
            said[size++] = c;
        }
    }
    close(self.errors);
    int status = 0;
    if (!ends) {
        kill(self.process, SIGKILL);
    }
    waitpid(self.process, &status, 0);
    if (!is_said(said, wanted)) {
        assert_string_equal(said, wanted);
    }
    assert_true(!ends || status == 0);
}

// This HAL has none of the two.
#define MISSING                                                              \
    "me: no gyro: this WPILib has no HALSIM_RegisterSimValueResetCallback\n" \
    "me: no built-in accelerometer: this WPILib has no HALSIM_SetAccelerometerZ\n"
#define LOADED   MISSING "me: loaded; commands go to 127.0.0.1:#\n"
#define ANSWERED "me: the robot answers from 127.0.0.1:#\n"

static void statuses_come_into_the_hal_and_commands_to_the_robot(void **state)
{
    (void)state;
    expect_said(begin(a_robot_and_robot_code), LOADED ANSWERED, true);
}

static void the_first_malformed_status_is_told(void **state)
{
    (void)state;
    expect_said(begin(a_robot_with_malformed_statuses),
                LOADED ANSWERED
                "me: a status of the robot is malformed: block runs past the end of "
                "the datagram (byte 10 of 13)\n",
                true);
}

static void silence_is_told_once(void **state)
{
    (void)state;
    const scenario silent = begin(a_robot_that_falls_silent);
    expect_said(begin(a_robot_that_never_answers),
                LOADED "me: nobody answers yet (is this machine on the robot's network?); commands "
                       "still go to 127.0.0.1:#\n",
                false);
    expect_said(silent,
                LOADED ANSWERED
                "me: the robot has fallen silent; commands still go to 127.0.0.1:#\n",
                false);
}

static bool ends_well(scenario self)
{
    int status = 0;
    char said[1024] = "";
    waitpid(self.process, &status, 0);
    assert_true(read(self.errors, said, sizeof said - 1) > 0);
    assert_null(strstr(said, "now known")); // which is said of a name that was not
    close(self.errors);
    return status == 0;
}

static void a_name_is_asked_for_until_it_is_known(void **state)
{
    (void)state;
    const scenario later = begin(a_name_that_is_known_later);
    int tries = 1;
    while (!ends_well(begin(
        a_name_that_is_known))) { // it waits for a quarter of a second only, and this machine may do other things
        assert_true(++tries < 20);
    }
    expect_said(later,
                MISSING "me: asking again in the background, not known yet: robot.local:#\n"
                        "me: loaded; commands go to robot.local:#\n"
                        "me: now known: robot.local:#\n",
                false);
}

static void the_end_waits_for_what_the_hal_is_being_told(void **state)
{
    (void)state;
    for (int tries = 1; !ends_well(begin(a_hal_that_ends_while_it_is_told_something));
         tries++) { // it waits for a tenth of a second only
        assert_true(tries < 20);
    }
}

#define LATE(text) "me: " text " 127.0.0.1:# (ROBOT_HOST was set after the extension was loaded)\n"

static void the_place_is_read_again_before_the_first_command(void **state)
{
    (void)state;
    const scenario nobody = begin(nobody_where_it_was_set_late);
    const scenario unknown = begin(an_address_instead_of_a_name);
    expect_said(begin(an_address_that_is_set_late),
                MISSING "me: loaded; commands go to 192.0.2.1:#\n" LATE("commands go to") ANSWERED,
                true);
    expect_said(begin(a_name_that_is_set_late),
                LOADED "me: commands go to robot.local:# (ROBOT_HOST was set after the extension "
                       "was loaded)\n",
                true);
    expect_said(begin(a_port_that_is_set_late),
                LOADED "me: commands go to 127.0.0.1:# (ROBOT_PORT was set after the extension was "
                       "loaded)\n",
                true);
    expect_said(begin(what_is_set_again_is_no_news), LOADED, true);
    expect_said(begin(nonsense_that_is_set_late),
                LOADED
                "me: no command is sent: ROBOT_HOST is \"http://robot\", which is neither an "
                "address nor a host name\n",
                true);
    expect_said(nobody,
                MISSING "me: loaded; commands go to 192.0.2.1:#\n" LATE("commands go to")
                    LATE("nobody answers at"),
                false);
    expect_said(unknown,
                MISSING "me: asking again in the background, not known yet: robot.local:#\n"
                        "me: loaded; commands go to robot.local:#\n" LATE("commands go to")
                            LATE("nobody answers at"),
                false);
}

static void what_the_system_refuses_is_told(void **state)
{
    (void)state;
    expect_said(begin(a_system_without_descriptors),
                MISSING "me: not loaded: the operating system refused\n", true);
}

static void a_wrong_setting_refuses_to_load(void **state)
{
    (void)state;
    expect_said(begin(a_port_that_is_none),
                "me: not loaded: ROBOT_PORT is \"none\", but a port is a number from 1 to 65535\n",
                true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_come_into_the_hal_and_commands_to_the_robot),
        cmocka_unit_test(the_first_malformed_status_is_told),
        cmocka_unit_test(silence_is_told_once),
        cmocka_unit_test(a_name_is_asked_for_until_it_is_known),
        cmocka_unit_test(the_end_waits_for_what_the_hal_is_being_told),
        cmocka_unit_test(the_place_is_read_again_before_the_first_command),
        cmocka_unit_test(what_the_system_refuses_is_told),
        cmocka_unit_test(a_wrong_setting_refuses_to_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
