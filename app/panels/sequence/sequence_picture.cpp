#include "app/panels/sequence/sequence_picture.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/panels/sequence/message_signs.h"
#include "core/base/saturating.h"

namespace weft::app {
namespace {

constexpr double kGlyphPx = 9;
constexpr double kSmallGlyphPx = 5;
constexpr float kHeadPx = 7;
constexpr float kMostHead = 0.2F;    // of the way to the next lane
constexpr double kMostEventPx = 28;  // for an event, where distance does not count
constexpr float kMostBarPx = 22;     // each way, and …
constexpr float kMostBar = 0.36F;    // … of the way to the next lane
constexpr uint64_t kCrowded = 4;     // times as many messages in bars as in arrows
constexpr double kLeastActivityPitchPx = 30;

// Many arrows together must not hide each other.
float alpha_for(size_t arrows) {
  const double count = static_cast<double>(std::max<size_t>(1, arrows));
  return static_cast<float>(std::clamp(10.0 / std::sqrt(count), 0.35, 0.95));
}

// The logarithm, exact at powers of two and straight between them: a float's own bits. A bar is
// whole pixels wide, and there may be very many.
float log2_about(uint64_t n) {
  return static_cast<float>(std::bit_cast<uint32_t>(static_cast<float>(n))) * 0x1p-23F - 127;
}

// Bars are as wide as their share of the largest on a logarithmic scale: a bar of one is visible
// beside one of a million.
class BarScale {
 public:
  BarScale(uint64_t most, float room)
      : per_log_(room / log2_about(1 + std::max<uint64_t>(1, most))) {}
  float px(uint64_t count) const { return per_log_ * log2_about(1 + count); }
  // Rounded up to whole pixels.
  float whole_px(uint64_t count) const {
    const float exact = px(count), whole = static_cast<float>(static_cast<int>(exact));
    return whole + (exact > whole ? 1.0F : 0.0F);
  }

 private:
  float per_log_;
};

// Boxes down the lanes; what goes on alike below another is one box.
class BoxesDown {
 public:
  BoxesDown(render::DrawBatch& batch, size_t lanes) : batch_(batch), last_(lanes, SIZE_MAX) {}

  void add(size_t place, const render::BoxShape& box) {
    if (box.x0 >= box.x1 || box.y0 >= box.y1) return;
    size_t& last = last_[place];
    if (last != SIZE_MAX) {
      render::BoxShape& above = batch_.boxes[last];
      const bool goes_on = above.x0 == box.x0 && above.x1 == box.x1 && above.y1 == box.y0 &&
                           above.color == box.color;
      if (goes_on) {
        above.y1 = box.y1;
        return;
      }
    }
    last = batch_.boxes.size();
    batch_.boxes.push_back(box);
  }

