// Commands on the selected element: which it is, and where to go from it.
#include <fmt/core.h>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/session/element_args.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

Status select_element(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  if (!trace->trace()) return fail("the trace is still empty");
  WEFT_TRY_ASSIGN(const query::ElementRef element, element_arg(command.args, *trace));
  WEFT_TRY_ASSIGN(const bool is_revealed, flag_arg(command.args, "reveal", false));
  trace->select_element(element);
  if (is_revealed) trace->reveal_element(command.gesture);
  return {};
}

Status clear_element(Session& session, const Command&) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  trace->select_element(std::nullopt);
  return {};
}

Status reveal_element(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY(clear_of(needs_element(session)));
  trace->reveal_element(command.gesture);
  return {};
}

// The selected element or, where there is none, the selected range: names and times, as a line of
// cells. Times are ticks.
Status copy_selected(Session& session, const Command&) {
  WEFT_TRY(clear_of(needs_range_or_element(session)));
  const OpenTrace* trace = session.trace();
  const auto& element = trace->element();
  if (element && trace->trace()) {
    const trace::Dictionary& dictionary = trace->trace()->dictionary();
    session.orders.clipboard =
        fmt::format("{}\t{}\t{}\t{}", printable(dictionary.type(element->type).name, 0),
                    printable(dictionary.path_text(element->lane), 0), element->begin.ticks,
                    element->duration.ticks);
  } else {
    session.orders.clipboard =
        fmt::format("{}\t{}\t{}", trace->selection->begin.ticks, trace->selection->end.ticks,
                    trace->selection->length().ticks);
  }
  session.messages.say("Copied");
  return {};
}

template <ElementStep kStep>
Status step(Session& session, const Command&) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY(clear_of(needs_element(session)));
  trace->step_element(kStep, session.host.wake);
  return {};
}

// Without an element to go down from, to the uppermost that is shown.
template <ElementStep kStep>
Status step_down(Session& session, const Command&) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  trace->step_element(trace->element() ? kStep : ElementStep::kFirst, session.host.wake);
  return {};
}

constexpr CommandRow kElementCommands[] = {
    {"element.select",
     "Select an element",
     "",
     {{"lane", "its name, path or number"},
      one_of("kind", kElementKinds),
      {"type", "its number"},
      {"at", "time"},
      {"depth", "of a state", "0"},
      {"duration", "ticks", "0"},
      {"peer", "of a link: number of the lane at its other end", "none"},
      {"nth", "of equal ones, from 0", "0"},
      flag("reveal", "false")},
     select_element,
     needs_trace},
    {"selection.copy",
     "Copy what is selected",
     "Ctrl+C",
     {},
     copy_selected,
     needs_range_or_element},
    {"element.clear", "Select no element", "", {}, clear_element, needs_element},
    {"element.reveal", "Show the selected element", "Ctrl+J", {}, reveal_element, needs_element},
    {"element.next",
     "Next element of the row",
     "Right Ctrl+Right",
     {},
     step<ElementStep::kNext>,
     needs_element},
    {"element.previous",
     "Previous element of the row",
     "Left Ctrl+Left",
     {},
     step<ElementStep::kPrevious>,
     needs_element},
    {"element.next_of_type",
     "Next of its type on the lane",
     "Shift+. > Ctrl+Shift+Right",
     {},
     step<ElementStep::kNextOfType>,
     needs_element},
    {"element.previous_of_type",
     "Previous of its type on the lane",
     "Shift+, < Ctrl+Shift+Left",
     {},
     step<ElementStep::kPreviousOfType>,
     needs_element},
    {"element.parent",
     "The state around it",
     "Ctrl+Up",
     {},
     step<ElementStep::kParent>,
     needs_element},
    {"element.child",
     "The first state within it",
     "Ctrl+Down",
     {},
     step_down<ElementStep::kChild>,
     needs_trace},
    {"element.lane_below",
     "What the lane below has at its time",
     "Ctrl+Shift+Down",
     {},
     step_down<ElementStep::kLaneBelow>,
     needs_trace},
    {"element.lane_above",
     "What the lane above has at its time",
     "Ctrl+Shift+Up",
     {},
     step<ElementStep::kLaneAbove>,
     needs_element},
    {"element.along_link",
     "Follow the link that it sends",
     "]",
     {},
     step<ElementStep::kAlongLink>,
     needs_element},
    {"element.back_along_link",
     "Follow the link that it receives back",
     "[",
     {},
     step<ElementStep::kBackAlongLink>,
     needs_element},
    {"element.cause",
     "The message that led to it",
     "Ctrl+[",
     {},
     step<ElementStep::kCause>,
     needs_element},
    {"element.effect",
     "The message that followed from it",
     "Ctrl+]",
     {},
     step<ElementStep::kEffect>,
     needs_element},
};

}  // namespace

std::span<const CommandRow> element_commands() { return kElementCommands; }

}  // namespace weft::app
