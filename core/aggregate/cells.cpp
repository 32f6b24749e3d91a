// Columns of the absolute grid for drawing.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/aggregate/columns.h"
#include "core/aggregate/walk.h"
#include "core/store/forest.h"

namespace weft::aggregate {
namespace {

// The types of a cell of several pieces, with what is sure of each.
class TypeTally {
 public:
  void clear() {
    used_ = 0;
    whole_ = unsure_ = 0;
    rest_ = 0;
  }

  // A piece of `weight`, of which at least share/255 are of the type and at most rest/255 of
  // another.
  void add(uint32_t type, double weight, uint8_t share, uint8_t rest) {
    const double sure = weight * share;
    whole_ += weight;
    unsure_ += weight * rest;
    rest_ |= rest;
    if (used_ == 1) {  // mostly; without a branch on what cannot be foreseen
      const bool is_known = entries_[0].type == type;
      entries_[0].sure += is_known ? sure : 0;
      entries_[1] = {type, sure};
      used_ = is_known ? 1 : 2;
      return;
    }
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

  // Without a branch on which of them is more, which cannot be foreseen.
  void write(Cell& cell) const {
    double top = entries_[0].sure;
    double second = 0;
    uint32_t type = entries_[0].type;
    for (uint32_t i = 1; i < used_; ++i) {
      const double sure = entries_[i].sure;
      second = std::max(second, std::min(sure, top));
      type = sure > top ? entries_[i].type : type;
      top = std::max(top, sure);
    }
    const bool is_pure = used_ == 1 && rest_ == 0;
    cell.type = EventTypeId(type);
    cell.share = is_pure ? 255 : 0;
    cell.rest = is_pure ? 0 : 255;
    if (is_pure || whole_ <= 0) return;
    cell.share = static_cast<uint8_t>(std::min(top / whole_, 255.0));
    cell.rest = static_cast<uint8_t>(std::min((second + unsure_) / whole_ + 1, 255.0));
  }

 private:
  struct Entry {
    uint32_t type;
    double sure;  // in 255ths of the weight
  };
  static constexpr uint32_t kMost = 16;

  Entry entries_[kMost];
  uint32_t used_ = 0;
  uint8_t rest_ = 0;  // 0 where every piece is of one type
  double whole_ = 0;
  double unsure_ = 0;  // in 255ths of the weight
};

// The smallest unit that begins in one cell: a node of the tree, or a record.
struct Piece {
  int64_t cell;
  uint64_t count;
  uint32_t type;
  uint8_t share;
  uint8_t rest;
  bool is_of_node;
  int64_t busy;  // whole lengths
  int64_t first_begin;
  int64_t last_begin;
  int64_t last_end;
  uint64_t last;  // index of its last record in the part
};

// Made for each kind of row, so that the inner loop does not ask what kind it is. A cell is filled
// piece by piece, in order, and completed when the next one begins.
template <store::RowKind kKind>
class CellVisitor {
 public:
  CellVisitor(Walk& walk, GridSpan span, int64_t wide_from, std::span<Cell> cells,
              std::vector<Wide>& wides)
      : walk_(&walk), span_(span), wide_from_(wide_from), cells_(cells), wides_(&wides) {}

  // The last record that begins before the span may reach into it.
  void carry_in(const Item& item) {
    if (kIsInterval && item.end() > cell_begin(0)) {
      if (item.duration >= wide_from_) {
        add_wide(item);
      } else {
        carry_ = {item.end(), item.index, -1, item.type, false};
      }
    }
    value_ = item.value;
    value_at_ = {item.begin};
  }

  static std::span<const store::NodeColumn> columns() {
    using namespace store;
    static constexpr std::array kInterval{kNodeType, kNodeLastDuration, kNodeBusy};
    static constexpr std::array kVariable{kNodeType, kNodeMin, kNodeMax, kNodeLast};
    static constexpr std::array kOther{kNodeType};
    if (kIsInterval) return kInterval;
    if (kIsVariable) return kVariable;
    return kOther;
  }

  // A wide state begins last in its cell; what is before it is found further down.
  bool takes(const NodeRun& nodes, uint32_t row, int64_t) const {
    return !kIsInterval || nodes.get(store::kNodeLastDuration, row) < wide_from_;
  }

