// The definitions of an OTF2 trace: what its events name by number, whoever decodes them (the
// library of that name, otf2_library.h; or CTF, into which such traces are converted).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace weft::formats::otf2 {

// Numbers of OTF2, and its word for none.
using Ref = uint32_t;
using LocationRef = uint64_t;
inline constexpr Ref kNoRef = ~Ref{0};
inline constexpr LocationRef kNoLocation = ~LocationRef{0};

enum class LocationType : uint8_t { kUnknown = 0, kCpuThread = 1, kAccelerator = 2, kMetric = 3 };
// What a group's members are: locations, indices among the communicating locations, or the calling
// location itself.
enum class GroupType : uint8_t { kUnknown = 0, kCommLocations = 4, kCommGroup = 5, kCommSelf = 6 };
enum class CollectiveOp : uint8_t {
  kBarrier = 0,
  kBroadcast = 1,
  kGather = 2,
  kGatherv = 3,
  kScatter = 4,
  kScatterv = 5,
  kReduce = 12,
};
// "barrier", "allreduce"; empty where it is unknown.
std::string_view name_of(CollectiveOp operation);

struct SystemNode {
  Ref name = 0, kind = 0;
  Ref parent = kNoRef;
};
struct LocationGroup {
  Ref name = 0;
  Ref parent = kNoRef;
};
struct Location {
  Ref name = 0;
  Ref group = kNoRef;
  LocationType type = LocationType::kUnknown;
  uint64_t events = 0;
};
struct Region {
  Ref name = 0;
  uint8_t paradigm = 0;
  std::string params{};  // more about it, the text of a JSON object
};
struct MetricMember {
  Ref name = 0, unit = 0;
  double scale = 1;  // of its values: in thousandths, in KiB
};
struct Group {
  GroupType type = GroupType::kUnknown;
  uint8_t paradigm = 0;
  std::vector<uint64_t> members;
};

struct Communicator {
  Ref name = 0, group = 0;
  Ref other_group = kNoRef;  // of one between two groups: who is in one speaks to the other
};
// Memory that others of a communicator reach.
struct Window {
  Ref name = 0, comm = 0;
};
struct CallingContext {
  Ref region = 0;
  Ref parent = kNoRef;
};
struct FileHandle {
  Ref name = 0, file = 0;
};

struct Definitions {
  uint64_t ticks_per_second = 1'000'000'000;
  uint64_t begin = 0;                  // in ticks
  std::map<Ref, std::string> strings;  // valid UTF-8
  std::map<Ref, SystemNode> nodes;
  std::map<Ref, LocationGroup> location_groups;
  std::map<LocationRef, Location> locations;
  std::map<Ref, Region> regions;
  std::map<Ref, CallingContext> calling_contexts;
  std::map<Ref, MetricMember> metric_members;
  std::map<Ref, std::vector<Ref>> metrics;
  std::map<Ref, Group> groups;
  // All communicating locations; EZTrace gives them another group's number.
  std::map<uint8_t, std::vector<LocationRef>> communicating;
  std::map<Ref, Communicator> communicators;
  std::map<Ref, Window> windows;
  std::map<Ref, FileHandle> file_handles;
  std::map<Ref, Ref> files;       // their names; so the others'
  std::map<Ref, Ref> attributes;  // what events say beyond their fields
  std::map<Ref, Ref> parameters;
  std::map<Ref, Ref> interrupt_generators;

  // Time since the trace's begin, rounded down to nanoseconds.
  Time time_of(uint64_t ticks) const;
  // Returns an empty text if it is not defined.
  const std::string& string(Ref ref) const;
  // Looks a name up in a table; empty if it is not there.
  const std::string& name(const std::map<Ref, Ref>& names, Ref ref) const;
  const std::string& region_name(Ref region) const;
  const std::string& communicator_name(Ref communicator) const;
  // A handle's own, or its file's.
  const std::string& file_name(Ref handle) const;
  // The locations of a communicator, by rank; the one that speaks alone in one of itself.
  std::vector<LocationRef> members(Ref communicator, LocationRef speaker) const;

 private:
  std::vector<LocationRef> group_members(Ref group, LocationRef speaker) const;
};

}  // namespace weft::formats::otf2
