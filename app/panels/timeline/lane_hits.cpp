#include "app/panels/timeline/lane_hits.h"

#include <algorithm>

namespace weft::app {

void LaneHits::update(const PanelInput& input) {
  const std::shared_ptr<const query::Search> search =
      input.filter.marks_hits() ? input.filter.hits : nullptr;
  const uint64_t counted = search ? search->hits() : 0;
  if (search_ == search && model_ == input.model && counted_ == counted) return;
  search_ = search;
  model_ = input.model;
  counted_ = counted;
  if (!search_) return;
  const layout::LaneForest& forest = *model_->forest;
  hits_.assign(forest.slots(), 0);
  const std::span<const store::Row> rows = model_->trace->rows();
  for (uint32_t i = 0; i < std::min(rows.size(), search_->rows()); ++i) {
    const size_t slot = forest.slot(rows[i].lane);
    if (slot < hits_.size()) hits_[slot] += search_->hits_of(RowId(i));
  }
  if (model_->is_flat()) return;
  const std::span<const LaneId> order = forest.order();
  for (size_t i = order.size(); i-- > 0;) {  // children before their parents
    const size_t parent = forest.slot(forest.parent(order[i]));
    if (parent < hits_.size()) hits_[parent] += hits_[forest.slot(order[i])];
  }
}

uint64_t LaneHits::of(LaneId lane) const {
  const size_t slot = model_->forest->slot(lane);
  return slot < hits_.size() ? hits_[slot] : 0;
}

}  // namespace weft::app
