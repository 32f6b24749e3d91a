// The content of the sequence diagram: lanes, arrows, bars of traffic and their labels. Drawing and
// hovering read the same items.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/element/element_facts.h"
#include "app/panels/timeline/canvas.h"
#include "app/panels/timeline/time_axis.h"
#include "core/layout/hit.h"
#include "core/layout/sequence.h"
#include "core/layout/sequence_order.h"
#include "core/query/element.h"
#include "render/rows_down.h"

namespace weft::app {

// The lanes of a diagram, made by a worker.
struct DiagramLanes {
  std::shared_ptr<const TraceModel> model;
  std::shared_ptr<const layout::ShownLanes> shown;  // the same one for the same model
  layout::SequenceOrder order;
  bool is_outline = false;  // in order of appearance, of unknown length: traffic is not read yet
  // The rows with the outermost states and the punctual events of these lanes, by place.
  struct Row {
    size_t place;
    RowId row;
  };
  std::vector<Row> rows;
};

// The content of the picture; equal contents look the same.
struct SequenceContent {
  std::shared_ptr<const DiagramLanes> lanes;
  std::shared_ptr<const layout::Messages> messages;
  TimeWindow window;
  std::shared_ptr<const TimeCuts> cuts;
  // If events stand one below the other: what the lanes did; null: not known.
  std::shared_ptr<const std::vector<layout::Activation>> activations = nullptr;
  layout::Theme theme = layout::Theme::kDark;
  double left_px = 0;   // x of the first lane's column, from the left edge
  double pitch_px = 1;  // distance between lanes
  layout::TileFilter filter = {};
  // Of the selected element, whose chain of causes and effects stands out; null: nothing is.
  std::shared_ptr<const ElementFacts> facts = nullptr;
  bool in_order = false;  // one event below the other, whatever the time between them
  bool by_size = false;   // arrows are as wide as their messages are large
  bool by_type = false;   // arrows in the colour of their type, not of their sender
  bool is_strip = false;  // small: lines only
  bool operator==(const SequenceContent&) const = default;
};

// The label of an arrow: the number of its messages or, for a single one, its type.
struct ArrowLabel {
  float x = 0, y = 0;           // its centre, from the picture's top left
  float width = 0, height = 0;  // its size; a longer text is cut
  std::string text;
  bool is_strong = false;  // of a bundle that passes the filter
};
// Whether the labels are far enough apart to be read.
bool are_apart(const ArrowLabel& a, const ArrowLabel& b, float scale);
// Whether the arrow runs through the label, as if that were its own.
bool runs_through(const layout::PlacedArrow& arrow, const ArrowLabel& label, float scale);

class SequencePicture {
 public:
  explicit SequencePicture(render::Renderer& renderer) : canvas_(renderer) {}

  void hide() { canvas_.hide(); }
  // Shows the picture at this place, redrawn if necessary.
  void place(const PanelInput& input, const TimeAxis& axis, const Area& area,
             const SequenceContent& content);
  void paint() { canvas_.paint(); }
  void present(int framebuffer_height) const { canvas_.present(framebuffer_height); }

  // Draws labels over the picture, in every frame.
  void draw_labels(const PanelInput& input) const;
  // Draws a triangle beside each run of repeated exchanges, at the left edge: open or closed.
  void draw_runs(const PanelInput& input) const;
  // The run whose triangle is at this place; null: none.
  const layout::MessageRun* run_at(const PanelInput& input, ImVec2 mouse) const;
  // The run to which the arrow belongs; null: none.
  const layout::MessageRun* run_of(const layout::PlacedArrow& arrow) const;
  // Draws an outline around the arrow that a tooltip describes.
  void draw_arrow_outline(const PanelInput& input, const layout::PlacedArrow& arrow,
                          ImU32 color) const;
  // Draws an outline around the selected element, if its lane is shown.
  void draw_element(const PanelInput& input, const query::ElementRef& element) const;

  const Area& area() const { return area_; }
  const SequenceContent& content() const { return drawn_; }
  const layout::SequenceLanes& lanes() const { return lanes_; }
  // By place: whether the lane has a visible arrow or bar; empty: not known.
  const std::vector<bool>& taking_part() const { return takes_part_; }
  // Conversion between times and y on the screen.
  double y_from_time(Time t) const { return area_.y0 + time_.y_from_time(t) - shift_px_; }
  Time time_from_y(double y) const { return time_.time_from_y(y - area_.y0 + shift_px_); }
  // Ticks of the axis if distance means time; otherwise ticks at events, with labels that fit
  // `room_px` or are as fine as a pixel. Needs the font that will draw them.
  std::vector<layout::RulerTick> ticks(const TimeAxis& axis, const OpenTrace& trace,
                                       float room_px) const;
  std::optional<double> x_of(LaneId lane) const;  // on the screen; of a lane of the trace
  const layout::PlacedArrow* arrow_at(ImVec2 mouse) const;
  layout::Hit hit_of(const layout::PlacedArrow& arrow) const;
  // The time to which a cursor snaps: the nearest send or receive, or the begin or end of what is
  // under the pointer.
  std::optional<Time> edge_near(ImVec2 mouse) const;
  // The state or punctual event of a lane under the pointer.
  std::optional<layout::Hit> activity_at(ImVec2 mouse) const;
  bool is_stale() const { return activity_.is_stale; }
  bool awaits_filter() const { return activity_.awaits_filter; }
  // The messages waiting to be handled; null: none there.
  const layout::Waiting* waiting_at(const PanelInput& input, ImVec2 mouse) const;
  const layout::Waiting* waiting_on(LaneId lane, Time time) const;
  // The traffic that is drawn as a bar, not by arrows; null: none there.
  const layout::TrafficBar* bar_at(const PanelInput& input, ImVec2 mouse) const;

