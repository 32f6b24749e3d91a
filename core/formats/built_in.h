// The built-in formats, by field; built_in_formats() combines them.
#pragma once

#include <vector>

#include "core/formats/formats.h"

namespace weft::formats {

std::vector<Format> general_formats();
std::vector<Format> message_formats();
std::vector<Format> embedded_formats();
std::vector<Format> hpc_formats();
std::vector<Format> kernel_formats();
std::vector<Format> profile_formats();

}  // namespace weft::formats
