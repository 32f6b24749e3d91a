// The classes of CTF 2 in the words of 1.8 (TSDL).
#pragma once

#include <string>

#include "core/formats/kernel/ctf/metadata_2_classes.h"

namespace weft::formats::ctf {

// Of classes that are resolved; throws Unreadable where 1.8 has no words.
std::string metadata_1_text(const Metadata2Classes& classes);

}  // namespace weft::formats::ctf
