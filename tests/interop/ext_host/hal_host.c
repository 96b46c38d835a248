// A robot program at the end of a pipe: drives WPILib's real simulated HAL, one command a line on
// stdin, one line of answer on stdout that begins with "> " (the HAL writes there too). The extension
// under test comes in the ordinary way, by HALSIM_EXTENSIONS. The HAL is loaded privately, as Python
// and Java do.
//
//     ext_hal_host /path/to/libwpiHal.so [COMMAND...]       these commands first
#include <arpa/inet.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    union {
        int32_t as_int;
        int64_t as_long;
        double as_double;
    } data;
    int32_t type; // 1 boolean, 2 double, 8 int
} hal_value;

#define HAL_FUNCTIONS(X)                                                             \
    X(int32_t, HAL_Initialize, (int32_t timeout_ms, int32_t mode))                   \
    X(void, HAL_Shutdown, (void))                                                    \
    X(void, HAL_SimPeriodicBefore, (void))                                           \
    X(void, HAL_SimPeriodicAfter, (void))                                            \
    X(int32_t, HAL_GetPort, (int32_t channel))                                       \
    X(int32_t, HAL_CreateSimDevice, (const char *name))                              \
    X(void, HAL_FreeSimDevice, (int32_t device))                                     \
    X(int32_t, HAL_CreateSimValue,                                                   \
      (int32_t device, const char *name, int32_t direction, const hal_value *value)) \
    X(void, HAL_GetSimValue, (int32_t value, hal_value * out))                       \
    X(void, HAL_SetSimValue, (int32_t value, const hal_value *in))                   \
    X(void, HAL_ResetSimValue, (int32_t value))                                      \
    X(int32_t, HAL_InitializeDIOPort,                                                \
      (int32_t port, int32_t is_input, const char *where, int32_t *status))          \
    X(void, HAL_FreeDIOPort, (int32_t dio))                                          \
    X(void, HAL_SetDIO, (int32_t dio, int32_t level, int32_t * status))              \
    X(void, HAL_SetDIODirection, (int32_t dio, int32_t is_input, int32_t * status))  \
    X(int32_t, HAL_InitializeEncoder,                                                \
      (int32_t a, int32_t trigger_a, int32_t b, int32_t trigger_b, int32_t reverse,  \
       int32_t encoding, int32_t * status))                                          \
    X(void, HAL_FreeEncoder, (int32_t encoder))                                      \
    X(void, HAL_ResetEncoder, (int32_t encoder, int32_t * status))                   \
    X(int32_t, HAL_GetEncoderFPGAIndex, (int32_t encoder, int32_t * status))         \
    X(int32_t, HALSIM_GetEncoderCount, (int32_t slot))                               \
    X(double, HALSIM_GetEncoderPeriod, (int32_t slot))                               \
    X(int32_t, HALSIM_GetDIOValue, (int32_t channel))                                \
    X(double, HALSIM_GetAnalogInVoltage, (int32_t channel))                          \
    X(double, HALSIM_GetAccelerometerX, (int32_t index))                             \
    X(double, HALSIM_GetAccelerometerY, (int32_t index))                             \
    X(double, HALSIM_GetAccelerometerZ, (int32_t index))                             \
    X(void, HALSIM_SetDriverStationEnabled, (int32_t enabled))                       \
    X(void, HALSIM_SetDriverStationEStop, (int32_t stopped))

#define X(result, name, arguments) static result(*name) arguments;
HAL_FUNCTIONS(X)
#undef X

static void find(void *library, const char *name, void *function, size_t size)
{
    void *const address = dlsym(library, name);
    memcpy(function, &address, size);
}

static void load_hal(const char *path)
{
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "hal_host: %s\n", dlerror());
        exit(2);
    }
#define X(result, name, arguments) find(library, #name, &(name), sizeof(name));
    HAL_FUNCTIONS(X)
#undef X
}

// --------------------------------------------------------------------------- what was made

#define DEVICES  64
#define VALUES   16
#define CHANNELS 32

static struct {
    char name[64];
    int32_t handle;
    struct {
        char name[64];
        int32_t handle, type;
    } values[VALUES];
    size_t value_count;
} devices[DEVICES];
static size_t device_count;
static int32_t dios[CHANNELS], encoders[CHANNELS]; // by channel, and by channel A; 0: none

