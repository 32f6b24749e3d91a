#include "core/formats/messages/shiviz/shiviz_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/flat_index.h"
#include "core/base/large_vector.h"
#include "core/base/text.h"
#include "core/base/text_arena.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/json_cursor.h"
#include "core/formats/base/json_members.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/messages/shiviz/log_lines.h"

namespace weft::formats {
namespace {

// Texts that differ in numbers alone are of one type.
constexpr size_t kMostOfTypeName = 80;
std::string_view type_name_of(std::string_view text, std::array<char, kMostOfTypeName>& room) {
  text = text.substr(0, room.size());
  if (text.empty()) return "event";
  char* end = room.data();
  while (!text.empty()) {
    const char* const number = std::ranges::find_if(text, is_digit);
    end = std::copy(text.data(), number, end);
    text.remove_prefix(static_cast<size_t>(number - text.data()));
    if (text.empty()) break;
    *end++ = '#';
    text.remove_prefix(std::min(text.size(), text.find_first_not_of("0123456789")));
  }
  return {room.data(), end};
}

// "=== Execution #2 ===", as ShiViz's own logs of several executions have it; none: another line.
std::string_view execution_in(std::string_view line) {
  constexpr std::string_view kBegin = "=== ", kEnd = " ===";
  line = trimmed(line);
  const bool is_one =
      line.size() > kBegin.size() + kEnd.size() && line.starts_with(kBegin) && line.ends_with(kEnd);
  if (!is_one) return {};
  return line.substr(kBegin.size(), line.size() - kBegin.size() - kEnd.size());
}

class ShivizReader {
 public:
  explicit ShivizReader(trace::EventSink& sink) : sink_(sink) {}

  void add(const io::Line& line) {
    const bool has_clock = shiviz::parse_clock_line(line.text, parts_);
    if (const std::string_view name = execution_in(line.text); !has_clock && !name.empty())
      return begin_execution(name);
    if (!layout_) layout_ = layout_of(has_clock, parts_);
    if (!has_clock) {
      // An event's text behind its clock, or before the clock to come.
      if (*layout_ == Layout::kClockFirst && std::exchange(last_lacks_text_, false)) {
        set_text(events_.back(), line.text);
      } else if (*layout_ == Layout::kClockFirst && is_further_line(line.text)) {
        add_further_line(line.text);
      } else if (*layout_ == Layout::kClockLast) {
        drop_text();
        text_ = trimmed(line.text);
        text_offset_ = line.offset;
      } else {
        last_is_whole_ = false;
        sink_.loss("line without a clock", line.offset, 1, may_be_clock(line.text));
      }
      return;
    }
    last_lacks_text_ = false;
    const size_t host = shiviz::host_of(parts_);
    if (host == shiviz::kNoHost) {
      last_is_whole_ = false;
      return sink_.loss("clock that does not say whose it is", line.offset);
    }
    const std::string_view text = *layout_ == Layout::kClockLast ? text_ : parts_.behind;
    add_event(parts_.clock, host, text, line.offset);
    last_lacks_text_ = *layout_ == Layout::kClockFirst && text.empty();
    text_.clear();
  }

  // Adds an event parsed by the log's own expression.
  void add(const shiviz::LogFields& fields, uint64_t offset) {
    plain_clock_ = fields.clock;  // TLA+ has quotes in texts
    std::erase(plain_clock_, '\\');
    last_is_whole_ = false;
    if (!shiviz::parse_clock_line(plain_clock_, parts_))
      return sink_.loss("line without a clock", offset);
    const auto host = std::ranges::find(parts_.clock, fields.host, &shiviz::ClockEntry::first);
    if (host == parts_.clock.end())
      return sink_.loss("clock that does not say whose it is", offset);
    json_.clear();
    std::optional<int64_t> time;
    for (const auto& [name, value] : fields.others) {
      if (name == "timestamp") time = parse_number<int64_t>(value);
      append_member(json_, name, value);
    }
    const auto i = static_cast<size_t>(host - parts_.clock.begin());
    Event& event = add_event(parts_.clock, i, fields.event, offset);
    event.fields = texts_.add(json_);
    if (time && *time >= 0) set_time(event, *time);
  }

  // Whether it may be one of the last event's text: a clock that is damaged is not.
  bool is_further_line(std::string_view line) const {
    return last_is_whole_ && !events_.empty() && !may_be_clock(line);
  }
  void add_further_line(std::string_view line) {
    if (whole_text_.empty()) whole_text_ = events_.back().text;
    whole_text_.append("\n").append(trimmed(line));
  }

