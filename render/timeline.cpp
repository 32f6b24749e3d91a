#include "render/timeline.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/saturating.h"

namespace weft::render {
namespace {

using layout::Box;
using layout::DisplayRow;
using layout::kTileColumns;
using layout::PlacedBox;
using layout::PlacedValue;
using layout::Tile;

// Rows at least this high leave a line of background below them.
constexpr float kGapFromHeight = 6;
// If ticks are wide, an instant is a line this thick (as in strip.frag), and a box that begins at
// an instant leaves it free.
constexpr double kThinPx = 2;
constexpr float kMarkerRadius = 4;
// Lower rows have no room for the frames of values.
constexpr float kFramesFromHeight = 8;
constexpr double kManyTint = 0.6, kWordTint = 0.22;
constexpr float kStubPx = 14;
constexpr float kHeadPx = 7;
constexpr float kLowPx = 1;
constexpr double kLowTint = 0.6;

// A part of a tile on a segment of the picture: which columns, and where they lie.
class PieceScale {
 public:
  // Draws nothing beyond `end`.
  PieceScale(const TilePiece& piece, const layout::TimeScale& scale,
             const layout::TimeScale::Segment& segment, Time end)
      : level_(piece.tile->key.level), first_(piece.first_column), scale_(scale) {
    const Duration width = layout::column_width(level_);
    px_per_column_ = scale.px_from_duration(width);
    // The first tile of all may begin before 64 bits do.
    const Wide begin = Wide{piece.tile->key.index} * kTileColumns * width.ticks;
    const auto ticks = static_cast<double>(begin - segment.range.begin.ticks);
    const double tile_x = segment.x0 + ticks / scale.ticks_per_px();
    x0_ = tile_x + first_ * px_per_column_;
    x1_ = tile_x + piece.last_column * px_per_column_;
    x0_shown_ = std::max(x0_, segment.x0);
    x1_shown_ = std::min(x1_, segment.x1);
    if (end < segment.range.end) x1_shown_ = std::min(x1_shown_, scale.x_from_time(end));
  }

  bool is_shown() const { return x0_shown_ < x1_shown_; }
  double x0() const { return x0_shown_; }
  double x1() const { return x1_shown_; }
  double clip(double x) const { return std::clamp(x, x0_shown_, x1_shown_); }
  double column_at(double x) const { return first_ + (x - x0_) / px_per_column_; }
  double x_of_column(double column) const { return x0_ + (column - first_) * px_per_column_; }

  // The edges of a box, which keeps out of columns that it shares.
  double begin_of(const Box& box) const {
    if (!box.shares_first_column) return scale_.x_from_time(box.begin);
    if (level_ < 0) return scale_.x_from_time(box.begin) + kThinPx;
    return scale_.x_from_time(
        layout::time_of_column(layout::column_of(box.begin, level_) + 1, level_));
  }
  double end_of(const Box& box) const {
    if (!box.shares_last_column || level_ < 0) return scale_.x_from_time(box.end());
    return scale_.x_from_time(
        layout::time_of_column(layout::column_of(box.end() - Duration{1}, level_), level_));
  }

 private:
  int level_;
  double first_;
  const layout::TimeScale& scale_;
  double px_per_column_ = 1;
  double x0_ = 0, x1_ = 0;              // of the piece
  double x0_shown_ = 0, x1_shown_ = 0;  // of its part in the picture
};

// One row of the store at a place of the picture.
struct RowPlace {
  RowId row;
  store::RowKind kind;
  float y = 0, height = 0;
  float gap = 0;  // below what is drawn, up to the next row
  Color background = 0;
  layout::Rgb color = 0;  // variables
  bool has_words = false;
  Time end = Time::max();  // of the trace, where its last value would go on
};

// Colours of a bus value: its outline, its fill, and that of values too short to see.
struct WordColors {
  Color frame = 0, inside = 0, filled = 0;
};

class RowPainter {
 public:
  RowPainter(const layout::Palette& palette, const TimelineView& view, TileCache& cache,
             DrawBatch& batch, TimelineItems& items)
      : palette_(palette),
        scale_(view.scale),
        filter_(view.filter),
        cache_(cache),
        batch_(batch),
        items_(items),
        level_(scale_.level()),
        segments_(scale_.segments()),
        unit_(view.unit) {}