static size_t device_named(const char *name)
{
    for (size_t i = 0; i < device_count; i++) {
        if (devices[i].handle != 0 && strcmp(devices[i].name, name) == 0) {
            return i;
        }
    }
    fprintf(stderr, "hal_host: no device %s\n", name);
    exit(2);
}

static int32_t value_named(const char *device, const char *name, int32_t *type)
{
    const size_t at = device_named(device);
    for (size_t i = 0; i < devices[at].value_count; i++) {
        if (strcmp(devices[at].values[i].name, name) == 0) {
            *type = devices[at].values[i].type;
            return devices[at].values[i].handle;
        }
    }
    fprintf(stderr, "hal_host: no value %s of %s\n", name, device);
    exit(2);
}

static hal_value value_of(int32_t type, double number)
{
    hal_value value = { .type = type };
    if (type == 2) {
        value.data.as_double = number;
    } else {
        value.data.as_int = (int32_t)number;
    }
    return value;
}

// --------------------------------------------------------------------------- commands

typedef struct {
    char text[4][64];
    int count;
} words;

static FILE *answers; // the HAL has stdout to itself

__attribute__((format(printf, 1, 2))) static void reply(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("> ", answers);
    vfprintf(answers, format, arguments);
    fputs("\n", answers);
    va_end(arguments);
    fflush(answers);
}

static double number(const words *given, int at)
{
    return strtod(given->text[at], NULL);
}

static int32_t integer(const words *given, int at)
{
    return (int32_t)number(given, at);
}

static void do_device(const words *given)
{
    const size_t at = device_count++;
    snprintf(devices[at].name, sizeof devices[at].name, "%s", given->text[0]);
    devices[at].handle = HAL_CreateSimDevice(given->text[0]);
    reply("%d", devices[at].handle);
}

// value DEVICE NAME DIRECTION,TYPE INITIAL
static void do_value(const words *given)
{
    const size_t at = device_named(given->text[0]);
    const size_t n = devices[at].value_count++;
    int32_t direction = 0;
    int32_t type = 0;
    if (sscanf(given->text[2], "%d,%d", &direction, &type) != 2) {
        exit(2);
    }
    const hal_value initial = value_of(type, number(given, 3));
    snprintf(devices[at].values[n].name, sizeof devices[at].values[n].name, "%s", given->text[1]);
    devices[at].values[n].type = type;
    devices[at].values[n].handle =
        HAL_CreateSimValue(devices[at].handle, given->text[1], direction, &initial);
    reply("%d", devices[at].values[n].handle);
}

static void do_set(const words *given)
{
    int32_t type;
    const int32_t handle = value_named(given->text[0], given->text[1], &type);
    const hal_value value = value_of(type, number(given, 2));
    HAL_SetSimValue(handle, &value);
    reply("ok");
}

static void do_resetvalue(const words *given)
{
    int32_t type;
    HAL_ResetSimValue(value_named(given->text[0], given->text[1], &type));
    reply("ok");
}

static void do_free(const words *given)
{
    const size_t at = device_named(given->text[0]);
    HAL_FreeSimDevice(devices[at].handle);
    devices[at].handle = 0;
    reply("ok");
}

/// 2027 takes the channel itself.
static int32_t port_of(int32_t channel)
{
    return HAL_GetPort != NULL ? HAL_GetPort(channel) : channel;
}

static void do_dio(const words *given)
{
    int32_t status = 0;
    const int32_t channel = integer(given, 0);
    dios[channel] = HAL_InitializeDIOPort(port_of(channel), integer(given, 1), "hal_host", &status);
    reply("%d", status);
}

static void do_level(const words *given)
{
    int32_t status = 0;
    HAL_SetDIO(dios[integer(given, 0)], integer(given, 1), &status);
    reply("%d", status);
}

static void do_direction(const words *given)
{
    int32_t status = 0;
    HAL_SetDIODirection(dios[integer(given, 0)], integer(given, 1), &status);
    reply("%d", status);
}

static void do_freedio(const words *given)
{
    HAL_FreeDIOPort(dios[integer(given, 0)]);
    dios[integer(given, 0)] = 0;
    reply("ok");
}

