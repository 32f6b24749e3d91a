#include "app/session/choice.h"

#include <algorithm>

namespace weft::app {

bool has_choice(Choices choices, std::string_view id) {
  return std::ranges::find(choices, id, &Choice::id) != choices.end();
}

std::string in_words(Choices choices) {
  std::string words;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) words += i + 1 == choices.size() ? " or " : ", ";
    words += choices[i].id;
  }
  return words;
}

}  // namespace weft::app