  void paint(const RowPlace& place) {
    if (place.has_words) choose_word_colors(place.color);
    for (const Segment& segment : segments_) paint_segment(place, segment);
  }

 private:
  using Segment = layout::TimeScale::Segment;

  void paint_segment(const RowPlace& place, const Segment& segment) {
    pending_.reset();
    const int64_t first = layout::tile_index_of(segment.range.begin, level_);
    const int64_t last = layout::tile_index_of(segment.range.end - Duration{1}, level_);
    for (const TilePieces& found : cache_.find(place.row, level_, first, last, filter_)) {
      if (found.count == 0) items_.is_stale = true;
      for (int p = 0; p < found.count; ++p) paint_piece(place, segment, found.pieces[p]);
    }
    finish_box();
    finish_value();
  }

  void paint_piece(const RowPlace& place, const Segment& segment, const TilePiece& piece) {
    items_.is_stale |= piece.is_stale;
    const Tile& tile = *piece.tile;
    if (tile.is_empty()) return;
    const PieceScale columns(piece, scale_, segment, place.end);
    if (!columns.is_shown()) return;
    const bool awaits_filter = tile.key.filter != filter_.id ||
                               (filter_.id != 0 && tile.key.keeps_rest != filter_.keeps_rest);
    items_.awaits_filter |= awaits_filter;
    items_.tiles.push_back({.tile = &tile,
                            .row = place.row,
                            .x0 = static_cast<float>(columns.x0()),
                            .x1 = static_cast<float>(columns.x1()),
                            .y = place.y,
                            .height = place.height,
                            .gap = place.gap,
                            .is_stale = piece.is_stale,
                            .awaits_filter = awaits_filter});
    if (place.has_words && place.height >= kFramesFromHeight)
      add_values(place, tile, columns);
    else
      add_strip(place, piece, columns);
    for (const Box& box : tile.boxes) add_box(place, box, columns);
    for (const layout::Marker& marker : tile.markers) add_marker(place, marker, columns);
  }

  // From the first to the last column that is not empty.
  void add_strip(const RowPlace& place, const TilePiece& piece, const PieceScale& columns) {
    const Tile& tile = *piece.tile;
    if (tile.cells.empty()) return;
    const double x0 = columns.clip(columns.x_of_column(tile.first_column));
    const double x1 = columns.clip(columns.x_of_column(tile.end_column));
    if (x0 >= x1) return;
    batch_.strips.push_back({.x0 = static_cast<float>(x0),
                             .x1 = static_cast<float>(x1),
                             .y = place.y,
                             .height = place.height,
                             .column0 = static_cast<float>(columns.column_at(x0)),
                             .column1 = static_cast<float>(columns.column_at(x1)),
                             .slot = piece.slot,
                             .mode = mode_of(place, tile),
                             .background = place.background,
                             .color = color_from_rgb(place.color)});
  }

  static StripMode mode_of(const RowPlace& place, const Tile& tile) {
    if (place.kind == store::RowKind::kVariable) return StripMode::kVariable;
    // Among single ticks every state with a length is a box; what is left are instants.
    const bool is_instants = tile.key.level < 0;
    return place.kind == store::RowKind::kState && !is_instants ? StripMode::kStates
                                                                : StripMode::kPunctuals;
  }

  // Pieces of one state in neighbouring tiles become one box.
  void add_box(const RowPlace& place, const Box& box, const PieceScale& columns) {
    const double begin = columns.begin_of(box);
    const double x0 = columns.clip(begin), x1 = columns.clip(columns.end_of(box));
    if (x0 >= x1) return;
    const bool goes_on = pending_ && pending_->begin == box.begin &&
                         pending_->duration == box.duration && pending_->type == box.type;
    if (goes_on) {
      pending_->x1 = static_cast<float>(x1);
      return;
    }
    finish_box();
    pending_ = PlacedBox{.row = place.row,
                         .x0 = static_cast<float>(x0),
                         .x1 = static_cast<float>(x1),
                         .y = place.y,
                         .height = place.height,
                         .gap = place.gap,
                         .begin = box.begin,
                         .duration = box.duration,
                         .type = box.type,
                         .is_dim = box.is_dim};
    has_edge_ = begin >= columns.x0() && begin > 0;
  }

