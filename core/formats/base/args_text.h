// The parameters of an event as the text of a JSON object, written member by member.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/numbers.h"

namespace weft::formats {

// The name of a member that comes in many objects, quoted once.
class QuotedName {
 public:
  QuotedName() = default;
  explicit QuotedName(std::string_view name);
  std::string_view text() const { return text_; }  // with its colon

 private:
  std::string text_;
};

class ArgsText {
 public:
  void clear() { text_.clear(); }
  bool is_empty() const { return text_.empty(); }
  // The whole object; empty where nothing was added.
  std::string take();
  // The same, which lives until clear(), before what is next is added: the memory is kept.
  std::string_view whole();
  // A single value that was added without a name.
  std::string take_value();

  // Goes on with the members of an object that was taken. Nothing was added yet.
  void continue_object(std::string_view whole) { text_ = whole.substr(0, whole.size() - 1); }

  // The name of what comes next. Texts need not be valid UTF-8.
  void name(std::string_view name);
  void name(const QuotedName& name) { add_plain(name.text()); }
  void text(std::string_view value);
  // A text that is known to need no escapes, or has them.
  void known_text(std::string_view quoted);
  void number(std::integral auto value) {
    separate();
    append_number(text_, value);
  }
  void number(double value);
  void pointer(uint64_t value);
  void flag(bool value) { add_plain(value ? "true" : "false"); }
  void nothing() { add_plain("null"); }
  // A value that is JSON already; a text where it is not.
  void json(std::string_view value);
  // The single value that was added to another without a name.
  void value_of(const ArgsText& other) { add_plain(std::string_view(other.text_).substr(1)); }

  void begin(char bracket);  // { or [
  void end(char bracket);    // } or ]

  void add(std::string_view member, std::string_view value);
  void add(const QuotedName& member, std::string_view value) {
    name(member);
    text(value);
  }
  void add(const QuotedName& member, std::integral auto value) {
    name(member);
    append_number(text_, value);
  }
  void add(std::string_view member, std::integral auto value) {
    name(member);
    append_number(text_, value);
  }
  // What is exactly a number as it is written becomes one.
  void add_as_written(std::string_view member, std::string_view value);
  void add_pointer(std::string_view member, uint64_t value) {
    name(member);
    pointer(value);
  }

 private:
  void add_plain(std::string_view text);
  void separate();

  std::string text_;  // behind the object's brace, once anything was added
};

// Members of both; where both have one, objects are merged, arrays joined, and of others the second
// wins. Texts of ArgsText.
std::string merged_args(std::string_view first, std::string_view second);

}  // namespace weft::formats
