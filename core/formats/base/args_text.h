// The parameters of an event as the text of a JSON object, written member by member.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/numbers.h"

namespace weft::formats {

class ArgsText {
 public:
  void clear() { text_.clear(); }
  bool is_empty() const { return text_.empty(); }
  // The whole object; empty where nothing was added.
  std::string take();
  // A single value that was added without a name.
  std::string take_value() { return std::exchange(text_, {}); }

  // Goes on with the members of an object that was taken. Nothing was added yet.
  void continue_object(std::string_view whole) { text_ = whole.substr(1, whole.size() - 2); }

  // The name of what comes next. Texts need not be valid UTF-8.
  void name(std::string_view name);
  void text(std::string_view value);
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

  void begin(char bracket);  // { or [
  void end(char bracket);    // } or ]

  void add(std::string_view member, std::string_view value) {
    name(member);
    text(value);
  }
  void add(std::string_view member, std::integral auto value) {
    name(member);
    number(value);
  }
  void add_pointer(std::string_view member, uint64_t value) {
    name(member);
    pointer(value);
  }

 private:
  void add_plain(std::string_view text);
  void separate();

  std::string text_;
};

// Members of both; where both have one, objects are merged, arrays joined, and of others the second
// wins. Texts of ArgsText.
std::string merged_args(std::string_view first, std::string_view second);

}  // namespace weft::formats
