#include "core/formats/chrome_json/event_parser.h"

#include <charconv>

namespace weft::formats::chrome_json {
namespace {

// A name of at most 7 characters as the integer that load8() gives, cut to its length.
consteval uint64_t key(std::string_view name) {
  uint64_t word = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    word |= static_cast<uint64_t>(static_cast<uint8_t>(name[i])) << (8 * i);
  }
  return word;
}

// The name of a member at its opening quote, where it is short and plain; 0 otherwise.
uint64_t short_key(const char* p, size_t& length) {
  const uint64_t word = load8(p + 1);
  const uint64_t quote = flag_equal(word, '"');
  if (quote == 0) return 0;
  length = first_flagged(quote);
  return low_bytes(word, length);
}

// Which members an event has had; bits.
enum Seen : uint32_t {
  kPh = 1 << 0,
  kTs = 1 << 1,
  kDur = 1 << 2,
  kPid = 1 << 3,
  kTid = 1 << 4,
  kName = 1 << 5,
  kCat = 1 << 6,
  kArgs = 1 << 7,
  kId = 1 << 8,
  kId2 = 1 << 9,
  kScope = 1 << 10,
  kBp = 1 << 11,
  kS = 1 << 12,
  kCname = 1 << 13,
  kSf = 1 << 14,
};

bool parse_string_field(Cursor& cursor, RawString& out) {
  if (*cursor.p == '"') return cursor.string(out);
  RawValue value;
  if (!cursor.value(value)) return false;
  out = {value.text, hash_text(value.text), value.traits};
  if (value.text == "null") out = {};
  return true;
}

bool parse_time_field(Cursor& cursor, DecimalTime& out, TimeField& field) {
  if (parse_plain_time(cursor, out)) {
    field = TimeField::kOk;
    return true;
  }
  RawValue value;
  if (!cursor.value(value)) return false;
  switch (parse_decimal_time(value.inner(), out)) {
    case DecimalStatus::kOk:
      field = TimeField::kOk;
      break;
    case DecimalStatus::kOutOfRange:
      field = TimeField::kOutOfRange;
      break;
    case DecimalStatus::kNoNumber:
      field = TimeField::kNoNumber;
      break;
  }
  return true;
}

bool parse_ident_field(Cursor& cursor, Ident& out) {
  const char* p = cursor.p;
  int64_t number = 0;
  while (is_digit(*p)) number = number * 10 + (*p++ - '0');
  const auto digits = p - cursor.p;
  const bool is_plain = digits > 0 && digits <= 18 && (*cursor.p != '0' || digits == 1);
  if (is_plain && (*p == ',' || *p == '}' || is_space(*p))) {
    out = {number, {}};
    cursor.p = p;
    return true;
  }
  RawValue value;
  if (!cursor.value(value)) return false;
  out = ident_from(value);
  return true;
}

// A string of one character; 0 for anything else.
bool parse_char_field(Cursor& cursor, char& out) {
  const char* p = cursor.p;
  if (p[0] == '"' && p[1] != '"' && p[1] != '\\' && static_cast<uint8_t>(p[1]) >= 0x20 &&
      p[2] == '"') {
    out = p[1];
    cursor.p = p + 3;
    return true;
  }
  RawValue value;
  out = 0;
  return cursor.value(value);
}

class MemberParser {
 public:
  MemberParser(Cursor& cursor, RawEvent& event) : cursor_(cursor), event_(event) {}

