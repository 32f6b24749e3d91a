#include "core/query/extract.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/numbers.h"
#include "core/query/event_stream.h"
#include "core/store/overlaps.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;
using store::RowKind;

// In ticks, in the metadata: "1500 to 2500".
constexpr std::string_view kPartKey = "part";
constexpr std::string_view kTo = " to ";

class Extractor {
 public:
  Extractor(const store::Trace& trace, TimeRange range, trace::EventSink& sink)
      : trace_(trace),
        range_(range),
        sink_(sink),
        lanes_(trace.dictionary().lanes.size()),
        types_(trace.dictionary().types.size()) {}

  void add_dictionary(const Selection& selection) {
    const trace::Dictionary& dictionary = trace_.dictionary();
    sink_.set_time_base(dictionary.time_base);
    for (const auto& [key, value] : dictionary.metadata) sink_.set_metadata(key, value);
    const TimeRange whole = whole_range(trace_);
    bool is_whole = range_.begin <= whole.begin && range_.end >= whole.end;
    if (!is_whole) {
      sink_.set_metadata(kPartKey,
                         fmt::format("{}{}{}", range_.begin.ticks, kTo, range_.end.ticks));
    }
    // In order of their ids, which orders siblings.
    std::vector<bool> is_wanted(lanes_.size());
    for (const Row& row : trace_.rows()) {
      const bool is_in_range = row.first_begin < range_.end && range_.begin <= row.last_end;
      if (!is_in_range || selection.of(trace_, row).takes_nothing()) {
        is_whole = false;
        continue;
      }
      for (LaneId id = row.lane; !id.is_none(); id = dictionary.lane(id).parent) {
        is_wanted[id.value()] = true;
      }
    }
    for (uint32_t i = 0; i < is_wanted.size(); ++i) {
      if (is_whole || is_wanted[i]) lane_of(LaneId(i));
    }
    for (const trace::Loss& loss : dictionary.report.losses()) {
      if (loss.kind != store::kOverlapLoss) add_loss(loss);  // who keeps the copy counts its own
    }
  }

  void add(const Event& event) {
    const Row& row = *event.row;
    const Record& r = *event.record;
    if (row.kind != kind_ || waiting_ == kBatch) flush();
    kind_ = row.kind;
    ++waiting_;
    switch (row.kind) {
      case RowKind::kState:
        states_.push_back(cut(row, r));
        break;
      case RowKind::kPunctual:
        punctuals_.push_back({r.begin, params_of(r), lane_of(row.lane), type_of(r.type)});
        break;
      case RowKind::kVariable:
        variables_.push_back({r.begin, r.value, params_of(r), lane_of(row.lane), type_of(r.type)});
        break;
      case RowKind::kLinkOut:
        links_.push_back(
            {r.begin, r.end(), params_of(r), lane_of(row.lane), lane_of(r.peer), type_of(r.type)});
        break;
      case RowKind::kLinkIn:
        links_.push_back(
            {r.begin, r.begin, params_of(r), LaneId::none(), lane_of(row.lane), type_of(r.type)});
        break;
    }
  }

  void finish() {
    flush();
    sink_.set_end(std::min(range_.end, trace_.range().end));
    if (const Status health = trace_.health(); !health)
      sink_.loss("data that could not be read: " + health.error().message,
                 trace::LossPlace::nowhere());
    if (cut_ > 0)
      sink_.note("state cut at the border of the part", trace::LossPlace::nowhere(), cut_);
  }

 private:
  static constexpr size_t kBatch = 4096;

  void add_loss(const trace::Loss& loss) {
    // The sink counts from offsets: all but the first ones at the last that is known.
    uint64_t left = loss.count;
    for (size_t i = 0; i < loss.first.size() && left > 0; ++i) {
      const uint64_t count = i + 1 == loss.first.size() ? left : 1;
      sink_.loss(loss.kind, placed(loss.first[i]), count, loss.is_damage);
      left -= count;
    }
    if (left > 0) sink_.loss(loss.kind, trace::LossPlace::nowhere(), left, loss.is_damage);
  }

  // On a lane that is not a part of what is extracted, a loss keeps its time only.
  trace::LossPlace placed(trace::LossPlace place) const {
    if (!place.lane.is_none()) place.lane = lanes_[place.lane.value()].value_or(LaneId::none());
    return place;
  }

  trace::StateEvent cut(const Row& row, const Record& r) {
    const Time begin = std::max(r.begin, range_.begin);
    const Time end = std::max(begin, std::min(r.end(), range_.end));
    if (begin != r.begin || end != r.end()) ++cut_;
    return {begin, end - begin, params_of(r), lane_of(row.lane), type_of(r.type), row.depth};
  }

  LaneId lane_of(LaneId id) {
    if (id.is_none()) return id;
    std::optional<LaneId>& known = lanes_[id.value()];
    if (!known) {
      trace::Lane lane = trace_.dictionary().lane(id);
      lane.parent = lane_of(lane.parent);
      known = sink_.add_lane(lane);
    }
    return *known;
  }

  EventTypeId type_of(EventTypeId id) {
    std::optional<EventTypeId>& known = types_[id.value()];
    if (!known) {
      const trace::EventType& type = trace_.dictionary().type(id);
      known = sink_.type(type.category, type.name, type.group);
      if (type.rgb != trace::EventType::kNoColor) sink_.set_type_color(*known, type.rgb);
    }
    return *known;
  }

  ParamsId params_of(const Record& r) {
    if (r.params.is_none()) return r.params;
    const store::Params params = trace_.params(r.params);
    return sink_.params(params.json, params.payload);
  }

  void flush() {
    sink_.states(states_);
    sink_.punctuals(punctuals_);
    sink_.links(links_);
    sink_.variables(variables_);
    states_.clear();
    punctuals_.clear();
    links_.clear();
    variables_.clear();
    waiting_ = 0;
  }

  const store::Trace& trace_;
  TimeRange range_;
  trace::EventSink& sink_;
  std::vector<std::optional<LaneId>> lanes_;
  std::vector<std::optional<EventTypeId>> types_;
  std::vector<trace::StateEvent> states_;
  std::vector<trace::PunctualEvent> punctuals_;
  std::vector<trace::LinkEvent> links_;
  std::vector<trace::VariableSample> variables_;
  RowKind kind_ = RowKind::kState;  // of the events that wait: they stay in order
  size_t waiting_ = 0;
  uint64_t cut_ = 0;
};

}  // namespace

uint64_t extract(store::TracePtr trace, const Selection& selection, trace::EventSink& sink) {
  Extractor extractor(*trace, selection.range, sink);
  extractor.add_dictionary(selection);
  EventStream stream(std::move(trace), selection);
  Event event{};
  uint64_t given = 0;
  for (; sink.keep_going() && stream.next(event); ++given) extractor.add(event);
  extractor.finish();
  return given;
}

std::optional<TimeRange> range_of_part(const store::Trace& trace) {
  const auto& metadata = trace.dictionary().metadata;
  const auto said = metadata.find(std::string(kPartKey));
  if (said == metadata.end()) return std::nullopt;
  std::string_view text = said->second;
  const auto begin = take_number<int64_t>(text);
  if (!begin || !text.starts_with(kTo)) return std::nullopt;
  const auto end = parse_number<int64_t>(text.substr(kTo.size()));
  if (!end) return std::nullopt;
  const TimeRange whole = whole_range(trace);
  const TimeRange part = {std::max(Time{*begin}, whole.begin), std::min(Time{*end}, whole.end)};
  if (part.is_empty() || part == whole) return std::nullopt;
  return part;
}

}  // namespace weft::query
