// The definitions of an OTF2 archive, by the library of that name: the only place beside the reader
// that knows of it.
#pragma once

#include <otf2/otf2.h>

#include "core/formats/hpc/otf2/otf2_definitions.h"

namespace weft::formats::otf2 {

// Reads the definitions of the whole archive; returns false on failure.
bool read_definitions(OTF2_Reader* reader, Definitions& definitions);

}  // namespace weft::formats::otf2
