#include "app/panels/sequence/sequence_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/panels/drag.h"
#include "app/panels/hairline.h"
#include "app/panels/sequence/diagram_lanes.h"
#include "app/panels/sequence/message_signs.h"
#include "app/panels/tables/table_view.h"
#include "app/panels/timeline/cut_marks.h"
#include "app/panels/timeline/length_scale.h"
#include "app/panels/timeline/selected_lanes.h"
#include "app/panels/timeline/time_axis.h"
#include "app/panels/toolbar.h"
#include "app/panels/wrapped_text.h"
#include "app/session/option_choices.h"
#include "core/base/text.h"
#include "core/query/selection.h"

namespace weft::app {
namespace {

constexpr float kTimeRulerPx = 84;
constexpr float kRulerPadPx = 15;  // of it, that draw_ruler leaves free beside labels
constexpr float kStripPx = 64;
constexpr float kLeastForStripPx = 360;  // of the panel
constexpr double kLeastPitchPx = 20;
constexpr double kMostPitchPx = 220;
constexpr double kLanesPerNotch = 2;

TimeAxis axis_down(const TimeWindow& window, const Area& area, FoldedTime folds) {
  return {window, area.y0, area.y1, std::move(folds), AxisDirection::kDown};
}

// The axis of the whole trace, regardless of cuts.
TimeAxis axis_of_strip(const PanelInput& input, const Area& strip) {
  return axis_down(TimeWindow::all_of(input.trace->reach()), strip, FoldedTime());
}

// All of its messages, and what is around them: a bundle resolves there.
Command zoom_to(const layout::MessageArrow& message) {
  const auto [begin, end] = std::minmax(
      {message.link.send, message.link.receive, message.last_send, message.last_receive});
  TimeWindow window = TimeWindow::from_range({begin, end + Duration{1}});
  const double length = window.length;
  window.length = std::max(TimeWindow::kMinTicks, length * 1.5);
  return view_set_command(window.panned(-length * 0.25));
}

void show_waiting(const layout::Waiting& waiting) {
  show_text(counted(waiting.messages, "message") + " sent, not yet handled");
}

}  // namespace

SequencePanel::SequencePanel(const PanelServices& services)
    : traffic_(
          [pool = services.pool](const TrafficOfKey& key,
                                 const std::stop_token& stop) -> std::optional<TrafficOf> {
            const auto all = query::Selection::all(*key.trace);
            auto traffic = query::measure_traffic(*key.trace, all, {*pool, stop});
            if (stop.stop_requested()) return std::nullopt;
            return TrafficOf{std::move(traffic), key.trace_id};
          },
          services.wake),
      lanes_(
          [maker = std::make_shared<DiagramLanesMaker>()](const LanesKey& key) {
            return maker->make(key.model, key.traffic.get(), key.order, key.moves);
          },
          services.wake),
      messages_(latest_messages(services)),
      outline_(make_outline, services.wake),
      strip_messages_(latest_messages(services)),
      hits_(services),
      details_(make_details, services.wake),
      facts_([](const ElementFactsKey& key) { return make_element_facts(key); }, services.wake),
      diagram_(*services.renderer),
      strip_(*services.renderer) {}

void SequencePanel::paint() {
  diagram_.paint();
  strip_.paint();
}

void SequencePanel::present(int framebuffer_height) const {
  diagram_.present(framebuffer_height);
  strip_.present(framebuffer_height);
}

void SequencePanel::draw(const PanelInput& input, PanelOutput& output) {
  diagram_.hide();
  strip_.hide();
  if (!input.model || !input.trace) return;
  Area below = input.area;
  shown_lanes_ = find_lanes(input, output, below);
  if (!shown_lanes_ || shown_lanes_->order.lanes.empty()) {
    draw_notice(input, below, shown_lanes_ ? "The trace holds no messages" : "Reading…");
    return;
  }
  const Places places = arrange(input, below, shown_lanes_->order.lanes);
  if (places.canvas.height() < 8 || places.canvas.width() < 8) return;
  const TimeAxis axis = axis_down(input.window, places.canvas, input.trace->folded_time());
  draw_pictures(input, axis, places, output);
  draw_over(input, axis, places, output);
  Area line = places.note;
  line.x0 = draw_length_scale(input, line);
  draw_note_line(input, line, note());
  handle_mouse(input, axis, places, output);
  reveal_element(input, places.canvas, output);
  element_menu_.draw(input, output);
  time_menu_.draw(input, output);
  header_.draw_menu(input, output);
}

std::shared_ptr<const DiagramLanes> SequencePanel::find_lanes(const PanelInput& input,
                                                              PanelOutput& output, Area& below) {
  Toolbar toolbar(input, output);
  const auto traffic = traffic_.find({input.model->trace_id, input.model->trace});
  output.is_stale |= traffic.is_stale;
  LanesKey key{input.model};
  if (traffic.value && traffic.value->trace_id == input.model->trace_id)
    key.traffic = traffic.value;
  key.order = *layout::message_order_from_name(toolbar.choose_from_list("order", kMessageOrders));
  key.moves = input.options.value("moves", Json());
  const auto found = lanes_.find(key);
  output.is_stale |= found.is_stale;
  if (!key.moves.is_null() && toolbar.button("Undo moves"))
    output.commands.push_back({"sequence.reset", {{"panel", input.id}}});
  in_order_ = toolbar.choose("spacing", kMessageSpacings) == "events";
  joins_runs_ = in_order_ && toolbar.choose_from_list("runs", kMessageRuns) == "joined";
  by_type_ = toolbar.choose_from_list("colors", kArrowColors) == "type";
  by_size_ = toolbar.choose_from_list("widths", kArrowWidths) == "size";
  if (found.value && !found.value->order.lanes.empty()) {
    const layout::SequenceOrder& order = found.value->order;
    const std::string lanes = counted(order.lanes.size(), "lane");
    const std::string length = found.value->is_outline ? ""
                                                       : fmt::format(", arrows add up to {} lanes",
                                                                     format_count(order.length));
    toolbar.say(lanes + length, lanes);
  }
  below = toolbar.below();
  const bool is_of_this = found.value && found.value->model->trace_id == input.model->trace_id;
  return is_of_this ? found.value : nullptr;
}

SequencePanel::Places SequencePanel::arrange(const PanelInput& input, const Area& area,
                                             std::span<const LaneId> lanes) {
  const auto scale = static_cast<double>(input.scale);
  const float split = area.x0 + std::round(kTimeRulerPx * input.scale);
  const bool has_strip = area.width() >= kLeastForStripPx * input.scale;
  const float right = has_strip ? area.x1 - std::round(kStripPx * input.scale) : area.x1;
  const double width = std::max(1.0, static_cast<double>(right - split));
  const auto count = static_cast<double>(lanes.size());
  pitch_px_ = std::clamp(width / count, kLeastPitchPx * scale, kMostPitchPx * scale);
  const float top = area.y0 + header_.height(input, lanes, pitch_px_, area.height());
  const float bottom = std::max(top, area.y1 - note_line_height(input));
  most_scroll_px_ = std::max(0.0, pitch_px_ * count - width);
  const Json option = input.options.value("scroll", Json(0));
  const double scroll = option.is_number() ? option.get<double>() : 0;
  scroll_px_ = std::clamp(scroll * scale, 0.0, most_scroll_px_);
  left_px_ = std::floor(std::max(0.0, (width - pitch_px_ * count) / 2) - scroll_px_);
  return {.header = {split, area.y0, right, top},
          .ruler = {area.x0, top, split, bottom},
          .canvas = {split, top, right, bottom},
          .strip = {right, top, area.x1, bottom},
          .note = {area.x0, bottom, area.x1, area.y1}};
}

std::shared_ptr<const SequencePanel::MessagesOf> SequencePanel::find_messages(
    const PanelInput& input, LatestMessages& latest, const TimeAxis& axis, PanelOutput& output) {
  const layout::TileFilter filter = input.filter.tiles();
  layout::MessageGrid grid = layout::message_grid(axis.scale());
  const bool is_strip = &latest == &strip_messages_;
  grid.bundles = !in_order_ || is_strip;
  const bool joins_runs = joins_runs_ && !is_strip;
  const MessagesKey key{shown_lanes_->model->trace_id,
                        shown_lanes_->model->trace,
                        grid,
                        shown_lanes_->shown,
                        filter.filter,
                        filter.keeps_rest,
                        joins_runs,
                        joins_runs ? input.trace->view().open_runs : std::vector<TimeRange>(),
                        shown_lanes_->model->message_rules,
                        in_order_ && !is_strip ? shown_lanes_ : nullptr};
  // If both show the whole trace, it is read once.
  LatestMessages& answers = is_strip && key == diagram_key_ ? messages_ : latest;
  if (!is_strip) diagram_key_ = key;
  const auto found = answers.find(key);
  output.is_stale |= found.is_stale;
  const bool is_of_this = found.value && found.value->trace_id == input.model->trace_id;
  if (!is_strip) {
    const bool is_of_other =
        key.filter && found.is_stale && found.key &&
        (found.key->filter != key.filter || found.key->keeps_rest != key.keeps_rest);
    awaits_filter_ = is_of_this && (is_filter_pending(input) || is_of_other);
  }
  if (found.is_stale && &answers == &messages_) {
    const auto outline = outline_.find(key);
    const bool is_there = !outline.is_stale && outline.value && outline.value->is_outline;
    awaits_filter_ &= !is_there;
    if (is_there) return outline.value;
  }
  return is_of_this ? found.value : nullptr;
}

void SequencePanel::draw_pictures(const PanelInput& input, const TimeAxis& axis,
                                  const Places& places, PanelOutput& output) {
  const std::shared_ptr<const MessagesOf> messages = find_messages(input, messages_, axis, output);
  SequenceContent content{
      .lanes = shown_lanes_,
      .messages = messages,
      .window = axis.window,
      .cuts = axis.time.cuts(),
      .activations = messages ? std::shared_ptr<const std::vector<layout::Activation>>(
                                    messages, &messages->activations)
                              : nullptr,
      .theme = input.session.look.theme,
      .left_px = left_px_,
      .pitch_px = pitch_px_,
      .filter = input.filter.tiles(),
      .facts = find_facts(input, output),
      .in_order = in_order_,
      .by_size = by_size_,
      .by_type = by_type_};
  diagram_.place(input, axis, places.canvas, content);
  output.is_stale |= diagram_.is_stale();
  if (places.strip.width() < 1) return;
  const TimeAxis whole = axis_of_strip(input, places.strip);
  content.messages = find_messages(input, strip_messages_, whole, output);
  content.activations = nullptr;
  content.facts = nullptr;
  content.window = whole.window;
  content.cuts = nullptr;
  content.is_strip = true;
  const double width = static_cast<double>(places.strip.width());
  content.pitch_px = width / static_cast<double>(shown_lanes_->order.lanes.size());
  content.left_px = 0;
  strip_.place(input, whole, places.strip, content);
}

void SequencePanel::draw_markers(const PanelInput& input, const Places& places,
                                 const std::optional<HitBins>& hits, PanelOutput& output) {
  const TimeRange shown = {diagram_.time_from_y(places.canvas.y0),
                           diagram_.time_from_y(places.canvas.y1)};
  const MarkersDown markers(
      input, places.ruler, places.canvas, shown,
      [&](Time time) { return diagram_.y_from_time(time); },
      [&](double y) { return diagram_.time_from_y(y); });
  if (hits) markers.draw_hits(*hits);
  markers.draw();
  const auto snap = [&](ImVec2 at) { return snapped(at); };
  takes_mouse_ = marker_handles_.handle(input, markers.band(), snap, output);
  marked_ = marker_near(input, markers.band(), ImGui::GetIO().MousePos);
  if (takes_mouse_) {
    output.hover = diagram_.time_from_y(ImGui::GetIO().MousePos.y);
    output.edge = marked_;
  }
}

// The ruler shows all of the selected range, the columns only those of selected lanes, or all where
// none is selected.
void SequencePanel::draw_selection(const PanelInput& input, const Places& places) const {
  const auto& selection = input.trace->selection;
  if (!selection) return;
  const Area& canvas = places.canvas;
  const auto y0 =
      static_cast<float>(std::max(diagram_.y_from_time(selection->begin), canvas.y0 - 2.0));
  const auto y1 =
      static_cast<float>(std::min(diagram_.y_from_time(selection->end), canvas.y1 + 2.0));
  if (y1 <= y0) return;
  const auto shade = [&](float x0, float x1) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({x0, y0}, {x1, y1}, input.theme.selection);
    for (const float y : {y0, y1}) draw_hairline_across(list, y, x0, x1, input.theme.accent);
  };
  const bool is_all = y0 <= canvas.y0 + 1 && y1 >= canvas.y1 - 1;  // the ruler alone says so
  const SelectedLanes selected(input);
  shade(places.ruler.x0, is_all || !selected.are_all() ? places.ruler.x1 : canvas.x1);
  if (is_all || selected.are_all()) return;
  const layout::SequenceLanes& lanes = diagram_.lanes();
  for (size_t i = 0; i < lanes.order().size(); ++i) {
    if (!selected.has(lanes.order()[i])) continue;
    const float x = canvas.x0 + static_cast<float>(lanes.x_of_place(i));
    const auto half = static_cast<float>(lanes.pitch_px() / 2);
    shade(std::max(canvas.x0, std::round(x - half)), std::min(canvas.x1, std::round(x + half)));
  }
}

