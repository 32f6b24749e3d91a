#include "core/formats/hpc/otf2/otf2_definitions.h"

#include <algorithm>
#include <iterator>

#include "core/base/saturating.h"
#include "core/base/time.h"

namespace weft::formats::otf2 {

std::string_view name_of(CollectiveOp operation) {
  constexpr std::string_view kNames[] = {"barrier",
                                         "broadcast",
                                         "gather",
                                         "gatherv",
                                         "scatter",
                                         "scatterv",
                                         "allgather",
                                         "allgatherv",
                                         "alltoall",
                                         "alltoallv",
                                         "alltoallw",
                                         "allreduce",
                                         "reduce",
                                         "reduce scatter",
                                         "scan",
                                         "exscan",
                                         "reduce scatter block",
                                         "create handle",
                                         "destroy handle",
                                         "allocate",
                                         "deallocate",
                                         "create handle and allocate",
                                         "destroy handle and deallocate"};
  const auto place = static_cast<size_t>(operation);
  return place < std::size(kNames) ? kNames[place] : std::string_view();
}

Time Definitions::time_of(uint64_t ticks) const {
  return {saturating_scale(static_cast<Wide>(ticks) - begin, kNsPerSecond, ticks_per_second)};
}

const std::string& Definitions::string(Ref ref) const {
  static const std::string none;
  const auto it = strings.find(ref);
  return it == strings.end() ? none : it->second;
}

const std::string& Definitions::name(const std::map<Ref, Ref>& names, Ref ref) const {
  const auto it = names.find(ref);
  return string(it == names.end() ? kNoRef : it->second);
}

const std::string& Definitions::region_name(Ref region) const {
  const auto it = regions.find(region);
  return string(it == regions.end() ? kNoRef : it->second.name);
}

const std::string& Definitions::communicator_name(Ref communicator) const {
  const auto it = communicators.find(communicator);
  return string(it == communicators.end() ? kNoRef : it->second.name);
}

const std::string& Definitions::file_name(Ref handle) const {
  const auto it = file_handles.find(handle);
  if (it == file_handles.end()) return string(kNoRef);
  const std::string& file = name(files, it->second.file);
  return file.empty() ? string(it->second.name) : file;
}

std::vector<LocationRef> Definitions::members(Ref communicator, LocationRef speaker) const {
  const auto comm = communicators.find(communicator);
  if (comm == communicators.end()) return {};
  const std::vector<LocationRef> members = group_members(comm->second.group, speaker);
  const bool is_within = std::ranges::find(members, speaker) != members.end();
  if (comm->second.other_group == kNoRef || !is_within) return members;
  return group_members(comm->second.other_group, speaker);
}

// A group of ranks names the places of its members among all locations of its paradigm.
std::vector<LocationRef> Definitions::group_members(Ref group_ref, LocationRef speaker) const {
  const auto group = groups.find(group_ref);
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
