#include "render/rows_down.h"

#include <algorithm>
#include <cmath>

namespace weft::render {
namespace {

constexpr float kLeastBusy = 0.35F;  // of a column's colour, however little is busy in it

Color mixed(Color color, Color over, float share) {
  Color result = 0;
  for (int shift = 0; shift < 24; shift += 8) {
    const auto a = static_cast<float>(color >> shift & 0xFF);
    const auto b = static_cast<float>(over >> shift & 0xFF);
    result |= static_cast<Color>(std::lround(b + (a - b) * share)) << shift;
  }
  return result | 0xFF000000;
}

// The columns of a tile, neighbours of one colour as one box; a lone instant is a diamond.
class ColumnPainter {
 public:
  ColumnPainter(const layout::Palette& palette, const layout::TimeScale& scale, float dy,
                DrawBatch& batch)
      : palette_(palette), scale_(scale), dy_(dy), batch_(batch) {}

  void paint(const layout::PlacedTile& placed) {
    const layout::Tile& tile = *placed.tile;
    const int64_t first = tile.key.index * layout::kTileColumns;
    BoxShape open;
    for (const layout::CellInfo& cell : tile.cells) {
      const int64_t column = first + cell.column;
      const float x0 = std::max(x_of(column, tile.key.level), placed.x0);
      const float x1 = std::min(x_of(column + 1, tile.key.level), placed.x1);
      if (x0 >= x1) continue;
      if (tile.key.row.kind == store::RowKind::kPunctual && cell.mark == layout::Mark::kLone) {
        const auto y = static_cast<float>(scale_.x_from_time(cell.begin)) * kDownPx + dy_;
        batch_.markers.push_back(
            {placed.y + placed.height / 2, y, placed.height / 2, color_of(tile, cell)});
        continue;
      }
      const BoxShape box = {placed.y, x0 * kDownPx + dy_, placed.y + placed.height,
                            x1 * kDownPx + dy_, color_of(tile, cell)};
      if (open.color == box.color && open.y1 >= box.y0) {
        open.y1 = box.y1;
        continue;
      }
      finish(open);
      open = box;
    }
    finish(open);
  }

 private:
  float x_of(int64_t column, int level) const {
    return static_cast<float>(scale_.x_from_time(layout::time_of_column(column, level)));
  }

  Color color_of(const layout::Tile& tile, const layout::CellInfo& cell) const {
    const bool is_state = tile.key.row.kind == store::RowKind::kState;
    const layout::Rgb rgb =
        is_state ? palette_.state_color(cell.type, layout::state_length(cell, tile.key.level))
                 : palette_.color(cell.type);
    const bool is_dim = tile.dim.test(cell.column);
    const Color color = color_from_rgb(is_dim ? layout::dimmed(rgb, palette_.theme()) : rgb);
    if (!layout::is_aggregate(cell.mark)) return color;
    const float busy = kLeastBusy + (1 - kLeastBusy) * std::clamp(cell.busy_share, 0.0F, 1.0F);
    return mixed(color, batch_.background, busy);
  }

  void finish(const BoxShape& box) {
    if (box.y1 > box.y0) batch_.boxes.push_back(box);
  }

  const layout::Palette& palette_;
  const layout::TimeScale& scale_;
  float dy_;
  DrawBatch& batch_;
};

}  // namespace

void draw_rows_down(const store::Trace& trace, std::span<const RowDown> rows,
                    const layout::Palette& palette, const layout::TimeScale& scale, float dy,
                    const layout::TileFilter& filter, TileCache& cache, DrawBatch& batch,
                    TimelineItems& items) {
  DrawBatch across;
  for (const RowDown& row : rows)
    draw_row(trace, row.row, palette, {scale, 0, 0, filter}, row.x, row.width, cache, across,
             items);
  ColumnPainter columns(palette, scale, dy, batch);
  for (const layout::PlacedTile& placed : items.tiles) columns.paint(placed);
  for (const BoxShape& box : across.boxes) {
    batch.boxes.push_back(
        {box.y0, box.x0 * kDownPx + dy, box.y1, box.x1 * kDownPx + dy, box.color, 0, box.pattern});
  }
}

std::optional<layout::Hit> hit_down(const TimelineItems& items, const layout::TimeScale& scale,
                                    float x, float y, float dy) {
  return layout::hit(items.tiles, items.boxes, {}, scale, (y - dy) / kDownPx, x, 1);
}

}  // namespace weft::render
