// What the machine rarely does on its own: full buffers, interrupted calls, batches cut short,
// failing sockets. This program has its own versions of the system's calls, which follow a script
// and count how often they are called. They are Linux's; elsewhere there is nothing to run.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "cmocka_all.h"

#include <halyard/link.h>

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// --------------------------------------------------------------------------- the scripted system

#define PASS 1000 // send the whole batch, as a system in good mood does

/// What one call returns: a count if positive, else the negative errno.
typedef struct {
    int steps[600];
    size_t length, next;
    size_t calls;
} script;

static script sends, receives, waits, sockets, pipes, lookups, allocations, settings, names, reports;

/// How long the last wait may last; negative: without end.
static struct timespec last_wait;
/// What a lookup finds.
static struct addrinfo *answers;
/// How often the system was asked for the datagrams that it dropped.
static int overflow_questions;
static uint32_t losses; // that datagrams are stamped with

/// Stamps of the datagrams that the next call brings, in nanoseconds of the clock for dates; 0: none.
static int64_t stamps_ns[HY_LINK_BATCH];
/// By how much each clock differs from the system's.
static int64_t date_offset_ns, monotonic_offset_ns;
/// If not 0: the clock that only goes forward stands there, but for its offset.
static int64_t frozen_ns;
/// The call to receive at which a second passes, at the end of which its last datagram arrives; 0: none.
static size_t flood_after_calls;
/// From which port the last datagram of a batch comes; the others are from port 0.
static uint16_t last_port;

static void play(script *s, const int *steps, size_t length)
{
    *s = (script){ .length = length };
    assert_true(length <= sizeof s->steps / sizeof s->steps[0]);
    memcpy(s->steps, steps, length * sizeof steps[0]);
}
#define PLAY(script, ...)                         \
    play(&(script), (const int[]){ __VA_ARGS__ }, \
         sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int))

static int next_step(script *s)
{
    s->calls++;
    const int step = s->next < s->length ? s->steps[s->next++] : PASS;
    if (step < 0) {
        errno = -step;
        return -1;
    }
    return step;
}

// NOLINTBEGIN: how these look is the system's choice

int sendmmsg(int socket, struct mmsghdr *messages, unsigned count, int flags)
{
    (void)socket;
    (void)messages;
    (void)flags;
    const int step = next_step(&sends);
    return step > (int)count ? (int)count : step;
}

static void fill_sender(void *name, uint16_t port)
{
    const struct sockaddr_in from = { .sin_family = AF_INET, .sin_port = htons(port) };
    memcpy(name, &from, sizeof from);
}

static void fill_stamp(struct msghdr *message, int64_t stamp_ns)
{
    if (stamp_ns == 0 || message->msg_controllen == 0) { // nobody asks
        message->msg_controllen = 0;
        return;
    }
    const struct timespec stamp = { .tv_sec = (time_t)(stamp_ns / 1000000000),
                                    .tv_nsec = (long)(stamp_ns % 1000000000) };
    struct cmsghdr *const header = message->msg_control;
    assert_true(message->msg_controllen >= CMSG_SPACE(sizeof stamp));
    *header = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof stamp),
                                .cmsg_level = SOL_SOCKET,
                                .cmsg_type = SO_TIMESTAMPNS };
    memcpy(CMSG_DATA(header), &stamp, sizeof stamp);
    if (losses == 0) {
        message->msg_controllen = CMSG_SPACE(sizeof stamp);
        return;
    }
    assert_true(message->msg_controllen >= CMSG_SPACE(sizeof stamp) + CMSG_SPACE(sizeof losses));
    struct cmsghdr *const second = CMSG_NXTHDR(message, header);
    *second = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof losses),
                                .cmsg_level = SOL_SOCKET,
                                .cmsg_type = SO_RXQ_OVFL };
    memcpy(CMSG_DATA(second), &losses, sizeof losses);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const int result = (int)syscall(SYS_clock_gettime, clock, now);
    const int64_t offset_ns = clock == CLOCK_REALTIME    ? date_offset_ns
                              : clock == CLOCK_MONOTONIC ? monotonic_offset_ns
                                                         : 0;
    const int64_t system_ns = (int64_t)now->tv_sec * 1000000000 + now->tv_nsec;
    const bool is_frozen = clock == CLOCK_MONOTONIC && frozen_ns != 0;
    const int64_t ns = (is_frozen ? frozen_ns : system_ns) + offset_ns;
    *now =
        (struct timespec){ .tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000) };
    return result;
}

