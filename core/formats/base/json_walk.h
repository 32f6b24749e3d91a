// Skips over JSON text without building a tree.
//
// `measured` scans all of it once: how far it is valid, and where its long containers end.
// Afterwards valid parts are skipped by their quotes and brackets alone. Text must be followed by
// json::kTextPadding zero bytes; a zero byte ends every step, so that text which changes meanwhile
// (a mapped file) gives other values and nothing worse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/formats/base/json_cursor.h"

namespace weft::formats::json {

inline constexpr size_t kMostDepth = 1024;

// The ends of the longest containers, as many as memory permits. Shorter ones are skipped by
// scanning their text.
class LongContainers {
 public:
  LongContainers(size_t text_bytes, uint64_t memory_bytes);

  void add(const char* begin, const char* end);
  void sort();
  size_t shortest() const { return shortest_; }  // all containers at least this long are known
  const char* end_of(const char* begin) const;   // null: not known

 private:
  struct Container {
    const char* begin;
    const char* end;
  };
  size_t most_;
  size_t shortest_;
  std::vector<Container> containers_;
};

// How far a text is valid JSON.
struct Extent {
  enum class End : uint8_t { kWhole, kCut, kBroken, kTooDeep };
  End how = End::kWhole;
  // The end of the value or, if it is incomplete, of its last whole part.
  const char* end = nullptr;
  const char* fault = nullptr;    // the offending byte, or the end of truncated text
  std::vector<const char*> open;  // containers open there, outermost first
};
Extent measured(std::string_view text, LongContainers& longs);

const char* skip_space(const char* p);
// Returns the position after the scalar or string at `p`.
const char* skip_scalar(const char* p);
const char* skip_string(const char* p);
// The same to the end of the string, checked as Cursor::string() does and with what that tells, but
// for the hash.
bool pass_string(Cursor& cursor, RawString& out);
// Returns the position after the array or object at `p`; null if it does not end before `limit`.
const char* skip_container(const char* p, const char* limit);

}  // namespace weft::formats::json