void SequencePanel::draw_over(const PanelInput& input, const TimeAxis& axis, const Places& places,
                              PanelOutput& output) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Area& canvas = places.canvas;
  list.AddRectFilled({places.ruler.x0, places.header.y0}, {places.ruler.x1, places.ruler.y1},
                     input.theme.gutter);
  const auto hits = hits_.find(input, axis, output);
  // Ticks stand beside the marks of hits.
  const float ruler_x1 =
      places.ruler.x1 - (hits ? std::round(MarkersDown::kHitsPx * input.scale) : 0);
  ImGui::PushFont(input.fonts.small);
  draw_ruler(list, diagram_.ticks(axis, *input.trace, ruler_x1 - places.ruler.x0 - kRulerPadPx),
             axis, places.ruler.x0, ruler_x1, input.theme);
  ImGui::PopFont();
  header_.draw(input, diagram_.lanes(), places.header, places.strip.x1, diagram_.taking_part(),
               lanes_at_pointer(canvas));
  if (places.strip.width() >= 1) draw_strip_window(input, axis, places.strip);
  list.PushClipRect({places.ruler.x0, canvas.y0}, {canvas.x1, canvas.y1}, true);
  diagram_.draw_labels(input);
  diagram_.draw_runs(input);
  if (!in_order_) draw_cut_marks(input, axis, places.ruler, canvas);
  if (filter_sign_.update(awaits_filter_ || diagram_.awaits_filter(), output)) {
    FilterSign::draw_veil(input, canvas);
    FilterSign::draw_note(input, canvas);
  }
  draw_selection(input, places);
  if (const auto time = input.session.hover_in(*input.trace)) {
    const auto y = static_cast<float>(diagram_.y_from_time(*time));
    draw_hairline_across(list, y, places.ruler.x0, canvas.x1, input.theme.crosshair);
  }
  if (input.trace->element()) diagram_.draw_element(input, *input.trace->element());
  takes_mouse_ = false;
  draw_markers(input, places, hits, output);
  float bottom = canvas.y1 - kLegendMarginPx * input.scale;
  if (by_size_) draw_size_legend(input, canvas, bottom);
  draw_class_legend(input, canvas, bottom);
  list.PopClipRect();
  draw_hairline_down(list, canvas.x0 - 1, places.header.y0, canvas.y1, input.theme.border);
  draw_hairline_down(list, canvas.x1 - 1, canvas.y0, canvas.y1, input.theme.border);
}

