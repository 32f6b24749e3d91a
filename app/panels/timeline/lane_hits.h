// Counts how many events of each lane pass the view's filter; the counts stand beside the lanes'
// names.
//
// Frame thread only. Added up anew, in O(rows + lanes), in frames in which the count has grown.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/panels/panels.h"

namespace weft::app {

class LaneHits {
 public:
  // Call in every frame, with the panel's model.
  void update(const PanelInput& input);
  bool are_counted() const { return search_ != nullptr; }
  // The count of a lane or group, including the lanes below it; in a list, of the lane alone.
  uint64_t of(LaneId lane) const;

 private:
  std::shared_ptr<const query::Search> search_;
  std::shared_ptr<const TraceModel> model_;
  uint64_t counted_ = 0;
  std::vector<uint64_t> hits_;  // by slot of the model's forest
};

}  // namespace weft::app