  // At the opening quote of a member's name.
  bool parse() {
    size_t length = 0;
    const char* const name = cursor_.p;
    const uint64_t key_word = short_key(name, length);
    if (key_word == 0 || !skip_colon(name + length + 2)) return parse_extra(name);
    switch (key_word) {
      case key("ph"):
        return once(kPh) && parse_char_field(cursor_, event_.phase);
      case key("ts"):
        return once(kTs) && parse_time_field(cursor_, event_.ts, event_.ts_field);
      case key("dur"):
        return once(kDur) && parse_duration();
      case key("pid"):
        return once(kPid) && parse_ident_field(cursor_, event_.pid);
      case key("tid"):
        event_.has_tid = true;
        return once(kTid) && parse_ident_field(cursor_, event_.tid);
      case key("name"):
        return once(kName) && parse_string_field(cursor_, event_.name);
      case key("cat"):
        return once(kCat) && parse_string_field(cursor_, event_.category);
      case key("args"):
        return once(kArgs) && cursor_.value(event_.args);
      case key("id"):
        return rare(kId) && cursor_.value(event_.rare.id);
      case key("id2"):
        return rare(kId2) && cursor_.value(event_.rare.id2);
      case key("scope"):
        return rare(kScope) && cursor_.value(event_.rare.id_scope);
      case key("bp"):
        return rare(kBp) && parse_char_field(cursor_, event_.rare.bind);
      case key("s"):
        return rare(kS) && parse_char_field(cursor_, event_.rare.scope);
      case key("cname"):
        return rare(kCname) && cursor_.value(event_.rare.color);
      case key("sf"):
        return rare(kSf) && cursor_.value(event_.rare.stack_frame);
      default:
        return parse_extra(name);
    }
  }

 private:
  // To the value behind a name that ends before `p`. A backslash before the quote is no end.
  bool skip_colon(const char* p) {
    if (p[-2] == '\\') return false;
    cursor_.p = p;
    if (!cursor_.take(':')) {
      cursor_.p = p;
      return false;
    }
    cursor_.skip_space();
    return true;
  }

  bool once(Seen bit) {
    event_.is_key_repeated |= (seen_ & bit) != 0;
    seen_ |= bit;
    return true;
  }

  bool rare(Seen bit) {
    event_.is_plain = false;
    return once(bit);
  }

  bool parse_duration() {
    const char* begin = cursor_.p;
    if (!parse_time_field(cursor_, event_.dur, event_.dur_field)) return false;
    event_.dur_text = {begin, static_cast<size_t>(cursor_.p - begin)};
    return true;
  }

  bool parse_extra(const char* name) {
    event_.is_plain = false;
    cursor_.p = name;
    Extra extra;
    if (!cursor_.string(extra.name) || !cursor_.take(':')) return false;
    cursor_.skip_space();
    if (!cursor_.value(extra.value)) return false;
    event_.rare.extras.push_back(extra);
    return true;
  }

  Cursor& cursor_;
  RawEvent& event_;
  uint32_t seen_ = 0;
};

}  // namespace

void RawEvent::reset() {
  if (!is_plain) {
    std::vector<Extra> extras = std::move(rare.extras);  // keeps its memory
    extras.clear();
    rare = {};
    rare.extras = std::move(extras);
  }
  phase = 0;
  ts_field = dur_field = TimeField::kAbsent;
  is_key_repeated = has_tid = false;
  is_plain = true;
  ts = dur = {};
  pid = tid = {};
  name = category = {};
  args.text = dur_text = {};
  args.traits = 0;
}

bool parse_event(Cursor& cursor, RawEvent& event) {
  event.reset();
  MemberParser members(cursor, event);
  ++cursor.p;
  cursor.skip_space();
  if (*cursor.p == '}') {
    ++cursor.p;
    return true;
  }
  for (;;) {
    if (*cursor.p != '"' || !members.parse()) return false;
    cursor.skip_space();
    if (*cursor.p == '}') break;
    if (*cursor.p != ',') return false;
    ++cursor.p;
    cursor.skip_space();
  }
  ++cursor.p;
  return true;
}

Ident ident_from(const RawValue& value) {
  const std::string_view text = value.inner();
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_integer = error == std::errc() && end == text.data() + text.size();
  if (is_integer) return {number, {}};
  return {0, text};
}

bool looks_like_event(const char* brace) {
  Cursor cursor(brace + 1);
  cursor.skip_space();
  if (*cursor.p != '"') return false;
  size_t length = 0;
  switch (short_key(cursor.p, length)) {
    case key("ph"):
    case key("ts"):
    case key("dur"):
    case key("pid"):
    case key("tid"):
    case key("name"):
    case key("cat"):
    case key("args"):
    case key("id"):
    case key("id2"):
    case key("tts"):
    case key("tdur"):
    case key("cname"):
    case key("bp"):
    case key("s"):
      return true;
    default:
      return false;
  }
}

}  // namespace weft::formats::chrome_json
