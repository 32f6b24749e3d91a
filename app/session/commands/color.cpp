// Commands on the colours of event types and lanes.
#include <fmt/core.h>

#include <tuple>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/view/named_colors.h"

namespace weft::app {
namespace {

using ColorsMember = std::shared_ptr<const NamedColors> Look::*;

// `kName`: the argument that names what is coloured.
template <ColorsMember kColors, const char* kName>
Status set_color(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string name, text_arg(command.args, kName));
  NamedColors colors = *(session.look.*kColors);
  if (command.args.contains("color")) {
    WEFT_TRY_ASSIGN(const std::string text, text_arg(command.args, "color"));
    const auto rgb = rgb_from_text(text);
    if (!rgb) return fail(fmt::format("'{}' is not a colour (as #4e79a7)", text));
    colors[name] = *rgb;
    if (colors.size() > kMostNamedColors) return fail("there are too many colours already");
  } else {
    colors.erase(name);
  }
  session.look.*kColors = std::make_shared<const NamedColors>(std::move(colors));
  return {};
}

// Those that are given, as the files have them; without any, all are as at first.
Status colors_use(Session& session, const Command& command) {
  const bool takes_none = !command.args.contains("colors") && !command.args.contains("lanes");
  for (const auto& [key, what, colors] :
       {std::tuple("colors", "colours of event types", &session.look.type_colors),
        std::tuple("lanes", "colours of lanes", &session.look.lane_colors)}) {
    const auto given = command.args.find(key);
    if (given == command.args.end() && !takes_none) continue;
    Complaints complaints;
    *colors = std::make_shared<const NamedColors>(
        colors_from_json(takes_none ? Json::object() : *given, complaints));
    complain(session, what, complaints);
  }
  return {};
}

constexpr char kType[] = "type";
constexpr char kLane[] = "lane";

constexpr CommandRow kColorCommands[] = {
    {"type.color",
     "Colour of an event type",
     "",
     {{kType, "its name"}, kColor},
     set_color<&Look::type_colors, kType>},
    {"lane.color",
     "Colour of a lane",
     "",
     {{kLane, "its name as in the legend"}, kColor},
     set_color<&Look::lane_colors, kLane>},
    {"colors.use",
     "Colours of event types and lanes as at first",
     "",
     {{"colors", "as colors.json has them", "none"},
      {"lanes", "as lane-colors.json has them", "none"}},
     colors_use,
     needs_own_colors},
};

}  // namespace

std::span<const CommandRow> color_commands() { return kColorCommands; }

}  // namespace weft::app
