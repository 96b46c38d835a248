// `halyard doctor` as its user runs it: robots, bad air and other people's programs over real sockets.
#include "cmocka_all.h"

#include <halyard/board.h>
#include <halyard/link.h>
#include <halyard/robot.h>
#include <halyard/wire.h>

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

#include "board_thread.h"
#include "program.h"
#include "udp_proxy.h"

#define OUTPUT_MAX 16384

typedef struct {
    int result;
    char output[OUTPUT_MAX]; // stdout and stderr
} visit;

static visit doctor(const char *const *arguments)
{
    const char *all[16] = { HALYARD_BINARY, "doctor" };
    for (size_t i = 0; arguments[i] != NULL; i++) {
        all[i + 2] = arguments[i];
    }
    visit v;
    program p = program_start(all);
    v.result = program_end(&p, v.output, sizeof v.output);
    return v;
}

#define DOCTOR(...) doctor((const char *const[]){ __VA_ARGS__, NULL })

static void expect(const visit *v, int result, const char *text)
{
    if (v->result != result || (text != NULL && strstr(v->output, text) == NULL)) {
        fail_msg("exit status %d instead of %d, or '%s' is missing from:\n%s", v->result, result,
                 text != NULL ? text : "", v->output);
    }
}

// The number behind "key": in its JSON; NAN-free because doctor writes none. Fails without it.
static double number(const visit *v, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *const at = strstr(v->output, quoted);
    char *end = NULL;
    const double value = at != NULL ? strtod(at + strlen(quoted), &end) : 0.0;
    if (at == NULL || end == at + strlen(quoted)) {
        fail_msg("no number %s in:\n%s", quoted, v->output);
    }
    return value;
}

static bool says(const visit *v, const char *text)
{
    return strstr(v->output, text) != NULL;
}

// Every line but doctor's complaints is one JSON object.
static void expect_json(const visit *v, unsigned objects)
{
    unsigned count = 0;
    for (const char *line = v->output; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        if (strncmp(line, "halyard doctor: ", 16) != 0 && strncmp(line, "asking ", 7) != 0) {
            yyjson_doc *const document = yyjson_read(line, length, 0);
            if (!yyjson_is_obj(yyjson_doc_get_root(document))) {
                fail_msg("no JSON object: %.*s", (int)length, line);
            }
            yyjson_doc_free(document);
            count++;
        }
        line += length + (line[length] == '\n');
    }
    assert_int_equal(count, objects);
}

static const char *url_of(const char *address)
{
    static char url[128];
    snprintf(url, sizeof url, "xrp://%s", address);
    return url;
}

static const char *url_at(const hy_endpoint *endpoint)
{
    char text[HY_ENDPOINT_TEXT_MAX];
    return url_of(hy_endpoint_format(endpoint, text));
}

// --------------------------------------------------------------------------- one board

static void test_a_free_board_is_looked_at_without_a_command(void **state)
{
    (void)state;
    board_thread *const board = board_thread_start("127.0.0.1");
    const visit v = DOCTOR("--json", "--duration", "1", url_of(board_thread_address(board)));
    assert_true(says(&v, "\"manner\":\"answers\""));
    assert_true(says(&v, "\"commanded\":false"));
    assert_true(says(&v, "\"owned\":false"));
    assert_true(says(&v, "\"dialect\":\"xrp\""));
    assert_true(number(&v, "answers") >= 1.0);
    const hy_board_counters counts = board_thread_counts(board);
    assert_int_equal(counts.commands, 0);
    assert_true(counts.probes_answered >= 4);
    board_thread_end(board);
}

static void test_an_exclusive_look_measures_the_stream(void **state)
{
    (void)state;
    board_thread *const board = board_thread_start("127.0.0.1");
    const visit v =
        DOCTOR("--exclusive", "--json", "--duration", "2", url_of(board_thread_address(board)));
    assert_true(says(&v, "\"commanded\":true"));
    assert_true(number(&v, "statuses") >= 5.0);
    assert_true(number(&v, "rate_hz") > 5.0 && number(&v, "rate_hz") < 60.0);
    assert_true(board_thread_counts(board).commands > 5);
    assert_false(board_thread_is_enabled(board));
    assert_true(board_thread_still_since_us(board) != INT64_MAX);
    board_thread_end(board);
}