std::vector<LaneId> SequencePanel::lanes_at_pointer(const Area& canvas) const {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsWindowHovered() || !canvas.contains(mouse)) return {};
  const layout::PlacedArrow* arrow = diagram_.arrow_at(mouse);
  if (arrow) return {arrow->source, arrow->target};
  const auto lane = diagram_.lanes().at(static_cast<double>(mouse.x - canvas.x0));
  return lane ? std::vector{*lane} : std::vector<LaneId>();
}

// Marks the part of the time and of the lanes that the diagram shows.
void SequencePanel::draw_strip_window(const PanelInput& input, const TimeAxis& axis,
                                      const Area& strip) const {
  const TimeAxis whole = axis_of_strip(input, strip);
  const TimeRange shown = axis.window.range();
  const float y0 =
      std::clamp(static_cast<float>(whole.x_from_time(shown.begin)), strip.y0, strip.y1);
  const float y1 = std::clamp(static_cast<float>(whole.x_from_time(shown.end)), y0 + 1, strip.y1);
  const double hidden = hidden_lanes_share();
  const auto x_of = [&](double share) {
    return strip.x0 + std::floor(strip.width() * static_cast<float>(share));
  };
  const double left = most_scroll_px_ == 0 ? 0 : hidden * scroll_px_ / most_scroll_px_;
  const float x0 = x_of(left), x1 = std::max(x0 + 2, x_of(left + 1 - hidden));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({strip.x0, strip.y0}, {strip.x1, y0}, input.theme.shade);
  list.AddRectFilled({strip.x0, y1}, {strip.x1, strip.y1}, input.theme.shade);
  list.AddRectFilled({strip.x0, y0}, {x0, y1}, input.theme.shade);
  list.AddRectFilled({x1, y0}, {strip.x1, y1}, input.theme.shade);
  list.AddRect({x0 + 0.5F, y0}, {x1 - 0.5F, y1}, input.theme.accent);
}

