// Columns of the absolute grid for drawing.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "core/aggregate/columns.h"
#include "core/aggregate/walk.h"

namespace weft::aggregate {
namespace {

// What begins in one cell: a node of the tree, or a record.
struct Piece {
  uint64_t count;
  uint32_t type;
  uint8_t share;
  uint8_t rest;
  int64_t busy;  // whole lengths
  int64_t first_begin;
  int64_t last_begin;
  int64_t last_end;
};

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

  void write(Cell& cell) const {
    const Entry* top = entries_;
    double second = 0;
    for (uint32_t i = 1; i < used_; ++i) {
      second = std::max(second, std::min(entries_[i].sure, top->sure));
      if (entries_[i].sure > top->sure) top = &entries_[i];
    }
    const bool is_pure = used_ == 1 && rest_ == 0;
    cell.type = EventTypeId(top->type);
    cell.share = is_pure ? 255 : 0;
    cell.rest = is_pure ? 0 : 255;
    if (is_pure || whole_ <= 0) return;
    cell.share = static_cast<uint8_t>(std::min(top->sure / whole_, 255.0));
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

// Made for each kind of row, so that the inner loop does not ask what kind it is.
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
        wides_->push_back({{item.begin}, {item.duration}, EventTypeId(item.type)});
      } else {
        carry_ = {item.end(), item.index, item.type, false};
        carry_cell_ = -1;
      }
    }
    value_ = static_cast<float>(item.value);
    value_at_ = {item.begin};
  }

  bool node(store::NodeReader& nodes, uint64_t i, int64_t first_begin, int64_t last_begin) {
    const auto row = static_cast<uint32_t>(i % store::kBlockRows);
    const auto& block = nodes.block(i);
    const int64_t last_duration = kIsInterval ? block.get(store::kNodeLastDuration, row) : 0;
    // A wide state begins last in its cell; what is before it is found further down.
    if (kIsInterval && last_duration >= wide_from_) return false;
    const int64_t type = block.get(store::kNodeType, row);
    Piece piece;
    piece.type = nodes.type_from(type);
    piece.share = static_cast<uint8_t>(type);
    piece.rest = static_cast<uint8_t>(type >> 8);
    piece.busy = kIsInterval ? block.get(store::kNodeBusy, row) : 0;
    piece.first_begin = first_begin;
    piece.last_begin = last_begin;
    piece.last_end = saturating_add(last_begin, last_duration);
    const uint64_t first = nodes.first(i);
    const uint64_t end = nodes.first(i + 1);
    piece.count = end > first ? end - first : 0;
    Cell& cell = add(piece, end - 1, true);
    if (kIsVariable) {
      const store::Node n = nodes.read(i);
      fold_values(cell, n.count, n.min_value, n.max_value, n.last_value);
    }
    return true;
  }

  void record(const Item& item) {
    if (kIsInterval && item.duration >= wide_from_) {
      if (carry_.end != kNothing) settle_carry(cell_of(item.begin));
      wides_->push_back({{item.begin}, {item.duration}, EventTypeId(item.type)});
      return;
    }
    const Piece piece{1, item.type, 255, 0, item.duration, item.begin, item.begin, item.end()};
    Cell& cell = add(piece, item.index, false);
    if (kIsVariable) fold_values(cell, 1, item.value, item.value, item.value);
  }

  void finish() {
    if (carry_.end != kNothing) settle_carry(span_.count);
    close_cell();
  }

  // Samples hold until the next: cells without any show what was carried in.
  void fill_values() {
    for (Cell& cell : cells_) {
      if (cell.begins > 0) {
        value_ = cell.last_value;
        value_at_ = cell.last_begin;
      } else if (value_) {
        cell.min_value = cell.max_value = cell.last_value = *value_;
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

  // Adds a piece to its cell; its last record is `last` in the part.
  [[gnu::always_inline]] Cell& add(const Piece& piece, uint64_t last, bool is_of_node) {
    const int64_t at = cell_of(piece.first_begin);
    if (carry_.end != kNothing) settle_carry(at);
    if (at != current_) {
      close_cell();
      current_ = at;
      // Another part of a growing row may have been here.
      const Cell& known = cells_[static_cast<size_t>(at)];
      weight_ = kIsInterval ? static_cast<double>(known.busy) : known.begins;
    }
    Cell& cell = cells_[static_cast<size_t>(at)];
    if (cell.begins == 0) {
      cell.type = EventTypeId(piece.type);
      cell.share = piece.share;
      cell.rest = piece.rest;
      cell.first_begin = {piece.first_begin};
      weight_ = kIsInterval ? static_cast<double>(piece.busy) : static_cast<double>(piece.count);
    } else {
      add_types(cell, piece);
      cell.first_begin = std::min(cell.first_begin, Time{piece.first_begin});
    }
    constexpr uint64_t kMostBegins = std::numeric_limits<uint32_t>::max();
    cell.begins = static_cast<uint32_t>(std::min(cell.begins + piece.count, kMostBegins));
    cell.last_begin = {piece.last_begin};
    cell.last_end = {piece.last_end};
    if (!kIsInterval) return cell;
    const int64_t cell_end = cell_begin(at + 1);
    int64_t busy = piece.busy;
    if (piece.last_end > cell_end) {
      busy -= piece.last_end - cell_end;
      // The type of a node is its last record's where that is the better half of it.
      const bool is_unsure = is_of_node && piece.last_end - piece.last_begin <= piece.busy / 2;
      carry_ = {piece.last_end, last, piece.type, is_unsure};
      carry_cell_ = at;
    }
    cell.busy = saturating_add(cell.busy, busy);
    return cell;
  }

  // The second and later pieces of a cell: only then are types weighed against each other.
  void add_types(const Cell& cell, const Piece& piece) {
    if (!is_tallied_) {
      tally_.clear();
      tally_.add(cell.type.value(), weight_, cell.share, cell.rest);
      is_tallied_ = true;
    }
    tally_.add(piece.type,
               kIsInterval ? static_cast<double>(piece.busy) : static_cast<double>(piece.count),
               piece.share, piece.rest);
  }

  void close_cell() {
    if (is_tallied_) tally_.write(cells_[static_cast<size_t>(current_)]);
    is_tallied_ = false;
    current_ = -1;
  }

  // Gives the carried state its time in the cells after its own; those before `next` begin nothing.
  void settle_carry(int64_t next) {
    const int64_t end = std::exchange(carry_.end, kNothing);
    for (int64_t at = carry_cell_ + 1; at < span_.count; ++at) {
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

  void fold_values(Cell& cell, uint64_t count, double least, double most, double last) {
    const bool is_first = cell.begins == count;
    const auto low = static_cast<float>(least);
    const auto high = static_cast<float>(most);
    cell.min_value = is_first ? low : std::min(cell.min_value, low);
    cell.max_value = is_first ? high : std::max(cell.max_value, high);
    cell.last_value = static_cast<float>(last);
  }

  Walk* walk_;
  GridSpan span_;
  int64_t wide_from_;
  std::span<Cell> cells_;
  std::vector<Wide>* wides_;
  int64_t current_ = -1;  // cell being filled
  double weight_ = 0;     // of its first piece
  bool is_tallied_ = false;
  TypeTally tally_;
  // The state that reaches beyond its cell.
  static constexpr int64_t kNothing = std::numeric_limits<int64_t>::min();
  struct Carry {
    int64_t end = kNothing;
    uint64_t index = 0;  // in the part
    uint32_t type = 0;
    bool is_unsure = false;  // whether `type` is its own
  } carry_;
  int64_t carry_cell_ = 0;
  std::optional<float> value_;
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
