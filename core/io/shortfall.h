// Whether an archive was unpacked completely.
#pragma once

#include <string>

#include "core/io/source.h"

namespace weft::io {

// Returns why the archive that `source` came from is truncated, in which case its last file ends
// early. Empty if it is complete, or if `source` came from no archive.
std::string shortfall_of(const Source& source);

}  // namespace weft::io
