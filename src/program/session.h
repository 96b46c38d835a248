// What both kinds of runs have, over a network and in a simulation: a host with the sinks that were asked for (a recording, NetworkTables),
// a station, the tunables that were saved, and the journal of what the program reads.
#ifndef HALYARD_PROGRAM_SESSION_H
#define HALYARD_PROGRAM_SESSION_H

#include "host/host_nt.h"
#include "host/host_record.h"

#include "journal/journal.h"
#include "station.h"

typedef struct {
    const hy_program *program; // to be run: with a recording, one that notes its calls
    const hy_program_options *options;
    hy_host host; // over a network without a simulation
    hy_host_nt nt;
    hy_host_record record;
    program_station station;
    program_saved *saved;                   // of --tunables
    program_journal journal_room, *journal; // NULL: nothing is recorded
    program_note *before;                   // who said things before
    bool has_begun;
} program_session;

// Reads the tunables. HY_OK, or a sentence in `error`. Ended by program_session_close() in any case.
hy_status program_session_open(program_session *self, const hy_program *program,
                               const hy_program_options *options,
                               char error[PROGRAM_SAVED_ERROR_MAX]);

// Starts the server of NetworkTables; or says why there is none, and the run goes on without it.
void program_session_serve(program_session *self);

// Begins the recording, of `sim` unless it is NULL; `live` gets the same, NULL: nobody. HY_OK, or a sentence in `error`.
hy_status program_session_record(program_session *self, const hy_sim *sim,
                                 const hy_telemetry_sink *live, hy_record_error *error);

// Says which faults are injected, the ready line, if there is a server or a page (NULL: none), and who can reach the server.
void program_session_announce(const program_session *self, const char *page);

// From now on the program's calls are in this session, whose station has been started.
void program_session_begin(program_session *self);

// Takes what clients changed, in the thread that runs the program, between two of its loops.
void program_session_obey(program_session *self);

// The last call was made: completes the files. HY_OK, or a sentence in `error`.
hy_status program_session_end(program_session *self, hy_record_error *error);

void program_session_close(program_session *self);

#endif
