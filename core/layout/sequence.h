// A sequence diagram: lanes side by side, time downwards, messages as arrows between them.
//
//      dispatcher   worker 1   worker 2
//           |           |          |
//         [#]---------->[o]        |        a message, sent and handled
//           |           |==========>        a bundle of several
//           |-->        |          |        sent, never received: a stub
//           |           |[##]      |        busy: a bar of the traffic that no arrow shows
//
// Pure functions over what messages.h gives: where the ends of arrows lie, and which one is under
// the pointer. Pixels of the picture, from its top left; y is downwards.
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

// Where lanes stand.
class SequenceLanes {
 public:
  SequenceLanes() = default;
  // From left to right, `pitch_px` apart; the first is half of that from `left_px`, which may lie
  // outside the picture.
  SequenceLanes(std::vector<LaneId> order, double left_px, double pitch_px);

  std::span<const LaneId> order() const { return order_; }
  double pitch_px() const { return pitch_px_; }
  double x_of_place(size_t place) const {
    return left_px_ + (static_cast<double>(place) + 0.5) * pitch_px_;
  }
  // Nothing where it is not among them.
  std::optional<size_t> place_of(LaneId lane) const;
  std::optional<double> x_of(LaneId lane) const;
  // The lane whose column x lies in.
  std::optional<LaneId> at(double x) const;

 private:
  std::vector<LaneId> order_;
  double left_px_ = 0, pitch_px_ = 1;
  std::vector<uint32_t> places_;  // by lane; kNowhere: not among them
  static constexpr uint32_t kNowhere = 0xFFFFFFFF;
};

// Where an arrow's ends lie. Of a bundle: in the middle of its messages.
struct ArrowEnds {
  double send_y = 0, receive_y = 0;
};

// Where times lie, downwards: by their distance, or one event below the other, all the same way
// apart, whatever the time between them. Then the events are the ends of the arrows that lie in the
// view; those of the same time stand in the order of the messages, a send before its receive.
class SequenceTime {
 public:
  SequenceTime() : scale_({}, 1) {}
  // What is sent or received closer than `room_px` to an end of the trace that is in view moves
  // inwards, so that what is drawn there is whole.
  static SequenceTime by_distance(const Messages& messages, TimeScale scale, TimeRange trace = {},
                                  double room_px = 0);
  // They take the whole height of the scale, but no more than `most_px` each.
  static SequenceTime by_order(const Messages& messages, TimeScale scale, double most_px);

  std::span<const ArrowEnds> ends() const { return ends_; }  // by arrow
  double y_from_time(Time t) const;
  Time time_from_y(double y) const;
  // The times of the events, in order, and how far they are apart; none where distance counts.
  std::span<const Time> events() const { return events_; }
  double event_px() const { return event_px_; }

 private:
  TimeScale scale_;
  std::vector<ArrowEnds> ends_;
  std::vector<Time> events_;
  double event_px_ = 0;
};

// Labels of times in order that may lie at any distance from each other: as fine as tells those
// apart that differ, where all of these `fit`, else as `label_of` makes them for no resolution. One
// that repeats the one before is left out.
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

// What a lane was doing, or what happened there at an instant.
struct Activation {
  RowId row;
  TimeRange span;  // empty: an instant
  EventTypeId type;
};
// Of the rows of states and punctual events, those with a part in the range that pass the filter
// (null: all); none where there are more than `most`: they would not be told apart. Work for
// workers.
std::vector<Activation> activations_in(const store::Trace& trace, std::span<const RowId> rows,
                                       TimeRange range, const aggregate::FilterPtr& filter,
                                       size_t most);

// An arrow as it is drawn.
struct PlacedArrow {
  size_t index = 0;  // of Messages::arrows
  ArrowShape shape = ArrowShape::kArrow;
  LaneId source, target;  // as shown; none: that end is missing
  float x0 = 0, y0 = 0;   // where it is sent …
  float x1 = 0, y1 = 0;   // … and received. Far ends are cut to where floats are exact
};

// Width in px of the arrow of a message of so many bytes: 1 up to 16, then logarithmic, at most 8.
float size_width_px(uint64_t bytes);

inline constexpr float kStubWidthPx = 26;  // of stubs and hooks, at the scale of 1

// Those that are seen, in the order of the messages; some lie outside the picture by a little.
std::vector<PlacedArrow> place_arrows(const Messages& messages, std::span<const ArrowEnds> ends,
                                      const ShownLanes& shown, const SequenceLanes& lanes,
                                      double width_px, double height_px, float ui_scale);

// The arrow nearest to (x, y), within `reach_px`.
const PlacedArrow* arrow_at(std::span<const PlacedArrow> arrows, float x, float y, float reach_px);

}  // namespace weft::layout
