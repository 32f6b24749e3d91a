#include "core/formats/profiles/stackprof/stackprof_reader.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/saturating.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/base/whole_input.h"
#include "core/formats/profiles/stackprof/ruby_marshal.h"
#include "core/formats/stacks/by_id.h"
#include "core/formats/stacks/sampled_stacks.h"
#include "core/formats/stacks/source_place.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/weighted_stacks.h"

namespace weft::formats {
namespace {

using json::Element;
using json::member;

class StackprofReader {
 public:
  StackprofReader(Element root, trace::EventSink& sink)
      : root_(root),
        sink_(sink),
        timeline_(sink),
        raw_(member(root, "raw")),
        deltas_(member(root, "raw_timestamp_deltas")),
        times_(member(root, "raw_sample_timestamps")),
        has_stamps_(has_any("raw_sample_timestamps")) {}

  void read() {
    mode_ = json::text(member(root_, "mode"));
    has_times_ = mode_ != "object" && (has_stamps_ || has_any("raw_timestamp_deltas"));
    sink_.set_time_base(has_times_ ? TimeBase::kMicroseconds : TimeBase::kTicks);
    for (const std::string_view key :
         {"mode", "interval", "samples", "gc_samples", "missed_samples"}) {
      const auto value = member(root_, key);
      if (value) sink_.set_metadata(key, json::plain(value));
    }
    add_metadata();
    read_frames();
    lane_ = sink_.add_lane({.name = "stacks", .kind = trace::LaneKind::kThread});
    if (!has_any("raw")) {
      read_frames_only();
    } else {
      has_times_ ? read_samples() : read_weights();
    }
    timeline_.finish();
  }

 private:
  bool has_any(std::string_view column) const {
    return json::Elements(member(root_, column)).next().has_value();
  }

  void add_metadata() {
    json::for_each_member(member(root_, "metadata"), [&](std::string_view key, Element value) {
      sink_.set_metadata(key, json::plain(value));
    });
  }

  void read_frames() {
    json::for_each_member(member(root_, "frames"), [&](std::string_view number, Element frame) {
      const std::string_view name = json::text(member(frame, "name"));
      const auto parsed = parse_number<int64_t>(number);
      if (parsed && std::to_string(*parsed) == number)
        by_number_.try_emplace(*parsed, static_cast<int64_t>(types_.size()));
      types_.try_emplace(
          number, sink_.type(trace::Category::kState, name.empty() ? "(anonymous)" : name,
                             stacks::source_place(json::text(member(frame, "file")),
                                                  json::integer(member(frame, "line")), {})));
    });
  }

  // Calls add(frames, count, index) for each of the stacks: its length, its frames, the outermost
  // first, and how often it was seen at once. A stack that is cut is the last.
  template <class Add>
  void for_each_stack(const Add& add) {
    std::vector<int64_t> numbers;  // of the frames, and the count behind them
    std::vector<EventTypeId> frames;
    for (size_t begin = 0; raw_.next(); begin += numbers.size() + 1) {
      const int64_t depth = raw_.index();
      numbers.clear();
      for (int64_t i = 0; i <= depth && raw_.next(); ++i) numbers.push_back(raw_.index());
      if (depth < 0 || numbers.size() <= static_cast<size_t>(depth))
        return sink_.loss("stack that is cut", begin);
      frames.clear();
      for (size_t i = 0; i + 1 < numbers.size(); ++i)
        frames.push_back(frame(numbers[i], begin + 1 + i));
      const int64_t count = numbers.back();
      if (count <= 0) {
        sink_.loss("stack without a count", begin);
        continue;
      }
      add(frames, count, begin);
    }
  }

  EventTypeId frame(int64_t number, size_t index) {
    if (const auto known = by_number_.find(number))
      return types_.entries()[static_cast<size_t>(*known)].second;
    sink_.note("frame that is not there", index);
    return sink_.type(trace::Category::kState, "(unknown)");
  }

  void read_weights() {
    stacks::WeightedStacks stacks(timeline_, lane_);
    for_each_stack([&](const auto& frames, int64_t count, size_t) { stacks.add(frames, count); });
  }

