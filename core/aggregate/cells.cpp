// Columns of the absolute grid for drawing.
#include <algorithm>
#include <limits>
#include <optional>

#include "core/aggregate/columns.h"
#include "core/aggregate/walk.h"

namespace weft::aggregate {
namespace {

// The types seen in one cell, with what is sure of each. A few pieces only: nodes and records.
class TypeTally {
 public:
  void clear() { pieces_ = used_ = 0; }

  // A piece of `weight`, of which at least share/255 are of the type and at most rest/255 of
  // another.
  void add(uint32_t type, double weight, uint8_t share, uint8_t rest) {
    if (pieces_++ == 0) {
      entries_[0] = {type, weight * share};
      used_ = 1;
      whole_ = weight;
      unsure_ = weight * rest;
      share_ = share;
      rest_ = rest;
      return;
    }
    whole_ += weight;
    unsure_ += weight * rest;
    rest_ |= rest;
    add_entry(type, weight * share);
  }

  void write(Cell& cell) const {
    const Entry* top = entries_;
    for (uint32_t i = 1; i < used_; ++i) {
      if (entries_[i].sure > top->sure) top = &entries_[i];
    }
    cell.type = EventTypeId(top->type);
    if (used_ == 1 && rest_ == 0) {
      cell.share = 255;
      cell.rest = 0;
    } else if (pieces_ == 1) {
      cell.share = share_;
      cell.rest = rest_;
    } else if (whole_ <= 0) {
      cell.share = 0;
      cell.rest = 255;
    } else {
      double second = 0;
      for (uint32_t i = 0; i < used_; ++i) {
        if (&entries_[i] != top) second = std::max(second, entries_[i].sure);
      }
      cell.share = static_cast<uint8_t>(std::clamp(top->sure / whole_, 0.0, 255.0));
      cell.rest = static_cast<uint8_t>(std::clamp((second + unsure_) / whole_ + 1, 1.0, 255.0));
    }
  }
  double whole() const { return whole_; }

 private:
  struct Entry {
    uint32_t type;
    double sure;  // in 255ths of the weight
  };
  static constexpr uint32_t kMost = 16;

  void add_entry(uint32_t type, double sure) {
    for (uint32_t i = 0; i < used_; ++i) {
      if (entries_[i].type != type) continue;
      entries_[i].sure += sure;
      return;
    }
    if (used_ < kMost) {
      entries_[used_++] = {type, sure};
      return;
    }
    // No room: the least one becomes part of what is unsure.
    Entry* least = std::min_element(entries_, entries_ + used_,
                                    [](const Entry& a, const Entry& b) { return a.sure < b.sure; });
    unsure_ += std::min(least->sure, sure);
    if (least->sure < sure) *least = {type, sure};
  }

  Entry entries_[kMost];
  uint32_t used_ = 0;
  uint32_t pieces_ = 0;
  uint8_t share_ = 0;  // of the first piece
  uint8_t rest_ = 0;   // 0 where every piece is of one type
  double whole_ = 0;
  double unsure_ = 0;  // in 255ths of the weight
};

class CellVisitor {
 public:
  CellVisitor(const store::Row& row, uint32_t part, Walk& walk, GridSpan span, int64_t wide_from,
              std::span<Cell> cells, std::vector<Wide>& wides)
      : is_interval_(row.kind == store::RowKind::kState),
        is_variable_(row.kind == store::RowKind::kVariable),
        part_(part),
        walk_(&walk),
        span_(span),
        wide_from_(wide_from),
        cells_(cells),
        wides_(&wides) {}

  // The last record that begins before the span may reach into it.
  void carry_in(const Item& item) {
    if (is_interval_) {
      leave(item, -1);
    }
    value_ = static_cast<float>(item.value);
  }

