#include "app/view/folded_time.h"

#include <algorithm>
#include <cmath>

namespace weft::app {

TimeWindow FoldedTime::fold(const TimeWindow& window) const {
  if (!cuts_) return window;
  TimeWindow folded = window;
  folded.begin = cuts_->folded(window.begin);
  // Within a cut there are no fractions of a tick.
  if (cuts_->folded(window.begin + Duration{1}) == folded.begin) folded.begin_fraction = 0;
  const double end = window.begin_fraction + window.length;
  const double whole = std::floor(std::min(end, 0x1p62));
  const Time last = window.begin + Duration{static_cast<int64_t>(whole)};
  const bool is_cut = cuts_->folded(last + Duration{1}) == cuts_->folded(last);
  const double rest = is_cut ? 0 : end - whole;
  folded.length = static_cast<double>((cuts_->folded(last) - folded.begin).ticks) + rest -
                  folded.begin_fraction;
  folded.length = std::max(folded.length, 1e-3);
  return folded;
}

TimeWindow FoldedTime::unfold(const TimeWindow& folded) const {
  if (!cuts_) return folded;
  TimeWindow window = folded;
  window.begin = cuts_->unfolded(folded.begin);
  const double end = folded.begin_fraction + folded.length;
  const double whole = std::floor(std::min(end, 0x1p62));
  const double rest = end - whole;
  const Time last = folded.begin + Duration{static_cast<int64_t>(whole)};
  // A window that ends at a cut ends before it.
  const Time unfolded = rest > 0 ? cuts_->unfolded(last) : cuts_->unfolded_end(last);
  window.length =
      static_cast<double>((unfolded - window.begin).ticks) + rest - window.begin_fraction;
  return window;
}

}  // namespace weft::app
