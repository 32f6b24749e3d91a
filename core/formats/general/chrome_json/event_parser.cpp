#include "core/formats/general/chrome_json/event_parser.h"

#include "core/formats/base/text.h"
#include "core/formats/general/chrome_json/plain_spelling.h"

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
  const uint64_t word = json::load8(p + 1);
  const uint64_t quote = json::flag_equal(word, '"');
  if (quote == 0) return 0;
  length = json::first_flagged(quote);
  return json::low_bytes(word, length);
}

// The members that have a field.
enum Field : uint32_t {
  kOther,
  kPh,
  kTs,
  kDur,
  kPid,
  kTid,
  kName,
  kCat,
  kArgs,
  kId,
  kId2,
  kScope,
  kBp,
  kS,
  kCname,
  kSf
};
constexpr uint32_t bit(uint32_t field) { return 1u << field; }
constexpr uint32_t kRareFields =
    bit(kId) | bit(kId2) | bit(kScope) | bit(kBp) | bit(kS) | bit(kCname) | bit(kSf);

Field field_from(uint64_t key_word) {
  switch (key_word) {
    case key("ph"):
      return kPh;
    case key("ts"):
      return kTs;
    case key("dur"):
      return kDur;
    case key("pid"):
      return kPid;
    case key("tid"):
      return kTid;
    case key("name"):
      return kName;
    case key("cat"):
      return kCat;
    case key("args"):
      return kArgs;
    case key("id"):
      return kId;
    case key("id2"):
      return kId2;
    case key("scope"):
      return kScope;
    case key("bp"):
      return kBp;
    case key("s"):
      return kS;
    case key("cname"):
      return kCname;
    case key("sf"):
      return kSf;
    default:
      return kOther;
  }
}

const char* skip_space(const char* p) {
  while (is_space(*p)) ++p;
  return p;
}

// Parses members one by one. Positions travel in registers: each step takes the place where it
// begins and gives the one behind it, or null; then broken() is what broke it. What nearly every
// event has is inlined into one loop, what is odd about it lies apart.
class MemberParser {
 public:
  MemberParser(RawEvent& event, TextArena& texts, int64_t origin_us)
      : event_(event), texts_(texts), origin_us_(origin_us) {}

  const char* broken() const { return broken_; }
  const char* break_at(const char* p) {
    broken_ = p;
    return nullptr;
  }

  // At the opening brace.
  const char* object(const char* p, EventParser::Names& names) {
    p = skip_space(p + 1);
    if (*p == '}') return p + 1;
    if (*p != '"') return break_at(p);
    for (size_t i = 0;; ++i) {
      p = member(p, names[i % names.size()]);
      if (p == nullptr) return nullptr;
      if (p[0] == ',' && p[1] == '"') {
        ++p;
        continue;
      }
      p = skip_space(p);
      if (*p == '}') return p + 1;
      if (*p != ',') return break_at(p);
      p = skip_space(p + 1);
      if (*p != '"') return break_at(p);
    }
  }

  void finish() {
    if (((event_.name.traits | event_.category.traits) & json::kHasEscape) != 0) {
      spell_plainly(event_.name);
      spell_plainly(event_.category);
    }
    event_.is_empty = seen_ == 0 && event_.is_plain;
    event_.is_key_repeated = repeated_ != 0;
    event_.has_tid = (seen_ & bit(kTid)) != 0;
    if ((seen_ & kRareFields) != 0) event_.is_plain = false;
  }

 private:
  // At the opening quote of a member's name.
  const char* member(const char* name, EventParser::Expected& expected) {
    if ((json::load8(name + 1) & expected.mask) != expected.word)
      return other_member(name, expected);
    return field(name + expected.skip, expected.field);
  }

  [[gnu::noinline]] const char* other_member(const char* name, EventParser::Expected& expected) {
    size_t length = 0;
    Field which = field_from(short_key(name, length));
    const char* p = name + length + 2;
    if (which == kOther) {
      p = extra(name, which);
      if (which == kOther) return p;
      length = 8;  // its escapes are in no word to expect
    }
    p = skip_space(p);
    if (*p != ':') return break_at(p);
    const auto skip = static_cast<uint32_t>(p + 1 - name);
    if (skip == length + 3 && length + 2 < 8) {
      expected = {json::low_bytes(json::load8(name + 1), length + 2),
                  json::low_bytes(~0ull, length + 2), skip, which};
    }
    return field(p + 1, which);
  }

