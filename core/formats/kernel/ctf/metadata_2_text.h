// The classes of CTF 2 in the words of 1.8 (TSDL).
#pragma once

#include <string>

#include "core/formats/kernel/ctf/metadata_2_classes.h"

namespace weft::formats::ctf {

// Writes classes that have names of 1.8; throws Unreadable if version 1.8 cannot express them.
std::string metadata_1_text(const Metadata2Classes& classes);

}  // namespace weft::formats::ctf
