#include "app/window/memory_bounds.h"

#include "core/base/large_vector.h"
#include "core/base/text.h"
#include "core/io/paths.h"

namespace weft::app {

bool MemoryBounds::apply(Session& session, uint64_t gpu_bytes,
                         const std::map<uint64_t, std::unique_ptr<TraceScene>>& scenes) {
  MemoryKeeper& keeper = session.memory;
  keeper.set_limit(limit_bytes_ != 0 ? limit_bytes_ : session.memory_limit_bytes);
  if (keeper.limit() != 0) note_use(session, gpu_bytes);
  const MemoryShares& shares = keeper.share_among(scenes.size());
  for (const auto& [id, scene] : scenes) scene->set_shares(shares);
  if (std::exchange(answers_bytes_, shares.answers_bytes) != shares.answers_bytes)
    limit_large_arrays(shares.answers_bytes, io::cache_folder());
  return keeper.limit() != 0 && watch_.is_giving_back() && !keeper.is_exceeded();
}

void MemoryBounds::note_use(Session& session, uint64_t gpu_bytes) {
  const auto use = watch_.use();
  if (!use || use == noted_use_) return;
  noted_use_ = use;
  MemoryKeeper& keeper = session.memory;
  watch_.set_giving_back(keeper.note_use(use->own_bytes + gpu_bytes));
  if (!keeper.is_exceeded()) {
    is_excess_told_ = false;
  } else if (!std::exchange(is_excess_told_, true)) {
    session.messages.say("More memory is in use than the limit of " + format_bytes(keeper.limit()) +
                             ": close traces or panels, or set memory_limit",
                         /*is_error=*/true);
  }
}

}  // namespace weft::app