int recvmmsg(int socket, struct mmsghdr *messages, unsigned count, int flags,
             struct timespec *timeout)
{
    (void)socket;
    (void)flags;
    (void)timeout;
    const int step = next_step(&receives);
    if (receives.calls ==
        flood_after_calls) { // the last datagram of this call arrives a second from now
        date_offset_ns += 1000000000;
        monotonic_offset_ns += 1000000000;
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        stamps_ns[count - 1] = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    }
    for (int i = 0; i < step && i < (int)count; i++) {
        fill_sender(messages[i].msg_hdr.msg_name, i + 1 == (int)count ? last_port : 0);
        fill_stamp(&messages[i].msg_hdr, stamps_ns[i]);
        messages[i].msg_len = 1;
    }
    return step > (int)count ? (int)count : step;
}

// glibc declares the two with a union of pointers in place of the address, which gcc accepts for
// these definitions but remarks on.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

ssize_t sendto(int socket, const void *bytes, size_t size, int flags, const struct sockaddr *to,
               socklen_t to_size)
{
    (void)socket;
    (void)bytes;
    (void)flags;
    (void)to;
    (void)to_size;
    return next_step(&sends) < 0 ? -1 : (ssize_t)size;
}

ssize_t recvfrom(int socket, void *bytes, size_t size, int flags, struct sockaddr *from,
                 socklen_t *from_size)
{
    (void)socket;
    (void)bytes;
    (void)size;
    (void)flags;
    (void)from_size;
    const int step = next_step(&receives);
    if (step >= 0) {
        fill_sender(from, 0);
    }
    return step < 0 ? -1 : 1;
}

int getsockname(int socket, struct sockaddr *address, socklen_t *size)
{
    return next_step(&names) < 0 ? -1 : (int)syscall(SYS_getsockname, socket, address, size);
}

#pragma GCC diagnostic pop

/// The network's reports, as many as the script has steps.
ssize_t recvmsg(int socket, struct msghdr *message, int flags)
{
    (void)socket;
    (void)message;
    assert_true((flags & MSG_ERRQUEUE) != 0);
    errno = EAGAIN;
    return reports.next < reports.length ? next_step(&reports) : -1;
}

int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout,
          const sigset_t *mask)
{
    (void)mask;
    last_wait = timeout != NULL ? *timeout : (struct timespec){ .tv_sec = -1 };
    for (nfds_t i = 0; i < count; i++) {
        descriptors[i].revents = 0;
    }
    const int step = next_step(&waits);
    return step == PASS ? 0 : step;
}

int socket(int family, int type, int protocol)
{
    const int step = next_step(&sockets);
    return step < 0 ? -1 : (int)syscall(SYS_socket, family, type, protocol);
}

int pipe(int ends[2])
{
    const int step = next_step(&pipes);
    return step < 0 ? -1 : pipe2(ends, 0);
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return next_step(&allocations) < 0 ? NULL : __real_malloc(size);
}

int getsockopt(int socket, int level, int option, void *value, socklen_t *size)
{
    overflow_questions += level == SOL_SOCKET && option == SO_MEMINFO;
    return (int)syscall(SYS_getsockopt, socket, level, option, value, size);
}

int fcntl(int descriptor, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    const int argument = command == F_GETFL ? 0 : va_arg(arguments, int);
    va_end(arguments);
    const int step = next_step(&settings);
    return step < 0 ? -1 : (int)syscall(SYS_fcntl, descriptor, command, argument);
}

/// Finds `answers` at step 0; else fails with the step of its script, which is not an errno here.
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **out)
{
    (void)name;
    (void)service;
    (void)hints;
    *out = answers;
    const int step = next_step(&lookups);
    return step < 0 ? -errno : step;
}

void freeaddrinfo(struct addrinfo *found)
{
    assert_ptr_equal(found, answers);
}

// NOLINTEND

// --------------------------------------------------------------------------- helpers

enum { MANY = 100 };

static hy_link link_under_test;
static hy_datagram many[MANY];

static int open_link(void **state)
{
    (void)state;
    static uint8_t bytes[10];
    hy_endpoint local;
    hy_endpoint_parse("127.0.0.1:0", 0, &local);
    PLAY(sends, PASS);
    PLAY(receives, PASS);
    memset(stamps_ns, 0, sizeof stamps_ns);
    date_offset_ns = monotonic_offset_ns = frozen_ns = 0;
    flood_after_calls = 0;
    if (hy_link_open(&link_under_test, &local) != HY_OK) {
        return -1;
    }
    for (size_t i = 0; i < MANY; i++) {
        many[i] = (hy_datagram){ .peer = link_under_test.local, .bytes = { bytes, sizeof bytes } };
    }
    return 0;
}

static int close_link(void **state)
{
    (void)state;
    hy_link_close(&link_under_test);
    return 0;
}

static void expect_sent(uint64_t sent, uint64_t full, uint64_t unreachable, uint64_t errors)
{
    const hy_link_counters *counters = &link_under_test.counters;
    assert_int_equal(counters->tx_datagrams, sent);
    assert_int_equal(counters->tx_bytes, sent * 10);
    assert_int_equal(counters->tx_full, full);
    assert_int_equal(counters->tx_unreachable, unreachable);
    assert_int_equal(counters->tx_errors, errors);
}

