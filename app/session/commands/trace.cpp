// Commands on the open traces: which is looked at, and several of them on one time line.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/session/option_choices.h"
#include "app/session/panel_kinds.h"
#include "app/session/scope.h"
#include "app/session/trace_export.h"
#include "core/base/counted.h"
#include "core/query/filter/filter_compiler.h"

namespace weft::app {
namespace {

Status select_trace(Session& session, const Command& command) {
  WEFT_TRY(number_arg(command.args, "index"));
  WEFT_TRY_ASSIGN(const OpenTrace* trace, trace_arg(session, command.args));
  session.show_trace(*trace);
  return {};
}

// Round the end.
template <bool kIsForward>
Status step_trace(Session& session, const Command&) {
  const size_t count = session.traces.size();
  WEFT_TRY(clear_of(needs_several_traces(session)));
  session.show_trace(*session.traces[(session.current + (kIsForward ? 1 : count - 1)) % count]);
  return {};
}

// Who sees all of a trace sees all of the line.
void couple(Session& session, bool is_on) {
  OpenTrace* current = session.trace();
  const bool was_whole = current && current->shows_all();
  session.couples_traces = is_on;
  session.update_reach();
  for (const auto& trace : session.traces) {
    if (!is_on) trace->history().place(trace->clamped(trace->view().window));
  }
  if (!current) return;
  if (is_on && was_whole) current->history().place(current->whole());
  session.follow(*current);
}

Status couple_traces(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const bool is_on, flag_arg(command.args, "on", !session.couples_traces));
  couple(session, is_on);
  return {};
}

// Moves a trace along the line, and stretches it; what is shown of the line stays. It is a step of
// the trace that is looked at, too: Back is pressed there, also where each trace moves by itself.
void set_place(Session& session, OpenTrace& trace, const OnLine& place, uint32_t gesture,
               uint64_t step) {
  View view = trace.view();
  view.window = on_line(view.window, trace.on_line(), place);
  view.offset = place.offset;
  view.rate = place.rate;
  if (view == trace.view()) return;
  trace.history().navigate(view, gesture, step);
  session.trace()->history().share_step(gesture, step);
}

Status offset_trace(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, trace_arg(session, command.args));
  OnLine place = trace->on_line();
  Duration shift = trace->shift();  // stays where only the clock is stretched
  if (command.args.contains("drift")) {
    constexpr int64_t kBillion = 1'000'000'000;  // to a thousandth of a ppm
    WEFT_TRY_ASSIGN(const double ppm, number_arg(command.args, "drift"));
    if (std::abs(ppm) > 100'000) return fail("'drift' is in ppm, 100000 at most");
    place.rate = {kBillion + std::llround(ppm * 1000), kBillion};
  }
  if (command.args.contains("by")) {
    WEFT_TRY_ASSIGN(const Duration by, duration_arg(command.args, "by", *trace));
    shift = shift + by;
  } else if (command.args.contains("to") || !command.args.contains("drift")) {
    WEFT_TRY_ASSIGN(shift, duration_arg(command.args, "to", *trace));
  }
  place = shifted(place, trace->range().begin, shift);
  set_place(session, *trace, place, command.gesture, new_step());
  return {};
}

// What of a trace is brought together with the same of the others: an instant, or two of them, by
// which its clock is stretched, too.
struct Anchor {
  Time first;
  std::optional<Time> second;
};

std::optional<Anchor> begin_of(const OpenTrace& trace) { return Anchor{trace.range().begin, {}}; }
std::optional<Anchor> element_of(const OpenTrace& trace) {
  return trace.element() ? std::optional(Anchor{trace.element()->begin, {}}) : std::nullopt;
}
std::optional<Anchor> selection_of(const OpenTrace& trace) {
  return trace.selection ? std::optional(Anchor{trace.selection->begin, {}}) : std::nullopt;
}
std::optional<Anchor> cursors_of(const OpenTrace& trace) {
  const auto [a, b] = std::pair(trace.markers.a(), trace.markers.b());
  return a && b ? std::optional(Anchor{*a, b}) : std::nullopt;
}

// Of those of kAlignments but by clock.
struct AnchorRow {
  std::string_view by;
  std::string_view wanted;  // what two traces must have
  std::optional<Anchor> (*anchor)(const OpenTrace&);
};
constexpr AnchorRow kAnchors[] = {
    {"begins", "there must be two traces", begin_of},
    {"events", "an event must be chosen in two traces", element_of},
    {"selections", "a range must be chosen in two traces", selection_of},
    {"cursors", "the cursors A and B must be set in two traces", cursors_of}};

// Where the trace lies when its anchor is at that of the reference.
Result<OnLine> place_at(const OpenTrace& trace, const Anchor& anchor, const OpenTrace& reference,
                        const Anchor& to) {
  const OnLine line = {trace.time_base(), {}};  // in the trace's ticks
  const auto wanted = [&](Time t) { return on_line(t, reference.on_line(), line); };
  OnLine place = {line.base, {}, trace.view().rate};
  if (anchor.second) {
    place.rate = {(wanted(*to.second) - wanted(to.first)).ticks,
                  (*anchor.second - anchor.first).ticks};
    if (place.rate.line < 0) place.rate = {-place.rate.line, -place.rate.own};
    if (!place.rate.is_valid()) {
      return fail(fmt::format("A and B of {} are not those of the current trace", trace.name()));
    }
  }
  place.offset = wanted(to.first) - on_line(anchor.first, place, line);
  return place;
}

using Places = std::vector<std::pair<OpenTrace*, OnLine>>;

Result<Places> aligned_places(const Session& session, const OpenTrace& reference,
                              std::string_view by) {
  Places places;
  const auto row = std::ranges::find(kAnchors, by, &AnchorRow::by);
  if (row == std::end(kAnchors)) {
    for (const auto& trace : session.traces)
      places.emplace_back(trace.get(), OnLine{trace->time_base(), {}});
    return places;
  }
  const std::optional<Anchor> to = row->anchor(reference);
  for (const auto& trace : session.traces) {
    const std::optional<Anchor> anchor = row->anchor(*trace);
    if (trace.get() == &reference || !trace->trace() || !anchor || !to) continue;
    WEFT_TRY_ASSIGN(const OnLine place, place_at(*trace, *anchor, reference, *to));
    places.emplace_back(trace.get(), place);
  }
  if (places.empty()) return fail(std::string(row->wanted));
  return places;
}

// The others move; the current trace stays. Who sees all of the line sees all of it afterwards.
Status align_traces(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * reference, current(session));
  WEFT_TRY_ASSIGN(const std::string by, choice_arg(command.args, "by", kAlignments));
  WEFT_TRY_ASSIGN(const Places places, aligned_places(session, *reference, by));
  const uint64_t step = new_step();
  const bool was_whole = reference->shows_all();
  for (const auto& [trace, place] : places)
    set_place(session, *trace, place, command.gesture, step);
  session.update_reach();
  if (!was_whole) return {};
  View view = reference->view();
  view.window = reference->whole();
  reference->history().navigate(view, command.gesture, step);
  session.follow(*reference);
  return {};
}

