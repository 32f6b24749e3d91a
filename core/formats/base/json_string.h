// The scan of a JSON string, for those who want its hash and for those who do not.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/formats/base/json_cursor.h"
#include "core/formats/base/short_text.h"

namespace weft::formats::json {

// The hash of nothing: what a scan needs of a hash.
struct NoHash {
  void take_block(const char*) {}         // 16 bytes
  void take_tail(const char*, size_t) {}  // fewer, before a quote or an escape
  void take_escaped(char) {}
};

// Scans the string whose quote stands at `p`; sets its text and traits. Returns the position after
// its last quote; null if it is broken, which it is at `broken`.
template <class Hash>
const char* scan_string(const char* p, RawString& out, const char*& broken, Hash& hash) {
  broken = p;
  if (*p != '"') return nullptr;
  const char* const begin = ++p;
  uint32_t seen_non_ascii = 0;
  uint8_t traits = 0;
  for (;;) {
    uint32_t non_ascii = 0;
    const uint32_t special = special_bytes(p, non_ascii);
    if (special == 0) {
      hash.take_block(p);
      seen_non_ascii |= non_ascii;
      p += 16;
      continue;
    }
    const auto n = static_cast<size_t>(std::countr_zero(special));
    hash.take_tail(p, n);
    seen_non_ascii |= non_ascii & ((1u << n) - 1);
    p += n;
    if (*p == '"') break;
    traits |= kHasEscape;
    if (*p != '\\' || p[1] == 0) {
      broken = *p == '\\' ? p + 1 : p;
      return nullptr;
    }
    hash.take_escaped(p[1]);
    p += 2;
  }
  if (seen_non_ascii != 0) traits |= kHasNonAscii;
  out.text = {begin, static_cast<size_t>(p - begin)};
  out.traits = traits;
  return p + 1;
}

}  // namespace weft::formats::json
