#include "play_program.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cmocka_all.h"

#define LIMIT_US 60000000

match_ports play_ports;

int play_take_ports(void **state)
{
    (void)state;
    match_ports_take(&play_ports);
    return 0;
}

int play_give_ports_back(void **state)
{
    (void)state;
    match_ports_give_back(&play_ports);
    return 0;
}

program play_start(play_starter *start, const char *players)
{
    const char *const arguments[] = { HALYARD_BINARY, "play",        "--players",
                                      players,        "--shift",     play_ports.shift_text,
                                      "--listen",     "127.0.0.1:0", NULL };
    return start(arguments);
}

size_t play_children(const program *play, pid_t children[PLAY_CHILDREN_MAX])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)play->pid, (int)play->pid);
    FILE *const file = fopen(path, "r");
    size_t count = 0;
    int child;
    while (file != NULL && count < PLAY_CHILDREN_MAX && fscanf(file, "%d", &child) == 1) {
        children[count++] = child;
    }
    if (file != NULL) {
        fclose(file);
    }
    return count;
}

void play_assert_gone(const pid_t *children, size_t count)
{
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    for (size_t i = 0; i < count; i++) {
        while (kill(children[i], 0) == 0) {
            assert_true(hy_clock_now_us() < end_us);
            usleep(10000);
        }
    }
}