// The panels of the kind that stay with a trace, as they lie in the window.
std::vector<std::string> staying_panels(const PanelLayout& layout, std::string_view kind) {
  std::vector<std::string> ids = layout.in_places();
  std::erase_if(ids, [&](const std::string& id) {
    const PanelInstance* panel = layout.find(id);
    return panel->kind != kind || !panel->stays_with_trace();
  });
  return ids;
}

// They go, and leave their room to the first, which stays, linked.
void collect(PanelLayout& layout, std::string_view kind) {
  const std::vector<std::string> staying = staying_panels(layout, kind);
  for (size_t i = 1; i < staying.size(); ++i) (void)layout.close_into(staying[i], staying.front());
  if (!staying.empty()) layout.find(staying.front())->pinned.reset();
}

// Whether each trace has its panel of the kind already, in their order, in a split of that kind.
bool are_spread(const Session& session, std::string_view kind, LayoutNode::Kind along) {
  const PanelLayout& layout = session.desk.layout;
  const std::vector<std::string> staying = staying_panels(layout, kind);
  if (staying.size() != session.traces.size()) return false;
  for (size_t i = 0; i < staying.size(); ++i) {
    if (layout.find(staying[i])->pinned->trace_id != session.traces[i]->id()) return false;
    if (i > 0 && layout.split_between(staying[i - 1], staying[i]) != along) return false;
  }
  return true;
}

