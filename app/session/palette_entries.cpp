#include "app/session/palette_entries.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <ranges>
#include <tuple>

#include "app/base/fuzzy.h"
#include "app/session/density_scale.h"
#include "app/session/option_choices.h"
#include "app/session/panel_kinds.h"
#include "app/session/settings.h"
#include "app/session/statistics_pages.h"
#include "app/view/lane_names.h"
#include "core/base/ascii.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/query/filter/motif_filter.h"

namespace weft::app {
namespace {

bool is_name_char(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

// "Go to a time…" asks better for what "Go to a time" needs.
bool has_dialog(const CommandRow& row) {
  const CommandRow* dialog = find_command(std::string(row.name) + ".ask");
  return dialog != nullptr && dialog->title == std::string(row.title) + "…";
}

Json value_of(const std::string& word) {
  if (word == "true" || word == "false") return word == "true";
  if (const auto integer = parse_number<int64_t>(word))
    return *integer >= 0 ? Json(static_cast<uint64_t>(*integer)) : Json(*integer);
  if (const auto number = parse_number<double>(word)) return *number;
  return word;
}

// The next word, whose spaces may stand in double quotes; empty at the end.
struct Words {
  std::string_view rest;
  bool is_open = false;  // a quote was not closed

  std::optional<std::string> next() {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (rest.empty()) return std::nullopt;
    std::string word;
    bool is_quoted = false;
    size_t i = 0;
    for (; i < rest.size() && (is_quoted || rest[i] != ' '); ++i) {
      if (rest[i] == '"') {
        is_quoted = !is_quoted;
      } else {
        word += rest[i];
      }
    }
    is_open = is_quoted;
    rest.remove_prefix(i);
    return word;
  }
};

// What other programs call it, and what one would ask: words besides those of the title.
struct OtherWords {
  std::string_view of;  // the command's name, or the entry's title
  std::string_view words;
};
constexpr OtherWords kOtherWords[] = {
    {"bookmark.set", "save bookmark remember store"},
    {"bookmark.show", "restore bookmark load"},
    {"element.along_link", "flow arrow message next"},
    {"element.back_along_link", "flow arrow message previous"},
    {"element.clear", "deselect"},
    {"element.reveal", "jump center centre locate"},
    {"filter.clear", "reset remove"},
    {"filter.set", "search query highlight"},
    {"find.list", "search result match list rows"},
    {"find.longest", "slowest maximum worst duration latency"},
    {"find.motif", "search shape pattern messages answer fan"},
    {"find.next", "search result match"},
    {"find.previous", "search result match"},
    {"find.show", "search query highlight filter"},
    {"flame.compare", "flamegraph compare diff differential"},
    {"font.larger", "text ui scale bigger size"},
    {"font.reset", "text ui scale size"},
    {"font.smaller", "text ui scale size"},
    {"density.scale", "histogram bars sqrt log axis"},
    {"grid.show", "grid gridlines"},
    {"help.show", "shortcuts cheat sheet hotkeys"},
    {"journal.report", "html export share"},
    {"journal.save", "record macro export"},
    {"keys.bind", "shortcuts hotkeys rebind configure"},
    {"keys.reset", "shortcuts hotkeys default"},
    {"lane.collapse_all", "collapse track thread"},
    {"lane.expand_all", "expand track thread"},
    {"lane.filter", "search track thread process"},
    {"lane.go", "jump track thread process"},
    {"lane.hide_empty", "track thread remove"},
    {"lane.levels", "depth limit compact track stack"},
    {"lane.pin", "pin track thread"},
    {"lane.reset", "restore track order"},
    {"lane.show_all", "unhide track thread"},
    {"lane.sort", "order track thread"},
    {"layout.load", "restore workspace perspective"},
    {"layout.reset", "restore default workspace perspective panels arrange"},
    {"layout.save", "store workspace perspective"},
    {"links.all", "flows dependencies"},
    {"links.show", "flows dependencies hide"},
    {"live.ask", "flight recorder ring buffer trigger keep last"},
    {"live.hold", "flight recorder save last freeze"},
    {"live.keep", "flight recorder ring buffer last"},
    {"live.trigger", "flight recorder condition"},
    {"losses.next", "errors warnings dropped lost loss"},
    {"losses.previous", "errors warnings dropped lost loss"},
    {"marker.a", "set measure ruler"},
    {"marker.add", "set flag bookmark annotate note comment"},
    {"marker.add_selection", "set flag bookmark annotate note comment range"},
    {"marker.b", "set measure ruler"},
    {"messages.show", "log errors warnings"},
    {"open.ask", "load import file trace"},
    {"panel.duplicate", "split clone window view"},
    {"quit", "exit close window"},
    {"reload", "refresh reopen again changed"},
    {"row_height.fit", "zoom vertical all lanes"},
    {"row_height.larger", "zoom vertical taller track"},
    {"row_height.smaller", "zoom vertical track"},
    {"select.clear", "deselect reset"},
    {"selection.copy", "clipboard"},
    {"set", "preferences options configure"},
    {"settings.show", "preferences options configure files folder"},
    {"snapshot.ask", "screenshot image png svg export"},
    {"states.by_duration", "color length long slow heat"},
    {"symbols.load", "source elf dwarf names"},
    {"table.copy", "clipboard csv"},
    {"table.export", "csv json save"},
    {"theme", "color colour scheme mode night"},
    {"trace.align", "synchronise synchronize clock offset"},
    {"trace.beside", "compare diff split"},
    {"trace.couple", "link synchronise synchronize lock"},
    {"trace.offset", "shift clock drift synchronise synchronize"},
    {"trace.stack", "merge combine compare"},
    {"view.compress", "idle gap remove collapse fold skip"},
    {"view.end", "live tail newest last follow"},
    {"view.fit", "reset zoom out full fit all home overview"},
    {"view.go.ask", "jump timestamp"},
    {"view.next", "scroll pan right page"},
    {"view.previous", "scroll pan left page"},
    {"view.redo", "redo"},
    {"view.undo", "undo"},
    {"view.zoom_to_selection", "range"},
    {"Panel: Comparison", "compare diff difference"},
    {"Panel: Data quality", "errors warnings dropped lost losses problems"},
    {"Panel: Durations", "histogram distribution percentiles quantiles latency longest"},
    {"Panel: Event density", "histogram"},
    {"Panel: Event table", "events list log rows longest slowest sort"},
    {"Panel: Flame graph", "stacks callgraph profile icicle sandwich"},
    {"Panel: Inspector", "details properties arguments current"},
    {"Panel: Legend", "colors colours"},
    {"Panel: Markers", "bookmarks notes annotations"},
    {"Panel: Memory", "ram usage"},
    {"Panel: Overview", "minimap"},
    {"Panel: Selection", "sum summary range self total mean percentiles"},
    {"Panel: Sequence diagram", "messages uml"},
    {"Panel: Statistics", "pie chart summary self total count longest"},
    {"Panel: Timeline", "gantt chart"},
};

bool begins_with(std::string_view text, std::string_view small) {
  return equals_ignoring_case(text.substr(0, small.size()), small);
}

// Of one word of what was typed, in small letters. What begins with it goes before what merely has
// its letters, a title before the command's name and other words for it; titles with such a word
// are as good as each other.
std::optional<int> score_of(std::string_view word, const PaletteEntry& entry) {
  // For each letter; letters in any order get 28 at most.
  constexpr int kInTitle = 50, kInOtherWords = 40, kLeastScattered = 4;
  const auto size = static_cast<int>(word.size());
  const auto begins_one_of = [&](std::string_view words, char parted_by) {
    return std::ranges::any_of(std::views::split(words, parted_by), [&](const auto part) {
      return begins_with(std::string_view(part.begin(), part.end()), word);
    });
  };
  if (begins_one_of(entry.title, ' ')) return kInTitle * size;
  if (begins_one_of(entry.command.name, '.')) return kInOtherWords * size;
  if (entry.command.name == "set" && begins_one_of(text_in(entry.command.args, "name"), '_'))
    return kInOtherWords * size;
  for (const OtherWords& other : kOtherWords) {
    const bool is_of_it = other.of == entry.command.name || other.of == entry.title;
    if (is_of_it && begins_one_of(other.words, ' ')) return kInOtherWords * size;
  }
  // Letters here and there are in most titles: some must begin words, or follow each other.
  const auto score_in = [&](std::string_view text) {
    const std::optional<int> score = fuzzy_score(word, text);
    return score && *score >= kLeastScattered * size ? score : std::nullopt;
  };
  std::optional<int> score = score_in(entry.command.name);
  if (const auto in_title = score_in(entry.title))
    score = std::max(score.value_or(0), *in_title * 2);
  return score;
}

void add_choices(const Session& session, std::vector<PaletteEntry>& entries) {
  entries.push_back({"Zoom in", "hold W", {"view.zoom", {{"factor", 2}}}});
  entries.push_back({"Zoom out", "hold S", {"view.zoom", {{"factor", 0.5}}}});
  for (const PanelKind& row : panel_kinds()) {
    entries.push_back(
        {fmt::format("Panel: {}", row.title), "panel", {"panel.open", {{"panel", row.id}}}});
  }
  if (const OpenTrace* trace = session.trace(); trace && trace->trace()) {
    for (const formats::Page& page : pages_of(*trace->trace())) {
      entries.push_back({"Ready-made table: " + page.title,
                         "page",
                         {"panel.open", {{"panel", "pages"}, {"options", {{"page", page.id}}}}}});
    }
  }
  for (const auto& [name, layout] : session.desk.saved_layouts) {
    entries.push_back({"Layout: " + name, "layout", {"layout.load", {{"name", name}}}});
  }
  for (const auto& [name, group] : session.desk.groups) {
    const auto add_step = [&](std::string_view title, const char* command) {
      entries.push_back({fmt::format("Group of views: {} {}", title, name),
                         "group",
                         {command, {{"group", name}}}});
    };
    if (!group.closed.empty()) {
      add_step("open", "group.open");
      continue;
    }
    add_step("synchronise", "group.synchronise");
    add_step("close", "group.close");
  }
  for (const auto& [name, expression] : session.kept_filters) {
    entries.push_back({"Filter: " + name, expression, {"filter.use", {{"name", name}}}});
  }
  for (size_t i = 0; i < session.traces.size(); ++i) {
    entries.push_back(
        {"Trace: " + session.traces[i]->name(), "open trace", {"trace.select", {{"index", i}}}});
  }
  for (const auto& path : session.recent.files) {
    entries.push_back({"Open: " + path.string(), "recent", {"open", {{"path", path.string()}}}});
  }
  for (const query::MotifWord& word : query::motif_words()) {
    entries.push_back({"Find by motif: " + std::string(word.name),
                       std::string(word.meaning),
                       {"find.motif", {{"motif", word.name}}}});
  }
  const bool has_safe = session.look.has_safe_colors;
  entries.push_back({has_safe ? "The usual colours" : "Colours that everybody can tell apart",
                     "setting",
                     {"set", {{"name", "safe_colors"}, {"value", !has_safe}}}});
  const bool has_patterns = session.look.has_patterns;
  entries.push_back({has_patterns ? "Colours without patterns" : "Patterns besides colours",
                     "setting",
                     {"set", {{"name", "patterns"}, {"value", !has_patterns}}}});
  const auto add_each = [&](std::string_view before, Choices choices, std::string_view hint,
                            const Command& command, const char* argument) {
    for (const Choice& choice : choices) {
      PaletteEntry& entry =
          entries.emplace_back(std::string(before) + choice.title, std::string(hint), command);
      entry.command.args[argument] = choice.id;
    }
  };
  add_each("Align the traces ", kAlignments, "traces", {"trace.align"}, "by");
  add_each("Overview and event density: ", kDensityScales, "scale histogram", {"density.scale"},
           "scale");
  for (const auto& [name, before] : {std::pair("time_origin", "Times "),
                                     {"time_unit", "Times "},
                                     {"radix", "Values of buses in "}}) {
    add_each(before, find_setting(name)->choices, "setting", {"set", {{"name", name}}}, "value");
  }
}

bool is_set(const Session& session, const JournalEntry& step) {
  if (step.command != "set" || !step.args.contains("value")) return false;
  const Setting* setting = find_setting(step.args.value("name", ""));
  return setting && setting->get(session) == step.args["value"];
}

// What was done last comes first; then what runs as it is, what asks for arguments, and what can do
// nothing now.
void order_by_use(const Session& session, std::vector<PaletteEntry>& entries) {
  constexpr ptrdiff_t kMostDone = 5;
  constexpr size_t kMostLookedAt = 200;
  std::ranges::stable_sort(entries, {}, [](const PaletteEntry& entry) {
    return !entry.obstacle.empty() ? 2 : entry.asks ? 1 : 0;
  });
  ptrdiff_t done = 0;
  for (const JournalEntry& step :
       std::views::reverse(session.journal) | std::views::take(kMostLookedAt)) {
    if (done == kMostDone) break;
    // What is open already need not be opened, nor set what is set, as every setting is at the
    // start.
    const bool is_passing = step.command == "palette.show" || step.command == "escape" ||
                            step.command == "open" || is_set(session, step);
    if (is_passing) continue;
    const auto first = entries.begin() + done;
    const auto at = std::ranges::find_if(first, entries.end(), [&](const PaletteEntry& entry) {
      return !entry.asks && entry.obstacle.empty() && entry.command.name == step.command &&
             entry.command.args == step.args;
    });
    if (at == entries.end()) continue;
    std::rotate(first, at, at + 1);
    ++done;
  }
}

}  // namespace

std::vector<PaletteEntry> palette_entries(const Session& session) {
  std::vector<PaletteEntry> entries;
  for (const CommandRow& row : command_table()) {
    if (has_dialog(row)) continue;
    std::string keys;
    for (const std::string& chord : session.keys.labels_of(row.name)) {
      keys += (keys.empty() ? "" : "  ") + chord;
    }
    entries.push_back({std::string(row.title),
                       std::move(keys),
                       {std::string(row.name)},
                       row.arguments.must_be_asked_for() ? &row : nullptr});
  }
  add_choices(session, entries);
  for (PaletteEntry& entry : entries) entry.obstacle = obstacle_to(entry.command.name, session);
  order_by_use(session, entries);
  return entries;
}

std::vector<PaletteEntry> lane_entries(const Session& session, std::string_view query) {
  constexpr size_t kMostLanes = 100;
  std::vector<PaletteEntry> entries;
  const OpenTrace* trace = session.trace();
  if (query.size() < 2 || !trace || !trace->trace()) return entries;
  const trace::Dictionary& dictionary = trace->trace()->dictionary();
  for (const LaneId lane : lanes_with_words(query, dictionary, kMostLanes)) {
    entries.push_back({"Lane: " + printable(dictionary.path_text(lane), 200),
                       "go to it",
                       {"lane.go", {{"lane", lane.value()}}}});
  }
  return entries;
}

std::vector<PaletteEntry> matching(std::vector<PaletteEntry> entries, std::string_view query) {
  if (query.empty()) return entries;
  std::vector<std::pair<int, PaletteEntry>> scored;
  const std::vector<std::string> words = small_words(query);
  for (PaletteEntry& entry : entries) {
    std::optional<int> score = entry.title == query ? std::numeric_limits<int>::max() / 2 : 0;
    for (const std::string& word : words) {
      const auto found = score_of(word, entry);
      score = score && found ? std::optional(*score + *found) : std::nullopt;
    }
    if (score) scored.emplace_back(*score, std::move(entry));
  }
  // Of equals, one that can be done now, and the one with the least beside what was asked for.
  std::ranges::stable_sort(scored, {}, [](const std::pair<int, PaletteEntry>& match) {
    const auto& [score, entry] = match;
    return std::tuple(-score, !entry.obstacle.empty(), entry.title.size());
  });
  std::vector<PaletteEntry> best;
  best.reserve(scored.size());
  for (auto& [score, entry] : scored) best.push_back(std::move(entry));
  return best;
}

Result<Json> arguments_from_text(std::string_view text, const Arguments& arguments) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin != std::string_view::npos && text[begin] == '{') {
    Json json = parse_json(text.substr(begin));
    if (!json.is_object()) return fail("not a JSON object");
    return json;
  }
  Json args = Json::object();
  std::optional<std::string> first;
  Words words{text};
  while (const auto word = words.next()) {
    if (words.is_open) return fail("a quote is not closed");
    const size_t equals = word->find('=');
    const std::string name = word->substr(0, std::min(equals, word->size()));
    const bool is_named =
        equals != std::string::npos && equals > 0 && std::ranges::all_of(name, is_name_char);
    if (is_named) {
      args[name] = value_of(word->substr(equals + 1));
    } else if (args.empty() && !arguments.empty()) {
      first = first ? *first + ' ' + *word : *word;
    } else {
      return fail(fmt::format("'{}' is not an argument (as name=value)", *word));
    }
  }
  if (first) args[std::string(arguments.begin()->name)] = value_of(*first);
  return args;
}

std::string text_from_arguments(const Json& args) {
  std::string words;
  for (const auto& [name, value] : args.items()) {
    std::string word = plain_text(value);
    if (word.empty() || word.contains(' ')) word = '"' + word + '"';
    words += (words.empty() ? "" : " ") + name + '=' + word;
  }
  const auto read = arguments_from_text(words, {});
  return read && *read == args ? words : json_line(args);
}

}  // namespace weft::app
