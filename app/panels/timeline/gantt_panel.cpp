#include "app/panels/timeline/gantt_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/panels/element/element_outline.h"
#include "app/panels/hairline.h"
#include "app/panels/sequence/message_signs.h"
#include "app/panels/timeline/cut_marks.h"
#include "app/panels/timeline/empty_lanes.h"
#include "app/panels/timeline/length_scale.h"
#include "app/panels/timeline/selected_range.h"
#include "app/panels/timeline/time_axis.h"
#include "app/panels/toolbar.h"
#include "app/panels/wrapped_text.h"
#include "app/session/timeline_options.h"
#include "core/base/text.h"
#include "core/base/value_text.h"

namespace weft::app {
namespace {

constexpr float kGanttRulerPx = 26;
constexpr float kGanttHitsPx = 5;    // of it, for marks of hits
constexpr float kMostPinned = 0.5F;  // of the canvas
constexpr double kNextFrameSeconds = 1.0 / 60;
constexpr size_t kFewArrows = 50;  // more cross out what they connect
// Enough to know that there are more than a few.
constexpr layout::LinkLimits kGlance{.max_records = 20'000, .samples = 5'000};

// The lanes from top to bottom, as they are arranged.
Sheet sheet_of_lanes(const std::shared_ptr<const TraceModel>& model) {
  struct Line {
    LaneId lane;
    bool is_pinned;
  };
  std::vector<Line> lines;
  for (const layout::Lanes* lanes : {&model->pinned, &model->lanes}) {
    for (const layout::DisplayRow& row : lanes->rows()) {
      if (row.is_first) lines.push_back({row.lane, lanes == &model->pinned});
    }
  }
  const auto cell = [model, lines](uint64_t row, size_t column) -> Cell {
    const trace::Dictionary& dictionary = model->trace->dictionary();
    const LaneId lane = lines[row].lane;
    switch (column) {
      case 0:
        return uint64_t{lane.value()};
      case 1:
        return layout::is_group(lane) ? model->lanes.name_of(dictionary, lane)
                                      : dictionary.path_text(lane);
      case 2:
        return std::string(layout::is_group(lane) ? "group" : name_of(dictionary.lane(lane).kind));
      default:
        return uint64_t{lines[row].is_pinned};
    }
  };
  return sheet_of_cells({"id", "path", "kind", "pinned"}, lines.size(), cell);
}

}  // namespace

GanttPanel::GanttPanel(const PanelServices& services)
    : links_(make_links, services.wake),
      rest_links_(make_links, services.wake),
      hits_(services),
      details_(make_details, services.wake),
      facts_([](const ElementFactsKey& key) { return make_element_facts(key); }, services.wake),
      own_links_(make_own_links, services.wake),
      chain_in_view_(chain_links_in_view, services.wake),
      pinned_(*services.renderer),
      main_(*services.renderer) {}

std::optional<layout::LinkItems> GanttPanel::make_links(const LinksKey& key,
                                                        const std::stop_token& stop) {
  layout::LinkRows rows;
  if (key.filter) {
    // Whole: how long its longest link takes is asked, too.
    const TimeRange always{Time::min(), Time::max()};
    rows = [&, always](RowId row) {
      return key.rows->get(key.trace, row, key.filter, always, stop);
    };
  }
  const layout::TimeScale scale(key.view, key.width_px, key.cuts);
  layout::ShownEnds are_shown;
  if (key.lanes) are_shown = std::bind_front(has_shown_ends, std::cref(*key.lanes));
  const auto find = [&](const layout::LinkLimits& limits) {
    return layout::links_in(*key.trace, scale, limits, rows, *key.rules, are_shown);
  };
  layout::LinkItems links = find(key.has_all ? layout::LinkLimits{} : kGlance);
  // The links that are drawn must not be a sample.
  if (!links.is_counted && links.items.size() <= kFewArrows) links = find({});
  const bool are_drawn = key.has_all || links.items.size() <= kFewArrows;
  if (are_drawn) layout::find_ends(query::Elements(key.trace), links.items, stop);
  if (stop.stop_requested()) return std::nullopt;
  return links;
}

// The links that the element sends and receives.
layout::LinkItems GanttPanel::make_own_links(const ElementFactsKey& key) {
  layout::LinkItems own;
  const query::Elements elements(key.trace);
  const auto element = elements.find(key.element);
  if (!element) return own;
  for (const query::Links& links : {elements.links_sent(*element, ElementFacts::kMostLinks),
                                    elements.links_received(*element, ElementFacts::kMostLinks)}) {
    for (const query::Element& link : links.links) own.items.push_back({query::ends_of(link), 1});
  }
  layout::find_ends(elements, own.items, {});
  return own;
}

void GanttPanel::paint() {
  pinned_.paint();
  main_.paint();
}

void GanttPanel::present(int framebuffer_height) const {
  pinned_.present(framebuffer_height);
  main_.present(framebuffer_height);
}

GanttPanel::Places GanttPanel::arrange(const PanelInput& input, bool has_note) const {
  const float split = input.area.x0 + input.gutter_px;
  const float top = input.area.y0 + std::round(kGanttRulerPx * input.scale);
  const float note_px = has_note ? note_line_height(input) : 0;
  const float bottom = std::max(top, input.area.y1 - note_px);
  Places places;
  places.ruler = {split, input.area.y0, input.area.x1, top};
  places.corner = {input.area.x0, input.area.y0, split, top};
  places.gutter = {input.area.x0, top, split, bottom};
  places.canvas = {split, top, input.area.x1, bottom};
  places.note = {input.area.x0, bottom, input.area.x1, input.area.y1};
  const double pinned = input.model ? input.model->pinned.height() : 0;
  const float below =
      top + static_cast<float>(std::ceil(
                std::min(pinned, static_cast<double>(places.canvas.height() * kMostPinned))));
  places.pinned_gutter = {input.area.x0, top, split, below};
  places.pinned_canvas = {split, top, input.area.x1, below};
  places.main_gutter = {input.area.x0, below, split, bottom};
  places.main_canvas = {split, below, input.area.x1, bottom};
  return places;
}

void GanttPanel::draw(const PanelInput& input, PanelOutput& output) {
  Places places = arrange(input, /*has_note=*/false);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({input.area.x0, places.ruler.y0}, {places.ruler.x1, places.ruler.y1},
                     input.theme.header);
  pinned_.hide();
  main_.hide();
  if (!input.model || !input.trace) return;
  offer_sheet(input, "", /*is_stale=*/false, [&] { return sheet_of_lanes(input.model); }, output);

  const TimeAxis axis(input.window, places.canvas.x0, places.canvas.x1, input.trace->folded_time());
  BandContent content;
  content.model = input.model;
  content.filter = input.filter.tiles();
  content.facts = find_facts(input, output);
  find_links(input, axis, content, output);
  const std::string note = links_note(input, content, find_chain(input, axis, content, output));
  places = arrange(input, !note.empty() || has_length_scale(input));
  ImGui::PushFont(input.fonts.small);
  const std::vector<layout::RulerTick> ticks = axis_ticks(axis, *input.trace);
  ImGui::PopFont();
  if (has_option(input.options, kGridLines)) content.grid = grid_lines(ticks);
  draw_pictures(input, axis, places, std::move(content), output);
  draw_over(input, axis, places, ticks, output);
  places.note.x0 = draw_length_scale(input, places.note);
  if (!note.empty()) draw_note_line(input, places.note, note);
  tree_.draw_corner(input, places.corner, output);
  if (places.pinned_gutter.height() > 0) {
    tree_.draw(input, input.model->pinned, places.pinned_gutter, 0, values_in(input, axis, pinned_),
               output);
    draw_hairline_across(list, places.main_canvas.y0 - 1, input.area.x0, input.area.x1,
                         input.theme.text_dim);
  }
  tree_.draw(input, input.model->lanes, places.main_gutter, main_.content().scroll_px,
             values_in(input, axis, main_), output);
  if (const auto drag = tree_.drag_scroll(input, places.main_gutter); drag.px != 0) {
    scroll_to(input, input.trace->view().scroll_px + drag.px / input.scale, drag.gesture, output);
    output.redraw.after(kNextFrameSeconds);
  }
  tree_.finish(input, output);
  draw_hairline_down(list, places.canvas.x0 - 1, places.ruler.y0, places.canvas.y1,
                     input.theme.border);
  if (!draw_scroll_bar(input, output)) handle_mouse(input, axis, places, output);
  handle_scroll(input, places.gutter, output);
  element_menu_.draw(input, output);
  time_menu_.draw(input, output);
}

void GanttPanel::draw_pictures(const PanelInput& input, const TimeAxis& axis, const Places& places,
                               BandContent content, PanelOutput& output) {
  const double lowest =
      std::max(0.0, input.model->lanes.height() - static_cast<double>(places.main_canvas.height()));
  content.window = axis.window;
  content.cuts = axis.time.cuts();
  content.is_pinned = true;
  const bool has_pinned = places.pinned_canvas.height() > 0;
  const double scroll_px = std::floor(
      std::min(input.trace->view().scroll_px * static_cast<double>(input.scale), lowest));
  content.pinned_px = static_cast<double>(places.pinned_canvas.height());
  // Pinned lanes do not scroll, but the other ends of their links do.
  if (content.links || content.facts) content.scroll_px = scroll_px;
  bool is_same = !has_pinned || pinned_.place(places.pinned_canvas, content);
  content.is_pinned = false;
  content.scroll_px = scroll_px;
  is_same &= main_.place(places.main_canvas, content);
  if (!is_same || input.tiles->has_news() || input.tiles->frame() != tiles_frame_) {
    input.tiles->begin_frame();
    if (has_pinned) pinned_.redraw(input, axis);
    main_.redraw(input, axis);
    tiles_frame_ = input.tiles->frame();
  }
  output.is_stale |= main_.is_stale() || (has_pinned && pinned_.is_stale());
}

void GanttPanel::draw_over(const PanelInput& input, const TimeAxis& axis, const Places& places,
                           const std::vector<layout::RulerTick>& ticks, PanelOutput& output) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({places.ruler.x0, places.ruler.y0}, {places.ruler.x1, places.canvas.y1}, true);
  ImGui::PushFont(input.fonts.small);
  std::vector<Area> over_ruler = areas_over_ruler(input, axis, places.ruler);
  const auto length = place_selection_length(input, axis, places.ruler, places.canvas);
  if (length && length->y0 < places.ruler.y1) over_ruler.push_back(*length);
  draw_ruler(list, ticks, axis, places.ruler.y0, places.ruler.y1, input.theme, over_ruler);
  ImGui::PopFont();
  draw_hits(input, axis, places.ruler, output);
  torn_ends_.begin_frame(input);
  for (const LaneBand* band : {&pinned_, &main_}) torn_ends_.draw(input, axis, *band);
  if (places.pinned_canvas.height() > 0) pinned_.draw_labels(input);
  main_.draw_labels(input);
  draw_filter_sign(input, places, output);
  if (const std::string why = why_lanes_are_empty(input); !why.empty())
    draw_notice(input, places.main_canvas, why);
  draw_cut_marks(input, axis, places.ruler, places.canvas);
  draw_element(input, axis);
  follow_reveal(input, output);
  fit_rows(input, places.canvas, output);
  losses_.draw_ruler(input, axis, places.ruler);
  losses_.draw_lanes(input, axis, pinned_);
  losses_.draw_lanes(input, axis, main_);
  const LaneBand* const bands[] = {&pinned_, &main_};
  draw_selection(input, axis, places.ruler, places.canvas, bands);
  if (const auto time = input.session.hover_in(*input.trace)) {
    const auto x = static_cast<float>(axis.x_from_time(*time));
    draw_hairline_down(list, x, places.ruler.y0, places.canvas.y1, input.theme.crosshair);
  }
  draw_marker_layer(input, band_across(axis, places.ruler, places.canvas), axis);
  float bottom = places.canvas.y1 - kLegendMarginPx * input.scale;
  if (shows_classes()) draw_class_legend(input, places.canvas, bottom);
  list.PopClipRect();
}

