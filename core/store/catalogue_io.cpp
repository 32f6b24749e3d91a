#include "core/store/catalogue_io.h"

#include <fmt/core.h>

#include <cstring>

#include "core/base/crc32c.h"
#include "core/base/hash_index.h"
#include "core/base/large_vector.h"
#include "core/base/text_hash.h"

namespace weft::store {
namespace {

template <class T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// A section in the making, given on in pieces.
class SectionPieces {
 public:
  SectionPieces(SectionId id, const PutSection& put) : id_(id), put_(put) {}
  SectionPieces(const SectionPieces&) = delete;
  SectionPieces& operator=(const SectionPieces&) = delete;
  ~SectionPieces() { put_(id_, piece_); }

  void add(std::string_view bytes) {
    piece_ += bytes;
    if (piece_.size() < kPiece) return;
    put_(id_, piece_);
    piece_.clear();
  }
  template <class T>
  void add_value(const T& value) {
    add({reinterpret_cast<const char*>(&value), sizeof value});
  }

 private:
  static constexpr size_t kPiece = 64 << 10;

  SectionId id_;
  const PutSection& put_;
  std::string piece_;
};

// The records that are made of all items.
template <class Items, class MakeRecord>
void encode(SectionId id, const Items& items, const MakeRecord& record_of, const PutSection& put) {
  SectionPieces pieces(id, put);
  for (const auto& item : items) pieces.add_value(record_of(item));
}

// Distinct strings, in order of first mention. They must stay until they are encoded.
class StringWriter {
 public:
  uint32_t id_of(std::string_view text) {
    bool is_new = false;
    const auto is_equal = [&](uint32_t known) { return TextHash::are_equal(texts_[known], text); };
    const uint32_t id = ids_.find_or_add(TextHash()(text), is_equal, is_new);
    if (is_new) texts_.push_back(text);
    return id;
  }
  // u64 count | u64 end of each | bytes. The last that is asked for.
  void encode(SectionId id, const PutSection& put) {
    ids_ = {};  // of a million names it is large
    SectionPieces pieces(id, put);
    pieces.add_value(uint64_t{texts_.size()});
    uint64_t end = 0;
    for (const std::string_view text : texts_) pieces.add_value(end += text.size());
    for (const std::string_view text : texts_) pieces.add(text);
  }

