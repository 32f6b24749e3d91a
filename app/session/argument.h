// The arguments of commands, as data. The same rows are used to check arguments, to complete them
// in the console, to ask for them, and to describe them to users by in_words():
//
//   {{"rows", "by how many"}, instead({"to", "px from the top"})}
//       "rows: by how many; or to: px from the top"
//   {{"from"}, {"to", "times"}, one_of("mode", kModes, "as it is")}
//       "from, to: times; mode: off, dim or hide (default: as it is)"
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "app/session/choice.h"

namespace weft::app {

struct Argument {
  std::string_view name;
  std::string_view says = {};       // describes the value; empty: as the next argument's
  std::string_view otherwise = {};  // the default, in words; empty: users are asked for the value
  Choices choices = {};             // if the value is one of a few words; `says` follows them
  bool is_instead = false;          // it, and those after it, replace those before it
};

// An argument that is one of a few words.
constexpr Argument one_of(std::string_view name, Choices choices, std::string_view otherwise = {}) {
  return {name, {}, otherwise, choices};
}
constexpr Argument flag(std::string_view name, std::string_view otherwise) {
  return one_of(name, kTrueOrFalse, otherwise);
}
constexpr Argument instead(Argument argument) {
  argument.is_instead = true;
  return argument;
}

// The arguments of one command, in the order in which they are described. They are stored inside a
// row of a constexpr table, so their number is bounded: too many do not compile.
class Arguments {
 public:
  constexpr Arguments() = default;
  constexpr Arguments(std::initializer_list<Argument> list) : count_(list.size()) {
    std::ranges::copy(list, arguments_.begin());
  }

  constexpr const Argument* begin() const { return arguments_.data(); }
  constexpr const Argument* end() const { return begin() + count_; }
  constexpr bool empty() const { return count_ == 0; }
  const Argument* find(std::string_view name) const;  // null if no argument has that name
  // Whether users must be asked for an argument, because the command would do nothing without it,
  // or not what they want.
  bool must_be_asked_for() const;

 private:
  std::array<Argument, 9> arguments_;
  size_t count_ = 0;
};

std::string in_words(const Arguments& arguments);

}  // namespace weft::app
