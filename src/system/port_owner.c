// Who has a port, as Linux shows it in /proc: the process with the socket whose number is beside the port.
#include "system.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TCP_LISTENS 0x0A

// The fields of a line of /proc/net/tcp and its like (man 5 proc), counted from 0.
enum { LOCAL = 1, STATE = 3, SOCKET = 9, FIELDS };

// The number of a socket at `port` in one of the tables; 0: none.
static unsigned long find_socket(const char *table, bool is_tcp, unsigned port)
{
    FILE *const file = fopen(table, "re");
    char line[512];
    unsigned long found = 0;
    while (file != NULL && found == 0 && fgets(line, sizeof line, file) != NULL) {
        const char *field[FIELDS];
        size_t count = 0;
        char *rest = line;
        while (count < FIELDS && (field[count] = strtok_r(rest, " \n", &rest)) != NULL) {
            count++;
        }
        const char *const own_port = count == FIELDS ? strchr(field[LOCAL], ':') : NULL;
        if (own_port != NULL && strtoul(own_port + 1, NULL, 16) == port &&
            (!is_tcp || strtoul(field[STATE], NULL, 16) == TCP_LISTENS)) {
            found = strtoul(field[SOCKET], NULL, 10);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return found;
}

static bool has_socket(const char *process, const char *socket)
{
    char folder[64], target[64];
    (void)snprintf(folder, sizeof folder, "/proc/%.20s/fd", process);
    DIR *const files = opendir(folder);
    bool has = false;
    for (const struct dirent *one; files != NULL && !has && (one = readdir(files)) != NULL;) {
        const ssize_t size = readlinkat(dirfd(files), one->d_name, target, sizeof target - 1);
        target[size > 0 ? size : 0] = '\0';
        has = strcmp(target, socket) == 0;
    }
    if (files != NULL) {
        (void)closedir(files);
    }
    return has;
}

// Its command line, without the folder of the program, and without what a terminal would obey.
static void describe(const char *process, char text[HY_PORT_OWNER_MAX])
{
    char path[64], words[100] = "";
    (void)snprintf(path, sizeof path, "/proc/%.20s/cmdline", process);
    FILE *const file = fopen(path, "re");
    const size_t size = file != NULL ? fread(words, 1, sizeof words - 1, file) : 0;
    const char *const slash = strrchr(words, '/');
    const char *const name = slash != NULL ? slash + 1 : words;
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)words[i];
        words[i] = c > 0x20 && c < 0x7F ? (char)c : c == '\0' ? ' ' : '?';
    }
    for (size_t end = strlen(words); end > 0 && words[end - 1] == ' ';) {
        words[--end] = '\0';
    }
    (void)snprintf(text, HY_PORT_OWNER_MAX, "; process %.20s has it: %s", process, name);
    if (file != NULL) {
        (void)fclose(file);
    }
}

const char *hy_port_owner(hy_status status, unsigned port, bool is_tcp, char text[HY_PORT_OWNER_MAX])
{
    static const char *const tables[2][2] = { { "/proc/net/udp", "/proc/net/udp6" },
                                              { "/proc/net/tcp", "/proc/net/tcp6" } };
    unsigned long number = 0;
    for (size_t i = 0; i < 2 && number == 0 && status == HY_EINUSE; i++) {
        number = find_socket(tables[is_tcp][i], is_tcp, port);
    }
    char socket[40];
    (void)snprintf(socket, sizeof socket, "socket:[%lu]", number);
    DIR *const all = number != 0 ? opendir("/proc") : NULL;
    text[0] = '\0';
    for (const struct dirent *one; all != NULL && text[0] == '\0' && (one = readdir(all)) != NULL;) {
        if (isdigit((unsigned char)one->d_name[0]) && has_socket(one->d_name, socket)) {
            describe(one->d_name, text);
        }
    }
    if (all != NULL) {
        (void)closedir(all);
    }
    return text;
}