// --------------------------------------------------------------------------- opening, resolving

static void each_refusal_to_open_has_its_status(void **state)
{
    (void)state;
    static const struct {
        int error;
        hy_status status;
    } cases[] = { { EACCES, HY_EPERMISSION },
                  { EPERM, HY_EPERMISSION },
                  { EMFILE, HY_ESYSTEM },
                  { ENOBUFS, HY_ESYSTEM },
                  { EAFNOSUPPORT, HY_EADDRESS } };
    static hy_link link;
    const hy_endpoint local = link_under_test.local;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        PLAY(sockets, -cases[i].error, -cases[i].error);
        assert_int_equal(hy_link_open(&link, &local), cases[i].status);
        assert_int_equal(hy_link_open_to(&link, &local), cases[i].status);
        hy_link_close(&link); // harmless
    }
}

static void a_socket_that_cannot_be_set_up_is_closed_again(void **state)
{
    (void)state;
    static hy_link link;
    const hy_endpoint local = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 } };
    const int first_free = dup(0);
    close(first_free);
    PLAY(settings, -EMFILE); // F_GETFL
    assert_int_equal(hy_link_open(&link, &local), HY_ESYSTEM);
    PLAY(settings, PASS, -EMFILE); // O_NONBLOCK
    assert_int_equal(hy_link_open(&link, &local), HY_ESYSTEM);
    PLAY(settings, PASS, PASS, -EMFILE); // FD_CLOEXEC
    assert_int_equal(hy_link_open(&link, &local), HY_ESYSTEM);
    PLAY(settings, PASS);
    PLAY(names, -ENOBUFS); // getsockname(): whoever opens it would not know its port
    assert_int_equal(hy_link_open(&link, &local), HY_ESYSTEM);
    const int next_free = dup(0);
    assert_int_equal(next_free, first_free);
    close(next_free);
}

static void a_link_without_memory_stays_closed(void **state)
{
    (void)state;
    static hy_link link;
    const hy_endpoint home = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 } };
    PLAY(allocations, -ENOMEM, -ENOMEM);
    assert_int_equal(hy_link_open(&link, &home), HY_EMEMORY);
    hy_link_close(&link); // harmless
    assert_int_equal(hy_link_open_to(&link, &link_under_test.local), HY_EMEMORY);
    hy_link_close(&link);
    const int next_free = dup(0); // and no socket stays open
    assert_int_equal(next_free, (int)hy_link_descriptor(&link_under_test) + 1);
    close(next_free);
}

static void each_way_not_to_find_a_name_has_its_status(void **state)
{
    (void)state;
    static const struct {
        int error;
        hy_status status;
    } cases[] = { { EAI_NONAME, HY_ENAME }, { EAI_AGAIN, HY_ENAME },    { EAI_FAIL, HY_ENAME },
                  { EAI_FAMILY, HY_ENAME }, { EAI_MEMORY, HY_EMEMORY }, { EAI_SYSTEM, HY_ESYSTEM } };
    hy_endpoint found[1];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        PLAY(lookups, cases[i].error);
        assert_int_equal(hy_link_resolve("robot", 1, found, 1), cases[i].status);
        assert_int_equal(lookups.calls, 1);
    }
    // A literal and a text that can be neither literal nor name ask nobody.
    PLAY(lookups, EAI_NONAME);
    assert_int_equal(hy_link_resolve("127.0.0.1", 1, found, 1), 1);
    assert_int_equal(hy_link_resolve("127.1", 1, found, 1), HY_EADDRESS);
    assert_int_equal(lookups.calls, 0);
    // Zeros and an 'x' in it do not make a name a number.
    PLAY(lookups, EAI_NONAME, EAI_NONAME, EAI_NONAME);
    assert_int_equal(hy_link_resolve("0robot", 1, found, 1), HY_ENAME);
    assert_int_equal(hy_link_resolve("axle", 1, found, 1), HY_ENAME);
    assert_int_equal(hy_link_resolve("10.0.0.1.robot", 1, found, 1), HY_ENAME);
    assert_int_equal(lookups.calls, 3);
}

/// Of the families in their order, with addresses that count up from `1`.
static void answer(const int *families, size_t count)
{
    static struct sockaddr_storage addresses[8];
    static struct addrinfo list[8];
    assert_true(count <= 8);
    for (size_t i = 0; i < count; i++) {
        struct sockaddr_in four = { .sin_family = AF_INET };
        struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
        four.sin_addr.s_addr = htonl(0x0a000001U + (uint32_t)i);
        six.sin6_addr.s6_addr[15] = (uint8_t)(1 + i);
        const bool is_ipv4 = families[i] == AF_INET;
        memcpy(&addresses[i], is_ipv4 ? (void *)&four : (void *)&six,
               is_ipv4 ? sizeof four : sizeof six);
        list[i] = (struct addrinfo){ .ai_family = families[i],
                                     .ai_addr = (struct sockaddr *)&addresses[i],
                                     .ai_addrlen = is_ipv4 ? sizeof four : sizeof six,
                                     .ai_next = i + 1 < count ? &list[i + 1] : NULL };
    }
    answers = list;
}
#define ANSWER(...) \
    answer((const int[]){ __VA_ARGS__ }, sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int))

