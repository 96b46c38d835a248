// How long a command takes to the board and a status back, over a link and a loop on the robot's
// side and a link on the client's, against two bare echoes that know nothing, with datagrams of the
// same lengths: blocking recvfrom() and sendto() at both ends, which serves one socket and nothing
// else, and the same behind a poll(), which a program with several sockets or a clock cannot go
// without. Two threads each; the ways take turns, so that all see the same machine. The board's clock moves on by one status period a command, so
// that every command is followed by a status at once. Measured with both threads on one core, where
// no time is lost for waking another, and across two, as robot and client on a desk have it.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "measure.h"

#include <halyard/board.h>
#include <halyard/link.h>
#include <halyard/wire.h>

#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#define ROUNDS       201
#define TRIPS        50 // a round
#define STATUS_SIZE  128
#define COMMAND_SIZE 45
#define ECHO_ROOM    2048 // for the bare echo's datagrams

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

// --------------------------------------------------------------------------- link and board

typedef struct {
    hy_link link;
    hy_loop loop;
    hy_board *board;
    int64_t board_us;
    pthread_t thread;
} robot;

static void on_readable(void *context, int64_t now_us)
{
    robot *self = context;
    (void)now_us;
    hy_datagram commands[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self->link, commands, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        hy_board_receive(self->board, &commands[i].peer, commands[i].bytes, self->board_us);
    }
    static const hy_sensors at_rest = { .range_m = 1.0 };
    self->board_us += HY_XRP_STATUS_PERIOD_US;
    hy_board_sense(self->board, &at_rest, self->board_us);

    uint8_t bytes[HY_WIRE_STATUS_MAX];
    hy_endpoint to;
    size_t size;
    while ((size = hy_board_send(self->board, self->board_us, &to,
                                 (hy_room){ bytes, sizeof bytes })) > 0) {
        hy_link_send(&self->link, &to, (hy_bytes){ bytes, size });
    }
}

static void *run_robot(void *context)
{
    robot *self = context;
    hy_loop_run(&self->loop); // until the program ends
    return NULL;
}

typedef struct {
    hy_link link;
    hy_endpoint robot;
    hy_wire_command command;
} client;

static void trip_by_link(client *self)
{
    uint8_t bytes[HY_WIRE_COMMAND_MAX];
    hy_datagram status[1];
    self->command.seq++;
    const size_t size = hy_xrp_command_encode(&self->command, (hy_room){ bytes, sizeof bytes });
    if (size != COMMAND_SIZE ||
        hy_link_send(&self->link, &self->robot, (hy_bytes){ bytes, size }) != HY_OK) {
        fail("hy_link_send");
    }
    struct pollfd watched = { .fd = (int)hy_link_descriptor(&self->link), .events = POLLIN };
    do {
        if (poll(&watched, 1, -1) != 1) {
            fail("poll");
        }
    } while (hy_link_receive(&self->link, status, 1) == 0);
    if (status[0].bytes.size != STATUS_SIZE) {
        fail("not a status");
    }
}

static void start_robot(robot *self, const hy_endpoint *home)
{
    static const hy_board_options options = { .kind = &hy_board_xrp };
    self->board = hy_board_init(malloc(hy_board_size()), &options, 0);
    hy_loop_init(&self->loop);
    if (hy_link_open(&self->link, home) != HY_OK ||
        hy_loop_watch(&self->loop, hy_link_descriptor(&self->link), on_readable, self) != HY_OK ||
        pthread_create(&self->thread, NULL, run_robot, self) != 0) {
        fail("start_robot");
    }
}

static void start_client(client *self, const hy_endpoint *peer)
{
    self->robot = *peer;
    self->command = (hy_wire_command){ .control = 1, .motors = 0x0f, .servos = 0x03 };
    if (hy_link_open_to(&self->link, peer) != HY_OK) {
        fail("start_client");
    }
}

// --------------------------------------------------------------------------- bare echo

typedef struct {
    int server, client;
    bool polls;
    struct sockaddr_in address;
    pthread_t thread;
} echo;

static void await(const echo *self, int socket)
{
    struct pollfd watched = { .fd = socket, .events = POLLIN };
    if (self->polls && poll(&watched, 1, -1) != 1) {
        fail("poll");
    }
}