Result<const PanelKind*> panel_kind_arg(const Json& args) {
  WEFT_TRY_ASSIGN(const std::string kind, text_arg(args, "panel", "gantt"));
  return panel_kind_named(kind);
}

// Traces that are far from each other by their clocks: of two machines, say, or of two runs. All of
// them together show nothing of any.
void offer_to_align(Session& session) {
  const OpenTrace& current = *session.trace();
  const TimeRange here = current.range();
  Duration farthest;
  for (const auto& trace : session.traces) {
    if (!trace->trace()) continue;
    const TimeRange there = on_line(trace->range(), trace->on_line(), current.on_line());
    const Duration apart = std::max(there.begin - here.end, here.begin - there.end);
    if (apart > std::max(here.length(), there.length())) farthest = std::max(farthest, apart);
  }
  if (farthest.ticks == 0) return;
  session.messages.say(
      fmt::format("By their clocks the traces lie {}{} apart",
                  session.traces.size() > 2 ? "up to " : "",
                  length_label(session.look.time_display, farthest, current.time_base(), 2)),
      /*is_error=*/false, Offer{"Align their beginnings", "trace.align", {{"by", "begins"}}});
}

// A panel of the kind for each trace, one beside the other. Together they have the room that one
// had, so that the others keep their sizes.
Status spread_panels(Session& session, const PanelKind* row, Side side) {
  const size_t count = session.traces.size();
  PanelLayout layout = session.desk.layout;
  collect(layout, row->id);
  const size_t others = std::max<size_t>(layout.count_of(row->id), 1) - 1;
  WEFT_TRY(room_for(session, layout, *row, others + count));
  std::optional<std::string> last = open_panel(layout, *row);
  std::string focused;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) {
      const std::string before = *last;
      last = layout.open(row->id, before, side);
      if (const double px = layout.group_of(before)->px; px > 0) {
        (void)layout.resize_px(*last, before, px);
      } else {
        (void)layout.resize_share(before, *last, 1.0 / static_cast<double>(count - i + 1));
      }
    }
    layout.find(*last)->pinned = PinnedView{session.traces[i]->id(), std::nullopt};
    if (i == session.current) focused = *last;
  }
  (void)layout.focus(focused);
  session.desk.layout = std::move(layout);
  return {};
}

// On one line. Panels that each trace has already stay as the user has sized them.
Status spread_traces(Session& session, const Json& args, Side side) {
  WEFT_TRY_ASSIGN(const PanelKind* row, panel_kind_arg(args));
  WEFT_TRY(current(session));
  const LayoutNode::Kind along =
      side == Side::kBottom ? LayoutNode::Kind::kColumn : LayoutNode::Kind::kRow;
  if (!are_spread(session, row->id, along)) WEFT_TRY(spread_panels(session, row, side));
  couple(session, true);
  offer_to_align(session);
  return {};
}

Status stack_traces(Session& session, const Command& command) {
  return spread_traces(session, command.args, Side::kBottom);
}

Status put_beside(Session& session, const Command& command) {
  return spread_traces(session, command.args, Side::kRight);
}

Status part_traces(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const PanelKind* row, panel_kind_arg(command.args));
  collect(session.desk.layout, row->id);
  couple(session, false);
  return {};
}

constexpr Choice kParts[] = {{"all"}, {"window"}, {"selection"}};

// What `part` names: all of it, or what is shown or selected.
Result<Scope> part_arg(const OpenTrace& trace, const Json& args) {
  WEFT_TRY_ASSIGN(const std::string part, choice_arg(args, "part", kParts, "all"));
  if (part == "all") return Scope{trace.trace(), query::whole_range(*trace.trace())};
  if (part == "window") return Scope{trace.trace(), trace.view().window.range()};
  if (!trace.selection && trace.selected_lanes.empty()) return fail("nothing is selected");
  return selected_scope(trace);
}