  void node(const NodeRun& nodes, uint32_t row, int64_t column) {
    const int64_t type = nodes.get(store::kNodeType, row);
    const int64_t last_begin = nodes.last_begin(row);
    const int64_t last_duration = kIsInterval ? nodes.get(store::kNodeLastDuration, row) : 0;
    const uint64_t count = nodes.count(row);
    add({.cell = column - span_.first,
         .count = count,
         .type = walk_->type_of(nodes, row),
         .share = static_cast<uint8_t>(type),
         .rest = static_cast<uint8_t>(type >> 8),
         .is_of_node = true,
         .busy = kIsInterval ? nodes.get(store::kNodeBusy, row) : 0,
         .first_begin = nodes.first_begin(row),
         .last_begin = last_begin,
         .last_end = saturating_add(last_begin, last_duration),
         .last = nodes.first(row + 1) - 1});
    if (!kIsVariable) return;
    const auto value = [&](store::NodeColumn column) {
      return std::bit_cast<double>(nodes.get(column, row));
    };
    fold_values(count, value(store::kNodeMin), value(store::kNodeMax), value(store::kNodeLast));
  }

  void record(const Item& item) {
    if (kIsInterval && item.duration >= wide_from_) {
      add_wide(item);
      return;
    }
    add({cell_of(item.begin), 1, item.type, 255, 0, false, item.duration, item.begin, item.begin,
         item.end(), item.index});
    if (kIsVariable) fold_values(1, item.value, item.value, item.value);
  }

  void finish() {
    if (at_ >= 0) close_cell();
    settle_carry(span_.count);
  }

  // Samples hold until the next: cells without any show what was carried in, if it is a value.
  void fill_values() {
    for (Cell& cell : cells_) {
      if (cell.begins > 0) {
        value_ = cell.last_value;
        value_at_ = cell.last_begin;
      } else if (value_ && std::isnan(*value_)) {
        cell = {};
      } else if (value_) {
        cell.last_value = *value_;
        cell.min_value = cell.max_value = static_cast<float>(*value_);
        cell.first_begin = cell.last_begin = cell.last_end = value_at_;
        cell.is_carried = true;
      }
    }
  }

 private:
  static constexpr bool kIsInterval = kKind == store::RowKind::kState;
  static constexpr bool kIsVariable = kKind == store::RowKind::kVariable;

  int64_t cell_of(int64_t t) const { return (t >> span_.level) - span_.first; }
  int64_t cell_begin(int64_t cell) const { return span_.time_of(span_.first + cell).ticks; }
  static double weight_of(const Piece& piece) {
    return static_cast<double>(kIsInterval ? piece.busy : static_cast<int64_t>(piece.count));
  }

  void add_wide(const Item& item) {
    wides_->push_back({{item.begin}, {item.duration}, EventTypeId(item.type)});
  }

  [[gnu::always_inline]] void add(const Piece& piece) {
    if (piece.cell != at_) {
      if (at_ >= 0) close_cell();
      if (carry_.end != kNothing) settle_carry(piece.cell);
      open_cell(piece.cell);
    }
    if (begins_ == 0) {
      open_->type = EventTypeId(piece.type);
      open_->share = piece.share;
      open_->rest = piece.rest;
      open_->first_begin = {piece.first_begin};
      weight_ = weight_of(piece);
    } else {
      add_types(piece);
      open_->first_begin = std::min(open_->first_begin, Time{piece.first_begin});
    }
    begins_ += piece.count;
    open_->last_begin = {piece.last_begin};
    open_->last_end = {piece.last_end};
    if (!kIsInterval) return;
    open_->busy = saturating_add(open_->busy, piece.busy);
    // The type of a node is its last record's where that is the better half of it.
    const bool is_unsure = piece.is_of_node && piece.last_end - piece.last_begin <= piece.busy / 2;
    last_ = {piece.last_end, piece.last, piece.cell, piece.type, is_unsure};
  }

  // The second and later pieces of a cell: only then are types weighed against each other.
  void add_types(const Piece& piece) {
    if (!is_tallied_) {
      tally_.clear();
      tally_.add(open_->type.value(), weight_, open_->share, open_->rest);
      is_tallied_ = true;
    }
    tally_.add(piece.type, weight_of(piece), piece.share, piece.rest);
  }

  void open_cell(int64_t at) {
    at_ = at;
    // Another part of a growing row may have been here.
    open_ = &cells_[static_cast<size_t>(at)];
    begins_ = open_->begins;
    weight_ = kIsInterval ? static_cast<double>(open_->busy) : open_->begins;
  }

  void close_cell() {
    if (std::exchange(is_tallied_, false)) tally_.write(*open_);
    constexpr uint64_t kMostBegins = std::numeric_limits<uint32_t>::max();
    open_->begins = static_cast<uint32_t>(std::min(begins_, kMostBegins));
    const int64_t end = cell_begin(at_ + 1);
    if (kIsInterval && last_.end > end) {
      open_->busy = saturating_add(open_->busy, end - last_.end);
      carry_ = last_;
    }
    at_ = -1;
  }