static int32_t make_encoder(int32_t a, int32_t b, int32_t *status)
{
    if (HAL_GetPort == NULL) { // 2027 takes the channels themselves
        int32_t (*make)(int32_t a, int32_t b, int32_t reverse, int32_t encoding, int32_t * status);
        memcpy(&make, &HAL_InitializeEncoder, sizeof make);
        return make(a, b, 0, 2, status);
    }
    dios[a] = HAL_InitializeDIOPort(port_of(a), 1, "hal_host", status);
    dios[b] = HAL_InitializeDIOPort(port_of(b), 1, "hal_host", status);
    return HAL_InitializeEncoder(dios[a], 0, dios[b], 0, 0, 2, status);
}

static void do_encoder(const words *given)
{
    int32_t status = 0;
    const int32_t a = integer(given, 0);
    const int32_t b = integer(given, 1);
    encoders[a] = make_encoder(a, b, &status);
    reply("%d", status == 0 ? HAL_GetEncoderFPGAIndex(encoders[a], &status) : status);
}

static void do_resetencoder(const words *given)
{
    int32_t status = 0;
    HAL_ResetEncoder(encoders[integer(given, 0)], &status);
    reply("%d", status);
}

// freeencoder A B
static void do_freeencoder(const words *given)
{
    const int32_t a = integer(given, 0);
    const int32_t b = integer(given, 1);
    HAL_FreeEncoder(encoders[a]);
    if (HAL_GetPort != NULL) {
        HAL_FreeDIOPort(dios[a]);
        HAL_FreeDIOPort(dios[b]);
    }
    encoders[a] = dios[a] = dios[b] = 0;
    reply("ok");
}

static void do_enable(const words *given)
{
    HALSIM_SetDriverStationEnabled(integer(given, 0));
    reply("ok");
}

static void do_estop(const words *given)
{
    HALSIM_SetDriverStationEStop(integer(given, 0));
    reply("ok");
}

static void do_step(const words *given)
{
    (void)given;
    HAL_SimPeriodicBefore();
    HAL_SimPeriodicAfter();
    reply("ok");
}

static unsigned spin_us = 1000;

static void *step_for_ever(void *nothing)
{
    (void)nothing;
    for (;;) {
        HAL_SimPeriodicAfter();
        usleep(spin_us);
    }
    return NULL;
}

// spin [PERIOD_US]: another thread steps from now on, whatever this one does.
static void do_spin(const words *given)
{
    pthread_t thread;
    if (given->count > 0) {
        spin_us = (unsigned)integer(given, 0);
    }
    reply("%d", pthread_create(&thread, NULL, step_for_ever, NULL));
}

static void do_state(const words *given)
{
    (void)given;
    fputs("> ", answers);
    for (int32_t i = 0; i < 8; i++) {
        fprintf(answers, "enc%d=%d period%d=%.9g ", i, HALSIM_GetEncoderCount(i), i,
                HALSIM_GetEncoderPeriod(i));
    }
    for (int32_t i = 0; i < 31; i++) {
        fprintf(answers, "dio%d=%d ", i, HALSIM_GetDIOValue(i));
    }
    for (int32_t i = 0; i < 8; i++) {
        fprintf(answers, "ai%d=%.9g ", i, HALSIM_GetAnalogInVoltage(i));
    }
    if (HALSIM_GetAccelerometerX != NULL) {
        fprintf(answers, "acc=%.9g,%.9g,%.9g ", HALSIM_GetAccelerometerX(0),
                HALSIM_GetAccelerometerY(0), HALSIM_GetAccelerometerZ(0));
    }
    for (size_t i = 0; i < device_count; i++) {
        for (size_t n = 0; devices[i].handle != 0 && n < devices[i].value_count; n++) {
            hal_value value = { .type = 0 };
            HAL_GetSimValue(devices[i].values[n].handle, &value);
            const double shown = value.type == 2 ? value.data.as_double : value.data.as_int;
            fprintf(answers, "%s/%s=%.9g ", devices[i].name, devices[i].values[n].name, shown);
        }
    }
    fputs("\n", answers);
    fflush(answers);
}

static double cpu_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

// drive DEVICE VALUE TIMES [WAIT_US]: sets and steps, flat out; answers with the CPU time of one.
static void do_drive(const words *given)
{
    int32_t type;
    const int32_t handle = value_named(given->text[0], given->text[1], &type);
    const int32_t times = integer(given, 2);
    const double before_us = cpu_us();
    for (int32_t i = 0; i < times; i++) {
        const hal_value value = value_of(type, (double)(i % 100) / 100);
        HAL_SetSimValue(handle, &value);
        HAL_SimPeriodicAfter();
    }
    usleep((unsigned)(given->count > 3 ? integer(given, 3)
                                       : 0)); // what a queue still holds is part of it
    reply("%.4f", (cpu_us() - before_us) / times);
}

