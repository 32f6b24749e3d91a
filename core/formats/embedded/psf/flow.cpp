#include "core/formats/embedded/psf/flow.h"

#include <algorithm>

namespace weft::formats::psf {

void Flows::send(Flow& flow, const Origin& origin, bool is_front) {
  constexpr size_t kMostStored = 1 << 20, kMostOfFlow = 1 << 14;
  if (stored_ == kMostStored || flow.front.size() + flow.sent.size() == kMostOfFlow) forget(flow);
  if (is_front) {
    flow.front.push_front(origin);
  } else {
    flow.sent.push_back(origin);
  }
  ++stored_;
}

std::optional<Origin> Flows::receive(Flow& flow) {
  if (flow.front.empty() && flow.unseen > 0) {
    --flow.unseen;
    return std::nullopt;
  }
  std::deque<Origin>& from = flow.front.empty() ? flow.sent : flow.front;
  if (from.empty()) return std::nullopt;
  const Origin origin = from.front();
  drop(from, 1);
  return origin;
}

void Flows::match(Flow& flow, uint64_t level) {
  const uint64_t known = flow.front.size() + flow.sent.size();
  if (level >= known) {
    flow.unseen = level - known;
    return;
  }
  flow.unseen = 0;
  const uint64_t surplus = known - level;
  const uint64_t of_front = std::min<uint64_t>(surplus, flow.front.size());
  drop(flow.front, of_front);
  drop(flow.sent, surplus - of_front);
}

void Flows::forget(Flow& flow) {
  drop(flow.front, flow.front.size());
  drop(flow.sent, flow.sent.size());
  flow.unseen = 0;
}

void Flows::drop(std::deque<Origin>& from, uint64_t count) {
  from.erase(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count));
  stored_ -= static_cast<size_t>(count);
}

}  // namespace weft::formats::psf
