#include "core/formats/shiviz_reader.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/by_name.h"
#include "core/formats/chrome_json/json_text.h"
#include "core/formats/shiviz/clock_line.h"
#include "core/formats/text.h"
#include "core/formats/text_lines.h"

namespace weft::formats {
namespace {

// Texts that differ in numbers alone are of one type.
std::string type_name(std::string_view text) {
  constexpr size_t kMostBytes = 80;
  std::string name;
  for (const char c : text.substr(0, kMostBytes)) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit) name += c;
    if (is_digit && !name.ends_with('#')) name += '#';
  }
  return name.empty() ? "event" : valid_utf8(name);
}

class ShivizReader {
 public:
  ShivizReader(trace::EventSink& sink, uint64_t memory_bytes)
      : sink_(sink), memory_left_(memory_bytes) {}

  void add(const io::Line& line) {
    shiviz::ClockLine parts;
    const bool has_clock = shiviz::parse_clock_line(line.text, parts);
    if (!layout_) layout_ = layout_of(has_clock, parts);
    if (!has_clock) {
      // An event's text behind its clock, or before the clock to come.
      if (*layout_ == Layout::kClockFirst && waiting_ != nullptr) {
        waiting_->text = trimmed(line.text);
        waiting_ = nullptr;
      } else if (*layout_ == Layout::kClockLast) {
        if (!text_.empty()) sink_.loss("line without a clock", line.offset);
        text_ = trimmed(line.text);
      } else {
        sink_.loss("line without a clock", line.offset);
      }
      return;
    }
    add_event(parts, line.offset);
  }

  void finish() {
    sort();
    set_times();
    for (size_t i = 0; i < events_.size(); ++i) give(i);
  }

 private:
  enum class Layout : uint8_t { kClockFirst, kClockLast, kOneLine };
  using Count = std::pair<uint32_t, int64_t>;  // of a host's events
  struct Event {
    std::string text;
    std::vector<Count> clock;  // by host
    uint64_t offset = 0;
    uint32_t host = 0;
    Time time;
    int64_t count = 0;  // of its host's events, with it
    int64_t sum = 0;    // of the clock: larger than that of every event before it
  };

  static Layout layout_of(bool has_clock, const shiviz::ClockLine& line) {
    if (!has_clock) return Layout::kClockLast;
    return line.behind.empty() ? Layout::kClockFirst : Layout::kOneLine;
  }

  void add_event(const shiviz::ClockLine& line, uint64_t offset) {
    waiting_ = nullptr;
    const std::string_view host = shiviz::host_of(line);
    if (host.empty()) return sink_.loss("clock that does not say whose it is", offset);
    auto event = std::make_unique<Event>();
    event->offset = offset;
    event->host = host_index(host);
    for (const auto& [name, count] : line.clock) {
      event->clock.emplace_back(host_index(name), count);
      event->sum += count;
    }
    std::ranges::sort(event->clock);
    event->count = count_of(*event, event->host);
    event->text =
        *layout_ == Layout::kClockLast ? std::exchange(text_, {}) : std::string(line.behind);
    const uint64_t bytes =
        sizeof(Event) + event->clock.size() * sizeof(Count) + line.before.size() + 256;
    if (bytes > memory_left_) return sink_.loss("event beyond the memory", offset);
    memory_left_ -= bytes;
    if (*layout_ == Layout::kClockFirst && event->text.empty()) waiting_ = event.get();
    events_.push_back(std::move(event));
  }

  uint32_t host_index(std::string_view name) {
    constexpr uint32_t kNew = ~0u;
    uint32_t& index = value_of(hosts_, name, kNew);
    if (index == kNew) {
      index = static_cast<uint32_t>(lanes_.size());
      lanes_.push_back(
          sink_.add_lane({.name = valid_utf8(name), .kind = trace::LaneKind::kProcess}));
    }
    return index;
  }

  static int64_t count_of(const Event& event, uint32_t host) {
    const auto it = std::ranges::lower_bound(event.clock, host, {}, &Count::first);
    return it != event.clock.end() && it->first == host ? it->second : 0;
  }

