// Packed columns: the one encoding of the store, for records and for tree nodes alike.
//
// A table is a sequence of blocks of kBlockRows rows (the last may be shorter); a block holds a
// fixed number of int64 columns, each packed at the narrowest width that holds it, with or without
// a base to subtract. Any value is read by itself, without its neighbours:
//
//   count-1 : u8 | per column: width 0…64, bit 7 "has base" : u8 | bases : i64 each | columns' bits
//
// Columns begin at byte boundaries; row i of a column of width w lies at its bits [i·w, i·w + w),
// least significant first. Widths 58 to 63 are stored as 64, so that one unaligned 8-byte load
// always suffices; a reader may load up to 7 bytes past a block.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>

namespace weft::store {

inline constexpr uint32_t kBlockRows = 128;
inline constexpr size_t kReadSlack = 8;  // bytes that must be readable past any block

// Appends one block of 1 … kBlockRows rows to `out`. columns[c] points to `rows` values.
void pack_block(std::span<const int64_t* const> columns, uint32_t rows, std::string& out);

// One block, opened for reading. Does not own the bytes. Default: a block of zeros.
template <int kColumns>
class BlockView {
 public:
  // Checks that the block lies within `bytes` less the slack; nothing where it does not.
  static std::optional<BlockView> open(std::span<const std::byte> bytes) {
    constexpr size_t kHead = 1 + kColumns;
    if (bytes.size() < kHead + kReadSlack) return std::nullopt;
    const auto* p = reinterpret_cast<const uint8_t*>(bytes.data());
    BlockView view;
    view.rows_ = static_cast<uint32_t>(p[0]) + 1;
    if (view.rows_ > kBlockRows) return std::nullopt;
    size_t at = kHead;
    for (int c = 0; c < kColumns; ++c) {
      const uint32_t width = p[1 + c] & 0x7F;
      if (width > 64 || (width > 57 && width < 64)) return std::nullopt;
      view.width_[c] = width;
      view.mask_[c] = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
      if ((p[1 + c] & 0x80) == 0) continue;
      if (at + 8 + kReadSlack > bytes.size()) return std::nullopt;
      std::memcpy(&view.base_[c], p + at, 8);
      at += 8;
    }
    for (int c = 0; c < kColumns; ++c) {
      view.data_[c] = p + at;
      at += (size_t{view.rows_} * view.width_[c] + 7) / 8;
    }
    if (at + kReadSlack > bytes.size()) return std::nullopt;
    view.size_bytes_ = at;
    return view;
  }

  uint32_t rows() const { return rows_; }
  size_t size_bytes() const { return size_bytes_; }

  int64_t get(int column, uint32_t row) const {
    const size_t bit = size_t{row} * width_[column];
    uint64_t word = 0;
    std::memcpy(&word, data_[column] + (bit >> 3), 8);
    return static_cast<int64_t>(((word >> (bit & 7)) & mask_[column]) +
                                static_cast<uint64_t>(base_[column]));
  }

  // Rows [first, first + count) of one column.
  void get_range(int column, uint32_t first, uint32_t count, int64_t* out) const {
    const uint32_t width = width_[column];
    const uint64_t mask = mask_[column];
    const auto base = static_cast<uint64_t>(base_[column]);
    const uint8_t* data = data_[column];
    size_t bit = size_t{first} * width;
    for (uint32_t i = 0; i < count; ++i, bit += width) {
      uint64_t word = 0;
      std::memcpy(&word, data + (bit >> 3), 8);
      out[i] = static_cast<int64_t>(((word >> (bit & 7)) & mask) + base);
    }
  }

 private:
  // Where nothing was opened, every column reads this.
  static constexpr uint8_t kZeros[8] = {};

  uint32_t rows_ = kBlockRows;
  size_t size_bytes_ = 0;
  std::array<uint32_t, kColumns> width_{};
  std::array<uint64_t, kColumns> mask_{};
  std::array<int64_t, kColumns> base_{};
  std::array<const uint8_t*, kColumns> data_ = filled(kZeros);

  static constexpr std::array<const uint8_t*, kColumns> filled(const uint8_t* p) {
    std::array<const uint8_t*, kColumns> a{};
    a.fill(p);
    return a;
  }
};

// Where a table lies in its segment: an array of u64 block offsets, one for each kBlockRows rows.
struct TableRef {
  uint64_t rows = 0;
  uint64_t offsets_at = 0;
  uint64_t blocks() const { return (rows + kBlockRows - 1) / kBlockRows; }
};

}  // namespace weft::store
