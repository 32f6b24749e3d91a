// Whether what came out of an archive is all that was in it.
#pragma once

#include <string>

#include "core/io/source.h"

namespace weft::io {

// Why an archive broke off that the source came out of: what lay last in it ends early. Empty: it
// did not, or the source came out of none.
std::string shortfall_of(const Source& source);

}  // namespace weft::io
