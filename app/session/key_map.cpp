#include "app/session/key_map.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include "app/session/commands.h"
#include "core/base/ascii.h"

namespace weft::app {
namespace {

constexpr std::array<std::string_view, 14> kNamedKeys = {
    "Escape", "Enter",    "Tab",  "Backspace", "Delete", "Home", "End",
    "PageUp", "PageDown", "Left", "Right",     "Up",     "Down", "Space"};
constexpr std::pair<std::string_view, std::string_view> kArrows[] = {
    {"Left", "←"}, {"Right", "→"}, {"Up", "↑"}, {"Down", "↓"}};
constexpr std::array<std::string_view, 3> kModifiers = {"Ctrl", "Alt", "Shift"};

// "F1" to "F25", a named key, or one printable character.
std::string normal_key(std::string_view text) {
  for (const std::string_view name : kNamedKeys) {
    if (equals_ignoring_case(text, name)) return std::string(name);
  }
  if (text.size() == 1 && std::isgraph(static_cast<unsigned char>(text[0]))) {
    return std::string(1, to_upper(text[0]));
  }
  const bool is_function = text.size() >= 2 && text.size() <= 3 && to_upper(text[0]) == 'F' &&
                           std::ranges::all_of(text.substr(1), is_digit);
  return is_function ? "F" + std::string(text.substr(1)) : std::string();
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (const auto word : std::views::split(text, ' ')) {
    if (!word.empty()) words.emplace_back(word.begin(), word.end());
  }
  return words;
}

}  // namespace

std::string normal_chord(std::string_view text) {
  std::array<bool, kModifiers.size()> has{};
  for (;;) {
    const size_t plus = text.find('+');
    // "Ctrl++": the last plus is the key.
    if (plus == std::string_view::npos || plus + 1 >= text.size()) break;
    const std::string_view word = text.substr(0, plus);
    const auto modifier = std::ranges::find_if(
        kModifiers, [&](std::string_view name) { return equals_ignoring_case(name, word); });
    if (modifier == kModifiers.end()) return {};
    has[static_cast<size_t>(modifier - kModifiers.begin())] = true;
    text.remove_prefix(plus + 1);
  }
  const std::string key = normal_key(text);
  if (key.empty()) return {};
  std::string chord;
  for (size_t i = 0; i < has.size(); ++i) {
    if (has[i]) chord += std::string(kModifiers[i]) + "+";
  }
  return chord + key;
}

KeyMap::KeyMap() {
  for (const CommandRow& row : command_table()) {
    for (const std::string& chord : words_of(row.shortcut)) rows_[chord] = &row;
  }
}

const CommandRow* KeyMap::find(std::string_view chord) const {
  const auto it = rows_.find(chord);
  return it == rows_.end() ? nullptr : it->second;
}

std::vector<std::string> KeyMap::chords_of(std::string_view command) const {
  const CommandRow* row = find_command(command);
  if (!row) return {};
  // Chords in the order in which they were bound; the map knows which of them are still bound.
  const auto bound = bound_.find(command);
  std::vector<std::string> chords = bound == bound_.end() ? words_of(row->shortcut) : bound->second;
  std::erase_if(chords, [&](const std::string& chord) { return find(chord) != row; });
  return chords;
}

std::vector<std::string> KeyMap::labels_of(std::string_view command) const {
  std::vector<std::string> labels = chords_of(command);
  for (std::string& label : labels) {
    const size_t key = label.rfind('+') + 1;  // 0: no modifier
    for (const auto& [name, arrow] : kArrows) {
      if (std::string_view(label).substr(key) == name) label.replace(key, name.size(), arrow);
    }
  }
  return labels;
}

std::string KeyMap::bind(std::string_view command, const std::vector<std::string>& chords) {
  const CommandRow* row = find_command(command);
  if (!row) return fmt::format("'{}' is not a command", command);
  std::vector<std::string> normal;
  for (const std::string& text : chords) {
    normal.push_back(normal_chord(text));
    if (normal.back().empty()) return fmt::format("'{}' is not a key (as Ctrl+Shift+P)", text);
  }
  std::erase_if(rows_, [&](const auto& entry) { return entry.second == row; });
  for (const std::string& chord : normal) rows_[chord] = row;
  bound_[std::string(command)] = std::move(normal);
  return {};
}

Json KeyMap::to_json() const {
  Json json = Json::object();
  // As by hand: a file that names one key says so without a list, and is not changed for that.
  for (const auto& [command, chords] : bound_)
    json[command] = chords.size() == 1 ? Json(chords.front()) : Json(chords);
  return json;
}

std::vector<std::string> KeyMap::apply(const Json& json) {
  if (!json.is_object()) return {"keys must be a JSON object: command → keys"};
  std::vector<std::string> complaints;
  std::map<std::string, std::string> taken;
  for (const auto& [command, value] : json.items()) {
    std::vector<std::string> chords;
    const Json given = value.is_array() ? value : Json::array({value});
    for (const Json& chord : given) {
      if (!chord.is_string()) {
        complaints.push_back(fmt::format("{}: a key must be a text", command));
        continue;
      }
      const auto text = chord.get<std::string>();
      const auto [owner, is_new] = taken.emplace(normal_chord(text), command);
      if (is_new || owner->first.empty()) {
        chords.push_back(text);
      } else {
        complaints.push_back(
            fmt::format("{} is given to {} and to {}", text, owner->second, command));
      }
    }
    if (chords.empty() && !given.empty()) continue;  // no key was understood: it keeps its own
    std::string complaint = bind(command, chords);
    if (!complaint.empty()) complaints.push_back(std::move(complaint));
  }
  return complaints;
}

}  // namespace weft::app
