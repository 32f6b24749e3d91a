// The user's markers over time that runs downwards, as in the sequence diagram: lines and tinted
// ranges with their names, the cursors A and B, and the filter's hits along the ruler. The caller
// maps times to places, since events may be shown one below the other.
//
//   ruler │ canvas
//     ▶───┼─ start ────────
//    [A]──┼────────────────
//  12.5 ms│
//    [B]──┼────────────────
#pragma once

#include <functional>

#include "app/panels/timeline/hit_marks.h"
#include "app/panels/timeline/marker_handles.h"

namespace weft::app {

class MarkersDown {
 public:
  static constexpr float kHitsPx = 10;          // that marks of hits take at most
  using YOfTime = std::function<double(Time)>;  // on the screen
  using TimeAtY = std::function<Time(double)>;

  // `shown`: the time range that the canvas shows.
  MarkersDown(const PanelInput& input, const Area& ruler, const Area& canvas, TimeRange shown,
              YOfTime y_of, TimeAtY time_at)
      : input_(input),
        ruler_(ruler),
        canvas_(canvas),
        shown_(shown),
        y_of_(std::move(y_of)),
        time_at_(std::move(time_at)) {}

  // Call within an ImGui window and clip rectangle.
  void draw() const;
  // Draws marks at the right edge of the ruler, wider for more hits; a tooltip tells their count.
  // O(bins).
  void draw_hits(const HitBins& bins) const;
  // The band for MarkerHandles; valid as long as this object.
  MarkedBand band() const;

 private:
  void draw_marker(const Marker& marker, float& free_from) const;
  void draw_difference() const;
  void draw_cursor(Time time, const char* letter) const;
  void line(float y, ImU32 color) const;
  float clamped_y(Time time) const;

  const PanelInput& input_;
  Area ruler_, canvas_;
  TimeRange shown_;
  YOfTime y_of_;
  TimeAtY time_at_;
};

}  // namespace weft::app
