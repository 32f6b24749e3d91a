// Commands on a trace that still comes through a pipe: what is kept of it, and when reading ends.
#include <fmt/core.h>

#include "app/base/time_display.h"
#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"

namespace weft::app {
namespace {

Result<OpenTrace*> live(Session& session) {
  WEFT_TRY(clear_of(needs_live(session)));
  return session.trace();
}

Status ask(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const bool is_shown, flag_arg(command.args, "shown", true));
  if (is_shown) WEFT_TRY(live(session));
  return show_flag<&Session::dialogs, &Dialogs::shows_recorder>(session, command);
}

Status keep(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const OpenTrace* trace, live(session));
  Recording recording = trace->opening()->recording();
  recording.keep = {};
  for (const char* key : {"last", "size"}) {
    if (!command.args.contains(key)) continue;
    WEFT_TRY_ASSIGN(const std::string text, text_arg(command.args, key));
    store::Keep said;
    WEFT_TRY(set_kept(said, text));
    if (said.last.empty() == (std::string_view(key) == "last"))
      return fail(fmt::format("'{}' is not a {}", text, said.last.empty() ? "time" : "size"));
    if (said.last.empty()) recording.keep.bytes = said.bytes;
    if (!said.last.empty()) recording.keep.last = said.last;
  }
  trace->opening()->record(std::move(recording));
  return {};
}

Status trigger(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const OpenTrace* trace, live(session));
  if (trace->opening()->hit()) return fail("the event has come: reading ends behind it");
  Recording recording = trace->opening()->recording();
  WEFT_TRY_ASSIGN(recording.trigger, text_arg(command.args, "where", ""));
  WEFT_TRY_ASSIGN(recording.after, text_arg(command.args, "after", ""));
  WEFT_TRY(check(recording));
  trace->opening()->record(std::move(recording));
  return {};
}

// As a flight recorder is held: what it has is what is wanted.
Status hold(Session& session, const Command&) {
  WEFT_TRY_ASSIGN(const OpenTrace* trace, live(session));
  trace->opening()->cancel();
  const Command save = ask_for_export(trace->beside().string() + ".weft", "all");
  const std::string held =
      trace->trace() ? "reading has ended: " +
                           length_label(trace->time_display, trace->trace()->range().length(),
                                        trace->time_base()) +
                           " are kept"
                     : "reading has ended before anything came";
  session.messages.say(held, false, Offer{"Save the trace…", save.name, save.args});
  return {};
}

constexpr CommandRow kLiveCommands[] = {
    {"live.hold", "Stop reading and keep what came last", "Space", {}, hold, needs_live},
    {"live.ask",
     "Keep only the newest, stop at an event…",
     "",
     {kShown},
     ask,
     needs_live,
     false,
     true},
    {"live.keep",
     "Of what comes keep the newest only",
     "",
     {{"last", "how long, as 30s"}, {"size", "on the disk, as 500MB; neither: all is kept"}},
     keep,
     needs_live},
    {"live.trigger",
     "Stop reading when an event comes",
     "",
     {{"where", "an expression; none: nothing is waited for"},
      {"after", "how long reading goes on then", "as long as what is kept"}},
     trigger,
     needs_live},
};

}  // namespace

std::span<const CommandRow> live_commands() { return kLiveCommands; }

}  // namespace weft::app
