/// @file installed_path.h
/// Where an installed program's files lie: beside it, wherever it has been moved to.
#ifndef HALYARD_APPS_INSTALLED_PATH_H
#define HALYARD_APPS_INSTALLED_PATH_H

#include <stdbool.h>

#define INSTALLED_PATH_MAX 1024

/// `relative` as seen from the running program's folder, into `path`. False if the system does not tell where that is.
bool installed_path_find(const char *relative, char path[INSTALLED_PATH_MAX]);

#endif