  void finish_box() {
    if (!pending_) return;
    const PlacedBox& box = *pending_;
    batch_.boxes.push_back({box.x0, box.y, box.x1, box.y + box.height,
                            color_of(palette_.state_color(box.type, box.duration), box.is_dim),
                            has_edge_, static_cast<uint32_t>(palette_.pattern(box.type))});
    items_.boxes.push_back(box);
    pending_.reset();
  }

  // A column in which a value begins parts two of them; one in which several do belongs to none.
  void add_values(const RowPlace& place, const Tile& tile, const PieceScale& columns) {
    for (size_t i = 0; i < tile.cells.size(); ++i) {
      const layout::CellInfo& info = tile.cells[i];
      const double x0 = columns.clip(columns.x_of_column(info.column));
      const double x1 = columns.clip(columns.x_of_column(info.column + 1));
      if (x0 >= x1) continue;
      const bool is_many = info.begins > 1;
      const double begin =
          info.begins == 1 ? std::clamp(scale_.x_from_time(info.begin), x0, x1) : x0;
      // Of several that begin in one column the last may be none: it ended there.
      if (pending_value_ && pending_value_->x1 < static_cast<float>(x0)) finish_value();
      if (pending_value_ && begin > x0) pending_value_->x1 = static_cast<float>(begin);
      if (std::isnan(tile.values[i].min)) {  // it has no value from here on
        finish_value();
        continue;
      }
      const PlacedValue value = {.x0 = static_cast<float>(begin),
                                 .x1 = static_cast<float>(x1),
                                 .y = place.y,
                                 .height = place.height,
                                 .value = is_many ? 0 : tile.values[i].last,
                                 .is_many = is_many,
                                 .is_dim = tile.dim.test(info.column)};
      const bool goes_on =
          pending_value_ && pending_value_->x1 >= value.x0 && pending_value_->is_many == is_many &&
          pending_value_->value == value.value && pending_value_->is_dim == value.is_dim;
      if (goes_on) {
        pending_value_->x1 = value.x1;
        continue;
      }
      finish_value();
      pending_value_ = value;
    }
  }

  // A frame around its value, filled where nothing can be said in it; what is filled side by side
  // is one box.
  void finish_value() {
    if (!pending_value_) return;
    const PlacedValue value = *pending_value_;
    pending_value_.reset();
    const WordColors& colors = word_colors_[value.is_dim ? 1 : 0];
    const float bottom = value.y + value.height;
    if (value.is_many || value.x1 - value.x0 <= 2) {
      BoxShape* const before = batch_.boxes.empty() ? nullptr : &batch_.boxes.back();
      const bool goes_on = before != nullptr && before->color == colors.filled &&
                           before->y0 == value.y && before->x1 == value.x0;
      if (goes_on)
        before->x1 = value.x1;
      else
        batch_.boxes.push_back({value.x0, value.y, value.x1, bottom, colors.filled});
      return;
    }
    batch_.boxes.push_back({value.x0, value.y, value.x1, bottom, colors.frame});
    batch_.boxes.push_back({value.x0 + 1, value.y + 1, value.x1, bottom - 1, colors.inside});
    items_.values.push_back(value);
  }

  void choose_word_colors(layout::Rgb color) {
    const auto tint = [&](double share, bool is_dim) {
      return color_of(layout::tinted(color, share, palette_.theme()), is_dim);
    };
    for (const bool is_dim : {false, true}) {
      word_colors_[is_dim ? 1 : 0] = {color_of(color, is_dim), tint(kWordTint, is_dim),
                                      tint(kManyTint, is_dim)};
    }
  }

  void add_marker(const RowPlace& place, const layout::Marker& marker, const PieceScale& columns) {
    const double x = scale_.x_from_time(marker.time);
    const float radius = kMarkerRadius * unit_;
    const bool has_room = static_cast<float>(marker.room) >= layout::kMarkerColumns * unit_;
    if (x < columns.x0() || x >= columns.x1() || place.height < 2 * radius || !has_room) return;
    // On top of its tick, which is two thirds of the row high.
    const float y = place.y + std::max(place.height / 3, radius);
    batch_.markers.push_back(
        {static_cast<float>(x), y, radius, color_of(palette_.color(marker.type), marker.is_dim)});
    if (!marker.is_several) return;
    batch_.markers.push_back({static_cast<float>(x), y, radius / 2, place.background});
  }