Status export_part(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const OpenTrace* trace, current(session));
  WEFT_TRY_ASSIGN(const std::string file, output_arg(session, command.args, "file"));
  WEFT_TRY_ASSIGN(Scope scope, part_arg(*trace, command.args));
  WEFT_TRY_ASSIGN(std::string format, text_arg(command.args, "format", ""));
  if (format.empty()) {
    WEFT_TRY_ASSIGN(format, written_format_of(file));
  }
  if (!is_written(format)) return fail(fmt::format("'{}' is not a format that is written", format));
  if (!session.host.pool) return fail("traces cannot be written here");
  WEFT_TRY_ASSIGN(const bool is_filtered, flag_arg(command.args, "filtered", false));
  std::string filter = is_filtered ? trace->view().filter.text : std::string();
  const uint64_t memory_bytes = session.host.import_memory ? session.host.import_memory()
                                                           : store::BuilderOptions{}.memory_bytes;
  session.jobs.push_back(std::make_unique<Job>(
      "Writing " + file,
      [scope = std::move(scope), filter = std::move(filter), format = std::move(format), file,
       memory_bytes,
       pool = session.host.pool](Job::Progress& progress) mutable -> Result<Job::Outcome> {
        if (!filter.empty()) {
          const auto compiled = query::compile_filter(filter, *scope.trace, progress.stop);
          if (!compiled) return fail(compiled.error().one_line(filter));
          scope.only = (*compiled)->formula();
        }
        const TraceExport what{scope.trace, selection_of(scope), std::move(format), file,
                               memory_bytes};
        WEFT_TRY_ASSIGN(const Exported written, export_trace(what, *pool, progress));
        std::string message =
            fmt::format("{} written to {}", counted(written.events, "event"), file);
        if (!written.left_out.empty())
          message += fmt::format("; {} has no place for {}", what.format, written.left_out);
        return Job::Outcome{std::move(message), std::nullopt};
      },
      session.host.wake, memory_bytes));
  return {};
}

constexpr CommandRow kTraceCommands[] = {
    {"trace.select",
     "Show another trace",
     "",
     {{"index", "from 0"}},
     select_trace,
     needs_several_traces},
    {"trace.next", "Next trace", "Ctrl+Tab", {}, step_trace<true>, needs_several_traces},
    {"trace.previous",
     "Previous trace",
     "Ctrl+Shift+Tab",
     {},
     step_trace<false>,
     needs_several_traces},
    {"trace.export",
     "Save the trace, or a part of it",
     "",
     {{"file", ".weft, .json (Chrome), .pftrace (Perfetto), .csv, .paje or .pjdump"},
      {"format", "an id", "by the end of the name"},
      one_of("part", kParts, "all"),
      {"filtered", "true leaves out what does not pass the filter", "false"}},
     export_part,
     needs_trace},
    {"trace.stack",
     "Show all traces on one time line",
     "Shift+T",
     {{"panel", "a kind for each trace", "gantt"}},
     stack_traces,
     needs_several_traces},
    {"trace.beside",
     "Show all traces side by side",
     "",
     {{"panel", "a kind for each trace", "gantt"}},
     put_beside,
     needs_several_traces},
    {"trace.part",
     "Show one trace at a time",
     "",
     {{"panel", "a kind", "gantt"}},
     part_traces,
     needs_several_traces},
    {"trace.couple",
     "Move and zoom all traces together",
     "",
     {kOn},
     couple_traces,
     needs_several_traces},
    {"trace.align",
     "Align the traces",
     "",
     {{"by",
       "of what is selected or set; by two cursors a clock that drifts is stretched, too; the "
       "current trace stays",
       "", kAlignments}},
     align_traces,
     needs_coupled_traces},
    {"trace.offset",
     "Move a trace along the time line",
     "",
     {{"to", "ticks, or text as '1.5ms'"},
      instead({"by", "so much later"}),
      {"drift", "ppm by which its clock is slow", "as it is"},
      kIndex},
     offset_trace,
     needs_trace},
};

}  // namespace

std::span<const CommandRow> trace_commands() { return kTraceCommands; }

}  // namespace weft::app
