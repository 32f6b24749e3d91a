// Holds the program to the memory limit of the session: measures what is in use, and tells caches
// and answers what they may keep (MemoryKeeper decides how much).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "app/session/memory_watch.h"
#include "app/session/session.h"
#include "app/session/trace_scene.h"

namespace weft::app {

class MemoryBounds {
 public:
  // `limit_bytes` takes precedence over the setting; 0: it does not. `wake` as in MemoryWatch.
  MemoryBounds(uint64_t limit_bytes, std::function<void()> wake)
      : limit_bytes_(limit_bytes), watch_(std::move(wake)) {}

  MemoryWatch& watch() { return watch_; }

  // Call once a frame. Looks at the program's memory, not more often than once a second, and tells
  // each scene what it may keep. Says once if more is in use than the limit. Returns whether to be
  // called again after a second without input.
  bool apply(Session& session, uint64_t gpu_bytes,
             const std::map<uint64_t, std::unique_ptr<TraceScene>>& scenes);

 private:
  void note_use(Session& session, uint64_t gpu_bytes);

  uint64_t limit_bytes_;
  MemoryWatch watch_;
  std::shared_ptr<const MemoryUse> noted_use_;  // the last measurement used for the limit
  std::optional<uint64_t> answers_bytes_;       // the memory last granted to answers
  bool is_excess_told_ = false;
};

}  // namespace weft::app
