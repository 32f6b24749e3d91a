#include "app/session/argument.h"

namespace weft::app {
namespace {

// Those that say nothing are told together with the next one.
bool speaks(const Argument& argument) {
  return !argument.says.empty() || !argument.choices.empty();
}

}  // namespace

const Argument* Arguments::find(std::string_view name) const {
  const Argument* found = std::ranges::find(*this, name, &Argument::name);
  return found == end() ? nullptr : found;
}

bool Arguments::must_be_asked_for() const {
  return std::ranges::any_of(*this, [](const Argument& argument) {
    return speaks(argument) && argument.otherwise.empty();
  });
}

std::string in_words(const Arguments& arguments) {
  std::string words;
  bool continues = false;  // the list of names before what they are
  for (const Argument& argument : arguments) {
    if (!words.empty()) words += continues ? ", " : "; ";
    if (argument.is_instead) words += "or ";
    words += argument.name;
    continues = !speaks(argument);
    if (continues) continue;
    words += ": " + in_words(argument.choices);
    if (!argument.choices.empty() && !argument.says.empty()) words += ", ";
    words += argument.says;
    if (!argument.otherwise.empty()) words.append(" (default: ").append(argument.otherwise) += ')';
  }
  return words;
}

}  // namespace weft::app