double SequencePanel::hidden_lanes_share() const {
  return most_scroll_px_ / (pitch_px_ * static_cast<double>(shown_lanes_->order.lanes.size()));
}

void SequencePanel::handle_mouse(const PanelInput& input, const TimeAxis& axis,
                                 const Places& places, PanelOutput& output) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  handle_strip(input, places.strip, output);
  handle_header(input, places, output);
  if (takes_mouse_ || lane_drag_ || places.header.contains(mouse)) return;
  const bool is_on_ruler = places.ruler.contains(mouse);
  const bool is_inside = ImGui::IsWindowHovered() && (is_on_ruler || places.canvas.contains(mouse));
  if (is_inside) {
    output.hover = diagram_.time_from_y(mouse.y);
    output.edge = marked_.value_or(snapped(mouse));
    if (is_on_ruler && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
      output.commands.push_back({"view.fit"});
    } else if (!range_drag_.is_active()) {
      (void)range_drag_.begin(input, axis, is_on_ruler);
    }
  }
  const auto lanes_between = [&](float x0, float x1) {
    std::vector<LaneId> lanes;
    const layout::SequenceLanes& all = diagram_.lanes();
    for (size_t place = 0; place < all.order().size(); ++place) {
      const float x = places.canvas.x0 + static_cast<float>(all.x_of_place(place));
      if (x >= x0 && x < x1) lanes.push_back(all.order()[place]);
    }
    return lanes;
  };
  range_drag_.follow(input, axis, places.canvas, lanes_between, output);
  if (is_inside && is_on_ruler && range_drag_.was_right_clicked()) time_menu_.open(*output.edge);
  handle_canvas(input, axis, places, output);
}

