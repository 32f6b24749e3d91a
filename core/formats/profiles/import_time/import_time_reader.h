// Reads what `python -X importtime` prints (PYTHONPROFILEIMPORTTIME): how long each module took to
// be imported, by itself and with what it imported.
//
//   import time: self [us] | cumulative | imported package
//   import time:        47 |         47 |     _codecs
//   import time:       356 |        405 |   codecs
//   import time:       740 |       1556 | encodings
//
// A module stands behind what it imported, indented less. When it began is not said: imports follow
// each other, and begin with what they imported themselves.
//
// Source: CPython's documentation of `-X importtime`, and its output.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_import_time(std::span<const std::byte> head);
Status read_import_time(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
