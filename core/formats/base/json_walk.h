// Steps over the text of JSON, of which no tree is made.
//
// `measured` is the one look at all of it: how far it is JSON, and where its long containers end.
// Afterwards what is known to be whole is passed over by its quotes and brackets alone. All text
// must be followed by chrome_json::kTextPadding zero bytes; a zero byte ends every step, so that
// text which changes meanwhile (a mapped file) gives other values and nothing worse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace weft::formats::json {

inline constexpr size_t kMostDepth = 1024;

// Where long containers end, of those that are shorter than all others only as far as the memory
// goes: they are passed over by looking at their text.
class LongContainers {
 public:
  LongContainers(size_t text_bytes, uint64_t memory_bytes);

  void add(const char* begin, const char* end);
  void sort();
  size_t shortest() const { return shortest_; }  // all that are as long are there
  const char* end_of(const char* begin) const;   // null: it is none of them

 private:
  struct Container {
    const char* begin;
    const char* end;
  };
  size_t most_;
  size_t shortest_;
  std::vector<Container> containers_;
};

// How far a text is JSON.
struct Extent {
  enum class End : uint8_t { kWhole, kCut, kBroken, kTooDeep };
  End how = End::kWhole;
  // Behind the value; where there is no whole one, behind its last whole part.
  const char* end = nullptr;
  const char* fault = nullptr;    // the byte that breaks it, or the end of the text that is cut
  std::vector<const char*> open;  // containers that are not closed there, the outermost first
};
Extent measured(std::string_view text, LongContainers& longs);

const char* skip_space(const char* p);
// Behind the scalar or the string at `p`.
const char* skip_scalar(const char* p);
const char* skip_string(const char* p);
// Behind the array or object at `p`; null where it does not end before `limit`.
const char* skip_container(const char* p, const char* limit);

}  // namespace weft::formats::json