// On a machine that has a second to itself now and then, an undisturbed robot is healthy.
static void test_a_healthy_robot_is_called_healthy(void **state)
{
    (void)state;
    board_thread *const board = board_thread_start("127.0.0.1");
    visit v = { .result = -1 };
    for (int i = 0; i < 20 && v.result != 0; i++) {
        v = DOCTOR("--exclusive", "--duration", "1.5", url_of(board_thread_address(board)));
    }
    expect(&v, 0, "Healthy.");
    expect(&v, 0, "statuses ");
    expect(&v, 0, "round trip ");
    board_thread_end(board);
}

static void test_several_robots_are_looked_at_in_turn(void **state)
{
    (void)state;
    board_thread *const one = board_thread_start("127.0.0.1"), *const two =
                                                                   board_thread_start("127.0.0.1");
    char first[128], second[128];
    snprintf(first, sizeof first, "xrp://%s", board_thread_address(one));
    snprintf(second, sizeof second, "xrp://%s/", board_thread_address(two));
    const visit v = DOCTOR("--json", "--duration", "0.5", first, second);
    expect_json(&v, 2);
    const char *const end_of_first = strchr(v.output, '\n');
    assert_non_null(end_of_first);
    const char *const in_second = strstr(v.output, board_thread_address(two));
    assert_true(strstr(v.output, board_thread_address(one)) < end_of_first);
    assert_true(in_second > end_of_first);
    assert_true(board_thread_counts(one).probes_answered >= 4);
    assert_true(board_thread_counts(two).probes_answered >= 4);
    board_thread_end(one);
    board_thread_end(two);
}

static void test_the_other_dialect_is_told(void **state)
{
    (void)state;
    board_thread *const board = board_thread_start("127.0.0.1");
    char url[128];
    snprintf(url, sizeof url, "teensy://%s", board_thread_address(board));
    const visit v = DOCTOR("--duration", "0.5", url);
    expect(&v, 1, "speaks another dialect");
    board_thread_end(board);
}

// --------------------------------------------------------------------------- nobody, or nobody who counts

static void test_a_silent_address(void **state)
{
    (void)state;
    hy_link silent;
    const hy_endpoint local = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 } };
    assert_int_equal(hy_link_open(&silent, &local), HY_OK);
    visit v = DOCTOR("--exclusive", url_at(&silent.local));
    expect(&v, 1, "No robot answers at 127.0.0.1:");
    expect(&v, 1, "halyard board xrp");
    size_t asked = 0, count;
    hy_datagram batch[HY_LINK_BATCH];
    while ((count = hy_link_receive(&silent, batch, HY_LINK_BATCH)) > 0) {
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(batch[i].bytes.size, 1); // no command to somebody who is no robot
        }
        asked += count;
    }
    assert_true(asked >= 3 && asked <= 18);
    hy_link_close(&silent);
    v = DOCTOR("--json", url_at(&silent.local)); // now nobody listens there at all
    assert_int_equal(v.result, 1);
    expect_json(&v, 1);
    assert_true(says(&v, "\"dialect\":null"));
    assert_true(says(&v, "\"healthy\":false"));
}

typedef struct {
    pthread_t thread;
    hy_link link;
    atomic_bool over;
} babbler;

static void *babble(void *context)
{
    babbler *const self = context;
    hy_random random = hy_random_seeded(7);
    while (!atomic_load(&self->over)) {
        struct pollfd socket = { .fd = (int)hy_link_descriptor(&self->link), .events = POLLIN };
        poll(&socket, 1, 10);
        hy_datagram batch[HY_LINK_BATCH];
        const size_t count = hy_link_receive(&self->link, batch, HY_LINK_BATCH);
        for (size_t i = 0; i < count; i++) {
            uint8_t bytes[1400];
            const size_t size = hy_random_below(&random, sizeof bytes);
            for (size_t k = 0; k < size; k++) {
                bytes[k] = (uint8_t)(hy_random_bits(&random) |
                                     0x80); // sizes that run past every datagram's end
            }
            hy_link_send(&self->link, &batch[i].peer, (hy_bytes){ bytes, size });
            hy_link_send(&self->link, &batch[i].peer, batch[i].bytes); // and an echo
        }
    }
    return NULL;
}

