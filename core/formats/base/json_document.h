// JSON whose parts refer to each other, so that it must be there as a whole: profiles. Members are
// asked for by name; what is not there, or of another kind, is empty.
//
// No tree is made of the text. A plain file is mapped, what is longer than a few megabytes and
// comes otherwise is written to a temporary file and that is mapped; so memory does not grow with
// the text. It is looked at once as a whole (json_walk.h); values are taken out of it where they
// are asked for. Cost: what stands before them in the object that they are a member of, at its
// first question.
//
// A text that is cut, or broken, is read up to there: what is open there ends with its last whole
// element or member, and the rest is a loss.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/formats/general/chrome_json/json_cursor.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats::json {

class Text;

// A value within a document: valid as long as that. Copied like a pointer.
class Element {
 public:
  Element(Text& text, const char* at) : text_(&text), at_(at) {}

  bool is_object() const { return *at_ == '{'; }
  bool is_array() const { return *at_ == '['; }
  bool is_string() const { return *at_ == '"'; }
  bool is_null() const { return *at_ == 'n'; }
  bool is_true() const { return *at_ == 't'; }
  Text& document() const { return *text_; }
  const char* at() const { return at_; }

 private:
  Text* text_;
  const char* at_;
};

class Document {
 public:
  // All that the source has. An error where it is no JSON at all.
  static Result<Document> read(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes);
  // A short text, which is copied: JSON and nothing else.
  static Result<Document> parse(std::string_view text);
  // Of many short texts one after the other: without a text, then with this one instead of the
  // last, in the same memory.
  Document();
  Status parse_next(std::string_view text);
  Document(Document&& other) noexcept;
  Document& operator=(Document&& other) noexcept;
  ~Document();

  Element root() const;

 private:
  explicit Document(std::unique_ptr<Text> text);
  std::unique_ptr<Text> text_;
};

// The elements of an array one after the other, of several arrays side by side: none are kept.
class Elements {
 public:
  enum class Cut : uint8_t { kLeftOut, kGiven };
  // No elements where it is no array. One that the text is cut in is a record that says too little;
  // but where elements are many things themselves, what it has is worth as much as what others
  // have.
  explicit Elements(std::optional<Element> array, Cut cut = Cut::kLeftOut);

  std::optional<Element> next();

 private:
  Text* text_ = nullptr;  // null: there are no more
  const char* array_ = nullptr;
  const char* at_ = nullptr;  // the last that was given
  Cut cut_;
};

inline constexpr int64_t kNoIndex = -1;

// The elements of an array as Elements gives them, and of each the number that it is, which is read
// in the step to it: for columns of profiles.
class Numbers {
 public:
  explicit Numbers(std::optional<Element> array = std::nullopt);

  // Steps to the first, or the next. False: there is none, and no number any more.
  bool next() {
    // A few digits before the next, which most are.
    const auto [whole, count] = chrome_json::leading_digits(chrome_json::load8(behind_));
    const char* const end = behind_ + count;
    if (count == 0 || count == 8 || (*end != ',' && *end != ']') || behind_ >= limit_)
      return next_of_any_kind();
    at_ = behind_;
    behind_ = end + (*end == ',' ? 1 : 0);
    number_ = short_ = static_cast<int32_t>(whole);
    return true;
  }
  double number() const { return number_; }  // NaN: it is none
  // kNoIndex: it is none, or not whole.
  int64_t index() const { return short_ >= 0 ? short_ : long_index(); }
  std::optional<Element> value() const {
    return at_ == nullptr ? std::nullopt : std::optional(Element(*text_, at_));
  }

 private:
  static constexpr char kNothing[8] = {};
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  bool next_of_any_kind();
  int64_t long_index() const;

  Text* text_ = nullptr;  // null: there are no more
  const char* array_ = nullptr;
  const char* limit_ = nullptr;    // where the text ends
  const char* at_ = nullptr;       // the last
  const char* behind_ = kNothing;  // the comma behind it; kNothing: it was not looked for
  double number_ = kNone;
  int32_t short_ = -1;  // -1: it is not of a few digits
};

// The members of an object in their order.
class Members {
 public:
  struct Member {
    std::string_view name;  // lives as a text() does
    Element value;
  };
  explicit Members(std::optional<Element> object);

  std::optional<Member> next();

 private:
  Text* text_ = nullptr;
  const char* object_ = nullptr;
  const char* at_ = nullptr;  // the value of the last that was given
};

// The texts with escapes that are asked for while it lives, live no longer.
class TextScope {
 public:
  explicit TextScope(Text* text);
  explicit TextScope(const std::optional<Element>& element)
      : TextScope(element ? &element->document() : nullptr) {}
  ~TextScope();
  TextScope(const TextScope&) = delete;
  TextScope& operator=(const TextScope&) = delete;

 private:
  Text* text_;
  size_t before_ = 0;
};

// Of an object; the first of several of one name.
std::optional<Element> member(std::optional<Element> object, std::string_view name);

// Calls add(Element) for each of an array, if it is one. Texts live no longer than the call.
template <class Add>
void for_each_element(std::optional<Element> array, const Add& add,
                      Elements::Cut cut = Elements::Cut::kLeftOut) {
  Elements elements(array, cut);
  while (const auto element = elements.next()) {
    const TextScope scope(element);
    add(*element);
  }
}
// The same, also of one that the text is cut in.
template <class Add>
void for_each_part(std::optional<Element> array, const Add& add) {
  for_each_element(array, add, Elements::Cut::kGiven);
}
// Calls add(name, Element) for each of an object, if it is one.
template <class Add>
void for_each_member(std::optional<Element> object, const Add& add) {
  Members members(object);
  while (true) {
    const TextScope scope(object);
    const auto member = members.next();
    if (!member) break;
    add(member->name, member->value);
  }
}

std::optional<double> number(std::optional<Element> value);
std::optional<int64_t> integer(std::optional<Element> value);  // also of a whole number written 1.0
// Of a string, else empty. One with escapes lives as long as the step of for_each_element() or
// for_each_member() in which it was asked for, or the TextScope; others as long as the document.
std::string_view text(std::optional<Element> value);
std::string compact(std::optional<Element> value);   // as JSON without white space
std::string plain(std::optional<Element> value);     // the text of a string, others as JSON
bool is_cut(Element value);                          // the text ends, or is broken, within it
size_t written_bytes(std::optional<Element> value);  // as it stands in the text

// Numbers of a short column that refer to rows of other tables; null and what is none are kNoIndex.
std::vector<int64_t> indices(std::optional<Element> array);
// Other numbers; what is none is NaN.
std::vector<double> numbers(std::optional<Element> array);
std::vector<std::string> texts(std::optional<Element> array);

}  // namespace weft::formats::json
