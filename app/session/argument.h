// What a command can be told, as data: the same rows are read where arguments are checked,
// completed and asked for, and they are put into words for people.
//
//   {{"rows", "by how many"}, instead({"to", "px from the top"})}
//       rows: by how many; or to: px from the top
//   {{"from"}, {"to", "times"}, one_of("mode", kModes, "as it is")}
//       from, to: times; mode: off, dim or hide (default: as it is)
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
  std::string_view says = {};       // what it is; empty: the same as the next one
  std::string_view otherwise = {};  // what holds where it is left out; empty: it is asked for
  Choices choices = {};             // it is one of these; `says` is added to them
  bool is_instead = false;          // with those behind it: instead of those before
};

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

// Those of one command, in the order in which they are told. A row of a constexpr table holds them,
// hence the bound; more of them do not compile.
class Arguments {
 public:
  constexpr Arguments() = default;
  constexpr Arguments(std::initializer_list<Argument> list) : count_(list.size()) {
    std::ranges::copy(list, arguments_.begin());
  }

  constexpr const Argument* begin() const { return arguments_.data(); }
  constexpr const Argument* end() const { return begin() + count_; }
  constexpr bool empty() const { return count_ == 0; }
  const Argument* find(std::string_view name) const;  // null: there is none of that name
  // Whether there is one without which the command would do nothing, or not what was wanted.
  bool must_be_asked_for() const;

 private:
  std::array<Argument, 9> arguments_;
  size_t count_ = 0;
};

std::string in_words(const Arguments& arguments);

}  // namespace weft::app
