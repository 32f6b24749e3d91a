#include "core/formats/base/json_document.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <deque>
#include <utility>

#include "core/base/text.h"
#include "core/base/text_hash.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/json_walk.h"
#include "core/formats/base/text.h"
#include "core/formats/base/whole_input.h"

namespace weft::formats::json {

// The bytes, and what is known of them: where they end, what was looked at lately.
class Text {
 public:
  Text() : longs_(0, 0) {}
  Text(std::string bytes, uint64_t memory_bytes) : Text() { own(std::move(bytes), memory_bytes); }
  Text(WholeInput input, uint64_t memory_bytes)
      : input_(std::move(input)),
        longs_(input_->bytes().size(), memory_bytes),
        text_(input_->bytes()) {
    measure();
  }

  // Another text instead, in the same memory.
  void take(std::string_view text, uint64_t memory_bytes) {
    decoded_.clear();
    for (Ended& ended : ended_) ended = {};
    for (Listed& listed : listed_) listed.object = nullptr;
    own(std::move(owned_.assign(text)), memory_bytes);
  }

  const Extent& extent() const { return extent_; }
  const char* begin() const { return text_.data(); }
  const char* root() const { return skip_space(text_.data()); }
  bool is_followed() const { return skip_space(extent_.end) < text_.data() + text_.size(); }

  bool is_at_end(const char* p) const { return p >= extent_.end; }
  bool is_cut(const char* value) const {
    return !extent_.open.empty() && std::ranges::binary_search(extent_.open, value);
  }

  // Behind a value.
  const char* behind(const char* value) const {
    if (*value != '{' && *value != '[') return skip_scalar(value);
    const Ended& ended = ended_[slot_of(value, kEnded)];
    if (ended.begin == value) return ended.end;
    if (is_cut(value)) return extent_.end;
    if (const char* const end = skip_container(value, value + longs_.shortest())) return end;
    const char* const end = longs_.end_of(value);
    return end == nullptr ? extent_.end : end;
  }
  void remember_end(const char* container, const char* end) {
    ended_[slot_of(container, kEnded)] = {container, end};
  }

  // The step to the value of the next member: from the object's brace, or from the last value.
  // False at the end.
  struct Named {
    std::string_view name;  // as written
    uint8_t traits = 0;
    const char* value = nullptr;
    bool has_escapes() const { return (traits & json::kHasEscape) != 0; }
  };
  bool next_member(const char* object, const char* last, Named& out) {
    const char* p = last == object ? object + 1 : skip_space(behind(last));
    if (is_at_end(p)) return false;
    if (last != object && *p == ',') ++p;
    Cursor cursor(skip_space(p));
    RawString name;
    if (*cursor.p != '"' || is_at_end(cursor.p)) {
      if (*cursor.p == '}') remember_end(object, cursor.p + 1);
      return false;
    }
    if (!pass_string(cursor, name) || !cursor.take(':')) return false;
    cursor.skip_space();
    if (is_at_end(cursor.p)) return false;
    out = {name.text, name.traits, cursor.p};
    return true;
  }

  const char* next_element(const char* array, const char* last) {
    return element_at(array, last == array ? array + 1 : behind_comma(behind(last)));
  }
  // The element that follows; null at the end.
  const char* element_at(const char* array, const char* p) {
    p = skip_space(p);
    if (is_at_end(p) || *p == 0) return nullptr;
    if (*p != ']') return p;
    remember_end(array, p + 1);
    return nullptr;
  }
  const char* behind_comma(const char* p) const {
    p = skip_space(p);
    return !is_at_end(p) && *p == ',' ? p + 1 : p;
  }

  // Null: it has no such member.
  const char* member(const char* object, std::string_view name) {
    Listed& listed = listed_[slot_of(object, kListed)];
    if (listed.object != object) {
      listed.object = listed.last = object;
      listed.count = 0;
      listed.is_whole = false;
    }
    if (const Named* const known = listed.find(name)) return known->value;
    const char* last = listed.last;
    while (!listed.is_whole) {
      Named next;
      if (!next_member(object, last, next)) {
        listed.is_whole = listed.last == last;
        break;
      }
      last = next.value;
      if (listed.count < kMostListed) {
        listed.add(next);
      }
      if (is_named(next, name)) return next.value;
    }
    return nullptr;
  }