  bool node(store::NodeReader& nodes, uint64_t i, int64_t first_begin, int64_t last_begin) {
    const int64_t last_duration = is_interval_ ? nodes.get(store::kNodeLastDuration, i) : 0;
    // A wide state begins last in its cell; what is before it is found further down.
    if (is_interval_ && last_duration >= wide_from_) return false;
    const uint64_t first = nodes.first(i);
    const uint64_t end = std::max(first, nodes.first(i + 1));
    const int64_t at = cell_of(first_begin);
    Cell& cell = enter(at, first_begin, end - first);
    cell.last_begin = {last_begin};
    cell.last_end = {saturating_add(last_begin, last_duration)};
    if (is_interval_) cell.longest = std::max(cell.longest, nodes.get(store::kNodeLongest, i));
    const uint32_t type = nodes.type(i);
    const int64_t shares = nodes.get(store::kNodeShare, i);
    auto weight = static_cast<double>(end - first);
    if (is_interval_) {
      const int64_t busy = nodes.get(store::kNodeBusy, i);
      const int64_t over =
          std::max<int64_t>(0, saturating_sub(cell.last_end.ticks, cell_begin(at + 1)));
      cell.busy = saturating_add(cell.busy, busy - over);
      if (over > 0) set_carry({last_begin, last_duration, type, 0, end - 1}, at, true);
      weight = static_cast<double>(busy);
    }
    tally_.add(type, weight, static_cast<uint8_t>(shares), static_cast<uint8_t>(shares >> 8));
    if (is_variable_) {
      const store::Node n = nodes.read(i);
      fold_values(cell, n.count, n.min_value, n.max_value, n.last_value);
    }
    return true;
  }

  void record(const Item& item) {
    const int64_t at = cell_of(item.begin);
    if (is_interval_ && item.duration >= wide_from_) {
      settle_carry(at);
      wides_->push_back({{item.begin}, {item.duration}, EventTypeId(item.type), item.index, part_});
      return;
    }
    Cell& cell = enter(at, item.begin, 1);
    cell.last_begin = {item.begin};
    cell.last_end = {item.end()};
    cell.longest = std::max(cell.longest, item.duration);
    if (is_interval_) leave(item, at);
    tally_.add(item.type, is_interval_ ? static_cast<double>(item.duration) : 1.0, 255, 0);
    if (is_variable_) fold_values(cell, 1, item.value, item.value, item.value);
  }

  void finish() {
    settle_carry(span_.count);
    close_cell();
  }

  // Samples hold until the next: cells without any show what was carried in.
  void fill_values() {
    for (Cell& cell : cells_) {
      if (cell.begins > 0) {
        value_ = cell.last_value;
      } else if (value_) {
        cell.min_value = cell.max_value = cell.last_value = *value_;
        cell.is_carried = true;
      }
    }
  }

 private:
  int64_t cell_of(int64_t t) const { return (t >> span_.level) - span_.first; }
  int64_t cell_begin(int64_t cell) const { return span_.time_of(span_.first + cell).ticks; }

  Cell& enter(int64_t at, int64_t begin, uint64_t count) {
    settle_carry(at);
    if (at != current_) {
      close_cell();
      current_ = at;
      tally_.clear();
    }
    Cell& cell = cells_[static_cast<size_t>(at)];
    if (cell.begins == 0 || begin < cell.first_begin.ticks) cell.first_begin = {begin};
    const uint64_t sum = cell.begins + count;
    cell.begins =
        static_cast<uint32_t>(std::min<uint64_t>(sum, std::numeric_limits<uint32_t>::max()));
    return cell;
  }

  // Adds the state's part in its own cell, and remembers what reaches further. -1: before the span.
  void leave(const Item& item, int64_t at) {
    if (at < 0 && item.duration >= wide_from_) {
      if (item.end() > cell_begin(0)) {
        wides_->push_back(
            {{item.begin}, {item.duration}, EventTypeId(item.type), item.index, part_});
      }
      return;
    }
    const int64_t cell_end = cell_begin(at + 1);
    if (at >= 0) {
      Cell& cell = cells_[static_cast<size_t>(at)];
      cell.busy = saturating_add(cell.busy, std::min(item.end(), cell_end) - item.begin);
    }
    if (item.end() > cell_end) set_carry(item, at, false);
  }

  // `is_of_node`: the type is its node's, not its own; found out only where it is needed.
  void set_carry(const Item& item, int64_t at, bool is_of_node) {
    carry_ = item;
    carry_cell_ = at;
    carry_is_of_node_ = is_of_node;
  }