  // What happened before stands before; and events are found by host and count.
  void sort() {
    std::ranges::stable_sort(events_, {}, [](const auto& event) { return event->sum; });
    for (size_t i = 0; i < events_.size(); ++i) {
      const bool is_new = places_.try_emplace(Count(events_[i]->host, events_[i]->count), i).second;
      if (!is_new) sink_.loss("second event of one clock", events_[i]->offset);
    }
  }

  const Event* find(uint32_t host, int64_t count) const {
    const auto it = places_.find({host, count});
    return it == places_.end() ? nullptr : events_[it->second].get();
  }

  void set_times() {
    const bool have_times = std::ranges::all_of(
        events_, [](const auto& event) { return time_in(event->text).has_value(); });
    const bool is_real = have_times && !events_.empty();
    sink_.set_time_base(is_real ? TimeBase::kNanoseconds : TimeBase::kTicks);
    for (const auto& event : events_) {
      if (is_real) {
        event->time = {*time_in(event->text)};
        continue;
      }
      // One more than the last of those that it knows of.
      int64_t last = -1;
      for (const auto& [host, count] : event->clock) {
        const Event* const known = find(host, host == event->host ? event->count - 1 : count);
        if (known != nullptr && known->sum < event->sum) last = std::max(last, known->time.ticks);
      }
      event->time = {last + 1};
    }
  }

  static std::optional<int64_t> time_in(std::string_view text) {
    const auto time = take_number<int64_t>(text);
    return time && *time >= 0 && text.starts_with(' ') ? time : std::nullopt;
  }

  void give(size_t index) {
    const Event& event = *events_[index];
    std::string json;
    if (!event.text.empty()) {
      json = R"({"event":)";
      chrome_json::append_quoted(json, valid_utf8(event.text));
      json += '}';
    }
    const trace::PunctualEvent punctual{
        .time = event.time,
        .params = json.empty() ? ParamsId::none() : sink_.params(json),
        .lane = lanes_[event.host],
        .type = sink_.type(trace::Category::kPunctual, type_name(event.text))};
    sink_.punctuals({&punctual, 1});
    give_links(event);
  }

  // From what the host's event before did not know, and no other of the sources did.
  void give_links(const Event& event) {
    const Event* const before = find(event.host, event.count - 1);
    sources_.clear();
    for (const auto& [host, count] : event.clock) {
      if (host == event.host || count == 0) continue;
      if (before != nullptr && count_of(*before, host) >= count) continue;
      const Event* const source = find(host, count);
      if (source == nullptr) {
        sink_.loss("event that the log lacks", event.offset, 1, false);
      } else if (source->sum < event.sum) {
        sources_.push_back(source);
      }
    }
    for (const Event* const source : sources_) {
      const bool is_known = std::ranges::any_of(sources_, [&](const Event* other) {
        return other != source && count_of(*other, source->host) >= source->count;
      });
      if (is_known) continue;
      const trace::LinkEvent link{.send = source->time,
                                  .receive = event.time,
                                  .source = lanes_[source->host],
                                  .target = lanes_[event.host],
                                  .type = sink_.type(trace::Category::kLink, "happened before")};
      sink_.links({&link, 1});
    }
  }

  trace::EventSink& sink_;
  uint64_t memory_left_;
  std::optional<Layout> layout_;  // of the first line
  std::string text_;              // of the event whose clock comes next
  Event* waiting_ = nullptr;      // for its text
  ByName<uint32_t> hosts_;
  std::vector<LaneId> lanes_;                   // by host
  std::vector<std::unique_ptr<Event>> events_;  // in the order of the file, then of causes
  std::map<Count, size_t> places_;              // in events_
  std::vector<const Event*> sources_;           // kept for its memory
};

}  // namespace

int sniff_shiviz(std::span<const std::byte> head) {
  std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (text.starts_with('{')) return 0;
  constexpr int kLinesLookedAt = 16, kEnough = 2;
  int found = 0;
  shiviz::ClockLine parts;
  for (int i = 0; i < kLinesLookedAt && !text.empty(); ++i) {
    const size_t end = text.find('\n');
    if (shiviz::parse_clock_line(text.substr(0, end), parts))
      found += !shiviz::host_of(parts).empty();
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  constexpr int kSure = 72;
  return found >= kEnough ? kSure : 0;
}

Status read_shiviz(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  ShivizReader reader(sink, context.memory_bytes);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