void GanttPanel::draw_filter_sign(const PanelInput& input, const Places& places,
                                  PanelOutput& output) {
  const bool has_pinned = places.pinned_canvas.height() > 0;
  const bool is_waiting = main_.awaits_filter() || (has_pinned && pinned_.awaits_filter());
  if (!filter_sign_.update(is_waiting, output)) return;
  if (has_pinned) pinned_.draw_veil(input);
  main_.draw_veil(input);
  FilterSign::draw_note(input, places.canvas);
}

void GanttPanel::draw_hits(const PanelInput& input, const TimeAxis& axis, const Area& ruler,
                           PanelOutput& output) {
  const auto hits = hits_.find(input, axis, output);
  if (!hits) return;
  draw_hit_marks(input, axis,
                 {ruler.x0, ruler.y1 - std::round(kGanttHitsPx * input.scale), ruler.x1, ruler.y1},
                 *hits);
}

void GanttPanel::find_links(const PanelInput& input, const TimeAxis& axis, BandContent& content,
                            PanelOutput& output) {
  links_in_view_.reset();
  const bool has_links = input.model->trace->counts()[trace::Category::kLink] > 0;
  if (!has_links || !input.session.look.shows_links) return;
  const bool has_all = has_option(input.options, kAllLinks);
  const auto if_few = [&](const std::shared_ptr<const layout::LinkItems>& links) {
    return links && (has_all || links->items.size() <= kFewArrows) ? links : nullptr;
  };
  const layout::TimeScale scale = axis.scale();
  LinksKey key{.trace = input.model->trace,
               .view = scale.view(),
               .width_px = scale.width_px(),
               .cuts = axis.time.cuts(),
               .filter = content.filter.filter,
               .rows = {},
               .rules = input.model->message_rules,
               .lanes = input.model->lanes_left_out > 0 ? input.model : nullptr,
               .has_all = has_all};
  if (key.filter) key.rows = input.filter.rows;
  const auto found = links_.find(key);
  output.is_stale |= found.is_stale;
  links_in_view_ = found.value;
  content.links = if_few(found.value);
  if (!content.filter.keeps_rest) return;
  key.filter = nullptr;
  key.rows = nullptr;
  const auto rest = rest_links_.find(key);
  output.is_stale |= rest.is_stale;
  content.rest_links = if_few(rest.value);
}

