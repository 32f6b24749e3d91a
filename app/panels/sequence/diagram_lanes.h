// Makes the lanes of a sequence diagram, one diagram after the other, keeping what has not changed.
// Worker threads only; one call at a time.
#pragma once

#include <memory>

#include "app/panels/sequence/sequence_picture.h"
#include "core/query/messages/traffic.h"

namespace weft::app {

class DiagramLanesMaker {
 public:
  // `traffic`: who talks to whom in the trace, as far as it has been read; null: not read yet, and
  // lanes stand in the order in which they appear. `moves`: lanes moved by the user: [[path, path
  // of the lane behind it or null], …].
  DiagramLanes make(const std::shared_ptr<const TraceModel>& model, const query::Traffic* traffic,
                    layout::MessageOrder order, const Json& moves);

 private:
  std::shared_ptr<const TraceModel> model_;  // of the last call
  std::shared_ptr<const layout::ShownLanes> shown_;
};

}  // namespace weft::app
