#include "core/formats/otf2/otf2_definitions.h"

#include <algorithm>
#include <limits>

namespace weft::formats::otf2 {

Time Definitions::time_of(uint64_t ticks) const {
  constexpr __int128 kNanoseconds = 1'000'000'000;
  const __int128 since = static_cast<__int128>(ticks) - begin;
  const __int128 ns = since * kNanoseconds / ticks_per_second;
  constexpr __int128 kMost = std::numeric_limits<int64_t>::max();
  return {static_cast<int64_t>(std::clamp(ns, -kMost, kMost))};
}

const std::string& Definitions::string(Ref ref) const {
  static const std::string none;
  const auto it = strings.find(ref);
  return it == strings.end() ? none : it->second;
}

// A group of ranks names the places of its members among all locations of its paradigm.
std::vector<LocationRef> Definitions::members(Ref communicator, LocationRef speaker) const {
  const auto comm = communicators.find(communicator);
  const auto group = comm == communicators.end() ? groups.end() : groups.find(comm->second.group);
  if (group == groups.end()) return {};
  const Group& ranks = group->second;
  if (ranks.type == GroupType::kCommSelf) return {speaker};
  if (ranks.type != GroupType::kCommGroup) return ranks.members;
  const auto all = communicating.find(ranks.paradigm);
  if (all == communicating.end()) return ranks.members;
  std::vector<LocationRef> locations;
  locations.reserve(ranks.members.size());
  for (const uint64_t place : ranks.members) {
    locations.push_back(place < all->second.size() ? all->second[place] : kNoLocation);
  }
  return locations;
}

}  // namespace weft::formats::otf2