std::shared_ptr<const ElementFacts> GanttPanel::find_facts(const PanelInput& input,
                                                           PanelOutput& output) {
  if (!input.trace->element()) return nullptr;
  const auto found = facts_.find({input.model->trace, *input.trace->element()});
  output.is_stale |= found.is_stale;
  return found.is_stale ? nullptr : found.value;
}

// Only asked for where the note counts what is not drawn.
uint64_t GanttPanel::find_chain(const PanelInput& input, const TimeAxis& axis,
                                const BandContent& content, PanelOutput& output) {
  if (!content.facts || !links_in_view_ || content.links) return 0;
  const auto found =
      chain_in_view_.find({content.facts, input.model, axis.scale().view(), content.filter.filter});
  output.is_stale |= found.is_stale;
  return found.value ? *found.value : 0;
}

void GanttPanel::draw_element(const PanelInput& input, const TimeAxis& axis) {
  const auto& element = input.trace->element();
  if (!element) return;
  // The element may have grown since it was selected.
  const std::shared_ptr<const ElementFacts>& facts = main_.content().facts;
  const bool is_known = facts && facts->element;
  const Duration duration = is_known ? facts->element->record.duration : element->duration;
  draw_element_outline(input, axis, pinned_.area(), input.model->pinned, 0, *element, duration);
  draw_element_outline(input, axis, main_.area(), input.model->lanes, main_.content().scroll_px,
                       *element, duration);
}

