// Finds what is under the pointer in the diagram.
#include <algorithm>
#include <cmath>

#include "app/panels/sequence/sequence_picture.h"

namespace weft::app {
namespace {

constexpr float kReachPx = 5;  // of the pointer
constexpr double kSnapPx = 6;

}  // namespace

std::optional<layout::Hit> SequencePicture::activity_at(ImVec2 mouse) const {
  for (const PlacedActivation& placed : activations_) {
    const float x = mouse.x - area_.x0, y = mouse.y - area_.y0;
    const render::BoxShape& box = placed.box;
    if (x < box.x0 || x >= box.x1 || y < box.y0 || y >= box.y1) continue;
    const layout::Activation& activation = (*drawn_.activations)[placed.index];
    layout::Hit hit;
    hit.row = activation.row;
    hit.row_kind = drawn_.lanes->model->trace->row(activation.row).kind;
    hit.type = activation.type;
    hit.begin = activation.span.begin;
    hit.duration = activation.span.length();
    return hit;
  }
  if (drawn_.in_order) return std::nullopt;
  return render::hit_down(activity_, activity_scale_, mouse.x - area_.x0, mouse.y - area_.y0,
                          -static_cast<float>(shift_px_));
}

const layout::PlacedArrow* SequencePicture::arrow_at(ImVec2 mouse) const {
  return layout::arrow_at(arrows_, mouse.x - area_.x0, mouse.y - area_.y0, kReachPx);
}

std::optional<Time> SequencePicture::edge_near(ImVec2 mouse) const {
  std::optional<Time> nearest;
  double best = kSnapPx;
  const auto offer = [&](Time time) {
    const double distance = std::fabs(y_from_time(time) - static_cast<double>(mouse.y));
    if (distance > best) return;
    best = distance;
    nearest = time;
  };
  for (const layout::PlacedArrow& arrow : arrows_) {
    const layout::LinkItem& link = drawn_.messages->arrows[arrow.index].link;
    if (link.is_bundle()) continue;
    offer(link.send);
    offer(link.receive);
  }
  const float x = mouse.x - area_.x0;
  for (const PlacedActivation& placed : activations_) {
    if (x < placed.box.x0 || x >= placed.box.x1) continue;
    offer((*drawn_.activations)[placed.index].span.begin);
    offer((*drawn_.activations)[placed.index].span.end);
  }
  return nearest;
}

layout::Hit SequencePicture::hit_of(const layout::PlacedArrow& arrow) const {
  const layout::MessageArrow& message = drawn_.messages->arrows[arrow.index];
  layout::Hit hit;
  hit.kind = layout::Hit::Kind::kLink;
  hit.link = message.link;
  hit.type = message.link.type;
  hit.begin = message.link.send;  // of one that was never sent: where it is received
  hit.duration = message.link.receive - message.link.send;
  hit.count = message.link.count;
  hit.is_dim = message.is_dim;
  return hit;
}

std::optional<LaneId> SequencePicture::bar_lane_at(const PanelInput& input, ImVec2 mouse) const {
  if (!drawn_.messages || !area_.contains(mouse)) return std::nullopt;
  const double x = static_cast<double>(mouse.x - area_.x0);
  const auto lane = lanes_.at(x);
  if (!lane) return std::nullopt;
  const double off = std::fabs(x - lanes_.x_of(*lane).value_or(x));
  const bool is_near =
      off <= static_cast<double>(bar_room(input.scale) + kActivityPx * input.scale);
  return is_near ? lane : std::nullopt;
}

const layout::TrafficBar* SequencePicture::bar_at(const PanelInput& input, ImVec2 mouse) const {
  const auto lane = bar_lane_at(input, mouse);
  if (!lane) return nullptr;
  const auto cell = layout::column_of(time_from_y(mouse.y), drawn_.messages->grid.level);
  const std::vector<layout::TrafficBar>& bars = drawn_.messages->bars;
  const auto bar = std::ranges::lower_bound(
      bars, std::pair(cell, *lane), {}, [](const auto& b) { return std::pair(b.cell, b.lane); });
  const bool is_it = bar != bars.end() && bar->cell == cell && bar->lane == *lane;
  return is_it ? &*bar : nullptr;
}

const layout::Waiting* SequencePicture::waiting_at(const PanelInput& input, ImVec2 mouse) const {
  const auto lane = bar_lane_at(input, mouse);
  if (!lane || !has_room_for_activity(input)) return nullptr;
  return waiting_on(*lane, time_from_y(mouse.y));
}

const layout::Waiting* SequencePicture::waiting_on(LaneId lane, Time time) const {
  const auto cell = layout::column_of(time, drawn_.messages->grid.level);
  for (const layout::Waiting& waiting : drawn_.messages->waiting) {
    if (waiting.lane == lane && waiting.begin_cell <= cell && cell < waiting.end_cell)
      return &waiting;
  }
  return nullptr;
}

}  // namespace weft::app
