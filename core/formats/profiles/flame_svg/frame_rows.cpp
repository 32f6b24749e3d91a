#include "core/formats/profiles/flame_svg/frame_rows.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace weft::formats::flame_svg {
namespace {

constexpr double kRounding = 1;  // of places, in pixels

class Rows {
 public:
  explicit Rows(std::span<const RowFrame> frames)
      : frames_(frames), by_row_(frames.size()), callees_(frames.size()), left_(frames.size()) {
    std::iota(by_row_.begin(), by_row_.end(), size_t{0});
    std::ranges::stable_sort(by_row_, {}, [&](size_t i) { return frames_[i].depth; });
    for (size_t i = 0; i < frames_.size(); ++i) left_[i] = frames_[i].total;
  }

  Nesting nest() {
    std::span<const size_t> below, row;
    for (size_t at = 0; at < by_row_.size(); at += row.size()) {
      row = row_from(at);
      const size_t depth = frames_[row[0]].depth;
      if (depth > 0) stand(row, is_next(below, depth) ? below : std::span<const size_t>());
      below = row;
    }
    std::ranges::sort(nesting_.without_caller);
    put_in_order();
    return std::move(nesting_);
  }

 private:
  std::span<const size_t> row_from(size_t at) const {
    size_t end = at;
    while (end < by_row_.size() && frames_[by_row_[end]].depth == frames_[by_row_[at]].depth) ++end;
    return std::span(by_row_).subspan(at, end - at);
  }
  bool is_next(std::span<const size_t> below, size_t depth) const {
    return !below.empty() && frames_[below[0]].depth + 1 == depth;
  }
  double end_of(size_t frame) const { return frames_[frame].x + frames_[frame].width; }

  // Both from left to right.
  void stand(std::span<const size_t> row, std::span<const size_t> below) {
    for (const size_t frame : row) {
      while (below.size() > 1 && end_of(below[0]) + kRounding < frames_[frame].x)
        below = below.subspan(1);
      const auto place = caller_of(frame, below);
      if (!place) {
        nesting_.without_caller.push_back(frame);
        continue;
      }
      below = below.subspan(*place);
      const size_t caller = below[0];
      left_[caller] -= std::min(left_[caller], frames_[frame].total);
      callees_[caller].push_back(frame);
    }
  }

  // The one of which enough is left and beyond which the frame reaches the least.
  std::optional<size_t> caller_of(size_t frame, std::span<const size_t> below) const {
    constexpr size_t kMostLooks = 64;  // many may have no width
    const double begin = frames_[frame].x, end = end_of(frame);
    std::optional<size_t> best;
    std::pair<bool, double> least;
    for (size_t i = 0; i < std::min(below.size(), kMostLooks); ++i) {
      const size_t caller = below[i];
      const double before = frames_[caller].x - begin, behind = end - end_of(caller);
      if (before > kRounding) break;
      if (behind > kRounding) continue;
      const std::pair badness{left_[caller] < frames_[frame].total,
                              std::max({before, behind, 0.0})};
      if (best && badness >= least) continue;
      best = i;
      least = badness;
    }
    return best;
  }

  void put_in_order() {
    std::vector<size_t> open;
    for (const size_t root : row_from(0)) {
      if (frames_[root].depth > 0) return;
      open.push_back(root);
      while (!open.empty()) {
        const size_t frame = open.back();
        open.pop_back();
        nesting_.order.push_back(frame);
        open.insert(open.end(), callees_[frame].rbegin(), callees_[frame].rend());
      }
    }
  }

  std::span<const RowFrame> frames_;
  std::vector<size_t> by_row_;
  std::vector<std::vector<size_t>> callees_;
  std::vector<int64_t> left_;  // of their totals, for those that stand on them
  Nesting nesting_;
};

}  // namespace

Nesting nest_rows(std::span<const RowFrame> frames) { return Rows(frames).nest(); }

}  // namespace weft::formats::flame_svg
