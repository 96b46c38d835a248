#include "udp_proxy.h"

#include <halyard/link.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct udp_proxy {
    hy_link front, back; ///< To the client, to the robot.
    hy_endpoint robot;
    hy_faults_spec spec;
    hy_endpoint client; ///< Who sent last; nobody at first.
    udp_proxy_watch *watch;
    void *context;
    hy_loop loop;
    pthread_t thread;
    int wake[2]; ///< A pipe: something was changed.

    pthread_mutex_t mutex; ///< Guards what follows.
    hy_faults to_robot, to_client;
    bool is_stalled;
    bool is_ending;
};

// --------------------------------------------------------------------------- the proxy's thread

static void on_front(void *context, int64_t now_us)
{
    udp_proxy *self = context;
    (void)now_us;
    hy_datagram datagrams[HY_LINK_BATCH];
    pthread_mutex_lock(&self->mutex);
    const size_t count = hy_link_receive(&self->front, datagrams, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        self->client = datagrams[i].peer;
        if (self->watch == NULL || self->watch(self->context, datagrams[i].bytes)) {
            hy_faults_put(&self->to_robot, &self->robot, datagrams[i].bytes, datagrams[i].at_us);
        }
    }
    pthread_mutex_unlock(&self->mutex);
}

static void on_back(void *context, int64_t now_us)
{
    udp_proxy *self = context;
    (void)now_us;
    hy_datagram datagrams[HY_LINK_BATCH];
    pthread_mutex_lock(&self->mutex);
    const size_t count = hy_link_receive(&self->back, datagrams, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        hy_faults_put(&self->to_client, &self->client, datagrams[i].bytes, datagrams[i].at_us);
    }
    pthread_mutex_unlock(&self->mutex);
}

static void on_wake(void *context, int64_t now_us)
{
    const udp_proxy *self = context;
    (void)now_us;
    uint8_t bytes[64];
    while (read(self->wake[0], bytes, sizeof bytes) > 0) {
    }
}

static void let_out(hy_faults *channel, hy_link *link)
{
    hy_endpoint to;
    hy_bytes bytes;
    while (hy_faults_take(channel, hy_clock_now_us(), &to, &bytes)) {
        hy_link_send(link, &to, bytes);
    }
}

/// Sends what is due; returns how long until there is more, or -1 if the proxy is to end.
static int64_t serve(udp_proxy *self)
{
    pthread_mutex_lock(&self->mutex);
    int64_t due_us = INT64_MAX;
    if (!self->is_stalled) {
        let_out(&self->to_robot, &self->back);
        let_out(&self->to_client, &self->front);
        const int64_t robot_due_us = hy_faults_due_us(&self->to_robot);
        const int64_t client_due_us = hy_faults_due_us(&self->to_client);
        due_us = robot_due_us < client_due_us ? robot_due_us : client_due_us;
    }
    const bool is_ending = self->is_ending;
    pthread_mutex_unlock(&self->mutex);

    const int64_t left_us = due_us == INT64_MAX ? 1000000 : due_us - hy_clock_now_us();
    return is_ending ? -1 : left_us > 0 ? left_us : 0;
}

static void *run(void *context)
{
    udp_proxy *self = context;
    int64_t wait_us;
    while ((wait_us = serve(self)) >= 0) {
        hy_loop_run_once(&self->loop, wait_us);
    }
    return NULL;
}

// --------------------------------------------------------------------------- the test's thread

static void wake(udp_proxy *self)
{
    const ssize_t written = write(self->wake[1], "", 1);
    (void)written; // a full pipe wakes too
}

void udp_proxy_change(udp_proxy *self, const udp_proxy_options *options)
{
    pthread_mutex_lock(&self->mutex);
    hy_faults_change(&self->to_robot, &options->to_robot);
    hy_faults_change(&self->to_client, &options->to_client);
    self->is_stalled = options->is_stalled;
    pthread_mutex_unlock(&self->mutex);
    wake(self);
}

udp_proxy_counters udp_proxy_count(udp_proxy *self)
{
    pthread_mutex_lock(&self->mutex);
    const udp_proxy_counters counters = { self->to_robot.counters, self->to_client.counters };
    pthread_mutex_unlock(&self->mutex);
    return counters;
}

static bool open_all(udp_proxy *self)
{
    hy_endpoint home = self->robot; // where the robot is, any port
    home.port = 0;
    if (hy_link_open(&self->front, &home) != HY_OK ||
        hy_link_open_to(&self->back, &self->robot) != HY_OK || pipe(self->wake) != 0) {
        return false;
    }
    fcntl(self->wake[0], F_SETFL, O_NONBLOCK);
    fcntl(self->wake[1], F_SETFL, O_NONBLOCK);
    hy_loop_init(&self->loop);
    return hy_loop_watch(&self->loop, hy_link_descriptor(&self->front), on_front, self) == HY_OK &&
           hy_loop_watch(&self->loop, hy_link_descriptor(&self->back), on_back, self) == HY_OK &&
           hy_loop_watch(&self->loop, self->wake[0], on_wake, self) == HY_OK;
}

static void close_all(udp_proxy *self)
{
    hy_link_close(&self->front);
    hy_link_close(&self->back);
    if (self->wake[1] != 0) {
        close(self->wake[0]);
        close(self->wake[1]);
    }
    pthread_mutex_destroy(&self->mutex);
    free(self);
}

udp_proxy *udp_proxy_start(const hy_endpoint *robot, const udp_proxy_options *options,
                           hy_endpoint *local)
{
    udp_proxy *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    pthread_mutex_init(&self->mutex, NULL);
    self->robot = *robot;
    self->watch = options->watch;
    self->context = options->context;
    self->spec.seed = options->seed;
    self->is_stalled = options->is_stalled;
    hy_faults_init(&self->to_robot, &options->to_robot, &self->spec, 1, 0);
    hy_faults_init(&self->to_client, &options->to_client, &self->spec, 2, 0);
    if (!open_all(self) || pthread_create(&self->thread, NULL, run, self) != 0) {
        close_all(self);
        return NULL;
    }
    *local = self->front.local;
    return self;
}

void udp_proxy_stop(udp_proxy *self)
{
    if (self == NULL) {
        return;
    }
    pthread_mutex_lock(&self->mutex);
    self->is_ending = true;
    pthread_mutex_unlock(&self->mutex);
    wake(self);
    pthread_join(self->thread, NULL);
    close_all(self);
}