  Color color_of(layout::Rgb rgb, bool is_dim) const {
    return color_from_rgb(is_dim ? layout::dimmed(rgb, palette_.theme()) : rgb);
  }

  const layout::Palette& palette_;
  const layout::TimeScale& scale_;
  const layout::TileFilter& filter_;
  TileCache& cache_;
  DrawBatch& batch_;
  TimelineItems& items_;
  int level_;
  std::vector<Segment> segments_;
  float unit_;
  std::optional<PlacedBox> pending_;
  bool has_edge_ = false;
  std::optional<PlacedValue> pending_value_;
  WordColors word_colors_[2] = {};  // of the row; of what does not pass the filter
};

float drawn_height(float height) { return height >= kGapFromHeight ? height - 1 : height; }

RowPlace place_of(const store::Trace& trace, RowId id, float y, float height, float gap,
                  Color background, const layout::Palette& palette) {
  const store::Row& row = trace.row(id);
  const bool is_variable = row.kind == store::RowKind::kVariable;
  return {id,
          row.kind,
          y,
          height,
          gap,
          background,
          is_variable ? palette.color(row.variable) : 0,
          layout::has_words(trace.dictionary(), row),
          is_variable ? trace.range().end : Time::max()};
}

// Whether the line is of a signal without other values than those that its states say. Where it has
// none, it is low.
bool is_wire(const store::Trace& trace, const DisplayRow& row) {
  if (layout::is_group(row.lane)) return false;
  if (trace.dictionary().lane(row.lane).kind != trace::LaneKind::kCounter) return false;
  if (row.kind == DisplayRow::Kind::kHeader) return !row.can_fold;  // nor lanes below it
  return row.kind == DisplayRow::Kind::kRow && trace.row(row.row).kind == store::RowKind::kState;
}

// At the bottom of a wire's line, below the boxes of its states.
void paint_low(const store::Trace& trace, const TimelineView& view, float bottom, layout::Rgb color,
               DrawBatch& batch) {
  const TimeRange range = trace.range();
  for (const layout::TimeScale::Segment& segment : view.scale.segments()) {
    const TimeRange seen = {std::max(range.begin, segment.range.begin),
                            std::min(range.end, segment.range.end)};
    if (seen.begin >= seen.end) continue;
    batch.backdrops.push_back(
        {static_cast<float>(view.scale.x_from_time(seen.begin)), bottom - kLowPx,
         static_cast<float>(view.scale.x_from_time(seen.end)), bottom, color_from_rgb(color), 0});
  }
}

// The strips of a collapsed lane share its height; `end`: where the next row begins.
void paint_summary(const store::Trace& trace, const layout::Summary& summary, float y, float height,
                   float end, Color background, const layout::Palette& palette,
                   RowPainter& painter) {
  for (size_t i = 0; i < summary.rows.size(); ++i) {
    const layout::Summary::Strip strip = summary.strip_of(i, height);
    const float top = y + strip.y, bottom = top + strip.height;
    const bool is_last = i + 1 == summary.rows.size();
    const float next = is_last ? std::max(end, bottom) : y + summary.strip_of(i + 1, height).y;
    painter.paint(
        place_of(trace, summary.rows[i], top, strip.height, next - bottom, background, palette));
  }
}

struct Point {
  double x, y;
};

// Moves `a` along the line to `b` until its x lies in [low, high]: far ends would not fit a float.
Point clip_x(Point a, Point b, double low, double high) {
  const double x = std::clamp(a.x, low, high);
  if (x == a.x || a.x == b.x) return a;
  return {x, a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)};
}

}  // namespace

void TimelineItems::clear() {
  tiles.clear();
  boxes.clear();
  values.clear();
  links.clear();
  is_stale = awaits_filter = false;
}

