// What the command palette lists, and how arguments are typed into it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/session/commands.h"
#include "app/session/session.h"

namespace weft::app {

struct PaletteEntry {
  std::string title;
  std::string hint;  // its keys, or what kind of thing it is
  Command command;
  const CommandRow* asks = nullptr;  // its arguments are to be typed; null: it runs as it is
  std::string obstacle = {};         // why it can do nothing now; empty: it can
};

// Every command of the table, and what can be chosen now: panels, layouts, traces, recent files,
// settings with few values. First those that were done last, then those that ask, last those that
// can do nothing now.
std::vector<PaletteEntry> palette_entries(const Session& session);

// The lanes that a query of more than one letter names, to go to.
std::vector<PaletteEntry> lane_entries(const Session& session, std::string_view query);

// Those that match the query, best first. An empty query keeps all, in their order.
std::vector<PaletteEntry> matching(std::vector<PaletteEntry> entries, std::string_view query);

// "lane=3 at=+12ms", "path=\"a file\"", or a JSON object. Numbers and true and false are what they
// look like; words without a name before all others are, together, for the first argument.
Result<Json> arguments_from_text(std::string_view text, const Arguments& arguments);
// What it reads back as these arguments: words if they can say them, otherwise a JSON object.
std::string text_from_arguments(const Json& args);

}  // namespace weft::app