static void test_something_that_is_no_robot(void **state)
{
    (void)state;
    babbler self = { .over = false };
    const hy_endpoint local = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 } };
    assert_int_equal(hy_link_open(&self.link, &local), HY_OK);
    assert_int_equal(pthread_create(&self.thread, NULL, babble, &self), 0);
    const visit v = DOCTOR(url_at(&self.link.local));
    atomic_store(&self.over, true);
    pthread_join(self.thread, NULL);
    hy_link_close(&self.link);
    expect(&v, 1, "but not as a robot does");
}

// --------------------------------------------------------------------------- bad air

static visit through(board_thread *board, const udp_proxy_options *options, bool is_exclusive)
{
    hy_endpoint robot, address;
    assert_int_equal(hy_endpoint_parse(board_thread_address(board), 0, &robot), HY_OK);
    udp_proxy *const proxy = udp_proxy_start(&robot, options, &address);
    assert_non_null(proxy);
    const visit v = is_exclusive
                        ? DOCTOR("--exclusive", "--json", "--duration", "6", url_at(&address))
                        : DOCTOR("--json", "--duration", "6", url_at(&address));
    udp_proxy_stop(proxy);
    return v;
}

static void test_questions_that_get_lost(void **state)
{
    (void)state;
    board_thread *const board = board_thread_start("127.0.0.1");
    const udp_proxy_options air = { .seed = 3, .to_robot = { .loss = 0.3 } };
    const visit v = through(board, &air, false);
    assert_int_equal(v.result, 1);
    assert_true(says(&v, "\"kind\":\"unanswered\""));
    assert_true(number(&v, "answers") < 0.9 * number(&v, "probes"));
    board_thread_end(board);
}

// The proxy is one client to the board, so doctor finds no second one to ask: the stream comes all the same.
static void test_delays_are_measured(void **state)
{
    (void)state;
    board_thread *const board = board_thread_start("127.0.0.1");
    const udp_proxy_options air = { .seed = 5,
                                    .to_robot = { .delay_us = 60000 },
                                    .to_client = { .delay_us = 60000, .jitter_us = 20000 } };
    const visit v = through(board, &air, false);
    assert_int_equal(v.result, 1);
    assert_true(says(&v, "\"kind\":\"delay\""));
    const char *const round_trip = strstr(v.output, "\"round_trip\":{");
    assert_non_null(round_trip);
    const char *const median = strstr(round_trip, "\"median_ms\":");
    assert_non_null(median);
    assert_true(strtod(median + strlen("\"median_ms\":"), NULL) >= 120.0);
    board_thread_end(board);
}

// --------------------------------------------------------------------------- a stock robot

// The stock firmware's session on a thread, with bad air of its own on the way to doctor.
typedef struct {
    pthread_t thread;
    pthread_mutex_t lock; // of what follows
    hy_link link;
    hy_board *board;
    hy_random random;
    double loss;
    uint64_t commands, stops;
    hy_endpoint owner;
    uint64_t owner_statuses;
    bool was_driving;
    bool over;
} stock_robot;

static void serve_stock(stock_robot *self)
{
    static const hy_sensors sensors = { .accel_m_s2 = { 0, 0, 9.80665 }, .range_m = 1.0 };
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self->link, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        self->commands += batch[i].bytes.size >= HY_WIRE_HEADER_SIZE &&
                          !hy_endpoint_equal(&batch[i].peer, &self->owner);
        hy_board_receive(self->board, &batch[i].peer, batch[i].bytes, hy_clock_now_us());
    }
    hy_board_sense(self->board, &sensors, hy_clock_now_us());
    const bool drives = hy_board_actuators(self->board)->motor_duty[0] != 0.0;
    self->stops += self->was_driving && !drives;
    self->was_driving = drives;
    uint8_t status[HY_WIRE_STATUS_MAX];
    hy_endpoint to;
    for (size_t size; (size = hy_board_send(self->board, hy_clock_now_us(), &to,
                                            (hy_room){ status, sizeof status })) > 0;) {
        const bool is_owners = hy_endpoint_equal(&to, &self->owner);
        self->owner_statuses += is_owners;
        if (is_owners || hy_random_unit(&self->random) >= self->loss) {
            hy_link_send(&self->link, &to, (hy_bytes){ status, size });
        }
    }
}

