#include "core/layout/lanes.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/trace/words.h"

namespace weft::layout {
namespace {

bool is_shown(const store::Row& row) {
  return row.kind == store::RowKind::kState || row.kind == store::RowKind::kPunctual ||
         row.kind == store::RowKind::kVariable;
}

bool is_state(const store::Row& row) { return row.kind == store::RowKind::kState; }

bool is_outermost_state(const store::Row& row) { return is_state(row) && row.depth == 0; }

bool is_in_summary(const store::Row& row) {
  return is_outermost_state(row) || row.kind == store::RowKind::kPunctual;
}

float height_of(const trace::Dictionary& dictionary, const store::Row& row,
                const LaneHeights& heights) {
  if (has_words(dictionary, row)) return heights.state;
  switch (row.kind) {
    case store::RowKind::kPunctual:
      return heights.punctual;
    case store::RowKind::kVariable:
      return heights.variable;
    default:
      return heights.state;
  }
}

// Only what holds lanes stands out.
float header_height(const LaneHeights& heights, bool has_lanes_below) {
  return has_lanes_below ? heights.header : heights.state;
}

// The busiest of `rows` that `is_wanted`, in display order.
template <class Predicate>
void pick_busiest(std::span<const store::Row> rows, std::span<const RowId> ids, Predicate is_wanted,
                  Summary& summary) {
  std::vector<RowId> wanted;
  for (const RowId id : ids) {
    if (is_wanted(rows[id.value()])) wanted.push_back(id);
  }
  summary.row_count = static_cast<uint32_t>(wanted.size());
  const auto lane_of = [&](RowId id) { return rows[id.value()].lane; };
  summary.lanes_have_one_each = std::ranges::adjacent_find(wanted, {}, lane_of) == wanted.end();
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

// Walks the lanes in display order.
class LanesBuilder {
 public:
  LanesBuilder(Lanes& lanes, const trace::Dictionary& dictionary, std::span<const store::Row> rows,
               std::span<const ArrangedLane> order, const CollapsedLanes& collapsed,
               const LaneHeights& heights, const RowSet& seen, uint32_t levels)
      : lanes_(lanes),
        dictionary_(dictionary),
        rows_(rows),
        seen_(seen),
        order_(order),
        collapsed_(collapsed),
        heights_(heights),
        levels_(levels),
        rows_of_lane_(store::rows_by_lane(rows, dictionary.lanes.size())) {}

  void build(std::span<const LaneGroup> groups) {
    for (const LaneGroup& group : groups) lanes_.groups_[id_of(group)].name = group.name;
    lanes_.line_of_lane_.assign(rows_of_lane_.size(), Lanes::kNoLine);
    lanes_.rows_.reserve(rows_.size() + order_.size());
    for (size_t i = 0; i < order_.size();) i = add_lane(i);
    lanes_.height_ = y_;
  }

 private:
  using RowSpan = store::RowSpan;
  RowSpan rows_at(size_t i) const {
    return is_group(order_[i].lane) ? RowSpan{} : rows_of_lane_[order_[i].lane.value()];
  }
  void stands_at(LaneId lane, uint32_t line) {
    (is_group(lane) ? lanes_.groups_[lane].line : lanes_.line_of_lane_[lane.value()]) = line;
  }

  // Adds the lane at `i` of the order, and returns where to go on.
  size_t add_lane(size_t i) {
    const bool has_lanes_below = i + 1 < order_.size() && order_[i + 1].depth > order_[i].depth;
    const uint32_t first_line = static_cast<uint32_t>(lanes_.rows_.size());
    const size_t next =
        collapsed_.contains(order_[i].lane) ? add_collapsed(i) : add_open(i, has_lanes_below);
    for (size_t k = i; k < next; ++k) stands_at(order_[k].lane, first_line);
    y_ += heights_.gap;
    return next;
  }

  bool has_line(uint32_t row) const {
    return is_shown(rows_[row]) && height_of(dictionary_, rows_[row], heights_) > 0 &&
           has_row(seen_, row);
  }

  size_t add_open(size_t i, bool has_lanes_below) {
    uint32_t shown = 0;
    for (uint32_t r = rows_at(i).begin; r < rows_at(i).end; ++r) {
      if (!has_line(r)) continue;
      const bool has_states = is_in_gaps(rows_at(i), r);
      if (has_states) ++r;
      if (shown + 1 == levels_ && is_state(rows_[r])) {
        if (const std::vector<RowId> deeper = states_from(r, rows_at(i).end); deeper.size() > 1) {
          add_deeper(i, deeper, shown == 0, has_lanes_below);
          ++shown;
          r = deeper.back().value();
          continue;
        }
      }
      push({.height = height_of(dictionary_, rows_[r], heights_),
            .lane = order_[i].lane,
            .row = RowId(r),
            .depth = rows_[r].depth,
            .indent = order_[i].depth,
            .kind = DisplayRow::Kind::kRow,
            .is_first = shown == 0,
            .can_fold = shown == 0 && has_lanes_below,
            .has_states = has_states});
      ++shown;
    }
    if (shown == 0) {
      push({.height = header_height(heights_, has_lanes_below),
            .lane = order_[i].lane,
            .indent = order_[i].depth,
            .kind = DisplayRow::Kind::kHeader,
            .can_fold = has_lanes_below});
    }
    if (shown > 1) lanes_.rows_[lanes_.rows_.size() - shown].can_fold = true;
    return i + 1;
  }

  // Whether the row is a lane's only row of states, followed by its only variable, in whose gaps
  // they are drawn.
  bool is_in_gaps(RowSpan rows, uint32_t row) const {
    return row == rows.begin && row + 2 == rows.end && is_state(rows_[row]) &&
           has_gaps(dictionary_, rows_[row + 1]) && has_line(row + 1);
  }

  // A lane's states come before its other rows.
  std::vector<RowId> states_from(uint32_t row, uint32_t end) const {
    std::vector<RowId> states;
    for (; row < end && is_state(rows_[row]); ++row) {
      if (has_line(row)) states.push_back(RowId(row));
    }
    return states;
  }

  void add_deeper(size_t i, std::span<const RowId> states, bool is_first, bool has_lanes_below) {
    Summary summary;
    pick_busiest(rows_, states, is_state, summary);
    push({.height = heights_.summary,
          .lane = order_[i].lane,
          .depth = static_cast<uint32_t>(lanes_.summaries_.size()),
          .indent = order_[i].depth,
          .kind = DisplayRow::Kind::kDeeper,
          .is_first = is_first,
          .can_fold = is_first && has_lanes_below});
    lanes_.summaries_.push_back(std::move(summary));
  }

  size_t add_collapsed(size_t i) {
    std::vector<RowId> rows;
    size_t next = i;
    do {
      for (uint32_t r = rows_at(next).begin; r < rows_at(next).end; ++r) {
        if (has_row(seen_, r)) rows.push_back(RowId(r));
      }
      ++next;
    } while (next < order_.size() && order_[next].depth > order_[i].depth);
    Summary summary;
    summary.lane_count = static_cast<uint32_t>(next - i - 1);
    const auto lies = [&](bool (*is_wanted)(const store::Row&)) {
      return [&, is_wanted](RowId row) { return is_wanted(rows_[row.value()]); };
    };
    const bool has_states = std::ranges::any_of(rows, lies(is_outermost_state));
    pick_busiest(rows_, rows, has_states ? is_in_summary : is_shown, summary);
    summary.rows_of_others =
        static_cast<uint32_t>(std::ranges::count_if(rows, lies(is_shown))) - summary.row_count;
    push({.height = heights_.summary,
          .lane = order_[i].lane,
          .depth = static_cast<uint32_t>(lanes_.summaries_.size()),
          .indent = order_[i].depth,
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
  const RowSet& seen_;
  std::span<const ArrangedLane> order_;
  const CollapsedLanes& collapsed_;
  const LaneHeights& heights_;
  uint32_t levels_;
  std::vector<RowSpan> rows_of_lane_;
  double y_ = 0;
};

Lanes Lanes::build(const trace::Dictionary& dictionary, std::span<const store::Row> rows,
                   const CollapsedLanes& collapsed, const LaneHeights& heights) {
  return build(dictionary, rows, arrange_lanes(dictionary, rows).lanes, collapsed, heights);
}

Lanes Lanes::build(const trace::Dictionary& dictionary, std::span<const store::Row> rows,
                   std::span<const ArrangedLane> order, const CollapsedLanes& collapsed,
                   const LaneHeights& heights, std::span<const LaneGroup> groups,
                   const RowSet& seen, uint32_t levels) {
  Lanes lanes;
  LanesBuilder(lanes, dictionary, rows, order, collapsed, heights, seen, levels).build(groups);
  return lanes;
}

std::span<const DisplayRow> Lanes::visible(double top, double bottom) const {
  const auto first = std::ranges::partition_point(
      rows_, [&](const DisplayRow& row) { return row.y + row.height <= top; });
  const auto last = std::partition_point(first, rows_.end(),
                                         [&](const DisplayRow& row) { return row.y < bottom; });
  return {first, last};
}

double Lanes::height_with(const LaneHeights& heights, const trace::Dictionary& dictionary,
                          std::span<const store::Row> rows) const {
  double height = 0;
  for (const DisplayRow& line : rows_) {
    if (line.is_first) height += heights.gap;
    switch (line.kind) {
      case DisplayRow::Kind::kHeader:
        height += header_height(heights, line.can_fold);
        break;
      case DisplayRow::Kind::kRow:
        height += height_of(dictionary, rows[line.row.value()], heights);
        break;
      case DisplayRow::Kind::kSummary:
      case DisplayRow::Kind::kDeeper:
        height += heights.summary;
        break;
    }
  }
  return height;
}

const DisplayRow* Lanes::at(double y) const {
  const auto below =
      std::ranges::partition_point(rows_, [&](const DisplayRow& r) { return r.y <= y; });
  return below != rows_.begin() && y < height_ ? &*(below - 1) : nullptr;
}

Summary::Strip Summary::strip_of(size_t index, float line_height) const {
  const auto count = static_cast<float>(std::max<size_t>(rows.size(), 1));
  const auto begin = [&](size_t of) {
    return std::floor(static_cast<float>(of) * std::max(1.0F, line_height / count));
  };
  const float step = begin(index + 1) - begin(index);
  return {begin(index), step >= 4 ? step - 1 : step};
}

const DisplayRow* Lanes::line_of(LaneId lane) const {
  uint32_t line = kNoLine;
  if (const auto group = groups_.find(lane); group != groups_.end()) {
    line = group->second.line;
  } else if (lane.value() < line_of_lane_.size()) {
    line = line_of_lane_[lane.value()];
  }
  return line < rows_.size() ? &rows_[line] : nullptr;
}

const DisplayRow* Lanes::line_of(LaneId lane, RowId row) const {
  const DisplayRow* const first = line_of(lane);
  if (first == nullptr || first->lane != lane || row.is_none()) return first;
  const DisplayRow* best = first;
  for (const DisplayRow* line = first; line < rows_.data() + rows_.size() && line->lane == lane;
       ++line) {
    if (line->row == row || line->row_of_states() == row) return line;
    if (line->kind == DisplayRow::Kind::kDeeper) best = line;
  }
  return best;
}

const std::string& Lanes::name_of(const trace::Dictionary& dictionary, LaneId lane) const {
  const auto group = groups_.find(lane);
  return group != groups_.end() ? group->second.name : dictionary.lane(lane).name;
}

bool has_words(const trace::Dictionary& dictionary, const store::Row& row) {
  return row.kind == store::RowKind::kVariable &&
         dictionary.type(row.variable).group == trace::kWordGroup;
}

bool has_gaps(const trace::Dictionary& dictionary, const store::Row& row) {
  return has_words(dictionary, row) || (row.kind == store::RowKind::kVariable &&
                                        dictionary.type(row.variable).group == trace::kSignalGroup);
}

std::string label_of(const trace::Dictionary& dictionary, std::span<const store::Row> rows,
                     const Lanes& lanes, const DisplayRow& row, bool is_flat) {
  const auto name = [](std::string_view text) { return printable(text, 128); };
  const auto lane_name = [&](LaneId lane) {
    return name(is_flat ? dictionary.path_text(lane) : lanes.name_of(dictionary, lane));
  };
  if (row.kind == DisplayRow::Kind::kRow) {
    const store::Row& store_row = rows[row.row.value()];
    const std::string lane = row.is_first ? lane_name(row.lane) : "";
    if (store_row.kind != store::RowKind::kVariable) return lane;
    const std::string variable = name(dictionary.type(store_row.variable).name);
    if (lane.empty() || lane == variable) return variable;
    // If the format has no name for it, the lane's suffices.
    return variable == "value" ? lane : lane + " · " + variable;
  }
  std::string label = row.is_first ? lane_name(row.lane) : "";
  if (!row.is_summary()) return label;
  const Summary& summary = lanes.summary(row);
  if (row.kind == DisplayRow::Kind::kDeeper) {
    const bool are_all = summary.row_count == summary.rows.size();
    return label + (row.is_first ? " · " : "") +
           (are_all ? "" : "the busiest " + format_count(summary.rows.size()) + " of ") +
           format_count(summary.row_count) + " levels";
  }
  const bool are_all = summary.row_count == summary.rows.size();
  const std::string some = are_all ? "" : format_count(summary.rows.size()) + " of ";
  const bool has_row_each = summary.lanes_have_one_each && summary.row_count == summary.lane_count;
  if (summary.lane_count > 0)
    label += " · " + (has_row_each ? some : "") + counted(summary.lane_count, "lane");
  if (!are_all && !has_row_each) label += " · " + some + counted(summary.row_count, "row");
  return label;
}

}  // namespace weft::layout
