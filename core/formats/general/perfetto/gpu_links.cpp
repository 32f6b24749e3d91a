#include "core/formats/general/perfetto/gpu_links.h"

#include <algorithm>
#include <tuple>

namespace weft::formats::perfetto {

void GpuLinks::add(const Part& part, uint64_t offset) {
  if (parts_.size() >= most_parts_)
    return sink_.loss("links of GPUs beyond the memory", {offset, part.lane, part.begin});
  parts_.push_back(part);
}

void GpuLinks::finish() {
  constexpr uint64_t kMostLinksPerPart = 16;
  most_links_ = parts_.size() * kMostLinksPerPart;
  std::ranges::sort(parts_, {}, [](const Part& part) {
    return std::tuple(part.numbers, part.number, part.role, part.begin, part.end, part.lane.value(),
                      part.pid);
  });
  for (size_t begin = 0, end = 0; begin < parts_.size(); begin = end) {
    const auto is_of_it = [&](const Part& part) {
      return part.numbers == parts_[begin].numbers && part.number == parts_[begin].number;
    };
    while (end < parts_.size() && is_of_it(parts_[end])) ++end;
    link_all(std::span(parts_).subspan(begin, end - begin));
  }
  parts_.clear();
}

// Stages come first.
void GpuLinks::link_all(std::span<const Part> of_number) {
  const auto first_other =
      std::ranges::find_if(of_number, [](const Part& part) { return part.role != Role::kStage; });
  const auto stages = static_cast<size_t>(first_other - of_number.begin());
  const uint64_t pairs = uint64_t{stages} * (of_number.size() - stages);
  if (pairs > most_links_)
    return sink_.note("links between stages of GPUs that have one number not shown",
                      trace::LossPlace::nowhere(), pairs);
  most_links_ -= pairs;
  for (const Part& other : of_number.subspan(stages)) {
    for (const Part& stage : of_number.first(stages)) {
      const bool is_of_one = stage.pid == 0 || other.pid == 0 || stage.pid == other.pid;
      if (is_of_one) link(stage, other);
    }
  }
}

// Who waits began to do so before the stage ended, mostly.
void GpuLinks::link(const Part& stage, const Part& other) {
  const bool is_wait = other.role == Role::kWaits;
  sink_.give(trace::LinkEvent{
      .send = is_wait ? stage.end : other.begin,
      .receive = is_wait ? std::max(stage.end, other.begin) : stage.begin,
      .source = is_wait ? stage.lane : other.lane,
      .target = is_wait ? other.lane : stage.lane,
      .type = sink_.type(trace::Category::kLink, is_wait ? "wait" : "submit", "gpu")});
}

}  // namespace weft::formats::perfetto
