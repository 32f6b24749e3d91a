#include "core/layout/lane_names.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "core/base/utf8.h"

namespace weft::layout {
namespace {

// As many letters from the beginning as have room.
std::string_view beginning(std::string_view text, double room, const NameWidth& width_of) {
  std::vector<size_t> ends;  // of one letter, of two, …
  for (size_t i = 1; i <= text.size(); ++i) {
    if (i == text.size() || begins_letter(text[i])) ends.push_back(i);
  }
  const auto beyond = std::ranges::partition_point(
      ends, [&](size_t end) { return width_of(text.substr(0, end)) <= room; });
  return text.substr(0, beyond == ends.begin() ? 0 : *(beyond - 1));
}

// Shortens the head, which ends at a character border, to its beginning: a quarter of the room, or
// more if there is any.
std::string cut(std::string_view name, size_t head, double room, const NameWidth& width_of) {
  const std::string_view rest = name.substr(head);
  const double ellipsis = width_of("…");
  const double begin = std::max(room / 4, room - std::min(room, width_of(rest) + ellipsis));
  const bool is_short =
      width_of(name) <= room || width_of(name.substr(0, head)) <= begin + ellipsis;
  if (is_short || room < ellipsis) return cut_at_end(name, room, width_of);
  const std::string_view kept = beginning(name, begin, width_of);
  return std::string(kept) + "…" + cut_at_end(rest, room - width_of(kept) - ellipsis, width_of);
}

size_t common_bytes(std::string_view a, std::string_view b) {
  auto at = static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  while (at > 0 && at < a.size() && !begins_letter(a[at])) --at;
  return at;
}

// Where the word begins that goes on at `at`.
size_t word_begin(std::string_view name, size_t at) {
  const size_t separator = name.substr(0, at).find_last_of(kNameSeparators);
  return separator == std::string_view::npos ? 0 : separator + 1;
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

std::string cut_at_end(std::string_view text, double room, const NameWidth& width_of) {
  if (width_of(text) <= room) return std::string(text);
  const double left = room - width_of("…");
  return left < 0 ? "" : std::string(beginning(text, left, width_of)) + "…";
}

std::vector<std::string> shortened(std::span<const std::string> names, double room,
                                   const NameWidth& width_of) {
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
    for (size_t i = 0; i < names.size(); ++i) texts[i] = cut(names[i], heads[i], room, width_of);
    for (size_t i = 0; i < names.size(); ++i) {
      Alike& alike = groups.try_emplace(texts[i], Alike{i, names[i].size()}).first->second;
      const std::string& first = names[alike.first];
      alike.has_others |= names[i] != first;
      alike.common = std::min(alike.common, common_bytes(first, names[i]));
    }
    for (size_t i = 0; i < names.size(); ++i) {
      const Alike& alike = groups.at(texts[i]);
      if (!alike.has_others) continue;
      const size_t word = word_begin(names[i], alike.common);
      const size_t head = heads[i] < word ? word : alike.common;
      if (heads[i] == head) continue;
      heads[i] = head;
      has_changed = true;
    }
  }
  return texts;
}

std::vector<std::string> shortened(std::span<const std::string> names, size_t most) {
  return shortened(names, static_cast<double>(most),
                   [](std::string_view text) { return static_cast<double>(letters_in(text)); });
}

}  // namespace weft::layout