  // Its hosts are others, though they may have the names of those before, and count from 1.
  void begin_execution(std::string_view name) {
    last_lacks_text_ = last_is_whole_ = false;
    drop_text();
    hosts_ = {};
    execution_ = sink_.add_lane({.name = valid_utf8(name), .kind = trace::LaneKind::kGroup});
  }

  void finish() {
    drop_text();
    end_text();
    sort();
    set_times();
    for (const Event& event : events_) give(event);
  }

 private:
  enum class Layout : uint8_t { kClockFirst, kClockLast, kOneLine };
  // How many events of a host an event knows of.
  struct Count {
    uint32_t host, count;
  };
  struct Event {
    std::string_view text{};    // in texts_
    std::string_view fields{};  // likewise: members of its parameters
    uint64_t offset = 0;
    Time time;
    bool has_time = false;  // of a clock on the wall
    int64_t sum = 0;        // of the clock: larger than that of every event before it
    uint32_t host = 0;
    uint32_t count = 0;  // of its host's events, with it
    uint32_t clock_size = 0;
    size_t first_count = 0;  // of the clock, in counts_
  };

  static bool may_be_clock(std::string_view line) {
    return line.find("{\"") != std::string_view::npos;
  }

  static Layout layout_of(bool has_clock, const shiviz::ClockLine& line) {
    if (!has_clock) return Layout::kClockLast;
    return line.behind.empty() ? Layout::kClockFirst : Layout::kOneLine;
  }

  Event& add_event(std::span<const shiviz::ClockEntry> entries, size_t host, std::string_view text,
                   uint64_t offset) {
    end_text();
    Event event{.text = texts_.add(text),
                .offset = offset,
                .time = {},
                .host = host_index(entries[host].first),
                .clock_size = static_cast<uint32_t>(entries.size()),
                .first_count = counts_.size()};
    for (size_t i = 0; i < entries.size(); ++i) {
      const auto& [name, count] = entries[i];
      counts_.push_back({i == host ? event.host : host_index(name), static_cast<uint32_t>(count)});
      event.sum += count;
    }
    const std::span<Count> clock = std::span(counts_).subspan(event.first_count);
    if (!std::ranges::is_sorted(clock, {}, &Count::host))
      std::ranges::sort(clock, {}, [](const Count& c) { return std::pair(c.host, c.count); });
    event.count = count_of(event, event.host);
    if (const auto time = time_in(text)) set_time(event, *time);
    last_is_whole_ = true;
    return events_.emplace_back(event);
  }

  // By host.
  std::span<const Count> clock_of(const Event& event) const {
    return std::span(counts_).subspan(event.first_count, event.clock_size);
  }

  static void set_time(Event& event, int64_t nanoseconds) {
    event.time = {nanoseconds};
    event.has_time = true;
  }

  // Its clock never came.
  void drop_text() {
    if (!text_.empty()) sink_.loss("line without a clock", text_offset_);
    text_.clear();
  }

  void set_text(Event& event, std::string_view text) {
    text = trimmed(text);
    event.text = texts_.add(text);
    if (const auto time = time_in(text)) set_time(event, *time);
  }

  // The last event has no further line beyond those that came.
  void end_text() {
    if (!whole_text_.empty()) set_text(events_.back(), whole_text_);
    whole_text_.clear();
  }

  uint32_t host_index(std::string_view name) {
    constexpr uint32_t kNew = ~0u;
    uint32_t& index = value_of(hosts_, name, kNew);
    if (index == kNew) {
      index = static_cast<uint32_t>(lanes_.size());
      lanes_.push_back(sink_.add_lane(
          {.name = valid_utf8(name), .parent = execution_, .kind = trace::LaneKind::kProcess}));
    }
    return index;
  }

  uint32_t count_of(const Event& event, uint32_t host) const {
    const std::span<const Count> clock = clock_of(event);
    const auto it = std::ranges::lower_bound(clock, host, {}, &Count::host);
    return it != clock.end() && it->host == host ? it->count : 0;
  }

