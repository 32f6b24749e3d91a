#include "core/layout/sequence.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace weft::layout {
namespace {

struct Point {
  double x = 0, y = 0;
};

// Moves `a` along the line to `b` until its y lies in [low, high]: far ends would not fit a float.
Point clip_y(Point a, Point b, double low, double high) {
  const double y = std::clamp(a.y, low, high);
  if (y == a.y || a.y == b.y) return a;
  return {a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y};
}

double middle(Time first, Time last, const TimeScale& scale) {
  return (scale.x_from_time(first) + scale.x_from_time(last)) / 2;
}

Time middle(Time first, Time last) { return first + Duration{(last - first).ticks / 2}; }

LaneId shown_as(LaneId lane, const ShownLanes& shown) {
  return lane.value() < shown.size() ? shown[lane.value()] : LaneId::none();
}

double distance(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double squared = dx * dx + dy * dy;
  const double along =
      squared == 0 ? 0 : std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / squared, 0.0, 1.0);
  return std::hypot(p.x - a.x - along * dx, p.y - a.y - along * dy);
}

double distance(Point p, const PlacedArrow& arrow) {
  const Point from = {arrow.x0, arrow.y0}, to = {arrow.x1, arrow.y1};
  if (arrow.shape != ArrowShape::kSelf) return distance(p, from, to);
  const Point above = {from.x + kStubWidthPx, from.y}, below = {to.x + kStubWidthPx, to.y};
  return std::min({distance(p, from, above), distance(p, above, below), distance(p, below, to)});
}

}  // namespace

SequenceLanes::SequenceLanes(std::vector<LaneId> order, double left_px, double pitch_px)
    : order_(std::move(order)), left_px_(left_px), pitch_px_(pitch_px) {
  for (uint32_t place = 0; place < order_.size(); ++place) {
    const size_t lane = order_[place].value();
    if (lane >= places_.size()) places_.resize(lane + 1, kNowhere);
    places_[lane] = place;
  }
}

std::optional<size_t> SequenceLanes::place_of(LaneId lane) const {
  if (lane.value() >= places_.size() || places_[lane.value()] == kNowhere) return std::nullopt;
  return places_[lane.value()];
}

std::optional<double> SequenceLanes::x_of(LaneId lane) const {
  const auto place = place_of(lane);
  return place ? std::optional(x_of_place(*place)) : std::nullopt;
}

std::optional<LaneId> SequenceLanes::at(double x) const {
  const double place = std::floor((x - left_px_) / pitch_px_);
  if (place < 0 || place >= static_cast<double>(order_.size())) return std::nullopt;
  return order_[static_cast<size_t>(place)];
}

SequenceTime SequenceTime::by_distance(const Messages& messages, TimeScale scale, TimeRange trace,
                                       double room_px) {
  SequenceTime time;
  time.scale_ = std::move(scale);
  const double height = time.scale_.width_px();
  const double least = std::min(room_px, time.scale_.x_from_time(trace.begin) + room_px);
  const double most = std::max(height - room_px, time.scale_.x_from_time(trace.end) - room_px);
  const auto y_of = [&](Time first, Time last) {
    const double y = middle(first, last, time.scale_);
    const bool has_room = room_px > 0 && y >= 0 && y <= height && least <= most;
    return has_room ? std::clamp(y, least, most) : y;
  };
  for (const MessageArrow& arrow : messages.arrows) {
    time.ends_.push_back(
        {y_of(arrow.link.send, arrow.last_send), y_of(arrow.link.receive, arrow.last_receive)});
  }
  return time;
}

SequenceTime SequenceTime::by_order(const Messages& messages, TimeScale scale, double most_px) {
  struct Event {
    Time time;
    size_t arrow;
    bool is_receive;
  };
  SequenceTime time;
  time.scale_ = std::move(scale);
  const TimeRange view = time.scale_.view();
  std::vector<Event> events;
  for (size_t i = 0; i < messages.arrows.size(); ++i) {
    const MessageArrow& arrow = messages.arrows[i];
    const bool is_sent = !arrow.link.source.is_none(), is_received = !arrow.link.target.is_none();
    if (is_sent) events.push_back({middle(arrow.link.send, arrow.last_send), i, false});
    if (is_received) events.push_back({middle(arrow.link.receive, arrow.last_receive), i, true});
  }
  std::ranges::stable_sort(events, {}, &Event::time);
  const auto seen = static_cast<double>(
      std::ranges::count_if(events, [&](const Event& event) { return view.contains(event.time); }));
  time.event_px_ = std::min(most_px, time.scale_.width_px() / std::max(1.0, seen));
  time.ends_.resize(messages.arrows.size());
  for (const Event& event : events) {
    // Events before the view lie above it, those after it below the last.
    double y = -time.event_px_;
    if (event.time >= view.begin)
      y = (static_cast<double>(time.events_.size()) + 0.5) * time.event_px_;
    if (view.contains(event.time)) time.events_.push_back(event.time);
    const LinkItem& link = messages.arrows[event.arrow].link;
    ArrowEnds& ends = time.ends_[event.arrow];
    // An end that is missing lies where the other does.
    if (event.is_receive || link.target.is_none()) ends.receive_y = y;
    if (!event.is_receive || link.source.is_none()) ends.send_y = y;
  }
  return time;
}

