#include "app/panels/sequence/diagram_lanes.h"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weft::app {
namespace {

// A folded lane stands for all below it.
LaneId shown_as(const TraceModel& model, LaneId lane) {
  for (const layout::Lanes* lanes : {&model.lanes, &model.pinned}) {
    if (const layout::DisplayRow* line = lanes->line_of(lane)) return line->lane;
  }
  return LaneId::none();
}

std::vector<layout::LaneMove> moves_of(const store::Trace& trace, const Json& moves) {
  std::vector<layout::LaneMove> known;
  if (!moves.is_array() || moves.empty()) return known;
  std::unordered_map<std::string, LaneId> lanes;
  for (uint32_t lane = 0; lane < trace.dictionary().lanes.size(); ++lane)
    lanes.emplace(trace.dictionary().path_text(LaneId(lane)), lane);
  const auto lane_of = [&](const Json& path) {
    const auto lane = path.is_string() ? lanes.find(path.get<std::string>()) : lanes.end();
    return lane == lanes.end() ? LaneId::none() : lane->second;
  };
  for (const Json& move : moves) {
    if (move.is_array() && move.size() == 2) known.push_back({lane_of(move[0]), lane_of(move[1])});
  }
  return known;
}

void add_rows(DiagramLanes& lanes) {
  std::unordered_map<LaneId, size_t> places;
  for (const LaneId lane : lanes.order.lanes) places.emplace(lane, places.size());
  const auto rows = lanes.model->trace->rows();
  for (uint32_t i = 0; i < rows.size(); ++i) {
    const bool is_shown = rows[i].kind == store::RowKind::kPunctual ||
                          (rows[i].kind == store::RowKind::kState && rows[i].depth == 0);
    const auto place = places.find(rows[i].lane);
    if (is_shown && place != places.end()) lanes.rows.push_back({place->second, RowId(i)});
  }
}

}  // namespace

DiagramLanes DiagramLanesMaker::make(const std::shared_ptr<const TraceModel>& model,
                                     const query::Traffic* traffic, layout::MessageOrder order,
                                     const Json& moves) {
  const store::Trace& trace = *model->trace;
  if (model_ != model) {
    auto shown = std::make_shared<layout::ShownLanes>();
    for (uint32_t lane = 0; lane < trace.dictionary().lanes.size(); ++lane)
      shown->push_back(shown_as(*model, LaneId(lane)));
    shown_ = std::move(shown);
    model_ = model;
  }
  DiagramLanes lanes = {model, shown_, {}, traffic == nullptr, {}};
  const auto known = moves_of(trace, moves);
  lanes.order = traffic ? layout::order_lanes(*traffic, *shown_, order, known)
                        : layout::order_lanes({{}, query::lanes_of_messages(trace)}, *shown_,
                                              layout::MessageOrder::kFirst, known);
  add_rows(lanes);
  return lanes;
}

}  // namespace weft::app
