#include "core/formats/profiles/folded/folded_reader.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/base/text_numbers.h"
#include "core/formats/base/decimal_time.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/weighted_stacks.h"

namespace weft::formats {
namespace {

constexpr size_t kMostLineBytes = 1 << 20;
constexpr double kFineScale = 1e6;  // ticks of a count, where some have fractions

struct Sample {
  std::string_view stack;
  int64_t count = 0;              // in ticks
  std::optional<int64_t> before;  // of a comparison
  bool is_rounded = false;
};

// Takes off "12" or "12.5" behind the last space; none where there is no number.
std::optional<double> take_count(std::string_view& text) {
  const size_t space = text.find_last_not_of("0123456789.+-eE");
  if (space == std::string_view::npos) return std::nullopt;
  if (text[space] != ' ' && text[space] != '\t') return std::nullopt;
  const auto count = parse_number<double>(text.substr(space + 1));
  if (count) text = trimmed(text.substr(0, space));
  return count;
}

// In ticks; nullopt: out of range. A count may be 0: stacks that are known and were not sampled.
std::optional<int64_t> ticks_from(double count, double scale) {
  constexpr double kMost = 1e15, kMostTicks = 1e18;
  if (!(count >= 0) || count > kMost || count * scale > kMostTicks) return std::nullopt;
  return count == 0 ? 0 : std::max<int64_t>(1, std::llround(count * scale));
}

// "main;parse 12"; of a comparison, "main;parse 10 12", the first is the count before.
bool parse_line(std::string_view line, Sample& sample, double scale = 1) {
  sample.stack = line;
  const auto count = take_count(sample.stack);
  const auto ticks = count ? ticks_from(*count, scale) : std::nullopt;
  if (!ticks) return false;
  sample.count = *ticks;
  sample.is_rounded = is_finer_than_ticks(*count * scale);
  std::string_view stack = sample.stack;
  const auto before = take_count(stack);
  sample.before = before ? ticks_from(*before, scale) : std::nullopt;
  if (!sample.before) return true;
  sample.stack = stack;
  sample.is_rounded |= is_finer_than_ticks(*before * scale);
  return true;
}

// "std::swap(int&, int&)", "kmalloc+0x3f6": what other lists of names and numbers do not have.
bool is_function(std::string_view frame) {
  const bool has_place = frame.find("+0x") != std::string_view::npos;
  const bool has_scope = frame.find("::") != std::string_view::npos;
  return has_place || (has_scope && frame.find(')') != std::string_view::npos);
}

// The frames of one stack after the other. Lists are sorted: a stack mostly begins as the last did.
class Frames {
 public:
  explicit Frames(trace::EventSink& sink) : sink_(sink) {}

  // From the outermost to the innermost, valid until the next call.
  std::span<const EventTypeId> of(std::string_view stack) {
    size_t same = 0, begin = 0;  // the last one's innermost is not looked at: no semicolon ends it
    for (; same + 1 < ends_.size(); begin = ends_[same++]) {
      const size_t bytes = ends_[same] - begin;
      if (stack.substr(begin, bytes) != std::string_view(last_).substr(begin, bytes)) break;
    }
    frames_.resize(same, EventTypeId::none());
    ends_.resize(same);
    for (std::string_view rest = stack.substr(begin); !rest.empty();) {
      const std::string_view frame = take_to(rest, ';');
      if (frame.empty()) continue;
      frames_.push_back(type_of(frame));
      ends_.push_back(stack.size() - rest.size());
    }
    last_ = stack;
    return frames_;
  }

 private:
  EventTypeId type_of(std::string_view frame) {
    const auto [number, is_new] = names_.add(frame);
    if (is_new) types_.push_back(sink_.type(trace::Category::kState, valid_utf8(frame)));
    return types_[number];
  }

  trace::EventSink& sink_;
  TextNumbers names_;
  std::vector<EventTypeId> types_;  // by the numbers of their names
  std::string last_;
  std::vector<EventTypeId> frames_;
  std::vector<size_t> ends_;  // where each of them ends in the last, its semicolon included
};

// "2015-01-13 22:29:42 …", of a log.
bool is_dated(std::string_view line) {
  constexpr std::string_view kDate = "0000-00-00";
  if (line.size() <= kDate.size()) return false;
  return std::ranges::equal(line.substr(0, kDate.size()), kDate, [](char each, char of_date) {
    return of_date == '-' ? each == '-' : is_digit(each);
  });
}

bool is_comment(std::string_view line) { return line.starts_with('#') || line.starts_with("//"); }

// Whether the counts are seconds, megabytes or shares: whoever writes fractions mostly begins so.
bool has_fractions(io::Source& source) {
  constexpr size_t kHeadBytes = 1 << 16;
  const auto head = source.peek(kHeadBytes);
  HeadLines lines(head ? as_chars(*head) : std::string_view());
  while (const auto line = lines.next()) {
    Sample sample;
    if (!is_comment(*line) && parse_line(*line, sample) && sample.is_rounded) return true;
  }
  return false;
}

// Of Austin, which profiles Python: "# austin: 3.3.0", "# mode: wall" and such stand before and
// behind the stacks.
struct Austin {
  bool is_it = false;
  bool is_time = false;  // counts are microseconds
};

// The key and the value of "# mode: wall".
std::optional<std::pair<std::string_view, std::string_view>> said_by(std::string_view comment) {
  const size_t colon = comment.find(": ");
  if (!take_prefix(comment, "# ") || colon == std::string_view::npos) return std::nullopt;
  const std::string_view key = take_to(comment, ':');
  return std::pair(key, trimmed(comment));
}

Austin austin_of(io::Source& source) {
  constexpr size_t kHeaderBytes = 1 << 10;
  const auto head = source.peek(kHeaderBytes);
  HeadLines lines(head ? as_chars(*head) : std::string_view());
  Austin austin;
  while (const auto line = lines.next()) {
    if (trimmed(*line).empty()) continue;
    const auto said = said_by(*line);
    if (!said) break;
    austin.is_it |= said->first == "austin";
    austin.is_time |= said->first == "mode" && (said->second == "wall" || said->second == "cpu");
  }
  austin.is_time &= austin.is_it;
  return austin;
}

class FoldedReader {
 public:
  FoldedReader(trace::EventSink& sink, double scale, Austin austin)
      : sink_(sink), scale_(scale), austin_(austin), timeline_(sink), frames_(sink) {
    if (!austin_.is_it) stacks_.emplace(timeline_, sink.add_lane({.name = "stacks"}));
  }

