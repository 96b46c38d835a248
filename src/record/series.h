/// @file series.h
/// The list of a log's numbers, made while someone else reads the log.
#ifndef HY_RECORD_SERIES_H
#define HY_RECORD_SERIES_H

#include <halyard/record_series.h>
#include <halyard/telemetry_wpilog.h>

/// Begins a list of the numbers in `file`, a WPILOG file. NULL: no memory. End it with hy_series_close().
hy_series *series_start(hy_bytes file);

/// Takes the file's next record.
void series_take(hy_series *self, const hy_wpilog_record *record);

/// Makes the list, after the last record. False: no memory.
bool series_finish(hy_series *self);

#endif
