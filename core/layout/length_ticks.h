// Axis ticks at round lengths for histograms of durations or latencies, whose bins may have any
// widths.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace weft::layout {

struct LengthTick {
  int64_t length = 0;
  double x = 0;  // px from the first bin's left edge
  std::string label;
};

// The horizontal axis of a histogram, `width` px wide. `borders`, in ticks, ascending, one more
// than there are bins (at least one), must outlive it. All bins are equally wide or, on a
// logarithmic axis, all powers of ten; there a bin of length 0 stands apart at the left.
class LengthAxis {
 public:
  LengthAxis(std::span<const int64_t> borders, double width, bool is_logarithmic = false);

  double width() const { return width_; }
  std::span<const int64_t> borders() const { return borders_; }
  bool is_logarithmic() const { return is_logarithmic_; }
  bool has_zero_apart() const { return first_ > 0; }
  // Lengths outside are clamped to the ends.
  double x_of(int64_t length) const;
  // Of a label or a line that marks the length: the middle of a bin that holds no other.
  double x_of_mark(int64_t length) const;
  struct Span {
    double x0 = 0, x1 = 0;
  };
  Span bin(size_t bin) const;

 private:
  double x_of_border(size_t border) const;

  std::span<const int64_t> borders_;
  double width_;
  bool is_logarithmic_;
  size_t first_ = 0;    // first border after the bin of 0
  double first_x_ = 0;  // its position
};

// Chooses ticks whose labels, centred on them, do not touch: if bins widen, 1, 2 and 5 or 1 and 3
// times powers of ten, or powers alone; otherwise, or if more of them fit, multiples of one step.
// `label_of` formats a length, `width_of` measures a label in px.
std::vector<LengthTick> length_ticks(const LengthAxis& axis,
                                     const std::function<std::string(Duration)>& label_of,
                                     const std::function<double(std::string_view)>& width_of);

// Returns two to four round values up to `most`, multiples of one step, for grid lines; fewer if
// whole numbers (`are_whole`) do not allow as many.
std::vector<double> round_values(double most, bool are_whole);

struct SpreadLabel {
  double center = 0;
  double width = 0;
};
// Returns the left edges of labels, in order, as near to their centres as possible without touching
// or leaving [0, `width`]. If they do not fit, they extend beyond the left.
std::vector<double> spread(std::span<const SpreadLabel> labels, double width, double gap);

}  // namespace weft::layout