 private:
  static constexpr float kActivityPx = 9;

  void add_lanes(const PanelInput& input, const TimeAxis& axis, render::DrawBatch& batch) const;
  void set_lanes(const PanelInput& input);
  void set_time(const PanelInput& input, const TimeAxis& axis);
  void add_activity(const PanelInput& input, const TimeAxis& axis, render::DrawBatch& batch);
  void add_activations(const PanelInput& input, render::DrawBatch& batch);
  bool has_room_for_activity(const PanelInput& input) const;  // the lanes are far enough apart
  bool shows_activity(const PanelInput& input) const;         // as tiles, if distance means time
  float bar_room(float scale) const;
  void add_waiting(const PanelInput& input, render::DrawBatch& batch);
  void add_bars(const PanelInput& input, render::DrawBatch& batch);
  float y_of_cell(int64_t cell) const;  // its begin, from the picture's top
  // The lane on which, or beside which, there may be a bar.
  std::optional<LaneId> bar_lane_at(const PanelInput& input, ImVec2 mouse) const;
  float glyph_size(const PanelInput& input) const;  // unscaled
  void add_arrows(const PanelInput& input, render::DrawBatch& batch);
  // Lines and the head in a colour, `width` wide.
  void add_arrow(const PanelInput& input, const layout::PlacedArrow& placed, ImU32 color,
                 float width, render::DrawBatch& batch) const;
  void add_chain(const PanelInput& input, render::DrawBatch& batch) const;
  bool is_selected(const layout::PlacedArrow& placed) const;
  void add_squares(const PanelInput& input, const layout::PlacedArrow& placed,
                   render::DrawBatch& batch) const;
  void add_circle(const PanelInput& input, const layout::PlacedArrow& placed,
                  render::DrawBatch& batch) const;
  void add_labels(const PanelInput& input);
  std::string label_text(const layout::PlacedArrow& placed) const;
  // The label beside the arrow, at this share of its way; nullopt if it has no room.
  std::optional<ArrowLabel> label_at(const layout::PlacedArrow& placed, std::string text,
                                     float along, float scale) const;
  bool has_room(const ArrowLabel& label, float scale) const;
  // Where neither a label nor another arrow is in its way; nullopt: nowhere.
  std::optional<ArrowLabel> free_label(const layout::PlacedArrow& placed, float scale) const;
  void add_runs();
  ImVec2 mark_of_run(const PanelInput& input, float y0) const;  // the centre of the triangle
  ImU32 color_of(const PanelInput& input, const layout::PlacedArrow& placed) const;
  ImU32 color_of_end(const PanelInput& input, const layout::MessageArrow& arrow, LaneId shown,
                     LaneId own) const;
  // The colour of its class, if that has one.
  std::optional<ImU32> class_color(const layout::MessageArrow& arrow) const;
  float width_of(const layout::MessageArrow& arrow) const;

  Canvas canvas_;
  Area area_;
  SequenceContent drawn_;
  layout::SequenceLanes lanes_;
  layout::SequenceTime time_;
  double shift_px_ = 0;  // where the window begins within a tick
  std::vector<layout::PlacedArrow> arrows_;
  std::vector<bool> takes_part_;
  std::vector<ArrowLabel> labels_;
  struct PlacedRun {
    size_t index = 0;      // of Messages::runs
    float y0 = 0, y1 = 0;  // extent of its sends, from the picture's top
  };
  std::vector<PlacedRun> runs_;  // the visible runs
  struct PlacedActivation {
    size_t index = 0;  // index in the content's activations
    render::BoxShape box;
  };
  std::vector<PlacedActivation> activations_;
  struct DiagramColors {
    ImU32 lane, line, sent, received, waiting;
  };
  std::vector<DiagramColors> colors_;  // by place of the lane, for colored_
  std::shared_ptr<const DiagramLanes> colored_;
  layout::Theme colored_theme_ = layout::Theme::kDark;
  render::TimelineItems activity_;
  layout::TimeScale activity_scale_{{}, 1};
  bool asks_tiles_ = false;
  uint64_t tiles_frame_ = 0;  // TileCache::frame of the picture
  float glyph_px_ = 9;
};

}  // namespace weft::app
