// The reader's memory, which reading by a table and value by value share.
#ifndef TEXT_READER_H
#define TEXT_READER_H

#include <yyjson.h>

#include "text.h"

// Parses `text`, with the `extensions` to JSON (yyjson's flags), into the reader's memory; NULL: `*status` and the
// reader's reason say why.
yyjson_val *text_reader_parse(hy_json_reader *self, hy_bytes text, unsigned extensions,
                              hy_status *status);

#endif