static void *run_echo(void *context)
{
    const echo *self = context;
    uint8_t bytes[ECHO_ROOM] = { 0 };
    for (;;) { // until the program ends
        struct sockaddr_in from;
        socklen_t size = sizeof from;
        await(self, self->server);
        if (recvfrom(self->server, bytes, sizeof bytes, 0, (struct sockaddr *)&from, &size) !=
                COMMAND_SIZE ||
            sendto(self->server, bytes, STATUS_SIZE, 0, (struct sockaddr *)&from, size) !=
                STATUS_SIZE) {
            fail("echo");
        }
    }
    return NULL;
}

static void trip_bare(echo *self)
{
    uint8_t bytes[ECHO_ROOM] = { 0 };
    struct sockaddr_in from;
    socklen_t size = sizeof from;
    if (sendto(self->client, bytes, COMMAND_SIZE, 0, (struct sockaddr *)&self->address,
               sizeof self->address) != COMMAND_SIZE) {
        fail("bare trip");
    }
    await(self, self->client);
    if (recvfrom(self->client, bytes, sizeof bytes, 0, (struct sockaddr *)&from, &size) !=
        STATUS_SIZE) {
        fail("bare trip");
    }
}

static void start_echo(echo *self)
{
    self->server = socket(AF_INET, SOCK_DGRAM, 0);
    self->client = socket(AF_INET, SOCK_DGRAM, 0);
    self->address =
        (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof self->address;
    if (bind(self->server, (struct sockaddr *)&self->address, size) != 0 ||
        getsockname(self->server, (struct sockaddr *)&self->address, &size) != 0 ||
        pthread_create(&self->thread, NULL, run_echo, self) != 0) {
        fail("start_echo");
    }
}

// --------------------------------------------------------------------------- measuring

typedef struct {
    robot robot;
    client client;
    echo echo, polling;
    size_t cores[2]; ///< The first two that this program may use.
    int core_count;
} stage;

static void find_cores(stage *s)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        fail("sched_getaffinity");
    }
    for (size_t core = 0; core < CPU_SETSIZE && s->core_count < 2; core++) {
        if (CPU_ISSET(core, &allowed)) {
            s->cores[s->core_count++] = core;
        }
    }
}

static void pin(pthread_t thread, size_t core)
{
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(core, &only);
    if (pthread_setaffinity_np(thread, sizeof only, &only) != 0) {
        fail("pthread_setaffinity_np");
    }
}

static void measure(stage *s, const char *where, size_t server_core, size_t client_core)
{
    static double link_us[ROUNDS], bare_us[ROUNDS], ratio[ROUNDS], poll_ratio[ROUNDS];
    pin(s->robot.thread, server_core);
    pin(s->echo.thread, server_core);
    pin(s->polling.thread, server_core);
    pin(pthread_self(), client_core);
    for (size_t i = 0; i < ROUNDS; i++) {
        const double began = measure_now_ns();
        for (size_t trip = 0; trip < TRIPS; trip++) {
            trip_bare(&s->echo);
        }
        const double between = measure_now_ns();
        for (size_t trip = 0; trip < TRIPS; trip++) {
            trip_by_link(&s->client);
        }
        const double behind = measure_now_ns();
        for (size_t trip = 0; trip < TRIPS; trip++) {
            trip_bare(&s->polling);
        }
        bare_us[i] = (between - began) / 1e3 / TRIPS;
        link_us[i] = (behind - between) / 1e3 / TRIPS;
        ratio[i] = link_us[i] / bare_us[i];
        poll_ratio[i] = (behind - between) / (measure_now_ns() - behind);
    }
    printf("round trip, %-16s link and board %5.1f us, bare echo %5.1f us, ratio %.2f; of an echo "
           "that "
           "polls %.2f\n",
           where, measure_median(link_us, ROUNDS), measure_median(bare_us, ROUNDS),
           measure_median(ratio, ROUNDS), measure_median(poll_ratio, ROUNDS));
}

int main(void)
{
    static stage s;
    hy_endpoint home;
    hy_endpoint_parse("127.0.0.1:0", 0, &home);
    find_cores(&s);
    start_robot(&s.robot, &home);
    start_client(&s.client, &s.robot.link.local);
    start_echo(&s.echo);
    s.polling.polls = true;
    start_echo(&s.polling);
    measure(&s, "on one core", s.cores[0], s.cores[0]);
    if (s.core_count > 1) {
        measure(&s, "across two cores", s.cores[0], s.cores[1]);
    }
    return 0;
}
