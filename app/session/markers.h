// Markers: two cursors A and B with the time between them, and named markers with notes on times
// and ranges.
//
// Plain data, in the trace's own ticks; the trace itself is never changed. marker_file.h stores it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/json.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/layout/palette.h"
#include "core/query/element.h"

namespace weft::app {

struct Marker {
  uint32_t id = 0;  // unique in the trace; 0: not assigned yet
  TimeRange range;  // empty: an instant
  std::string name;
  std::string note;
  uint8_t color = 0;  // index in kMarkerColors
  // The period with which the marker repeats, before and after its range (of a clock, of a
  // display); 0: it does not repeat.
  Duration every;
  std::optional<query::ElementRef> element;  // the element on which it was set
  bool operator==(const Marker&) const = default;
};

// Distinguishable on both themes, and by colour-blind people.
inline constexpr std::array<layout::Rgb, 8> kMarkerColors = {
    0xE69F00, 0x56B4E9, 0x009E73, 0xF0E442, 0x3D7BD9, 0xD55E00, 0xCC79A7, 0x9A9A9A};

// The range of repetition `number` of a repeating marker; 0 is where it was set.
TimeRange repetition(const Marker& marker, int64_t number);
struct Repetitions {
  int64_t first = 0, last = -1;  // `last` included; none if last < first
};
// The repetitions that overlap the range.
Repetitions repetitions_in(const Marker& marker, TimeRange range);

class Markers {
 public:
  static constexpr size_t kMost = 10'000;
  static constexpr size_t kMostTextBytes = 4'096;  // of a name or a note

  // All markers, by begin, then by id.
  const std::vector<Marker>& all() const { return markers_; }
  const Marker* find(uint32_t id) const;
  // The nearest marker that begins after (before) the time; null: none.
  const Marker* after(Time time) const;
  const Marker* before(Time time) const;

  // Returns the new id; nullopt if there are kMost already. Texts are cut, colours brought into
  // range.
  std::optional<uint32_t> add(Marker marker);
  bool change(const Marker& marker);  // replaces the marker with its id
  bool remove(uint32_t id);

  std::optional<Time> a() const { return a_; }
  std::optional<Time> b() const { return b_; }
  void set_a(std::optional<Time> time);
  void set_b(std::optional<Time> time);

  uint64_t generation() const { return generation_; }  // grows with every change
  bool is_empty() const { return markers_.empty() && !a_ && !b_; }

  Json to_json() const;
  // An error if `json` is not what to_json() writes.
  static Result<Markers> from_json(const Json& json);

 private:
  void sort();

  std::vector<Marker> markers_;
  std::optional<Time> a_, b_;
  uint32_t last_id_ = 0;
  uint64_t generation_ = 0;
};

}  // namespace weft::app