  // Gives the carried state its time in the cells after its own; those before `next` begin nothing.
  void settle_carry(int64_t next) {
    if (!carry_) return;
    for (int64_t at = carry_cell_ + 1; at < span_.count && cell_begin(at) < carry_->end(); ++at) {
      Cell& cell = cells_[static_cast<size_t>(at)];
      cell.busy =
          saturating_add(cell.busy, std::min(carry_->end(), cell_begin(at + 1)) - cell_begin(at));
      cell.is_carried = true;
      if (at >= next || cell.begins > 0) continue;
      if (carry_is_of_node_) carry_ = walk_->item(carry_->index);
      carry_is_of_node_ = false;
      cell.type = EventTypeId(carry_->type);
      cell.share = 255;
      cell.rest = 0;
    }
    carry_.reset();
  }

  void close_cell() {
    if (current_ < 0) return;
    Cell& cell = cells_[static_cast<size_t>(current_)];
    // Another part of a growing row may have been here: the heavier one names the type.
    const bool is_first = part_ == 0 || cell.type.is_none();
    if (is_first || 2 * tally_.whole() > static_cast<double>(cell.busy)) tally_.write(cell);
    current_ = -1;
  }

  void fold_values(Cell& cell, uint64_t count, double least, double most, double last) {
    const bool is_first = cell.begins == count;
    const auto low = static_cast<float>(least);
    const auto high = static_cast<float>(most);
    cell.min_value = is_first ? low : std::min(cell.min_value, low);
    cell.max_value = is_first ? high : std::max(cell.max_value, high);
    cell.last_value = static_cast<float>(last);
  }

  bool is_interval_;
  bool is_variable_;
  uint32_t part_;
  Walk* walk_;
  GridSpan span_;
  int64_t wide_from_;
  std::span<Cell> cells_;
  std::vector<Wide>* wides_;
  int64_t current_ = -1;  // cell being filled
  TypeTally tally_;
  std::optional<Item> carry_;
  int64_t carry_cell_ = 0;
  bool carry_is_of_node_ = false;
  std::optional<float> value_;
};

}  // namespace

Time GridSpan::time_of(int64_t column) const {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  if (column > kMost >> level) return {kMost};
  if (column < -(kMost >> level) - 1) return {std::numeric_limits<int64_t>::min()};
  return {static_cast<int64_t>(static_cast<uint64_t>(column) << level)};
}

TimeRange GridSpan::range() const {
  return {time_of(first), time_of(saturating_add(first, count))};
}

void cells(const store::Row& row, GridSpan span, Duration wide_from, std::span<Cell> cells,
           std::vector<Wide>& wides, ReadCount* reads) {
  std::fill(cells.begin(), cells.end(), Cell{});
  const TimeRange range = span.range();
  const size_t first_wide = wides.size();
  for (uint32_t i = 0; i < row.parts.size(); ++i) {
    const store::RowPart& part = row.parts[i];
    if (part.row().first_begin >= range.end.ticks) continue;
    const bool reaches =
        row.kind == store::RowKind::kState || row.kind == store::RowKind::kVariable;
    if (row.kind != store::RowKind::kVariable && part.row().last_end < range.begin.ticks) continue;
    Walk walk(part, reads);
    CellVisitor visitor(row, i, walk, span, wide_from.ticks, cells, wides);
    if (reaches && part.row().first_begin < range.begin.ticks) {
      const uint64_t next = part.lower_bound(range.begin.ticks);
      if (next > 0) visitor.carry_in(walk.item(next - 1));
    }
    walk.run(
        range.begin.ticks, range.end.ticks, [&](int64_t t) { return t >> span.level; }, visitor);
    visitor.finish();
    if (row.kind == store::RowKind::kVariable) visitor.fill_values();
  }
  if (row.parts.size() > 1) {
    std::sort(wides.begin() + static_cast<ptrdiff_t>(first_wide), wides.end(),
              [](const Wide& a, const Wide& b) { return a.begin < b.begin; });
  }
}

}  // namespace weft::aggregate