Time SequencePanel::snapped(ImVec2 mouse) const {
  return diagram_.edge_near(mouse).value_or(diagram_.time_from_y(mouse.y));
}

void SequencePanel::handle_header(const PanelInput& input, const Places& places,
                                  PanelOutput& output) {
  const Area& header = places.header;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (lane_drag_) return follow_lane(input, header, output);
  const Area reach = {header.x0, header.y0, places.strip.x1, header.y1};
  const float x = header_.column_x(mouse, header);
  if (!ImGui::IsWindowHovered() || !reach.contains(mouse) || x >= header.x1) return;
  if (const float notches = ImGui::GetIO().MouseWheel; notches != 0) {
    scroll_to(input, scroll_px_ - static_cast<double>(notches) * kLanesPerNotch * pitch_px_,
              scroll_wheel_.number(), output);
  }
  const auto lane = diagram_.lanes().at(static_cast<double>(x - header.x0));
  if (!lane) return;
  show_lane_tooltip(input, *lane);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) lane_drag_ = LaneDrag{*lane, x};
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) header_.open_menu(*lane);
}

void SequencePanel::follow_lane(const PanelInput& input, const Area& header, PanelOutput& output) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const layout::SequenceLanes& lanes = diagram_.lanes();
  const float column_x = header_.column_x(mouse, header);
  lane_drag_->has_moved |= is_drag(column_x - lane_drag_->from_x, input.scale);
  // The lane goes between the two lanes nearest to the pointer.
  const double at =
      (static_cast<double>(column_x - header.x0) - lanes.x_of_place(0)) / lanes.pitch_px();
  const auto count = static_cast<double>(lanes.order().size());
  const auto gap = static_cast<size_t>(std::clamp(std::ceil(at), 0.0, count));
  if (lane_drag_->has_moved) {
    const float x = header.x0 + static_cast<float>(lanes.x_of_place(gap) - lanes.pitch_px() / 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddLine({x, header.y0}, {x, input.area.y1}, input.theme.accent, 2 * input.scale);
    show_lane_tooltip(input, lane_drag_->lane);
  }
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  const LaneId before = gap < lanes.order().size() ? lanes.order()[gap] : LaneId::none();
  const auto place = lanes.place_of(lane_drag_->lane);
  const bool stays = place && (gap == *place || gap == *place + 1);
  if (lane_drag_->has_moved && !stays) {
    Json args = {{"panel", input.id}, {"lane", lane_drag_->lane.value()}};
    if (!before.is_none()) args["before"] = before.value();
    output.commands.push_back({"sequence.move", std::move(args)});
  }
  lane_drag_.reset();
}