  // Samples by the clock on the wall last until the next: one that came late was held up by what
  // ran. By others a process that does nothing has none.
  void read_samples() {
    const bool is_wall = mode_ == "wall";
    Time interval;
    if (mode_ == "cpu" || is_wall)
      interval = time_from(json::number(member(root_, "interval")).value_or(0)).value_or(Time{});
    stacks::SampledStacks sampled(timeline_, lane_, {interval.ticks});
    std::optional<Time> last;
    std::vector<EventTypeId> before;
    for_each_stack([&](const auto& frames, int64_t count, size_t index) {
      for (int64_t i = 0; i < count; ++i) {
        const auto time = next_time();
        if (!time)
          return sink_.loss("sample without a time", index, static_cast<uint64_t>(count - i));
        if (last && *time < *last) {
          sink_.loss("sample before the one before it", index);
          continue;
        }
        if (is_wall) {
          if (last) timeline_.add(lane_, before, *last, *time);
          before.assign(frames.begin(), frames.end());
        } else {
          sampled.add(*time, frames);
        }
        last = time;
      }
    });
    if (is_wall && last)
      timeline_.add(lane_, before, *last, *last + Duration{std::max<int64_t>(1, interval.ticks)});
    sampled.finish();
  }

  // Returns the next sample's time, in microseconds since boot or, if an old version gives only
  // differences, since the first.
  std::optional<Time> next_time() {
    json::Numbers& column = has_stamps_ ? times_ : deltas_;
    column.next();
    if (std::isnan(column.number())) return std::nullopt;
    at_ = has_stamps_ ? column.number() : at_ + column.number();
    return time_from(at_);
  }

  static std::optional<Time> time_from(double us) {
    const auto ticks = checked_round(us);
    return ticks ? std::optional(Time{*ticks}) : std::nullopt;
  }

  // Without stacks: what each frame had by itself.
  void read_frames_only() {
    sink_.note("profile without stacks (raw: true keeps them): frames alone",
               trace::LossPlace::nowhere());
    stacks::WeightedStacks stacks(timeline_, lane_);
    json::for_each_member(member(root_, "frames"), [&](std::string_view number, Element frame) {
      const auto* const known = types_.find(number);
      if (known == nullptr) return;
      const EventTypeId type = known->second;
      stacks.add({&type, 1}, json::integer(member(frame, "samples")).value_or(0));
    });
  }

  Element root_;
  trace::EventSink& sink_;
  stacks::StackTimeline timeline_;
  std::string_view mode_;               // "wall", "cpu", "object", "custom"
  ByName<EventTypeId> types_;           // by number
  stacks::ById by_number_;              // of those
  json::Numbers raw_, deltas_, times_;  // the stacks; of each sample
  double at_ = 0;                       // of the last sample: the sum of the differences so far
  bool has_stamps_, has_times_ = false;
  LaneId lane_ = LaneId::none();
};

// A dump is there as a whole, as itself and twice as JSON.
Result<json::Document> document_of(io::Source& source, trace::EventSink& sink,
                                   uint64_t memory_bytes) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(sizeof(uint16_t)));
  if (!ruby::is_marshal(as_chars(head))) return json::Document::read(source, sink, memory_bytes);
  constexpr uint64_t kShare = 8, kShareOfJson = 4;
  WEFT_TRY_ASSIGN(const WholeInput dump, WholeInput::read(source, sink, memory_bytes / kShare));
  WEFT_TRY_ASSIGN(const std::string text,
                  ruby::json_of_marshal(dump.bytes(), memory_bytes / kShareOfJson));
  return json::Document::parse(text);
}

}  // namespace

int sniff_stackprof(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  const auto has = [&](std::string_view what) { return text.find(what) != std::string_view::npos; };
  if (ruby::is_marshal(text))
    return has(":\tmode") && has("gc_samples") && has("missed_samples") ? 92 : 0;
  if (!trimmed(text).starts_with('{')) return 0;
  return has("\"mode\"") && has("\"gc_samples\"") && has("\"frames\"") ? 92 : 0;
}

Status read_stackprof(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const json::Document document, document_of(source, sink, context.memory_bytes));
  StackprofReader(document.root(), sink).read();
  return {};
}

}  // namespace weft::formats
