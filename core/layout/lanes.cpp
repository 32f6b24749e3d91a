#include "core/layout/lanes.h"

#include <algorithm>
#include <limits>

#include "core/base/text.h"

namespace weft::layout {
namespace {

bool is_shown(const store::Row& row) {
  return row.kind == store::RowKind::kState || row.kind == store::RowKind::kPunctual ||
         row.kind == store::RowKind::kVariable;
}

bool is_outermost_state(const store::Row& row) {
  return row.kind == store::RowKind::kState && row.depth == 0;
}

float height_of(const store::Row& row, const LaneHeights& heights) {
  switch (row.kind) {
    case store::RowKind::kPunctual:
      return heights.punctual;
    case store::RowKind::kVariable:
      return heights.variable;
    default:
      return heights.state;
  }
}

// The busiest rows that `is_wanted`, in display order.
template <class Predicate>
void pick_busiest(std::span<const store::Row> rows, uint32_t first, uint32_t last,
                  Predicate is_wanted, Summary& summary) {
  std::vector<RowId> wanted;
  for (uint32_t i = first; i < last; ++i) {
    if (is_wanted(rows[i])) wanted.push_back(RowId(i));
  }
  summary.row_count = static_cast<uint32_t>(wanted.size());
  if (wanted.size() > Summary::kMaxRows) {
    const auto is_busier = [&](RowId a, RowId b) {
      const store::Row &x = rows[a.value()], &y = rows[b.value()];
      return std::tie(y.busy, y.count, a) < std::tie(x.busy, x.count, b);
    };
    std::ranges::nth_element(wanted, wanted.begin() + Summary::kMaxRows, is_busier);
    wanted.resize(Summary::kMaxRows);
    std::ranges::sort(wanted);
  }
  summary.rows = std::move(wanted);
}

}  // namespace

// Walks the lanes in display order; the store's rows lie in the same order.
class LanesBuilder {
 public:
  LanesBuilder(Lanes& lanes, const trace::Dictionary& dictionary, std::span<const store::Row> rows,
               const CollapsedLanes& collapsed, const LaneHeights& heights)
      : lanes_(lanes),
        dictionary_(dictionary),
        rows_(rows),
        collapsed_(collapsed),
        heights_(heights),
        order_(dictionary.lanes_in_order()),
        depth_(dictionary.lanes.size()) {}

  void build() {
    lanes_.line_of_lane_.assign(dictionary_.lanes.size(), Lanes::kNoLine);
    lanes_.rows_.reserve(rows_.size() + order_.size());
    for (const LaneId lane : order_) depth_[lane.value()] = depth_of(lane);
    for (size_t i = 0; i < order_.size();) i = add_lane(i);
    lanes_.height_ = y_;
  }

 private:
  uint16_t depth_of(LaneId lane) const {
    const LaneId parent = dictionary_.lane(lane).parent;
    if (parent.value() >= depth_.size()) return 0;
    const uint16_t depth = depth_[parent.value()];
    return depth == std::numeric_limits<uint16_t>::max() ? depth : static_cast<uint16_t>(depth + 1);
  }
  uint16_t depth_at(size_t i) const { return depth_[order_[i].value()]; }

  // Past the rows of the lane.
  uint32_t skip_rows(LaneId lane) {
    while (next_row_ < rows_.size() && rows_[next_row_].lane == lane) ++next_row_;
    return next_row_;
  }

  // Adds the lane at `i` of the order, and returns where to go on.
  size_t add_lane(size_t i) {
    const LaneId lane = order_[i];
    const bool has_lanes_below = i + 1 < order_.size() && depth_at(i + 1) > depth_at(i);
    const uint32_t first_line = static_cast<uint32_t>(lanes_.rows_.size());
    const size_t next = collapsed_.contains(lane) ? add_collapsed(i) : add_open(i, has_lanes_below);
    for (size_t k = i; k < next; ++k) lanes_.line_of_lane_[order_[k].value()] = first_line;
    y_ += heights_.gap;
    return next;
  }

  size_t add_open(size_t i, bool has_lanes_below) {
    const LaneId lane = order_[i];
    const uint32_t first = next_row_, last = skip_rows(lane);
    uint32_t shown = 0;
    for (uint32_t r = first; r < last; ++r) {
      if (!is_shown(rows_[r])) continue;
      push({.height = height_of(rows_[r], heights_),
            .lane = lane,
            .row = RowId(r),
            .depth = rows_[r].depth,
            .indent = depth_at(i),
            .kind = DisplayRow::Kind::kRow,
            .is_first = shown == 0,
            .can_fold = has_lanes_below});
      ++shown;
    }
    if (shown == 0) {
      push({.height = heights_.header,
            .lane = lane,
            .indent = depth_at(i),
            .kind = DisplayRow::Kind::kHeader,
            .can_fold = has_lanes_below});
    }
    if (shown > 1) lanes_.rows_[lanes_.rows_.size() - shown].can_fold = true;
    return i + 1;
  }