  // The characters of a string, from its first quote on.
  std::string_view characters(const char* value) {
    Cursor cursor(value);
    RawString raw;
    return pass_string(cursor, raw) ? characters(raw.text, raw.traits) : std::string_view();
  }
  std::string_view characters(std::string_view raw, uint8_t traits) {
    const bool has_escapes = (traits & json::kHasEscape) != 0;
    const bool is_plain =
        !has_escapes && ((traits & json::kHasNonAscii) == 0 || is_valid_utf8(raw));
    return is_plain ? raw : decoded_.emplace_back(json::decode_string(raw).text);
  }
  size_t decoded() const { return decoded_.size(); }
  void forget_decoded(size_t from) {
    while (decoded_.size() > from) decoded_.pop_back();
  }

 private:
  static constexpr size_t kEnded = 64, kListed = 16, kMostListed = 24;
  struct Ended {
    const char* begin = nullptr;
    const char* end = nullptr;
  };
  // The first members of an object that was asked lately.
  struct Listed {
    const char* object = nullptr;
    const char* last = nullptr;  // the value of the last that is listed
    size_t count = 0;
    bool is_whole = false;
    std::array<char, kMostListed> tags{};  // of their names: few other names have the same
    std::array<Named, kMostListed> members;

    void add(const Named& member) {
      tags[count] = member.has_escapes() ? tag_of(json::decode_string(member.name).text)
                                         : tag_of(member.name);
      members[count++] = member;
      last = member.value;
    }
    // Eight at a time.
    const Named* find(std::string_view name) const {
      const char tag = tag_of(name);
      for (size_t first = 0; first < count; first += 8) {
        uint64_t found = json::flag_equal(json::load8(&tags[first]), tag);
        for (; found != 0; found &= found - 1) {
          const size_t i = first + json::first_flagged(found);
          if (i < count && is_named(members[i], name)) return &members[i];
        }
      }
      return nullptr;
    }
  };
  static_assert(kMostListed % 8 == 0);

  void own(std::string bytes, uint64_t memory_bytes) {
    owned_ = std::move(bytes);
    longs_ = LongContainers(owned_.size(), memory_bytes);
    owned_.append(json::kTextPadding, '\0');
    text_ = std::string_view(owned_).substr(0, owned_.size() - json::kTextPadding);
    measure();
  }
  void measure() { extent_ = measured(text_, longs_); }

  static size_t slot_of(const char* at, size_t slots) {
    return (reinterpret_cast<uintptr_t>(at) * 0x9E3779B97F4A7C15ull >> 32) % slots;
  }
  static char tag_of(std::string_view name) {
    if (name.empty()) return 0;
    constexpr size_t kFirst = 5, kLast = 11;  // factors
    return static_cast<char>(name.size() + kFirst * static_cast<uint8_t>(name.front()) +
                             kLast * static_cast<uint8_t>(name.back()));
  }
  static bool is_named(const Named& member, std::string_view name) {
    if (!member.has_escapes()) return TextHash::are_equal(member.name, name);
    return json::decode_string(member.name).text == name;
  }

