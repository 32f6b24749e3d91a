#include "app/base/complaints.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/base/text.h"

namespace weft::app {

std::string in_words(const Complaints& complaints) {
  constexpr size_t kSaid = 3;
  const size_t said = std::min(complaints.size(), kSaid);
  std::string text = fmt::format("{}", fmt::join(std::span(complaints).first(said), "; "));
  if (complaints.size() > said) text += fmt::format("; and {} more", complaints.size() - said);
  return printable(text, 0);
}

}  // namespace weft::app
