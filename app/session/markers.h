// What the user marks on a trace: two cursors A and B with the time between them, and named markers
// with notes on times and ranges.
//
// Plain data on the trace's own clock; the trace itself is never changed. marker_file.h keeps it.
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
  uint32_t id = 0;  // of this trace's markers; 0: not yet given
  TimeRange range;  // empty: an instant
  std::string name;
  std::string note;
  uint8_t color = 0;  // of kMarkerColors
  // It stands again after so long, and again, before it, too: periods of a clock, of a display. 0:
  // it stands once.
  Duration every;
  std::optional<query::ElementRef> element;  // that it was set on
  bool operator==(const Marker&) const = default;
};

// Told apart on both themes, and by people who see fewer colours.
inline constexpr std::array<layout::Rgb, 8> kMarkerColors = {
    0xE69F00, 0x56B4E9, 0x009E73, 0xF0E442, 0x3D7BD9, 0xD55E00, 0xCC79A7, 0x9A9A9A};

// Where a marker stands again and again: by number, 0 where it was set.
TimeRange repetition(const Marker& marker, int64_t number);
struct Repetitions {
  int64_t first = 0, last = -1;  // the latter included; none: last < first
};
// That overlap the range.
Repetitions repetitions_in(const Marker& marker, TimeRange range);

class Markers {
 public:
  static constexpr size_t kMost = 10'000;
  static constexpr size_t kMostTextBytes = 4'096;  // of a name or note

  // In order of begin, then of id.
  const std::vector<Marker>& all() const { return markers_; }
  const Marker* find(uint32_t id) const;
  // The nearest one that begins after (before) the time; null: none.
  const Marker* after(Time time) const;
  const Marker* before(Time time) const;

  // Its id; nothing where there are too many. Texts are cut, colours brought into range.
  std::optional<uint32_t> add(Marker marker);
  bool change(const Marker& marker);  // the one of its id
  bool remove(uint32_t id);

  std::optional<Time> a() const { return a_; }
  std::optional<Time> b() const { return b_; }
  void set_a(std::optional<Time> time);
  void set_b(std::optional<Time> time);

  uint64_t generation() const { return generation_; }  // grows with every change
  bool is_empty() const { return markers_.empty() && !a_ && !b_; }

  Json to_json() const;
  // An error where it is not what to_json writes.
  static Result<Markers> from_json(const Json& json);

 private:
  void sort();

  std::vector<Marker> markers_;
  std::optional<Time> a_, b_;
  uint32_t last_id_ = 0;
  uint64_t generation_ = 0;
};

}  // namespace weft::app
