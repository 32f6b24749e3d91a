#include "app/session/messages.h"

#include <utility>

namespace weft::app {

void Messages::say(std::string text, bool is_error, std::optional<Offer> offer) {
  const uint64_t serial = last.serial + 1;
  last = {.text = std::move(text),
          .is_error = is_error,
          .offer = std::move(offer),
          .serial = serial,
          .in_a_row = serial - noticed};
  if (all.size() == kMost) all.erase(all.begin());
  all.push_back(last);
}

void Messages::say_failed(std::string_view command, std::string text) {
  say(std::move(text), /*is_error=*/true, std::exchange(remedy, std::nullopt));
  last.command = all.back().command = command;
}

void Messages::clear_last() { last = {.serial = last.serial}; }

}  // namespace weft::app