static void ipv4_comes_first_and_no_more_than_there_is_room_for(void **state)
{
    (void)state;
    static const uint8_t in_order[] = { 2, 4, 1, 3 }; // last byte of the addresses
    for (size_t room = 0; room <= 5; room++) {
        hy_endpoint found[6];
        memset(found, 0xee, sizeof found);
        ANSWER(AF_INET6, AF_INET, AF_INET6, AF_INET, AF_UNIX);
        PLAY(lookups, 0);
        const size_t count = room < 4 ? room : 4;
        assert_int_equal(hy_link_resolve("robot:7", 1, found, room), count);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(found[i].ip[15], in_order[i]);
            assert_int_equal(hy_endpoint_is_ipv4(&found[i]), i < 2);
            assert_int_equal(found[i].port, 7);
        }
        assert_int_equal(found[count].port, 0xeeee); // untouched
    }
    ANSWER(AF_UNIX);
    PLAY(lookups, 0);
    hy_endpoint none[1];
    assert_int_equal(hy_link_resolve("robot", 1, none, 1), HY_ENAME);
    // An address that is longer than any of its family would leave its room.
    ANSWER(AF_INET);
    answers->ai_addrlen = sizeof(struct sockaddr_storage);
    PLAY(lookups, 0);
    assert_int_equal(hy_link_resolve("robot", 1, none, 1), HY_ENAME);
}

// --------------------------------------------------------------------------- sending

static void a_batch_costs_one_call_for_32(void **state)
{
    (void)state;
    assert_int_equal(hy_link_send_batch(&link_under_test, many, 32), 32);
    assert_int_equal(sends.calls, 1);
    PLAY(sends, PASS);
    assert_int_equal(hy_link_send_batch(&link_under_test, many, MANY), MANY);
    assert_int_equal(sends.calls, 4);
    expect_sent(32 + MANY, 0, 0, 0);
}

static void a_full_buffer_ends_the_batch(void **state)
{
    (void)state;
    static const int full[] = { EAGAIN, ENOBUFS };
    for (size_t i = 0; i < 2; i++) {
        PLAY(sends, 32, 20, -full[i]);
        assert_int_equal(hy_link_send_batch(&link_under_test, many, MANY), 52);
    }
    expect_sent(104, 96, 0, 0);
    PLAY(sends, -EAGAIN);
    assert_int_equal(hy_link_send(&link_under_test, &many[0].peer, many[0].bytes), HY_AGAIN);
    expect_sent(104, 97, 0, 0);
}

static void a_refused_datagram_is_skipped(void **state)
{
    (void)state;
    PLAY(sends, 5, -EPERM, 20, -ENETUNREACH, -EHOSTUNREACH, -ENETDOWN);
    assert_int_equal(hy_link_send_batch(&link_under_test, many, MANY), MANY);
    expect_sent(MANY - 4, 0, 3, 1);
}

static void each_refusal_has_its_status(void **state)
{
    (void)state;
    static const struct {
        int error;
        hy_status status;
    } cases[] = { { EAGAIN, HY_AGAIN },
                  { ENOBUFS, HY_AGAIN },
                  { ENETUNREACH, HY_EUNREACHABLE },
                  { EHOSTUNREACH, HY_EUNREACHABLE },
                  { ECONNREFUSED, HY_EUNREACHABLE },
                  { EPERM, HY_ESYSTEM },
                  { EMSGSIZE, HY_ESYSTEM },
                  { EBADF, HY_ESYSTEM } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        PLAY(sends, -cases[i].error);
        assert_int_equal(hy_link_send(&link_under_test, &many[0].peer, many[0].bytes),
                         cases[i].status);
    }
    expect_sent(0, 2, 3, 3);
}

static void an_interrupted_send_is_sent_again(void **state)
{
    (void)state;
    PLAY(sends, -EINTR, -EINTR, PASS);
    assert_int_equal(hy_link_send(&link_under_test, &many[0].peer, many[0].bytes), HY_OK);
    assert_int_equal(sends.calls, 3);
    expect_sent(1, 0, 0, 0);
    PLAY(sends, PASS); // one without bytes is sent, whatever was interrupted before
    errno = EINTR;
    assert_int_equal(
        hy_link_send(&link_under_test, &many[0].peer, (hy_bytes){ many[0].bytes.data, 0 }), HY_OK);
    assert_int_equal(sends.calls, 1);
}