  void add(const io::Line& line) {
    if (is_comment(line.text)) return add_comment(line.text);
    if (austin_.is_it && trimmed(line.text).empty()) return;
    Sample sample;
    if (!parse_line(line.text, sample, scale_))
      return sink_.loss("line without a count", line.offset);
    if (sample.before && !before_)
      before_.emplace(timeline_, sink_.add_lane({.name = "stacks before"}));
    if (sample.count == 0 && sample.before.value_or(0) == 0) return;
    if (sample.is_rounded) sink_.note("count rounded to whole ticks", line.offset);
    stacks::WeightedStacks& stacks = stacks_ ? *stacks_ : stacks_of_thread(sample.stack);
    const auto stack = frames_.of(sample.stack.empty() ? "(no stack)" : sample.stack);
    stacks.add(stack, sample.count);
    if (sample.before) before_->add(stack, *sample.before);
  }

  void finish() { timeline_.finish(); }

 private:
  void add_comment(std::string_view comment) {
    const auto said = austin_.is_it ? said_by(comment) : std::nullopt;
    if (!said) return;
    const bool is_time = said->first == "interval" || said->first == "duration";
    sink_.set_metadata(valid_utf8(said->first),
                       valid_utf8(said->second) + (is_time ? " \u00B5s" : ""));
  }

  // Takes "P6360;T6360;" off the stack.
  stacks::WeightedStacks& stacks_of_thread(std::string_view& stack) {
    const auto take = [&](std::string_view letter) {
      const bool is_there = stack.starts_with(letter);
      return is_there ? take_to(stack, ';').substr(letter.size()) : std::string_view();
    };
    const std::string process(take("P")), thread(take("T"));
    const std::pair key(process, thread);
    if (const auto it = threads_.find(key); it != threads_.end()) return it->second;
    const LaneId lane =
        sink_.add_lane({.name = thread.empty() ? "stacks" : "thread " + valid_utf8(thread),
                        .parent = lane_of_process(process),
                        .kind = trace::LaneKind::kThread});
    return threads_.try_emplace(key, timeline_, lane).first->second;
  }

  LaneId lane_of_process(const std::string& process) {
    if (process.empty()) return LaneId::none();
    const auto [it, is_new] = processes_.try_emplace(process, LaneId::none());
    if (is_new)
      it->second = sink_.add_lane(
          {.name = "process " + valid_utf8(process), .kind = trace::LaneKind::kProcess});
    return it->second;
  }

  trace::EventSink& sink_;
  double scale_;
  Austin austin_;
  stacks::StackTimeline timeline_;
  Frames frames_;
  std::optional<stacks::WeightedStacks> stacks_, before_;
  std::map<std::string, LaneId> processes_;
  std::map<std::pair<std::string, std::string>, stacks::WeightedStacks> threads_;
};

}  // namespace

int sniff_folded(std::span<const std::byte> head) {
  constexpr int kLinesLookedAt = 16;
  HeadLines lines(as_chars(head), kLinesLookedAt);
  int right = 0, wrong = 0;
  bool has_frames = false;
  while (const auto line = lines.next()) {
    if (line->empty() || is_comment(*line)) continue;
    Sample sample;
    const bool is_right = !is_dated(*line) && parse_line(*line, sample) &&
                          is_valid_utf8(sample.stack) && !sample.stack.ends_with(':');
    if (is_right || !lines.is_open()) ++(is_right ? right : wrong);
    has_frames |=
        is_right && (sample.stack.find(';') != std::string_view::npos || is_function(sample.stack));
  }
  constexpr int kSure = 40;
  return has_frames && right > 2 * wrong ? kSure : 0;
}

Status read_folded(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  const Austin austin = austin_of(source);
  const double scale = !austin.is_time && has_fractions(source) ? kFineScale : 1;
  sink.set_time_base(austin.is_time ? TimeBase::kMicroseconds : TimeBase::kTicks);
  if (scale > 1) sink.set_metadata("one tick", "a millionth of a count");
  FoldedReader reader(sink, scale, austin);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); }, kMostLineBytes);
  reader.finish();
  return {};
}

}  // namespace weft::formats
