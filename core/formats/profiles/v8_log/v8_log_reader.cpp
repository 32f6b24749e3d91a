#include "core/formats/profiles/v8_log/v8_log_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/profiles/v8_log/code_map.h"
#include "core/formats/stacks/open_states.h"
#include "core/formats/stacks/sampled_stacks.h"
#include "core/formats/stacks/stack_timeline.h"

namespace weft::formats {
namespace {

using json::Element;
using json::member;

// V8's activities other than running a program, by number; empty: it runs one.
constexpr std::array<std::string_view, 10> kVmStates = {"",           "(garbage collection)",
                                                        "(parser)",   "(bytecode compiler)",
                                                        "(compiler)", "",
                                                        "",           "(waiting)",
                                                        "(idle)",     "(logging)"};
// Until V8 5.6.
constexpr std::array<std::string_view, 6> kOldVmStates = {
    "", "(garbage collection)", "(compiler)", "", "", "(idle)"};

class Ticks {
 public:
  explicit Ticks(trace::EventSink& sink)
      : sink_(sink),
        timeline_(sink),
        stacks_(timeline_,
                sink.add_lane({.name = "JavaScript", .kind = trace::LaneKind::kThread})) {
    sink.set_time_base(TimeBase::kMicroseconds);
  }

  // Frames from the outermost to the innermost.
  void add(int64_t time, std::vector<EventTypeId>& frames, int64_t vm_state, uint64_t place) {
    if (time < last_) return sink_.loss("tick before the one before it", place);
    last_ = time;
    const auto states = is_old ? std::span<const std::string_view>(kOldVmStates) : kVmStates;
    const bool is_known = vm_state >= 0 && static_cast<size_t>(vm_state) < states.size();
    const std::string_view state =
        is_known ? states[static_cast<size_t>(vm_state)] : std::string_view();
    if (!state.empty()) frames.push_back(sink_.type(trace::Category::kState, state, "VM"));
    stacks_.add(Time{time}, frames);
  }
  void finish() {
    stacks_.finish();
    timeline_.finish();
  }
  bool is_empty() const { return last_ == kBefore; }

  bool is_old = false;  // what the numbers of V8's states mean

 private:
  trace::EventSink& sink_;
  stacks::StackTimeline timeline_;
  stacks::SampledStacks stacks_;
  static constexpr int64_t kBefore = std::numeric_limits<int64_t>::min();
  int64_t last_ = kBefore;
};

// V8's timer events, with --log-timer-events.
class Timers {
 public:
  explicit Timers(trace::EventSink& sink) : sink_(sink), states_(sink) {}

  void begin(std::string_view name, Time time, uint64_t offset) {
    if (lane_.is_none())
      lane_ = sink_.add_lane({.name = "timers", .kind = trace::LaneKind::kThread});
    last_ = std::max(last_, time);
    states_.begin(lane_, type_of(name), time, ParamsId::none(), offset);
  }
  void end(std::string_view name, Time time, uint64_t offset) {
    if (lane_.is_none()) return sink_.note("end without a begin", offset);
    last_ = std::max(last_, time);
    states_.end_of(lane_, type_of(name), time, offset);
  }
  bool is_empty() const { return lane_.is_none(); }
  void finish() { states_.finish(last_); }

 private:
  EventTypeId type_of(std::string_view name) {
    return sink_.type(trace::Category::kState, valid_utf8(name), "V8");
  }

  trace::EventSink& sink_;
  stacks::OpenStates states_;
  LaneId lane_ = LaneId::none();
  Time last_ = Time::min();
};

class LogReader {
 public:
  explicit LogReader(trace::EventSink& sink)
      : sink_(sink), codes_(sink), ticks_(sink), timers_(sink) {
    ticks_.is_old = true;  // where no version is said
  }

  void add(const io::Line& line) {
    cut(line.text);
    const std::string_view kind = cells_[0];
    if (kind == "tick") return add_tick(line.offset);
    if (kind == "code-creation") return add_code(line.offset);
    if (kind.starts_with("timer-event-")) return add_timer(kind.ends_with("start"), line.offset);
    const auto first = address(1), second = address(2), third = address(3);
    if (kind == "code-move" && first && second) codes_.move(*first, *second);
    if (kind == "code-delete" && first) codes_.remove(*first);
    if (kind == "shared-library" && second && third) codes_.add_library(*second, *third, cells_[1]);
    if (kind == "profiler" && cell(1) == "begin") interval_ms_ = parse_number<uint32_t>(cell(2));
    if (kind == "v8-version" && line.text.size() > kind.size()) set_version(line.text);
  }
  void finish() {
    if (ticks_.is_empty() && timers_.is_empty())
      sink_.note("log without samples (--prof): names of code alone", trace::LossPlace::nowhere());
    ticks_.finish();
    timers_.finish();
  }

