#include "core/trace/model.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace weft::trace {

std::string_view name_of(Category category) {
  switch (category) {
    case Category::kPunctual:
      return "punctual";
    case Category::kState:
      return "state";
    case Category::kLink:
      return "link";
    case Category::kVariable:
      return "variable";
  }
  return "unknown";
}

std::string_view name_of(LaneKind kind) {
  switch (kind) {
    case LaneKind::kGroup:
      return "group";
    case LaneKind::kMachine:
      return "machine";
    case LaneKind::kProcess:
      return "process";
    case LaneKind::kThread:
      return "thread";
    case LaneKind::kCpu:
      return "cpu";
    case LaneKind::kQueue:
      return "queue";
    case LaneKind::kAsync:
      return "async";
    case LaneKind::kCounter:
      return "counter";
  }
  return "unknown";
}

std::string_view name_of(PlaceUnit unit) {
  switch (unit) {
    case PlaceUnit::kByte:
      return "byte";
    case PlaceUnit::kEvent:
      return "event";
    case PlaceUnit::kRow:
      return "row";
    case PlaceUnit::kEntry:
      return "entry";
    case PlaceUnit::kLine:
      return "line";
    case PlaceUnit::kNone:
      break;
  }
  return "";
}

namespace {

// Readers may find what stands first in the input last: what is sorted at the end, say.
void keep_first(std::vector<LossPlace>& first, const LossPlace& place) {
  const auto in_input = [](const LossPlace& p) {
    return std::pair(p.unit == PlaceUnit::kNone, p.offset);
  };
  const auto behind = std::ranges::upper_bound(first, in_input(place), {}, in_input);
  if (first.size() == Loss::kFirstKept && behind == first.end()) return;
  first.insert(behind, place);
  if (first.size() > Loss::kFirstKept) first.pop_back();
}

}  // namespace

void ImportReport::add(std::string_view kind, const LossPlace& place, uint64_t count,
                       bool is_damage) {
  add(Loss{std::string(kind), count, {place}, is_damage});
}

// Some kinds have a number of the input in them, which decides then how many there are: beyond a
// bound they are counted together.
void ImportReport::add(const Loss& loss) {
  constexpr size_t kMostKinds = 1000;
  std::string_view kind = loss.kind;
  auto it = std::ranges::find(losses_, kind, &Loss::kind);
  if (it == losses_.end() && losses_.size() >= kMostKinds) {
    kind = loss.is_damage ? "losses of other kinds" : "notes of other kinds";
    it = std::ranges::find(losses_, kind, &Loss::kind);
  }
  if (it == losses_.end()) {
    losses_.push_back(loss);
    losses_.back().kind = kind;
    if (losses_.back().first.size() > Loss::kFirstKept)
      losses_.back().first.resize(Loss::kFirstKept);
    return;
  }
  it->count += loss.count;
  for (const LossPlace& place : loss.first) keep_first(it->first, place);
}

bool ImportReport::has_damage() const {
  return std::any_of(losses_.begin(), losses_.end(), [](const Loss& l) { return l.is_damage; });
}

std::vector<std::string> Dictionary::path(LaneId id) const {
  std::vector<std::string> names;
  for (; id.value() < lanes.size() && names.size() < lanes.size(); id = lane(id).parent) {
    names.push_back(lane(id).name);
  }
  std::reverse(names.begin(), names.end());
  return names;
}

std::string Dictionary::path_text(LaneId id) const {
  std::string text;
  for (const std::string& name : path(id)) {
    if (!text.empty()) text += '/';
    text += name;
  }
  return text;
}

LargeVector<LaneId> Dictionary::lanes_in_order() const {
  // Lanes side by side with their siblings, the roots last; where the children of each begin.
  const auto size = static_cast<uint32_t>(lanes.size());
  const auto parent_of = [&](LaneId id) { return std::min(lane(id).parent.value(), size); };
  LargeVector<LaneId> siblings(size);
  for (uint32_t i = 0; i < size; ++i) siblings[i] = LaneId(i);
  std::ranges::sort(siblings, {},
                    [&](LaneId id) { return std::tuple(parent_of(id), lane(id).sort_index, id); });
  LargeVector<uint32_t> first(size_t{size} + 2);
  for (const LaneId id : siblings) ++first[parent_of(id) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());

  LargeVector<LaneId> order, stack;
  order.reserve(size);
  const auto push_children = [&](uint32_t parent) {
    for (uint32_t i = first[parent + 1]; i-- > first[parent];) stack.push_back(siblings[i]);
  };
  push_children(size);
  while (!stack.empty()) {
    const LaneId id = stack.back();
    stack.pop_back();
    order.push_back(id);
    push_children(id.value());
  }
  return order;
}

}  // namespace weft::trace
