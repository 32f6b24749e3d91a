// The texts of a profile of rustc. A text is bytes of UTF-8 and references to other texts, and is
// known by where it lies; ids below a bound are virtual, and the index says where they lie.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/flat_index.h"

namespace weft::formats::measureme {

// Differences between versions of the file.
struct Encoding {
  uint32_t version = 9;
  // Ids, and what is counted in the string data: 32 bits until version 8.
  size_t id_bytes() const { return version >= 9 ? 8 : 4; }
  // The kind and the id of the event, its thread, and three words for two times of 48 bits.
  size_t event_bytes() const { return 2 * id_bytes() + 16; }
  // References begin with a byte that no UTF-8 has; before, with one that begins no letter.
  bool has_tagged_references() const { return version >= 7; }
  // Events that are a number, not a time.
  bool has_integers() const { return version >= 8; }
  uint64_t take_id(std::string_view& bytes) const;
};

class StringTable {
 public:
  static constexpr uint64_t kMetadata = 100'000'001;

  // `data` and `index` are the streams behind their headers; `data_offset` is where the data begin
  // as ids count: behind the header. `data` outlives it.
  StringTable(Encoding encoding, std::string_view data, std::string_view index,
              uint64_t data_offset);

  // Returns a text's bytes; nullopt if there is no such text. Text longer than 64 KiB, nested too
  // deeply or without an end is cut, and `is_whole` false.
  std::optional<std::string> text(uint64_t id, bool& is_whole) const;

 private:
  static constexpr uint64_t kFirstRegular = kMetadata + 2;
  std::optional<uint64_t> address_of(uint64_t id) const;
  bool append(uint64_t id, int depth, uint32_t& steps, std::string& out) const;
  bool append_reference(std::string_view& rest, int depth, uint32_t& steps, std::string& out) const;

  Encoding encoding_;
  std::string_view data_;
  uint64_t data_offset_;
  FlatIndex<uint64_t, NumberHash> index_;  // addresses, by id
};

}  // namespace weft::formats::measureme
