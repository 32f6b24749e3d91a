// Commands on the open traces: which is looked at, and several of them on one time line.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/arguments.h"
#include "app/commands/groups.h"
#include "app/panels/panels.h"

namespace weft::app {
namespace {

Status select_trace(Session& session, const Command& command) {
  WEFT_TRY(number_arg(command.args, "index"));
  WEFT_TRY_ASSIGN(const OpenTrace* trace, trace_arg(session, command.args));
  session.select_trace(trace->id());
  for (const PanelInstance& panel : session.layout.panels()) {
    if (!panel.stays_with_trace() || panel.pinned->trace_id != trace->id()) continue;
    (void)session.layout.focus(std::string(panel.id));
    break;
  }
  return {};
}

void couple(Session& session, bool is_on) {
  session.couples_traces = is_on;
  session.update_reach();
  for (const auto& trace : session.traces) {
    if (!is_on) trace->follow(trace->clamped(trace->view().window));
  }
  if (const OpenTrace* trace = session.trace()) session.follow(*trace);
}

Status couple_traces(Session& session, const Command& command) {
  couple(session, command.args.value("on", !session.couples_traces));
  return {};
}

// Moves a trace along the line; what is shown of the line stays.
void set_offset(OpenTrace& trace, Duration offset, uint32_t gesture, uint64_t step) {
  View view = trace.view();
  const Duration moved = offset - view.offset;
  view.offset = offset;
  view.window.begin = view.window.begin - moved;
  trace.navigate(view, gesture, step);
}

Status offset_trace(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, trace_arg(session, command.args));
  Duration offset = trace->view().offset;
  if (command.args.contains("by")) {
    WEFT_TRY_ASSIGN(const Duration by, duration_arg(command.args, "by", *trace));
    offset = offset + by;
  } else {
    WEFT_TRY_ASSIGN(offset, duration_arg(command.args, "to", *trace));
  }
  set_offset(*trace, offset, command.gesture, OpenTrace::new_step());
  return {};
}

// What of a trace is brought together with the same of the others.
using Anchor = std::optional<Time> (*)(const OpenTrace&);

std::optional<Time> begin_of(const OpenTrace& trace) { return trace.range().begin; }
std::optional<Time> element_of(const OpenTrace& trace) {
  return trace.element() ? std::optional(trace.element()->begin) : std::nullopt;
}
std::optional<Time> selection_of(const OpenTrace& trace) {
  return trace.selection ? std::optional(trace.selection->begin) : std::nullopt;
}

struct Alignment {
  std::string_view name;
  Anchor anchor;  // null: the clocks themselves
};
constexpr Alignment kAlignments[] = {
    {"clock", nullptr}, {"begins", begin_of}, {"events", element_of}, {"selections", selection_of}};

// The others move; the current trace stays.
Status align_traces(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * reference, current(session));
  WEFT_TRY_ASSIGN(const std::string by, text_arg(command.args, "by"));
  const auto row = std::ranges::find(kAlignments, by, &Alignment::name);
  if (row == std::end(kAlignments)) return fail("'by' must be clock, begins, events or selections");
  const uint64_t step = OpenTrace::new_step();
  if (!row->anchor) {
    for (const auto& trace : session.traces) set_offset(*trace, {}, command.gesture, step);
    return {};
  }
  const std::optional<Time> to = row->anchor(*reference);
  const auto others = std::ranges::count_if(session.traces, [&](const auto& trace) {
    return trace.get() != reference && trace->trace() && row->anchor(*trace);
  });
  if (!to || others == 0) {
    return fail(by == "begins" ? "another trace must be open"
                               : fmt::format("{} must be chosen in two traces",
                                             by == "events" ? "an event" : "a range"));
  }
  for (const auto& trace : session.traces) {
    const std::optional<Time> anchor = row->anchor(*trace);
    if (trace.get() == reference || !trace->trace() || !anchor) continue;
    const OnLine unmoved = {trace->time_base(), {}};
    const Time wanted = on_line(*to, reference->on_line(), unmoved);
    set_offset(*trace, wanted - *anchor, command.gesture, step);
  }
  return {};
}

// The panels of the kind that stay with a trace go; the first stays, linked.
void collect(PanelLayout& layout, std::string_view kind) {
  std::vector<std::string> staying;
  for (const PanelInstance& panel : layout.panels()) {
    if (panel.kind == kind && panel.stays_with_trace()) staying.push_back(panel.id);
  }
  for (size_t i = 1; i < staying.size(); ++i) (void)layout.close(staying[i]);
  if (!staying.empty()) layout.find(staying.front())->pinned.reset();
}

Result<const PanelRow*> kind_arg(const Json& args) {
  const std::string kind = args.value("panel", "gantt");
  if (const PanelRow* row = find_panel(kind)) return row;
  return fail(fmt::format("'{}' is no panel", kind));
}

// A panel of the kind for each trace, side by side, on one line.
Status spread_traces(Session& session, const Json& args, Side side) {
  WEFT_TRY_ASSIGN(const PanelRow* row, kind_arg(args));
  WEFT_TRY(current(session));
  const size_t count = session.traces.size();
  PanelLayout layout = session.layout;
  collect(layout, row->id);
  const size_t others = std::max<size_t>(layout.count_of(row->id), 1) - 1;
  WEFT_TRY(room_for(session, layout, *row, others + count));
  std::optional<std::string> last = open_panel(layout, *row);
  std::string focused;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) {
      const std::string before = *last;
      last = layout.open(row->id, before, side);
      (void)layout.resize_share(before, *last, 1.0 / static_cast<double>(count - i + 1));
    }
    layout.find(*last)->pinned = PinnedView{session.traces[i]->id(), std::nullopt};
    if (i == session.current) focused = *last;
  }
  (void)layout.focus(focused);
  session.layout = std::move(layout);
  couple(session, true);
  return {};
}

Status stack_traces(Session& session, const Command& command) {
  return spread_traces(session, command.args, Side::kBottom);
}

Status put_beside(Session& session, const Command& command) {
  return spread_traces(session, command.args, Side::kRight);
}

Status part_traces(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const PanelRow* row, kind_arg(command.args));
  collect(session.layout, row->id);
  couple(session, false);
  return {};
}

constexpr CommandRow kCommands[] = {
    {"trace.select", "Show another trace", "", "index: from 0", select_trace},
    {"trace.stack", "Show all traces on one time line", "Shift+T",
     "panel: a kind for each trace (default: gantt)", stack_traces},
    {"trace.beside", "Show all traces side by side", "",
     "panel: a kind for each trace (default: gantt)", put_beside},
    {"trace.part", "Show one trace at a time", "", "panel: a kind (default: gantt)", part_traces},
    {"trace.couple", "Move and zoom all traces together", "", "on: true or false (default: toggle)",
     couple_traces},
    {"trace.align", "Align the traces", "",
     "by: clock, begins, events (those selected) or selections; the current trace stays",
     align_traces},
    {"trace.offset", "Move a trace along the time line", "",
     "to, or by: ticks, or text as '1.5ms'; index: of the trace (default: the current one)",
     offset_trace},
};

}  // namespace

std::span<const CommandRow> trace_commands() { return kCommands; }

}  // namespace weft::app
