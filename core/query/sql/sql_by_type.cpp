#include "core/query/sql/sql_by_type.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace weft::query {

std::vector<uint32_t> type_places(const trace::Dictionary& dictionary, bool by_name) {
  std::vector<uint32_t> order(dictionary.types.size());
  std::iota(order.begin(), order.end(), 0);
  if (!by_name) return order;
  std::ranges::stable_sort(
      order, {}, [&](uint32_t type) -> std::string_view { return dictionary.types[type].name; });
  std::vector<uint32_t> places(order.size());
  for (uint32_t place = 0; place < order.size(); ++place) places[order[place]] = place;
  return places;
}

RecordsByType::RecordsByType(std::vector<ScannedPart> parts, const ScanBounds& bounds,
                             std::vector<uint32_t> places,
                             const std::function<void(PartScan&)>& settle)
    : parts_(std::move(parts)) {
  const auto for_each = [&](const auto& visit) {
    for (const ScannedPart& part : parts_) {
      PartScan scan(part, bounds);
      for (settle(scan); !scan.is_at_end(); settle(scan)) {
        visit(places[scan.record().type.value()], static_cast<uint32_t>(scan.id()));
        scan.next();
      }
    }
  };
  std::vector<uint32_t> ends(places.size() + 1);  // of the place before each
  for_each([&](uint32_t place, uint32_t) { ++ends[place + 1]; });
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  ids_.resize(ends.back());
  for_each([&](uint32_t place, uint32_t id) { ids_[ends[place]++] = id; });
  if (!ids_.empty()) read();
}

void RecordsByType::read() {
  const uint64_t id = ids_[at_];
  const auto is_in = [&](const ScannedPart& part) {
    return part.first_id <= id && id - part.first_id < part.part->count();
  };
  if (!is_in(parts_[part_])) {
    const auto behind = std::ranges::upper_bound(parts_, id, {}, &ScannedPart::first_id);
    part_ = static_cast<size_t>(behind - parts_.begin()) - 1;
  }
  record_ = parts_[part_].part->record(id - parts_[part_].first_id);
}

}  // namespace weft::query
