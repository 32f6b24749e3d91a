// Exact answers: columns of any width, summaries, densities.
#include "core/aggregate/columns.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "core/aggregate/walk.h"
#include "core/base/time_span.h"

namespace weft::aggregate {
namespace {

// A type's total in one column.
struct TypeTotal {
  uint64_t count = 0;
  int64_t busy = 0;
};

// Sums of types for columns that come in order; each is closed when the next begins.
class ColumnVisitor {
 public:
  ColumnVisitor(const Walk& walk, TimeRange range, uint64_t width, bool is_interval,
                std::vector<Column>& columns)
      : walk_(&walk), range_(range), width_(width), is_interval_(is_interval), columns_(&columns) {}

  void record(const Item& item) {
    int64_t begin = std::max(item.begin, range_.begin.ticks);
    const int64_t end = std::min(item.end(), range_.end.ticks);
    size_t column = distance(range_.begin.ticks, begin) / width_;
    if (!is_interval_ || end <= begin) {
      add(column, item.type, 1, 0);
      return;
    }
    while (begin < end) {
      const int64_t column_end = range_.begin.ticks + static_cast<int64_t>((column + 1) * width_);
      const int64_t piece_end = column + 1 == columns_->size() ? end : std::min(end, column_end);
      add(column, item.type, 1, piece_end - begin);
      begin = piece_end;
      ++column;
    }
  }

  static std::span<const store::NodeColumn> columns() {
    static constexpr std::array kColumns{store::kNodeLastDuration, store::kNodeBusy,
                                         store::kNodeType};
    return kColumns;
  }

  // Takes nodes of a single type that end in their column.
  bool takes(const NodeRun& nodes, uint32_t row, size_t column) const {
    if ((nodes.get(store::kNodeType, row) >> 8 & 0xFF) != 0) return false;  // of several types
    const int64_t last_duration = is_interval_ ? nodes.get(store::kNodeLastDuration, row) : 0;
    const int64_t column_end =
        column + 1 == columns_->size()
            ? range_.end.ticks
            : range_.begin.ticks + static_cast<int64_t>((column + 1) * width_);
    return saturating_add(nodes.last_begin(row), last_duration) <= column_end;
  }

  void node(const NodeRun& nodes, uint32_t row, size_t column) {
    add(column, walk_->type_of(nodes, row), nodes.count(row),
        is_interval_ ? nodes.get(store::kNodeBusy, row) : 0);
  }

  void finish() {
    if (current_ < columns_->size()) close();
  }

 private:
  void add(size_t column, uint32_t type, uint64_t count, int64_t busy) {
    if (column != current_) {
      finish();
      current_ = column;
    }
    if (type >= totals_.size()) totals_.resize(size_t{type} + 1);
    TypeTotal& total = totals_[type];
    if (total.count == 0) used_.push_back(type);
    total.count += count;
    total.busy = saturating_add(total.busy, busy);
  }

  void close() {
    Column& c = (*columns_)[current_];
    uint64_t type_count = 0;
    for (uint32_t type : used_) {
      const TypeTotal t = std::exchange(totals_[type], {});
      c.count += t.count;
      c.busy = saturating_add(c.busy, t.busy);
      const auto is_more = [&] {
        if (t.busy != c.type_busy) return t.busy > c.type_busy;
        if (t.count != type_count) return t.count > type_count;
        return type < c.type.value();
      };
      if (type_count != 0 && !is_more()) continue;
      c.type = EventTypeId(type);
      c.type_busy = t.busy;
      type_count = t.count;
    }
    used_.clear();
  }

  const Walk* walk_;
  TimeRange range_;
  uint64_t width_;
  bool is_interval_;
  std::vector<Column>* columns_;
  size_t current_ = std::numeric_limits<size_t>::max();
  std::vector<TypeTotal> totals_;  // by type; zero but for used_
  std::vector<uint32_t> used_;
};

// Calls visitor.record for the state that begins before the range and reaches into it.
template <class Visitor>
void visit_carried(Walk& walk, const store::RowPart& part, TimeRange range, Visitor& visitor) {
  if (part.row().kind != store::RowKind::kState || part.row().first_begin >= range.begin.ticks)
    return;
  const auto item = walk.item_before(range.begin.ticks);
  if (item && item->end() > range.begin.ticks) visitor.record(*item);
}

struct SummaryVisitor {
  TimeRange range;
  bool is_interval;
  Summary summary;

  void record(const Item& item) {
    ++summary.count;
    summary.longest = std::max(summary.longest, item.length);
    const int64_t begin = std::max(item.begin, range.begin.ticks);
    summary.busy = saturating_add(
        summary.busy, std::max<int64_t>(0, std::min(item.end(), range.end.ticks) - begin));
  }

