// Makes the lanes of a sequence diagram, one after the other: what does not change is kept, who
// talks to whom above all, which is read from all messages. Work for workers; one at a time.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "app/panels/sequence_picture.h"
#include "core/base/thread_pool.h"
#include "core/query/traffic.h"

namespace weft::app {

class DiagramLanesMaker {
 public:
  explicit DiagramLanesMaker(ThreadPool& pool) : pool_(pool) {}

  // `moves`: of lanes, by the user: [[path, path of the one behind it or null], …]. Half made where
  // it was stopped.
  DiagramLanes make(const std::shared_ptr<const TraceModel>& model, layout::MessageOrder order,
                    const Json& moves, const std::stop_token& stop);

 private:
  ThreadPool& pool_;
  std::shared_ptr<const TraceModel> model_;  // of the last
  query::Traffic traffic_;
  std::shared_ptr<const layout::ShownLanes> shown_;
};

}  // namespace weft::app