static int own_robot = -1;

// listen: this process is the robot too; before init.
static void do_listen(const words *given)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof address;
    own_robot = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind(own_robot, (struct sockaddr *)&address, size) != 0 ||
        getsockname(own_robot, (struct sockaddr *)&address, &size) != 0) {
        exit(2);
    }
    char port[8];
    snprintf(port, sizeof port, "%u", ntohs(address.sin_port));
    setenv(given->text[0], port, 1);
    reply("%s", port);
}

static int by_size(const void *a, const void *b)
{
    const double difference = *(const double *)a - *(const double *)b;
    return difference > 0 ? 1 : difference < 0 ? -1 : 0;
}

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

// latency TIMES: a step, then its datagram; answers with the median and the 99th percentile.
static void do_latency(const words *given)
{
    const size_t times = (size_t)integer(given, 0);
    double *const took_us = calloc(times, sizeof *took_us);
    char datagram[512];
    for (size_t i = 0; i < times; i++) {
        const double began_us = now_us();
        HAL_SimPeriodicAfter();
        if (recv(own_robot, datagram, sizeof datagram, 0) < 0) {
            exit(2);
        }
        took_us[i] = now_us() - began_us;
    }
    qsort(took_us, times, sizeof *took_us, by_size);
    reply("%.2f %.2f", took_us[times / 2], took_us[times * 99 / 100]);
    free(took_us);
}

static void do_analog(const words *given)
{
    reply("%g", HALSIM_GetAnalogInVoltage(integer(given, 0)));
}

static void do_cpu(const words *given)
{
    (void)given;
    reply("%.1f", cpu_us());
}

static void do_sleep(const words *given)
{
    usleep((unsigned)integer(given, 0));
    reply("ok");
}

static void do_init(const words *given)
{
    (void)given;
    reply("%d", HAL_Initialize(500, 0));
}

static void do_shutdown(const words *given)
{
    (void)given;
    HAL_Shutdown();
    reply("ok");
}

static void do_exit(const words *given)
{
    exit(given->count > 0 ? integer(given, 0) : 0);
}

static void do_fork(const words *given)
{
    (void)given;
    fflush(stdout);
    if (fork() == 0) {
        exit(0);
    }
    reply("ok");
}

static const struct {
    const char *name;
    void (*run)(const words *given);
} commands[] = {
    { "init", do_init },
    { "shutdown", do_shutdown },
    { "exit", do_exit },
    { "fork", do_fork },
    { "device", do_device },
    { "value", do_value },
    { "set", do_set },
    { "resetvalue", do_resetvalue },
    { "free", do_free },
    { "dio", do_dio },
    { "level", do_level },
    { "direction", do_direction },
    { "freedio", do_freedio },
    { "encoder", do_encoder },
    { "resetencoder", do_resetencoder },
    { "freeencoder", do_freeencoder },
    { "enable", do_enable },
    { "estop", do_estop },
    { "step", do_step },
    { "spin", do_spin },
    { "state", do_state },
    { "drive", do_drive },
    { "listen", do_listen },
    { "latency", do_latency },
    { "analog", do_analog },
    { "cpu", do_cpu },
    { "sleep", do_sleep },
};

static void run(const char *line)
{
    char name[64];
    words given;
    const int count = sscanf(line, "%63s %63s %63s %63s %63s", name, given.text[0], given.text[1],
                             given.text[2], given.text[3]);
    given.count = count - 1;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (count > 0 && strcmp(commands[i].name, name) == 0) {
            commands[i].run(&given);
            return;
        }
    }
    fprintf(stderr, "hal_host: what is %s", line);
    exit(2);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: ext_hal_host LIBWPIHAL [COMMAND...]\n");
        return 2;
    }
    load_hal(argv[1]);
    answers = fdopen(dup(STDOUT_FILENO), "w");
    if (answers == NULL) {
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        run(argv[i]);
    }
    char line[512];
    while (fgets(line, sizeof line, stdin) != NULL) {
        run(line);
    }
    return 0;
}