  // Sorts events so that causes come first; they are found by host and count.
  void sort() {
    if (!std::ranges::is_sorted(events_, {}, &Event::sum)) {
      std::ranges::sort(events_, {},
                        [](const Event& event) { return std::pair(event.sum, event.offset); });
    }
    LargeVector<uint32_t> counts(lanes_.size());  // of events, by host
    for (const Event& event : events_) ++counts[event.host];
    // Hosts count their events from 1, so most lie beside each other.
    constexpr size_t kRoom = 2, kLeast = 2;
    near_begins_.reserve(lanes_.size() + 1);
    near_begins_.push_back(0);
    for (const size_t count : counts)
      near_begins_.push_back(near_begins_.back() + kRoom * count + kLeast);
    near_.resize(near_begins_.back(), kNoEvent);
    for (uint32_t i = 0; i < events_.size(); ++i) {
      if (!insert(events_[i].host, events_[i].count, i))
        sink_.loss("second event of one clock", events_[i].offset);
    }
    find_previous();
  }
  // The event before each on its host: a log may lack those between them.
  void find_previous() {
    previous_.resize(events_.size(), kNoEvent);
    LargeVector<uint32_t> last(lanes_.size(), kNoEvent);  // so far, by host
    const auto add = [&](uint32_t event) {
      previous_[event] = std::exchange(last[events_[event].host], event);
    };
    for (const uint32_t event : near_) {  // in the order of hosts and counts
      if (event != kNoEvent) add(event);
    }
    LargeVector<uint32_t> others;  // with counts beyond these, or of events that are there already
    for (uint32_t i = 0; i < events_.size(); ++i) {
      const auto place = near_place(events_[i].host, events_[i].count);
      if (!place || near_[*place] != i) others.push_back(i);
    }
    std::ranges::sort(others, {},
                      [&](uint32_t i) { return std::tuple(events_[i].host, events_[i].count, i); });
    for (const uint32_t event : others) {
      const Event* const first = find(events_[event].host, events_[event].count);
      const auto known = static_cast<uint32_t>(first - events_.data());
      if (known == event) {
        add(event);
      } else {
        previous_[event] = previous_[known];
      }
    }
  }
  const Event* previous(const Event& event) const {
    const uint32_t before = previous_[static_cast<size_t>(&event - events_.data())];
    return before == kNoEvent ? nullptr : &events_[before];
  }

  // Where an event of a host and a count is kept, if it is near the others of its host.
  std::optional<size_t> near_place(uint32_t host, uint32_t count) const {
    const size_t begin = near_begins_[host];
    return count < near_begins_[host + 1] - begin ? std::optional(begin + count) : std::nullopt;
  }

  // Returns false if there was one.
  bool insert(uint32_t host, uint32_t count, uint32_t index) {
    const auto place = near_place(host, count);
    if (!place) return far_.insert(far_key(host, count), index) == index;
    if (near_[*place] != kNoEvent) return false;
    near_[*place] = index;
    return true;
  }

  const Event* find(uint32_t host, uint32_t count) const {
    if (const auto place = near_place(host, count))
      return near_[*place] == kNoEvent ? nullptr : &events_[near_[*place]];
    const size_t* const far = far_.find(far_key(host, count));
    return far == nullptr ? nullptr : &events_[*far];
  }

  static uint64_t far_key(uint32_t host, uint32_t count) { return uint64_t{host} << 32 | count; }

  void set_times() {
    const bool is_real = !events_.empty() && std::ranges::all_of(events_, &Event::has_time);
    sink_.set_time_base(is_real ? TimeBase::kNanoseconds : TimeBase::kTicks);
    if (is_real) return;
    for (Event& event : events_) {
      // One more than the last of those that it knows of.
      const Event* const before = previous(event);
      int64_t last = before != nullptr && before < &event ? before->time.ticks : -1;
      for (const auto& [host, count] : clock_of(event)) {
        const Event* const known = host == event.host ? nullptr : find(host, count);
        if (known != nullptr && known->sum < event.sum) last = std::max(last, known->time.ticks);
      }
      event.time = {last + 1};
    }
  }

  static std::optional<int64_t> time_in(std::string_view text) {
    const auto time = take_number<int64_t>(text);
    return time && *time >= 0 && text.starts_with(' ') ? time : std::nullopt;
  }

  void give(const Event& event) {
    json_.assign(1, '{').append(event.fields);
    if (!event.text.empty()) {
      json_ += event.fields.empty() ? R"("event":)" : R"(,"event":)";
      json::append_quoted_bytes(json_, event.text);
    }
    const bool has_params = json_.size() > 1;
    json_ += '}';
    sink_.give(trace::PunctualEvent{.time = event.time,
                                    .params = sink_.params(has_params ? json_ : std::string_view()),
                                    .lane = lanes_[event.host],
                                    .type = type_of(event.text)});
    give_links(event);
  }

