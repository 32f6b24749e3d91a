// Commands on the colours of event types.
#include <fmt/format.h>

#include "app/commands/arguments.h"
#include "app/commands/groups.h"
#include "app/type_colors.h"

namespace weft::app {
namespace {

Status type_color(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string type, text_arg(command.args, "type"));
  TypeColors colors = *session.type_colors;
  if (command.args.contains("color")) {
    WEFT_TRY_ASSIGN(const std::string text, text_arg(command.args, "color"));
    const auto rgb = rgb_from_text(text);
    if (!rgb) return fail(fmt::format("'{}' is no colour (as #4e79a7)", text));
    colors[type] = *rgb;
    if (colors.size() > kMostTypeColors) return fail("there are too many colours already");
  } else {
    colors.erase(type);
  }
  session.type_colors = std::make_shared<const TypeColors>(std::move(colors));
  return {};
}

// All of them: as colors.json has them, or none.
Status colors_use(Session& session, const Command& command) {
  session.type_colors = std::make_shared<const TypeColors>(
      type_colors_from_json(command.args.value("colors", Json::object())));
  return {};
}

constexpr CommandRow kCommands[] = {
    {"type.color", "Colour of an event type", "",
     "type: its name; color: as #4e79a7 (default: its own again)", type_color},
    {"colors.use", "Colours of event types as at first", "",
     "colors: as colors.json has them (default: none)", colors_use},
};

}  // namespace

std::span<const CommandRow> color_commands() { return kCommands; }

}  // namespace weft::app
