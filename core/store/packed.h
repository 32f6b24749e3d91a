// Packed columns: the one encoding of the store, for records and for tree nodes alike.
//
// A table is a sequence of blocks of kBlockRows rows (the last may be shorter); a block holds a
// fixed number of int64 columns, each packed at the narrowest width that holds it, relative to a
// base if that helps. Every value can be read without its neighbours:
//
//   count-1 : u8 | per column: width 0…64, bit 7 "has base" : u8 | bases : i64 each | columns' bits
//
// Columns begin at byte boundaries; row i of a column of width w lies at its bits [i·w, i·w + w),
// least significant first. Widths 58 to 63 are stored as 64, so that one unaligned 8-byte load
// always suffices; a reader may load up to 7 bytes past a block.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "core/store/unpack.h"

namespace weft::store {

inline constexpr uint32_t kBlockRows = 128;
inline constexpr size_t kReadSlack = 8;  // bytes that must be readable past any block

// Appends one block of 1 … kBlockRows rows to `out`. columns[c] points to `rows` values.
void pack_block(std::span<const int64_t* const> columns, uint32_t rows, std::string& out);

// A view of one block for reading; it does not own the bytes. A default one is a block of zeros.
template <int kColumns>
class BlockView {
 public:
  // Opens a block, in place since a view is large; false if it is malformed or exceeds `bytes` less
  // kReadSlack. Then, as by default, this is a block of zeros.
  bool open(std::span<const std::byte> bytes) {
    if (parse(bytes)) return true;
    *this = {};
    return false;
  }

  // Makes it the block that stands for one that cannot be read: zeros before all time, where no
  // range finds them. (Column 0 of every table is a begin.)
  void lose() {
    *this = {};
    columns_[0].base = uint64_t{1} << 63;
  }
  bool is_lost() const { return size_bytes_ == 0; }

  uint32_t rows() const { return rows_; }
  size_t size_bytes() const { return size_bytes_; }

  int64_t get(int column, uint32_t row) const { return columns_[column].get(row); }

  const PackedColumn& column(int column) const { return columns_[column]; }

  // Unpacks rows [first, first + count) of one column into `out`.
  void get_range(int column, uint32_t first, uint32_t count, int64_t* out) const {
    unpack(columns_[column], readable_end_, first, count, out);
  }

 private:
  bool parse(std::span<const std::byte> bytes) {
    constexpr size_t kHead = 1 + kColumns;
    if (bytes.size() < kHead + kReadSlack) return false;
    const auto* p = reinterpret_cast<const uint8_t*>(bytes.data());
    rows_ = static_cast<uint32_t>(p[0]) + 1;
    if (rows_ > kBlockRows) return false;
    size_t at = kHead;
    for (int c = 0; c < kColumns; ++c) {
      PackedColumn& column = columns_[c];
      column.width = p[1 + c] & 0x7F;
      if (column.width > 64 || (column.width > 57 && column.width < 64)) return false;
      column.mask = column.width == 64 ? ~uint64_t{0} : (uint64_t{1} << column.width) - 1;
      column.base = 0;
      if ((p[1 + c] & 0x80) == 0) continue;
      if (at + 8 + kReadSlack > bytes.size()) return false;
      std::memcpy(&column.base, p + at, 8);
      at += 8;
    }
    for (PackedColumn& column : columns_) {
      column.data = p + at;
      at += (size_t{rows_} * column.width + 7) / 8;
    }
    size_bytes_ = at;
    readable_end_ = p + bytes.size();
    return at + kReadSlack <= bytes.size();
  }

  uint32_t rows_ = kBlockRows;
  size_t size_bytes_ = 0;
  const uint8_t* readable_end_ = nullptr;
  std::array<PackedColumn, kColumns> columns_{};
};

// The location of a table in its segment: an array of u64 block offsets, one per kBlockRows rows.
struct TableRef {
  uint64_t rows = 0;
  uint64_t offsets_at = 0;
  uint64_t blocks() const { return (rows + kBlockRows - 1) / kBlockRows; }
};

}  // namespace weft::store
