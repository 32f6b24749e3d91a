// A sequence diagram: lanes side by side, time downwards, messages as arrows between them.
//
//      dispatcher   worker 1   worker 2
//           |           |          |
//         [#]---------->[o]        |        a message, sent and handled
//           |           |==========>        a bundle of several
//           |-->        |          |        sent, never received: a stub
//           |           |[##]      |        busy: a bar of the traffic that no arrow shows
//
// Pure functions over the result of messages.h: where arrows end, and which arrow is under the
// pointer. Pixels of the picture, from its top left; y is downwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/layout/messages.h"
#include "core/layout/scale.h"

namespace weft::layout {

// Horizontal positions of lanes.
class SequenceLanes {
 public:
  SequenceLanes() = default;
  // Lanes from left to right, `pitch_px` apart; the first lies half of that right of `left_px`,
  // which may be outside the picture.
  SequenceLanes(std::vector<LaneId> order, double left_px, double pitch_px);

  std::span<const LaneId> order() const { return order_; }
  double pitch_px() const { return pitch_px_; }
  double x_of_place(size_t place) const {
    return left_px_ + (static_cast<double>(place) + 0.5) * pitch_px_;
  }
  // nullopt for lanes that are not in order().
  std::optional<size_t> place_of(LaneId lane) const;
  std::optional<double> x_of(LaneId lane) const;
  // Returns the lane whose column contains x.
  std::optional<LaneId> at(double x) const;

 private:
  std::vector<LaneId> order_;
  double left_px_ = 0, pitch_px_ = 1;
  std::vector<uint32_t> places_;  // by lane; kNowhere: not in order()
  static constexpr uint32_t kNowhere = 0xFFFFFFFF;
};

// Vertical positions of an arrow's ends; for a bundle, the middle of its messages.
struct ArrowEnds {
  double send_y = 0, receive_y = 0;
};

// Vertical positions of times: proportional to time, or by order, with events at equal distances.
// Events are then the ends of the arrows in view; those at the same time follow the order of the
// messages, a send before its receive.
class SequenceTime {
 public:
  SequenceTime() : scale_({}, 1) {}
  // Proportional. Ends closer than `room_px` to a visible end of the trace move inwards, so that
  // what is drawn there is complete.
  static SequenceTime by_distance(const Messages& messages, TimeScale scale, TimeRange trace = {},
                                  double room_px = 0);
  // By order. Events share the height of the scale, but take no more than `most_px` each.
  static SequenceTime by_order(const Messages& messages, TimeScale scale, double most_px);

  std::span<const ArrowEnds> ends() const { return ends_; }  // by arrow
  double y_from_time(Time t) const;
  Time time_from_y(double y) const;
  // The times of the events, in order, and the distance between them; empty when proportional to
  // time.
  std::span<const Time> events() const { return events_; }
  double event_px() const { return event_px_; }

 private:
  TimeScale scale_;
  std::vector<ArrowEnds> ends_;
  std::vector<Time> events_;
  double event_px_ = 0;
};

// Returns labels for ascending times at arbitrary distances: fine enough to tell different times
// apart if all of them `fits`; otherwise as `label_of` formats them without a resolution. A label
// that repeats the one before is empty.
std::vector<std::string> labels_in_order(
    std::span<const Time> times,
    const std::function<std::string(Time, std::optional<Duration> resolution)>& label_of,
    const std::function<bool(std::string_view)>& fits);

enum class ArrowShape : uint8_t {
  kArrow,
  kSelf,        // from a lane to itself: a hook at its right
  kUnreceived,  // a stub to the right of its lane
  kUnsent,      // a stub from the left of its lane
};

// A state or punctual event on a lane.
struct Activation {
  RowId row;
  TimeRange span;  // empty: an instant
  EventTypeId type;
};
// Returns the events of the given rows (states and punctual events) that overlap the range and pass
// the filter (null: all); empty if there are more than `most`, which could not be told apart. Call
// from workers.
std::vector<Activation> activations_in(const store::Trace& trace, std::span<const RowId> rows,
                                       TimeRange range, const aggregate::FilterPtr& filter,
                                       size_t most);

// An arrow as drawn.
struct PlacedArrow {
  size_t index = 0;  // into Messages::arrows
  ArrowShape shape = ArrowShape::kArrow;
  LaneId source, target;  // as displayed; none(): that end is missing
  float x0 = 0, y0 = 0;   // where it is sent …
  float x1 = 0, y1 = 0;   // … and received; clipped to where floats are exact
};

// Width in px of the arrow of a message of that size: 1 up to 16 bytes, then logarithmic, at most
// 8.
float size_width_px(uint64_t bytes);

inline constexpr float kStubWidthPx = 26;  // of stubs and hooks at a UI scale of 1

// Returns the visible arrows, in the order of the messages; some may lie slightly outside the
// picture.
std::vector<PlacedArrow> place_arrows(const Messages& messages, std::span<const ArrowEnds> ends,
                                      const ShownLanes& shown, const SequenceLanes& lanes,
                                      double width_px, double height_px, float ui_scale);

// Returns the arrow nearest to (x, y) within `reach_px`, or null.
const PlacedArrow* arrow_at(std::span<const PlacedArrow> arrows, float x, float y, float reach_px);

}  // namespace weft::layout
