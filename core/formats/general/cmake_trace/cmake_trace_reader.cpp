#include "core/formats/general/cmake_trace/cmake_trace_reader.h"

#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/decimal_time.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"

namespace weft::formats {
namespace {

constexpr std::string_view kVersion = "{\"version\":{\"major\":";

class CmakeTrace {
 public:
  explicit CmakeTrace(trace::EventSink& sink)
      : sink_(sink), lane_(sink.add_lane({.name = "cmake", .kind = trace::LaneKind::kThread})) {}

  void add(const io::Line& line) {
    if (line.text.starts_with(kVersion)) return;
    if (!document_.parse_next(line.text) || !document_.root().is_object())
      return sink_.loss("line that is not a command", line.offset);
    const json::TextScope scope(document_.root());
    const auto member = [&](std::string_view name) { return json::member(document_.root(), name); };
    const std::string_view name = json::text(member("cmd"));
    auto depth = json::integer(member("global_frame"));
    if (!depth) depth = json::integer(member("frame"));
    const auto time = nearest_time(json::plain(member("time")), DecimalUnit::kSeconds);
    if (name.empty() || !depth || !time)
      return sink_.loss("command without a name, depth or time", line.offset);
    if (*time < last_) return sink_.loss("command before the one before it", line.offset);
    last_ = *time;
    end_from(*depth);
    open_.push_back({*depth, last_, sink_.type(trace::Category::kState, name), params()});
  }

  void finish() { end_from(INT64_MIN); }

 private:
  struct Command {
    int64_t depth;
    Time begin;
    EventTypeId type;
    ParamsId params;
  };

  // Ends commands at this depth or deeper.
  void end_from(int64_t depth) {
    for (; !open_.empty() && open_.back().depth >= depth; open_.pop_back()) {
      const Command& command = open_.back();
      sink_.give(trace::StateEvent{.begin = command.begin,
                                   .duration = last_ - command.begin,
                                   .params = command.params,
                                   .lane = lane_,
                                   .type = command.type});
    }
  }

  ParamsId params() {
    std::string text;
    for (const std::string_view name : {"args", "file", "line", "line_end", "defer"}) {
      const auto value = json::member(document_.root(), name);
      if (!value) continue;
      text += text.empty() ? '{' : ',';
      json::append_quoted(text, name);
      (text += ':') += json::compact(value);
    }
    return text.empty() ? ParamsId::none() : sink_.params(text + '}');
  }

  trace::EventSink& sink_;
  LaneId lane_;
  json::Document document_;
  std::vector<Command> open_;  // each deeper than the one before
  Time last_ = Time::min();
};

}  // namespace

int sniff_cmake_trace(std::span<const std::byte> head) {
  constexpr int kSure = 90, kLines = 3;
  HeadLines lines(as_chars(head), kLines);
  while (const auto line = lines.next()) {
    const bool is_command = line->starts_with("{\"args\":[") && line->contains("\"cmd\":\"") &&
                            line->contains("\"frame\":");
    if (is_command) return kSure;
  }
  return 0;
}

Status read_cmake_trace(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  CmakeTrace trace(sink);
  for_each_line(source, sink, [&](const io::Line& line) { trace.add(line); });
  trace.finish();
  return {};
}

}  // namespace weft::formats
