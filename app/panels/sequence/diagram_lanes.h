// Makes the lanes of a sequence diagram, one after the other: what does not change is kept. Work
// for workers; one at a time.
#pragma once

#include <memory>
#include <vector>

#include "app/panels/sequence/sequence_picture.h"
#include "core/query/messages/traffic.h"

namespace weft::app {

class DiagramLanesMaker {
 public:
  // `traffic`: who talks to whom, of the whole trace or of what there was of it; null where that is
  // not read yet: lanes stand as they appear, then. `moves`: of lanes, by the user: [[path, path of
  // the one behind it or null], …].
  DiagramLanes make(const std::shared_ptr<const TraceModel>& model, const query::Traffic* traffic,
                    layout::MessageOrder order, const Json& moves);

 private:
  std::shared_ptr<const TraceModel> model_;  // of the last
  std::shared_ptr<const layout::ShownLanes> shown_;
};

}  // namespace weft::app
