#include "core/store/segment.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/crc32c.h"

namespace weft::store {

Segment::Segment(io::MappedFile map, uint64_t end, std::vector<uint32_t> checksums)
    : map_(std::move(map)),
      end_(std::min<uint64_t>(end, map_.size())),
      bytes_(map_.bytes().first(std::min<uint64_t>(end_ + kReadSlack, map_.size()))),
      checksums_(std::move(checksums)),
      page_states_(checksums_.size()) {}

Segment::Segment(std::vector<std::byte> memory)
    : memory_(std::move(memory)), end_(memory_.size() - kReadSlack), bytes_(memory_) {}

void Segment::set_rows(LargeVector<SegmentRow> rows, std::vector<TableRef> lists, uint32_t types,
                       uint32_t lanes) {
  rows_ = std::move(rows);
  lists_ = std::move(lists);
  types_ = types;
  lanes_ = lanes;
}

bool Segment::check_pages(uint64_t first, uint64_t last) const {
  const uint64_t end = std::min<uint64_t>(last + 1, checksums_.size());
  for (uint64_t page = first; page < end; ++page) {
    if (is_good(page)) continue;
    if (page_states_[page].load(std::memory_order_relaxed) == kBad) return false;
    const uint64_t begin = std::max(page * kPageBytes, kHeaderBytes);
    const uint64_t behind = std::min<uint64_t>((page + 1) * kPageBytes, end_);
    const bool is_sound = crc32c(bytes_.data() + begin, behind - begin) == checksums_[page];
    page_states_[page].store(is_sound ? kGood : kBad, std::memory_order_relaxed);
    if (is_sound) continue;
    note_damage("checksum does not match", page * kPageBytes);
    return false;
  }
  return true;
}

void Segment::note_damage(const char* what, uint64_t at) const {
  std::lock_guard lock(mutex_);
  if (damage_.empty()) damage_ = fmt::format("{} at byte {}", what, at);
}

Status Segment::health() const {
  WEFT_TRY(map_.health());
  std::lock_guard lock(mutex_);
  if (!damage_.empty()) return fail(damage_);
  return {};
}

Status Segment::verify_pages() const {
  for (uint64_t page = 0; page < checksums_.size(); ++page) {
    if (!check_pages(page, page))
      return fail(fmt::format("checksum does not match at byte {}", page * kPageBytes));
  }
  return {};
}

namespace {
// Column `c` of kValue, by the form of its block.
double value_of(int64_t form, int64_t bits) {
  return form == kDouble ? std::bit_cast<double>(bits) : static_cast<double>(bits);
}
}  // namespace

void read_records(const Segment& segment, const BlockView<kRecordColumns>& block, uint32_t first,
                  uint32_t count, Record* out) {
  int64_t begins[kBlockRows], durations[kBlockRows], types[kBlockRows];
  block.get_range(kBegin, first, count, begins);
  block.get_range(kDuration, first, count, durations);
  block.get_range(kType, first, count, types);
  const int64_t form = block.get(kForm, 0);
  const auto is_constant = [&](int column) { return block.column(column).width == 0; };
  if (is_constant(kParams) && is_constant(kPeer) && is_constant(kValue)) {
    const ParamsId params(static_cast<uint64_t>(block.get(kParams, first)));
    const LaneId peer = segment.lane_from(block.get(kPeer, first));
    const double value = value_of(form, block.get(kValue, first));
    for (uint32_t i = 0; i < count; ++i)
      out[i] = {{begins[i]}, {durations[i]}, params, segment.type_from(types[i]), peer, value};
    return;
  }
  int64_t params[kBlockRows], peers[kBlockRows], values[kBlockRows];
  block.get_range(kParams, first, count, params);
  block.get_range(kPeer, first, count, peers);
  block.get_range(kValue, first, count, values);
  for (uint32_t i = 0; i < count; ++i) {
    out[i] = {{begins[i]},
              {durations[i]},
              ParamsId(static_cast<uint64_t>(params[i])),
              segment.type_from(types[i]),
              segment.lane_from(peers[i]),
              value_of(form, values[i])};
  }
}

double read_value(const BlockView<kRecordColumns>& block, uint32_t row) {
  return value_of(block.get(kForm, row), block.get(kValue, row));
}

Record read_record(const Segment& segment, const BlockView<kRecordColumns>& block, uint32_t row) {
  Record record;
  read_records(segment, block, row, 1, &record);
  return record;
}

Node NodeReader::read(uint64_t i) {
  const auto& block = cursor_.seek(i);
  const auto row = static_cast<uint32_t>(i % kBlockRows);
  Node n;
  n.first_begin = block.get(kNodeFirstBegin, row);
  n.last_begin = saturating_add(n.first_begin, block.get(kNodeSpan, row));
  n.last_duration = block.get(kNodeLastDuration, row);
  n.busy = block.get(kNodeBusy, row);
  n.longest = block.get(kNodeLongest, row);
  const int64_t type = block.get(kNodeType, row);
  n.type = segment_->type_from(type >> 16).value();
  n.share = static_cast<uint8_t>(type);
  n.rest = static_cast<uint8_t>(type >> 8);
  n.min_value = std::bit_cast<double>(block.get(kNodeMin, row));
  n.max_value = std::bit_cast<double>(block.get(kNodeMax, row));
  n.last_value = std::bit_cast<double>(block.get(kNodeLast, row));
  n.first = first(i);
  n.child = child(i);
  const uint64_t end = first(i + 1);
  n.count = end > n.first ? end - n.first : 0;
  return n;
}

IdZone RowPart::id_zone(uint64_t zone) const {
  IdZone ids{0, ~uint64_t{0}};
  if (row_->id_zones_at == 0) return ids;
  const auto bytes = segment_->bytes(row_->id_zones_at + zone * sizeof ids, sizeof ids);
  if (!bytes.empty()) std::memcpy(&ids, bytes.data(), sizeof ids);
  return ids;
}

Record RowPart::record(uint64_t index) const {
  RecordCursor cursor(*segment_, row_->records);
  return read_record(*segment_, cursor.seek(index), static_cast<uint32_t>(index % kBlockRows));
}

void RowPart::read(uint64_t first, uint64_t count, std::vector<Record>& out) const {
  const uint64_t end = std::min(first + count, this->count());
  if (first >= end) return;
  size_t at = out.size();
  out.resize(at + (end - first));
  RecordCursor cursor(*segment_, row_->records);
  while (first < end) {
    const auto& block = cursor.seek(first);
    const auto in_block = static_cast<uint32_t>(first % kBlockRows);
    const auto n = static_cast<uint32_t>(std::min<uint64_t>(kBlockRows - in_block, end - first));
    read_records(*segment_, block, in_block, n, out.data() + at);
    at += n;
    first += n;
  }
}

uint64_t lower_bound(std::span<NodeReader> lists, RecordCursor& records, int64_t t) {
  // Down the lists: in each, the last node that begins before t holds the answer or ends before it.
  const auto first_not_before = [t](auto& rows, int column, uint64_t lo, uint64_t hi) {
    while (lo < hi) {
      const uint64_t middle = lo + (hi - lo) / 2;
      if (rows.get(column, middle) < t) {
        lo = middle + 1;
      } else {
        hi = middle;
      }
    }
    return lo;
  };
  uint64_t lo = 0;
  uint64_t hi = lists.empty() ? records.rows() : lists.back().rows();
  for (size_t list = lists.size(); list-- > 0;) {
    NodeReader& nodes = lists[list];
    const uint64_t at = first_not_before(nodes, kNodeFirstBegin, lo, std::min(hi, nodes.rows()));
    if (at == lo) return nodes.first(lo);  // all of them begin at t or after
    lo = nodes.child(at - 1);
    hi = nodes.child_end(at - 1);
  }
  lo = first_not_before(records, kBegin, lo, std::min(hi, records.rows()));
  return std::min(lo, records.rows());
}

uint64_t RowPart::lower_bound(int64_t t) const {
  std::vector<NodeReader> lists;
  lists.reserve(row_->lists);
  for (uint32_t i = 0; i < row_->lists; ++i) lists.emplace_back(*segment_, *row_, i);
  RecordCursor records(*segment_, row_->records);
  return store::lower_bound(lists, records, t);
}

}  // namespace weft::store
