// Commands on the view's filter, and on the events that it lets pass.
#include <fmt/core.h>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/session/element_args.h"
#include "app/view/element_filter.h"
#include "core/query/filter/filter_expression.h"
#include "core/query/filter/motif_filter.h"

namespace weft::app {
namespace {

constexpr size_t kMostKeptFilters = 100;

constexpr auto kModes = choices_of(kFilterModes, &FilterModeRow::id);

Result<FilterMode> mode_arg(const Json& args, FilterMode otherwise) {
  WEFT_TRY_ASSIGN(const std::string name, choice_arg(args, "mode", kModes, name_of(otherwise)));
  return *filter_mode_from_name(name);
}

// What is wrong with its names is found when it is compiled, and shown in the bar.
Status use(Session& session, OpenTrace& trace, const ViewFilter& filter, uint32_t gesture) {
  const auto parsed = query::parse_filter(filter.text);
  if (!parsed) return fail(parsed.error().one_line(filter.text));
  trace.set_filter(filter, gesture);
  if (gesture == 0) session.recent.add_filter(filter.text);
  return {};
}

Status set_filter(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  ViewFilter filter = trace->view().filter;
  WEFT_TRY_ASSIGN(filter.text, text_arg(command.args, "text"));
  const bool is_blank = filter.text.find_first_not_of(" \t") == std::string::npos;
  if (is_blank) filter.text.clear();
  WEFT_TRY_ASSIGN(filter.mode, mode_arg(command.args, filter.mode));
  return use(session, *trace, filter, command.gesture);
}

Status add_filter(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const std::string text, text_arg(command.args, "text"));
  ViewFilter filter = trace->view().filter;
  filter.text = both(filter.text, text);
  WEFT_TRY(use(session, *trace, filter, command.gesture));
  session.dialogs.shows_find = true;
  return {};
}

// It stays where it is shown: who presses its key again wants to type anew.
Status show_find(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(session.dialogs.shows_find, flag_arg(command.args, "shown", true));
  return {};
}

template <query::Direction kDirection>
Status find(Session& session, const Command&) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  if (!trace->trace() || !session.host.pool) return fail("the trace is still empty");
  const std::string& text = trace->view().filter.text;
  if (text.empty()) {
    session.dialogs.shows_find = true;
    return {};
  }
  session.recent.add_filter(text);
  trace->find(kDirection, *session.host.pool, session.host.wake);
  return {};
}

Status find_longest(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  if (!trace->trace() || !session.host.pool) return fail("the trace is still empty");
  std::string text = trace->view().filter.text;
  if (command.args.contains("text")) {
    WEFT_TRY_ASSIGN(text, text_arg(command.args, "text"));
  }
  if (text.empty()) text = "category == state";
  if (const auto parsed = query::parse_filter(text); !parsed)
    return fail(parsed.error().one_line(text));
  TimeRange range = trace->reach();
  if (command.args.contains("from") || command.args.contains("to")) {
    WEFT_TRY_ASSIGN(range, range_args(command.args, *trace));
  }
  trace->find_longest(std::move(text), range, *session.host.pool, session.host.wake);
  return {};
}

constexpr Arguments kElement = {
    {"lane"},  {"kind"},
    {"type"},  {"at"},
    {"depth"}, {"duration"},
    {"peer"},  {"nth", "of another element, as in element.select", "the selected one"}};

// The filter that marks them, and its first hit.
Status find_motif(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const std::string motif, text_arg(command.args, "motif"));
  if (!query::motif_from_name(motif)) return fail(query::no_motif(motif));
  WEFT_TRY(use(session, *trace, {"motif == " + motif, trace->view().filter.mode}, command.gesture));
  session.dialogs.shows_find = true;
  return find<query::Direction::kNext>(session, command);
}

// "kind" and the rest of an element; the selected one where they are not given.
Result<query::ElementRef> element_or_selected(Session& session, const Json& args) {
  WEFT_TRY_ASSIGN(const OpenTrace* trace, current(session));
  if (!trace->trace()) return fail("the trace is still empty");
  if (args.contains("kind")) return element_arg(args, *trace);
  WEFT_TRY(clear_of(needs_element(session)));
  return *trace->element();
}

// Adds to the filter what an element says.
using ExpressionOf = std::string (*)(const trace::Dictionary&, const query::ElementRef&);
template <ExpressionOf kExpression>
Status filter_by(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const query::ElementRef element, element_or_selected(session, command.args));
  const std::string text = kExpression(session.trace()->trace()->dictionary(), element);
  if (text.empty()) return fail("only messages and states have causes and effects");
  return add_filter(session, {command.name, {{"text", text}}, command.gesture});
}

template <ExpressionOf kExpression>
Status filter_along_links(Session& session, const Command& command) {
  WEFT_TRY(clear_of(needs_links(session)));
  return filter_by<kExpression>(session, command);
}