// The greatest height of rows at which all lanes are seen at once, or the least there is.
void GanttPanel::fit_rows(const PanelInput& input, const Area& canvas, PanelOutput& output) const {
  if (input.session.orders.fit_rows_in != input.id) return;
  if (input.model->view != input.trace->lanes()) {
    output.is_stale = true;
    return;
  }
  const auto rows = input.model->trace->rows();
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  const auto fits = [&](double px) {
    const layout::LaneHeights heights = lane_heights(px, input.scale);
    return input.model->lanes.height_with(heights, dictionary, rows) +
               input.model->pinned.height_with(heights, dictionary, rows) <=
           static_cast<double>(canvas.height());
  };
  double px = kMostRowPx;
  while (px > kLeastRowPx && !fits(px)) --px;
  output.commands.push_back({"row_height", {{"px", px}}});
}

void GanttPanel::follow_reveal(const PanelInput& input, PanelOutput& output) {
  if (revealed_ == input.trace->last_reveal().serial) return;
  if (input.model->view != input.trace->lanes()) {
    output.is_stale = true;  // its lane is being unfolded
    return;
  }
  revealed_ = input.trace->last_reveal().serial;
  const LaneId lane = input.trace->last_reveal().lane;
  const auto& element = input.trace->element();
  const bool is_lane_alone = input.trace->last_reveal().is_lane_alone;
  std::optional<RowPlace> place;
  if (element && element->lane == lane && !is_lane_alone)
    place = row_place(*input.model->trace, input.model->lanes, *element);
  if (const auto* line = input.model->lanes.line_of(lane); !place && line) {
    place = RowPlace{line->y, line->height};  // a link's, or a loss's
  }
  if (!place) return;
  const uint32_t gesture = input.trace->last_reveal().gesture;
  if (is_lane_alone) return scroll_to(input, place->y / input.scale, gesture, output);
  const double height = static_cast<double>(main_.area().height());
  const double top = main_.content().scroll_px;
  if (place->y >= top && place->y + place->height <= top + height) return;
  scroll_to(input, (place->y - height / 3) / input.scale, gesture, output);
}

