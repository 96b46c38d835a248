#include "ws_flood.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/// As many frames with `text` as fit, so that a flood costs few system calls.
static size_t make_frames(char *out, size_t room, const char *text)
{
    const size_t size = strlen(text);
    const char head[6] = { (char)0x81, (char)(0x80 | size) }; // a mask of zeros
    size_t used = 0;
    while (used + sizeof head + size <= room) {
        memcpy(out + used, head, sizeof head);
        used += sizeof head;
        for (size_t i = 0; i < size; i++) {
            out[used++] = text[i];
        }
    }
    return used;
}

// Shared with the processes of the floods.
static atomic_uint *sent_counter(void)
{
    static atomic_uint *sent;
    if (sent == NULL) {
        sent = mmap(NULL, sizeof *sent, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    }
    return sent;
}

unsigned ws_floods_sent(void)
{
    return atomic_load(sent_counter());
}

pid_t ws_flood_start(uint16_t port, const ws_options *options, const char *first, const char *text)
{
    static char frames[16384];
    atomic_uint *const sent = sent_counter();
    const pid_t parent = getpid(), child = fork();
    if (child != 0) {
        return child;
    }
    const size_t size = make_frames(frames, sizeof frames, text);
    while (getppid() == parent) {
        ws_client client;
        if (ws_open(&client, port, options)) {
            bool ok = ws_say(&client, first);
            while (ok && getppid() == parent) {
                ok = ws_raw(&client, frames, size);
                atomic_fetch_add(sent, 1);
            }
            ws_close(&client);
        }
    }
    _exit(0);
}

void ws_floods_end(const pid_t *floods, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        kill(floods[i], SIGKILL);
        waitpid(floods[i], NULL, 0);
    }
}
