// One of a few words that a setting, an option of a panel or an argument of a command can be. What
// is refused, offered in menus and toolbars and said in messages is read from tables of these.
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
  const char* help = nullptr;  // a tooltip; null where the title says all
};
using Choices = std::span<const Choice>;

inline constexpr Choice kTrueOrFalse[] = {{"true"}, {"false"}};

bool has_choice(Choices choices, std::string_view id);
std::string in_words(Choices choices);  // "off, dim or hide"

// The words of a table that stands elsewhere; `id`: the member of its rows, or what reads it.
template <class Row, size_t kCount, class Id = std::identity>
constexpr std::array<Choice, kCount> choices_of(const std::array<Row, kCount>& rows, Id id = {}) {
  std::array<Choice, kCount> choices;
  for (size_t i = 0; i < kCount; ++i) choices[i].id = std::invoke(id, rows[i]);
  return choices;
}

}  // namespace weft::app
