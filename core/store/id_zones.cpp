#include "core/store/id_zones.h"

#include <algorithm>

#include "core/trace/message_id.h"

namespace weft::store {
namespace {

bool is_of_links(const SegmentRow& row) {
  return row.kind == RowKind::kLinkOut || row.kind == RowKind::kLinkIn;
}

// The parameters that were written, without the lock that a growing store takes.
class WrittenParams {
 public:
  explicit WrittenParams(std::span<const ParamsChain::Piece> pieces) : pieces_(pieces) {}

  Params get(ParamsId id) const {
    const auto behind = std::ranges::upper_bound(pieces_, id.value(), {}, &ParamsChain::Piece::at);
    if (id.is_none() || behind == pieces_.begin()) return {};
    const ParamsChain::Piece& piece = *(behind - 1);
    const uint64_t at = id.value() - piece.at;
    return at < piece.bytes.size() ? decode_params(piece.bytes.subspan(at)) : Params();
  }

 private:
  std::span<const ParamsChain::Piece> pieces_;
};

void find_zones(const RowPart& row, const WrittenParams& params, std::span<IdZone> zones) {
  std::vector<Record> records;
  for (uint64_t i = 0; i < zones.size(); ++i) {
    records.clear();
    const uint64_t first = i * kIdZoneRecords;
    row.read(first, std::min(kIdZoneRecords, row.count() - first), records);
    for (const Record& record : records) {
      if (!counts_message(row.row().kind, record)) continue;
      const auto id = trace::message_id(params.get(record.params).json);
      if (!id) continue;
      zones[i] = {std::min(zones[i].least, *id), std::max(zones[i].most, *id)};
    }
  }
}

}  // namespace

Result<LargeVector<IdZone>> id_zones(const io::OutputFile& file, uint64_t end,
                                     std::span<const SegmentRow> rows,
                                     std::span<const ParamsChain::Piece> params, ThreadPool& pool) {
  struct OfRow {
    const SegmentRow* row;
    uint64_t first;  // of its zones
  };
  LargeVector<OfRow> links;
  uint64_t count = 0;
  for (const SegmentRow& row : rows) {
    if (!is_of_links(row)) continue;
    links.push_back({&row, count});
    count += id_zones_of(row.records.rows);
  }
  if (links.empty() || params.empty()) return {};
  WEFT_TRY_ASSIGN(io::MappedFile map, file.map(0, end));
  // Ids are our own. The sections behind the rows are the slack.
  Segment segment(std::move(map), end - kReadSlack, {});
  segment.set_rows({}, {}, UINT32_MAX, UINT32_MAX);
  const WrittenParams written(params);
  LargeVector<IdZone> zones(count);
  pool.for_each(links.size(), [&](size_t i) {
    const auto& [row, first] = links[i];
    find_zones(RowPart(segment, *row), written,
               std::span(zones).subspan(first, id_zones_of(row->records.rows)));
  });
  WEFT_TRY(segment.health());
  const bool has_ids =
      std::ranges::any_of(zones, [](const IdZone& zone) { return zone.least <= zone.most; });
  return has_ids ? std::move(zones) : LargeVector<IdZone>();
}

void place_id_zones(const OpenedFile& file, std::span<SegmentRow> rows) {
  const DirectoryEntry* entry = file.find(SectionId::kMessageIds);
  if (entry == nullptr || entry->at > file.checked_end ||
      entry->bytes > file.checked_end - entry->at)
    return;
  uint64_t zones = 0;
  for (const SegmentRow& row : rows) zones += is_of_links(row) ? id_zones_of(row.records.rows) : 0;
  if (zones != entry->bytes / sizeof(IdZone)) return;
  uint64_t at = entry->at;
  for (SegmentRow& row : rows) {
    if (!is_of_links(row)) continue;
    row.id_zones_at = at;
    at += id_zones_of(row.records.rows) * sizeof(IdZone);
  }
}

}  // namespace weft::store
