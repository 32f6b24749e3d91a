// Binary layout of a .weft file: fixed structures, sections, limits. docs/weft-format.md describes
// it in full and must agree. Little-endian, without implicit padding.
#pragma once

#include <bit>
#include <cstdint>

namespace weft::store {

inline constexpr char kMagic[8] = {'W', 'E', 'F', 'T', 'T', 'R', 'C', '1'};
inline constexpr uint32_t kVersion = 3;
inline constexpr uint32_t kEndianMark = 0x01020304;
inline constexpr uint64_t kHeaderBytes = 256;
inline constexpr uint64_t kParamsAt = kHeaderBytes;  // where writers put kParams; readers use the
                                                     // directory
inline constexpr uint64_t kPageBytes = 16 << 10;     // unit of checksums

struct FileHeader {
  char magic[8];
  uint32_t version;
  uint32_t endian_mark;
  uint64_t file_bytes;
  uint64_t generation;  // random: differs each time a file is written
  uint64_t directory_at;
  uint32_t directory_entries;
  uint32_t directory_crc;
  uint32_t time_base;      // weft::TimeBase
  uint32_t format_string;  // id of the format it was read from
  int64_t begin;
  int64_t end;
  uint64_t counts[4];  // by trace::Category
  uint8_t unused[148];
  uint32_t crc;  // of all bytes before it
};
static_assert(sizeof(FileHeader) == kHeaderBytes);

enum class SectionId : uint32_t {
  kStrings = 1,
  kLanes,
  kTypes,
  kRows,
  kLists,
  kMetadata,
  kLosses,
  kParams,
  kPageChecksums,
  kMessageIds,
  kLossPlaces,
  kTotals
};

struct DirectoryEntry {
  uint32_t id;
  uint32_t crc;  // of kPageChecksums only: the pages' checksums cover the others
  uint64_t at;
  uint64_t bytes;
};
static_assert(sizeof(DirectoryEntry) == 24);

struct RowRecord {
  uint32_t lane;
  uint8_t kind;
  uint8_t lists;  // lists in the row's forest
  uint16_t reserved;
  uint32_t key;  // states: depth; variables: type
  uint32_t reserved2;
  uint64_t count;
  int64_t first_begin;
  int64_t last_begin;
  int64_t last_end;
  int64_t busy;
  double min_value;
  double max_value;
  uint64_t offsets_at;  // of the record table's block offsets
  uint64_t lists_at;    // index into kLists of the row's first list
};
static_assert(sizeof(RowRecord) == 88);

struct ListRecord {
  uint64_t nodes;
  uint64_t offsets_at;
};
static_assert(sizeof(ListRecord) == 16);

// The range of message ids (trace/message_id.h) among kIdZoneRecords records of a row of links. A
// link with both ends counts in its row of sends.
inline constexpr uint64_t kIdZoneRecords = 512;
struct IdZone {
  uint64_t least = ~uint64_t{0};
  uint64_t most = 0;  // less than `least`: no ids
  bool may_hold(uint64_t id) const { return least <= id && id <= most; }
};
static_assert(sizeof(IdZone) == 16);
constexpr uint64_t id_zones_of(uint64_t records) {
  return (records + kIdZoneRecords - 1) / kIdZoneRecords;
}

// kTotals is this record, then a u64 per cell.
struct TotalsRecord {
  int32_t level;
  uint32_t cells;
  int64_t first;
};
static_assert(sizeof(TotalsRecord) == 16);

struct LaneRecord {
  uint32_t name;    // string
  uint32_t parent;  // lane, or 0xFFFFFFFF
  int32_t sort_index;
  uint32_t kind;
};
static_assert(sizeof(LaneRecord) == 16);

struct TypeRecord {
  uint32_t name;
  uint32_t group;
  uint32_t category;
  uint32_t rgb;
};
static_assert(sizeof(TypeRecord) == 16);

// Columns of a record table.
enum RecordColumn : int { kBegin, kDuration, kType, kParams, kPeer, kForm, kValue, kRecordColumns };
// kForm: how kValue is encoded.
enum ValueForm : int64_t { kInteger, kDouble };

// A parameter record in kParams: varint(json bytes) | varint(payload bytes) | json | payload.
// Records do not straddle extents of this size, counted from the section's begin, so a record holds
// at most one extent: enough for a payload of 16 MiB and its JSON.
inline constexpr uint64_t kParamsExtent = 32 << 20;
// The length of a varint in bytes, at seven bits a byte.
constexpr uint64_t varint_bytes(uint64_t value) {
  return value == 0 ? 1 : (static_cast<uint64_t>(std::bit_width(value)) + 6) / 7;
}

}  // namespace weft::store