void SequencePanel::handle_canvas(const PanelInput& input, const TimeAxis& axis,
                                  const Places& places, PanelOutput& output) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_hovered =
      ImGui::IsWindowHovered() && (places.canvas.contains(mouse) || places.ruler.contains(mouse));
  const bool was_dragging = gestures_.is_dragging();
  gestures_.handle(axis, input, is_hovered, /*drags=*/!range_drag_.is_active(), output);
  if (gestures_.is_dragging() && !was_dragging) scroll_at_drag_ = scroll_px_;
  if (gestures_.dragged_across() != 0) {
    scroll_to(input, scroll_at_drag_ - static_cast<double>(gestures_.dragged_across()),
              gestures_.drag_gesture(), output);
  }
  const bool is_busy = gestures_.dragged_across() != 0 || range_drag_.is_active();
  if (!is_hovered || is_busy || !places.canvas.contains(mouse)) return;
  const bool selects_by_click = input.session.mouse_mode == MouseMode::kSelect;
  const bool is_clicked =
      gestures_.was_clicked() || (selects_by_click && range_drag_.was_clicked());
  if (handle_runs(input, is_clicked, output)) return;
  const layout::PlacedArrow* arrow = diagram_.arrow_at(mouse);
  const layout::TrafficBar* bar = arrow ? nullptr : diagram_.bar_at(input, mouse);
  const auto hit = arrow ? diagram_.hit_of(*arrow)
                   : bar ? std::nullopt
                         : diagram_.activity_at(mouse);
  if (is_clicked) select_element_at(input, hit, output);
  if (!hit && range_drag_.was_right_clicked()) time_menu_.open(diagram_.time_from_y(mouse.y));
  if (hit && range_drag_.was_right_clicked()) {
    const layout::MessageRun* run = arrow ? diagram_.run_of(*arrow) : nullptr;
    std::optional<Offered> item;
    if (run) {
      item = {toggle(*run),
              run->is_open ? "Draw these exchanges as one" : "Draw each of these exchanges"};
    } else if (arrow && hit->link.is_bundle()) {
      item = {zoom_to(diagram_.content().messages->arrows[arrow->index]),
              "Zoom to where they part"};
    }
    element_menu_.open(*hit, std::move(item));
  }
  if (arrow) {
    hover(input, axis, *arrow, output);
  } else if (bar) {
    show_bar_tooltip(input, axis, *bar);
  } else if (hit) {
    show_tooltip(input, axis, *hit, details_, output);
    const layout::Waiting* waiting =
        diagram_.waiting_on(input.model->trace->row(hit->row).lane, hit->begin);
    if (!waiting) return;
    ImGui::BeginTooltip();
    show_waiting(*waiting);
    ImGui::EndTooltip();
  } else if (!in_order_ && hover_cut_mark(input, axis, mouse)) {
    return;
  } else if (const layout::Waiting* waiting = diagram_.waiting_at(input, mouse)) {
    ImGui::BeginTooltip();
    show_waiting(*waiting);
    show_text(short_name(input.model->trace->dictionary().path_text(waiting->lane), 80),
              input.theme.text_dim);
    ImGui::EndTooltip();
  }
}

