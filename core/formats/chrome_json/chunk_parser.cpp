// parse_chunk(): the text of a chunk → its results; and finding the way back after a damaged event.
#include <algorithm>
#include <cstring>

#include "core/formats/chrome_json/chunk.h"
#include "core/formats/chrome_json/event_builder.h"

namespace weft::formats::chrome_json {
namespace {

// How far a damaged event may reach until the way back is found by looks instead of by braces.
constexpr size_t kMostDamage = 64 << 10;

char next_token(const char* p) {
  Cursor cursor(p);
  cursor.skip_space();
  return *cursor.p;
}

// The first place from `from` on where an event seems to begin: a brace behind a comma, with a
// member of an event in it. Null where there is none.
const char* find_event(const char* from, const char* end) {
  for (const char* p = from; p < end; ++p) {
    p = static_cast<const char*>(std::memchr(p, '{', static_cast<size_t>(end - p)));
    if (p == nullptr) return nullptr;
    const char* before = p - 1;
    while (before > from && is_space(*before)) --before;
    if (*before == ',' && looks_like_event(p)) return p;
  }
  return nullptr;
}

// The first bracket from `from` on that seems to close the array of events; `end` if there is none.
const char* find_array_end(const char* from, const char* end) {
  for (const char* p = from; p < end; ++p) {
    p = static_cast<const char*>(std::memchr(p, ']', static_cast<size_t>(end - p)));
    if (p == nullptr) break;
    const char next = next_token(p + 1);
    if (next == '}' || next == ',' || next == 0) return p;
  }
  return end;
}

// Where to go on after an event that begins at `begin` and broke at `broken`.
const char* find_way_back(const char* begin, const char* broken, const char* end) {
  Cursor cursor(begin);
  if (*begin == '{' && cursor.skip_braces(kMostDamage)) {
    const char next = next_token(cursor.p);
    if (next == ',' || next == ']' || next == 0) return cursor.p;
  }
  const char* event = find_event(std::max(broken, begin + 1), end);
  return event != nullptr ? event : find_array_end(broken, end);
}

}  // namespace

void parse_chunk(Chunk& chunk, char default_phase) {
  ChunkResults& results = chunk.results;
  results.clear();
  const char* const begin = chunk.text.data();
  const char* const end = begin + chunk.text.size();
  EventBuilder builder(results, default_phase);
  RawEvent event;
  RawValue element;
  Cursor cursor(begin);
  for (;;) {
    while (is_space(*cursor.p) || *cursor.p == ',') ++cursor.p;
    const char* const start = cursor.p;
    const auto offset = chunk.offset + static_cast<uint64_t>(start - begin);
    results.parsed_bytes = static_cast<size_t>(start - begin);
    if (start == end) return;
    if (*start == ']') {
      results.end = ChunkEnd::kArrayEnd;
      return;
    }
    if (*start == '{' ? parse_event(cursor, event) : cursor.value(element)) {
      if (*start == '{') {
        builder.add(event, offset);
      } else {
        results.losses.add(LossKind::kNoObject, offset);
      }
      continue;
    }
    if (cursor.p >= end) {
      results.end = ChunkEnd::kIncomplete;
      return;
    }
    results.losses.add(LossKind::kMalformed, offset);
    cursor.p = find_way_back(start, cursor.p, end);
  }
}

}  // namespace weft::formats::chrome_json