// --------------------------------------------------------------------------- receiving

static void a_batch_is_received_in_one_call(void **state)
{
    (void)state;
    hy_datagram got[HY_LINK_BATCH + 8];
    PLAY(receives, PASS);
    assert_int_equal(hy_link_receive(&link_under_test, got, HY_LINK_BATCH + 8), HY_LINK_BATCH);
    assert_int_equal(receives.calls, 1);
    PLAY(receives, -EAGAIN);
    assert_int_equal(hy_link_receive(&link_under_test, got, HY_LINK_BATCH), 0);
    assert_int_equal(receives.calls, 1);
}

static void an_interrupted_receive_is_done_again(void **state)
{
    (void)state;
    hy_datagram got[2];
    for (size_t room = 1; room <= 2; room++) {
        PLAY(receives, -EINTR, -EINTR, 1);
        assert_int_equal(hy_link_receive(&link_under_test, got, room), 1);
        assert_int_equal(receives.calls, 3);
    }
    assert_int_equal(link_under_test.counters.rx_errors, 0);
}

static void a_failing_receive_is_counted_and_does_not_hang(void **state)
{
    (void)state;
    hy_datagram got[2];
    PLAY(receives, -ECONNREFUSED, 2);
    assert_int_equal(hy_link_receive(&link_under_test, got, 2), 2);
    assert_int_equal(link_under_test.counters.rx_errors, 1);
    PLAY(receives, -EBADF, -EBADF, -EBADF, -EBADF, -EBADF, -EBADF, -EBADF, -EBADF);
    assert_int_equal(hy_link_receive(&link_under_test, got, 2), 0);
    assert_int_equal(receives.calls, 8);
    assert_int_equal(link_under_test.counters.rx_errors, 9);
}

// The error that a report causes and the report are one.
static void a_report_and_its_error_count_once(void **state)
{
    (void)state;
    static hy_link link;
    hy_datagram got[2];
    assert_int_equal(hy_link_open_to(&link, &link_under_test.local), HY_OK);
    static const uint64_t errors[] = { 1, 1, 2 }; // with no report, with one, with two
    for (size_t i = 0; i < 3; i++) {
        const uint64_t before = link.counters.rx_errors;
        PLAY(receives, -ECONNREFUSED, -EAGAIN);
        play(&reports, (const int[]){ 0, 0 }, i);
        assert_int_equal(hy_link_receive(&link, got, 2), 0);
        assert_int_equal(link.counters.rx_errors - before, errors[i]);
    }
    hy_link_close(&link);
}

// Whoever can have the network report without end holds nobody: what is left is taken the next time.
static void no_flood_of_reports_holds_the_caller(void **state)
{
    (void)state;
    static hy_link link;
    static const int endless[600];
    hy_datagram got[1];
    assert_int_equal(hy_link_open_to(&link, &link_under_test.local), HY_OK);
    PLAY(receives, -EAGAIN);
    play(&reports, endless, sizeof endless / sizeof endless[0]);
    assert_int_equal(hy_link_receive(&link, got, 1), 0);
    assert_int_equal(link.counters.rx_errors, 512);
    hy_link_close(&link);
}

// --------------------------------------------------------------------------- when a datagram arrived

#define S_NS INT64_C(1000000000)
#define S_US INT64_C(1000000)

static int64_t date_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * S_NS + now.tv_nsec;
}

/// Time passes for the program, as while it is stopped.
static void pass(int64_t ns)
{
    monotonic_offset_ns += ns;
    date_offset_ns += ns;
}

/// Receives one datagram with `stamp_ns`; returns when it arrived, in microseconds from `since_us`.
static int64_t arrival_after(int64_t since_us, int64_t stamp_ns)
{
    hy_datagram got[2];
    stamps_ns[0] = stamp_ns;
    PLAY(receives, 1);
    assert_int_equal(hy_link_receive(&link_under_test, got, 2), 1);
    assert_true(got[0].at_us <= got[0].read_us && got[0].read_us <= hy_clock_now_us());
    return got[0].at_us - since_us;
}

/// Nothing waits now; returns when that was at the earliest.
static int64_t find_nothing(void)
{
    hy_datagram got[2];
    const int64_t now_us = hy_clock_now_us();
    PLAY(receives, -EAGAIN);
    assert_int_equal(hy_link_receive(&link_under_test, got, 2), 0);
    return now_us;
}

// These allow for 100 s in which this test does not run; what it simulates is larger.
#define assert_about(us, seconds)                                                              \
    do {                                                                                       \
        const int64_t about_us = (us);                                                         \
        assert_true(about_us > ((seconds)-100) * S_US && about_us < ((seconds) + 100) * S_US); \
    } while (0)

