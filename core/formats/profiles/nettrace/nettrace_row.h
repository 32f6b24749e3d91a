// The events of a block: what the file says of each before its payload.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/formats/profiles/nettrace/nettrace_cursor.h"

namespace weft::formats::nettrace {

struct Row {
  uint32_t kind = 0;  // 0: its payload describes a kind
  uint32_t sequence = 0;
  uint64_t thread = 0, capture_thread = 0;  // numbers of the system; from version 6 on indices
  uint32_t processor = UINT32_MAX;
  uint32_t stack = 0;
  int64_t ticks = 0;
  std::array<char, kGuidBytes> activity{}, related{};  // until version 5
  uint32_t labels = 0;                                 // from version 6 on
  uint32_t payload_bytes = 0;
  std::string_view payload;
  std::string_view stack_bytes;  // of version 3, which has no blocks of them
};

class Rows {
 public:
  // Reads a block of events or, up to version 5, of kinds.
  Rows(std::string_view block, uint32_t version);

  // Returns false at the end, and where what follows is not a row.
  bool next(Row& row);
  bool has_failed() const { return cursor_.has_failed(); }
  size_t at() const { return cursor_.at(); }

 private:
  void take_inline(Row& row);
  void take_plain(Row& row);
  void take_compressed(Row& row);

  Cursor cursor_;
  uint32_t version_;
  bool is_compressed_ = false;
};

}  // namespace weft::formats::nettrace