static void *run_stock(void *context)
{
    stock_robot *const self = context;
    for (bool over = false; !over;) {
        struct pollfd socket = { .fd = (int)hy_link_descriptor(&self->link), .events = POLLIN };
        poll(&socket, 1, 1);
        pthread_mutex_lock(&self->lock);
        serve_stock(self);
        over = self->over;
        pthread_mutex_unlock(&self->lock);
    }
    return NULL;
}

static stock_robot *start_stock(double loss)
{
    stock_robot *const self = calloc(1, sizeof *self);
    assert_non_null(self);
    const hy_endpoint local = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 } };
    assert_int_equal(hy_link_open(&self->link, &local), HY_OK);
    const hy_board_options options = { .kind = &hy_board_xrp, .stock_bugs = true };
    self->board = hy_board_init(calloc(1, hy_board_size()), &options, hy_clock_now_us());
    self->random = hy_random_seeded(11);
    self->loss = loss;
    pthread_mutex_init(&self->lock, NULL);
    pthread_create(&self->thread, NULL, run_stock, self);
    return self;
}

static stock_robot stop_stock(stock_robot *self)
{
    pthread_mutex_lock(&self->lock);
    self->over = true;
    pthread_mutex_unlock(&self->lock);
    pthread_join(self->thread, NULL);
    hy_link_close(&self->link);
    free(self->board);
    const stock_robot last = *self;
    free(self);
    return last;
}

static void test_a_stock_robot_is_only_listened_to(void **state)
{
    (void)state;
    stock_robot *const robot = start_stock(0.0);
    const visit v = DOCTOR("--json", "--duration", "2", url_at(&robot->link.local));
    const stock_robot last = stop_stock(robot);
    assert_true(says(&v, "\"manner\":\"streams\""));
    assert_true(number(&v, "statuses") >= 5.0);
    assert_int_equal(number(&v, "lost"), 0);
    assert_int_equal(number(&v, "probes"), 0);
    assert_int_equal(last.commands, 0);
}

static void test_a_stock_robot_in_bad_air(void **state)
{
    (void)state;
    stock_robot *const robot = start_stock(0.3);
    const visit v = DOCTOR("--duration", "8", url_at(&robot->link.local));
    stop_stock(robot);
    expect(&v, 1, "% of its statuses get lost");
}

// --------------------------------------------------------------------------- a robot with another owner

typedef struct {
    pthread_t thread;
    hy_robot *robot;
    atomic_bool over, is_driving;
    uint64_t lost_robots;
} owner;

static void *drive(void *context)
{
    owner *const self = context;
    while (!atomic_load(&self->over)) {
        hy_robot_wait(self->robot, 10000);
        if (!hy_robot_is_enabled(self->robot)) {
            hy_robot_enable(self->robot);
        }
        hy_robot_set_efforts(self->robot, 0.5, 0.5);
        atomic_store(&self->is_driving, hy_robot_is_enabled(self->robot));
    }
    const hy_robot_counters counters = hy_robot_get_counters(self->robot);
    self->lost_robots = counters.lost_robots + counters.pauses;
    hy_robot_close(self->robot);
    return NULL;
}

static void start_owner(owner *self, const char *url)
{
    *self = (owner){ .robot = NULL };
    assert_int_equal(hy_robot_open(&self->robot, url), HY_OK);
    assert_int_equal(pthread_create(&self->thread, NULL, drive, self), 0);
}

static void end_owner(owner *self)
{
    atomic_store(&self->over, true);
    pthread_join(self->thread, NULL);
}

