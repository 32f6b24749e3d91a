// The fields of GHC's events, whose layouts are fixed by the events' numbers.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/formats/base/args_text.h"

namespace weft::formats::ghc {

// Adds what the payload has of the type's fields. Returns what is left: of a type without a layout
// all, of a newer version what was added behind the fields, of a cut payload the field that is cut.
std::string_view add_fields(uint16_t type, std::string_view payload, ArgsText& params);

}  // namespace weft::formats::ghc
