// The filter of a view: an expression, and what happens to events that do not pass. A plain value,
// restored by undo; filter_scene.h prepares it for drawing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/trace/model.h"

namespace weft::app {

// Hits are counted and marked in every mode.
enum class FilterMode : uint8_t {
  kOff,   // everything is drawn as it is
  kDim,   // events that do not pass are greyed
  kHide,  // only events that pass are drawn
};

struct FilterModeRow {
  std::string_view id;  // in commands and journals
  const char* title;
  const char* help;
};
inline constexpr std::array<FilterModeRow, 3> kFilterModes = {
    {{"off", "Off", "Mark what passes, draw everything"},
     {"dim", "Dim", "Draw what does not pass in grey"},
     {"hide", "Hide", "Draw only what passes"}}};
constexpr std::string_view name_of(FilterMode mode) {
  return kFilterModes[static_cast<size_t>(mode)].id;
}
std::optional<FilterMode> filter_mode_from_name(std::string_view name);

struct ViewFilter {
  std::string text;  // docs/filter-language.md; empty: there is none
  FilterMode mode = FilterMode::kDim;
  bool is_set() const { return !text.empty(); }
  bool operator==(const ViewFilter&) const = default;
};

// Expressions for a type or a lane that the user points at.
std::string of_type(const trace::Dictionary& dictionary, EventTypeId type);
std::string on_lane(const trace::Dictionary& dictionary, LaneId lane);

// The types that the expression excludes by name: those in conditions type != "name" that are
// joined to the rest by "and".
std::set<std::string> hidden_types(std::string_view text);
// Whether it has such conditions, and no others.
bool hides_only_types(std::string_view text);
// The expression without the condition that excludes `type` (`is_shown`), or with it.
std::string with_type(std::string_view text, std::string_view type, bool is_shown);

// An expression that is true if both are. Either may be empty, or both the same.
std::string both(std::string_view first, std::string_view second);

}  // namespace weft::app