 private:
  void set_version(std::string_view line) {
    using Version = std::pair<int64_t, int64_t>;
    constexpr Version kNewStates{5, 7};
    const auto major = parse_number<int64_t>(cell(1)), minor = parse_number<int64_t>(cell(2));
    ticks_.is_old = major && minor && Version{*major, *minor} < kNewStates;
    sink_.set_metadata("V8", valid_utf8(line.substr(cells_[0].size() + 1)));
  }

  void add_timer(bool begins, uint64_t offset) {
    const auto time = parse_number<int64_t>(cell(2));
    if (!time) return sink_.loss("timer without a time", offset);
    begins ? timers_.begin(cell(1), Time{*time}, offset)
           : timers_.end(cell(1), Time{*time}, offset);
  }

  // A name in quotes may hold commas; newer logs write them as \x2C.
  void cut(std::string_view line) {
    cells_.clear();
    while (cells_.size() < kMostCells) {
      const bool is_quoted = line.starts_with('"');
      const size_t quote = is_quoted ? line.find('"', 1) : std::string_view::npos;
      const size_t comma = line.find(',', quote == std::string_view::npos ? 0 : quote);
      std::string_view cell = line.substr(0, comma);
      if (is_quoted && cell.size() > 1 && cell.ends_with('"'))
        cell = cell.substr(1, cell.size() - 2);
      cells_.push_back(cell);
      if (comma == std::string_view::npos) return;
      line.remove_prefix(comma + 1);
    }
  }
  std::string_view cell(size_t i) const {
    return i < cells_.size() ? cells_[i] : std::string_view();
  }
  std::optional<uint64_t> address(size_t i) const {
    std::string_view text = cell(i);
    return take_address(text);
  }

  // "\x2C" is a comma.
  static std::string unescaped(std::string_view text) {
    std::string out;
    for (size_t at; (at = text.find("\\x")) != std::string_view::npos;) {
      std::string_view digits = text.substr(at + 2, 2);
      const auto code = take_hexadecimal(digits);
      out += text.substr(0, at);
      code&& digits.empty() ? out += static_cast<char>(*code) : out += text.substr(at, 4);
      text.remove_prefix(std::min<size_t>(at + 4, text.size()));
    }
    return out.append(text);
  }

  // Old logs do not say when, and older ones not for whom it was compiled.
  void add_code(uint64_t offset) {
    const size_t at = address(2) ? 2 : address(3) ? 3 : 4;
    const auto begin = address(at);
    const auto size = parse_number<uint64_t>(cell(at + 1));
    if (!begin || !size) return sink_.loss("code without a place", offset);
    codes_.add(*begin, *size, codes_.name_of(unescaped(cell(at + 2)), cell(1)));
  }

  // Adds a tick: the position of the processor or the current callback, and the callers' positions,
  // innermost first; "+1f" and "-1f" are relative to the last position written that way.
  void add_tick(uint64_t offset) {
    const auto pc = address(1), callback = address(4);
    const auto time = address(2) ? next_time() : parse_number<int64_t>(cell(2));
    const auto state = parse_number<int64_t>(cell(5));
    if (!pc || !time || !state) return sink_.loss("damaged tick", offset);
    frames_.clear();
    uint64_t last = cell(3) == "1" && callback ? *callback : *pc;
    add_frame(last);
    for (size_t i = 6; i < cells_.size(); ++i) {
      std::string_view text = cells_[i];
      const bool is_minus = take_prefix(text, "-");
      if (is_minus || take_prefix(text, "+")) {
        take_prefix(text, "0x");
        const uint64_t step = take_hexadecimal(text).value_or(0);
        add_frame(last = is_minus ? last - step : last + step);
      } else if (const auto at = take_address(text)) {
        add_frame(*at);
      } else if (text == "overflow") {
        sink_.note("stack deeper than V8 logs", offset);
      }
    }
    std::ranges::reverse(frames_);
    ticks_.add(*time, frames_, *state, offset);
  }
  // Until V8 3.2x the top of the stack stood in a tick's place of the time.
  std::optional<int64_t> next_time() {
    constexpr int64_t kMillisecond = 1000;
    if (untimed_++ == 0)
      sink_.set_metadata("times", "not in the log: ticks lie as far apart as V8 was to take them");
    return untimed_ * interval_ms_.value_or(1) * kMillisecond;
  }
  void add_frame(uint64_t at) {
    EventTypeId type = codes_.at(at);
    if (type.is_none() && !frames_.empty()) return;  // what lies on a stack need be no code
    if (type.is_none()) type = codes_.type_of(codes_.name_of("(unknown)", "unknown"));
    frames_.push_back(type);
  }

