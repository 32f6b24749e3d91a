// The definitions of an OTF2 archive: what its events name by number.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weft::formats::otf2 {

struct SystemNode {
  OTF2_StringRef name = 0, kind = 0;
  OTF2_SystemTreeNodeRef parent = OTF2_UNDEFINED_SYSTEM_TREE_NODE;
};
struct LocationGroup {
  OTF2_StringRef name = 0;
  OTF2_SystemTreeNodeRef parent = OTF2_UNDEFINED_SYSTEM_TREE_NODE;
};
struct Location {
  OTF2_StringRef name = 0;
  OTF2_LocationGroupRef group = OTF2_UNDEFINED_LOCATION_GROUP;
  OTF2_LocationType type = OTF2_LOCATION_TYPE_UNKNOWN;
  uint64_t events = 0;
};
struct Region {
  OTF2_StringRef name = 0;
  OTF2_Paradigm paradigm = OTF2_PARADIGM_UNKNOWN;
};
struct MetricMember {
  OTF2_StringRef name = 0, unit = 0;
};
struct Group {
  OTF2_GroupType type = OTF2_GROUP_TYPE_UNKNOWN;
  OTF2_Paradigm paradigm = OTF2_PARADIGM_UNKNOWN;
  std::vector<uint64_t> members;
};

struct Definitions {
  uint64_t ticks_per_second = 1'000'000'000;
  uint64_t begin = 0;                             // in ticks
  std::map<OTF2_StringRef, std::string> strings;  // valid UTF-8
  std::map<OTF2_SystemTreeNodeRef, SystemNode> nodes;
  std::map<OTF2_LocationGroupRef, LocationGroup> location_groups;
  std::map<OTF2_LocationRef, Location> locations;
  std::map<OTF2_RegionRef, Region> regions;
  std::map<OTF2_CallingContextRef, OTF2_RegionRef> calling_contexts;
  std::map<OTF2_MetricMemberRef, MetricMember> metric_members;
  std::map<OTF2_MetricRef, std::vector<OTF2_MetricMemberRef>> metrics;
  std::map<OTF2_GroupRef, Group> groups;
  // All that communicate; EZTrace gives them the number of another group.
  std::map<OTF2_Paradigm, std::vector<OTF2_LocationRef>> communicating;
  std::map<OTF2_CommRef, OTF2_GroupRef> communicators;

  // Empty where it is not defined.
  const std::string& string(OTF2_StringRef ref) const;
  // The locations of a communicator, by rank; the one that speaks alone in one of itself.
  std::vector<OTF2_LocationRef> members(OTF2_CommRef communicator, OTF2_LocationRef speaker) const;
};

// Those of the whole archive; false where they cannot be read.
bool read_definitions(OTF2_Reader* reader, Definitions& definitions);

}  // namespace weft::formats::otf2
