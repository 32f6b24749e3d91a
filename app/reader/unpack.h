// Unpacks what a weftscope sends (app/opening/unpack_apart.h).
#pragma once

#include <string>

#include "core/io/unpacked.h"

namespace weft::app {

// Unpacks what comes on standard input into the folder for temporary files, and returns the answer.
std::string unpack_input(io::Packing packing);

}  // namespace weft::app