// Whether an arrow that is drawn is of a class.
bool GanttPanel::shows_classes() const {
  const std::shared_ptr<const layout::LinkItems>& links = main_.content().links;
  return links && std::ranges::any_of(links->items, [](const layout::LinkItem& item) {
           return item.mark.has_class();
         });
}

std::string GanttPanel::links_note(const PanelInput& input, const BandContent& content,
                                   uint64_t in_chain) const {
  const std::shared_ptr<const layout::LinkItems>& links = links_in_view_;
  std::string note;
  if (!links) return note;
  if (!content.links) {
    // An estimate is coarser than a chain is long.
    const uint64_t drawn = links->is_counted ? std::min(in_chain, links->in_view) : 0;
    const uint64_t left = links->in_view - drawn;
    const std::vector<std::string> keys = input.session.keys.labels_of("links.all");
    if (left > 0)
      note = fmt::format("{}{} not drawn: point at an element for its own{}",
                         links->is_counted ? "" : "about ", counted(left, "link"),
                         keys.empty() ? "" : fmt::format(", {} for all", keys.front()));
  } else if (links->share() < 1) {
    note = fmt::format("{:.0f} % of {}{} links are drawn", std::max(1.0, links->share() * 100),
                       links->is_counted ? "" : "about ", format_count(links->in_view));
  }
  if (links->on_hidden_lanes > 0) {
    const std::string about = links->is_counted ? "" : "about ";
    note += note.empty() ? about + counted(links->on_hidden_lanes, "link")
                         : "; " + about + format_count(links->on_hidden_lanes);
    note += " on hidden lanes";
  }
  if (links->passing > 0) {
    note +=
        fmt::format("{}{}{} without an end in sight", note.empty() ? "" : ", ",
                    links->is_passing_whole ? "" : "at least ", counted(links->passing, "link"));
  }
  return note;
}

LaneTree::ValueOf GanttPanel::values_in(const PanelInput& input, const TimeAxis& axis,
                                        const LaneBand& band) {
  return [&input, time = input.session.hover_in(*input.trace), &axis,
          &band](const layout::DisplayRow& row) -> std::string {
    const auto hit = time ? band.hit_in(row, axis, *time) : std::nullopt;
    if (!hit || hit->row != row.row) return {};
    const bool is_one = hit->kind == layout::Hit::Kind::kElement;
    if (is_one &&
        layout::has_words(input.model->trace->dictionary(), input.model->trace->row(row.row)))
      return format_word(hit->values.last, input.session.look.radix);
    if (is_one) return format_value(hit->values.last);
    // Values of merged samples have 24 bits: more digits than these would show another value.
    const auto text = [](float value) {
      constexpr float kExact = 1 << 24;
      const bool is_exact = std::abs(value) <= kExact;
      return is_exact ? format_value(value) : format_short_value(value);
    };
    const std::string least = text(hit->values.min), most = text(hit->values.max);
    return least == most ? format_value(hit->values.last) : least + " … " + most;
  };
}

