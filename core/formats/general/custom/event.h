// An event made by a rule, before its lane and partners are known. Its texts are views into its
// record, into its rule, or into what it keeps itself.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/formats/general/custom/definition.h"

namespace weft::formats::custom {

// What is noted of an end whose begin is not known: it came before the recording.
inline constexpr std::string_view kEndAlone = "end without a begin";

struct EventParam {
  std::string_view name, text;
};

struct Event {
  Makes makes = Makes::kEvent;
  uint64_t offset = 0;  // of its record
  Time time{};
  std::optional<Time> end{};
  double value = 0;
  std::string_view lane{}, type{}, id{}, from{}, to{};
  std::vector<EventParam> params{};
  // Texts of several pieces.
  std::array<std::string, kRoleCount> made_roles{};
  std::vector<std::string> made_params{};
};

}  // namespace weft::formats::custom