  std::optional<WholeInput> input_;
  std::string owned_;  // where there is none
  LongContainers longs_;
  std::string_view text_;
  Extent extent_;
  std::deque<std::string> decoded_;
  std::array<Ended, kEnded> ended_;
  std::array<Listed, kListed> listed_;
};

Document::Document() : text_(std::make_unique<Text>()) {}
Document::Document(std::unique_ptr<Text> text) : text_(std::move(text)) {}
Document::Document(Document&& other) noexcept = default;
Document& Document::operator=(Document&& other) noexcept = default;
Document::~Document() = default;

Element Document::root() const { return {*text_, text_->root()}; }

Result<Document> Document::read(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes) {
  const uint64_t offset = source.offset();
  constexpr uint64_t kShare = 8;  // of the memory, for the ends of containers
  WEFT_TRY_ASSIGN(WholeInput input, WholeInput::read(source, sink));
  const bool is_early = input.is_early();
  auto text = std::make_unique<Text>(std::move(input), memory_bytes / kShare);
  const Extent& extent = text->extent();
  using End = Extent::End;
  if (extent.how == End::kWhole) {
    if (text->is_followed())
      sink.loss("something behind the end of the JSON", trace::LossPlace::nowhere());
    return Document(std::move(text));
  }
  const uint64_t at = offset + static_cast<uint64_t>(extent.fault - text->begin());
  if (extent.open.empty()) return fail(fmt::format("is not JSON, at byte {}", at));
  const std::string_view what = extent.how == End::kTooDeep ? "text nested too deep"
                                : extent.how == End::kCut   ? "text that ends within its JSON"
                                                            : "text that is not JSON";
  const bool is_said = extent.how == End::kCut && is_early;
  // Places are entries of lists in most of these formats.
  if (!is_said)
    sink.loss(fmt::format("{}, from byte {} on", what, at), trace::LossPlace::nowhere());
  return Document(std::move(text));
}

Result<Document> Document::parse(std::string_view text) {
  Document document;
  WEFT_TRY(document.parse_next(text));
  return document;
}

Status Document::parse_next(std::string_view text) {
  constexpr uint64_t kShare = 16;  // of the text's length, for the ends of containers
  text_->take(text, text.size() / kShare);
  const bool is_whole = text_->extent().how == Extent::End::kWhole;
  return is_whole && !text_->is_followed() ? Status() : fail("is not valid JSON");
}

Elements::Elements(std::optional<Element> array, Cut cut) : cut_(cut) {
  if (!array || !array->is_array()) return;
  text_ = &array->document();
  array_ = at_ = array->at();
}

std::optional<Element> Elements::next() {
  if (text_ == nullptr) return std::nullopt;
  at_ = text_->next_element(array_, at_);
  if (at_ != nullptr && (cut_ == Cut::kGiven || !text_->is_cut(at_))) return Element(*text_, at_);
  text_ = nullptr;
  return std::nullopt;
}

Members::Members(std::optional<Element> object) {
  if (!object || !object->is_object()) return;
  text_ = &object->document();
  object_ = at_ = object->at();
}

std::optional<Members::Member> Members::next() {
  Text::Named named;
  if (text_ == nullptr || !text_->next_member(object_, at_, named)) {
    text_ = nullptr;
    return std::nullopt;
  }
  at_ = named.value;
  return Member{text_->characters(named.name, named.traits), Element(*text_, at_)};
}

TextScope::TextScope(Text* text) : text_(text), before_(text == nullptr ? 0 : text->decoded()) {}
TextScope::~TextScope() {
  if (text_ != nullptr) text_->forget_decoded(before_);
}

namespace {

// Parses a number of a few digits, as most are.
std::optional<uint32_t> short_whole(const char* p) {
  constexpr uint32_t kMostShort = 7;
  const auto [whole, digits] = json::leading_digits(json::load8(p));
  if (digits == 0 || digits > kMostShort || p[digits] == '.' || (p[digits] | 0x20) == 'e')
    return std::nullopt;
  return whole;
}

// Reads the number there; the place behind it, or null where there is none.
const char* number_at(const char* p, double& out) {
  constexpr uint64_t kMostExact = uint64_t{1} << 53;
  const char* const begin = p;
  if (*p == '-') ++p;
  const auto whole = json::leading_digits(json::load8(p));
  if (whole.count == 0) return nullptr;
  p += whole.count;
  uint64_t digits = whole.value;
  uint32_t power = 1;
  if (*p == '.') {
    const auto fraction = json::leading_digits(json::load8(p + 1));
    p += 1 + fraction.count;
    power = json::kPowersOf10[fraction.count];
    digits = digits * power + fraction.value;
  }
  if (digits < kMostExact && !is_digit(*p) && (*p | 0x20) != 'e') {
    // Both are exact, so that the quotient is what the text says, rounded once.
    const double value = static_cast<double>(static_cast<int64_t>(digits)) / power;
    out = *begin == '-' ? -value : value;
    return p;
  }
  const char* const end = skip_scalar(begin);
  return std::from_chars(begin, end, out).ec == std::errc() ? end : nullptr;
}

}  // namespace

Numbers::Numbers(std::optional<Element> array) {
  if (!array || !array->is_array()) return;
  text_ = &array->document();
  array_ = array->at();
  limit_ = text_->extent().end;
  behind_ = array_ + 1;
}

bool Numbers::next_of_any_kind() {
  if (text_ == nullptr) return false;
  // A container may have been walked through meanwhile, whose end is known then.
  if (behind_ == kNothing) behind_ = text_->behind_comma(text_->behind(at_));
  at_ = text_->element_at(array_, behind_);
  if (at_ == nullptr || text_->is_cut(at_)) {
    *this = Numbers();
    return false;
  }
  short_ = -1;
  const char* const end = number_at(at_, number_);
  if (end == nullptr) number_ = kNone;
  behind_ = end == nullptr ? kNothing : text_->behind_comma(end);
  return true;
}

int64_t Numbers::long_index() const { return integer(value()).value_or(kNoIndex); }

std::optional<Element> member(std::optional<Element> object, std::string_view name) {
  if (!object || !object->is_object()) return std::nullopt;
  const char* const value = object->document().member(object->at(), name);
  return value == nullptr ? std::nullopt : std::optional(Element(object->document(), value));
}

std::optional<double> number(std::optional<Element> value) {
  double out = 0;
  return value && number_at(value->at(), out) != nullptr ? std::optional(out) : std::nullopt;
}

std::optional<int64_t> integer(std::optional<Element> value) {
  if (!value) return std::nullopt;
  const char* const p = value->at();
  if (*p != '-' && !is_digit(*p)) return std::nullopt;
  if (const auto whole = short_whole(p)) return *whole;
  int64_t out = 0;
  const char* const end = skip_scalar(p);
  const auto read = std::from_chars(p, end, out);
  if (read.ec == std::errc() && read.ptr == end) return out;
  const auto real = number(value);
  constexpr double kMost = 9e15;  // whole numbers are exact up to here
  if (!real || std::abs(*real) > kMost || *real != std::floor(*real)) return std::nullopt;
  return static_cast<int64_t>(*real);
}

std::optional<int64_t> integer_or_text(std::optional<Element> value) {
  return value && value->is_string() ? parse_number<int64_t>(text(value)) : integer(value);
}

std::string_view text(std::optional<Element> value) {
  return value && value->is_string() ? value->document().characters(value->at())
                                     : std::string_view();
}

std::string compact(std::optional<Element> value) {
  std::string out;
  if (!value) return out;
  if (is_cut(*value)) return "null";
  constexpr uint8_t kAny = json::kHasEscape | json::kHasNonAscii | json::kHasSpace;
  json::append_compact(out, {{value->at(), written_bytes(value)}, kAny});
  return out;
}

std::string plain(std::optional<Element> value) {
  return value && value->is_string() ? std::string(text(value)) : compact(value);
}

bool is_cut(Element value) { return value.document().is_cut(value.at()); }

size_t written_bytes(std::optional<Element> value) {
  if (!value) return 0;
  return static_cast<size_t>(value->document().behind(value->at()) - value->at());
}

std::vector<int64_t> indices(std::optional<Element> array) {
  std::vector<int64_t> out;
  for (Numbers each(array); each.next();) out.push_back(each.index());
  return out;
}

std::vector<double> numbers(std::optional<Element> array) {
  std::vector<double> out;
  for (Numbers each(array); each.next();) out.push_back(each.number());
  return out;
}

}  // namespace weft::formats::json