  // Gives the carried state its time in the cells after its own; those before `next` begin nothing.
  void settle_carry(int64_t next) {
    const int64_t end = std::exchange(carry_.end, kNothing);
    for (int64_t at = carry_.cell + 1; at < span_.count; ++at) {
      const int64_t begin = cell_begin(at);
      if (begin >= end) break;
      Cell& cell = cells_[static_cast<size_t>(at)];
      cell.busy = saturating_add(cell.busy, std::min(end, cell_begin(at + 1)) - begin);
      cell.is_carried = true;
      if (at >= next || cell.begins > 0) continue;
      // Looked up only where it is all that there is to show.
      if (carry_.is_unsure) carry_.type = walk_->item(carry_.index).type;
      carry_.is_unsure = false;
      cell.type = EventTypeId(carry_.type);
      cell.share = 255;
      cell.rest = 0;
    }
  }

  void fold_values(uint64_t count, double least, double most, double last) {
    const bool is_first = begins_ == count;
    const auto low = static_cast<float>(least), high = static_cast<float>(most);
    open_->min_value = is_first ? low : store::lesser_value(open_->min_value, low);
    open_->max_value = is_first ? high : store::greater_value(open_->max_value, high);
    open_->last_value = last;
  }

  static constexpr int64_t kNothing = std::numeric_limits<int64_t>::min();
  // A state that may reach beyond its cell.
  struct Carry {
    int64_t end = kNothing;
    uint64_t index = 0;  // in the part
    int64_t cell = 0;
    uint32_t type = 0;
    bool is_unsure = false;  // whether `type` is its own
  };

  Walk* walk_;
  GridSpan span_;
  int64_t wide_from_;
  std::span<Cell> cells_;
  std::vector<Wide>* wides_;
  int64_t at_ = -1;  // the cell being filled
  Cell* open_ = nullptr;
  uint64_t begins_ = 0;
  double weight_ = 0;  // of its first piece
  bool is_tallied_ = false;
  TypeTally tally_;
  Carry last_;   // the last state of the cell being filled
  Carry carry_;  // what reaches out of the cells that are complete
  std::optional<double> value_;
  Time value_at_;
};

template <store::RowKind kKind>
void fill(const store::RowPart& part, GridSpan span, Duration wide_from, std::span<Cell> cells,
          std::vector<Wide>& wides, ReadCount* reads) {
  const TimeRange range = span.range();
  Walk walk(part, reads);
  CellVisitor<kKind> visitor(walk, span, wide_from.ticks, cells, wides);
  constexpr bool kReaches = kKind == store::RowKind::kState || kKind == store::RowKind::kVariable;
  if (kReaches && part.row().first_begin < range.begin.ticks) {
    if (const auto item = walk.item_before(range.begin.ticks)) visitor.carry_in(*item);
  }
  walk.run(range.begin.ticks, range.end.ticks, [&](int64_t t) { return t >> span.level; }, visitor);
  visitor.finish();
  if (kKind == store::RowKind::kVariable) visitor.fill_values();
}

}  // namespace

TimeRange GridSpan::range() const {
  return {time_of(first), time_of(saturating_add(first, count))};
}

void cells(const store::Row& row, GridSpan span, Duration wide_from, std::span<Cell> cells,
           std::vector<Wide>& wides, ReadCount* reads) {
  std::fill(cells.begin(), cells.end(), Cell{});
  const TimeRange range = span.range();
  const size_t first_wide = wides.size();
  for (const store::RowPart& part : row.parts) {
    if (part.row().first_begin >= range.end.ticks) continue;
    if (row.kind != store::RowKind::kVariable && part.row().last_end < range.begin.ticks) continue;
    switch (row.kind) {
      case store::RowKind::kState:
        fill<store::RowKind::kState>(part, span, wide_from, cells, wides, reads);
        break;
      case store::RowKind::kVariable:
        fill<store::RowKind::kVariable>(part, span, wide_from, cells, wides, reads);
        break;
      default:
        fill<store::RowKind::kPunctual>(part, span, wide_from, cells, wides, reads);
        break;
    }
  }
  if (row.parts.size() > 1) {
    std::sort(wides.begin() + static_cast<ptrdiff_t>(first_wide), wides.end(),
              [](const Wide& a, const Wide& b) { return a.begin < b.begin; });
  }
}

}  // namespace weft::aggregate
