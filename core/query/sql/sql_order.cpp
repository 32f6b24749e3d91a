#include "core/query/sql/sql_order.h"

namespace weft::query {
namespace {

using By = SqlScanOrder::By;

constexpr int kBitsOfBy = 2;

// Adds what comes after all that is there; false where no scan gives that.
class OrderMaker {
 public:
  bool add(EventContent field) {
    switch (field) {
      case EventContent::kTime:
      case EventContent::kSend:
        order_.is_by_time = true;
        return true;
      case EventContent::kLane:
        return add_lane(By::kName);
      case EventContent::kLaneId:
        return add_lane(By::kNumber);
      case EventContent::kType:
        return add_type(By::kName);
      case EventContent::kTypeId:
        return add_type(By::kNumber);
      default:
        return false;
    }
  }

  SqlScanOrder order() const { return order_; }

 private:
  bool add_lane(By by) {
    if (order_.lane == By::kNothing) order_.lane = by;
    is_one_lane_ |= by == By::kNumber;
    return true;
  }

  bool add_type(By by) {
    if (order_.type == By::kNothing) {
      order_.type = by;
      if (order_.lane != By::kNothing) order_.lanes_first = is_one_lane_ ? By::kNumber : By::kName;
      return true;
    }
    // A name's types come one after the other, each with all of its lanes.
    const bool has_lanes_between =
        order_.lane != By::kNothing && order_.lanes_first == By::kNothing;
    return order_.type == By::kNumber || !has_lanes_between;
  }

  SqlScanOrder order_;
  bool is_one_lane_ = false;  // where all that was added is the same
};

}  // namespace

int SqlScanOrder::bits() const {
  int bits = is_by_time ? 1 : 0;
  for (const By by : {lane, type, lanes_first}) bits = bits << kBitsOfBy | static_cast<int>(by);
  return bits;
}

SqlScanOrder SqlScanOrder::from(int bits) {
  const auto take = [&] {
    const auto by = static_cast<By>(bits & ((1 << kBitsOfBy) - 1));
    bits >>= kBitsOfBy;
    return by;
  };
  SqlScanOrder order;
  order.lanes_first = take();
  order.type = take();
  order.lane = take();
  order.is_by_time = bits != 0;
  return order;
}

std::optional<SqlScanOrder> order_for(const sqlite3_index_info& info,
                                      std::span<const EventColumn> columns) {
  OrderMaker maker;
  for (int i = 0; i < info.nOrderBy; ++i) {
    const auto& term = info.aOrderBy[i];
    const bool is_known = term.iColumn >= 0 && term.desc == 0 &&
                          maker.add(columns[static_cast<size_t>(term.iColumn)].field);
    if (!is_known || (maker.order().is_by_time && info.nOrderBy > 1)) return std::nullopt;
  }
  return maker.order();
}

}  // namespace weft::query
