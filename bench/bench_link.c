// How much a link costs over a bare loop of system calls, each on two sockets of its own: after every
// batch sent and received by the one comes a batch sent and received by the other, so that both see
// the same machine.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "measure.h"

#include <halyard/link.h>

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#define ROUNDS        101
#define BATCHES       20 // a round
#define DATAGRAM_SIZE 130
#define BARE_ROOM     2047 // for a datagram of the bare loop

typedef struct {
    hy_link from, to;
    int bare_from, bare_to;
    uint8_t bytes[DATAGRAM_SIZE];
    hy_datagram outgoing[HY_LINK_BATCH], incoming[HY_LINK_BATCH];
    struct sockaddr_in address;
    struct mmsghdr out[HY_LINK_BATCH], in[HY_LINK_BATCH];
    struct iovec out_view[HY_LINK_BATCH], in_view[HY_LINK_BATCH];
    struct sockaddr_in senders[HY_LINK_BATCH];
    uint8_t memory[HY_LINK_BATCH][BARE_ROOM];
} stage;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

// --------------------------------------------------------------------------- by the link

static void send_by_link(stage *s)
{
    if (hy_link_send_batch(&s->from, s->outgoing, HY_LINK_BATCH) != HY_LINK_BATCH) {
        fail("hy_link_send_batch");
    }
}

static void receive_by_link(stage *s)
{
    for (size_t count = 0; count < HY_LINK_BATCH;) {
        count += hy_link_receive(&s->to, s->incoming, HY_LINK_BATCH - count);
    }
}

static void send_singly_by_link(stage *s)
{
    for (size_t i = 0; i < HY_LINK_BATCH; i++) {
        if (hy_link_send(&s->from, &s->to.local, s->outgoing[i].bytes) != HY_OK) {
            fail("hy_link_send");
        }
    }
}

static void receive_singly_by_link(stage *s)
{
    for (size_t count = 0; count < HY_LINK_BATCH;) {
        count += hy_link_receive(&s->to, s->incoming, 1);
    }
}

// --------------------------------------------------------------------------- by bare calls

static void send_bare(stage *s)
{
    if (sendmmsg(s->bare_from, s->out, HY_LINK_BATCH, 0) != HY_LINK_BATCH) {
        fail("sendmmsg");
    }
}

static void receive_bare(stage *s)
{
    for (unsigned count = 0; count < HY_LINK_BATCH;) {
        for (size_t i = 0; i < HY_LINK_BATCH; i++) {
            s->in[i].msg_hdr.msg_namelen = sizeof s->senders[i];
        }
        const int more = recvmmsg(s->bare_to, s->in, HY_LINK_BATCH - count, 0, NULL);
        count += more > 0 ? (unsigned)more : 0;
    }
}

static void send_singly_bare(stage *s)
{
    for (size_t i = 0; i < HY_LINK_BATCH; i++) {
        if (sendto(s->bare_from, s->bytes, DATAGRAM_SIZE, 0, (struct sockaddr *)&s->address,
                   sizeof s->address) != DATAGRAM_SIZE) {
            fail("sendto");
        }
    }
}

static void receive_singly_bare(stage *s)
{
    for (unsigned count = 0; count < HY_LINK_BATCH;) {
        socklen_t size = sizeof s->senders[0];
        count += recvfrom(s->bare_to, s->memory[0], BARE_ROOM, 0, (struct sockaddr *)&s->senders[0],
                          &size) == DATAGRAM_SIZE;
    }
}

// --------------------------------------------------------------------------- measuring

typedef struct {
    void (*send)(stage *);
    void (*receive)(stage *);
} way;

/// One batch there; adds what it took to `send_ns` and `receive_ns`.
static void run(stage *s, way w, double *send_ns, double *receive_ns)
{
    const double began = measure_now_ns();
    w.send(s);
    const double sent = measure_now_ns();
    w.receive(s);
    *send_ns += sent - began;
    *receive_ns += measure_now_ns() - sent;
}

static void report(const char *what, double *link_ns, double *bare_ns)
{
    static double share[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++) {
        share[i] = bare_ns[i] / link_ns[i];
    }
    const double per_round = BATCHES * HY_LINK_BATCH;
    const double link_each = measure_median(link_ns, ROUNDS) / per_round;
    const double bare_each = measure_median(bare_ns, ROUNDS) / per_round;
    printf("%-22s %7.1f k/s (%5.0f ns each), bare %7.1f k/s, %5.1f %% of bare\n", what,
           1e6 / link_each, link_each, 1e6 / bare_each, 100.0 * measure_median(share, ROUNDS));
}

static void measure(stage *s, const char *sending, const char *receiving, way link, way bare)
{
    static double link_send[ROUNDS], link_receive[ROUNDS], bare_send[ROUNDS], bare_receive[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++) {
        link_send[i] = link_receive[i] = bare_send[i] = bare_receive[i] = 0.0;
        for (size_t batch = 0; batch < BATCHES; batch++) {
            run(s, bare, &bare_send[i], &bare_receive[i]);
            run(s, link, &link_send[i], &link_receive[i]);
        }
    }
    report(sending, link_send, bare_send);
    report(receiving, link_receive, bare_receive);
}

static void set_up(stage *s)
{
    hy_endpoint home;
    if (hy_endpoint_parse("127.0.0.1:0", 0, &home) != HY_OK ||
        hy_link_open(&s->from, &home) != HY_OK || hy_link_open(&s->to, &home) != HY_OK) {
        fail("hy_link_open");
    }
    s->bare_from = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    s->bare_to = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    s->address =
        (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof s->address;
    if (bind(s->bare_to, (struct sockaddr *)&s->address, size) != 0 ||
        getsockname(s->bare_to, (struct sockaddr *)&s->address, &size) != 0) {
        fail("bind");
    }
    for (size_t i = 0; i < HY_LINK_BATCH; i++) {
        s->outgoing[i] = (hy_datagram){ .peer = s->to.local, .bytes = { s->bytes, sizeof s->bytes } };
        s->out_view[i] = (struct iovec){ s->bytes, sizeof s->bytes };
        s->out[i].msg_hdr = (struct msghdr){ .msg_name = &s->address,
                                             .msg_namelen = sizeof s->address,
                                             .msg_iov = &s->out_view[i],
                                             .msg_iovlen = 1 };
        s->in_view[i] = (struct iovec){ s->memory[i], sizeof s->memory[i] };
        s->in[i].msg_hdr =
            (struct msghdr){ .msg_name = &s->senders[i], .msg_iov = &s->in_view[i], .msg_iovlen = 1 };
    }
}

int main(void)
{
    static stage s;
    set_up(&s);
    measure(&s, "send, batches of 32", "receive, batches of 32",
            (way){ send_by_link, receive_by_link }, (way){ send_bare, receive_bare });
    measure(&s, "send one by one", "receive one by one",
            (way){ send_singly_by_link, receive_singly_by_link },
            (way){ send_singly_bare, receive_singly_bare });
    return 0;
}
