// One of a few words that a setting, an option of a panel or an argument of a command accepts.
// Tables of choices are used to check values, to offer them in menus and toolbars, and to list them
// in messages.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace weft::app {

struct Choice {
  std::string_view id;         // in commands, journals and files
  const char* title = "";      // in menus and on buttons
  const char* help = nullptr;  // a tooltip; null if the title needs none
};
using Choices = std::span<const Choice>;

inline constexpr Choice kTrueOrFalse[] = {{"true"}, {"false"}};

bool has_choice(Choices choices, std::string_view id);
std::string in_words(Choices choices);  // "off, dim or hide"

// Makes choices of the rows of another table. `id`: the member of a row that is the word, or a
// function that returns it.
template <class Row, size_t kCount, class Id = std::identity>
constexpr std::array<Choice, kCount> choices_of(const std::array<Row, kCount>& rows, Id id = {}) {
  std::array<Choice, kCount> choices;
  for (size_t i = 0; i < kCount; ++i) choices[i].id = std::invoke(id, rows[i]);
  return choices;
}

}  // namespace weft::app