 private:
  render::DrawBatch& batch_;
  std::vector<size_t> last_;  // by lane: index of its lowest box
};

}  // namespace

void SequencePicture::place(const PanelInput& input, const TimeAxis& axis, const Area& area,
                            const SequenceContent& content) {
  area_ = area;
  const bool is_same = canvas_.place(area) && content == drawn_;
  drawn_ = content;
  const bool asks_tiles = shows_activity(input);
  const bool has_tiles =
      !activity_.is_stale && !input.tiles->has_news() && input.tiles->frame() == tiles_frame_;
  if (is_same && asks_tiles == asks_tiles_ && (!asks_tiles || has_tiles)) return;
  asks_tiles_ = asks_tiles;
  if (asks_tiles) input.tiles->begin_frame();
  tiles_frame_ = input.tiles->frame();
  activity_.clear();
  render::DrawBatch& batch = canvas_.redraw(area);
  batch.background = input.theme.background;
  arrows_.clear();
  takes_part_.clear();
  labels_.clear();
  runs_.clear();
  set_lanes(input);
  if (!content.lanes) return;
  set_time(input, axis);
  add_lanes(input, axis, batch);
  if (asks_tiles) add_activity(input, axis, batch);
  add_activations(input, batch);
  if (!content.messages) return;
  takes_part_.resize(lanes_.order().size());
  add_waiting(input, batch);
  add_bars(input, batch);
  std::vector<layout::ArrowEnds> ends(time_.ends().begin(), time_.ends().end());
  for (layout::ArrowEnds& end : ends) {
    end.send_y -= shift_px_;
    end.receive_y -= shift_px_;
  }
  arrows_ = place_arrows(*content.messages, ends, *content.lanes->shown, lanes_, area.width(),
                         area.height(), input.scale);
  for (const layout::PlacedArrow& arrow : arrows_) {
    for (const LaneId lane : {arrow.source, arrow.target}) {
      if (const auto place = lanes_.place_of(lane)) takes_part_[*place] = true;
    }
  }
  add_arrows(input, batch);
  if (content.is_strip) return;
  add_labels(input);
  add_runs();
}

void SequencePicture::set_lanes(const PanelInput& input) {
  lanes_ = {};
  if (!drawn_.lanes) return;
  lanes_ = {drawn_.lanes->order.lanes, drawn_.left_px, drawn_.pitch_px};
  if (colored_ == drawn_.lanes && colored_theme_ == drawn_.theme) return;
  colored_ = drawn_.lanes;
  colored_theme_ = drawn_.theme;
  colors_.clear();
  for (const LaneId lane : lanes_.order()) {
    const ImU32 color = render::color_from_rgb(drawn_.lanes->model->lane_color(lane));
    const auto on_ground = [&](float share) {
      return blended(color, input.theme.background, share);
    };
    colors_.push_back({color, on_ground(drawn_.is_strip ? 0.2F : 0.45F), on_ground(0.6F),
                       on_ground(0.4F), on_ground(0.22F)});
  }
}

void SequencePicture::set_time(const PanelInput& input, const TimeAxis& axis) {
  const layout::Messages none;
  const layout::Messages& messages = drawn_.messages ? *drawn_.messages : none;
  const bool in_order = drawn_.in_order && !drawn_.is_strip;
  shift_px_ = in_order ? 0 : static_cast<double>(axis.shift_px());
  const double most_px = kMostEventPx * static_cast<double>(input.scale);
  const double room_px = std::ceil(kGlyphPx / 2 * static_cast<double>(input.scale));
  time_ = in_order ? layout::SequenceTime::by_order(messages, axis.scale(), most_px)
                   : layout::SequenceTime::by_distance(messages, axis.scale(), input.trace->range(),
                                                       drawn_.is_strip ? 0 : room_px);
}

std::optional<double> SequencePicture::x_of(LaneId lane) const {
  if (!drawn_.lanes || lane.value() >= drawn_.lanes->shown->size()) return std::nullopt;
  const auto x = lanes_.x_of((*drawn_.lanes->shown)[lane.value()]);
  return x ? std::optional(area_.x0 + *x) : std::nullopt;
}

std::vector<layout::RulerTick> SequencePicture::ticks(const TimeAxis& axis, const OpenTrace& trace,
                                                      float room_px) const {
  if (time_.events().empty()) return axis_ticks(axis, trace);
  const double least = 2.0 * static_cast<double>(ImGui::GetFontSize());
  const auto step = static_cast<size_t>(std::ceil(least / time_.event_px()));
  std::vector<layout::RulerTick> ticks;
  std::vector<Time> labelled;
  for (size_t i = 0; i < time_.events().size(); ++i) {
    const bool is_major = i % step == 0;
    if (!is_major && time_.event_px() < 4) continue;
    const Time time = time_.events()[i];
    ticks.push_back({time, (static_cast<double>(i) + 0.5) * time_.event_px(), is_major, ""});
    if (is_major) labelled.push_back(time);
  }
  std::vector<std::string> labels = layout::labels_in_order(
      labelled,
      [&](Time time, std::optional<Duration> resolution) {
        const Duration pixel = {saturating_round(axis.ticks_per_px())};
        const Duration span = {saturating_round(axis.window.length)};
        return time_label(trace.time_display, time, trace.reach(), trace.time_base(), span,
                          std::min(resolution.value_or(pixel), pixel));
      },
      [&](std::string_view label) { return text_width(label) <= room_px; });
  auto label = labels.begin();
  for (layout::RulerTick& tick : ticks) {
    if (tick.is_major) tick.label = std::move(*label++);
  }
  say_date(ticks, axis, trace);
  return ticks;
}

void SequencePicture::add_lanes(const PanelInput& input, const TimeAxis& axis,
                                render::DrawBatch& batch) const {
  if (!drawn_.is_strip) {
    ImGui::PushFont(input.fonts.small);
    for (const layout::RulerTick& tick : ticks(axis, *input.trace, 0)) {
      if (!tick.is_major) continue;
      const auto y = std::floor(static_cast<float>(tick.x));
      batch.backdrops.push_back({0, y, area_.width(), y + 1, input.theme.grid, 0});
    }
    ImGui::PopFont();
  }
  for (size_t place = 0; place < lanes_.order().size(); ++place) {
    const auto x = static_cast<float>(std::floor(lanes_.x_of_place(place)));
    if (x < -1 || x > area_.width()) continue;
    batch.backdrops.push_back({x, 0, x + 1, area_.height(), colors_[place].line, 0});
  }
}

bool SequencePicture::shows_activity(const PanelInput& input) const {
  // Rows are those of the snapshot that tiles are made of, or not known yet.
  return drawn_.lanes && drawn_.lanes->model->trace == input.model->trace &&
         !drawn_.lanes->rows.empty() && !drawn_.in_order && has_room_for_activity(input);
}

bool SequencePicture::has_room_for_activity(const PanelInput& input) const {
  return !drawn_.is_strip &&
         drawn_.pitch_px >= kLeastActivityPitchPx * static_cast<double>(input.scale);
}

void SequencePicture::add_activity(const PanelInput& input, const TimeAxis& axis,
                                   render::DrawBatch& batch) {
  const store::Trace& trace = *drawn_.lanes->model->trace;
  const layout::TimeScale scale = axis.scale();
  activity_scale_ = {scale.view(), scale.width_px() / static_cast<double>(render::kDownPx),
                     axis.time.cuts()};
  std::vector<render::RowDown> rows;
  for (const DiagramLanes::Row& row : drawn_.lanes->rows) {
    const auto x = static_cast<float>(std::floor(lanes_.x_of_place(row.place)));
    const float width = std::round(kActivityPx * input.scale);
    if (x + 2 * width < 0 || x - 2 * width > area_.width()) continue;
    // States upon the lane, what happens at an instant beside it.
    const bool is_state = trace.row(row.row).kind == store::RowKind::kState;
    rows.push_back({row.row, is_state ? x - std::floor(width / 2) : x + width, width});
  }
  render::draw_rows_down(trace, rows, *drawn_.lanes->model->palette, activity_scale_,
                         -static_cast<float>(shift_px_), drawn_.filter, *input.tiles, batch,
                         activity_);
}

// States upon the lane, instants beside it.
void SequencePicture::add_activations(const PanelInput& input, render::DrawBatch& batch) {
  activations_.clear();
  if (!drawn_.activations || !drawn_.in_order || !has_room_for_activity(input)) return;
  const store::Trace& trace = *drawn_.lanes->model->trace;
  const float width = std::round(kActivityPx * input.scale);
  for (size_t i = 0; i < drawn_.activations->size(); ++i) {
    const layout::Activation& activation = (*drawn_.activations)[i];
    const store::Row& row = trace.row(activation.row);
    const auto x = x_of(row.lane);
    if (!x) continue;
    const bool is_state = row.kind == store::RowKind::kState;
    const auto y = [&](Time time) { return static_cast<float>(y_from_time(time)) - area_.y0; };
    const float y0 = std::clamp(y(activation.span.begin), -2.0F, area_.height() + 2);
    const float y1 = std::clamp(y(activation.span.end), y0 + 2, area_.height() + 4);
    const float left =
        static_cast<float>(std::floor(*x)) - area_.x0 + (is_state ? -std::floor(width / 2) : width);
    const layout::Palette& palette = *drawn_.lanes->model->palette;
    const ImU32 color = render::color_from_rgb(
        is_state ? palette.state_color(activation.type, activation.span.length())
                 : palette.color(activation.type));
    activations_.push_back({i, {left, y0, left + width, y1, color, is_state ? 1U : 0U}});
    batch.boxes.push_back(activations_.back().box);
  }
}

float SequencePicture::y_of_cell(int64_t cell) const {
  const Time time = layout::time_of_column(cell, drawn_.messages->grid.level);
  return static_cast<float>(std::round(y_from_time(time))) - area_.y0;
}

float SequencePicture::bar_room(float scale) const {
  return std::max(1.0F,
                  std::min(kMostBarPx * scale, static_cast<float>(drawn_.pitch_px) * kMostBar));
}

// A shade at the left of the lane, the wider the more there is.
void SequencePicture::add_waiting(const PanelInput& input, render::DrawBatch& batch) {
  if (!has_room_for_activity(input)) return;
  uint64_t most = 0;
  for (const layout::Waiting& waiting : drawn_.messages->waiting)
    most = std::max(most, waiting.messages);
  BoxesDown boxes(batch, colors_.size());
  const float half = std::floor(std::round(kActivityPx * input.scale) / 2);
  const BarScale scale(most, bar_room(input.scale));
  for (const layout::Waiting& waiting : drawn_.messages->waiting) {
    const auto place = lanes_.place_of(waiting.lane);
    if (!place) continue;
    const float y0 = y_of_cell(waiting.begin_cell), y1 = y_of_cell(waiting.end_cell);
    if (y1 < 0 || y0 > area_.height()) continue;
    const float right = static_cast<float>(std::floor(lanes_.x_of_place(*place))) - half;
    const float left = std::floor(right - std::max(1.0F, scale.px(waiting.messages)));
    boxes.add(*place, {left, y0, right, y1, colors_[*place].waiting});
  }
}

// Bars of sent messages go to the right of the lane, those of received ones to its left.
void SequencePicture::add_bars(const PanelInput& input, render::DrawBatch& batch) {
  const std::vector<layout::TrafficBar>& bars = drawn_.messages->bars;
  uint64_t most = 0;
  for (const layout::TrafficBar& bar : bars) most = std::max({most, bar.sent, bar.received});
  const float room = bar_room(drawn_.is_strip ? 0.25F : input.scale);
  const float reach = std::ceil(room) + 1;  // to either side of the lane
  const BarScale scale(most, room);
  BoxesDown sent(batch, colors_.size()), received(batch, colors_.size());
  // Per lane, before any bar: there may be tens of thousands of bars, most out of sight.
  const float strength = drawn_.messages->is_bound ? 0.5F : 1;
  struct Column {
    float x;
    bool is_seen;
    ImU32 sent, received;
  };
  std::vector<Column> columns;
  for (size_t place = 0; place < colors_.size(); ++place) {
    const auto x = static_cast<float>(std::floor(lanes_.x_of_place(place)));
    columns.push_back({x, x + reach >= 0 && x - reach <= area_.width(),
                       faded(colors_[place].sent, strength),
                       faded(colors_[place].received, strength)});
  }
  float y0 = 0, y1 = 0;
  for (size_t i = 0; i < bars.size(); ++i) {
    const layout::TrafficBar& bar = bars[i];
    if (i == 0 || bar.cell != bars[i - 1].cell) {
      y0 = y_of_cell(bar.cell);
      y1 = std::max(y0 + 1, y_of_cell(bar.cell + 1));
    }
    if (y1 < 0 || y0 > area_.height()) continue;
    const auto place = lanes_.place_of(bar.lane);
    if (!place) continue;
    takes_part_[*place] = true;
    if (!columns[*place].is_seen) continue;
    const Column& at = columns[*place];
    received.add(*place, {at.x - scale.whole_px(bar.received), y0, at.x, y1, at.received});
    sent.add(*place, {at.x, y0, at.x + 1 + scale.whole_px(bar.sent), y1, at.sent});
  }
}

ImU32 SequencePicture::color_of(const PanelInput& input, const layout::PlacedArrow& placed) const {
  const layout::MessageArrow& arrow = drawn_.messages->arrows[placed.index];
  const bool lacks_end = placed.shape == layout::ArrowShape::kUnreceived ||
                         placed.shape == layout::ArrowShape::kUnsent;
  if (arrow.is_dim) return blended(input.theme.text_dim, input.theme.background, 0.25F);
  if (const auto color = class_color(arrow)) return *color;
  if (arrow.link.mark.is_dropped) return input.theme.error;
  if (lacks_end) return input.theme.text_dim;
  if (drawn_.by_type)
    return render::color_from_rgb(drawn_.lanes->model->palette->color(arrow.link.type));
  return color_of_end(input, arrow, placed.source, arrow.link.source);
}

// Lanes keep their colour where a folded one stands for them; a bundle may be of several.
ImU32 SequencePicture::color_of_end(const PanelInput& input, const layout::MessageArrow& arrow,
                                    LaneId shown, LaneId own) const {
  if (shown != own && !own.is_none() && !arrow.link.is_bundle())
    return render::color_from_rgb(drawn_.lanes->model->lane_color(own));
  const auto place = lanes_.place_of(shown);
  return place ? colors_[*place].lane : input.theme.text_dim;
}

std::optional<ImU32> SequencePicture::class_color(const layout::MessageArrow& arrow) const {
  const MessageClass* of = class_of(*drawn_.lanes->model, arrow.link.mark);
  if (!of || !of->color || arrow.is_dim) return std::nullopt;
  return render::color_from_rgb(*of->color);
}

float SequencePicture::width_of(const layout::MessageArrow& arrow) const {
  const layout::Messages& messages = *drawn_.messages;
  if (!drawn_.by_size) {
    // If bars hold most of the messages, arrows must not outweigh them.
    const bool is_crowded = messages.in_bars > kCrowded * messages.in_arrows;
    return std::min(layout::link_width_px(arrow.link.count), is_crowded ? 1.6F : 6.0F);
  }
  // How large the messages of a bundle are is not known.
  return arrow.link.is_bundle() ? 1 : layout::size_width_px(arrow.payload_bytes);
}

// As large as the ends of arrows have room for along the lanes, if spread evenly; odd, so that
// there is a pixel in the middle.
float SequencePicture::glyph_size(const PanelInput& input) const {
  const double scale = input.scale, width = area_.x1 - area_.x0, height = area_.y1 - area_.y0;
  if (drawn_.pitch_px < 30 * scale) return kSmallGlyphPx;
  const double lanes =
      std::min(width / drawn_.pitch_px, static_cast<double>(drawn_.lanes->order.lanes.size()));
  const double ends = 2 * static_cast<double>(std::max<size_t>(1, arrows_.size()));
  const double room = lanes * height / scale / ends;
  return static_cast<float>(
      std::clamp(2 * std::floor((room + 1) / 2) - 1, kSmallGlyphPx, kGlyphPx));
}

void SequencePicture::add_arrows(const PanelInput& input, render::DrawBatch& batch) {
  const float alpha = alpha_for(arrows_.size());
  glyph_px_ = std::round(glyph_size(input) * input.scale);
  if (!time_.events().empty())  // they must not touch
    glyph_px_ = std::min(glyph_px_, std::max(2.0F, static_cast<float>(time_.event_px()) - 2));
  for (const bool is_dim : {true, false}) {
    for (const layout::PlacedArrow& placed : arrows_) {
      const layout::MessageArrow& arrow = drawn_.messages->arrows[placed.index];
      if (arrow.is_dim != is_dim) continue;
      // Dim ones let nothing through: many of them would add up to bright ones.
      const ImU32 color = faded(color_of(input, placed), arrow.is_dim ? 1 : alpha);
      add_arrow(input, placed, color, input.scale * (0.4F + width_of(arrow)), batch);
    }
  }
  if (drawn_.is_strip) return;
  add_chain(input, batch);
  for (const layout::PlacedArrow& placed : arrows_) add_squares(input, placed, batch);
  for (const layout::PlacedArrow& placed : arrows_) add_circle(input, placed, batch);
}

// As in the timeline: the chain stands out, the selected link most.
void SequencePicture::add_chain(const PanelInput& input, render::DrawBatch& batch) const {
  if (!drawn_.facts) return;
  std::vector<query::LinkEnds> chain(drawn_.facts->chain.begin(), drawn_.facts->chain.end());
  std::ranges::sort(chain, {}, &query::LinkEnds::send);
  for (const layout::PlacedArrow& placed : arrows_) {
    const layout::LinkItem& link = drawn_.messages->arrows[placed.index].link;
    const query::LinkEnds& ends = link;
    const bool is_chosen = is_selected(placed);
    const auto at_once = std::ranges::equal_range(chain, ends.send, {}, &query::LinkEnds::send);
    const bool is_in_chain = is_chosen || std::ranges::find(at_once, ends) != at_once.end();
    if (link.is_bundle() || !is_in_chain) continue;
    add_arrow(input, placed, input.theme.accent, (is_chosen ? 4.0F : 2.0F) * input.scale, batch);
  }
}

bool SequencePicture::is_selected(const layout::PlacedArrow& placed) const {
  if (!drawn_.facts || !drawn_.facts->element || !drawn_.facts->element->is_link()) return false;
  const query::LinkEnds& ends = drawn_.messages->arrows[placed.index].link;
  return ends == query::ends_of(*drawn_.facts->element);
}

void SequencePicture::add_arrow(const PanelInput& input, const layout::PlacedArrow& placed,
                                ImU32 color, float width, render::DrawBatch& batch) const {
  const layout::MessageArrow& arrow = drawn_.messages->arrows[placed.index];
  if (drawn_.is_strip) {
    batch.lines.push_back({placed.x0, placed.y0, placed.x1, placed.y1, 1, 0, color});
    return;
  }
  const float head = std::min((kHeadPx + width_of(arrow) / 2) * input.scale,
                              static_cast<float>(drawn_.pitch_px) * kMostHead);
  if (placed.shape == layout::ArrowShape::kSelf) {
    const float right = placed.x0 + layout::kStubWidthPx * input.scale;
    batch.lines.push_back({placed.x0, placed.y0, right, placed.y0, width, 0, color});
    batch.lines.push_back({right, placed.y0, right, placed.y1, width, 0, color});
    batch.lines.push_back(
        {right, placed.y1, placed.x1 + glyph_px_ / 2, placed.y1, width, head, color});
    return;
  }
  // The arrow ends where the glyph begins, so that its head is visible.
  const float length = std::hypot(placed.x1 - placed.x0, placed.y1 - placed.y0);
  const bool has_glyph = placed.shape != layout::ArrowShape::kUnreceived;
  const float cut = has_glyph && length > 2 * glyph_px_ ? glyph_px_ / 2 / length : 0;
  const float x1 = placed.x1 + (placed.x0 - placed.x1) * cut;
  const float y1 = placed.y1 + (placed.y0 - placed.y1) * cut;
  const MessageClass* of = class_of(*drawn_.lanes->model, arrow.link.mark);
  add_line({placed.x0, placed.y0, x1, y1, width, head, color}, of ? of->line : MessageLine::kSolid,
           input.scale, batch);
  if (arrow.link.mark.is_dropped && !arrow.is_dim)
    add_dropped_sign(input, placed.x1, placed.y1, std::max(3.0F, glyph_px_ / 2), batch);
}

// A send is a square, a receive a square with a circle within; the ends of a bundle are narrower
// and higher. Squares are short lines: those lie above the arrows.
void SequencePicture::add_squares(const PanelInput& input, const layout::PlacedArrow& placed,
                                  render::DrawBatch& batch) const {
  const layout::MessageArrow& arrow = drawn_.messages->arrows[placed.index];
  const float height = arrow.link.is_bundle() ? glyph_px_ * 1.6F : glyph_px_;
  const float width = arrow.link.is_bundle() ? glyph_px_ * 0.6F : glyph_px_;
  const auto square = [&](float x, float y, LaneId lane, LaneId own) {
    ImU32 color = color_of_end(input, arrow, lane, own);
    if (const auto of_class = class_color(arrow)) color = *of_class;
    if (arrow.is_dim) color = blended(input.theme.text_dim, input.theme.background, 0.4F);
    x = std::floor(x) + 0.5F;
    y = std::floor(y) + 0.5F;
    const MessageClass* of = class_of(*drawn_.lanes->model, arrow.link.mark);
    if (of && of->sign != MessageSign::kSquare && !arrow.link.is_bundle())
      return add_sign(of->sign, x, y, glyph_px_ / 2, color, batch);
    batch.lines.push_back({x - width / 2, y, x + width / 2, y, height, 0, color});
  };
  if (!placed.source.is_none()) square(placed.x0, placed.y0, placed.source, arrow.link.source);
  if (!placed.target.is_none()) square(placed.x1, placed.y1, placed.target, arrow.link.target);
}

// Two bars across each other, whose soft edges round it.
void SequencePicture::add_circle(const PanelInput& input, const layout::PlacedArrow& placed,
                                 render::DrawBatch& batch) const {
  const bool is_bundle = drawn_.messages->arrows[placed.index].link.is_bundle();
  if (placed.target.is_none() || is_bundle || glyph_px_ < 6) return;
  const float x = std::floor(placed.x1) + 0.5F, y = std::floor(placed.y1) + 0.5F;
  const MessageClass* of =
      class_of(*drawn_.lanes->model, drawn_.messages->arrows[placed.index].link.mark);
  if (of && of->sign == MessageSign::kDiamond) {  // those lie above all lines
    batch.markers.push_back({x, y, glyph_px_ / 4, input.theme.background});
    return;
  }
  const bool is_triangle = of && of->sign == MessageSign::kTriangle;
  const float radius = is_triangle ? glyph_px_ / 5 : glyph_px_ / 2 - 2 * input.scale;
  const float bar = radius * 1.2F;
  batch.lines.push_back({x - radius, y, x + radius, y, bar, 0, input.theme.background});
  batch.lines.push_back({x, y - radius, x, y + radius, bar, 0, input.theme.background});
}

void SequencePicture::draw_arrow_outline(const PanelInput& input, const layout::PlacedArrow& arrow,
                                         ImU32 color) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 from = {area_.x0 + arrow.x0, area_.y0 + arrow.y0};
  const ImVec2 to = {area_.x0 + arrow.x1, area_.y0 + arrow.y1};
  const float width = 2 * input.scale;
  if (arrow.shape == layout::ArrowShape::kSelf) {
    const float right = from.x + layout::kStubWidthPx * input.scale;
    const ImVec2 points[] = {from, {right, from.y}, {right, to.y}, to};
    list.AddPolyline(points, 4, color, 0, width);
  } else {
    list.AddLine(from, to, color, width);
  }
  const float half = glyph_px_ / 2 + 2 * input.scale;
  for (const ImVec2& end : {from, to})
    list.AddRect({end.x - half, end.y - half}, {end.x + half, end.y + half}, color, 0, 0, width);
}