  // Behind the colon.
  [[gnu::always_inline]] const char* field(const char* p, uint32_t which) {
    if (*p <= ' ') p = skip_space(p);
    repeated_ |= seen_ & bit(which);
    seen_ |= bit(which);
    switch (which) {
      case kPh:
        return phase(p);
      case kTs:
        return instant(p);
      case kDur:
        return duration(p);
      case kPid:
        return ident(p, event_.pid);
      case kTid:
        return ident(p, event_.tid);
      case kName:
        return string(p, event_.name);
      case kCat:
        return string(p, event_.category);
      default:
        return rare_field(p, which);
    }
  }

  [[gnu::noinline]] const char* rare_field(const char* p, uint32_t which) {
    switch (which) {
      case kArgs:
        return value(p, event_.args);
      case kId:
        return value(p, event_.rare.id);
      case kId2:
        return value(p, event_.rare.id2);
      case kScope:
        return value(p, event_.rare.id_scope);
      case kBp:
        return character(p, event_.rare.bind);
      case kS:
        return character(p, event_.rare.scope);
      case kCname:
        return value(p, event_.rare.color);
      case kSf:
        return value(p, event_.rare.stack_frame);
      default:
        return nullptr;
    }
  }

  const char* value(const char* p, json::RawValue& out) {
    json::Cursor cursor(p);
    if (!cursor.value(out)) return break_at(cursor.p);
    if ((out.traits & json::kHasEscape) != 0) spell_plainly(out);
    return cursor.p;
  }

  const char* string(const char* p, json::RawString& out) {
    return *p == '"' ? json::scan_string(p, out, broken_) : odd_string(p, out);
  }

  [[gnu::noinline]] void spell_plainly(json::RawValue& value) {
    if (is_spelled_plainly(value.text)) return;
    value.text = texts_.add(spelled_plainly(value.text));
    value.traits |= json::kHasNonAscii;
  }

  [[gnu::noinline]] void spell_plainly(json::RawString& string) {
    if (is_spelled_plainly(string.text)) return;
    const std::string spelled = spelled_plainly(string.text);
    if (spelled != string.text) json::Cursor(texts_.add('"' + spelled + '"').data()).string(string);
  }

  [[gnu::noinline]] const char* odd_string(const char* p, json::RawString& out) {
    json::RawValue other;
    p = value(p, other);
    if (p != nullptr && other.text != "null") {
      out = {other.text, json::hash_text(other.text), other.traits};
    }
    return p;
  }

  const char* time(const char* p, DecimalTime& out, TimeField& field) {
    const char* const behind = scan_plain_time(p, out);
    if (behind == nullptr) return odd_time(p, out, field);
    field = TimeField::kOk;
    return behind;
  }

  [[gnu::noinline]] const char* odd_time(const char* p, DecimalTime& out, TimeField& field) {
    json::RawValue other;
    p = value(p, other);
    if (p == nullptr) return nullptr;
    const auto time = parse_decimal_time(other.inner(), DecimalUnit::kMicroseconds);
    if (time) {
      out = *time;
      field = TimeField::kOk;
    } else {
      field =
          time.error() == DecimalError::kOutOfRange ? TimeField::kOutOfRange : TimeField::kNoNumber;
    }
    return p;
  }

  const char* instant(const char* begin) {
    const char* const p = time(begin, event_.ts, event_.ts_field);
    const bool is_far = event_.ts_field == TimeField::kOutOfRange && origin_us_ != 0;
    if (p != nullptr && is_far) far_instant({begin, static_cast<size_t>(p - begin)});
    return p;
  }

  // Far times count from the origin.
  [[gnu::noinline]] void far_instant(std::string_view text) {
    constexpr int64_t kPerUs = 1000, kRestPerNs = 1'000'000;
    // As if it were of nanoseconds.
    const auto us = parse_decimal_time(json::RawValue{text}.inner(), DecimalUnit::kNanoseconds);
    int64_t ns = 0;
    if (!us || __builtin_sub_overflow(us->ns, origin_us_, &ns) ||
        __builtin_mul_overflow(ns, kPerUs, &ns))
      return;
    event_.ts = {saturating_add(ns, us->rest / kRestPerNs),
                 static_cast<uint32_t>(us->rest % kRestPerNs * kPerUs)};
    event_.ts_field = TimeField::kOk;
  }

  const char* duration(const char* begin) {
    const char* p = time(begin, event_.dur, event_.dur_field);
    if (p != nullptr) event_.dur_text = {begin, static_cast<size_t>(p - begin)};
    return p;
  }

