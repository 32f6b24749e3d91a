// Field names of messages that are shown as they are: one table for packets without further
// interpretation and for arguments of track events.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace weft::formats::perfetto {

struct MessageNames;

struct FieldName {
  std::string_view name;
  std::string_view message;              // what its bytes are; empty: nobody says
  const MessageNames* names = nullptr;   // of that message; null: the table has none
  std::vector<std::string_view> values;  // of an enumeration; empty: it has none there
  uint32_t first_value = 0;              // the number of the first of them
  std::string_view words_of;             // whose enumeration it is; empty: its own, or none
  enum class Form : uint8_t { kPlain, kFloat, kDouble, kSigned, kFlag, kCount } form = Form::kPlain;
  bool names_event = false;  // its value is what the event is called
};

struct MessageNames {
  const FieldName* find(uint32_t number) const {
    const auto it = fields.find(number);
    return it == fields.end() ? nullptr : &it->second;
  }

  std::map<uint32_t, FieldName> fields;
  bool shows_others = true;  // fields without a name, by their numbers
};

// Returns the names of a message's fields; empty if the table lacks it.
const MessageNames& names_of_message(std::string_view message);

}  // namespace weft::formats::perfetto
