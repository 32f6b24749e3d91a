#include "app/session/commands/arguments.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <ranges>
#include <unordered_set>

#include "app/session/commands/obstacles.h"
#include "app/session/files_beside.h"
#include "app/session/typed_time.h"
#include "app/view/lane_names.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

std::optional<int64_t> integer_of(const Json& value) {
  const bool is_beyond = value.is_number_unsigned() &&
                         value.get<uint64_t>() > uint64_t{std::numeric_limits<int64_t>::max()};
  if (!value.is_number_integer() || is_beyond) return std::nullopt;
  return value.get<int64_t>();
}

}  // namespace

void complain(Session& session, std::string_view of, const Complaints& complaints) {
  if (complaints.empty()) return;
  session.messages.say(fmt::format("{}: {}", of, in_words(complaints)), /*is_error=*/true);
}

Result<std::string> output_arg(const Session& session, const Json& args, const char* key) {
  WEFT_TRY_ASSIGN(std::string file, text_arg(args, key));
  if (file.empty()) return fail(fmt::format("'{}' is empty", key));
  if (is_open_as_trace(session, file))
    return fail(fmt::format("{} is open as a trace: choose another name", printable(file)));
  return file;
}

Result<OpenTrace*> current(Session& session) {
  if (OpenTrace* trace = session.trace()) return trace;
  return fail(needs_trace(session));
}

Result<OpenTrace*> trace_arg(Session& session, const Json& args) {
  if (!args.contains("index")) return current(session);
  WEFT_TRY(clear_of(needs_trace(session)));
  WEFT_TRY_ASSIGN(const int64_t index,
                  integer_arg(args, "index", 0, std::ssize(session.traces) - 1));
  return session.traces[static_cast<size_t>(index)].get();
}

Result<PanelInstance*> open_panel_named(Session& session, const std::string& id) {
  if (PanelInstance* panel = session.desk.layout.find(id)) return panel;
  const auto& open = session.desk.layout.panels();
  if (open.empty()) return fail("no panel is open");
  return fail(fmt::format("no panel '{}' is open, but {}", printable(id),
                          fmt::join(open | std::views::transform(&PanelInstance::id), ", ")));
}

Result<PanelInstance*> panel_arg(Session& session, const Json& args) {
  if (args.contains("panel")) {
    WEFT_TRY_ASSIGN(const std::string id, text_arg(args, "panel"));
    return open_panel_named(session, id);
  }
  WEFT_TRY(clear_of(needs_focused_panel(session)));
  return session.desk.layout.find(session.desk.layout.focused());
}

Result<double> number_arg(const Json& args, const char* key) {
  const auto it = args.find(key);
  if (it == args.end() || !it->is_number()) return fail(fmt::format("'{}' must be a number", key));
  const double value = it->get<double>();
  if (!std::isfinite(value)) return fail(fmt::format("'{}' must be finite", key));
  return value;
}

Result<double> positive_arg(const Json& args, const char* key) {
  WEFT_TRY_ASSIGN(const double value, number_arg(args, key));
  if (value <= 0) return fail(fmt::format("'{}' must be greater than 0", key));
  return value;
}

Result<int64_t> integer_arg(const Json& args, const char* key, int64_t least, int64_t most) {
  const auto it = args.find(key);
  const auto value = it == args.end() ? std::nullopt : integer_of(*it);
  if (!value || *value < least || *value > most)
    return fail(fmt::format("'{}' must be an integer from {} to {}", key, least, most));
  return *value;
}

Result<int64_t> integer_arg(const Json& args, const char* key, int64_t least, int64_t most,
                            int64_t otherwise) {
  return args.contains(key) ? integer_arg(args, key, least, most) : otherwise;
}

Result<std::string> text_arg(const Json& args, const char* key) {
  const auto it = args.find(key);
  if (it == args.end() || !it->is_string()) return fail(fmt::format("'{}' must be a text", key));
  return it->get<std::string>();
}

Result<double> number_arg(const Json& args, const char* key, double otherwise) {
  return args.contains(key) ? number_arg(args, key) : otherwise;
}

Result<std::string> text_arg(const Json& args, const char* key, std::string_view otherwise) {
  return args.contains(key) ? text_arg(args, key) : std::string(otherwise);
}

Result<bool> flag_arg(const Json& args, const char* key, bool otherwise) {
  const auto it = args.find(key);
  if (it == args.end()) return otherwise;
  if (!it->is_boolean()) return fail(fmt::format("'{}' must be {}", key, in_words(kTrueOrFalse)));
  return it->get<bool>();
}

