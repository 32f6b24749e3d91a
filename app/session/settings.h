// The settings that last: one row each, by name, read and written as JSON.
//
// settings.json and the command "set" use the same names. A value of the wrong kind is refused and
// the others hold.
#pragma once

#include <span>
#include <string_view>

#include "app/base/json.h"
#include "app/session/choice.h"
#include "app/session/session.h"
#include "core/base/result.h"

namespace weft::app {

inline constexpr double kLeastFontScale = 0.5;
inline constexpr double kMostFontScale = 3;

enum class SettingKind : uint8_t { kFlag, kChoice, kWhole, kFraction, kText };

struct Setting {
  std::string_view name;
  std::string_view title;
  // What it may be, for people: of numbers, their bounds, after their unit if they have one. Empty:
  // `choices` say it.
  std::string_view values;
  SettingKind kind;
  std::string_view help;  // what it does, in a line
  Json (*get)(const Session& session);
  Status (*set)(Session& session, const Json& value);
  Choices choices = {};  // titles go on after "Times", "Values of buses in"
};
std::span<const Setting> settings();
const Setting* find_setting(std::string_view name);  // null: there is none of that name

Status set_setting(Session& session, std::string_view name, const Json& value);
Json json_from_settings(const Session& session);

}  // namespace weft::app
