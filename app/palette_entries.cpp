#include "app/palette_entries.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "app/fuzzy.h"
#include "app/panels/panels.h"
#include "app/settings.h"

namespace weft::app {
namespace {

bool is_name_char(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

std::string_view first_parameter(std::string_view parameters) {
  const size_t end =
      static_cast<size_t>(std::ranges::find_if_not(parameters, is_name_char) - parameters.begin());
  return parameters.substr(0, end);
}

// Where the first parameter has a default, so have the others.
bool needs_arguments(const CommandRow& row) {
  const std::string_view first = row.parameters.substr(0, row.parameters.find(';'));
  return !first.empty() && first.find("default") == std::string_view::npos;
}

Json value_of(const std::string& word) {
  if (word == "true" || word == "false") return word == "true";
  int64_t integer = 0;
  const char* end = word.data() + word.size();
  if (const auto [at, error] = std::from_chars(word.data(), end, integer);
      error == std::errc() && at == end) {
    return integer >= 0 ? Json(static_cast<uint64_t>(integer)) : Json(integer);
  }
  double number = 0;
  if (const auto [at, error] = std::from_chars(word.data(), end, number);
      error == std::errc() && at == end) {
    return number;
  }
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

void add_choices(const Session& session, std::vector<PaletteEntry>& entries) {
  for (const PanelRow& row : panel_table()) {
    entries.push_back(
        {fmt::format("Panel: {}", row.title), "panel", {"panel.open", {{"panel", row.id}}}});
  }
  for (const auto& [name, layout] : session.saved_layouts) {
    entries.push_back({"Layout: " + name, "layout", {"layout.load", {{"name", name}}}});
  }
  for (const auto& [name, group] : session.groups) {
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
    entries.push_back({"Trace: " + session.traces[i]->path().filename().string(),
                       "open trace",
                       {"trace.select", {{"index", i}}}});
  }
  for (const auto& path : session.recent) {
    entries.push_back({"Open: " + path.string(), "recent", {"open", {{"path", path.string()}}}});
  }
  const bool has_safe = session.has_safe_colors;
  entries.push_back({has_safe ? "The usual colours" : "Colours that everybody can tell apart",
                     "setting",
                     {"set", {{"name", "safe_colors"}, {"value", !has_safe}}}});
  const auto add_alignment = [&](const char* title, const char* by) {
    entries.push_back({title, "traces", {"trace.align", {{"by", by}}}});
  };
  add_alignment("Align the traces by their clocks", "clock");
  add_alignment("Align the traces by their begins", "begins");
  add_alignment("Align the traces by the selected events", "events");
  add_alignment("Align the traces by the selected ranges", "selections");
  add_alignment("Align the traces by the cursors A and B", "cursors");
  const auto add_setting = [&](const char* title, const char* name, const char* value) {
    entries.push_back({title, "setting", {"set", {{"name", name}, {"value", value}}}});
  };
  add_setting("Times since the trace's begin", "time_origin", "trace");
  add_setting("Times as the trace's clock counts", "time_origin", "clock");
  add_setting("Times on the calendar, UTC", "time_origin", "utc");
  add_setting("Times on the calendar, local", "time_origin", "local");
  add_setting("Times in the unit that reads best", "time_unit", "auto");
  add_setting("Times in seconds", "time_unit", "s");
  add_setting("Times in milliseconds", "time_unit", "ms");
  add_setting("Times in microseconds", "time_unit", "us");
  add_setting("Times in nanoseconds", "time_unit", "ns");
}

}  // namespace

std::vector<PaletteEntry> palette_entries(const Session& session) {
  std::vector<PaletteEntry> entries;
  for (const CommandRow& row : command_table()) {
    std::string keys;
    for (const std::string& chord : session.keys.chords_of(row.name)) {
      keys += (keys.empty() ? "" : "  ") + chord;
    }
    entries.push_back({std::string(row.title),
                       std::move(keys),
                       {std::string(row.name)},
                       needs_arguments(row) ? &row : nullptr});
  }
  add_choices(session, entries);
  return entries;
}

std::vector<PaletteEntry> matching(std::vector<PaletteEntry> entries, std::string_view query) {
  if (query.empty()) return entries;
  std::vector<std::pair<int, PaletteEntry>> scored;
  for (PaletteEntry& entry : entries) {
    // A command is found by its name, too, but its title counts more.
    const auto by_title = fuzzy_score(query, entry.title);
    const auto by_name = fuzzy_score(query, entry.command.name);
    if (!by_title && !by_name) continue;
    const bool is_whole = entry.title == query;
    const int score = is_whole ? std::numeric_limits<int>::max()
                               : std::max(by_title.value_or(-1) * 2, by_name.value_or(-1));
    scored.emplace_back(score, std::move(entry));
  }
  // Of equals, the one with the least beside what was asked for.
  std::ranges::stable_sort(scored, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second.title.size() < b.second.title.size();
  });
  std::vector<PaletteEntry> best;
  for (auto& [score, entry] : scored) best.push_back(std::move(entry));
  return best;
}

Result<Json> arguments_from_text(std::string_view text, std::string_view parameters) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin != std::string_view::npos && text[begin] == '{') {
    Json json = Json::parse(text.substr(begin), nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) return fail("not a JSON object");
    return json;
  }
  Json args = Json::object();
  Words words{text};
  while (const auto word = words.next()) {
    if (words.is_open) return fail("a quote is not closed");
    const size_t equals = word->find('=');
    const std::string name = word->substr(0, std::min(equals, word->size()));
    const bool is_named =
        equals != std::string::npos && equals > 0 && std::ranges::all_of(name, is_name_char);
    if (is_named) {
      args[name] = value_of(word->substr(equals + 1));
    } else if (args.empty() && !first_parameter(parameters).empty()) {
      args[std::string(first_parameter(parameters))] = value_of(*word);
    } else {
      return fail(fmt::format("'{}' is no argument (as name=value)", *word));
    }
  }
  return args;
}

}  // namespace weft::app
