// The robot's end for bench_halsim.py: swallows commands and, told to, sends statuses.
//
// Prints its port. A line "COUNT BURST PAUSE_US" on stdin sends COUNT statuses of 128 bytes to whoever
// last commanded; the last one carries 3.5 V on analog 7. Answers each line with the commands received.
#include <arpa/inet.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int robot;
static struct sockaddr_in peer;
static long commands;
static uint16_t seq;

static void swallow(void)
{
    char datagram[512];
    socklen_t size = sizeof peer;
    while (recvfrom(robot, datagram, sizeof datagram, MSG_DONTWAIT, (struct sockaddr *)&peer,
                    &size) >= 0) {
        commands++;
    }
}

// What the stock firmware sends: four encoders with periods, a button, gyro, accelerometer, three
// analog inputs.
static size_t make_status(uint8_t *out, int is_last)
{
    static const uint8_t encoder[15] = { 14, 0x18, 0,    0, 0,    1,    0,   0,
                                         0,  0x20, 0x41, 0, 0x7e, 0xd6, 0xb4 };
    seq++;
    size_t size = 3;
    out[0] = (uint8_t)(seq >> 8);
    out[1] = (uint8_t)seq;
    out[2] = 0;
    for (uint8_t id = 0; id < 4; id++) {
        memcpy(out + size, encoder, sizeof encoder);
        out[size + 2] = id;
        out[size + 6] = (uint8_t)seq;
        size += sizeof encoder;
    }
    memcpy(out + size, (const uint8_t[]){ 3, 0x14, 0, (uint8_t)(seq & 1) }, 4);
    size += 4;
    memset(out + size, 0, 40);
    out[size] = 25;
    out[size + 1] = 0x16;
    out[size + 5] = out[size + 21] = (uint8_t)seq;
    out[size + 26] = 13;
    out[size + 27] = 0x17;
    size += 40;
    for (uint8_t channel = 0; channel < 3; channel++) {
        const uint8_t id = is_last && channel == 2 ? 7 : channel;
        memcpy(out + size,
               (const uint8_t[]){ 6, 0x15, id, 0x40, 0x60, 0, id == 7 ? 0 : (uint8_t)seq }, 7);
        size += 7;
    }
    return size;
}

static void spray(long count, long burst, long pause_us)
{
    uint8_t status[256];
    for (long i = 0; i < count; i++) {
        const size_t size = make_status(status, i == count - 1);
        sendto(robot, status, size, 0, (struct sockaddr *)&peer, sizeof peer);
        if (i % burst == burst - 1) {
            const struct timespec pause = { .tv_nsec = pause_us * 1000 };
            nanosleep(&pause, NULL);
        }
    }
}

int main(void)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof address;
    robot = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind(robot, (struct sockaddr *)&address, size) != 0 ||
        getsockname(robot, (struct sockaddr *)&address, &size) != 0) {
        return 1;
    }
    setsockopt(robot, SOL_SOCKET, SO_RCVBUF, &(int){ 1 << 20 }, sizeof(int));
    printf("%u\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        struct pollfd sources[2] = { { .fd = robot, .events = POLLIN },
                                     { .fd = 0, .events = POLLIN } };
        poll(sources, 2, -1);
        swallow();
        if (sources[1].revents == 0) {
            continue;
        }
        char line[128];
        const ssize_t length = read(0, line, sizeof line - 1);
        if (length <= 0) {
            return 0;
        }
        line[length] = '\0';
        long count = 0;
        long burst = 1;
        long pause_us = 0;
        sscanf(line, "%ld %ld %ld", &count, &burst, &pause_us);
        spray(count, burst, pause_us);
        printf("%ld\n", commands);
        fflush(stdout);
    }
}
