// Parses one event's JSON object into fields. Values stay text until their kind matters.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/text_arena.h"
#include "core/formats/base/json_cursor.h"
#include "core/formats/general/chrome_json/plain_time.h"

namespace weft::formats::chrome_json {

// A process or thread id. The format allows numbers and strings; "7" and 7 are the same.
struct Ident {
  int64_t number = 0;
  std::string_view text;  // if the id is not an integer; otherwise empty
  bool operator==(const Ident&) const = default;
};

enum class TimeField : uint8_t { kAbsent, kOk, kOutOfRange, kNoNumber };

// A member without a field of its own.
struct Extra {
  json::RawString name;
  json::RawValue value;
};

// The members that few events have.
struct RareFields {
  char bind = 0;               // "bp": 'e'
  char scope = 0;              // "s" of instants: 't', 'p', 'g'
  json::RawValue id;           // "id"
  json::RawValue id2;          // {"local": …} or {"global": …}
  json::RawValue id_scope;     // "scope"
  json::RawValue stack_frame;  // "sf"
  json::RawValue color;        // "cname"
  std::vector<Extra> extras;
};

// Views into the text that was parsed. What it writes with needless escapes is spelled plainly
// (plain_spelling.h): texts that mean the same are the same.
struct RawEvent {
  char phase = 0;  // 'X', 'B', …, of a longer text the first; 0: absent or no text
  TimeField ts_field = TimeField::kAbsent;
  TimeField dur_field = TimeField::kAbsent;
  bool is_empty = false;  // {}: no member at all
  bool is_key_repeated = false;
  bool has_tid = false;
  bool is_plain = true;  // has no rare fields
  DecimalTime ts;
  DecimalTime dur;
  Ident pid;
  Ident tid;
  json::RawString name;
  json::RawString category;
  json::RawValue args;
  std::string_view dur_text;
  RareFields rare;

  void reset();
};

// Parses one event after another. Remembers the names of the members of the event before, because
// the next one mostly has the same in the same order: then a name costs one comparison.
class EventParser {
 public:
  // `texts` keeps what is spelled in another way than in the text that is parsed. `origin_us` is
  // subtracted from times too large for nanoseconds; 0: none.
  explicit EventParser(TextArena& texts, int64_t origin_us = 0)
      : texts_(texts), origin_us_(origin_us) {}

  // Parses an event from its opening brace. On success the cursor is after the closing one; on
  // failure at the offending byte.
  bool parse(json::Cursor& cursor, RawEvent& event);

  // A name as written, with its quote and colon, in one word.
  struct Expected {
    uint64_t word = 1;  // matches nothing: the mask is 0
    uint64_t mask = 0;
    uint32_t skip = 0;  // from the opening quote to the value
    uint32_t field = 0;
  };

  // By position in the event.
  using Names = std::array<Expected, 16>;

 private:
  Names names_;
  TextArena& texts_;
  int64_t origin_us_;
};

// Returns the first time of a text that begins with events, if nanoseconds cannot represent any of
// the first few: what is written as microseconds was counted in a smaller unit, or from long ago.
// Otherwise 0.
int64_t far_origin_in(std::string_view text);

// Returns the integer or text of a "pid" or "tid" value.
Ident ident_from(const json::RawValue& value);

// Whether an object that begins with this text ({, white space, a name) looks like an event's.
bool looks_like_event(const char* brace);

}  // namespace weft::formats::chrome_json
