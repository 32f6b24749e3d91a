// Random access to JSON documents whose parts refer to each other, such as profiles. Members are
// looked up by name; missing ones, or ones of another kind, are empty.
//
// No tree is built. A plain file is mapped; other input above a few megabytes is written to a
// temporary file, which is mapped, so memory does not grow with the text. The text is scanned once
// as a whole (json_walk.h); values are parsed where they are requested. The first look-up in an
// object costs as much as the members before the one found.
//
// Truncated or malformed text is read up to that point: containers open there end with their last
// whole element or member, and the rest is a loss.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/base/json_cursor.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats::json {

class Text;

// A value within a document, valid as long as the document. Copied like a pointer.
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
  // Reads the whole source. Fails if it is not JSON at all.
  static Result<Document> read(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes);
  // Parses a short text, which is copied: JSON and nothing else.
  static Result<Document> parse(std::string_view text);
  // For many short texts in turn: begins empty; each text replaces the last, in the same memory.
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

// Iterates over the elements of an array; several arrays can be walked in parallel. Nothing is
// kept.
class Elements {
 public:
  enum class Cut : uint8_t { kLeftOut, kGiven };
  // Has no elements if `array` is not an array. An element in which the text is truncated is
  // usually left out as an incomplete record; with kGiven it is included, for elements that are
  // containers of many things.
  explicit Elements(std::optional<Element> array, Cut cut = Cut::kLeftOut);

  std::optional<Element> next();

 private:
  Text* text_ = nullptr;  // null: at the end
  const char* array_ = nullptr;
  const char* at_ = nullptr;  // the last element returned
  Cut cut_;
};

inline constexpr int64_t kNoIndex = -1;

// Iterates over an array of numbers like Elements, parsing each number on the way: for columns of
// profiles.
class Numbers {
 public:
  explicit Numbers(std::optional<Element> array = std::nullopt);

  // Steps to the first or next element; returns false at the end.
  bool next() {
    // A few digits before the next, which most are.
    const auto [whole, count] = json::leading_digits(json::load8(behind_));
    const char* const end = behind_ + count;
    if (count == 0 || count == 8 || (*end != ',' && *end != ']') || behind_ >= limit_)
      return next_of_any_kind();
    at_ = behind_;
    behind_ = end + (*end == ',' ? 1 : 0);
    number_ = short_ = static_cast<int32_t>(whole);
    return true;
  }
  double number() const { return number_; }  // NaN if it is not a number
  // kNoIndex if it is not a whole number.
  int64_t index() const { return short_ >= 0 ? short_ : long_index(); }
  std::optional<Element> value() const {
    return at_ == nullptr ? std::nullopt : std::optional(Element(*text_, at_));
  }

 private:
  static constexpr char kNothing[8] = {};
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  bool next_of_any_kind();
  int64_t long_index() const;

  Text* text_ = nullptr;  // null: at the end
  const char* array_ = nullptr;
  const char* limit_ = nullptr;    // end of the text
  const char* at_ = nullptr;       // the current element
  const char* behind_ = kNothing;  // the comma after it; kNothing: not yet searched
  double number_ = kNone;
  int32_t short_ = -1;  // -1: not a number of few digits
};

// Iterates over the members of an object, in order.
class Members {
 public:
  struct Member {
    std::string_view name;  // lives as long as a text()
    Element value;
  };
  explicit Members(std::optional<Element> object);

  std::optional<Member> next();

 private:
  Text* text_ = nullptr;
  const char* object_ = nullptr;
  const char* at_ = nullptr;  // the value of the last member returned
};

// Ends the lifetime of texts with escapes that were requested while it lives.
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

// Returns a member of an object; of duplicates the first.
std::optional<Element> member(std::optional<Element> object, std::string_view name);

// Calls add(Element) for each element of an array, if it is one. Texts live no longer than the
// call.
template <class Add>
void for_each_element(std::optional<Element> array, const Add& add,
                      Elements::Cut cut = Elements::Cut::kLeftOut) {
  Elements elements(array, cut);
  while (const auto element = elements.next()) {
    const TextScope scope(element);
    add(*element);
  }
}
// The same, including an element in which the text is truncated.
template <class Add>
void for_each_part(std::optional<Element> array, const Add& add) {
  for_each_element(array, add, Elements::Cut::kGiven);
}
// Calls add(name, Element) for each member of an object, if it is one.
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
std::optional<int64_t> integer(std::optional<Element> value);  // also whole numbers written as 1.0
// Likewise, or a text of one: some write numbers of 64 bits as texts.
std::optional<int64_t> integer_or_text(std::optional<Element> value);
// Returns a string's text, otherwise empty. Text with escapes lives as long as the step of
// for_each_element() or for_each_member() in which it was requested, or the TextScope; other text
// as long as the document.
std::string_view text(std::optional<Element> value);
std::string compact(std::optional<Element> value);   // as JSON without white space
std::string plain(std::optional<Element> value);     // a string's text, other values as JSON
bool is_cut(Element value);                          // the text is truncated or malformed within it
size_t written_bytes(std::optional<Element> value);  // as written

// Returns a short column of numbers that refer to rows of other tables; null and other values
// become kNoIndex.
std::vector<int64_t> indices(std::optional<Element> array);
// Returns a column of other numbers; other values become NaN.
std::vector<double> numbers(std::optional<Element> array);

}  // namespace weft::formats::json