 private:
  HashIndex ids_;
  LargeVector<std::string_view> texts_;
};

struct LossRecord {
  uint32_t kind;
  uint32_t is_damage;
  uint64_t count;
  uint64_t places;  // how many records of kLossPlaces are this loss's
};

struct LossPlaceRecord {
  uint64_t offset;
  int64_t time;
  int64_t duration;
  uint32_t lane;
  uint16_t has_time;
  uint16_t unit;  // trace::PlaceUnit
};

struct StringPair {
  uint32_t key;
  uint32_t value;
};

RowRecord record_of(const SegmentRow& row) {
  RowRecord r{};
  r.lane = row.lane.value();
  r.kind = static_cast<uint8_t>(row.kind);
  r.lists = static_cast<uint8_t>(row.lists);
  r.key = row.key;
  r.count = row.records.rows;
  r.first_begin = row.first_begin;
  r.last_begin = row.last_begin;
  r.last_end = row.last_end;
  r.busy = row.busy;
  r.min_value = row.min_value;
  r.max_value = row.max_value;
  r.offsets_at = row.records.offsets_at;
  r.lists_at = row.first_list;
  return r;
}

// The bytes of a section of records that have so many each.
Result<std::span<const std::byte>> section_of(const OpenedFile& file, const Segment& segment,
                                              SectionId id, const char* name, size_t record_bytes) {
  const DirectoryEntry* entry = file.find(id);
  if (entry == nullptr) return fail(fmt::format("has no section of {}", name));
  const auto bytes = segment.bytes(entry->at, entry->bytes);
  if (bytes.size() != entry->bytes)
    return fail(fmt::format("section of {} at byte {} is damaged", name, entry->at));
  if (bytes.size() % record_bytes != 0) {
    return fail(fmt::format("section of {} at byte {} has a size of {} bytes", name, entry->at,
                            bytes.size()));
  }
  return bytes;
}

// A section seen as an array of fixed records; an error where its size is not a multiple.
template <class T>
Result<LargeVector<T>> records_of(const OpenedFile& file, const Segment& segment, SectionId id,
                                  const char* name) {
  WEFT_TRY_ASSIGN(const auto bytes, section_of(file, segment, id, name, sizeof(T)));
  LargeVector<T> records(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(records.data(), bytes.data(), bytes.size());
  return records;
}

class StringReader {
 public:
  static Result<StringReader> open(const OpenedFile& file, const Segment& segment) {
    StringReader reader;
    WEFT_TRY_ASSIGN(const auto section,
                    section_of(file, segment, SectionId::kStrings, "strings", 1));
    const std::string_view bytes(reinterpret_cast<const char*>(section.data()), section.size());
    uint64_t count = 0;
    if (bytes.size() < 8) return fail("section of strings is too short");
    std::memcpy(&count, bytes.data(), 8);
    if (count > (bytes.size() - 8) / 8) return fail("section of strings is too short");
    const size_t text_at = 8 + 8 * count;
    uint64_t begin = 0;
    reader.texts_.reserve(count);
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t end = 0;
      std::memcpy(&end, bytes.data() + 8 + 8 * i, 8);
      if (end < begin || end > bytes.size() - text_at)
        return fail(fmt::format("string {} is out of bounds", i));
      reader.texts_.emplace_back(bytes.data() + text_at + begin, end - begin);
      begin = end;
    }
    return reader;
  }
  bool has(uint32_t id) const { return id < texts_.size(); }
  std::string get(uint32_t id) const { return std::string(view(id)); }
  std::string_view view(uint32_t id) const { return texts_[id]; }

 private:
  LargeVector<std::string_view> texts_;  // of the segment's bytes
};

Status decode_lanes(const LargeVector<LaneRecord>& records, const StringReader& strings,
                    trace::Dictionary& d) {
  for (uint32_t i = 0; i < records.size(); ++i) {
    const LaneRecord& r = records[i];
    const bool is_root = r.parent == LaneId::none().value();
    if (!strings.has(r.name) || (!is_root && r.parent >= records.size()) ||
        r.kind > static_cast<uint32_t>(trace::LaneKind::kCounter)) {
      return fail(fmt::format("lane {} is malformed", i));
    }
    d.lanes.push_back({strings.get(r.name), LaneId(r.parent), static_cast<trace::LaneKind>(r.kind),
                       r.sort_index});
  }
  // Lanes below each other are below no root.
  if (d.lanes_in_order().size() != d.lanes.size()) return fail("the lanes are not a tree");
  return {};
}

Status decode_types(const LargeVector<TypeRecord>& records, const StringReader& strings,
                    trace::Dictionary& d) {
  for (uint32_t i = 0; i < records.size(); ++i) {
    const TypeRecord& r = records[i];
    if (!strings.has(r.name) || !strings.has(r.group) || r.category >= trace::kCategoryCount) {
      return fail(fmt::format("event type {} is malformed", i));
    }
    d.types.push_back({strings.view(r.name), strings.view(r.group),
                       static_cast<trace::Category>(r.category), r.rgb});
  }
  return {};
}

// The places of all losses follow each other in the order of the losses.
Status decode_losses(std::span<const LossRecord> losses, std::span<const LossPlaceRecord> places,
                     const StringReader& strings, trace::Dictionary& d) {
  for (const LossRecord& r : losses) {
    if (!strings.has(r.kind) || r.places > trace::Loss::kFirstKept || r.places > places.size())
      return fail("losses are malformed");
    trace::Loss loss{strings.get(r.kind), r.count, {}, r.is_damage != 0};
    for (const LossPlaceRecord& p : places.first(r.places)) {
      const LaneId lane(p.lane);
      if (!lane.is_none() && p.lane >= d.lanes.size()) return fail("losses are malformed");
      const std::optional<Time> time = p.has_time != 0 ? std::optional(Time{p.time}) : std::nullopt;
      if (p.unit > static_cast<uint16_t>(trace::PlaceUnit::kNone))
        return fail("losses are malformed");
      loss.first.emplace_back(p.offset, lane, time, Duration{p.duration});
      loss.first.back().unit = static_cast<trace::PlaceUnit>(p.unit);
    }
    places = places.subspan(r.places);
    d.report.add(loss);
  }
  return {};
}

}  // namespace

void encode_catalogue(const trace::Dictionary& dictionary, std::span<const SegmentRow> rows,
                      std::span<const TableRef> lists, FileHeader& header, const PutSection& put) {
  StringWriter strings;
  header.format_string = strings.id_of(dictionary.format);
  std::string metadata;
  for (const auto& [key, value] : dictionary.metadata) {
    append(metadata, strings.id_of(key));
    append(metadata, strings.id_of(value));
  }
  std::string places;
  std::string losses;
  for (const trace::Loss& loss : dictionary.report.losses()) {
    append(losses,
           LossRecord{strings.id_of(loss.kind), loss.is_damage, loss.count, loss.first.size()});
    for (const trace::LossPlace& place : loss.first) {
      append(places, LossPlaceRecord{place.offset, place.time.value_or(Time{}).ticks,
                                     place.duration.ticks, place.lane.value(),
                                     place.time.has_value(), static_cast<uint16_t>(place.unit)});
    }
  }
  put(SectionId::kMetadata, metadata);
  put(SectionId::kLosses, losses);
  put(SectionId::kLossPlaces, places);
  const auto lane_record = [&](const trace::Lane& lane) {
    return LaneRecord{strings.id_of(lane.name), lane.parent.value(), lane.sort_index,
                      static_cast<uint32_t>(lane.kind)};
  };
  const auto type_record = [&](const trace::EventType& type) {
    return TypeRecord{strings.id_of(type.name), strings.id_of(type.group),
                      static_cast<uint32_t>(type.category), type.rgb};
  };
  const auto list_record = [](const TableRef& list) {
    return ListRecord{list.rows, list.offsets_at};
  };
  encode(SectionId::kLanes, dictionary.lanes, lane_record, put);
  encode(SectionId::kTypes, dictionary.types, type_record, put);
  encode(SectionId::kRows, rows, record_of, put);
  encode(SectionId::kLists, lists, list_record, put);
  strings.encode(SectionId::kStrings, put);
}

std::string encode_totals(const Totals& totals) {
  std::string bytes;
  append(bytes,
         TotalsRecord{totals.level, static_cast<uint32_t>(totals.counts.size()), totals.first});
  for (const uint64_t count : totals.counts) append(bytes, count);
  return bytes;
}

const DirectoryEntry* OpenedFile::find(SectionId id) const {
  for (const DirectoryEntry& e : directory) {
    if (e.id == static_cast<uint32_t>(id)) return &e;
  }
  return nullptr;
}

Result<OpenedFile> check_header(std::span<const std::byte> file) {
  OpenedFile opened;
  FileHeader& h = opened.header;
  const bool has_magic =
      file.size() >= sizeof kMagic && std::memcmp(file.data(), kMagic, sizeof kMagic) == 0;
  if (!has_magic)
    return fail("is no .weft (it does not begin with WEFTTRC1); weftscope import makes one of it");
  if (file.size() < sizeof h)
    return fail(fmt::format("has only {} bytes: it was cut", file.size()));
  std::memcpy(&h, file.data(), sizeof h);
  if (h.endian_mark != kEndianMark) return fail("was written on a machine of the other byte order");
  if (h.version != kVersion)
    return fail(fmt::format("has version {}; this program reads {}", h.version, kVersion));
  if (crc32c(&h, offsetof(FileHeader, crc)) != h.crc)
    return fail("header is damaged (checksum at byte 0)");
  if (h.file_bytes != file.size()) {
    return fail(fmt::format("has {} bytes instead of {}: it was cut or is still being written",
                            file.size(), h.file_bytes));
  }
  const uint64_t directory_bytes = uint64_t{h.directory_entries} * sizeof(DirectoryEntry);
  if (h.directory_at > file.size() || directory_bytes > file.size() - h.directory_at)
    return fail("directory is out of bounds");
  opened.directory.resize(h.directory_entries);
  if (directory_bytes > 0)
    std::memcpy(opened.directory.data(), file.data() + h.directory_at, directory_bytes);
  if (crc32c(opened.directory.data(), directory_bytes) != h.directory_crc) {
    return fail(fmt::format("directory is damaged (checksum at byte {})", h.directory_at));
  }
  for (const DirectoryEntry& e : opened.directory) {
    if (e.at > file.size() || e.bytes > file.size() - e.at)
      return fail(fmt::format("section {} is out of bounds", e.id));
  }
  const DirectoryEntry* sums = opened.find(SectionId::kPageChecksums);
  if (sums == nullptr || sums->at < kHeaderBytes ||
      sums->bytes != (sums->at + kPageBytes - 1) / kPageBytes * 4) {
    return fail("has no page checksums");
  }
  opened.checked_end = sums->at;
  opened.checksums.resize(sums->bytes / 4);
  std::memcpy(opened.checksums.data(), file.data() + sums->at, sums->bytes);
  if (crc32c(opened.checksums.data(), sums->bytes) != sums->crc) {
    return fail(fmt::format("page checksums are damaged (checksum at byte {})", sums->at));
  }
  return opened;
}

Result<std::shared_ptr<const trace::Dictionary>> decode_dictionary(const OpenedFile& file,
                                                                   const Segment& segment) {
  auto d = std::make_shared<trace::Dictionary>();
  WEFT_TRY_ASSIGN(const StringReader strings, StringReader::open(file, segment));
  WEFT_TRY_ASSIGN(const auto lanes,
                  records_of<LaneRecord>(file, segment, SectionId::kLanes, "lanes"));
  WEFT_TRY(decode_lanes(lanes, strings, *d));
  WEFT_TRY_ASSIGN(const auto types,
                  records_of<TypeRecord>(file, segment, SectionId::kTypes, "event types"));
  WEFT_TRY(decode_types(types, strings, *d));
  WEFT_TRY_ASSIGN(const auto metadata,
                  records_of<StringPair>(file, segment, SectionId::kMetadata, "metadata"));
  for (const auto& [key, value] : metadata) {
    if (!strings.has(key) || !strings.has(value)) return fail("metadata is malformed");
    d->metadata[strings.get(key)] = strings.get(value);
  }
  WEFT_TRY_ASSIGN(const auto losses,
                  records_of<LossRecord>(file, segment, SectionId::kLosses, "losses"));
  WEFT_TRY_ASSIGN(
      const auto places,
      records_of<LossPlaceRecord>(file, segment, SectionId::kLossPlaces, "places of losses"));
  WEFT_TRY(decode_losses(losses, places, strings, *d));
  const FileHeader& h = file.header;
  if (h.time_base > static_cast<uint32_t>(TimeBase::kTicks) || !strings.has(h.format_string) ||
      h.begin > h.end) {
    return fail("header is malformed");
  }
  d->time_base = static_cast<TimeBase>(h.time_base);
  d->format = strings.get(h.format_string);
  return d;
}

Result<Totals> decode_totals(const OpenedFile& file, const Segment& segment) {
  if (file.find(SectionId::kTotals) == nullptr) return Totals{};
  WEFT_TRY_ASSIGN(const LargeVector<char> bytes,
                  records_of<char>(file, segment, SectionId::kTotals, "totals"));
  TotalsRecord record{};
  if (bytes.size() < sizeof record) return fail("totals are malformed");
  std::memcpy(&record, bytes.data(), sizeof record);
  const bool is_known =
      record.level >= 0 && record.level <= 62 && record.cells <= Totals::kMostCells;
  if (!is_known || bytes.size() != sizeof record + record.cells * sizeof(uint64_t))
    return fail("totals are malformed");
  Totals totals{record.level, record.first, std::vector<uint64_t>(record.cells)};
  if (record.cells > 0)
    std::memcpy(totals.counts.data(), bytes.data() + sizeof record, bytes.size() - sizeof record);
  return totals;
}

Result<DecodedRows> decode_rows(const OpenedFile& file, const Segment& segment,
                                const trace::Dictionary& dictionary) {
  WEFT_TRY_ASSIGN(const auto records,
                  records_of<RowRecord>(file, segment, SectionId::kRows, "rows"));
  WEFT_TRY_ASSIGN(const auto lists,
                  records_of<ListRecord>(file, segment, SectionId::kLists, "lists"));
  DecodedRows out;
  // A table's offsets must lie in the file: this bounds every count before anything is allocated.
  const auto lies_inside = [&](const TableRef& t) {
    return t.rows < uint64_t{1} << 48 && t.offsets_at <= file.checked_end &&
           t.blocks() <= (file.checked_end - t.offsets_at) / 8;
  };
  out.lists.reserve(lists.size());
  out.rows.reserve(records.size());
  for (const ListRecord& r : lists) {
    out.lists.push_back({r.nodes, r.offsets_at});
    if (!lies_inside(out.lists.back()) || r.nodes == 0)
      return fail("a list of the forest is out of bounds");
  }
  for (const RowRecord& r : records) {
    const auto kind = static_cast<RowKind>(r.kind);
    SegmentRow row{LaneId(r.lane),
                   kind,
                   r.key,
                   r.first_begin,
                   r.last_begin,
                   r.last_end,
                   r.busy,
                   r.min_value,
                   r.max_value,
                   {r.count, r.offsets_at},
                   static_cast<uint32_t>(r.lists_at),
                   r.lists};
    const bool is_known = r.lane < dictionary.lanes.size() && kind <= RowKind::kLinkIn &&
                          !dictionary.types.empty() &&
                          (kind != RowKind::kVariable || r.key < dictionary.types.size());
    if (!is_known || r.count == 0 || !lies_inside(row.records) || r.lists > kMaxLists ||
        r.lists_at > lists.size() || r.lists > lists.size() - r.lists_at) {
      return fail(fmt::format("row {} is malformed", out.rows.size()));
    }
    out.rows.push_back(row);
  }
  return out;
}

}  // namespace weft::store