static void look_at_an_owned_board(bool is_exclusive)
{
    board_thread *const board = board_thread_start("127.0.0.1");
    char url[128];
    snprintf(url, sizeof url, "xrp://%s", board_thread_address(board));
    owner driver;
    start_owner(&driver, url);
    assert_true(board_thread_await_still(board, false, 20000000));
    const hy_board_counters before = board_thread_counts(board);
    const visit v = is_exclusive ? DOCTOR("--exclusive", "--duration", "2", url)
                                 : DOCTOR("--duration", "2", url);
    const hy_board_counters after = board_thread_counts(board);
    const bool still_drives = board_thread_still_since_us(board) == INT64_MAX;
    end_owner(&driver);
    board_thread_end(board);
    if (after.watchdog_trips != before.watchdog_trips || driver.lost_robots > 0) {
        return; // the machine held the owner up for half a second by itself: this run proves nothing
    }
    expect(&v, 1,
           is_exclusive ? "Another program commands this robot"
                        : "Another program seems to command this robot");
    assert_true(still_drives);
    assert_true(after.probes_answered > before.probes_answered);
    assert_int_equal(after.rx_strangers > before.rx_strangers, is_exclusive);
}

static void test_a_boards_owner_drives_on(void **state)
{
    (void)state;
    look_at_an_owned_board(false);
}

static void test_a_boards_owner_drives_on_against_exclusive(void **state)
{
    (void)state;
    look_at_an_owned_board(true);
}

static void test_a_stock_robots_owner_drives_on(void **state)
{
    (void)state;
    stock_robot *const robot = start_stock(0.0);
    const hy_endpoint address = robot->link.local;
    hy_link commands;
    assert_int_equal(hy_link_open_to(&commands, &address), HY_OK);
    pthread_mutex_lock(&robot->lock);
    robot->owner = commands.local; // bound to any address: the robot sees it come from loopback
    memcpy(robot->owner.ip, address.ip, sizeof address.ip);
    pthread_mutex_unlock(&robot->lock);
    const char *const arguments[] = { HALYARD_BINARY, "doctor", "--exclusive", url_at(&address),
                                      NULL };
    program p = { .pid = 0 };
    int64_t latest_us = hy_clock_now_us(), worst_us = 0;
    uint16_t seq = 0;
    for (bool over = false; !over;) { // 50 Hz; doctor comes once the robot drives
        const hy_wire_command command = { .seq = ++seq, .control = 1, .motors = 1, .motor = { 0.5F } };
        uint8_t bytes[HY_WIRE_COMMAND_MAX];
        const size_t size = hy_xrp_command_encode(&command, (hy_room){ bytes, sizeof bytes });
        hy_link_send(&commands, &address, (hy_bytes){ bytes, size });
        const int64_t now_us = hy_clock_now_us();
        worst_us = now_us - latest_us > worst_us ? now_us - latest_us : worst_us;
        latest_us = now_us;
        if (seq == 25) {
            p = program_start(arguments);
        }
        over = p.pid != 0 ? program_await(&p, NULL, 20000) : false;
        if (p.pid == 0) {
            usleep(20000);
        }
    }
    visit v;
    v.result = program_end(&p, v.output, sizeof v.output);
    const stock_robot last = stop_stock(robot);
    hy_link_close(&commands);
    assert_int_equal(last.commands, 0); // nothing but probes, --exclusive or not
    if (worst_us < 400000) {            // else this machine itself held the owner up
        assert_int_equal(last.stops, 0);
        assert_true(last.was_driving);
    }
    assert_int_equal(v.result, 1);
    assert_true(says(&v, "Another program seems to command this robot") ||
                says(&v, "No robot answers"));
}

// --------------------------------------------------------------------------- looking around

static int sh(const char *command)
{
    return system(command); // NOLINT(cert-env33-c): a test's own words
}

