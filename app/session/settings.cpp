#include "app/session/settings.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <ranges>

#include "core/base/text.h"

namespace weft::app {
namespace {

// kPath: the members that lead to the field, from the session on.
template <auto... kPath>
auto& field_of(auto& session) {
  return (session.*....*kPath);
}

// Numbers, within their bounds.
template <auto kLeast, auto kMost, auto... kPath>
Status set_number(Session& session, const Json& value) {
  using Field = std::remove_reference_t<decltype(field_of<kPath...>(session))>;
  const double number = value.is_number() ? value.get<double>() : NAN;
  if (!(kLeast <= number && number <= kMost))
    return fail(fmt::format("a number from {} to {} is wanted", kLeast, kMost));
  field_of<kPath...>(session) = static_cast<Field>(number);
  return {};
}

template <auto... kPath>
Status set_flag(Session& session, const Json& value) {
  if (!value.is_boolean()) return fail("true or false is wanted");
  field_of<kPath...>(session) = value.get<bool>();
  return {};
}

template <auto... kPath>
Json get(const Session& session) {
  return field_of<kPath...>(session);
}

Result<std::string> text_of(const Json& value) {
  if (!value.is_string()) return fail("a text is wanted");
  return value.get<std::string>();
}

// One of a few words, in the order of the enumerators.
template <const auto& kChoices, auto... kPath>
Status set_choice(Session& session, const Json& value) {
  using Field = std::remove_reference_t<decltype(field_of<kPath...>(session))>;
  const auto at = std::ranges::find_if(
      kChoices, [&](const Choice& choice) { return value == Json(choice.id); });
  if (at == std::end(kChoices)) return fail(in_words(kChoices) + " is wanted");
  field_of<kPath...>(session) = static_cast<Field>(at - std::begin(kChoices));
  return {};
}
template <const auto& kChoices, auto... kPath>
Json get_choice(const Session& session) {
  return kChoices[static_cast<size_t>(field_of<kPath...>(session))].id;
}

constexpr Choice kThemes[] = {{"dark", "dark"}, {"light", "light"}};
constexpr Choice kTimeOrigins[] = {{"trace", "since the trace's begin"},
                                   {"clock", "as the trace's clock counts"},
                                   {"utc", "on the calendar, UTC"},
                                   {"local", "on the calendar, local"}};
constexpr Choice kTimeUnits[] = {{"auto", "in the unit that reads best"},
                                 {"s", "in seconds"},
                                 {"ms", "in milliseconds"},
                                 {"us", "in microseconds"},
                                 {"ns", "in nanoseconds"}};
constexpr Choice kRadixes[] = {
    {"hexadecimal", "hexadecimal"}, {"decimal", "decimal"}, {"binary", "binary"}};

Status set_memory_limit(Session& session, const Json& value) {
  WEFT_TRY_ASSIGN(const std::string text, text_of(value));
  const uint64_t bytes = parse_bytes(text);
  if (text != "none" && bytes < kLeastMemoryLimit) {
    return fail(fmt::format("'{}' is neither none nor a size of at least {}", text,
                            format_bytes(kLeastMemoryLimit)));
  }
  session.memory_limit_bytes = bytes;
  return {};
}
// In the largest unit in which it is whole ("2G"): it is read back as it was.
Json get_memory_limit(const Session& session) {
  constexpr std::string_view kUnits[] = {"", "K", "M", "G", "T"};
  uint64_t count = session.memory_limit_bytes;
  if (count == 0) return "none";
  size_t unit = 0;
  for (; count % 1024 == 0 && unit + 1 < std::size(kUnits); ++unit) count /= 1024;
  return fmt::format("{}{}", count, kUnits[unit]);
}

constexpr Setting kSettings[] = {
    {"theme", "Theme", "", SettingKind::kChoice, "The ground of all panels",
     get_choice<kThemes, &Session::look, &Look::theme>,
     set_choice<kThemes, &Session::look, &Look::theme>, kThemes},
    {"safe_colors", "Colours that everybody can tell apart", "true, false", SettingKind::kFlag,
     "Seven colours, each at three lightnesses, for people who see few hues",
     get<&Session::look, &Look::has_safe_colors>, set_flag<&Session::look, &Look::has_safe_colors>},
    {"patterns", "Patterns besides colours", "true, false", SettingKind::kFlag,
     "States that are wide enough are hatched or dotted besides their colour",
     get<&Session::look, &Look::has_patterns>, set_flag<&Session::look, &Look::has_patterns>},
    {"color_by_duration", "States coloured by how long they take", "true, false",
     SettingKind::kFlag, "On a logarithmic scale, instead of by their types",
     get<&Session::look, &Look::colors_by_duration>,
     set_flag<&Session::look, &Look::colors_by_duration>},
    {"font_scale", "Size of everything", "×, 0.5 to 3", SettingKind::kFraction,
     "Letters and rows, on top of the scale of the display", get<&Session::look, &Look::font_scale>,
     set_number<kLeastFontScale, kMostFontScale, &Session::look, &Look::font_scale>},
    {"row_height", "Height of rows", "px, 3 to 60", SettingKind::kWhole,
     "Of the lanes in a timeline, at the usual size", get<&Session::look, &Look::row_height_px>,
     set_number<kLeastRowPx, kMostRowPx, &Session::look, &Look::row_height_px>},
    {"gutter", "Width of the lane names", "px, 80 to 800", SettingKind::kWhole,
     "Of the column at the left of all that time runs along", get<&Session::look, &Look::gutter_px>,
     set_number<80, 800, &Session::look, &Look::gutter_px>},
    {"panels_per_kind", "How many panels of a kind may be open", "1 to 48", SettingKind::kWhole,
     "At the limit no more are opened, and a message says so",
     get<&Session::desk, &Desk::panels_per_kind>,
     set_number<1, PanelLayout::kMaxPanels, &Session::desk, &Desk::panels_per_kind>},
    {"links", "Links as arrows", "true, false", SettingKind::kFlag,
     "Where they are few; a timeline can be told to draw all of them",
     get<&Session::look, &Look::shows_links>, set_flag<&Session::look, &Look::shows_links>},
    {"time_origin", "What times count from", "", SettingKind::kChoice,
     "The trace's begin, the 0 of its clock, or the calendar where that is known",
     get_choice<kTimeOrigins, &Session::look, &Look::time_display, &TimeDisplay::origin>,
     set_choice<kTimeOrigins, &Session::look, &Look::time_display, &TimeDisplay::origin>,
     kTimeOrigins},
    {"time_unit", "The unit of times", "", SettingKind::kChoice,
     "auto: the largest that keeps times short",
     get_choice<kTimeUnits, &Session::look, &Look::time_display, &TimeDisplay::unit>,
     set_choice<kTimeUnits, &Session::look, &Look::time_display, &TimeDisplay::unit>, kTimeUnits},
    {"radix", "The values of buses", "", SettingKind::kChoice,
     "How vectors of bits are written, in traces of circuits",
     get_choice<kRadixes, &Session::look, &Look::radix>,
     set_choice<kRadixes, &Session::look, &Look::radix>, kRadixes},
    {"memory_limit", "How much memory the program may use", "none, or a size as 2G",
     SettingKind::kText, "Above it, caches give back and answers lie in files, which takes longer",
     get_memory_limit, set_memory_limit},
    {"reopen", "Open the last traces at the start", "true, false", SettingKind::kFlag,
     "Where none is named as the program is started", get<&Session::reopens_traces>,
     set_flag<&Session::reopens_traces>},
};

}  // namespace

std::span<const Setting> settings() { return kSettings; }

const Setting* find_setting(std::string_view name) {
  const auto row = std::ranges::find(kSettings, name, &Setting::name);
  return row == std::end(kSettings) ? nullptr : row;
}

Status set_setting(Session& session, std::string_view name, const Json& value) {
  const Setting* row = find_setting(name);
  if (!row) {
    return fail(fmt::format("'{}' is not a setting: there are {}", printable(name),
                            fmt::join(kSettings | std::views::transform(&Setting::name), ", ")));
  }
  if (Status status = row->set(session, value); !status) {
    return fail(std::move(status).error().context(std::string(name)));
  }
  return {};
}

Json json_from_settings(const Session& session) {
  Json json = Json::object();
  for (const Setting& setting : kSettings) json[std::string(setting.name)] = setting.get(session);
  return json;
}

}  // namespace weft::app
