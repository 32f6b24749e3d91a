// Messages to the user, and the commands that they offer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/json.h"

namespace weft::app {

// A command that would help with what a message says.
struct Offer {
  std::string title;    // "Show it"
  std::string command;  // name in the command table
  Json args = Json::object();
};

struct Message {
  std::string text = {};
  bool is_error = false;
  std::optional<Offer> offer = {};
  std::string command = {};  // that failed, whose name and ": " the text begins with; empty: none
  uint64_t serial = 0;       // grows with every message
  uint64_t in_a_row = 1;     // messages since the user last did something, with this one
};

struct Messages {
  Message last;
  std::vector<Message> all;     // oldest first, at most kMost
  uint64_t noticed = 0;         // serial of the last message when the user last did something
  std::optional<Offer> remedy;  // offered with the error of the present command

  void say(std::string text, bool is_error = false, std::optional<Offer> offer = {});
  // Says why the present command has failed, with its remedy.
  void say_failed(std::string_view command, std::string text);
  void clear_last();  // it stays in the list of all

  static constexpr size_t kMost = 200;
};

}  // namespace weft::app
