// What the program tells the user, and what it would do about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/json.h"

namespace weft::app {

// Something that a command would do about a message.
struct Offer {
  std::string title;    // "Show it"
  std::string command;  // one of the table
  Json args = Json::object();
};

struct Message {
  std::string text;
  bool is_error = false;
  std::optional<Offer> offer = {};
  uint64_t serial = 0;    // grows with every message
  uint64_t in_a_row = 1;  // said since the user did something, with this one
};

struct Messages {
  Message last;
  std::vector<Message> all;     // oldest first, at most kMost
  uint64_t noticed = 0;         // serial of the last one when the user did something
  std::optional<Offer> remedy;  // of the command that is about to fail

  void say(std::string text, bool is_error = false, std::optional<Offer> offer = {});

  static constexpr size_t kMost = 200;
};

}  // namespace weft::app
