// One event's JSON object → its fields. Values stay text until their kind is known to matter.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/formats/general/chrome_json/json_cursor.h"
#include "core/formats/general/chrome_json/plain_time.h"

namespace weft::formats::chrome_json {

// A process or thread id. The format allows numbers and strings; "7" and 7 are the same.
struct Ident {
  int64_t number = 0;
  std::string_view text;  // of an id that is no integer; else empty
  bool operator==(const Ident&) const = default;
};

enum class TimeField : uint8_t { kAbsent, kOk, kOutOfRange, kNoNumber };

// A member that has no field of its own.
struct Extra {
  RawString name;
  RawValue value;
};

// The members that few events have.
struct RareFields {
  char bind = 0;         // "bp": 'e'
  char scope = 0;        // "s" of instants: 't', 'p', 'g'
  RawValue id;           // "id"
  RawValue id2;          // {"local": …} or {"global": …}
  RawValue id_scope;     // "scope"
  RawValue stack_frame;  // "sf"
  RawValue color;        // "cname"
  std::vector<Extra> extras;
};

// Views into the text that was parsed.
struct RawEvent {
  char phase = 0;  // 'X', 'B', …; 0: absent or no single character
  TimeField ts_field = TimeField::kAbsent;
  TimeField dur_field = TimeField::kAbsent;
  bool is_empty = false;  // {}: no member at all
  bool is_key_repeated = false;
  bool has_tid = false;
  bool is_plain = true;  // has none of the rare fields
  DecimalTime ts;
  DecimalTime dur;
  Ident pid;
  Ident tid;
  RawString name;
  RawString category;
  RawValue args;
  std::string_view dur_text;
  RareFields rare;

  void reset();
};

// Parses one event after another. Remembers the names of the members of the event before, because
// the next one mostly has the same in the same order: then a name costs one comparison.
class EventParser {
 public:
  // `origin_us`: what times count from that are too large for nanoseconds; 0: there are none.
  explicit EventParser(int64_t origin_us = 0) : origin_us_(origin_us) {}

  // At an opening brace. On success the cursor is behind the closing one; on failure it is at the
  // byte that broke the event.
  bool parse(Cursor& cursor, RawEvent& event);

  // A name as it stands in the text, with its quote and colon behind it, in one word.
  struct Expected {
    uint64_t word = 1;  // matches nothing: the mask is 0
    uint64_t mask = 0;
    uint32_t skip = 0;  // from the opening quote to the value
    uint32_t field = 0;
  };

  // By the place in the event.
  using Names = std::array<Expected, 16>;

 private:
  Names names_;
  int64_t origin_us_;
};

// The first time of a text that begins with events, where nanoseconds have no room for any of the
// first few: what is written as microseconds was counted in a smaller unit, or from long ago. Else
// 0.
int64_t far_origin_in(std::string_view text);

// The integer or text that a value of "pid" or "tid" stands for.
Ident ident_from(const RawValue& value);

// Whether an object that begins with this text ({, white space, a name) looks like an event's.
bool looks_like_event(const char* brace);

}  // namespace weft::formats::chrome_json
