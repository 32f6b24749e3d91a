// Commands on the problems of a trace: what it has lost, and what is amiss in it.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/session/losses.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

Status go_to(Session& session, OpenTrace& trace, const std::vector<PlacedLoss>& losses,
             size_t index, uint32_t gesture) {
  const PlacedLoss& loss = losses[index];
  const LaneId lane = loss.place->lane;
  const std::string where =
      lane.is_none() ? "" : ", on " + printable(trace.trace()->dictionary().path_text(lane));
  const std::string text =
      fmt::format("problem {} of {}: {}{}", format_count(index + 1), format_count(losses.size()),
                  printable(loss.loss->kind), where);
  trace.show_loss(*loss.place, text, gesture, session.host.wake);
  uint64_t beyond = 0;
  if (index + 1 == losses.size()) {
    for (const FurtherLosses& further : further_losses(trace.trace()->dictionary().report))
      beyond += further.count;
  }
  session.messages.say(
      beyond == 0 ? text : fmt::format("{}; {} more, places not kept", text, format_count(beyond)));
  return {};
}

Result<std::vector<PlacedLoss>> losses_of(const OpenTrace& trace) {
  if (!trace.trace()) return fail("the trace is still empty");
  std::vector<PlacedLoss> losses = placed_losses(trace.trace()->dictionary().report);
  if (losses.empty()) return fail("the trace has no problem whose time is known");
  return losses;
}

// From the one that was gone to last, or else from the middle of what is shown, where that is not
// everything; round the end.
template <bool kIsForward>
Status step(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const std::vector<PlacedLoss> losses, losses_of(*trace));
  const auto& last = trace->shown_loss();
  const auto at =
      last ? std::ranges::find_if(losses, [&](const PlacedLoss& l) { return *l.place == *last; })
           : losses.end();
  size_t index = 0;
  if (at != losses.end()) {
    const auto from = static_cast<size_t>(at - losses.begin());
    index = (from + (kIsForward ? 1 : losses.size() - 1)) % losses.size();
  } else if (trace->shows_all()) {
    index = kIsForward ? 0 : losses.size() - 1;
  } else {
    const TimeRange shown = trace->view().window.range();
    const Time middle = shown.begin + Duration{shown.length().ticks / 2};
    const auto next = static_cast<size_t>(
        std::ranges::lower_bound(losses, middle, {}, &PlacedLoss::time) - losses.begin());
    index = (kIsForward ? next : next + losses.size() - 1) % losses.size();
  }
  return go_to(session, *trace, losses, index, command.gesture);
}

Status show(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const std::vector<PlacedLoss> losses, losses_of(*trace));
  WEFT_TRY_ASSIGN(const int64_t number, integer_arg(command.args, "number", 1, std::ssize(losses)));
  return go_to(session, *trace, losses, static_cast<size_t>(number) - 1, command.gesture);
}

constexpr CommandRow kLossCommands[] = {
    {"losses.next", "Next problem", "F8", {}, step<true>, needs_placed_losses},
    {"losses.previous", "Previous problem", "Shift+F8", {}, step<false>, needs_placed_losses},
    {"losses.goto",
     "Go to a problem",
     "",
     {{"number", "counted from 1 in order of time, among those whose time is known"}},
     show,
     needs_placed_losses},
};

}  // namespace

std::span<const CommandRow> loss_commands() { return kLossCommands; }

}  // namespace weft::app