// Hidden types are gone, not greyed: the filter hides what does not pass.
Status hide_type(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const std::string type, text_arg(command.args, "type"));
  ViewFilter filter = trace->view().filter;
  const bool was_hidden =
      filter.mode == FilterMode::kHide && hidden_types(filter.text).contains(type);
  WEFT_TRY_ASSIGN(const bool is_shown, flag_arg(command.args, "shown", was_hidden));
  if (!is_shown) filter.mode = FilterMode::kHide;
  if (is_shown || !hidden_types(filter.text).contains(type)) {
    filter.text = with_type(filter.text, type, is_shown);
  }
  return use(session, *trace, filter, command.gesture);
}

Status clear_filter(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  trace->set_filter({"", trace->view().filter.mode}, command.gesture);
  return {};
}

Status set_mode(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  ViewFilter filter = trace->view().filter;
  const size_t next = (static_cast<size_t>(filter.mode) + 1) % kFilterModes.size();
  WEFT_TRY_ASSIGN(filter.mode, mode_arg(command.args, static_cast<FilterMode>(next)));
  trace->set_filter(filter, command.gesture);
  return {};
}

Status keep_filter(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string name, text_arg(command.args, "name"));
  if (name.empty()) return fail("a filter needs a name");
  std::string text;
  if (command.args.contains("text")) {
    WEFT_TRY_ASSIGN(text, text_arg(command.args, "text"));
  } else {
    WEFT_TRY_ASSIGN(const OpenTrace* trace, current(session));
    text = trace->view().filter.text;
  }
  if (text.empty()) return fail("there is no filter to keep");
  if (const auto parsed = query::parse_filter(text); !parsed) {
    return fail(parsed.error().one_line(text));
  }
  if (session.kept_filters.size() >= kMostKeptFilters && !session.kept_filters.contains(name)) {
    return fail(fmt::format("there are {} filters already", kMostKeptFilters));
  }
  session.kept_filters[name] = std::move(text);
  return {};
}

Result<std::string> kept_filter_arg(const Session& session, const Json& args) {
  WEFT_TRY_ASSIGN(std::string name, text_arg(args, "name"));
  if (!session.kept_filters.contains(name)) return fail(fmt::format("no filter '{}'", name));
  return name;
}

Status use_kept_filter(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  WEFT_TRY_ASSIGN(const std::string name, kept_filter_arg(session, command.args));
  ViewFilter filter = trace->view().filter;
  filter.text = session.kept_filters[name];
  return use(session, *trace, filter, command.gesture);
}

Status forget_filter(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string name, kept_filter_arg(session, command.args));
  session.kept_filters.erase(name);
  return {};
}

constexpr CommandRow kFilterCommands[] = {
    {"find.show", "Find and filter…", "Ctrl+F /", {flag("shown", "true")}, show_find, needs_trace},
    {"find.next", "Next hit of the filter", "F3", {}, find<query::Direction::kNext>, needs_filter},
    {"find.previous",
     "Previous hit of the filter",
     "Shift+F3",
     {},
     find<query::Direction::kPrevious>,
     needs_filter},
    {"find.longest",
     "Go to the longest",
     "",
     {{"text", "an expression that it passes", "the view's filter, or else any state"},
      {"from"},
      {"to", "times", "the whole trace"}},
     find_longest,
     needs_trace},
    {"find.motif",
     "Find requests, responses, broadcasts or gathers",
     "",
     {{"motif", "request, response, broadcast or gather"}},
     find_motif,
     needs_trace},
    {"filter.set",
     "Filter the timeline",
     "",
     {{"text", "an expression"}, one_of("mode", kModes, "as it is")},
     set_filter,
     needs_trace},
    {"filter.add",
     "Filter to this, too",
     "",
     {{"text", "an expression that must be true as well"}},
     add_filter,
     needs_trace},
    {"filter.type", "Filter to the type of the selected element", "", kElement,
     filter_by<type_filter>, needs_element},
    {"filter.lane", "Filter to the lane of the selected element", "", kElement,
     filter_by<lane_filter>, needs_element},
    {"filter.causes", "Filter to what led to the selected element", "", kElement,
     filter_along_links<cause_filter>, needs_linked_element},
    {"filter.effects", "Filter to what followed from the selected element", "", kElement,
     filter_along_links<effect_filter>, needs_linked_element},
    {"filter.mode",
     "Mark, dim or hide",
     "",
     {one_of("mode", kModes, "the next")},
     set_mode,
     needs_trace},
    {"type.hide",
     "Hide an event type, or show it again",
     "",
     {{"type", "its name"}, kShown},
     hide_type,
     needs_trace},
    {"filter.clear", "Clear the filter", "", {}, clear_filter, needs_filter},
    {"filter.keep",
     "Keep the filter under a name",
     "",
     {{"name", "text"}, {"text", "an expression", "the view's filter"}},
     keep_filter},
    {"filter.use",
     "Use a filter that was kept",
     "",
     {{"name", "text"}},
     use_kept_filter,
     needs_kept_filters},
    {"filter.forget",
     "Forget a filter that was kept",
     "",
     {{"name", "text"}},
     forget_filter,
     needs_kept_filters},
};

}  // namespace

std::span<const CommandRow> filter_commands() { return kFilterCommands; }

}  // namespace weft::app
