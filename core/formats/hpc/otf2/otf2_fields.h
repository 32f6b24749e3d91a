// Parameters of an event: its fields, with numbers resolved to names, and the attributes that its
// writer added.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <string_view>

#include "core/formats/base/args_text.h"
#include "core/formats/hpc/otf2/otf2_definitions.h"

namespace weft::formats::otf2 {

enum class FieldKind : uint8_t {
  kNumber,
  kSigned,
  kText,
  kRegion,
  kCommunicator,
  kWindow,
  kFile,
  kFileHandle,
  kParadigm,
  kCollective,
  kLock,
  kAccess,
  kOrigin,  // what a place in a file is counted from
};

// Append nothing if a text is empty or a number is undefined.
void append_text(ArgsText& args, std::string_view name, std::string_view text);
void append_field(ArgsText& args, const Definitions& definitions, std::string_view name,
                  FieldKind kind, uint64_t value);
void append_attributes(ArgsText& args, const Definitions& definitions,
                       const OTF2_AttributeList* attributes);

}  // namespace weft::formats::otf2