  EventTypeId type_of(std::string_view text) {
    text = text.substr(0, text.find('\n'));
    std::array<char, kMostOfTypeName> room;
    const std::string_view name = type_name_of(text, room);
    EventTypeId& type = value_of(types_, name, EventTypeId::none());
    if (type.is_none()) type = sink_.type(trace::Category::kPunctual, valid_utf8(name));
    return type;
  }

  // From what the host's event before did not know, and no other of the sources did.
  void give_links(const Event& event) {
    const Event* const before = previous(event);
    if (event.count > (before == nullptr ? 0 : before->count) + 1)
      sink_.note("event that the log lacks", event.offset);
    sources_.clear();
    // Both clocks are in the order of hosts.
    auto known = before == nullptr ? std::span<const Count>() : clock_of(*before);
    for (const auto& [host, count] : clock_of(event)) {
      if (host == event.host || count == 0) continue;
      while (!known.empty() && known.front().host < host) known = known.subspan(1);
      if (!known.empty() && known.front().host == host && known.front().count >= count) continue;
      const Event* const source = find(host, count);
      if (source == nullptr) {
        sink_.note("event that the log lacks", event.offset);
      } else if (source->sum < event.sum) {
        sources_.push_back(source);
      }
    }
    for (const Event* const source : sources_) {
      const bool is_known = std::ranges::any_of(sources_, [&](const Event* other) {
        return other != source && count_of(*other, source->host) >= source->count;
      });
      if (is_known) continue;
      if (link_.is_none()) link_ = sink_.type(trace::Category::kLink, "happened before");
      sink_.give(trace::LinkEvent{.send = source->time,
                                  .receive = event.time,
                                  .source = lanes_[source->host],
                                  .target = lanes_[event.host],
                                  .type = link_});
    }
  }

  trace::EventSink& sink_;
  std::optional<Layout> layout_;  // of the first line
  std::string text_;              // of the event whose clock comes next
  uint64_t text_offset_ = 0;
  bool last_lacks_text_ = false;       // the last event's is to come
  bool last_is_whole_ = false;         // nothing of an event was lost behind the last
  LaneId execution_ = LaneId::none();  // that is being read, where there are several
  ByName<uint32_t> hosts_;             // of it
  LargeVector<LaneId> lanes_;          // by host
  LargeVector<Event> events_;          // in the order of the file, then of causes
  LargeVector<Count> counts_;
  TextArena texts_;
  // Places in events_, by host and count; where those of each host begin, and the end.
  static constexpr uint32_t kNoEvent = ~0u;
  LargeVector<uint32_t> near_;
  LargeVector<size_t> near_begins_;
  LargeVector<uint32_t> previous_;
  FlatIndex<uint64_t, NumberHash> far_;
  ByName<EventTypeId> types_;
  EventTypeId link_ = EventTypeId::none();
  shiviz::ClockLine parts_;            // kept for their memory
  std::vector<const Event*> sources_;  // likewise
  std::string json_;                   // likewise
  std::string whole_text_;             // of the last event, where it has further lines
  std::string plain_clock_;            // kept for its memory
};

// Takes lines apart with the log's own expression.
class ExpressionReader {
 public:
  ExpressionReader(trace::EventSink& sink, ShivizReader& events, shiviz::LogExpression expression,
                   std::optional<shiviz::ExecutionExpression> executions)
      : sink_(sink),
        events_(events),
        expression_(std::move(expression)),
        executions_(std::move(executions)) {}

  void add(const io::Line& line) {
    std::string_view name = execution_in(line.text);
    const bool begins =
        executions_ ? executions_->begins_at(trimmed(line.text), name) : !name.empty();
    if (begins) {
      skip(lines_.size());
      return events_.begin_execution(name);
    }
    lines_.push_back({std::string(line.text), line.offset});
    if (lines_.size() == expression_.lines()) take();
  }

  void finish() { skip(lines_.size()); }

 private:
  struct Kept {
    std::string text;
    uint64_t offset;
  };
  static constexpr int kMostTooHard = 100;

  // An event begins in the first line, or later.
  void take() {
    text_.clear();
    for (const Kept& line : lines_) (text_ += text_.empty() ? "" : "\n") += line.text;
    const Regex::Found found =
        too_hard_ < kMostTooHard ? expression_.take_apart(text_, fields_) : Regex::Found::kTooHard;
    too_hard_ += found == Regex::Found::kTooHard;
    if (found != Regex::Found::kYes) return skip(1);
    events_.add(fields_, lines_.front().offset);
    lines_.clear();
  }

