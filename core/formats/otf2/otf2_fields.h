// What an event says beside its type, as members of a JSON object (without its braces): the fields
// of the event, with the names of what they number, and the attributes that its writer added.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "core/formats/otf2/otf2_definitions.h"

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

void append_text(std::string& members, std::string_view name, std::string_view text);
void append_number(std::string& members, std::string_view name, uint64_t number);
// Nothing where a number means none.
void append_field(std::string& members, const Definitions& definitions, std::string_view name,
                  FieldKind kind, uint64_t value);
void append_attributes(std::string& members, const Definitions& definitions,
                       const OTF2_AttributeList* attributes);

}  // namespace weft::formats::otf2