const LaneBand& GanttPanel::band_at(ImVec2 mouse) const {
  return pinned_.area().contains(mouse) && pinned_.content().model ? pinned_ : main_;
}

std::vector<LaneId> GanttPanel::lanes_between(float y0, float y1) const {
  std::vector<LaneId> lanes;
  for (const LaneBand* band : {&pinned_, &main_}) {
    if (!band->content().model) continue;
    const Area& area = band->area();
    const double top = std::max(0.0F, y0 - area.y0), bottom = std::min(y1, area.y1) - area.y0;
    if (bottom <= top) continue;
    const double scroll = band->content().scroll();
    for (const layout::DisplayRow& row :
         band->content().lanes().visible(top + scroll, bottom + scroll)) {
      const bool has_events = row.kind != layout::DisplayRow::Kind::kHeader;
      if (has_events && (lanes.empty() || lanes.back() != row.lane)) lanes.push_back(row.lane);
    }
  }
  return lanes;
}

void GanttPanel::handle_mouse(const PanelInput& input, const TimeAxis& axis, const Places& places,
                              PanelOutput& output) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto snap = [&](ImVec2 at) {
    return band_at(at).edge_near(axis, at).value_or(axis.time_from_x(at.x));
  };
  const MarkedBand band = band_across(axis, places.ruler, places.canvas);
  output.edge = marker_near(input, band, mouse);
  if (markers_.handle(input, band, snap, output)) {
    output.hover = axis.time_from_x(mouse.x);
    return;
  }
  const bool is_on_ruler = places.ruler.contains(mouse);
  const bool is_inside = ImGui::IsWindowHovered() && (is_on_ruler || places.canvas.contains(mouse));
  if (offset_drag_.handle(axis, *input.trace, is_inside && is_on_ruler, output)) return;
  if (is_inside) {
    output.hover = axis.time_from_x(mouse.x);
    output.edge = output.edge.value_or(snap(mouse));
    if (is_on_ruler && !losses_.hover(input, axis, mouse) && !hover_cut_mark(input, axis, mouse))
      (void)losses_.hover_further(input, mouse);
    if (is_on_ruler && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
      output.commands.push_back({"view.fit"});
    } else if (!range_drag_.is_active()) {
      (void)range_drag_.begin(input, axis, is_on_ruler);
    }
  }
  const auto lanes = [&](float y0, float y1) { return lanes_between(y0, y1); };
  range_drag_.follow(input, axis, places.canvas, lanes, output);
  if (is_inside && is_on_ruler && range_drag_.was_right_clicked()) time_menu_.open(*output.edge);
  if (!is_on_ruler || gestures_.is_dragging()) handle_canvas(input, axis, places, output);
}

void GanttPanel::handle_canvas(const PanelInput& input, const TimeAxis& axis, const Places& places,
                               PanelOutput& output) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_hovered = ImGui::IsWindowHovered() && places.canvas.contains(mouse);
  const bool was_dragging = gestures_.is_dragging();
  gestures_.handle(axis, input, is_hovered, /*drags=*/!range_drag_.is_active(), output);
  if (gestures_.is_dragging() && !was_dragging) {
    scroll_at_drag_ = main_.content().scroll_px / input.scale;
  }
  if (gestures_.dragged_across() != 0) {
    scroll_to(input,
              scroll_at_drag_ - static_cast<double>(gestures_.dragged_across() / input.scale),
              gestures_.drag_gesture(), output);
  }
  if (!is_hovered || gestures_.dragged_across() != 0 || range_drag_.is_active()) return;
  const LaneBand& band = band_at(mouse);
  const auto hit = band.hit_at(axis, mouse);
  const bool selects_by_click = input.session.mouse_mode == MouseMode::kSelect;
  if (gestures_.was_clicked() || (selects_by_click && range_drag_.was_clicked())) {
    select_element_at(input, hit, output);
  }
  if (range_drag_.was_right_clicked()) {
    hit ? element_menu_.open(*hit)
        : time_menu_.open(output.edge.value_or(axis.time_from_x(mouse.x)));
  }
  if (losses_.hover(input, axis, mouse) || torn_ends_.hover(input, axis, mouse)) return;
  if (hit) {
    hover(input, axis, band, *hit, output);
  } else if (!hover_cut_mark(input, axis, mouse)) {
    (void)losses_.hover_further(input, mouse);
  }
}

