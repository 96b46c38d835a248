/// @file series.h
/// The list of a log's numbers, made while someone else reads the log.
#ifndef HY_RECORD_SERIES_H
#define HY_RECORD_SERIES_H

#include "log_points.h"

#include "record_series.h"

/// Begins a list of the numbers in `file`, a WPILOG file. NULL: no memory. End it with hy_series_close().
hy_series *series_start(hy_bytes file);

/// Takes the file's next record, which is at `offset`. False: no memory.
bool series_take(hy_series *self, const hy_wpilog_record *record, size_t offset);

/// The points from which the file is read, for those who read it with the list. The series'.
log_points *series_points(hy_series *self);

/// The list of a file whose points are known: reads only the records that they note. False: no memory.
bool series_take_noted(hy_series *self);

/// Makes the list, after the last record. False: no memory.
bool series_finish(hy_series *self);

#endif