void SequencePanel::handle_strip(const PanelInput& input, const Area& strip, PanelOutput& output) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_hovered = ImGui::IsWindowHovered() && strip.contains(mouse);
  if (is_hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) strip_gesture_ = new_gesture();
  if (strip_gesture_ == 0) return;
  const TimeAxis whole = axis_of_strip(input, strip);
  // The window's middle comes to the pointer.
  const TimeWindow& window = input.trace->view().window;
  const Time middle = window.time_from_fraction(0.5);
  const TimeWindow next = input.trace->clamped(window.panned(
      (static_cast<double>(mouse.y) - whole.x_from_time(middle)) * whole.ticks_per_px()));
  if (next != window) output.commands.push_back(view_set_command(next, strip_gesture_));
  // The lanes move likewise.
  const double whole_px = most_scroll_px_ / std::max(hidden_lanes_share(), 1e-9);
  const double at = static_cast<double>((mouse.x - strip.x0) / strip.width());
  scroll_to(input, at * whole_px - (whole_px - most_scroll_px_) / 2, strip_gesture_, output);
  output.is_direct = true;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) strip_gesture_ = 0;
}

namespace {

// Below an arrow between these heights or, near the window's end, above it: not upon what it
// explains, and of a steep arrow not far from the pointer.
void place_tooltip_of(const PanelInput& input, float top, float bottom) {
  const float gap = 12 * input.scale, most = 120 * input.scale, wide = 440 * input.scale;
  const ImVec2 mouse = ImGui::GetIO().MousePos, end = ImGui::GetIO().DisplaySize;
  const float x = std::max(0.0F, std::min(mouse.x + gap, end.x - wide));
  if (mouse.y + 2 * most < end.y)
    ImGui::SetNextWindowPos({x, std::clamp(bottom + gap, mouse.y + gap, mouse.y + most)});
  else
    ImGui::SetNextWindowPos({x, std::clamp(top - gap, mouse.y - most, mouse.y - gap)}, 0, {0, 1});
}

}  // namespace

void SequencePanel::hover(const PanelInput& input, const TimeAxis& axis,
                          const layout::PlacedArrow& arrow, PanelOutput& output) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Area& area = diagram_.area();
  list.PushClipRect({area.x0, area.y0}, {area.x1, area.y1}, true);
  diagram_.draw_arrow_outline(input, arrow, input.theme.text);
  list.PopClipRect();
  place_tooltip_of(input, area.y0 + std::min(arrow.y0, arrow.y1),
                   area.y0 + std::max(arrow.y0, arrow.y1));
  show_tooltip(input, axis, diagram_.hit_of(arrow), details_, output);
  if (!ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return;
  const layout::MessageRun* run = diagram_.run_of(arrow);
  if (run && !run->is_open) return output.commands.push_back(toggle(*run));
  output.commands.push_back(zoom_to(diagram_.content().messages->arrows[arrow.index]));
}

void SequencePanel::show_bar_tooltip(const PanelInput& input, const TimeAxis& axis,
                                     const layout::TrafficBar& bar) const {
  const layout::Messages& messages = *diagram_.content().messages;
  const int level = messages.grid.level;
  ImGui::BeginTooltip();
  ImGui::PushFont(input.fonts.bold);
  show_text((messages.is_bound ? "at most " : "") + counted(bar.sent, "message") + " sent, " +
            format_count(bar.received) + " received");
  ImGui::PopFont();
  if (bar.dropped > 0) show_text(format_count(bar.dropped) + " of them dropped", input.theme.error);
  show_text(short_name(input.model->trace->dictionary().path_text(bar.lane), 80),
            input.theme.text_dim);
  const Time begin = layout::time_of_column(bar.cell, level);
  show_text("within " + length_label(layout::column_width(level), *input.trace) + " from " +
            axis.label(begin, *input.trace));
  show_text("too many to be drawn as arrows: zoom in", input.theme.text_dim);
  ImGui::EndTooltip();
}

void SequencePanel::reveal_element(const PanelInput& input, const Area& canvas,
                                   PanelOutput& output) {
  if (revealed_ == input.trace->last_reveal().serial) return;
  revealed_ = input.trace->last_reveal().serial;
  const auto x = diagram_.x_of(input.trace->last_reveal().lane);
  if (!x || (*x >= canvas.x0 && *x < canvas.x1)) return;
  const double middle = static_cast<double>(canvas.x0 + canvas.x1) / 2;
  scroll_to(input, scroll_px_ + *x - middle, 0, output);
}

void SequencePanel::scroll_to(const PanelInput& input, double px, uint32_t gesture,
                              PanelOutput& output) const {
  const double to = std::clamp(px, 0.0, most_scroll_px_);
  if (to == scroll_px_) return;
  output.commands.push_back(
      set_option(input, "scroll", std::round(to / static_cast<double>(input.scale)), gesture));
}

}  // namespace weft::app