static void a_stamp_says_when_a_datagram_arrived(void **state)
{
    (void)state;
    const int64_t empty_us = find_nothing();
    pass(1000 * S_NS);
    const int64_t stamp_ns = date_ns();
    pass(9000 * S_NS);
    assert_about(arrival_after(empty_us, stamp_ns), 1000);
}

// Just after a look at nothing there is no stall to be told of; and behind a stamped datagram there is none that arrived before it.
static void stamps_are_asked_for_where_something_may_have_waited(void **state)
{
    (void)state;
    hy_datagram got[2];
    frozen_ns = 1000 * S_NS;
    const int64_t empty_us = find_nothing(), stamp_ns = date_ns();
    frozen_ns += S_NS / 1000;
    assert_int_equal(arrival_after(empty_us, stamp_ns - S_NS), 1000); // read, not stamped
    find_nothing();
    frozen_ns += 100 * S_NS;
    stamps_ns[0] = stamps_ns[1] = date_ns() - S_NS / 2000; // waited for half a millisecond, about
    PLAY(receives, 2, 1, 1);
    assert_int_equal(hy_link_receive(&link_under_test, got, 2), 2);
    const int64_t arrived_us = got[1].at_us;
    assert_true(arrived_us < got[1].read_us);
    assert_int_equal(hy_link_receive(&link_under_test, got, 1), 1);
    assert_int_equal(got[0].at_us, got[0].read_us); // the clock that goes only forward stands
    frozen_ns += S_NS;
    assert_int_equal(hy_link_receive(&link_under_test, got, 1), 1);
    assert_true(got[0].at_us < got[0].read_us);
    frozen_ns = 0;
}

static void without_a_stamp_a_datagram_is_as_old_as_it_can_be(void **state)
{
    (void)state;
    const int64_t empty_us = find_nothing();
    pass(10000 * S_NS);
    assert_about(arrival_after(empty_us, 0), 0);
    assert_about(arrival_after(empty_us, 0), 10000); // the batch before had emptied the buffer
}

static void a_clock_set_forward_makes_nothing_older_than_the_last_look(void **state)
{
    (void)state;
    const int64_t empty_us = find_nothing();
    pass(1000 * S_NS);
    const int64_t stamp_ns = date_ns();
    pass(1000 * S_NS);
    date_offset_ns += 1000000 * S_NS;
    assert_about(arrival_after(empty_us, stamp_ns), 0);
}

static void a_clock_set_back_makes_nothing_younger(void **state)
{
    (void)state;
    const int64_t empty_us = find_nothing();
    const int64_t stamp_ns = date_ns();
    pass(10000 * S_NS);
    date_offset_ns -= 1000000 * S_NS;
    assert_about(arrival_after(empty_us, stamp_ns), 0);
}

static void a_full_batch_does_not_count_as_a_look_at_nothing(void **state)
{
    (void)state;
    hy_datagram got[HY_LINK_BATCH];
    const int64_t empty_us = find_nothing();
    pass(10000 * S_NS);
    PLAY(receives, HY_LINK_BATCH);
    assert_int_equal(hy_link_receive(&link_under_test, got, HY_LINK_BATCH), HY_LINK_BATCH);
    assert_about(got[HY_LINK_BATCH - 1].at_us - empty_us, 0);
    PLAY(receives, 1);
    assert_int_equal(hy_link_receive(&link_under_test, got, 1), 1);
    assert_about(got[0].at_us - empty_us, 0);
    PLAY(receives, -EBADF, -EBADF, -EBADF, -EBADF, -EBADF, -EBADF, -EBADF,
         -EBADF); // nor does a failure
    assert_int_equal(hy_link_receive(&link_under_test, got, 1), 0);
    assert_about(arrival_after(empty_us, 0), 0);
}

static void a_new_link_has_nothing_from_before_it(void **state)
{
    (void)state;
    const int64_t now_us = hy_clock_now_us();
    assert_true(arrival_after(now_us, S_NS) > -100 * S_US); // a stamp of 1970
}

// --------------------------------------------------------------------------- all that waits

static void count_datagram(void *context, const hy_datagram *datagram)
{
    (void)datagram;
    (*(size_t *)context)++;
}

