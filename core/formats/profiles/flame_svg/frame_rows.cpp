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
      : frames_(frames),
        by_row_(frames.size()),
        further_(frames.size()),
        callees_(frames.size()),
        left_(frames.size()) {
    std::iota(by_row_.begin(), by_row_.end(), size_t{0});
    std::ranges::stable_sort(by_row_, {}, [&](size_t i) { return frames_[i].depth; });
    for (size_t i = 0; i < frames_.size(); ++i) left_[i] = frames_[i].total;
  }

  Nesting nest() {
    std::span<const size_t> below, row;
    for (size_t at = 0; at < by_row_.size(); at += row.size()) {
      row = row_from(at);
      const size_t depth = frames_[row[0]].depth;
      if (depth > 0 && is_next(below, depth)) stand(row, below);
      below = row;
      find_further(at, at + row.size());
    }
    put_in_order();
    find_without_caller();
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

  // Of a row: from each frame to the next that reaches further to the right.
  void find_further(size_t begin, size_t end) {
    for (size_t at = end; at-- > begin;) {
      size_t next = at + 1;
      while (next < end && end_of(by_row_[next]) <= end_of(by_row_[at])) next = further_[next];
      further_[at] = next;
    }
  }

  // Both from left to right.
  void stand(std::span<const size_t> row, std::span<const size_t> below) {
    for (const size_t frame : row) {
      while (below.size() > 1 && end_of(below[0]) + kRounding < frames_[frame].x)
        below = below.subspan(1);
      const auto place = caller_of(frame, below);
      if (!place) continue;
      below = below.subspan(*place);
      const size_t caller = below[0];
      left_[caller] -= std::min(left_[caller], frames_[frame].total);
      callees_[caller].push_back(frame);
    }
  }

  // The one of which enough is left and beyond which the frame reaches the least. Of callers that
  // are too narrow there may be many: from one, all up to the next that reaches further are, too.
  std::optional<size_t> caller_of(size_t frame, std::span<const size_t> below) const {
    constexpr size_t kMostLooks = 64;
    const auto first = static_cast<size_t>(below.data() - by_row_.data());
    const double begin = frames_[frame].x, end = end_of(frame);
    std::optional<size_t> best;
    std::pair<bool, double> least;
    size_t next = 0;
    for (size_t looks = 0; next < below.size() && looks < kMostLooks; ++looks) {
      const size_t i = next++, caller = below[i];
      const double before = frames_[caller].x - begin, behind = end - end_of(caller);
      if (before > kRounding) break;
      if (behind > kRounding) {
        next = further_[first + i] - first;
        continue;
      }
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

  // Those that stand on one that has none have none, either.
  void find_without_caller() {
    std::vector<bool> is_placed(frames_.size());
    for (const size_t frame : nesting_.order) is_placed[frame] = true;
    for (size_t i = 0; i < frames_.size(); ++i) {
      if (!is_placed[i]) nesting_.without_caller.push_back(i);
    }
  }

  std::span<const RowFrame> frames_;
  std::vector<size_t> by_row_;
  std::vector<size_t> further_;  // places in by_row_, by such places
  std::vector<std::vector<size_t>> callees_;
  std::vector<int64_t> left_;  // of their totals, for those that stand on them
  Nesting nesting_;
};

}  // namespace

Nesting nest_rows(std::span<const RowFrame> frames) { return Rows(frames).nest(); }

}  // namespace weft::formats::flame_svg
