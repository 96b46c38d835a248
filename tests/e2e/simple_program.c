// A first program that ends as WAY in its environment says, for test_simple_stops.c.
#include <halyard/simple.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static volatile bool forever = true;

static void leave(const char *way)
{
    if (strcmp(way, "exit") == 0) {
        exit(3);
    } else if (strcmp(way, "crash") == 0) {
        (void)raise(SIGSEGV);
    } else if (strcmp(way, "endless") == 0) {
        while (forever) {
        }
    }
}

HY_SIMPLE_MAIN(ways_out)
{
    static int starts; // keeps its value
    const char *const wanted = getenv("WAY"), *const way = wanted != NULL ? wanted : "return";
    hy_program_set_status("start %d", ++starts);
    set_effort(0.5, 0.5);
    wait_s(0.2);
    leave(way);
    if (strcmp(way, "return") != 0) {
        drive_straight_cm(1000, 0.5); // this robot stands in the air: 3 s
        wait_s(1000);
    }
    hy_program_set_status("last line");
}