void draw_rows(const store::Trace& trace, const layout::Lanes& lanes,
               const layout::Palette& palette, const TimelineView& view, TileCache& cache,
               DrawBatch& batch, TimelineItems& items) {
  const layout::ThemeColors& colors = layout::theme_colors(palette.theme());
  batch.background = color_from_rgb(colors.row);
  RowPainter painter(palette, view, cache, batch, items);
  const layout::Rgb low_color = layout::tinted(colors.text_dim, kLowTint, palette.theme());
  // Whole pixels: a row's height must not change as it scrolls.
  const double top = std::floor(view.scroll_y);
  for (const DisplayRow& row : lanes.visible(top, top + view.height)) {
    const auto y = static_cast<float>(std::floor(row.y - top));
    const bool is_last = &row == &lanes.rows().back();
    const auto end =
        static_cast<float>(std::floor((is_last ? lanes.height() : (&row + 1)->y) - top));
    if (row.is_first) {
      const auto width = static_cast<float>(view.scale.width_px());
      batch.backdrops.push_back({0, y - 1, width, y, color_from_rgb(colors.grid), 0});
    }
    const float height = drawn_height(row.height);
    const auto paint = [&](RowId id) {
      painter.paint(place_of(trace, id, y, height, end - y - height, batch.background, palette));
    };
    if (is_wire(trace, row)) paint_low(trace, view, y + height, low_color, batch);
    if (row.has_states) paint(row.row_of_states());
    if (row.kind == DisplayRow::Kind::kRow) {
      paint(row.row);
    } else if (row.is_summary()) {
      paint_summary(trace, lanes.summary(row), y, height, end, batch.background, palette, painter);
    }
  }
}

void draw_row(const store::Trace& trace, RowId row, const layout::Palette& palette,
              const TimelineView& view, float y, float height, TileCache& cache, DrawBatch& batch,
              TimelineItems& items) {
  RowPainter painter(palette, view, cache, batch, items);
  painter.paint(place_of(trace, row, y, height, /*gap=*/0, batch.background, palette));
}

LaneY middle_of(const layout::Lanes& lanes, double scroll_y) {
  return [&lanes, scroll_y](LaneId lane, RowId row, LaneId) -> std::optional<double> {
    const DisplayRow* line = lane.is_none() ? nullptr : lanes.line_of(lane, row);
    if (!line) return std::nullopt;
    return line->y + line->height / 2 - scroll_y;
  };
}

void draw_links(const layout::LinkItems& links, const LaneY& y_of, const layout::Palette& palette,
                const TimelineView& view, DrawBatch& batch, TimelineItems& items) {
  const layout::ThemeColors& colors = layout::theme_colors(palette.theme());
  const double width = view.scale.width_px();
  for (const layout::LinkItem& link : links.items) {
    const auto source_y = y_of(link.source, link.source_row, link.target);
    const auto target_y = y_of(link.target, link.target_row, link.source);
    if (!source_y && !target_y) continue;
    Point from{}, to{};
    if (source_y) from = {view.scale.x_from_time(link.send), *source_y};
    if (target_y) to = {view.scale.x_from_time(link.receive), *target_y};
    if (!source_y) from = {to.x - kStubPx, to.y - kStubPx / 2};
    if (!target_y) to = {from.x + kStubPx, from.y + kStubPx / 2};
    const auto [left, right] = std::minmax(from.x, to.x);
    const auto [above, below] = std::minmax(from.y, to.y);
    if (right < 0 || left > width || below < 0 || above > view.height) continue;

    const Point begin = clip_x(from, to, -width, 2 * width);
    const Point end = clip_x(to, from, -width, 2 * width);
    const float line_width = layout::link_width_px(link.count);
    const bool is_broken = !source_y || !target_y;
    batch.lines.push_back(
        {static_cast<float>(begin.x), static_cast<float>(begin.y), static_cast<float>(end.x),
         static_cast<float>(end.y), line_width, kHeadPx,
         color_from_rgb(is_broken ? colors.link_broken : colors.link, is_broken ? 200 : 220)});
    items.links.push_back({batch.lines.back().x0, batch.lines.back().y0, batch.lines.back().x1,
                           batch.lines.back().y1, line_width, link});
  }
}

}  // namespace weft::render
