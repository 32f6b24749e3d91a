// What the header of a Pajé trace says of its events, and lines taken apart by it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/by_name.h"

namespace weft::formats::paje {

enum class EventKind : uint8_t {
  kDefineContainerType,
  kDefineStateType,
  kDefineEventType,
  kDefineVariableType,
  kDefineLinkType,
  kDefineEntityValue,
  kCreateContainer,
  kDestroyContainer,
  kNewEvent,
  kSetState,
  kPushState,
  kPopState,
  kResetState,
  kSetVariable,
  kAddVariable,
  kSubVariable,
  kStartLink,
  kEndLink,
  kOther,
};

// Fields that mean something; older headers spell some of them otherwise.
enum class Field : uint8_t {
  kTime,
  kAlias,
  kType,
  kName,
  kContainer,
  kValue,
  kColor,
  kKey,
  kStartContainer,
  kEndContainer,
  kExtra,  // any other: a parameter
};
inline constexpr size_t kFieldCount = static_cast<size_t>(Field::kExtra);

struct FieldDefinition {
  Field field = Field::kExtra;
  std::string name;
  bool is_number = false;
  bool is_repeated = false;  // stood in this definition before
};

struct EventDefinition {
  EventKind kind = EventKind::kOther;
  std::vector<FieldDefinition> fields;
  size_t repeated = 0;  // of the fields
};

// An event's line. Views into it.
struct Event {
  EventKind kind = EventKind::kOther;
  std::array<std::string_view, kFieldCount> values;  // empty: not there
  std::vector<std::pair<const FieldDefinition*, std::string_view>> extras;
  uint64_t offset = 0;  // in the input

  std::string_view operator[](Field field) const { return values[static_cast<size_t>(field)]; }
};

class Header {
 public:
  // A line that begins with '%'. False where it makes no sense.
  bool add_line(std::string_view line);

  // Takes a line apart, but for its offset; what is wrong with it, or empty.
  std::string_view parse(std::string_view line, Event& event);

 private:
  class Words;

  ByName<EventDefinition> definitions_;  // by what their lines begin with
  EventDefinition* open_ = nullptr;
};

// The next word of the line, without its quotes; false at the end.
bool take_word(std::string_view& line, std::string_view& word);

}  // namespace weft::formats::paje
