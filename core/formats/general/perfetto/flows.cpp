#include "core/formats/general/perfetto/flows.h"

#include <algorithm>
#include <utility>

namespace weft::formats::perfetto {
namespace {

constexpr uint64_t kBytesPerOpen = 128;

}  // namespace

Flows::Flows(chrome_json::Output& output, uint64_t memory_bytes)
    : output_(output), most_open_(memory_bytes / 2 / kBytesPerOpen), order_(memory_bytes / 2) {}

void Flows::add(const FlowRef& ref, Time time, LaneId lane, uint64_t offset) {
  const Part part{time, ref, lane};
  if (ref.part != FlowPart::kArriveAtNext) return wait(part);
  if (awaited_ >= most_open_) {
    output_.sink.loss("flow beyond the memory for open ones", offset);
    return;
  }
  at_next_[lane.value()].push_back(part);
  ++awaited_;
}

void Flows::land(LaneId lane, Time time) {
  const auto it = at_next_.find(lane.value());
  if (it == at_next_.end()) return;
  awaited_ -= it->second.size();
  for (Part& part : it->second) {
    part.time = time;
    wait(part);
  }
  at_next_.erase(it);
}

void Flows::wait(const Part& part) {
  order_.add(part, [this](const Part& p) { arrive(p); });
}

void Flows::arrive(const Part& part) {
  const Point point{part.time, part.lane, part.ref.type, part.ref.params};
  const auto it = open_.find(part.ref.flow);
  const bool is_open = it != open_.end();
  switch (part.ref.part) {
    case FlowPart::kBegin:
      if (is_open && !it->second.is_linked) link(&it->second, nullptr);
      break;
    case FlowPart::kStep:
      if (is_open) link(&it->second, &point);
      break;
    case FlowPart::kEnd:
      link(is_open ? &it->second : nullptr, &point);
      if (is_open) open_.erase(it);
      return;
    default:
      link(is_open ? &it->second : nullptr, &point);
      if (is_open) it->second.is_linked = true;
      return;
  }
  if (is_open) {
    // A flow that ends at a step is whole.
    it->second = point;
    it->second.is_linked = part.ref.part == FlowPart::kStep;
    return;
  }
  if (open_.size() >= most_open_) give_up_oldest();
  open_.emplace(part.ref.flow, point);
  in_order_.push_back(part.ref.flow);
}

void Flows::give_up_oldest() {
  while (!in_order_.empty() && open_.size() >= most_open_) {
    const auto it = open_.find(in_order_.front());
    in_order_.pop_front();
    if (it == open_.end()) continue;
    if (!it->second.is_linked) link(&it->second, nullptr);
    open_.erase(it);
  }
}

void Flows::link(const Point* from, const Point* to) {
  const trace::LinkEvent event{.send = from != nullptr ? from->time : Time{},
                               .receive = to != nullptr ? to->time : Time{},
                               .params = from != nullptr ? from->params : to->params,
                               .source = from != nullptr ? from->lane : LaneId::none(),
                               .target = to != nullptr ? to->lane : LaneId::none(),
                               .type = from != nullptr ? from->type : to->type};
  output_.links.push_back(event);
}

void Flows::finish() {
  // Flows that wait for an event that never came stay where they were.
  for (auto& [lane, parts] : at_next_) {
    for (const Part& part : parts) wait(part);
  }
  at_next_.clear();
  order_.finish([this](const Part& p) { arrive(p); });
  std::vector<Point> open;
  for (const auto& [id, point] : open_) {
    if (!point.is_linked) open.push_back(point);
  }
  std::ranges::sort(open, [](const Point& a, const Point& b) {
    return std::pair(a.time, a.lane.value()) < std::pair(b.time, b.lane.value());
  });
  for (const Point& point : open) link(&point, nullptr);
  open_.clear();
  in_order_.clear();
}

}  // namespace weft::formats::perfetto
