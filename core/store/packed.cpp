#include "core/store/packed.h"

#include <algorithm>
#include <bit>

namespace weft::store {
namespace {

struct Coding {
  uint32_t width = 0;
  bool has_base = false;
  int64_t base = 0;
};

constexpr uint32_t kMostWidth = 57;  // with up to 7 bits before it, a field fits a word

uint32_t stored_width(uint64_t largest) {
  const auto width = static_cast<uint32_t>(std::bit_width(largest));
  return width > kMostWidth ? 64 : width;
}

[[gnu::always_inline]] inline bool are_equal(const int64_t* values, uint32_t rows) {
  int64_t differing = 0;
  for (uint32_t i = 1; i < rows; ++i) differing |= values[i] ^ values[0];
  return differing == 0;
}

[[gnu::always_inline]] inline Coding choose_coding(const int64_t* values, uint32_t rows) {
  int64_t least = values[0];
  int64_t most = values[0];
  // Half of all columns hold one value throughout; finding that out is cheap.
  if (!are_equal(values, rows)) {
    for (uint32_t i = 1; i < rows; ++i) {
      least = std::min(least, values[i]);
      most = std::max(most, values[i]);
    }
  }
  const uint32_t plain = least < 0 ? 64 : stored_width(static_cast<uint64_t>(most));
  const uint32_t based = stored_width(static_cast<uint64_t>(most) - static_cast<uint64_t>(least));
  if (size_t{rows} * (plain - based) > 64) return {based, true, least};
  return {plain, false, 0};
}

[[gnu::always_inline]] inline void pack_column(const int64_t* values, uint32_t rows,
                                               const Coding& coding, std::string& out) {
  if (coding.width == 0) return;
  uint64_t spaces[2][kBlockRows];
  uint64_t* fields = spaces[0];
  const auto base = static_cast<uint64_t>(coding.base);
  for (uint32_t i = 0; i < rows; ++i) fields[i] = static_cast<uint64_t>(values[i]) - base;
  if (coding.width == 64) {
    out.append(reinterpret_cast<const char*>(fields), rows * sizeof(uint64_t));
    return;
  }
  // Neighbours are joined while two fit a word: that leaves fewer words to write.
  uint32_t width = coding.width;
  uint32_t count = rows;
  uint64_t* joined = spaces[1];
  for (; 2 * width <= kMostWidth; width *= 2, count = (count + 1) / 2) {
    if (count % 2 != 0) fields[count] = 0;
    for (size_t i = 0; 2 * i < count; ++i) joined[i] = fields[2 * i] | fields[2 * i + 1] << width;
    std::swap(fields, joined);
  }
  // Each word has the last bits of the field before it, whose byte it shares.
  char buffer[kBlockRows * 8 + 8];
  uint64_t before = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t bit = i * width;
    const uint64_t word = fields[i] << bit % 8 | before >> (width - bit % 8);
    std::memcpy(buffer + bit / 8, &word, sizeof word);
    before = fields[i];
  }
  out.append(buffer, (size_t{rows} * coding.width + 7) / 8);
}

[[gnu::always_inline]] inline void pack(std::span<const int64_t* const> columns, uint32_t rows,
                                        std::string& out) {
  Coding codings[16];
  out.push_back(static_cast<char>(rows - 1));
  for (size_t c = 0; c < columns.size(); ++c) {
    codings[c] = choose_coding(columns[c], rows);
    out.push_back(static_cast<char>(codings[c].width | (codings[c].has_base ? 0x80u : 0u)));
  }
  for (size_t c = 0; c < columns.size(); ++c) {
    if (codings[c].has_base) out.append(reinterpret_cast<const char*>(&codings[c].base), 8);
  }
  for (size_t c = 0; c < columns.size(); ++c) pack_column(columns[c], rows, codings[c], out);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void pack_avx2(std::span<const int64_t* const> columns,
                                               uint32_t rows, std::string& out) {
  pack(columns, rows, out);
}
#endif

}  // namespace

void pack_block(std::span<const int64_t* const> columns, uint32_t rows, std::string& out) {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx2) return pack_avx2(columns, rows, out);
#endif
  pack(columns, rows, out);
}

}  // namespace weft::store
