#include "core/store/row_encoder.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/store/file_format.h"

namespace weft::store {
namespace {

constexpr size_t kMostWaiting = 4 << 20;

// Whether every value can be stored as an integer and come back the same.
bool are_integers(std::span<const Record> records) {
  return std::all_of(records.begin(), records.end(), [](const Record& r) {
    return std::fabs(r.value) < 9e15 && r.value == std::floor(r.value) &&
           !(r.value == 0 && std::signbit(r.value));
  });
}

// The columns of values; few kinds of rows have any.
void fill_values(std::span<const Record> records, RowKind kind, int64_t* forms, int64_t* values) {
  const bool has_integers = !has_values(kind) || are_integers(records);
  std::fill_n(forms, records.size(), has_integers ? kInteger : kDouble);
  std::fill_n(values, records.size(), 0);
  if (!has_values(kind)) return;
  for (size_t i = 0; i < records.size(); ++i) {
    const double value = records[i].value;
    values[i] = has_integers ? static_cast<int64_t>(value) : std::bit_cast<int64_t>(value);
  }
}

}  // namespace

void RowEncoder::start(RowKind kind, bool has_forest) {
  kind_ = kind;
  has_forest_ = has_forest;
  row_ = {};
  grouped_ = 0;
  block_.clear();
  offsets_.clear();
  lists_.clear();
}

void RowEncoder::add(std::span<const Record> records, SlabWriter& out) {
  if (records.empty()) return;
  row_.count += records.size();
  if (has_forest_) note(records);
  if (has_forest_)
    grouper_.add(records, [&](std::span<const Record> group) { add_leaf(group, out); });
  if (!block_.empty()) {
    const size_t n = std::min(records.size(), kBlockRows - block_.size());
    block_.insert(block_.end(), records.begin(), records.begin() + static_cast<ptrdiff_t>(n));
    records = records.subspan(n);
    if (block_.size() < kBlockRows) return;
    write_records(block_, out);
    block_.clear();
  }
  for (; records.size() >= kBlockRows; records = records.subspan(kBlockRows))
    write_records(records.first(kBlockRows), out);
  block_.assign(records.begin(), records.end());
}

// Updates the row's totals.
void RowEncoder::note(std::span<const Record> records) {
  if (row_.count == records.size()) {
    row_.first_begin = records.front().begin.ticks;
    row_.last_end = records.front().end().ticks;
    row_.min_value = row_.max_value = records.front().value;
  }
  row_.last_begin = records.back().begin.ticks;
  for (const Record& r : records) {
    row_.last_end = std::max({row_.last_end, r.begin.ticks, r.end().ticks});
    row_.busy = saturating_add(row_.busy, r.duration.ticks);
  }
  if (!has_values(kind_)) return;
  for (const Record& r : records) {
    row_.min_value = lesser_value(row_.min_value, r.value);
    row_.max_value = greater_value(row_.max_value, r.value);
  }
}

void RowEncoder::add_leaf(std::span<const Record> group, SlabWriter& out) {
  Node node = leaf_of(group, kind_);
  node.first = node.child = grouped_;
  grouped_ += group.size();
  add_node(0, node, out);
}

// Summarises nodes of `list` in one node of the list above.
void RowEncoder::add_inner(size_t list, std::span<const Node> group, SlabWriter& out) {
  Node node = merge_of(group, kind_);
  node.first = group.front().first;
  node.child = lists_[list]->grouped;
  lists_[list]->grouped += group.size();
  add_node(list + 1, node, out);
}

void RowEncoder::add_node(size_t list, const Node& node, SlabWriter& out) {
  if (lists_.size() == list) lists_.push_back(std::make_unique<List>());
  List& l = *lists_[list];
  ++l.rows;
  l.block.push_back(node);
  if (l.block.size() == kBlockRows) write_nodes(list, out);
  if (list + 1 == kMaxLists) return;
  l.grouper.add({&node, 1}, [&](std::span<const Node> group) { add_inner(list, group, out); });
}

EncodedRow RowEncoder::finish(SlabWriter& out) {
  if (!block_.empty()) write_records(block_, out);
  // A row that is one leaf needs no tree: its records are read themselves.
  if (has_forest_ && row_.count > kLeafRecords) {
    grouper_.finish([&](std::span<const Record> group) { add_leaf(group, out); });
    for (size_t i = 0; i < lists_.size(); ++i) {
      if (lists_[i]->rows <= kFanOut || i + 1 == kMaxLists) {
        lists_.resize(i + 1);
        break;
      }
      lists_[i]->grouper.finish([&](std::span<const Node> group) { add_inner(i, group, out); });
    }
  } else {
    grouper_.finish([](std::span<const Record>) {});
    lists_.clear();
  }
  for (size_t i = lists_.size(); i-- > 0;) {
    if (!lists_[i]->block.empty()) write_nodes(i, out);
    write_waiting(*lists_[i], out);
  }
  row_.records = write_offsets(offsets_, row_.count, out);
  for (const auto& list : lists_)
    row_.lists.push_back(write_offsets(list->offsets, list->rows, out));
  return std::move(row_);
}

void RowEncoder::write_records(std::span<const Record> block, SlabWriter& out) {
  int64_t columns[kRecordColumns][kBlockRows];
  for (size_t i = 0; i < block.size(); ++i) {
    const Record& r = block[i];
    columns[kBegin][i] = r.begin.ticks;
    columns[kDuration][i] = r.duration.ticks;
    columns[kType][i] = r.type.value();
    columns[kParams][i] = static_cast<int64_t>(r.params.value());
    columns[kPeer][i] = static_cast<int32_t>(r.peer.value());
  }
  fill_values(block, kind_, columns[kForm], columns[kValue]);
  const int64_t* pointers[kRecordColumns];
  for (int c = 0; c < kRecordColumns; ++c) pointers[c] = columns[c];
  scratch_.clear();
  pack_block(pointers, static_cast<uint32_t>(block.size()), scratch_);
  offsets_.push_back(out.append(scratch_));
}

void RowEncoder::write_nodes(size_t list, SlabWriter& out) {
  int64_t columns[kNodeColumns][kBlockRows];
  List& l = *lists_[list];
  for (size_t i = 0; i < l.block.size(); ++i) {
    const Node& n = l.block[i];
    columns[kNodeFirstBegin][i] = n.first_begin;
    columns[kNodeSpan][i] = static_cast<int64_t>(static_cast<uint64_t>(n.last_begin) -
                                                 static_cast<uint64_t>(n.first_begin));
    columns[kNodeLastDuration][i] = n.last_duration;
    columns[kNodeBusy][i] = n.busy;
    columns[kNodeLongest][i] = n.longest;
    columns[kNodeFirst][i] = static_cast<int64_t>(n.first);
    columns[kNodeChild][i] = list == 0 ? 0 : static_cast<int64_t>(n.child);
    columns[kNodeType][i] = int64_t{n.type} << 16 | n.rest << 8 | n.share;
    columns[kNodeMin][i] = std::bit_cast<int64_t>(n.min_value);
    columns[kNodeMax][i] = std::bit_cast<int64_t>(n.max_value);
    columns[kNodeLast][i] = std::bit_cast<int64_t>(n.last_value);
  }
  const int64_t* pointers[kNodeColumns];
  for (int c = 0; c < kNodeColumns; ++c) pointers[c] = columns[c];
  scratch_.clear();
  pack_block(pointers, static_cast<uint32_t>(l.block.size()), scratch_);
  l.block.clear();
  if (list == 0) {
    l.offsets.push_back(out.append(scratch_));
    return;
  }
  l.waiting_at.push_back(l.waiting.size());
  l.waiting += scratch_;
  if (l.waiting.size() > kMostWaiting) write_waiting(l, out);
}

void RowEncoder::write_waiting(List& list, SlabWriter& out) {
  for (size_t i = 0; i < list.waiting_at.size(); ++i) {
    const size_t begin = list.waiting_at[i];
    const size_t end =
        i + 1 < list.waiting_at.size() ? list.waiting_at[i + 1] : list.waiting.size();
    list.offsets.push_back(out.append(std::string_view(list.waiting).substr(begin, end - begin)));
  }
  list.waiting.clear();
  list.waiting_at.clear();
}

TableRef RowEncoder::write_offsets(const std::vector<uint64_t>& offsets, uint64_t rows,
                                   SlabWriter& out) {
  const std::string_view bytes(reinterpret_cast<const char*>(offsets.data()), offsets.size() * 8);
  return {rows, out.append(bytes)};
}

}  // namespace weft::store
