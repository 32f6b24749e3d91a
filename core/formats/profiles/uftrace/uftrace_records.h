// The records of a thread in uftrace's recordings: calls, returns, what was lost, and events; each
// of 16 bytes, and values behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.h"
#include "core/formats/profiles/uftrace/uftrace_pieces.h"

namespace weft::formats::uftrace {

inline constexpr size_t kRecordBytes = 16;
inline constexpr uint32_t kMostWrittenDepth = 0x3FF;

struct Record {
  enum class Kind : uint8_t { kCall, kReturn, kLost, kEvent };
  Time time;
  Kind kind = Kind::kCall;
  bool has_more = false;
  uint32_t depth = 0;
  uint64_t address = 0;
};

// Of the next `kRecordBytes`.
std::optional<Record> record_of(std::string_view bytes);

// Takes the values behind a record. How long they are is said by how they were asked for (`size`).
// Where that is not known, or what follows is no record then, the next record is what looks like
// one and is not an hour away from `last`.
std::string take_values(Pieces& pieces, std::optional<size_t> size, Time last);

// Whether the records of a thread say how deep calls lie. Some tracers write depth 0 with every
// record; where nothing returns either, calls at depth 0 follow each other. Reads up to the first
// depth that is not 0, or the first 65 536 records.
bool says_depths(io::Source& source);

}  // namespace weft::formats::uftrace
