// Whether an archive, or a page, was unpacked completely.
#pragma once

#include <string>

#include "core/io/source.h"

namespace weft::io {

struct Shortfall {
  std::string why = {};       // empty: it was, or the source came from no archive
  bool is_of_source = false;  // the source itself lacks something, or may; else only other files do
};

// Returns what is missing of the archive that `source` came from.
Shortfall shortfall_of(const Source& source);

}  // namespace weft::io