  const char* ident(const char* p, Ident& out) {
    const json::Digits digits = json::leading_digits(json::load8(p));
    const char* const behind = p + digits.count;
    const bool is_plain = json::begin_number(digits) && digits.count < 8;
    if (!is_plain || (*behind != ',' && *behind != '}')) return odd_ident(p, out);
    out = {digits.value, {}};
    return behind;
  }

  [[gnu::noinline]] const char* odd_ident(const char* p, Ident& out) {
    json::RawValue other;
    p = value(p, other);
    if (p != nullptr) out = ident_from(other);
    return p;
  }

  static bool is_character(const char* p) {
    return p[0] == '"' && p[1] != '"' && p[1] != '\\' && static_cast<uint8_t>(p[1]) >= 0x20 &&
           p[2] == '"';
  }

  // A string of one character; 0 for anything else.
  const char* character(const char* p, char& out) {
    json::RawValue written{{p, 3}};
    const char* const behind = is_character(p) ? p + 3 : value(p, written);
    const char* const text = written.text.data();
    out = is_character(text) ? text[1] : '\0';
    return behind;
  }

  const char* phase(const char* p) {
    if (!is_character(p)) return odd_phase(p);
    event_.phase = p[1];
    return p + 3;
  }

  // Perfetto, too, takes the first character of a longer text.
  [[gnu::noinline]] const char* odd_phase(const char* p) {
    json::RawValue other;
    p = value(p, other);
    const bool is_text = p != nullptr && other.text.starts_with('"') && !other.inner().empty();
    event_.phase = is_text ? other.inner().front() : '\0';
    return p;
  }

  // The whole member, or the name alone where it has a field once its escapes are gone.
  [[gnu::noinline]] const char* extra(const char* name, Field& which) {
    json::Cursor cursor(name);
    Extra extra;
    if (!cursor.string(extra.name)) return break_at(cursor.p);
    if ((extra.name.traits & json::kHasEscape) != 0) {
      spell_plainly(extra.name);
      size_t length = 0;
      which = field_from(short_key(extra.name.text.data() - 1, length));
      if (which != kOther) return cursor.p;
    }
    event_.is_plain = false;
    if (!cursor.take(':')) return break_at(cursor.p);
    cursor.skip_space();
    const char* const p = value(cursor.p, extra.value);
    if (p != nullptr) event_.rare.extras.push_back(extra);
    return p;
  }

  RawEvent& event_;
  TextArena& texts_;
  int64_t origin_us_;
  const char* broken_ = nullptr;
  uint32_t seen_ = 0;
  uint32_t repeated_ = 0;
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
  // One by one: a chain of assignments reads what it has just written, in other pieces.
  ts = {};
  dur = {};
  pid = {};
  tid = {};
  name = {};
  category = {};
  args = {};
  dur_text = {};
}

bool EventParser::parse(json::Cursor& cursor, RawEvent& event) {
  event.reset();
  MemberParser members(event, texts_, origin_us_);
  const char* behind = members.object(cursor.p, names_);
  members.finish();  // of a broken event too: reset() must know what it left
  cursor.p = behind != nullptr ? behind : members.broken();
  return behind != nullptr;
}

Ident ident_from(const json::RawValue& value) {
  const std::string_view text = value.inner();
  if (const auto number = parse_number<int64_t>(text)) return {*number, {}};
  // 1.0 is 1.
  if (value.text.starts_with('"') || text.find_first_of(".eE") >= text.size()) return {0, text};
  const auto number = parse_decimal_time(text, DecimalUnit::kNanoseconds);
  return number && number->is_exact() ? Ident{number->ns, {}} : Ident{0, text};
}

int64_t far_origin_in(std::string_view text) {
  constexpr std::string_view kName = "\"ts\"", kSpace = " \t\r\n:\"", kEnd = ",}\" \t\r\n";
  constexpr int kLookedAt = 8;
  int64_t origin = 0;
  int seen = 0;
  for (size_t at = text.find(kName); at != std::string_view::npos && seen < kLookedAt;
       at = text.find(kName, at)) {
    at = text.find_first_not_of(kSpace, at + kName.size());
    if (at == std::string_view::npos) break;
    const std::string_view number = text.substr(at, text.find_first_of(kEnd, at) - at);
    const auto time = parse_decimal_time(number, DecimalUnit::kMicroseconds);
    if (time && time->ns == 0) continue;  // of a name's event
    if (time) return 0;
    if (time.error() == DecimalError::kNoNumber) continue;
    const auto us = parse_decimal_time(number, DecimalUnit::kNanoseconds);
    if (us && seen++ == 0) origin = us->ns;
  }
  return origin;
}

bool looks_like_event(const char* brace) {
  json::Cursor cursor(brace + 1);
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