void SequencePicture::draw_element(const PanelInput& input,
                                   const query::ElementRef& element) const {
  const store::Record record{.begin = element.begin,
                             .duration = element.duration,
                             .type = element.type,
                             .peer = element.peer};
  if (query::is_link(element.kind)) {
    const query::LinkEnds ends = query::ends_of(element.kind, element.lane, record);
    for (const layout::PlacedArrow& placed : arrows_) {
      const layout::LinkItem& link = drawn_.messages->arrows[placed.index].link;
      const bool is_it = link.source == ends.source && link.target == ends.target &&
                         link.type == ends.type && (!ends.is_sent() || link.send == ends.send) &&
                         (!ends.is_received() || link.receive == ends.receive);
      if (!is_it) continue;
      draw_arrow_outline(input, placed, input.theme.accent);
      break;
    }
  }
  // The end that names it, or where a state lies.
  const auto x = x_of(element.lane);
  if (!x) return;
  const bool is_state = element.kind == store::RowKind::kState;
  const double begin = y_from_time(element.begin);
  const double end = is_state ? y_from_time(record.end()) : begin;
  const double half = static_cast<double>(glyph_px_ / 2 + 4 * input.scale);
  const double low = std::max(begin - (is_state ? 0 : half), area_.y0 - 8.0);
  const double high = std::min(std::max(end + (is_state ? 0 : half), begin + 4), area_.y1 + 8.0);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRect({static_cast<float>(*x - half), static_cast<float>(low)},
               {static_cast<float>(*x + half), static_cast<float>(high)}, input.theme.text,
               3 * input.scale, 0, 2 * input.scale);
}

}  // namespace weft::app
