#include "core/formats/profiles/uftrace/uftrace_records.h"

#include "core/formats/base/binary.h"

namespace weft::formats::uftrace {

// 64 bits of time; 2 of kind, "more follows", the magic number 5, 10 of depth, 48 of address.
std::optional<Record> record_of(std::string_view bytes) {
  constexpr uint64_t kRecordMagic = 5;
  const auto time = take_little<int64_t>(bytes);
  const auto word = take_little<uint64_t>(bytes);
  if (!time || !word || (*word >> 3 & 7) != kRecordMagic || *time < 0) return std::nullopt;
  return Record{.time = {*time},
                .kind = static_cast<Record::Kind>(*word & 3),
                .has_more = (*word >> 2 & 1) != 0,
                .depth = static_cast<uint32_t>(*word >> 6 & kMostWrittenDepth),
                .address = *word >> 16};
}

std::string take_values(Pieces& pieces, std::optional<size_t> size, Time last) {
  constexpr size_t kStep = 8, kMostKept = 8 << 10;
  constexpr int64_t kHour = 3'600'000'000'000;
  const auto is_record = [&](std::string_view bytes) {
    const auto record = record_of(bytes);
    return record && record->time >= last && (record->time - last).ticks < kHour;
  };
  std::string taken;
  const auto take = [&](size_t count) {
    if (taken.size() < kMostKept) taken += pieces.ahead(count);
    pieces.skip(count);
  };
  if (size) {
    const std::string_view bytes = pieces.ahead(*size + kRecordBytes);
    if (bytes.size() == *size || (bytes.size() > *size && is_record(bytes.substr(*size)))) {
      take(*size);
      return taken;
    }
  }
  for (std::string_view bytes = pieces.next(kRecordBytes); !bytes.empty();
       bytes = pieces.next(kRecordBytes)) {
    if (is_record(bytes)) return taken;
    take(kStep);
  }
  while (!pieces.is_at_end()) take(1);  // those of the last record
  return taken;
}

bool says_depths(io::Source& source) {
  constexpr size_t kFirstRecords = 4096;  // in which some call returns
  constexpr size_t kMostRecords = 16 * kFirstRecords;
  Pieces pieces(source);
  bool returns = false;
  Time last{};
  size_t count = 0;
  for (std::string_view bytes = pieces.next(kRecordBytes); !bytes.empty();
       bytes = pieces.next(kRecordBytes), ++count) {
    if (count == kMostRecords) return false;
    const std::optional<Record> record = record_of(bytes);
    pieces.skip(kRecordBytes);
    if (record) last = record->time;
    if (!record || record->has_more) take_values(pieces, std::nullopt, last);
    if (!record || record->kind > Record::Kind::kReturn) continue;
    if (record->depth > 0) return true;
    returns |= record->kind == Record::Kind::kReturn && count < kFirstRecords;
    if (!returns && count >= kFirstRecords) return true;
  }
  return !returns;
}

}  // namespace weft::formats::uftrace