  size_t add_collapsed(size_t i) {
    size_t next = i + 1;
    const uint32_t first = next_row_;
    uint32_t last = skip_rows(order_[i]);
    for (; next < order_.size() && depth_at(next) > depth_at(i); ++next) {
      last = skip_rows(order_[next]);
    }
    Summary summary;
    summary.lane_count = static_cast<uint32_t>(next - i - 1);
    pick_busiest(rows_, first, last, is_outermost_state, summary);
    if (summary.rows.empty()) pick_busiest(rows_, first, last, is_shown, summary);
    push({.height = heights_.summary,
          .lane = order_[i],
          .depth = static_cast<uint32_t>(lanes_.summaries_.size()),
          .indent = depth_at(i),
          .kind = DisplayRow::Kind::kSummary,
          .can_fold = true});
    lanes_.summaries_.push_back(std::move(summary));
    return next;
  }

  void push(DisplayRow row) {
    row.y = y_;
    y_ += row.height;
    lanes_.rows_.push_back(row);
  }

  Lanes& lanes_;
  const trace::Dictionary& dictionary_;
  std::span<const store::Row> rows_;
  const CollapsedLanes& collapsed_;
  const LaneHeights& heights_;
  std::vector<LaneId> order_;
  std::vector<uint16_t> depth_;  // by lane
  uint32_t next_row_ = 0;
  double y_ = 0;
};

Lanes Lanes::build(const store::Trace& trace, const CollapsedLanes& collapsed,
                   const LaneHeights& heights) {
  return build(trace.dictionary(), trace.rows(), collapsed, heights);
}

Lanes Lanes::build(const trace::Dictionary& dictionary, std::span<const store::Row> rows,
                   const CollapsedLanes& collapsed, const LaneHeights& heights) {
  Lanes lanes;
  LanesBuilder(lanes, dictionary, rows, collapsed, heights).build();
  return lanes;
}

std::span<const DisplayRow> Lanes::visible(double top, double bottom) const {
  const auto first = std::ranges::partition_point(
      rows_, [&](const DisplayRow& row) { return row.y + row.height <= top; });
  const auto last = std::partition_point(first, rows_.end(),
                                         [&](const DisplayRow& row) { return row.y < bottom; });
  return {first, last};
}

const DisplayRow* Lanes::at(double y) const {
  const auto row =
      std::ranges::partition_point(rows_, [&](const DisplayRow& r) { return r.y + r.height <= y; });
  return row != rows_.end() && row->y <= y ? &*row : nullptr;
}

const DisplayRow* Lanes::line_of(LaneId lane) const {
  if (lane.value() >= line_of_lane_.size()) return nullptr;
  const uint32_t line = line_of_lane_[lane.value()];
  return line < rows_.size() ? &rows_[line] : nullptr;
}

std::string label_of(const trace::Dictionary& dictionary, std::span<const store::Row> rows,
                     const Lanes& lanes, const DisplayRow& row) {
  const auto name = [](const std::string& text) { return printable(text, 128); };
  if (row.kind == DisplayRow::Kind::kRow) {
    const store::Row& store_row = rows[row.row.value()];
    const std::string lane = row.is_first ? name(dictionary.lane(row.lane).name) : "";
    if (store_row.kind != store::RowKind::kVariable) return lane;
    const std::string variable = name(dictionary.type(store_row.variable).name);
    return lane.empty() || lane == variable ? variable : lane + " · " + variable;
  }
  std::string label = name(dictionary.lane(row.lane).name);
  if (row.kind != DisplayRow::Kind::kSummary) return label;
  const Summary& summary = lanes.summary(row);
  if (summary.lane_count > 0) {
    label +=
        " · " + format_count(summary.lane_count) + (summary.lane_count == 1 ? " lane" : " lanes");
  }
  if (summary.row_count > summary.rows.size()) {
    label += ", the busiest " + format_count(summary.rows.size()) + " of " +
             format_count(summary.row_count) + " rows shown";
  }
  return label;
}

}  // namespace weft::layout