// A network of its own: doctor here, three boards in a namespace at the other end of a cable.
static void test_a_sweep_of_a_network(void **state)
{
    (void)state;
    if (geteuid() != 0 ||
        sh("unshare -n ip link add name a type veth peer name b >/dev/null 2>&1") != 0) {
        skip(); // no rights to lay cables here
    }
    char folder[] = "/tmp/halyard-doctor-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char path[128], command[4096];
    snprintf(path, sizeof path, "%s/out", folder);
    // The outer namespace is doctor's; the inner one, found by its process, has the boards.
    snprintf(
        command, sizeof command,
        "unshare -n sh -c '"
        "ip link set lo up; unshare -n sh -c \"sleep 60\" & inner=$!; sleep 0.5;"
        "ip link add name cable type veth peer name far netns $inner &&"
        "ip addr add 10.77.0.1/24 dev cable && ip link set cable up &&"
        "ip link add name wide type veth peer name wider && ip addr add 10.78.0.1/23 dev wide && "
        "ip link set wide "
        "up;"
        "n=\"nsenter -t $inner -n\"; $n ip link set far up;"
        "for i in 5 77 254; do $n ip addr add 10.77.0.$i/24 dev far; done;"
        "for i in 5 77; do $n %s board xrp --listen 10.77.0.$i:3540 >%s.$i 2>&1 & pids=\"$pids "
        "$!\"; done;"
        "$n %s board xrp --bugs stock --listen 10.77.0.254:3540 >%s.254 2>&1 & pids=\"$pids $!\";"
        "for i in 5 77 254; do t=0; until grep -q listening %s.$i || [ $t = 100 ]; do sleep 0.2; "
        "t=$((t+1)); done; done;"
        "%s doctor --sweep >%s 2>%s.err; echo result $? >>%s;"
        "%s doctor --sweep --json >%s.json 2>>%s.err;"
        "kill $pids $inner; wait' >%s.log 2>&1",
        HALYARD_BINARY, path, HALYARD_BINARY, path, path, HALYARD_BINARY, path, path, path,
        HALYARD_BINARY, path, path, path);
    (void)sh(command);
    visit v = { .result = 0 };
    static const char *const files[] = { "", ".json", ".err", ".log" };
    size_t used = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char name[160];
        snprintf(name, sizeof name, "%s%s", path, files[i]);
        FILE *const file = fopen(name, "r");
        used += file != NULL ? fread(v.output + used, 1, sizeof v.output - 1 - used, file) : 0;
        if (file != NULL) {
            fclose(file);
        }
    }
    v.output[used] = '\0';
    snprintf(command, sizeof command, "rm -r %s", folder);
    (void)sh(command);
    expect(&v, 0, "xrp://10.77.0.5 ");
    expect(&v, 0, "xrp://10.77.0.77 ");
    expect(&v, 0, "xrp://10.77.0.254 ");
    expect(&v, 0, "3 robots answered");
    expect(&v, 0, "nobody commands it"); // the stock one streams
    expect(&v, 0, "Not swept: wide (10.78.0.1/23) has 509 addresses");
    expect(&v, 0, "result 0");
    expect(&v, 0, "\"robots\":3");
    expect(&v, 0, "\"not_swept\":[{\"name\":\"wide\",\"prefix_bits\":23}]");
}

static void test_looking_around_without_a_sweep_asks_two_places(void **state)
{
    (void)state;
    const visit v = DOCTOR("--json");
    assert_true(v.result == 0 || v.result == 1); // whoever runs the test may have a robot here
    expect_json(&v, 1);
    assert_true(says(&v, "{\"asked\":2,"));
    assert_int_equal(v.result == 0, number(&v, "robots") > 0.0);
}

// --------------------------------------------------------------------------- the command line

