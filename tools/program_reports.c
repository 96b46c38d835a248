// Part of a program that `make my_robot` builds: what the sanitizers found is said again when the screen of the program is gone, first as a
// sentence with file and line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void __asan_set_error_report_callback(void (*take)(const char *report));
void __ubsan_get_current_report_data(const char **kind, const char **message, const char **file,
                                     unsigned *line, unsigned *column, char **address);
void __ubsan_on_report(void);

static char found[8][320]; // sentences
static size_t count;
static char fatal[8192]; // a report behind which the program ends; "": none

void __ubsan_on_report(void)
{
    const char *kind = "", *message = "", *file = "";
    char *address = NULL;
    unsigned line = 0, column = 0;
    if (count < sizeof found / sizeof found[0]) {
        __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
        (void)snprintf(found[count++], sizeof found[0], "%s:%u: %s", file, line, message);
    }
}

// A frame is "    #1 0x55d0 in drive my_robot.c:38"; those of the sanitizer's own come first. The exit handlers give the terminal back
// and stop the robot, which the sanitizer would not.
static void take_report(const char *report)
{
    char what[64] = "", function[64] = "", place[160] = "";
    const char *const error = strstr(report, "AddressSanitizer: ");
    (void)snprintf(fatal, sizeof fatal, "%s", report);
    (void)sscanf(error != NULL ? error : "", "AddressSanitizer: %63s", what);
    for (const char *at = report; place[0] == '\0' && (at = strstr(at, "\n    #")) != NULL; at++) {
        if (sscanf(at, " #%*u %*s in %63s %159s", function, place) != 2 ||
            strstr(place, "libsanitizer") != NULL || strchr(place, ':') == NULL) {
            place[0] = '\0';
        }
    }
    count -= count == sizeof found / sizeof found[0];
    (void)snprintf(found[count++], sizeof found[0], "%s: %s() used memory that is not its own (%s)",
                   place, function, what);
    exit(1);
}

__attribute__((constructor)) static void begin(void)
{
    __asan_set_error_report_callback(take_report);
}

// Behind the exit handlers.
__attribute__((destructor)) static void end(void)
{
    fflush(stdout);
    for (size_t i = 0; i < count; i++) {
        fprintf(stderr, "%s\n", found[i]);
    }
    if (fatal[0] != '\0') {
        fputs(isatty(STDERR_FILENO) ? fatal : "", stderr);
        _exit(1); // a search for leaks would find those of what did not end
    }
}
