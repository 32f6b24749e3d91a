#include "app/view/lane_names.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <string>

#include "app/base/fuzzy.h"
#include "core/base/text.h"
#include "core/query/filter/text_predicate.h"

namespace weft::app {
namespace {

constexpr size_t kMostLookedAt = 100'000;  // some 5 ms of the frame in which a letter is typed

}  // namespace

Result<LaneId> lane_from_name(std::string_view text, const trace::Dictionary& dictionary,
                              std::span<const layout::LaneGroup> groups) {
  std::vector<LaneId> by_name, by_path;
  for (uint32_t i = 0; i < dictionary.lanes.size(); ++i) {
    const LaneId lane(i);
    const std::string& name = dictionary.lane(lane).name;
    if (name == text) by_name.push_back(lane);
    if (text.ends_with(name) && dictionary.path_text(lane) == text) by_path.push_back(lane);
  }
  for (const layout::LaneGroup& group : groups) {
    if (group.name == text) by_name.push_back(layout::id_of(group));
  }
  const std::vector<LaneId>& found = by_path.empty() ? by_name : by_path;
  if (found.size() == 1) return found.front();
  const std::string said = printable(text, 80);
  if (found.empty()) return fail(fmt::format("no lane is called '{}'", said));
  constexpr size_t kMostSaid = 3;
  std::vector<std::string> some;
  for (const LaneId lane : found | std::views::take(kMostSaid)) {
    const std::string path =
        layout::is_group(lane) ? "a group" : printable(dictionary.path_text(lane), 80);
    some.push_back(fmt::format("{} ({})", lane.value(), path));
  }
  return fail(fmt::format("{} lanes are called '{}': say a path or a number: {}{}", found.size(),
                          said, fmt::join(some, ", "), found.size() > kMostSaid ? ", …" : ""));
}

std::vector<LaneId> lanes_with_words(std::string_view query, const trace::Dictionary& dictionary,
                                     size_t most) {
  const std::vector<std::string> words = small_words(query);
  std::vector<LaneId> exact, others;
  const size_t count = words.empty() ? 0 : std::min(dictionary.lanes.size(), kMostLookedAt);
  for (uint32_t i = 0; i < count && exact.size() < most; ++i) {
    const LaneId lane(i);
    const std::string& name = dictionary.lane(lane).name;
    const auto is_in = [](const std::string& text) {
      return [&](const std::string& word) { return query::contains_ignoring_case(text, word); };
    };
    if (std::ranges::none_of(words, is_in(name))) continue;
    if (!std::ranges::all_of(words, is_in(name)) &&
        !std::ranges::all_of(words, is_in(dictionary.path_text(lane)))) {
      continue;
    }
    if (name == query) {
      exact.push_back(lane);
    } else if (others.size() < most) {
      others.push_back(lane);
    }
  }
  exact.insert(exact.end(), others.begin(), others.end());
  if (exact.size() > most) exact.resize(most);
  return exact;
}

}  // namespace weft::app