  static constexpr size_t kMostCells = 1 << 12;

  trace::EventSink& sink_;
  v8_log::CodeMap codes_;
  Ticks ticks_;
  Timers timers_;
  std::vector<std::string_view> cells_;
  std::vector<EventTypeId> frames_;
  std::optional<uint32_t> interval_ms_;  // of ticks that do not say when they were taken
  int64_t untimed_ = 0;                  // that there were
};

void read_processed(Element root, trace::EventSink& sink) {
  v8_log::CodeMap names(sink);
  std::vector<v8_log::CodeMap::Name*> codes;
  json::for_each_element(member(root, "code"), [&](Element code) {
    const std::string_view type = json::text(member(code, "type"));
    const bool is_library = type == "SHARED_LIB";
    std::string_view name = json::text(member(code, "name"));
    if (is_library) name.remove_prefix(name.rfind('/') + 1);
    // As nm lists a symbol: behind the letter of its kind.
    if (type == "CPP" && name.size() > 2 && name[1] == ' ') name.remove_prefix(2);
    codes.push_back(&names.name_of(name, is_library ? "library" : type));
  });
  Ticks ticks(sink);
  uint64_t index = 0;
  std::vector<EventTypeId> frames;
  json::for_each_element(member(root, "ticks"), [&](Element tick) {
    const uint64_t place = index++;
    const auto time = json::integer(member(tick, "tm"));
    if (!time) return sink.loss("tick without a time", place);
    // Pairs of a code and the place in it, the innermost first.
    const std::vector<int64_t> stack = json::indices(member(tick, "s"));
    frames.clear();
    for (size_t i = stack.size() / 2 * 2; i > 0; i -= 2) {
      const int64_t code = stack[i - 2];
      if (code >= 0 && static_cast<size_t>(code) < codes.size())
        frames.push_back(names.type_of(*codes[static_cast<size_t>(code)]));
    }
    if (frames.empty()) frames.push_back(names.type_of(names.name_of("(unknown)", "unknown")));
    ticks.add(*time, frames, json::integer(member(tick, "vm")).value_or(-1), place);
  });
  ticks.finish();
}

bool is_processed(std::string_view text) {
  const std::string_view start = trimmed(text);
  if (!start.starts_with('{')) return false;
  const std::string_view inner = trimmed(start.substr(1));
  return inner.starts_with("\"code\"") && text.find("\"SHARED_LIB\"") < text.size();
}

// Logs of 2014 and before do not say of which version they are.
bool is_old_log(std::string_view text) {
  const bool begins_so = text.starts_with("shared-library,\"") || text.starts_with("profiler,\"") ||
                         text.starts_with("code-creation,Stub,");
  return begins_so && text.find("\ncode-creation,") != std::string_view::npos;
}

}  // namespace

int sniff_v8_log(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  return text.starts_with("v8-version,") || is_old_log(text) || is_processed(text) ? 90 : 0;
}

Status read_v8_log(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  constexpr size_t kEnoughOfHead = 64;
  WEFT_TRY_ASSIGN(const auto head, source.peek(kEnoughOfHead));
  if (!trimmed(as_chars(head)).starts_with('{')) {
    LogReader reader(sink);
    for_each_ended_line(source, sink, [&](const io::Line& line) { reader.add(line); });
    reader.finish();
    return {};
  }
  WEFT_TRY_ASSIGN(const json::Document document,
                  json::Document::read(source, sink, context.memory_bytes));
  read_processed(document.root(), sink);
  return {};
}

}  // namespace weft::formats
