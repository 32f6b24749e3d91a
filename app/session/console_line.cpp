#include "app/session/console_line.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <ranges>
#include <unordered_map>
#include <utility>

#include "app/session/palette_entries.h"
#include "app/session/panel_kinds.h"
#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/query/filter/filter_expression.h"
#include "core/query/filter/filter_lexer.h"

namespace weft::app {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const size_t end = text.find_last_not_of(kBlanks);
  return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

std::string_view first_word(std::string_view line) {
  return line.substr(0, line.find_first_of(kBlanks));
}

bool is_name_char(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

// Where the word at the end begins; blanks between quotes are part of it.
size_t begin_of_last_word(std::string_view line) {
  size_t begin = 0;
  bool is_quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') is_quoted = !is_quoted;
    if (!is_quoted && kBlanks.contains(line[i])) begin = i + 1;
  }
  return begin;
}

// The lanes' names, and the paths of those whose name others have, too, or of all.
std::vector<std::string> names_of_lanes(const trace::Dictionary& dictionary, bool has_all_paths) {
  std::unordered_map<std::string_view, size_t> count;
  for (const trace::Lane& lane : dictionary.lanes) ++count[lane.name];
  std::vector<std::string> names;
  for (uint32_t i = 0; i < dictionary.lanes.size(); ++i) {
    const std::string& name = dictionary.lanes[i].name;
    const bool is_one_of_several = count[name] > 1;
    if (!is_one_of_several) names.push_back(name);
    if (is_one_of_several || has_all_paths) names.push_back(dictionary.path_text(LaneId(i)));
  }
  return names;
}

// What an argument's value can be: its choices, or the lanes and types of the trace. Quotes cannot
// be typed.
void complete_value(const Argument& argument, std::string_view value, size_t begin,
                    const trace::Dictionary* dictionary, query::Completions& found) {
  found.span.begin = begin;
  std::string typed(value);
  std::erase(typed, '"');
  std::vector<std::string> names;
  for (const Choice& choice : argument.choices) names.emplace_back(choice.id);
  if (dictionary && argument.name == "lane")
    names = names_of_lanes(*dictionary, typed.contains('/'));
  if (dictionary && argument.name == "type") {
    for (const trace::EventType& type : dictionary->types) names.emplace_back(type.name);
  }
  std::erase_if(names, [&](const std::string& name) {
    return !name.starts_with(typed) || name == typed || name.contains('"');
  });
  std::ranges::sort(names);
  const auto same = std::ranges::unique(names);
  names.erase(same.begin(), same.end());
  const bool is_quoted = std::ranges::any_of(
      names, [](const std::string& name) { return name.find_first_of(kBlanks) != name.npos; });
  for (const std::string& name : names)
    found.items.push_back({is_quoted ? '"' + name + '"' : name, ""});
}

// As it is typed: "panel.open panel=statistics".
std::string typed_line(const Command& command) {
  return command.name + (command.args.empty() ? "" : " " + text_from_arguments(command.args));
}

// How many letters the word and a part of the line begin with alike: "stats" and
// "states.by_duration" 4.
size_t shared_begin(std::string_view word, std::string_view line) {
  const auto is_same = [](char a, char b) { return to_lower(a) == to_lower(b); };
  size_t most = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (i > 0 && !std::string_view(".=_ ").contains(line[i - 1])) continue;
    const auto part = line.substr(i);
    const auto differs = std::ranges::mismatch(word, part, is_same).in1;
    most = std::max(most, static_cast<size_t>(differs - word.begin()));
  }
  return most;
}

// The commands that the word may mean: those that begin like it or, if there are none, those that
// the palette finds by it.
std::string nearest_commands(std::string_view word) {
  constexpr size_t kMostNamed = 3, kLeastShared = 3;
  std::vector<PaletteEntry> all;
  for (const CommandRow& row : command_table())
    all.push_back({std::string(row.title), "", {std::string(row.name)}});
  for (const PanelKind& kind : panel_kinds())
    all.push_back({fmt::format("Panel: {}", kind.title), "", {"panel.open", {{"panel", kind.id}}}});
  const auto shared = [&](const PaletteEntry& entry) {
    return shared_begin(word, typed_line(entry.command));
  };
  std::vector<PaletteEntry> nearest = all;
  std::erase_if(nearest, [&](const PaletteEntry& entry) { return shared(entry) < kLeastShared; });
  std::ranges::stable_sort(nearest, std::greater(), shared);
  if (nearest.empty()) nearest = matching(std::move(all), word);
  std::vector<std::string> named;
  for (const PaletteEntry& entry : nearest | std::views::take(kMostNamed))
    named.push_back(typed_line(entry.command));
  return fmt::format("{}", fmt::join(named, ", "));
}