double SequenceTime::y_from_time(Time t) const {
  if (events_.empty()) return scale_.x_from_time(t);
  const auto next = std::ranges::lower_bound(events_, t);
  const auto place = static_cast<double>(next - events_.begin());
  const Time before = next == events_.begin() ? scale_.view().begin : *std::prev(next);
  const Time after = next == events_.end() ? scale_.view().end : *next;
  // From the middle of one event to the middle of the next.
  const double length = static_cast<double>((after - before).ticks);
  const double part = length <= 0 ? 1 : static_cast<double>((t - before).ticks) / length;
  return (place - 0.5 + std::clamp(part, 0.0, 1.0)) * event_px_;
}

Time SequenceTime::time_from_y(double y) const {
  if (events_.empty()) return scale_.time_from_x(y);
  const double at = y / event_px_ - 0.5;
  const double last = static_cast<double>(events_.size()) - 1;
  const double place = std::clamp(std::floor(at), -1.0, last);
  const Time before = place < 0 ? scale_.view().begin : events_[static_cast<size_t>(place)];
  const Time after = place < last ? events_[static_cast<size_t>(place + 1)] : scale_.view().end;
  const double part = std::clamp(at - place, 0.0, 1.0);
  return before +
         Duration{static_cast<int64_t>(part * static_cast<double>((after - before).ticks))};
}

std::vector<Activation> activations_in(const store::Trace& trace, std::span<const RowId> rows,
                                       TimeRange range, const aggregate::FilterPtr& filter,
                                       size_t most) {
  std::vector<Activation> found;
  bool are_too_many = false;
  for (const RowId id : rows) {
    const store::Row& row = trace.row(id);
    std::optional<aggregate::RowFilter> of_row;
    if (filter) of_row = filter->for_row(trace, row);
    trace.for_each(row, range, [&](const store::Record& record) {
      if (of_row && !of_row->passes(record)) return true;
      are_too_many = found.size() == most;
      if (!are_too_many) found.push_back({id, {record.begin, record.end()}, record.type});
      return !are_too_many;
    });
    if (are_too_many) return {};
  }
  return found;
}

float size_width_px(uint64_t bytes) {
  return std::min(1 + 0.7F * static_cast<float>(std::bit_width(bytes >> 4)), 8.0F);
}

std::vector<PlacedArrow> place_arrows(const Messages& messages, std::span<const ArrowEnds> ends,
                                      const ShownLanes& shown, const SequenceLanes& lanes,
                                      double width_px, double height_px, float ui_scale) {
  const double stub = static_cast<double>(kStubWidthPx * ui_scale);
  std::vector<PlacedArrow> placed;
  for (size_t i = 0; i < messages.arrows.size(); ++i) {
    const LinkItem& link = messages.arrows[i].link;
    PlacedArrow arrow{
        .index = i, .source = shown_as(link.source, shown), .target = shown_as(link.target, shown)};
    const auto source_x = lanes.x_of(arrow.source), target_x = lanes.x_of(arrow.target);
    if (!source_x && !target_x) continue;
    Point from = {source_x.value_or(0), ends[i].send_y};
    Point to = {target_x.value_or(0), ends[i].receive_y};
    if (!source_x) {
      arrow.shape = ArrowShape::kUnsent;
      from = {to.x - stub, to.y - stub / 3};
    } else if (!target_x) {
      arrow.shape = ArrowShape::kUnreceived;
      to = {from.x + stub, from.y + stub / 3};
    } else if (arrow.source == arrow.target) {
      arrow.shape = ArrowShape::kSelf;
    }
    const auto [above, below] = std::minmax(from.y, to.y);
    const auto [left, right] = std::minmax(from.x, to.x);
    if (below < -stub || above > height_px + stub || right < -stub || left > width_px + stub)
      continue;
    const Point begin = clip_y(from, to, -height_px, 2 * height_px);
    const Point end = clip_y(to, from, -height_px, 2 * height_px);
    arrow.x0 = static_cast<float>(begin.x);
    arrow.y0 = static_cast<float>(begin.y);
    arrow.x1 = static_cast<float>(end.x);
    arrow.y1 = static_cast<float>(end.y);
    placed.push_back(arrow);
  }
  return placed;
}

const PlacedArrow* arrow_at(std::span<const PlacedArrow> arrows, float x, float y, float reach_px) {
  const PlacedArrow* nearest = nullptr;
  double least = static_cast<double>(reach_px);
  for (const PlacedArrow& arrow : arrows) {
    const double to = distance({static_cast<double>(x), static_cast<double>(y)}, arrow);
    if (to <= least) least = to, nearest = &arrow;
  }
  return nearest;
}

std::vector<std::string> labels_in_order(
    std::span<const Time> times,
    const std::function<std::string(Time, std::optional<Duration> resolution)>& label_of,
    const std::function<bool(std::string_view)>& fits) {
  std::optional<Duration> finest;
  for (size_t i = 1; i < times.size(); ++i) {
    const Duration gap = times[i] - times[i - 1];
    if (gap > Duration{}) finest = std::min(gap, finest.value_or(gap));
  }
  const auto labels_at = [&](std::optional<Duration> resolution) {
    std::vector<std::string> labels;
    for (const Time time : times) labels.push_back(label_of(time, resolution));
    return labels;
  };
  std::vector<std::string> labels = labels_at(finest);
  if (!std::ranges::all_of(labels, fits)) labels = labels_at(std::nullopt);
  for (size_t i = labels.size(); i-- > 1;) {
    if (labels[i] == labels[i - 1]) labels[i].clear();
  }
  return labels;
}

}  // namespace weft::layout