void GanttPanel::hover(const PanelInput& input, const TimeAxis& axis, const LaneBand& band,
                       const layout::Hit& hit, PanelOutput& output) {
  band.draw_hit(input, axis, hit);
  if (hit.kind == layout::Hit::Kind::kElement) draw_own_links(input, axis, hit, output);
  show_tooltip(input, axis, hit, details_, output);
  const bool zooms = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) &&
                     hit.kind != layout::Hit::Kind::kLink &&
                     input.session.mouse_mode <= MouseMode::kSelect;
  if (!zooms) return;
  // An aggregate resolves there.
  output.commands.push_back(view_set_command(
      input.window.zoomed_to({hit.begin, hit.begin + hit.duration}, input.trace->reach())));
}

void GanttPanel::draw_own_links(const PanelInput& input, const TimeAxis& axis,
                                const layout::Hit& hit, PanelOutput& output) {
  const store::TracePtr& trace = input.model->trace;
  if (trace->counts()[trace::Category::kLink] == 0) return;
  const auto own = own_links_.find({trace, element_of(*trace, hit)});
  output.is_stale |= own.is_stale;
  if (own.is_stale || !own.value) return;
  for (const LaneBand* band : {&pinned_, &main_}) band->draw_over(input, axis, *own.value);
}

void GanttPanel::scroll_to(const PanelInput& input, double px, uint32_t gesture,
                           PanelOutput& output) const {
  const double lowest =
      (input.model->lanes.height() - static_cast<double>(main_.area().height())) / input.scale;
  const double to = std::clamp(px, 0.0, std::max(0.0, lowest));
  if (to == input.trace->view().scroll_px) return;
  output.commands.push_back({"scroll", {{"to", to}}, gesture});
}

bool GanttPanel::draw_scroll_bar(const PanelInput& input, PanelOutput& output) {
  const Area& lanes = main_.area();
  const Area area = {lanes.x1 - std::round(ScrollBar::kWidthPx * input.scale), lanes.y0, lanes.x1,
                     lanes.y1};
  const double seen = static_cast<double>(lanes.height()), all = input.model->lanes.height();
  if (all <= seen) return false;
  const bool can_hover =
      ImGui::IsWindowHovered() && !gestures_.is_dragging() && !range_drag_.is_active();
  const bool was_held = scroll_bar_.is_held();
  const double to = scroll_bar_.draw({area, input.scale, input.theme.text_dim, can_hover},
                                     {main_.content().scroll_px, seen, all});
  const bool is_held = scroll_bar_.is_held();
  if (is_held && !was_held) scroll_bar_gesture_ = new_gesture();
  if (is_held) scroll_to(input, to / input.scale, scroll_bar_gesture_, output);
  return is_held || (can_hover && area.contains(ImGui::GetIO().MousePos));
}

void GanttPanel::handle_scroll(const PanelInput& input, const Area& gutter, PanelOutput& output) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!ImGui::IsWindowHovered() || io.MouseWheel == 0) return;
  const bool is_on_names = gutter.contains(io.MousePos);
  if (is_on_names ? io.KeyCtrl : turns_height(io)) {
    const double px = input.session.look.row_height_px + (io.MouseWheel > 0 ? 2 : -2);
    if (px > 0) {
      output.commands.push_back({"row_height", {{"px", px}}, scroll_wheel_.number()});
    }
  } else if (is_on_names) {
    const double rows = -static_cast<double>(io.MouseWheel) * kRowsPerNotch;
    scroll_to(input, input.trace->view().scroll_px + rows * input.session.look.row_height_px,
              scroll_wheel_.number(), output);
  }
}

}  // namespace weft::app