  static std::span<const store::NodeColumn> columns() {
    static constexpr std::array kColumns{store::kNodeLastDuration, store::kNodeBusy,
                                         store::kNodeLongest};
    return kColumns;
  }
  static bool takes(const NodeRun&, uint32_t, int) { return true; }
  void node(const NodeRun& nodes, uint32_t row, int) {
    summary.count += nodes.count(row);
    summary.longest = std::max(summary.longest, nodes.get(store::kNodeLongest, row));
    if (!is_interval) return;
    const int64_t last_end =
        saturating_add(nodes.last_begin(row), nodes.get(store::kNodeLastDuration, row));
    const int64_t beyond = std::max<int64_t>(0, saturating_sub(last_end, range.end.ticks));
    summary.busy = saturating_add(summary.busy, nodes.get(store::kNodeBusy, row) - beyond);
  }
};

}  // namespace

std::vector<Column> columns(const store::Row& row, TimeRange range, uint32_t count) {
  std::vector<Column> out(count);
  const uint64_t width = length_of(range) / std::max(1u, count);
  if (width == 0) return out;
  range.end = {static_cast<int64_t>(static_cast<uint64_t>(range.begin.ticks) + width * count)};
  const bool is_interval = row.kind == store::RowKind::kState;
  for (const store::RowPart& part : row.parts) {
    // Parts of a growing row may overlap in time; each is summed by itself, and the type of a
    // column is then that of the part with the most.
    std::vector<Column> own(count);
    Walk walk(part, nullptr);
    ColumnVisitor visitor(walk, range, width, is_interval, own);
    visit_carried(walk, part, range, visitor);
    walk.run(
        range.begin.ticks, range.end.ticks,
        [&](int64_t t) { return distance(range.begin.ticks, t) / width; }, visitor);
    visitor.finish();
    for (size_t i = 0; i < count; ++i) {
      out[i].count += own[i].count;
      out[i].busy = saturating_add(out[i].busy, own[i].busy);
      if (own[i].count > 0 && (out[i].type.is_none() || own[i].type_busy > out[i].type_busy)) {
        out[i].type = own[i].type;
        out[i].type_busy = own[i].type_busy;
      }
    }
  }
  return out;
}

Summary summarize(const store::Row& row, TimeRange range) {
  SummaryVisitor visitor{range, row.kind == store::RowKind::kState, {}};
  for (const store::RowPart& part : row.parts) {
    Walk walk(part, nullptr);
    visit_carried(walk, part, range, visitor);
    walk.run(range.begin.ticks, range.end.ticks, [](int64_t) { return 0; }, visitor);
  }
  return visitor.summary;
}

TypeShares types_in(const store::Row& row, TimeRange range, uint64_t max_records) {
  struct Visitor {
    TimeRange range;
    uint64_t left;
    bool is_complete = true;
    std::map<uint32_t, TypeTotal> totals;
    void record(const Item& item) {
      if (left == 0) {
        is_complete = false;
        return;
      }
      --left;
      TypeTotal& total = totals[item.type];
      ++total.count;
      const int64_t begin = std::max(item.begin, range.begin.ticks);
      total.busy = saturating_add(
          total.busy, std::max<int64_t>(0, std::min(item.end(), range.end.ticks) - begin));
    }
    // Past the limit, nodes are passed over whole.
    static std::span<const store::NodeColumn> columns() { return {}; }
    bool takes(const NodeRun&, uint32_t, int) const { return left == 0; }
    void node(const NodeRun&, uint32_t, int) { is_complete = false; }
  };
  Visitor visitor{range, max_records, true, {}};
  for (const store::RowPart& part : row.parts) {
    Walk walk(part, nullptr);
    visit_carried(walk, part, range, visitor);
    walk.run(range.begin.ticks, range.end.ticks, [](int64_t) { return 0; }, visitor);
  }
  TypeShares shares;
  shares.is_complete = visitor.is_complete;
  for (const auto& [type, total] : visitor.totals)
    shares.types.push_back({EventTypeId(type), total.count, total.busy});
  std::stable_sort(shares.types.begin(), shares.types.end(),
                   [](const TypeShare& a, const TypeShare& b) {
                     return a.busy != b.busy ? a.busy > b.busy : a.count > b.count;
                   });
  return shares;
}

void density(const store::Row& row, TimeRange range, std::span<uint64_t> bins) {
  if (range.is_empty() || bins.empty()) return;
  const auto count = static_cast<uint32_t>(bins.size());
  const auto bin_at = [&](int64_t t) { return bin_of({t}, range, count); };
  struct Visitor {
    std::span<uint64_t> bins;
    decltype(bin_at)& bin;
    void record(const Item& item) { ++bins[bin(item.begin)]; }
    static std::span<const store::NodeColumn> columns() { return {}; }
    static bool takes(const NodeRun&, uint32_t, uint32_t) { return true; }
    void node(const NodeRun& nodes, uint32_t row, uint32_t column) {
      bins[column] += nodes.count(row);
    }
  };
  Visitor visitor{bins, bin_at};
  for (const store::RowPart& part : row.parts) {
    Walk walk(part, nullptr);
    walk.run(range.begin.ticks, range.end.ticks, bin_at, visitor);
  }
}

}  // namespace weft::aggregate