  void skip(size_t count) {
    for (; count > 0; --count, lines_.pop_front()) {
      const auto& [text, offset] = lines_.front();
      if (trimmed(text).empty()) continue;
      if (expression_.ends_in_text() && events_.is_further_line(text)) {
        events_.add_further_line(text);
        continue;
      }
      sink_.loss(too_hard_ == 0
                     ? "line that the log's expression does not take"
                     : "line that the log's expression does not take, or is too hard for",
                 offset, 1, too_hard_ != 0);
    }
  }

  trace::EventSink& sink_;
  ShivizReader& events_;
  shiviz::LogExpression expression_;
  std::optional<shiviz::ExecutionExpression> executions_;
  std::deque<Kept> lines_;  // that an event may be of
  int too_hard_ = 0;
  std::string text_;          // of them; kept for its memory
  shiviz::LogFields fields_;  // likewise
};

struct Expressions {
  std::optional<shiviz::LogExpression> log;
  std::optional<shiviz::ExecutionExpression> executions;
  size_t lines = 0;  // of the input, that they are
};

// Reads the expressions in the first two lines, after blank ones; invalid ones are losses.
Expressions expressions_in(std::string_view head, trace::EventSink& sink) {
  Expressions out;
  HeadLines lines(head);
  const auto lose = [&](std::string_view line) {
    sink.loss("expression that is none", static_cast<uint64_t>(line.data() - head.data()));
  };
  auto first = lines.next();
  for (; first && trimmed(*first).empty(); first = lines.next()) ++out.lines;
  if (!first || !shiviz::is_log_expression(*first)) return {};
  ++out.lines;
  if (auto log = shiviz::LogExpression::compile(*first, shiviz::Place::kWholeLines)) {
    out.log = *std::move(log);
  } else {
    lose(*first);
  }
  const auto second = lines.next();
  shiviz::ClockLine parts;
  if (!second || shiviz::parse_clock_line(*second, parts)) return out;
  ++out.lines;
  if (trimmed(*second).empty()) return out;
  if (auto executions = shiviz::ExecutionExpression::compile(*second, shiviz::Place::kWholeLines)) {
    out.executions = *std::move(executions);
  } else {
    lose(*second);
  }
  return out;
}

// Chosen expressions take precedence over the log's own.
Result<Expressions> expressions_of(std::string_view head, trace::EventSink& sink,
                                   const ReadContext& context) {
  Expressions out = expressions_in(head, sink);
  if (!out.log && shiviz::is_of_tlc(head)) out.log = shiviz::LogExpression::of_tlc();
  if (const auto log = context.option("expression"); !log.empty()) {
    WEFT_TRY_ASSIGN(out.log, shiviz::LogExpression::compile(log, shiviz::Place::kAnywhere));
  }
  if (const auto executions = context.option("executions"); !executions.empty()) {
    WEFT_TRY_ASSIGN(out.executions,
                    shiviz::ExecutionExpression::compile(executions, shiviz::Place::kAnywhere));
  }
  return out;
}

// "2-event subgraphs": ShiViz's list of patterns to look for, whose events lie in no log.
bool is_of_motifs(std::string_view text) {
  return take_number<int>(text) && text.starts_with("-event subgraphs");
}

}  // namespace

int sniff_shiviz(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  if (text.starts_with('{') || is_of_motifs(text)) return 0;
  constexpr int kLinesLookedAt = 16, kEnough = 2, kSure = 72;
  if (shiviz::is_log_expression(text.substr(0, text.find('\n')))) return kSure;
  if (shiviz::is_of_tlc(text)) return kSure;
  int found = 0;
  shiviz::ClockLine parts;
  HeadLines lines(text, kLinesLookedAt);
  while (const auto line = lines.next()) {
    if (shiviz::parse_clock_line(*line, parts)) found += shiviz::host_of(parts) != shiviz::kNoHost;
  }
  return found >= kEnough ? kSure : 0;
}

Status read_shiviz(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  ShivizReader reader(sink);
  WEFT_TRY_ASSIGN(const auto head, source.peek(64 << 10));
  WEFT_TRY_ASSIGN(Expressions said, expressions_of(as_chars(head), sink, context));
  std::optional<ExpressionReader> lines;
  if (said.log) lines.emplace(sink, reader, *std::move(said.log), std::move(said.executions));
  size_t left = said.lines;
  for_each_whole_line(source, sink, [&](const io::Line& line) {
    if (left > 0) {
      --left;
    } else if (lines) {
      lines->add(line);
    } else if (!trimmed(line.text).empty()) {
      reader.add(line);
    }
  });
  if (lines) lines->finish();
  reader.finish();
  return {};
}

}  // namespace weft::formats
