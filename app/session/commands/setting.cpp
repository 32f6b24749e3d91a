// Commands on what lasts: settings, the size of everything, keys.
#include <array>
#include <string>
#include <vector>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/session/settings.h"

namespace weft::app {
namespace {

// As browsers have them.
constexpr std::array kFontScales = {0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0};

Status set(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string name, text_arg(command.args, "name"));
  const auto value = command.args.find("value");
  if (value == command.args.end()) return fail("'value' is missing");
  return set_setting(session, name, *value);
}

Status font_larger(Session& session, const Command&) {
  for (const double scale : kFontScales) {
    if (scale <= session.look.font_scale * 1.01) continue;
    session.look.font_scale = scale;
    return {};
  }
  return {};
}

Status font_smaller(Session& session, const Command&) {
  double next = kFontScales.front();
  for (const double scale : kFontScales) {
    if (scale < session.look.font_scale * 0.99) next = scale;
  }
  session.look.font_scale = next;
  return {};
}

Status font_reset(Session& session, const Command&) {
  session.look.font_scale = 1;
  return {};
}

Status keys_bind(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string name, text_arg(command.args, "command"));
  const auto keys = command.args.find("keys");
  if (keys == command.args.end()) return fail("'keys' is missing");
  std::vector<std::string> chords;
  if (keys->is_string()) {
    chords.push_back(keys->get<std::string>());
  } else {
    WEFT_TRY_ASSIGN(chords, texts_arg(command.args, "keys"));
  }
  std::string complaint = session.keys.bind(name, chords);
  return complaint.empty() ? Status() : fail(std::move(complaint));
}

// A bad binding is told about; the good ones hold.
Status keys_use(Session& session, const Command& command) {
  const auto keys = command.args.find("keys");
  if (keys == command.args.end()) return fail("'keys' is missing");
  session.keys = {};
  complain(session, "keys", session.keys.apply(*keys));
  return {};
}

Status keys_reset(Session& session, const Command&) {
  session.keys = {};
  return {};
}

constexpr CommandRow kSettingCommands[] = {
    {"settings.show",
     "Settings…",
     "Ctrl+,",
     {kShown},
     show_flag<&Session::dialogs, &Dialogs::shows_settings>,
     nullptr,
     false,
     true},
    {"set", "Change a setting", "", {{"name", "of the setting"}, {"value", "of it"}}, set},
    {"font.larger", "Everything larger", "Ctrl+= Ctrl+Shift+= Ctrl++", {}, font_larger},
    {"font.smaller", "Everything smaller", "Ctrl+-", {}, font_smaller},
    {"font.reset", "Everything at its usual size", "Ctrl+0", {}, font_reset, needs_own_size},
    {"keys.bind",
     "Bind keys to a command",
     "",
     {{"command", "its name"}, {"keys", "as Ctrl+Shift+P, or a list"}},
     keys_bind},
    {"keys.use", "Use a set of keys", "", {{"keys", "as keys.json has them"}}, keys_use},
    {"keys.reset", "Keys as at first", "", {}, keys_reset, needs_own_keys},
};

}  // namespace

std::span<const CommandRow> setting_commands() { return kSettingCommands; }

}  // namespace weft::app
