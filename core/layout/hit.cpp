#include "core/layout/hit.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace weft::layout {
namespace {

bool contains(float low, float high, float value) { return low <= value && value < high; }

// For tiles and boxes.
bool is_in_row(const auto& placed, float y) {
  return contains(placed.y, placed.y + placed.height + placed.gap, y);
}

double distance_to_line(const PlacedLink& l, double x, double y) {
  const double dx = l.x1 - l.x0, dy = l.y1 - l.y0;
  const double length2 = dx * dx + dy * dy;
  double t = length2 > 0 ? ((x - l.x0) * dx + (y - l.y0) * dy) / length2 : 0;
  t = std::clamp(t, 0.0, 1.0);
  return std::hypot(x - (l.x0 + t * dx), y - (l.y0 + t * dy));
}

std::optional<Hit> hit_link(std::span<const PlacedLink> links, float x, float y, float reach_px) {
  const PlacedLink* nearest = nullptr;
  double best = reach_px;
  for (const PlacedLink& link : links) {
    const double d = std::max(0.0, distance_to_line(link, x, y) - link.width / 2);
    if (d > best || (d == best && nearest)) continue;
    best = d;
    nearest = &link;
  }
  if (!nearest) return std::nullopt;
  Hit hit;
  hit.kind = Hit::Kind::kLink;
  hit.type = nearest->link.type;
  hit.count = nearest->link.count;
  hit.link = nearest->link;
  hit.is_dim = nearest->is_dim;
  const bool has_send = !nearest->link.source.is_none();
  const bool has_receive = !nearest->link.target.is_none();
  hit.begin = has_send ? nearest->link.send : nearest->link.receive;
  if (has_send && has_receive) hit.duration = nearest->link.receive - nearest->link.send;
  return hit;
}

std::optional<Hit> hit_box(std::span<const PlacedBox> boxes, float x, float y) {
  for (const PlacedBox& box : std::views::reverse(boxes)) {
    if (!contains(box.x0, box.x1, x) || !is_in_row(box, y)) continue;
    Hit hit;
    hit.row = box.row;
    hit.type = box.type;
    hit.begin = box.begin;
    hit.duration = box.duration;
    hit.is_dim = box.is_dim;
    return hit;
  }
  return std::nullopt;
}

Hit hit_of_cell(const PlacedTile& placed, const CellInfo& info) {
  const Tile& tile = *placed.tile;
  Hit hit;
  hit.row = placed.row;
  hit.row_kind = tile.key.row.kind;
  const bool is_variable = hit.row_kind == store::RowKind::kVariable;  // whose samples have no type
  hit.type = is_variable ? EventTypeId(tile.key.row.which) : info.type;
  hit.busy_share = info.busy_share;
  hit.is_dim = tile.dim.test(info.column);
  hit.is_stale = placed.is_stale;
  if (!tile.values.empty()) hit.values = tile.values[&info - tile.cells.data()];
  if (is_aggregate(info.mark)) {
    hit.kind = Hit::Kind::kAggregate;
    hit.begin = time_of_column(tile.key.index * kTileColumns + info.column, tile.key.level);
    hit.duration = column_width(tile.key.level);
    hit.count = info.begins;
  } else {
    hit.begin = info.begin;
    hit.duration = info.length;
  }
  return hit;
}

// The column under x; for punctual events, which are thin, also one within reach.
const CellInfo* cell_near(const PlacedTile& placed, const TimeScale& scale, float x,
                          float reach_px) {
  const Tile& tile = *placed.tile;
  const auto column_at = [&](double px) {
    const int64_t column = column_of(scale.time_from_x(px), tile.key.level);
    return static_cast<int>(
        std::clamp<int64_t>(column - tile.key.index * kTileColumns, -1, kTileColumns));
  };
  const int under = column_at(x);
  if (const CellInfo* info = tile.cell(under)) return info;
  if (tile.key.row.kind != store::RowKind::kPunctual) return nullptr;
  const int low = column_at(x - reach_px), high = column_at(x + reach_px);
  for (int d = 1; under - d >= low || under + d <= high; ++d) {
    if (const CellInfo* info = under - d >= low ? tile.cell(under - d) : nullptr) return info;
    if (const CellInfo* info = under + d <= high ? tile.cell(under + d) : nullptr) return info;
  }
  return nullptr;
}

}  // namespace

std::optional<Hit> hit(std::span<const PlacedTile> tiles, std::span<const PlacedBox> boxes,
                       std::span<const PlacedLink> links, const TimeScale& scale, float x, float y,
                       float reach_px) {
  if (auto found = hit_link(links, x, y, reach_px)) return found;
  if (auto found = hit_box(boxes, x, y)) return found;
  for (const PlacedTile& placed : tiles) {
    const bool is_instant = placed.tile->key.row.kind == store::RowKind::kPunctual;
    const float slack = is_instant ? reach_px : 0;
    if (!is_in_row(placed, y)) continue;
    if (!contains(placed.x0 - slack, placed.x1 + slack, x)) continue;
    if (const CellInfo* info = cell_near(placed, scale, x, reach_px)) {
      return hit_of_cell(placed, *info);
    }
  }
  return std::nullopt;
}

std::optional<Time> nearest_edge(std::span<const PlacedTile> tiles,
                                 std::span<const PlacedBox> boxes, const TimeScale& scale, float x,
                                 std::optional<float> y, float reach_px) {
  std::optional<Time> nearest;
  double best = reach_px;
  const auto offer = [&](Time time) {
    const double distance = std::fabs(scale.x_from_time(time) - x);
    if (distance > best) return;
    best = distance;
    nearest = time;
  };
  const auto is_meant = [&](const auto& placed) { return !y || is_in_row(placed, *y); };
  for (const PlacedBox& box : boxes) {
    if (!is_meant(box)) continue;
    offer(box.begin);
    offer(box.begin + box.duration);
  }
  for (const PlacedTile& placed : tiles) {
    if (!is_meant(placed)) continue;
    if (!contains(placed.x0 - reach_px, placed.x1 + reach_px, x)) continue;
    for (const CellInfo& cell : placed.tile->cells) {
      offer(cell.begin);
      if (!is_aggregate(cell.mark)) offer(cell.begin + cell.length);
    }
  }
  return nearest;
}

float label_end(std::span<const PlacedBox> boxes, size_t i) {
  const bool has_next = i + 1 < boxes.size() && boxes[i + 1].row == boxes[i].row;
  return has_next ? std::min(boxes[i].x1, boxes[i + 1].x0) : boxes[i].x1;
}

}  // namespace weft::layout
