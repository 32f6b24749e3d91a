#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "core/store/catalogue_io.h"
#include "core/store/forest.h"
#include "core/store/id_zones.h"
#include "core/store/segment.h"
#include "core/store/snapshot_maker.h"

namespace weft::store {
namespace {

// Parameters in a finished file.
class FileParams final : public ParamsSource {
 public:
  FileParams(std::shared_ptr<const Segment> segment, uint64_t at, uint64_t bytes)
      : segment_(std::move(segment)), at_(at), bytes_(bytes) {}

  Params get(ParamsId id) const override {
    if (id.value() >= bytes_) return {};
    const uint64_t rest = std::min(bytes_ - id.value(), kParamsExtent - id.value() % kParamsExtent);
    // The head tells how long the record is; only then are its pages checked.
    constexpr uint64_t kMostHead = 20;
    const auto head = segment_->bytes(at_ + id.value(), std::min(rest, kMostHead));
    if (head.empty()) return {};
    const Params params = decode_params({head.data(), rest});
    const auto* end =
        params.payload.empty()
            ? reinterpret_cast<const std::byte*>(params.json.data() + params.json.size())
            : params.payload.data() + params.payload.size();
    if (end == nullptr ||
        segment_->bytes(at_ + id.value(), static_cast<uint64_t>(end - head.data())).empty())
      return {};
    return params;
  }

 private:
  std::shared_ptr<const Segment> segment_;
  uint64_t at_;
  uint64_t bytes_;
};

struct PartKey {
  uint32_t rank;  // of the lane, in display order
  RowKind kind;
  uint32_t key;
  const Segment* segment;
  const SegmentRow* row;
  auto order() const { return std::tuple(rank, kind, key, row->first_begin); }
};

bool is_same_row(const PartKey& a, const PartKey& b) {
  return a.rank == b.rank && a.kind == b.kind && a.key == b.key;
}

// `parts` are those of the row, one for each key.
Row make_row(std::span<const PartKey> keys, std::span<const RowPart> parts) {
  const SegmentRow& first = *keys.front().row;
  Row row;
  row.lane = first.lane;
  row.kind = first.kind;
  if (first.kind == RowKind::kState) row.depth = first.key;
  if (first.kind == RowKind::kVariable) row.variable = EventTypeId(first.key);
  row.first_begin = {first.first_begin};
  row.last_end = {first.last_end};
  row.min_value = first.min_value;
  row.max_value = first.max_value;
  row.parts = parts;
  for (const PartKey& p : keys) {
    row.count += p.row->records.rows;
    row.busy = saturating_add(row.busy, p.row->busy);
    row.first_begin.ticks = std::min(row.first_begin.ticks, p.row->first_begin);
    row.last_end.ticks = std::max(row.last_end.ticks, p.row->last_end);
    row.min_value = lesser_value(row.min_value, p.row->min_value);
    row.max_value = greater_value(row.max_value, p.row->max_value);
  }
  return row;
}

bool overlaps(const Record& r, RowKind kind, TimeRange range) {
  if (kind != RowKind::kState || r.duration.ticks <= 0) return range.contains(r.begin);
  return r.begin < range.end && r.end() > range.begin;
}

LargeVector<PartKey> parts_in_order(const trace::Dictionary& dictionary,
                                    std::span<const std::shared_ptr<const Segment>> segments) {
  LargeVector<uint32_t> rank(dictionary.lanes.size());
  uint32_t next = 0;
  for (const LaneId lane : dictionary.lanes_in_order()) rank[lane.value()] = next++;
  LargeVector<PartKey> parts;
  size_t count = 0;
  for (const auto& segment : segments) count += segment->rows().size();
  parts.reserve(count);
  for (const auto& segment : segments) {
    for (const SegmentRow& row : segment->rows())
      parts.push_back({rank[row.lane.value()], row.kind, row.key, segment.get(), &row});
  }
  std::sort(parts.begin(), parts.end(),
            [](const PartKey& a, const PartKey& b) { return a.order() < b.order(); });
  return parts;
}

}  // namespace

std::vector<RowSpan> rows_by_lane(std::span<const Row> rows, size_t lanes) {
  std::vector<RowSpan> spans(lanes);
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (rows[i].lane.value() >= lanes) continue;
    RowSpan& span = spans[rows[i].lane.value()];
    if (span.end == 0) span.begin = i;
    span.end = i + 1;
  }
  return spans;
}

TracePtr SnapshotMaker::make() const {
  std::shared_ptr<Trace> trace(new Trace());
  trace->dictionary_ = dictionary;
  trace->segments_ = segments;
  trace->params_ = params;
  trace->range_ = range;
  trace->counts_ = counts;
  trace->totals_ = std::make_shared<const Totals>(totals);
  trace->is_complete_ = is_complete;
  trace->size_bytes_ = size_bytes;
  trace->path_ = path;
  trace->generation_ = generation;

  const LargeVector<PartKey> keys = parts_in_order(*dictionary, segments);
  auto all_parts = std::make_shared<LargeVector<RowPart>>();
  all_parts->reserve(keys.size());
  for (const PartKey& key : keys) all_parts->emplace_back(*key.segment, *key.row);
  const std::span<const RowPart> parts = *all_parts;
  trace->parts_ = std::move(all_parts);
  trace->rows_.reserve(keys.size());
  for (size_t i = 0; i < keys.size();) {
    size_t end = i + 1;
    while (end < keys.size() && is_same_row(keys[i], keys[end])) ++end;
    const Row& row = trace->rows_.emplace_back(
        make_row(std::span(keys).subspan(i, end - i), parts.subspan(i, end - i)));
    const bool is_link = row.kind == RowKind::kLinkOut || row.kind == RowKind::kLinkIn;
    trace->knows_latencies_ |= is_link && row.busy != 0;
    i = end;
  }
  const auto is_at_begin = [&](const Row& row) { return row.last_end <= range.begin; };
  trace->is_instant_ = !trace->rows_.empty() && std::ranges::all_of(trace->rows_, is_at_begin);
  return trace;
}

