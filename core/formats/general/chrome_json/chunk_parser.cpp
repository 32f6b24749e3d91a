// parse_chunk(): the text of a chunk → its results; and finding the way back after a damaged event.
#include <algorithm>
#include <cstring>

#include "core/formats/general/chrome_json/careless_json.h"
#include "core/formats/general/chrome_json/chunk.h"
#include "core/formats/general/chrome_json/event_builder.h"

namespace weft::formats::chrome_json {
namespace {

// How far a damaged event may reach until the way back is found by looks instead of by braces.
constexpr size_t kMostDamage = 64 << 10;
constexpr size_t kLeastDamage = 64;

char next_token(const char* p) {
  json::Cursor cursor(p);
  cursor.skip_space();
  return *cursor.p;
}

// The text around a damaged event.
struct Damage {
  const char* text;    // of the chunk
  const char* begin;   // of the event
  const char* broken;  // where it could not be read
  const char* end;     // of the text
  bool is_last;        // nothing comes behind the text
};

// The first place where an event seems to begin: a brace that is neither a member's value nor the
// first of a list, with a member of an event in it. Returns null if there is none.
const char* find_event(const Damage& damage) {
  for (const char* p = std::max(damage.broken, damage.begin + 1); p < damage.end; ++p) {
    p = static_cast<const char*>(std::memchr(p, '{', static_cast<size_t>(damage.end - p)));
    if (p == nullptr) return nullptr;
    const char* before = p - 1;
    while (before > damage.text && is_space(*before)) --before;
    if (*before != ':' && *before != '[' && looks_like_event(p)) return p;
  }
  return nullptr;
}

// The first bracket that seems to close the array of events; the text's end if there is none.
const char* find_array_end(const Damage& damage) {
  for (const char* p = damage.broken; p < damage.end; ++p) {
    p = static_cast<const char*>(std::memchr(p, ']', static_cast<size_t>(damage.end - p)));
    if (p == nullptr) break;
    const char next = next_token(p + 1);
    if (next == '}' || next == ',' || next == 0) return p;
  }
  return damage.end;
}

// Returns where to continue after a damaged event; null if that takes more text to tell, so that
// the answer does not depend on where the chunk ends. `most_damage` limits the bytes searched for
// the closing brace; it is halved after a failure, so that a file full of damage is not read over
// and over.
const char* find_way_back(const Damage& damage, size_t& most_damage) {
  json::Cursor cursor(damage.begin);
  if (*damage.begin == '{') {
    const auto skim = cursor.skim_object(most_damage);
    const bool is_in_vain = skim == json::Cursor::Skim::kTooFar;
    most_damage = is_in_vain ? std::max(most_damage / 2, kLeastDamage) : kMostDamage;
    if (skim == json::Cursor::Skim::kCut && cursor.p == damage.end && !damage.is_last)
      return nullptr;
    if (skim == json::Cursor::Skim::kClosed) {
      const char next = next_token(cursor.p);
      if (next == 0 && !damage.is_last) return nullptr;
      if (next == ',' || next == ']' || next == 0) return cursor.p;
    }
  }
  if (const char* event = find_event(damage)) return event;
  return damage.is_last ? find_array_end(damage) : nullptr;
}

// Whether the text is an event once it is mended; what `event` then has lives in `arena`, which
// keeps nothing else.
bool parse_mended(std::string_view text, TextArena& arena, EventParser& parser, RawEvent& event) {
  if (!text.starts_with('{') || text.size() > kMostDamage) return false;
  const std::string mended = mended_json(text) + std::string(json::kTextPadding, '\0');
  const auto is_event = [&](std::string_view padded) {
    json::Cursor cursor(&padded.front());
    return parser.parse(cursor, event) && cursor.p == &padded.back() - (json::kTextPadding - 1);
  };
  return is_event(mended) && is_event(arena.add(mended));
}

}  // namespace

void parse_chunk(Chunk& chunk, char default_phase) {
  ChunkResults& results = chunk.results;
  results.clear();
  results.is_unordered = chunk.is_unordered;
  results.table->start_chunk();
  const char* const begin = chunk.text.data();
  const char* const end = begin + chunk.text.size();
  EventBuilder builder(results, default_phase);
  EventParser parser(results.arena, chunk.origin_us);
  RawEvent event;
  json::RawValue element;
  json::Cursor cursor(begin);
  if (chunk.is_lost) {
    const Damage all = {begin, begin, begin, end, chunk.is_last};
    const char* event = find_event(all);
    cursor.p = event != nullptr ? event : chunk.is_last ? find_array_end(all) : end;
    if (cursor.p == end) {
      results.end = ChunkEnd::kLost;
      return;
    }
  }
  size_t most_damage = kMostDamage;
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
    if (*start == '{' ? parser.parse(cursor, event) : cursor.value(element)) {
      if (*start == '{') {
        builder.add(event, offset);
      } else {
        results.losses.add(LossKind::kNoObject, {offset});
      }
      continue;
    }
    const bool is_cut = cursor.p >= end;
    const char* const back =
        is_cut ? nullptr : find_way_back({begin, start, cursor.p, end, chunk.is_last}, most_damage);
    if (back == nullptr) {
      results.end = ChunkEnd::kIncomplete;
      return;
    }
    const std::string_view damaged(start, static_cast<size_t>(back - start));
    const bool is_mended = parse_mended(damaged, results.arena, parser, event);
    results.losses.add(is_mended ? LossKind::kMended : LossKind::kMalformed, {offset});
    if (is_mended) builder.add(event, offset);
    cursor.p = back;
  }
}

}  // namespace weft::formats::chrome_json
