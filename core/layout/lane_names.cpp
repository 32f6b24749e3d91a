#include "core/layout/lane_names.h"

#include <unordered_map>

namespace weft::layout {

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

}  // namespace weft::layout
