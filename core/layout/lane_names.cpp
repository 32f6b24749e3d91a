#include "core/layout/lane_names.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "core/base/utf8.h"

namespace weft::layout {
namespace {

std::string_view first_letters(std::string_view text, size_t count) {
  size_t end = 0;
  for (; end < text.size(); ++end) {
    if (begins_letter(text[end]) && count-- == 0) break;
  }
  return text.substr(0, end);
}

std::string cut_at_end(std::string_view text, size_t most) {
  if (letters_in(text) <= most) return std::string(text);
  return most == 0 ? "" : std::string(first_letters(text, most - 1)) + "…";
}

// Shortens the head, which ends at a character border, to its beginning: a quarter of `most`, or
// more if there is room.
std::string cut(std::string_view name, size_t head, size_t most) {
  const std::string_view rest = name.substr(head);
  const size_t begin = std::max(most / 4, most - std::min(most, letters_in(rest) + 1));
  const bool is_short = letters_in(name) <= most || letters_in(name.substr(0, head)) <= begin + 1;
  if (is_short || most == 0) return cut_at_end(name, most);
  return std::string(first_letters(name, begin)) + "…" + cut_at_end(rest, most - begin - 1);
}

size_t common_bytes(std::string_view a, std::string_view b) {
  auto at = static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  while (at > 0 && at < a.size() && !begins_letter(a[at])) --at;
  return at;
}

}  // namespace

std::vector<std::string> distinct_names(const trace::Dictionary& dictionary,
                                        std::span<const LaneId> lanes) {
  std::vector<std::string> names;
  std::vector<LaneId> around;  // the group that each name would take next
  for (const LaneId lane : lanes) {
    names.push_back(dictionary.lane(lane).name);
    around.push_back(dictionary.lane(lane).parent);
  }
  constexpr int kMostGroups = 16;  // a damaged trace's lanes may lead back to themselves
  bool has_changed = true;
  for (int i = 0; i < kMostGroups && has_changed; ++i) {
    has_changed = false;
    std::unordered_map<std::string, size_t> counts;
    for (const std::string& name : names) ++counts[name];
    for (size_t place = 0; place < names.size(); ++place) {
      const bool has_group = around[place].value() < dictionary.lanes.size();
      if (!has_group || counts.at(names[place]) < 2) continue;
      const trace::Lane& group = dictionary.lane(around[place]);
      names[place] = group.name + '/' + names[place];
      around[place] = group.parent;
      has_changed = true;
    }
  }
  return names;
}

std::vector<std::string> shortened(std::span<const std::string> names, size_t most) {
  constexpr int kMostRounds = 8;
  std::vector<size_t> heads(names.size());  // bytes of each that others have, too
  std::vector<std::string> texts(names.size());
  bool has_changed = true;
  for (int round = 0; round < kMostRounds && has_changed; ++round) {
    has_changed = false;
    struct Alike {
      size_t first;   // of those that became the same
      size_t common;  // bytes that all of them have
      bool has_others = false;
    };
    std::unordered_map<std::string_view, Alike> groups;
    for (size_t i = 0; i < names.size(); ++i) texts[i] = cut(names[i], heads[i], most);
    for (size_t i = 0; i < names.size(); ++i) {
      Alike& alike = groups.try_emplace(texts[i], Alike{i, names[i].size()}).first->second;
      const std::string& first = names[alike.first];
      alike.has_others |= names[i] != first;
      alike.common = std::min(alike.common, common_bytes(first, names[i]));
    }
    for (size_t i = 0; i < names.size(); ++i) {
      const Alike& alike = groups.at(texts[i]);
      if (!alike.has_others || heads[i] == alike.common) continue;
      heads[i] = alike.common;
      has_changed = true;
    }
  }
  return texts;
}

}  // namespace weft::layout