// The report has what was measured, and nothing of who measured it or where. It is graded only with --exclusive.
static void test_a_report_names_nobody(void **state)
{
    (void)state;
    for (int is_exclusive = 0; is_exclusive < 2; is_exclusive++) {
        board_thread *const board = board_thread_start("127.0.0.1");
        const char *const address = board_thread_address(board);
        char file[] = "/tmp/halyard-report-XXXXXX", report[OUTPUT_MAX] = "", host[256] = "";
        close(mkstemp(file)); // which is replaced
        const visit v =
            DOCTOR("--duration", "1", "--report", file, "--calibration", "/home/somebody/mine.yaml",
                   url_of(address), is_exclusive ? "--exclusive" : NULL);
        const int descriptor = open(file, O_RDONLY);
        if (read(descriptor, report, sizeof report - 1) <= 0 || v.result == 2) {
            fail_msg("no report, but %d and:\n%s", v.result, v.output);
        }
        close(descriptor);
        unlink(file);
        static const char *const wanted[] = { "doctor " HY_VERSION " on ", " on this computer\n",
                                              " xrp, ", " mine.yaml\n" };
        for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
            assert_non_null(strstr(report, wanted[i]));
        }
        gethostname(host, sizeof host - 1);
        const char *const personal[] = { "127.0.0.1", strrchr(address, ':') + 1, "somebody", host };
        for (size_t i = 0; i < sizeof personal / sizeof personal[0]; i++) {
            if (personal[i][0] != '\0' && strstr(report, personal[i]) != NULL) {
                fail_msg("'%s' is in the report:\n%s", personal[i], report);
            }
        }
        assert_true((strstr(report, "conform, without motion: ") != NULL) == (is_exclusive == 1));
        assert_true((board_thread_counts(board).commands > 0) == (is_exclusive == 1));
        assert_true(board_thread_still_since_us(board) != INT64_MAX);
        board_thread_end(board);
    }
}

static void test_wrong_command_lines(void **state)
{
    (void)state;
    static const struct {
        const char *arguments[4], *sentence;
    } wrong[] = {
        { { "192.168.42.1" }, "'192.168.42.1' is no robot's address" },
        { { "xrp://" }, "is no robot's address" },
        { { "xrp://127.0.0.1:0" }, "is no robot's address" },
        { { "rover://127.0.0.1" }, "is no robot's address" },
        { { "--sweep", "xrp://127.0.0.1" }, "give one of the two" },
        { { "--exclusive" }, "--exclusive needs the URL" },
        { { "--report", "/tmp/report.txt" }, "--report needs the URL of one robot" },
        { { "--report", "/no-such-folder/r", "xrp://127.0.0.1" }, "cannot be written (No such" },
        { { "--calibration", "mine.yaml", "xrp://127.0.0.1" }, "--calibration needs --report" },
        { { "--duration", "0" }, "--duration must be between 0.2 and 600" },
        { { "--duration", "nan" }, "--duration needs a number" },
        { { "--port", "1" }, "unknown option '--port'" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const visit v = doctor(wrong[i].arguments);
        expect(&v, 2, wrong[i].sentence);
    }
}

static void test_help_and_names(void **state)
{
    (void)state;
    visit v = DOCTOR("--help");
    expect(&v, 0, "Usage: halyard doctor [URL...]");
    expect(&v, 0, "Exit status: 0 healthy");
    v = DOCTOR("xrp://no-such-robot.invalid");
    expect(&v, 1, "cannot find xrp://no-such-robot.invalid: the host name is not known");
    v = DOCTOR("--json", "xrp://no-such-robot.invalid");
    expect_json(&v, 1);
    expect(&v, 1,
           "{\"url\":\"xrp://no-such-robot.invalid\",\"healthy\":false,\"error\":\"cannot find");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_free_board_is_looked_at_without_a_command),
        cmocka_unit_test(test_an_exclusive_look_measures_the_stream),
        cmocka_unit_test(test_a_healthy_robot_is_called_healthy),
        cmocka_unit_test(test_several_robots_are_looked_at_in_turn),
        cmocka_unit_test(test_the_other_dialect_is_told),
        cmocka_unit_test(test_a_silent_address),
        cmocka_unit_test(test_something_that_is_no_robot),
        cmocka_unit_test(test_questions_that_get_lost),
        cmocka_unit_test(test_delays_are_measured),
        cmocka_unit_test(test_a_stock_robot_is_only_listened_to),
        cmocka_unit_test(test_a_stock_robot_in_bad_air),
        cmocka_unit_test(test_a_boards_owner_drives_on),
        cmocka_unit_test(test_a_boards_owner_drives_on_against_exclusive),
        cmocka_unit_test(test_a_stock_robots_owner_drives_on),
        cmocka_unit_test(test_a_sweep_of_a_network),
        cmocka_unit_test(test_looking_around_without_a_sweep_asks_two_places),
        cmocka_unit_test(test_a_report_names_nobody),
        cmocka_unit_test(test_wrong_command_lines),
        cmocka_unit_test(test_help_and_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