static void all_that_waits_is_received_and_no_flood_holds_the_caller(void **state)
{
    (void)state;
    size_t count = 0;
    find_nothing();
    const int64_t old_ns = date_ns();
    for (size_t i = 0; i < HY_LINK_BATCH; i++) {
        stamps_ns[i] = old_ns;
    }
    pass(S_NS);
    PLAY(receives, PASS, PASS, PASS, 5);
    assert_int_equal(hy_link_receive_waiting(&link_under_test, count_datagram, &count), 3 * 32 + 5);
    assert_int_equal(count, 3 * 32 + 5);
    assert_int_equal(receives.calls, 4);

    pass(S_NS);
    PLAY(receives, PASS, PASS, PASS, -EAGAIN); // a multiple of a batch
    assert_int_equal(hy_link_receive_waiting(&link_under_test, count_datagram, &count), 3 * 32);

    pass(S_NS);
    PLAY(receives, PASS); // and so on without end: all of them have waited
    assert_int_equal(hy_link_receive_waiting(&link_under_test, count_datagram, &count), 2048);

    // A flood: the last of the second batch arrives after the call began, and what follows it did not wait.
    flood_after_calls = 2;
    PLAY(receives, PASS);
    assert_int_equal(hy_link_receive_waiting(&link_under_test, count_datagram, &count), 2 * 32);

    // The same where only the last of each batch is the peer's.
    static hy_link link;
    const hy_endpoint peer = { .ip = { HY_IPV4_PREFIX }, .port = 7 };
    assert_int_equal(hy_link_open_to(&link, &peer), HY_OK);
    last_port = 7;
    flood_after_calls = 2;
    for (size_t i = 0; i < HY_LINK_BATCH; i++) {
        stamps_ns[i] = old_ns;
    }
    pass(S_NS);
    PLAY(receives, PASS);
    assert_int_equal(hy_link_receive_waiting(&link, count_datagram, &count), 2);
    last_port = 0;
    hy_link_close(&link);
}

// The clock may stand still: on a fast machine, a link is opened, found empty and read again within a microsecond.
static void all_that_waits_is_received_whatever_the_clock_does(void **state)
{
    (void)state;
    static hy_link link;
    const hy_endpoint any = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 } };
    size_t count = 0;
    frozen_ns = 1000 * S_NS;
    assert_int_equal(hy_link_open(&link, &any), HY_OK);
    PLAY(receives, PASS, PASS, 5);
    assert_int_equal(hy_link_receive_waiting(&link, count_datagram, &count), 2 * 32 + 5);
    hy_link_close(&link);

    find_nothing();
    PLAY(receives, PASS, PASS, 5);
    assert_int_equal(hy_link_receive_waiting(&link_under_test, count_datagram, &count), 2 * 32 + 5);
    PLAY(receives, PASS, PASS, 5); // the call before found the end
    assert_int_equal(hy_link_receive_waiting(&link_under_test, count_datagram, &count), 2 * 32 + 5);
}

// --------------------------------------------------------------------------- overflows

static void expect_overflow_question(int questions)
{
    overflow_questions = 0;
    assert_int_equal(hy_link_overflowed(&link_under_test), 0);
    assert_int_equal(overflow_questions, questions);
}

// A question costs a call, so it is asked when something may have been dropped.
static void the_system_is_asked_for_overflows_when_there_may_be_some(void **state)
{
    (void)state;
    hy_datagram got[HY_LINK_BATCH];
    expect_overflow_question(1); // it has not looked yet
    find_nothing();
    expect_overflow_question(0);
    PLAY(receives, 1); // one that did not fill the buffer
    assert_int_equal(hy_link_receive(&link_under_test, got, 2), 1);
    expect_overflow_question(0);
    PLAY(receives, PASS); // there may be more
    assert_int_equal(hy_link_receive(&link_under_test, got, HY_LINK_BATCH), HY_LINK_BATCH);
    expect_overflow_question(1);
    PLAY(receives, PASS, PASS, PASS, PASS);
    for (int i = 0; i < 4; i++) { // 128 of them may have filled it
        hy_link_receive(&link_under_test, got, HY_LINK_BATCH);
    }
    find_nothing();
    expect_overflow_question(1);
    expect_overflow_question(0);
    find_nothing();
    expect_overflow_question(0);
}

// What never reached the queue, for its checksum was wrong, is told with the next one that did.
static void a_datagram_says_what_was_lost_before_it(void **state)
{
    (void)state;
    hy_datagram got[2];
    find_nothing();
    pass(S_NS);
    losses = 3;
    stamps_ns[0] = date_ns();
    PLAY(receives, 1);
    assert_int_equal(hy_link_receive(&link_under_test, got, 2), 1);
    losses = 0;
    overflow_questions = 0;
    assert_int_equal(hy_link_overflowed(&link_under_test), 3);
    assert_int_equal(overflow_questions, 0);
    find_nothing();
    assert_int_equal(hy_link_overflowed(&link_under_test), 3);
}

// --------------------------------------------------------------------------- waiting

static void ask_to_quit(void *context, int64_t now_us)
{
    (void)now_us;
    hy_loop_quit(context);
}

