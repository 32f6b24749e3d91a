// The arguments of commands: those that several take, as rows say them; and reading them, each of
// the right type and in range, or an error that names it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/complaints.h"
#include "app/session/commands.h"
#include "app/session/session.h"
#include "core/base/result.h"
#include "core/base/time.h"

namespace weft::app {

inline constexpr Argument kShown = flag("shown", "toggle");
inline constexpr Argument kOn = flag("on", "toggle");
inline constexpr Argument kIndex = {"index", "of the trace, from 0", "the current one"};
inline constexpr Argument kPanel = {"panel", "id", "the one with the focus"};
inline constexpr Argument kColor = {"color", "as #4e79a7", "its own again"};

// An error, where there are any; the command goes on. `of` says what they are about.
void complain(Session& session, std::string_view of, const Complaints& complaints);

// The path of a file to write in argument `key`; an error where it is empty, or is the file of a
// trace that is open, which would be lost.
Result<std::string> output_arg(const Session& session, const Json& args, const char* key);

// The trace that commands act on.
Result<OpenTrace*> current(Session& session);
// "index", from 0; the current trace where it is not given.
Result<OpenTrace*> trace_arg(Session& session, const Json& args);
// An error names those that are open.
Result<PanelInstance*> open_panel_named(Session& session, const std::string& id);
// "panel": the id of one that is open; the one with the focus where it is not given.
Result<PanelInstance*> panel_arg(Session& session, const Json& args);

Result<double> number_arg(const Json& args, const char* key);  // finite
Result<double> positive_arg(const Json& args, const char* key);
Result<double> number_arg(const Json& args, const char* key, double otherwise);
// A whole number in [least, most].
Result<int64_t> integer_arg(const Json& args, const char* key, int64_t least, int64_t most);
Result<int64_t> integer_arg(const Json& args, const char* key, int64_t least, int64_t most,
                            int64_t otherwise);
Result<std::string> text_arg(const Json& args, const char* key);
Result<std::string> text_arg(const Json& args, const char* key, std::string_view otherwise);
Result<bool> flag_arg(const Json& args, const char* key, bool otherwise);
// One of a few words.
Result<std::string> choice_arg(const Json& args, const char* key, Choices choices);
Result<std::string> choice_arg(const Json& args, const char* key, Choices choices,
                               std::string_view otherwise);
// None where it is missing.
Result<std::vector<std::string>> texts_arg(const Json& args, const char* key);
Result<Json> object_arg(const Json& args, const char* key);
// An integer in ticks, or a text as people type it (typed_time.h).
Result<Time> time_arg(const Json& args, const char* key, const OpenTrace& trace);
// A number of ticks, or a text as parse_duration reads it.
Result<Duration> duration_arg(const Json& args, const char* key, const OpenTrace& trace);
// "from" and "to", which is later.
Result<TimeRange> range_args(const Json& args, const OpenTrace& trace);
// "lane": the number, the name or the path of one there is, or a group's.
Result<LaneId> lane_arg(const Json& args, const OpenTrace& trace);
// Those of a group, or the lane itself.
std::vector<LaneId> lanes_of(LaneId lane, const OpenTrace& trace);
// "lanes": numbers or names of lanes or groups; never of a group in the answer. None where it is
// missing.
Result<std::vector<LaneId>> lanes_arg(const Json& args, const OpenTrace& trace);

// A command that sets a flag of a part of the session to its argument "shown", or toggles it.
template <auto kPart, auto kFlag>
Status show_flag(Session& session, const Command& command) {
  bool& flag = session.*kPart.*kFlag;
  WEFT_TRY_ASSIGN(flag, flag_arg(command.args, "shown", !flag));
  return {};
}

}  // namespace weft::app