// A name alone, as a command is: not in quotes, and nothing is compared.
bool is_word_alone(std::string_view line) {
  using Kind = query::Token::Kind;
  const auto tokens = query::lex_filter(line);
  return tokens && tokens->size() == 2 &&
         (tokens->front().kind == Kind::kWord || tokens->front().kind == Kind::kNumber);
}

}  // namespace

Result<Command> command_from_line(std::string_view line) {
  line = without_blanks(line);
  if (line.starts_with('{')) return command_from_json(line);
  const std::string_view word = first_word(line);
  if (const CommandRow* row = find_command(word)) {
    WEFT_TRY_ASSIGN(Json args, arguments_from_text(line.substr(word.size()), row->arguments));
    return Command{std::string(row->name), std::move(args)};
  }
  if (const auto parsed = query::parse_filter(line); !parsed) {
    const auto is_of_name = [](char c) { return is_name_char(c) || c == '.'; };
    const bool may_be_command = word.contains('.') && std::ranges::all_of(word, is_of_name);
    return fail(fmt::format("{}{}", may_be_command ? "no command of that name; as a filter: " : "",
                            printable(parsed.error().one_line(line))));
  }
  // A filter that nobody meant would grey out the whole trace.
  if (is_word_alone(line)) {
    const std::string nearest = nearest_commands(line);
    return fail(fmt::format("no command '{}'{}{}; a filter has it in quotes: \"{}\"",
                            printable(line, 40), nearest.empty() ? "" : ", but ", nearest,
                            printable(line, 40)));
  }
  return Command{"filter.set", {{"text", std::string(line)}}};
}

query::Completions complete_line(std::string_view line, size_t cursor,
                                 const trace::Dictionary* dictionary) {
  cursor = std::min(cursor, line.size());
  const size_t begin = begin_of_last_word(line.substr(0, cursor));
  const std::string_view typed = line.substr(begin, cursor - begin);
  query::Completions found{{begin, cursor}, {}};
  const auto offer = [&](std::string text, std::string_view help) {
    if (text.starts_with(typed) && text != typed)
      found.items.push_back({std::move(text), std::string(help)});
  };
  const CommandRow* command = begin == 0 ? nullptr : find_command(first_word(line));
  if (command) {
    const size_t equals = typed.find('=');
    if (equals != std::string_view::npos) {
      if (const Argument* argument = command->arguments.find(typed.substr(0, equals)))
        complete_value(*argument, typed.substr(equals + 1), begin + equals + 1, dictionary, found);
      return found;
    }
    const std::string help = in_words(command->arguments);
    for (const Argument& argument : command->arguments)
      offer(std::string(argument.name) + '=', help);
    return found;
  }
  if (begin == 0 && !typed.empty()) {
    for (const CommandRow& row : command_table()) offer(std::string(row.name), row.title);
  }
  if (!dictionary) return found;
  query::Completions expression = query::complete_filter(line, cursor, *dictionary, {});
  if (found.items.empty()) return expression;
  if (expression.span.begin == found.span.begin)
    std::ranges::move(expression.items, std::back_inserter(found.items));
  return found;
}

void LineHistory::add(std::string line) {
  if (lines_.empty() || lines_.back() != line) lines_.push_back(std::move(line));
  if (lines_.size() > kMost) lines_.erase(lines_.begin());
  at_ = lines_.size();
}

std::string_view LineHistory::step(int by) {
  if (by < 0 && at_ > 0) --at_;
  if (by > 0 && at_ < lines_.size()) ++at_;
  return at_ < lines_.size() ? std::string_view(lines_[at_]) : std::string_view();
}

}  // namespace weft::app