Trace::~Trace() = default;

Result<TracePtr> Trace::open(const std::filesystem::path& path) {
  auto map = io::MappedFile::open(path);
  if (!map) return fail(std::move(map).error().context(path.string()));
  auto trace = over(std::move(*map), path);
  if (!trace) return fail(std::move(trace).error().context(path.string()));
  return trace;
}

Result<TracePtr> Trace::over(io::MappedFile map, std::filesystem::path path) {
  WEFT_TRY_ASSIGN(auto opened, check_header(map.bytes()));
  const FileHeader header = opened.header;
  auto segment = std::make_shared<Segment>(std::move(map), opened.checked_end, opened.checksums);
  WEFT_TRY_ASSIGN(auto dictionary, decode_dictionary(opened, *segment));
  WEFT_TRY_ASSIGN(auto rows, decode_rows(opened, *segment, *dictionary));
  place_id_zones(opened, rows.rows);
  segment->set_rows(std::move(rows.rows), std::move(rows.lists),
                    static_cast<uint32_t>(dictionary->types.size()),
                    static_cast<uint32_t>(dictionary->lanes.size()));
  WEFT_TRY_ASSIGN(auto totals, decode_totals(opened, *segment));
  SnapshotMaker maker;
  maker.totals = std::move(totals);
  maker.dictionary = std::move(dictionary);
  maker.segments = {segment};
  if (const DirectoryEntry* e = opened.find(SectionId::kParams)) {
    maker.params = std::make_shared<FileParams>(segment, e->at, e->bytes);
  }
  maker.range = {{header.begin}, {header.end}};
  std::copy(std::begin(header.counts), std::end(header.counts), maker.counts.by_category);
  maker.size_bytes = header.file_bytes;
  maker.path = std::move(path);
  maker.generation = header.generation;
  return maker.make();
}

TracePtr Trace::with_names(const Trace& trace, std::shared_ptr<const trace::Dictionary> dictionary,
                           std::shared_ptr<const PayloadReader> payloads) {
  std::shared_ptr<Trace> copy(new Trace(trace));
  if (dictionary) copy->dictionary_ = std::move(dictionary);
  if (payloads) copy->payloads_ = std::move(payloads);
  return copy;
}

Status Trace::health() const {
  for (const auto& segment : segments_) WEFT_TRY(segment->health());
  return {};
}

Params Trace::params(ParamsId id) const {
  if (id.is_none() || !params_) return {};
  return params_->get(id);
}

std::string Trace::payload_fields(EventTypeId type, ParamsId id) const {
  if (!payloads_ || id.is_none()) return {};
  const std::span<const std::byte> payload = params(id).payload;
  return payload.empty() ? std::string() : payloads_->fields(type, payload);
}

ParamsId Trace::next_params(ParamsId id) const {
  const auto is_empty = [](const Params& p) { return p.json.empty() && p.payload.empty(); };
  uint64_t next = params_ ? params_->begin() : 0;
  if (!id.is_none()) {
    const Params passed = params(id);
    if (is_empty(passed)) return ParamsId::none();  // damage: where it ends is not known
    next = id.value() + varint_bytes(passed.json.size()) + varint_bytes(passed.payload.size()) +
           passed.json.size() + passed.payload.size();
  }
  if (!is_empty(params(ParamsId(next)))) return ParamsId(next);
  // The rest of an extent may be too short for the next record.
  next = (next / kParamsExtent + 1) * kParamsExtent;
  return is_empty(params(ParamsId(next))) ? ParamsId::none() : ParamsId(next);
}

void Trace::for_each_block(const Row& row, TimeRange range,
                           const std::function<bool(std::span<const Record>)>& body) const {
  std::array<Record, kBlockRows> records;
  for (const RowPart& part : row.parts) {
    RecordCursor cursor(part.segment(), part.row().records);
    // One record before the range may reach into it; rows of states do not overlap.
    uint64_t at = part.lower_bound(range.begin.ticks);
    if (at > 0 && row.kind == RowKind::kState) --at;
    const uint64_t end = part.lower_bound(range.end.ticks);
    while (at < end) {
      const auto first = static_cast<uint32_t>(at % kBlockRows);
      const auto n = static_cast<uint32_t>(std::min<uint64_t>(end - at, kBlockRows - first));
      const auto& block = cursor.seek(at);
      at += n;
      if (block.is_lost()) continue;
      read_records(part.segment(), block, first, n, records.data());
      if (!body(std::span(records).first(n))) return;
    }
  }
}

void Trace::for_each(const Row& row, TimeRange range,
                     const std::function<bool(const Record&)>& body) const {
  for_each_block(row, range, [&](std::span<const Record> records) {
    return std::all_of(records.begin(), records.end(),
                       [&](const Record& r) { return !overlaps(r, row.kind, range) || body(r); });
  });
}

Record Trace::record(const Row& row, uint64_t index) const {
  for (const RowPart& part : row.parts) {
    if (index < part.count()) return part.record(index);
    index -= part.count();
  }
  return {};
}

}  // namespace weft::store
