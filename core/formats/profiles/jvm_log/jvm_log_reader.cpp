#include "core/formats/profiles/jvm_log/jvm_log_reader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/regex.h"
#include "core/base/text.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/json_members.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/profiles/jvm_log/jvm_events.h"
#include "core/formats/profiles/jvm_log/jvm_log_line.h"
#include "core/formats/profiles/jvm_log/old_log.h"

namespace weft::formats {
namespace {

using trace::Category;

Regex compiled(std::string_view pattern) { return Regex::compile(pattern).value(); }

// "Pause Young (Normal) 19M->4M(64M) 10.709ms"; no colon: a sum of times is none.
const Regex& timed() {
  static const Regex regex = compiled(
      R"(^([^:]+?(?:\d: [^:]+?)?|.: [^:]+?)(?: (\d+[BKMGT]?\S*->\S+))? (\d+[.,]\d+)(ms|s)$)");
  return regex;
}
// "Eden regions: 19->0(33)", "Metaspace: 20679K(20800K)->20679K(20800K) …".
const Regex& sized() {
  static const Regex regex = compiled(R"(^([A-Za-z][\w ,-]*?):? (\d+[BKMGT]?\S*->\S+)(?: .*)?$)");
  return regex;
}
// "Garbage Collection (Warmup) 16M(12%)->12M(9%)": ZGC's end of a collection, which says no length.
const Regex& shrunk() {
  static const Regex regex =
      compiled(R"(^([A-Z][\w ]*? \(.*\)) (\d+[BKMGT]\(\d+%\)->\d+[BKMGT]\(\d+%\))$)");
  return regex;
}
const Regex& safepoint() {
  static const Regex regex = compiled(R"re(^Safepoint "([^"]+)", (.*), Total: +(\d+) ns$)re");
  return regex;
}
const Regex& stopped() {
  static const Regex regex = compiled(
      R"(^Total time for which application threads were stopped: (\d+[.,]\d+) seconds(?:, (.*))?$)");
  return regex;
}
class JvmLogReader {
 public:
  explicit JvmLogReader(trace::EventSink& sink) : sink_(sink), events_(sink), old_(events_) {}

  void add(const io::Line& line) {
    offset_ = line.offset;
    if (!line.text.starts_with('[') || jvm_log::begins_collection(line.text)) {  // until Java 8
      if (!is_of_day_) return old_.add(line.text, offset_);
      return sink_.note("line without a time", offset_);
    }
    if (old_.is_of_day()) return old_.add(line.text, offset_);
    if (!jvm_log::parse_line(line.text, line_)) return sink_.note("line without a time", offset_);
    if (!is_of_day_) is_of_day_ = line_.is_of_day;
    if (*is_of_day_ != line_.is_of_day) return sink_.loss("line on another clock", offset_);
    add_new();
  }

  // Ends what has begun without a line that gives its duration.
  void finish() {
    old_.finish();
    for (const auto& [key, begun] : begun_) {
      sink_.note("begin without an end", {begun.offset, begun.event.lane, begun.event.time});
      sink_.give(begun.event);
    }
  }

 private:
  struct Begun {
    trace::PunctualEvent event;
    uint64_t offset;
  };

  void add_new() {
    std::string_view text = trimmed(line_.message);
    std::string_view collection;
    if (text.starts_with("GC(")) {
      collection = text.substr(3, find_any<')'>(text) - 3);
      text = trimmed(text.substr(std::min(text.size(), find_any<')'>(text) + 1)));
    }
    params_.clear();
    if (!collection.empty()) append_member(params_, "collection", collection);
    if (text.starts_with(kEntering)) return void(region_ = text.substr(kEntering.size()));
    const auto is = [&](const Regex& form) {
      return form.find(text, groups_) == Regex::Found::kYes;
    };
    if (text.starts_with("Total time") && is(stopped())) return add_stop();
    if (text.starts_with("Safepoint") && is(safepoint())) return add_safepoint();
    if (text.ends_with('s') && is(timed())) return add_timed(collection);
    const bool has_sizes = text.contains("->");
    if (has_sizes && is(sized())) {
      const std::string_view sizes = groups_[1];
      if (events_.add_sizes(groups_[0], sizes, {}, line_.time)) return;
    }
    if (has_sizes && text.ends_with(')') && is(shrunk())) return add_shrunk(collection, text);
    add_message(collection, text);
  }

  void add_timed(std::string_view collection) {
    const std::string_view sizes = groups_[1], what = groups_[0];
    const auto length = length_of(
        groups_[2], groups_[3] == "ms" ? DecimalUnit::kMilliseconds : DecimalUnit::kSeconds);
    if (!length) return add_message(collection, what);
    const std::string name = without_numbers(what);
    begun_.erase(key_of(collection, name));
    if (!sizes.data()) return add_state(lane_of_kind(what), name, *length);
    append_member(params_, "memory", sizes);
    add_state(lane_of_kind(what), name, *length);
    events_.add_sizes("Heap", sizes, line_.time - *length, line_.time);
  }

  // It lasted since the line that said that it began, where that was logged, too.
  void add_shrunk(std::string_view collection, std::string_view text) {
    const std::string_view what = groups_[0], sizes = groups_[1];
    const auto begun = begun_.find(key_of(collection, what));
    std::optional<Time> begin;
    if (begun != begun_.end()) begin = begun->second.event.time;
    events_.add_sizes("Heap", sizes, begin, line_.time);
    if (!begin) return add_message(collection, text);
    begun_.erase(begun);
    append_member(params_, "memory", sizes);
    add_state(lane_of_kind(what), without_numbers(what), line_.time - *begin);
  }

  void add_safepoint() {
    const auto length = parse_number<int64_t>(groups_[2]);
    const std::string name(groups_[0]);
    append_member(params_, "parts", groups_[1]);
    if (length) add_state("Safepoints", name, {*length});
  }

  // Until Java 12 what it was for is said where it begins.
  void add_stop() {
    const auto length = length_of(groups_[0], DecimalUnit::kSeconds);
    if (groups_[1].data()) append_member(params_, "parts", groups_[1]);
    const std::string name = region_.empty() ? "stopped" : std::exchange(region_, {});
    if (length) add_state("Safepoints", name, *length);
  }

  void add_message(std::string_view collection, std::string_view text) {
    append_member(params_, "text", text);
    if (!line_.level.empty()) append_member(params_, "level", line_.level);
    const trace::PunctualEvent event{
        .time = line_.time,
        .params = events_.params(params_),
        .lane = events_.lane("Messages"),
        .type = messages_.of(line_.tags.empty() ? "message" : line_.tags)};
    // Its end says the same, and more.
    const bool is_begin = text.find(": ") == std::string_view::npos &&
                          (line_.tags.ends_with(",start") ||
                           (text.starts_with("Concurrent ") && !line_.tags.ends_with(",stats")));
    if (!is_begin || begun_.size() == kMostBegun) return sink_.give(event);
    const auto [it, is_new] =
        begun_.try_emplace(key_of(collection, without_numbers(text)), Begun{event, offset_});
    if (!is_new) sink_.give(event);
  }

  // The line is written at its end.
  void add_state(std::string_view on, std::string_view name, Duration length) {
    events_.add_state(on, name, line_.time - length, length, params_);
  }

  static std::optional<Duration> length_of(std::string_view number, DecimalUnit unit) {
    const auto length = jvm_log::time_of(number, unit);
    return length && length->ticks >= 0 ? std::optional(Duration{length->ticks}) : std::nullopt;
  }

  // Returns the common part of names like "Concurrent Mark (2.391s, 2.394s)".
  static std::string without_numbers(std::string_view what) {
    const size_t bracket = what.rfind(" (");
    const bool has_number = bracket != std::string_view::npos && bracket + 2 < what.size() &&
                            is_digit(what[bracket + 2]);
    return valid_utf8(trimmed(has_number ? what.substr(0, bracket) : what));
  }
  // A pause may become one of another kind while it lasts: that stands in brackets.
  static std::string key_of(std::string_view collection, std::string_view name) {
    std::string key(collection);
    return key.append(1, ' ').append(name.substr(0, name.find(" (")));
  }

  std::string_view lane_of_kind(std::string_view what) {
    const auto has = [&](std::string_view word) { return what.find(word) < 4; };  // "Y: Pause …"
    if (has("Pause")) return "Pauses";
    if (has("Concurrent")) return "Concurrent";
    if (line_.tags.find("phases") != std::string_view::npos) return "Phases";
    return "Collections";
  }
  static constexpr size_t kMostBegun = 4096;
  static constexpr std::string_view kEntering = "Entering safepoint region: ";

  trace::EventSink& sink_;
  jvm_log::Events events_;
  jvm_log::OldLog old_;
  TypesByName messages_{sink_, Category::kPunctual};
  jvm_log::Line line_;
  uint64_t offset_ = 0;            // of the line
  std::optional<bool> is_of_day_;  // of the first line
  std::string region_;             // that a safepoint was entered for
  std::map<std::string, Begun> begun_;
  std::string params_;
  std::vector<std::string_view> groups_;
};

// Lines may have a time and nothing else before the message: then that tells.
bool is_of_collector(std::string_view message) {
  for (const std::string_view begin :
       {"GC(", "Safepoint \"", "Using G1", "Using Serial", "Using Parallel", "Using Shenandoah",
        "Using Epsilon", "Using The Z Garbage Collector"})
    if (message.starts_with(begin)) return true;
  return false;
}

}  // namespace

int sniff_jvm_log(std::span<const std::byte> head) {
  constexpr int kLinesLookedAt = 64, kSure = 80, kLikely = 60;
  std::string_view text = as_chars(head);
  if (jvm_log::old_records_in(text) > 0) return kSure;
  int right = 0, wrong = 0;
  bool is_of_java = false, has_tags = false;
  HeadLines lines(text, kLinesLookedAt);
  while (const auto next = lines.next()) {
    jvm_log::Line line;
    const bool has_time = jvm_log::parse_line(trimmed(*next), line);
    ++(has_time ? right : wrong);
    is_of_java |= has_time && (is_of_collector(line.message) || line.tags.starts_with("gc") ||
                               line.tags.starts_with("safepoint"));
    // Other programs that log so say the time of day.
    has_tags |= has_time && !line.is_of_day && !line.level.empty() && !line.tags.empty();
  }
  if (right <= wrong) return 0;
  if (is_of_java) return kSure;
  return has_tags ? kLikely : 0;
}

Status read_jvm_log(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  JvmLogReader reader(sink);
  for_each_ended_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
