// An event made by a rule, before its lane and partners are known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/time.h"
#include "core/formats/general/custom/definition.h"

namespace weft::formats::custom {

struct Event {
  Makes makes = Makes::kEvent;
  uint64_t offset = 0;  // of its record
  Time time{};
  std::optional<Time> end{};
  double value = 0;
  std::string lane{}, type{}, id{}, from{}, to{};
  NamedTexts params{};
};

}  // namespace weft::formats::custom
