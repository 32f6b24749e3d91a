// Round lengths below a histogram of durations or latencies, whose bins may be of any widths.
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

// Where lengths lie below a histogram of `width` px. `borders`: in ticks, ascending, one more than
// there are bins (at least one); they must outlive it. Every bin is equally wide, or, on a
// logarithmic axis, every power of ten: there, a bin of 0 stands by itself at the left.
class LengthAxis {
 public:
  LengthAxis(std::span<const int64_t> borders, double width, bool is_logarithmic = false);

  double width() const { return width_; }
  std::span<const int64_t> borders() const { return borders_; }
  bool is_logarithmic() const { return is_logarithmic_; }
  bool has_zero_apart() const { return first_ > 0; }
  // Lengths outside lie at the ends.
  double x_of(int64_t length) const;
  struct Span {
    double x0 = 0, x1 = 0;
  };
  Span bin(size_t bin) const;

 private:
  double x_of_border(size_t border) const;

  std::span<const int64_t> borders_;
  double width_;
  bool is_logarithmic_;
  size_t first_ = 0;    // the border at which the axis goes on behind the bin of 0
  double first_x_ = 0;  // where that is
};

// Labels, centred at their ticks, do not touch; `width_of` measures one in px. Where bins widen, 1,
// 2, 5 times powers of ten, or the powers alone; else, and where these are too few, multiples of
// one step. `label_of` says a length.
std::vector<LengthTick> length_ticks(const LengthAxis& axis,
                                     const std::function<std::string(Duration)>& label_of,
                                     const std::function<double(std::string_view)>& width_of);

// Two to four round values up to `most`, multiples of one step, for lines across the bars; of whole
// numbers fewer where there are no more.
std::vector<double> round_values(double most, bool are_whole);

struct SpreadLabel {
  double center = 0;
  double width = 0;
};
// The left edges of labels, in order, that stand as near to their centres as they can without
// touching or leaving [0, `width`]; where they have no room together they leave it on the left.
std::vector<double> spread(std::span<const SpreadLabel> labels, double width, double gap);

}  // namespace weft::layout
