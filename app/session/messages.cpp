#include "app/session/messages.h"

#include <utility>

namespace weft::app {

void Messages::say(std::string text, bool is_error, std::optional<Offer> offer) {
  const uint64_t serial = last.serial + 1;
  last = {std::move(text), is_error, std::move(offer), serial, serial - noticed};
  if (all.size() == kMost) all.erase(all.begin());
  all.push_back(last);
}

}  // namespace weft::app