static void a_wait_that_fails_ends_the_loop_and_an_interrupted_one_does_not(void **state)
{
    (void)state;
    hy_loop loop;
    hy_loop_init(&loop);
    PLAY(waits, -EINTR, -EINTR, -ENOMEM);
    assert_int_equal(hy_loop_run(&loop), HY_ESYSTEM);
    assert_int_equal(waits.calls, 3);
    PLAY(waits, -EINTR);
    assert_int_equal(hy_loop_run_once(&loop, 0), HY_AGAIN);
    hy_loop_every(&loop, 0, 1000, ask_to_quit, &loop);
    PLAY(waits, -EINTR);
    assert_int_equal(hy_loop_run(&loop), HY_OK); // a timer runs although the wait was interrupted
}

static void a_wait_has_whole_seconds_and_the_rest(void **state)
{
    (void)state;
    static const int64_t waits_us[] = { 0, 1, 999999, 1000000, 1000001, 2500000 };
    hy_loop loop;
    hy_loop_init(&loop);
    for (size_t i = 0; i < sizeof waits_us / sizeof waits_us[0]; i++) {
        PLAY(waits, 0);
        assert_int_equal(hy_loop_run_once(&loop, waits_us[i]), HY_AGAIN);
        assert_int_equal(last_wait.tv_sec, waits_us[i] / 1000000);
        assert_int_equal(last_wait.tv_nsec, waits_us[i] % 1000000 * 1000);
    }
    PLAY(waits, -ENOMEM);
    assert_int_equal(hy_loop_run(&loop), HY_ESYSTEM);
    assert_true(last_wait.tv_sec < 0);
}

static void ignore_signal(void *context, int number)
{
    (void)context;
    (void)number;
}

static void signals_stay_with_the_system_if_there_is_no_pipe(void **state)
{
    (void)state;
    hy_loop loop;
    hy_loop_init(&loop);
    struct sigaction before;
    sigaction(SIGINT, NULL, &before);
    PLAY(pipes, -EMFILE);
    assert_int_equal(hy_loop_on_signals(&loop, ignore_signal, NULL), HY_ESYSTEM);
    struct sigaction after;
    sigaction(SIGINT, NULL, &after);
    assert_true(after.sa_handler ==
                before.sa_handler); // ignored, where a shell runs this in the background
    assert_int_equal(hy_loop_on_signals(&loop, ignore_signal, NULL), HY_OK); // now there is one
    assert_int_equal(hy_loop_on_signals(&loop, NULL, NULL), HY_OK);
}

#define REFUSAL_TEST(function) cmocka_unit_test_setup_teardown(function, open_link, close_link)

int main(void)
{
    const struct CMUnitTest tests[] = {
        REFUSAL_TEST(each_refusal_to_open_has_its_status),
        REFUSAL_TEST(a_socket_that_cannot_be_set_up_is_closed_again),
        REFUSAL_TEST(a_link_without_memory_stays_closed),
        cmocka_unit_test(each_way_not_to_find_a_name_has_its_status),
        cmocka_unit_test(ipv4_comes_first_and_no_more_than_there_is_room_for),
        REFUSAL_TEST(a_batch_costs_one_call_for_32),
        REFUSAL_TEST(a_full_buffer_ends_the_batch),
        REFUSAL_TEST(a_refused_datagram_is_skipped),
        REFUSAL_TEST(each_refusal_has_its_status),
        REFUSAL_TEST(an_interrupted_send_is_sent_again),
        REFUSAL_TEST(a_batch_is_received_in_one_call),
        REFUSAL_TEST(an_interrupted_receive_is_done_again),
        REFUSAL_TEST(a_failing_receive_is_counted_and_does_not_hang),
        REFUSAL_TEST(a_report_and_its_error_count_once),
        REFUSAL_TEST(no_flood_of_reports_holds_the_caller),
        REFUSAL_TEST(a_stamp_says_when_a_datagram_arrived),
        REFUSAL_TEST(stamps_are_asked_for_where_something_may_have_waited),
        REFUSAL_TEST(without_a_stamp_a_datagram_is_as_old_as_it_can_be),
        REFUSAL_TEST(a_clock_set_forward_makes_nothing_older_than_the_last_look),
        REFUSAL_TEST(a_clock_set_back_makes_nothing_younger),
        REFUSAL_TEST(a_full_batch_does_not_count_as_a_look_at_nothing),
        REFUSAL_TEST(a_new_link_has_nothing_from_before_it),
        REFUSAL_TEST(the_system_is_asked_for_overflows_when_there_may_be_some),
        REFUSAL_TEST(a_datagram_says_what_was_lost_before_it),
        REFUSAL_TEST(all_that_waits_is_received_and_no_flood_holds_the_caller),
        REFUSAL_TEST(all_that_waits_is_received_whatever_the_clock_does),
        cmocka_unit_test(a_wait_that_fails_ends_the_loop_and_an_interrupted_one_does_not),
        cmocka_unit_test(a_wait_has_whole_seconds_and_the_rest),
        cmocka_unit_test(signals_stay_with_the_system_if_there_is_no_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
