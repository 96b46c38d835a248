/// @file station.h
/// Private: who enables and disables the robots of a run, over a network or in a simulation: a person at the terminal, the program
/// itself, or --enable. A stop always wins.
#ifndef HALYARD_PROGRAM_STATION_H
#define HALYARD_PROGRAM_STATION_H

#include <halyard/program.h>

#include "input/input.h"
#include "note.h"

#define STATION_TEXT_MAX 160

/// What a station does with the robots of its run; `context` is handed to all calls.
typedef struct {
    void *context;
    bool (*enable)(void *context);                          ///< False: refused.
    void (*disable)(void *context, int64_t now_us);         ///< Robots and devices, enabled or not.
    void (*emergency_stop)(void *context);                  ///< Nothing enables any more.
    bool (*is_enabled)(void *context);                      ///< All are.
    void (*describe)(void *context, hy_program_state *out); ///< robots, link, sim.
} station_robots;

/// The caller sets these before station_start().
typedef struct {
    const hy_program *program;
    const hy_program_options *options;
    station_robots robots;
    bool with_terminal; ///< A person sits there.
    bool all_are_here;  ///< All robots are virtual ones of this computer.
} station_setup;

typedef struct {
    // Read-only for the caller.
    bool over;   ///< The run has to end ...
    bool failed; ///< ... and has failed.
    bool enabled;
    hy_program_state state;
    program_note note;            ///< What the program has said.
    char event[STATION_TEXT_MAX]; ///< What happened last.
    station_setup setup;
    // Private.
    hy_key_parser parser;
    int64_t missed_due_us;           // when --enable has waited so long that it says what for
    int64_t now_us;                  // the program's clock, which is simulated in a simulation
    int64_t frame_due_us;            // the host's
    uint8_t *picture;                // HY_PROGRAM_FRAME_MAX bytes
    size_t picture_at, picture_size; // what of it the terminal has not taken yet
    bool has_terminal;               // it is ours at the moment
    bool emergency, enable_pending;
    bool is_held;          // somebody stopped it: the program does not enable it, a person does
    bool is_about_silence; // the event says that a robot does not answer, or obeys another program
} program_station;

/// HY_EMEMORY. Ended by station_end().
hy_status station_start(program_station *self, const station_setup *setup);

/// Takes or gives back the terminal, and obeys keys. `host_us` is hy_clock_now_us(), `now_us` the program's time.
void station_read_keys(program_station *self, int64_t host_us, int64_t now_us);

/// To be called before the loop: learns what has become of the robots, and obeys the program. `held_up_us` is how long this program
/// has not polled them if that was too long; else 0.
void station_watch(program_station *self, int64_t now_us, int64_t held_up_us);

/// Prints what the program has said, and draws if it is time.
void station_show(program_station *self, int64_t host_us);

/// When station_read_keys() or station_show() have something to do; hy_clock_now_us().
int64_t station_due_us(const program_station *self);

/// Says what has happened, in the terminal's picture or as a line.
__attribute__((format(printf, 2, 3))) void station_report(program_station *self, const char *format,
                                                          ...);

/// Stops the robots, as a person who is not at the terminal wants it. Only Enter there enables them again.
void station_hold(program_station *self, const char *why);

/// The run is over: disables, and gives the terminal back.
void station_stop(program_station *self, int64_t now_us);

/// Tells the program that all robots have stopped, with their last figures, and frees everything.
void station_end(program_station *self);

/// The run has failed: a line to stderr, but for a program that is over anyway.
__attribute__((format(printf, 2, 3))) void station_fail(program_station *self, const char *format,
                                                        ...);

#endif