Result<std::string> choice_arg(const Json& args, const char* key, Choices choices) {
  const auto it = args.find(key);
  if (it == args.end() || !it->is_string() ||
      !has_choice(choices, it->get_ref<const std::string&>()))
    return fail(fmt::format("'{}' must be {}", key, in_words(choices)));
  return it->get<std::string>();
}

Result<std::string> choice_arg(const Json& args, const char* key, Choices choices,
                               std::string_view otherwise) {
  return args.contains(key) ? choice_arg(args, key, choices) : std::string(otherwise);
}

Result<std::vector<std::string>> texts_arg(const Json& args, const char* key) {
  std::vector<std::string> texts;
  const auto list = args.find(key);
  if (list == args.end()) return texts;
  const bool are_texts = list->is_array() && std::ranges::all_of(*list, [](const Json& each) {
                           return each.is_string();
                         });
  if (!are_texts) return fail(fmt::format("'{}' must be a list of texts", key));
  for (const Json& text : *list) texts.push_back(text.get<std::string>());
  return texts;
}

Result<Json> object_arg(const Json& args, const char* key) {
  const auto it = args.find(key);
  if (it == args.end()) return Json::object();
  if (!it->is_object()) return fail(fmt::format("'{}' must be an object", key));
  return *it;
}

Result<Time> time_arg(const Json& args, const char* key, const OpenTrace& trace) {
  const auto it = args.find(key);
  if (it == args.end()) return fail(fmt::format("'{}' is missing", key));
  if (const auto ticks = integer_of(*it)) return Time{*ticks};
  if (it->is_string()) return typed_time(it->get<std::string>(), trace);
  return fail(fmt::format("'{}' must be a time: an integer in ticks or a text as '+12.5ms'", key));
}

Result<Duration> duration_arg(const Json& args, const char* key, const OpenTrace& trace) {
  const auto it = args.find(key);
  const auto ticks = it == args.end() ? std::nullopt : integer_of(*it);
  if (ticks) return Duration{*ticks};
  WEFT_TRY_ASSIGN(const std::string text, text_arg(args, key));
  return parse_duration(text, trace.time_base());
}

Result<TimeRange> range_args(const Json& args, const OpenTrace& trace) {
  WEFT_TRY_ASSIGN(const Time from, time_arg(args, "from", trace));
  WEFT_TRY_ASSIGN(const Time to, time_arg(args, "to", trace));
  if (to <= from) return fail("'to' must be after 'from'");
  return TimeRange{from, to};
}

Result<LaneId> lane_arg(const Json& args, const OpenTrace& trace) {
  const auto it = args.find("lane");
  if (it != args.end() && it->is_string() && trace.trace()) {
    return lane_from_name(it->get<std::string>(), trace.trace()->dictionary(),
                          trace.arrangement().groups);
  }
  const size_t count = trace.trace() ? trace.trace()->dictionary().lanes.size() : 0;
  const bool is_number = it != args.end() && it->is_number_integer() && it->get<int64_t>() >= 0;
  const uint64_t number = is_number ? it->get<uint64_t>() : LaneId::none().value();
  const bool is_lane = number < count;
  const LaneId lane(static_cast<uint32_t>(std::min<uint64_t>(number, LaneId::none().value())));
  if (!is_lane && !layout::find_group(trace.arrangement().groups, lane)) {
    return fail(fmt::format(
        "'lane' must be the name, the path or the number (below {}) of a lane, or a group's",
        count));
  }
  return lane;
}

std::vector<LaneId> lanes_of(LaneId lane, const OpenTrace& trace) {
  const layout::LaneGroup* group = layout::find_group(trace.arrangement().groups, lane);
  return group ? group->lanes : std::vector<LaneId>{lane};
}

Result<std::vector<LaneId>> lanes_arg(const Json& args, const OpenTrace& trace) {
  std::vector<LaneId> lanes;
  std::unordered_set<LaneId> seen;
  const auto list = args.find("lanes");
  if (list == args.end()) return lanes;
  if (!list->is_array()) return fail("'lanes' must be a list of names or numbers of lanes");
  for (const Json& number : *list) {
    WEFT_TRY_ASSIGN(const LaneId id, lane_arg({{"lane", number}}, trace));
    for (const LaneId lane : lanes_of(id, trace)) {
      if (seen.insert(lane).second) lanes.push_back(lane);
    }
  }
  return lanes;
}

}  // namespace weft::app
