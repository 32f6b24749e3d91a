// What an event says beside its type, as its parameters: the fields of the event, with the names of
// what they number, and the attributes that its writer added.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <string_view>

#include "core/formats/general/perfetto/args_text.h"
#include "core/formats/hpc/otf2/otf2_definitions.h"

namespace weft::formats::otf2 {

using perfetto::ArgsText;

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

// Nothing where a text is empty, or a number means none.
void append_text(ArgsText& args, std::string_view name, std::string_view text);
void append_field(ArgsText& args, const Definitions& definitions, std::string_view name,
                  FieldKind kind, uint64_t value);
void append_attributes(ArgsText& args, const Definitions& definitions,
                       const OTF2_AttributeList* attributes);

}  // namespace weft::formats::otf2
