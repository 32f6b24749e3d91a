#include "app/session/panel_options.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "app/session/density_scale.h"
#include "app/session/option_choices.h"
#include "app/session/pinned_scope.h"
#include "app/session/statistics_pages.h"
#include "app/session/timeline_options.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/query/metrics/metrics.h"

namespace weft::app {
namespace {

enum class Wanted : uint8_t { kAny, kText, kList, kObject, kMetric, kChoice };

struct Option {
  constexpr Option(std::string_view its_name, Wanted what = Wanted::kAny)
      : name(its_name), wanted(what) {}
  constexpr Option(std::string_view its_name, Choices these)
      : name(its_name), wanted(Wanted::kChoice), choices(these) {}

  std::string_view name;
  Wanted wanted;
  Choices choices = {};
};
using Options = std::span<const Option>;
using enum Wanted;

// Of several kinds.
constexpr Option kTable[] = {{"sort", kText},
                             {"filters", kObject},
                             {"filters_folded"},
                             {"hidden", kList},
                             {"widths", kObject}};
constexpr Option kScope[] = {{"scope", kScopes}};
constexpr Option kPassingScope[] = {{"scope", kScopes}, {"events", kPassing}};

constexpr Option kBars[] = {{"scale", kDensityScales}};
constexpr Option kTimeline[] = {{kGridLines.name}, {kAllLinks.name}};
constexpr Option kSequence[] = {{"order", kMessageOrders},
                                {"spacing", kMessageSpacings},
                                {"runs", kMessageRuns},
                                {"colors", kArrowColors},
                                {"widths", kArrowWidths},
                                {"scroll"},
                                {"moves"}};
constexpr Option kSelection[] = {{"of", kSummedUp}, {"by", kTypeLaneOrPair}, {"events", kPassing}};
constexpr Option kStatistics[] = {{"by", kTypeOrLane},
                                  {"metric", kSliceMetrics},
                                  {"update", kStatisticsUpdates},
                                  {"played", kObject},
                                  {"open", kList},
                                  {"selected", kList},
                                  {"excluded", kList},
                                  {"merged"}};
constexpr Option kPages[] = {{"page", kText}};
constexpr Option kDurations[] = {{"of", kLengthsOf},         {"scale", kLengthScales},
                                 {"height", kLengthHeights}, {"bin"},
                                 {"types", kList},           {"types.sort", kText},
                                 {"types.filters", kObject}, {"types.filters_folded"},
                                 {"types.hidden", kList},    {"types.widths", kObject}};
constexpr Option kTraffic[] = {{"rows", kTrafficRows},
                               {"view", kTrafficViews},
                               {"size", kTrafficSizes},
                               {"answers", kTrafficAnswers},
                               {"pair"},
                               {"type"}};
constexpr Option kFlame[] = {
    {"view", kFlameViews}, {"type"},     {"zoom", kList},       {"lanes", kFlameLanes},
    {"a", kText},          {"b", kText}, {"a_of", kFlameParts}, {"b_of", kFlameParts},
    {"by", kFlameMeasures}};
constexpr Option kCausality[] = {{"root", kObject}, {"path", kObject}, {"field"}};
constexpr Option kComparison[] = {{"a", kText},           {"b", kText},
                                  {"of", kComparedParts}, {"by", kTypeOrLane},
                                  {"metric", kMetric},    {"rows", kComparedRows}};
constexpr Option kLegend[] = {{"of", kLegendOf}, {"selected"}};
constexpr Option kSql[] = {{"query"}, {"recent", kList}, {"limit"}};
constexpr Option kTraceType[] = {
    {"part", kTraceTypeParts}, {"sample"}, {"pasted"}, {"definition", kObject}, {"name"}};
constexpr Option kClasses[] = {{"edited"}};
constexpr Option kQuality[] = {{"open", kList}};

struct OptionsOf {
  std::string_view kind;
  std::array<Options, 3> options;
};
constexpr OptionsOf kOptions[] = {
    {"overview", {kBars}},
    {"gantt", {kTimeline}},
    {"density", {kBars}},
    {"sequence", {kSequence}},
    {"events", {kPassingScope, kTable}},
    {"selection", {kSelection, kTable}},
    {"statistics", {kStatistics, kPassingScope, kTable}},
    {"pages", {kPages, kScope, kTable}},
    {"durations", {kDurations, kPassingScope, kTable}},
    {"traffic", {kTraffic, kPassingScope, kTable}},
    {"flame", {kFlame, kPassingScope}},
    {"causality", {kCausality, kTable}},
    {"compare", {kComparison, kTable}},
    {"legend", {kLegend, kScope, kTable}},
    {"sql", {kSql, kTable}},
    {"journal", {kTable}},
    {"memory", {kTable}},
    {"trace-type", {kTraceType, kTable}},
    {"classes", {kClasses}},
    {"quality", {kQuality, kTable}},
};

std::vector<Option> options_of(const PanelKind& kind) {
  std::vector<Option> all;
  const auto row = std::ranges::find(kOptions, kind.id, &OptionsOf::kind);
  if (row == std::end(kOptions)) return all;
  for (const Options part : row->options) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// "one of count, duration".
template <class Rows, class Id>
std::string any_of_ids(const Rows& rows, Id id) {
  return fmt::format("one of {}", fmt::join(rows | std::views::transform(id), ", "));
}

// The trace that the panel shows, or would show if it were open; null: none of which anything has
// been read.
const store::Trace* trace_in(const Session& session, std::string_view panel) {
  const auto shown = shown_in(session, panel);
  return shown ? shown->trace->trace().get() : nullptr;
}

// What it must be instead; empty: it is good.
std::string wanted_instead(const Option& option, const Json& value) {
  switch (option.wanted) {
    case kAny:
      return {};
    case kText:
      return value.is_string() ? "" : "a text";
    case kList:
      return value.is_array() ? "" : "a list";
    case kObject:
      return value.is_object() ? "" : "an object";
    case kMetric: {
      const bool is_known =
          value.is_string() && query::metric_from_id(value.get_ref<const std::string&>());
      return is_known ? "" : any_of_ids(query::metrics(), &query::Metric::id);
    }
    case kChoice:
      break;
  }
  const bool is_one_of_them =
      value.is_string() && has_choice(option.choices, value.get_ref<const std::string&>());
  return is_one_of_them ? "" : in_words(option.choices);
}

}  // namespace

Status check_option(const PanelKind& kind, std::string_view option, const Json& value) {
  const std::vector<Option> options = options_of(kind);
  if (options.empty()) return fail(fmt::format("{} has no options", kind.title));
  const auto found = std::ranges::find(options, option, &Option::name);
  if (found == options.end()) {
    return fail(fmt::format("'{}' is not an option of {}: it has {}", printable(option), kind.title,
                            fmt::join(options | std::views::transform(&Option::name), ", ")));
  }
  const std::string wanted = wanted_instead(*found, value);
  return wanted.empty() ? Status() : fail(fmt::format("'{}' must be {}", option, wanted));
}

Status check_option_in(const Session& session, std::string_view panel, const PanelKind& kind,
                       std::string_view option, const Json& value) {
  if (is_of_trace(option) && !shown_in(session, panel))
    return fail(fmt::format("'{}' is of the trace that is shown: open one first", option));
  const store::Trace* trace = trace_in(session, panel);
  if (!trace || !value.is_string()) return {};
  const auto& named = value.get_ref<const std::string&>();
  if (kind.id == "pages" && option == "page") {
    const std::vector<formats::Page> pages = pages_of(*trace);
    if (std::ranges::find(pages, named, &formats::Page::id) == pages.end())
      return fail(fmt::format("'page' must be {}", any_of_ids(pages, &formats::Page::id)));
  }
  const bool is_side = option == "a" || option == "b";
  if ((kind.id == "compare" || kind.id == "flame") && is_side) {
    const auto number = parse_number<size_t>(named);
    if (!number || *number >= session.traces.size())
      return fail(fmt::format("'{}' must be the number of an open trace, from 0 to {}", option,
                              session.traces.size() - 1));
  }
  return {};
}

bool is_of_trace(std::string_view option) {
  return option == "filters" || option.ends_with(".filters") || option == "played";
}

Json options_in(const PanelInstance& panel, const OpenTrace* trace) {
  Json options = panel.options;
  if (trace == nullptr) return options;
  if (const Json* own = find_object(trace->panel_options, panel.id)) options.update(*own);
  return options;
}

void set_option_in(Session& session, PanelInstance& panel, std::string_view option,
                   const Json& value) {
  const std::string name(option);
  if (!is_of_trace(option)) {
    if (value.is_null()) {
      panel.options.erase(name);
    } else {
      panel.options[name] = value;
    }
    return;
  }
  const auto shown = shown_in(session, panel.id);
  if (!shown) return;
  Json& all = session.find_trace(shown->trace->id())->panel_options;
  Json& own = all[panel.id];
  own[name] = value;
  if (value.empty()) own.erase(name);
  if (own.empty()) all.erase(panel.id);
}

void drop_options_of_traces(PanelInstance& panel) {
  std::vector<std::string> theirs;
  for (const auto& [option, value] : panel.options.items()) {
    if (is_of_trace(option)) theirs.push_back(option);
  }
  for (const std::string& option : theirs) panel.options.erase(option);
}

Json known_options(const PanelKind& kind, const Json& options) {
  Json known = Json::object();
  for (const auto& [option, value] : options.items()) {
    if (check_option(kind, option, value)) known[option] = value;
  }
  return known;
}

}  // namespace weft::app
