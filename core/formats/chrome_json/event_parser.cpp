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

const char* skip_space(const char* p) {
  while (is_space(*p)) ++p;
  return p;
}

// Parses members one by one. Positions travel in registers: each step takes the place where it
// begins and gives the one behind it, or null; then broken() is what broke it.
class MemberParser {
 public:
  explicit MemberParser(RawEvent& event) : event_(event) {}

  const char* broken() const { return broken_; }
  const char* break_at(const char* p) {
    broken_ = p;
    return nullptr;
  }

  // At the opening quote of a member's name.
  const char* member(const char* name) {
    size_t length = 0;
    const uint64_t key_word = short_key(name, length);
    if (key_word == 0 || name[length] == '\\') return extra(name);  // an escaped quote is no end
    const char* p = name + length + 2;
    if (*p != ':') p = skip_space(p);
    if (*p != ':') return break_at(p);
    p = skip_space(p + 1);
    switch (key_word) {
      case key("ph"):
        return once(kPh), character(p, event_.phase);
      case key("ts"):
        return once(kTs), time(p, event_.ts, event_.ts_field);
      case key("dur"):
        return once(kDur), duration(p);
      case key("pid"):
        return once(kPid), ident(p, event_.pid);
      case key("tid"):
        return once(kTid), event_.has_tid = true, ident(p, event_.tid);
      case key("name"):
        return once(kName), string(p, event_.name);
      case key("cat"):
        return once(kCat), string(p, event_.category);
      case key("args"):
        return once(kArgs), value(p, event_.args);
      case key("id"):
        return rare(kId), value(p, event_.rare.id);
      case key("id2"):
        return rare(kId2), value(p, event_.rare.id2);
      case key("scope"):
        return rare(kScope), value(p, event_.rare.id_scope);
      case key("bp"):
        return rare(kBp), character(p, event_.rare.bind);
      case key("s"):
        return rare(kS), character(p, event_.rare.scope);
      case key("cname"):
        return rare(kCname), value(p, event_.rare.color);
      case key("sf"):
        return rare(kSf), value(p, event_.rare.stack_frame);
      default:
        return extra(name);
    }
  }

 private:
  void once(Seen bit) {
    event_.is_key_repeated |= (seen_ & bit) != 0;
    seen_ |= bit;
  }
  void rare(Seen bit) {
    event_.is_plain = false;
    once(bit);
  }

  const char* value(const char* p, RawValue& out) {
    Cursor cursor(p);
    return cursor.value(out) ? cursor.p : break_at(cursor.p);
  }

  const char* string(const char* p, RawString& out) {
    if (*p == '"') return scan_string(p, out, broken_);
    RawValue other;
    p = value(p, other);
    if (p != nullptr && other.text != "null") {
      out = {other.text, hash_text(other.text), other.traits};
    }
    return p;
  }

  const char* time(const char* p, DecimalTime& out, TimeField& field) {
    if (const char* behind = scan_plain_time(p, out)) {
      field = TimeField::kOk;
      return behind;
    }
    return odd_time(p, out, field);
  }

  const char* odd_time(const char* p, DecimalTime& out, TimeField& field) {
    RawValue other;
    p = value(p, other);
    if (p == nullptr) return nullptr;
    switch (parse_decimal_time(other.inner(), out)) {
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
    return p;
  }

  const char* duration(const char* begin) {
    const char* p = time(begin, event_.dur, event_.dur_field);
    if (p != nullptr) event_.dur_text = {begin, static_cast<size_t>(p - begin)};
    return p;
  }

  const char* ident(const char* p, Ident& out) {
    const Digits digits = leading_digits(load8(p));
    const char* const behind = p + digits.count;
    const bool is_plain = digits.count > 0 && digits.count < 8 && (*p != '0' || digits.count == 1);
    if (is_plain && (*behind == ',' || *behind == '}' || is_space(*behind))) {
      out = {digits.value, {}};
      return behind;
    }
    RawValue other;
    p = value(p, other);
    if (p != nullptr) out = ident_from(other);
    return p;
  }

  // A string of one character; 0 for anything else.
  const char* character(const char* p, char& out) {
    if (p[0] == '"' && p[1] != '"' && p[1] != '\\' && static_cast<uint8_t>(p[1]) >= 0x20 &&
        p[2] == '"') {
      out = p[1];
      return p + 3;
    }
    out = 0;
    RawValue other;
    return value(p, other);
  }

  const char* extra(const char* name) {
    event_.is_plain = false;
    Cursor cursor(name);
    Extra extra;
    if (!cursor.string(extra.name) || !cursor.take(':')) return break_at(cursor.p);
    cursor.skip_space();
    if (!cursor.value(extra.value)) return break_at(cursor.p);
    event_.rare.extras.push_back(extra);
    return cursor.p;
  }

  RawEvent& event_;
  const char* broken_ = nullptr;
  uint32_t seen_ = 0;
};

const char* parse_members(const char* p, MemberParser& members) {
  p = skip_space(p);
  if (*p == '}') return p + 1;
  for (;;) {
    if (*p != '"') return members.break_at(p);
    p = members.member(p);
    if (p == nullptr) return nullptr;
    p = skip_space(p);
    if (*p == '}') return p + 1;
    if (*p != ',') return members.break_at(p);
    p = skip_space(p + 1);
  }
}

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
  MemberParser members(event);
  const char* const behind = parse_members(cursor.p + 1, members);
  cursor.p = behind != nullptr ? behind : members.broken();
  return behind != nullptr;
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
