#include "core/store/packed.h"

#include <algorithm>

namespace weft::store {
namespace {

struct Coding {
  uint32_t width = 0;
  bool has_base = false;
  int64_t base = 0;
};

uint32_t stored_width(uint64_t largest) {
  const auto width = static_cast<uint32_t>(std::bit_width(largest));
  return width > 57 ? 64 : width;
}

Coding choose_coding(const int64_t* values, uint32_t rows) {
  int64_t least = values[0];
  int64_t most = values[0];
  for (uint32_t i = 1; i < rows; ++i) {
    least = std::min(least, values[i]);
    most = std::max(most, values[i]);
  }
  const uint32_t plain = least < 0 ? 64 : stored_width(static_cast<uint64_t>(most));
  const uint32_t based = stored_width(static_cast<uint64_t>(most) - static_cast<uint64_t>(least));
  if (size_t{rows} * (plain - based) > 64) return {based, true, least};
  return {plain, false, 0};
}

void pack_column(const int64_t* values, uint32_t rows, const Coding& coding, std::string& out) {
  const auto base = static_cast<uint64_t>(coding.base);
  if (coding.width == 0) return;
  if (coding.width == 64) {
    for (uint32_t i = 0; i < rows; ++i) {
      const uint64_t v = static_cast<uint64_t>(values[i]) - base;
      out.append(reinterpret_cast<const char*>(&v), 8);
    }
    return;
  }
  char buffer[kBlockRows * 8 + 8];
  size_t used = 0;
  uint64_t word = 0;
  uint32_t filled = 0;
  for (uint32_t i = 0; i < rows; ++i) {
    const uint64_t v = static_cast<uint64_t>(values[i]) - base;
    word |= v << filled;
    filled += coding.width;
    if (filled >= 64) {
      std::memcpy(buffer + used, &word, 8);
      used += 8;
      filled -= 64;
      word = filled == 0 ? 0 : v >> (coding.width - filled);
    }
  }
  std::memcpy(buffer + used, &word, 8);
  used += (filled + 7) / 8;
  out.append(buffer, used);
}

}  // namespace

void pack_block(std::span<const int64_t* const> columns, uint32_t rows, std::string& out) {
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

}  // namespace weft::store
