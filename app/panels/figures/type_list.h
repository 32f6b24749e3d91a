// The types that a flame graph may be turned around, as a list to choose from: the one shown, then
// the others, the heaviest first.
#pragma once

#include <string>
#include <vector>

#include "app/session/choice.h"

namespace weft::app {

// Made anew only where the names change: it is asked for in every frame.
class TypeList {
 public:
  // False: they are the same as before.
  bool set(const std::vector<std::string>& heaviest);
  // `shown` may be of none of these; empty: none is shown. Valid until the next call.
  Choices choices(const std::string& shown);

 private:
  std::vector<std::string> heaviest_;
  std::string shown_;
  std::vector<std::string> names_, titles_;
  std::vector<Choice> choices_;
};

}  // namespace weft::app
